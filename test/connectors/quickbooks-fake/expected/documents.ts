import { type Decimal } from 'decimal.js';

import { type UnifiedLine, type UnifiedRecord } from '../../../../src/connectors/pull.js';
import {
  type AccountLine,
  type Contact,
  type DiscountLine,
  type ItemLine,
  type TradeDocument,
} from '../domain.js';
import { kindId } from '../models.js';
import { balanceOf, discountOf, taxOf, totalOf, ZERO } from '../totals.js';
import { documentId } from '../vouchers.js';
import { addressOf } from './contacts.js';

const DATA_MODELS = {
  Invoice: 'INVOICES',
  SalesReceipt: 'INVOICES',
  CreditMemo: 'INVOICE_CREDIT_NOTES',
  RefundReceipt: 'INVOICE_CREDIT_NOTES',
  Bill: 'BILLS',
  VendorCredit: 'BILL_CREDIT_NOTES',
  PurchaseOrder: 'PURCHASE_ORDERS',
  Purchase: 'EXPENSES',
} as const;

/** Employees are no contacts of ours. */
export const contactIdOf = (contact: Contact | null): string | null =>
  contact && contact.kind !== 'Employee' ? kindId(contact) : null;

const linkedTo = ({ links }: TradeDocument, type: string): string[] =>
  links.filter((one) => one.type === type).map(({ id }) => id);

export function expectedInvoice(document: TradeDocument): UnifiedRecord {
  const isSale = document.entity !== 'Bill';
  return {
    platformId: documentId(document.entity, document.id),
    values: {
      ...shared(document),
      ...sums(document),
      dueDate: document.receipt ? document.date : document.dueDate,
      memo: memoOf(document),
      status: statusOf(document),
      amountDue: balanceOf(document).toFixed(),
      ...(isSale ? {} : { purchaseOrderIds: linkedTo(document, 'PurchaseOrder') }),
    },
    lines: { lineItems: linesOf(document) },
  };
}

export const expectedCreditNote = (document: TradeDocument): UnifiedRecord => ({
  platformId: documentId(document.entity, document.id),
  values: {
    ...shared(document),
    currencyRate: undefined,
    taxAmount: taxOf(document).toFixed(),
    totalAmount: totalOf(document).toFixed(),
    memo: memoOf(document),
    status: statusOf(document),
    remainingCredit: balanceOf(document).toFixed(),
  },
  lines: { lineItems: linesOf(document) },
});

export function expectedOrder(document: TradeDocument): UnifiedRecord {
  const parent = { dataModel: 'PURCHASE_ORDERS', dataModelId: document.id };
  return {
    platformId: document.id,
    values: {
      ...shared(document),
      ...sums(document),
      description: document.note,
      deliveryDate: document.dueDate,
      status: 'SUBMITTED',
      billIds: linkedTo(document, 'Bill'),
    },
    lines: {
      lineItems: linesOf(document),
      addresses: [
        ...addressOf('BILLING', document.contact?.billing ?? null, parent),
        ...addressOf('SHIPPING', document.shipTo, parent),
      ],
    },
  };
}

/** Money that came back is a negative expense. */
export function expectedExpense(document: TradeDocument): UnifiedRecord {
  const { payment } = document;
  const sign = payment?.isRefund ? -1 : 1;
  return {
    platformId: document.id,
    values: {
      ...shared(document),
      ...sums(document, sign),
      accountId: payment?.account.id,
      paymentMode: payment?.type,
      memo: document.note,
    },
    lines: { lineItems: linesOf(document, sign) },
  };
}

const shared = (document: TradeDocument) => ({
  contactId: contactIdOf(document.contact),
  currencyId: document.currency.code,
  currencyCode: document.currency.code,
  currencyRate: document.currency.rate.toFixed(),
  documentNumber: document.number,
  postedDate: document.date,
  updatedAt: document.updatedAt.toISOString(),
});

function sums(document: TradeDocument, sign = 1) {
  const [total, tax] = [totalOf(document), taxOf(document)];
  return {
    subTotal: total.minus(tax).times(sign).toFixed(),
    taxAmount: tax.times(sign).toFixed(),
    totalDiscount: discountOf(document).toFixed(),
    totalAmount: total.times(sign).toFixed(),
  };
}

const memoOf = ({ message, note }: TradeDocument): string | null => message ?? note;

function statusOf(document: TradeDocument): string {
  if (document.isVoid) return 'VOID';
  const [left, total] = [balanceOf(document), totalOf(document)];
  if (left.isZero()) return 'PAID';
  return left.lessThan(total) ? 'PARTIALLY_PAID' : 'SUBMITTED';
}

function linesOf(document: TradeDocument, sign = 1): UnifiedLine[] {
  const traded = document.lines.filter(({ kind }) => kind !== 'discount');
  const discounts = document.lines.filter(({ kind }) => kind === 'discount');
  return [...traded, ...discounts].flatMap((line) => {
    switch (line.kind) {
      case 'note':
        return [lineOf(document, { description: line.description })];
      case 'group':
        return line.lines.map((one) => lineOf(document, tradedValues(document, one, sign)));
      case 'shipping':
        return [lineOf(document, amounts(document, line.amount, null))];
      case 'discount':
        return [lineOf(document, discountValues(document, line))];
      default:
        return [lineOf(document, tradedValues(document, line, sign))];
    }
  });
}

const lineOf = ({ id, entity, department }: TradeDocument, values: object): UnifiedLine => ({
  platformId: null,
  values: {
    lineItemType: DATA_MODELS[entity],
    lineItemTypeId: documentId(entity, id),
    trackingCategoryIds: department ? [kindId(department)] : [],
    ...values,
  },
});

function tradedValues(document: TradeDocument, line: ItemLine | AccountLine, sign: number): object {
  const isItem = line.kind === 'item';
  return {
    accountId: line.account?.id,
    itemId: isItem ? line.item.id : null,
    taxId: line.taxCode?.id,
    description: line.description,
    quantity: isItem ? line.quantity?.toFixed() : null,
    unitAmount: isItem ? line.unitPrice?.toFixed() : null,
    ...amounts(document, line.amount.times(sign), taxOfLine(line)?.times(sign) ?? null),
    trackingCategoryIds: [line.class, document.department].flatMap((one) => (one ? [kindId(one)] : [])),
  };
}

const discountValues = (document: TradeDocument, line: DiscountLine): object => ({
  accountId: line.account.id,
  ...amounts(document, line.amount.negated(), null),
});

/** The tax of a line, as far as it is told. */
function taxOfLine({ amount, gross, taxCode }: ItemLine | AccountLine): Decimal | null {
  if (gross) return gross.minus(amount);
  return taxCode?.id === 'NON' ? ZERO : null;
}

/** Tax is told of the document as a whole: where there is none, no line has any. */
function amounts(document: TradeDocument, amount: Decimal, ownTax: Decimal | null): object {
  const tax = ownTax ?? (taxOf(document).isZero() ? ZERO : null);
  return {
    subTotal: amount.toFixed(),
    taxAmount: tax?.toFixed(),
    totalAmount: tax && amount.plus(tax).toFixed(),
  };
}
