import { Decimal } from 'decimal.js';

import { type UnifiedLine, type UnifiedRecord } from '../../../../src/connectors/pull.js';
import { type Line, type ManualJournal, type TradeDocument } from '../domain.js';
import { remainderOf, subTotalOf, taxOf, totalDiscountOf, totalOf } from '../totals.js';

const DATA_MODELS = {
  ACCREC: 'INVOICES',
  ACCPAY: 'BILLS',
  ACCRECCREDIT: 'INVOICE_CREDIT_NOTES',
  ACCPAYCREDIT: 'BILL_CREDIT_NOTES',
  PURCHASEORDER: 'PURCHASE_ORDERS',
} as const;

const STATUSES: Readonly<Record<string, string>> = {
  DRAFT: 'DRAFT',
  SUBMITTED: 'SUBMITTED',
  AUTHORISED: 'SUBMITTED',
  BILLED: 'SUBMITTED',
  PAID: 'PAID',
  VOIDED: 'VOID',
};

export function expectedInvoice(document: TradeDocument): UnifiedRecord {
  const orderIds = document.type === 'ACCREC' ? { salesOrderIds: [] } : { purchaseOrderIds: [] };
  return {
    platformId: document.id,
    values: {
      ...sharedValues(document),
      currencyRate: document.currency.worth,
      dueDate: document.dueDate,
      memo: document.reference === '' ? null : document.reference,
      subTotal: subTotalOf(document).toFixed(),
      totalDiscount: expectedDiscount(document)?.toFixed(),
      amountDue: remainderOf(document).toFixed(),
      ...orderIds,
    },
    lines: { lineItems: expectedLines(document) },
  };
}

export function expectedCreditNote(document: TradeDocument): UnifiedRecord {
  const ids = [...new Set(document.allocations.map((allocation) => allocation.document.id))];
  return {
    platformId: document.id,
    values: {
      ...sharedValues(document),
      memo: document.reference === '' ? null : document.reference,
      remainingCredit: remainderOf(document).toFixed(),
      [document.type === 'ACCRECCREDIT' ? 'invoiceIds' : 'billIds']: ids,
    },
    lines: { lineItems: expectedLines(document) },
  };
}

export function expectedOrder(document: TradeDocument): UnifiedRecord {
  const { id, deliveryAddress: street } = document;
  const place = { dataModel: 'PURCHASE_ORDERS', dataModelId: id, type: 'SHIPPING', street };
  return {
    platformId: id,
    values: {
      ...sharedValues(document),
      currencyRate: document.currency.worth,
      description: document.reference === '' ? null : document.reference,
      deliveryDate: document.dueDate,
      subTotal: subTotalOf(document).toFixed(),
      billIds: [],
    },
    lines: {
      lineItems: expectedLines(document),
      addresses: street === null ? [] : [{ platformId: null, values: place }],
    },
  };
}

const isPartlyPaid = ({ status, paid, credited }: TradeDocument): boolean =>
  status === 'AUTHORISED' && !paid.plus(credited).isZero();

function sharedValues(document: TradeDocument) {
  return {
    contactId: document.contact.id,
    currencyId: document.currency.id,
    currencyCode: document.currency.id,
    documentNumber: document.number,
    postedDate: document.date,
    status: isPartlyPaid(document) ? 'PARTIALLY_PAID' : STATUSES[document.status],
    taxAmount: taxOf(document).toFixed(),
    totalAmount: totalOf(document).toFixed(),
    updatedAt: document.updatedAt.toISOString(),
  };
}

const expectedLines = (document: TradeDocument): UnifiedLine[] =>
  document.lines.map((line) => ({ platformId: line.id, values: lineValues(line, document) }));

/**
 * Amounts of a line come as they are entered; ours are without tax. Of a line with a discount or of less than one unit,
 * cents matter least in the largest line of the tax.
 */
const withoutTax = (amount: Decimal, line: Line, { amountTypes, lines }: TradeDocument): Decimal => {
  if (amountTypes !== 'Inclusive') return amount;
  const isSmall = line.discount !== null || line.quantity.abs().lessThan(1);
  const alike = isSmall ? lines.filter(({ taxRate }) => taxRate.id === line.taxRate.id) : [line];
  const enteredOf = ({ net, tax }: Line) => net.plus(tax);
  const { net, tax } = alike.reduce((most, one) =>
    enteredOf(one).abs().greaterThan(enteredOf(most).abs()) ? one : most,
  );
  return amount.times(net).dividedBy(net.plus(tax)).toDecimalPlaces(6, Decimal.ROUND_HALF_UP);
};

/** Of a rate, what its rounding has taken off. */
function discountOf(line: Line, document: TradeDocument): Decimal | null {
  const { discount, quantity, unitPrice, net, tax } = line;
  if (!discount) return null;
  const entered = document.amountTypes === 'Inclusive' ? net.plus(tax) : net;
  const amount = 'amount' in discount ? discount.amount : quantity.times(unitPrice).minus(entered);
  return withoutTax(amount, line, document);
}

function expectedDiscount(document: TradeDocument): Decimal | null {
  const total = totalDiscountOf(document);
  if (document.amountTypes !== 'Inclusive' || total === null) return total;
  return document.lines.reduce((sum, line) => sum.plus(discountOf(line, document) ?? 0), new Decimal(0));
}

function lineValues(line: Line, document: TradeDocument): object {
  const { id, type } = document;
  return {
    lineItemType: DATA_MODELS[type],
    lineItemTypeId: id,
    accountId: line.account.id,
    accountCode: line.account.code,
    itemId: line.item?.id,
    itemCode: line.item?.code,
    taxId: line.taxRate.id,
    description: line.description,
    quantity: line.quantity.toFixed(),
    unitAmount: withoutTax(line.unitPrice, line, document).toFixed(),
    subTotal: line.net.toFixed(),
    taxAmount: line.tax.toFixed(),
    totalAmount: line.net.plus(line.tax).toFixed(),
    totalDiscount: discountOf(line, document)?.toFixed(),
    trackingCategoryIds: line.tags.map(({ option }) => option.id),
  };
}

export function expectedFiles(parent: TradeDocument | ManualJournal): UnifiedRecord[] {
  return parent.attachments.map((attachment) => ({
    platformId: attachment.id,
    values: {
      documentType: 'type' in parent ? DATA_MODELS[parent.type] : 'JOURNAL_ENTRIES',
      documentTypeId: parent.id,
      documentUploaded: false,
      fileName: attachment.fileName,
      fileSize: String(attachment.size),
      fileType: attachment.mimeType,
    },
  }));
}
