import {
  type bill,
  type billCreditNote,
  type expense,
  type invoice,
  type invoiceCreditNote,
  type purchaseOrder,
  type salesOrder,
} from '../../../records/index.js';
import { type PlatformObject } from '../../platform.js';
import { type UnifiedRecord } from '../../pull.js';
import { sum } from '../../values/decimals.js';
import { arrayOf, decimalOf, objectsIn, textOf, textsIn } from '../../values/platform-values.js';
import { changedAt, dayOf } from '../times.js';
import { toAddresses } from './contact.js';
import { discountOf, taxOfLines, toLines } from './lines.js';
import { dueStatus, orderStatus } from './status.js';
import { currencyOf, platformIdOf, ratedCurrencyOf } from './values.js';

/** A sales invoice. */
export function toInvoice(object: PlatformObject): UnifiedRecord<typeof invoice> {
  const platformId = platformIdOf(object, 'invoice_id');
  return {
    platformId,
    values: {
      ...dueValues(object),
      contactId: textOf(object['customer_id']),
      documentNumber: textOf(object['invoice_number']),
      salesOrderIds: idsIn(object, 'salesorders', 'salesorder_id'),
    },
    lines: { lineItems: toLines(object, { type: 'INVOICES', platformId }) },
  };
}

/** A vendor's bill. */
export function toBill(object: PlatformObject): UnifiedRecord<typeof bill> {
  const platformId = platformIdOf(object, 'bill_id');
  return {
    platformId,
    values: {
      ...dueValues(object),
      contactId: textOf(object['vendor_id']),
      documentNumber: textOf(object['bill_number']),
      purchaseOrderIds: textsIn([
        ...idsIn(object, 'purchaseorders', 'purchaseorder_id'),
        ...textsIn(object['purchaseorder_ids']),
      ]),
    },
    lines: { lineItems: toLines(object, { type: 'BILLS', platformId }) },
  };
}

/** A credit for a customer. */
export function toInvoiceCreditNote(object: PlatformObject): UnifiedRecord<typeof invoiceCreditNote> {
  const platformId = platformIdOf(object, 'creditnote_id');
  const credited = objectsIn(object['invoices_credited'] ?? object['invoices']);
  return {
    platformId,
    values: {
      ...creditValues(object),
      contactId: textOf(object['customer_id']),
      documentNumber: textOf(object['creditnote_number']),
      invoiceIds: textsIn([...credited.map((one) => one['invoice_id']), object['invoice_id']]),
    },
    lines: { lineItems: toLines(object, { type: 'INVOICE_CREDIT_NOTES', platformId }) },
  };
}

/** A vendor's credit. */
export function toBillCreditNote(object: PlatformObject): UnifiedRecord<typeof billCreditNote> {
  const platformId = platformIdOf(object, 'vendor_credit_id');
  return {
    platformId,
    values: {
      ...creditValues(object),
      contactId: textOf(object['vendor_id']),
      documentNumber: textOf(object['vendor_credit_number']),
      billIds: idsIn(object, 'bills_credited', 'bill_id'),
    },
    lines: { lineItems: toLines(object, { type: 'BILL_CREDIT_NOTES', platformId }) },
  };
}

/** A customer's order. */
export function toSalesOrder(object: PlatformObject): UnifiedRecord<typeof salesOrder> {
  const platformId = platformIdOf(object, 'salesorder_id');
  return {
    platformId,
    values: {
      ...orderValues(object),
      contactId: textOf(object['customer_id']),
      documentNumber: textOf(object['salesorder_number']),
      deliveryDate: dayOf(object['shipment_date']),
      invoiceIds: idsIn(object, 'invoices', 'invoice_id'),
    },
    lines: {
      lineItems: toLines(object, { type: 'SALES_ORDERS', platformId }),
      addresses: toAddresses('SALES_ORDERS', platformId, object),
    },
  };
}

/** An order to a vendor. */
export function toPurchaseOrder(object: PlatformObject): UnifiedRecord<typeof purchaseOrder> {
  const platformId = platformIdOf(object, 'purchaseorder_id');
  return {
    platformId,
    values: {
      ...orderValues(object),
      contactId: textOf(object['vendor_id']),
      documentNumber: textOf(object['purchaseorder_number']),
      deliveryDate: dayOf(object['delivery_date']) ?? dayOf(object['expected_delivery_date']),
      paymentMode: null,
      billIds: idsIn(object, 'bills', 'bill_id'),
    },
    lines: {
      lineItems: toLines(object, { type: 'PURCHASE_ORDERS', platformId }),
      addresses: toAddresses('PURCHASE_ORDERS', platformId, object),
    },
  };
}

/** Money spent directly. */
export function toExpense(object: PlatformObject): UnifiedRecord<typeof expense> {
  const platformId = platformIdOf(object, 'expense_id');
  return {
    platformId,
    values: {
      ...ratedCurrencyOf(object),
      contactId: textOf(object['vendor_id']),
      accountId: textOf(object['paid_through_account_id']),
      documentNumber: textOf(object['reference_number']),
      postedDate: dayOf(object['date']),
      paymentMode: textOf(object['payment_mode']),
      memo: textOf(object['description']),
      subTotal: decimalOf(object['sub_total']),
      taxAmount: decimalOf(object['tax_amount']),
      totalDiscount: null,
      totalAmount: decimalOf(object['total']),
      updatedAt: changedAt(object),
    },
    lines: { lineItems: toLines(object, { type: 'EXPENSES', platformId }) },
  };
}

const idsIn = (object: PlatformObject, list: string, id: string): string[] =>
  textsIn([...objectsIn(object[list]).map((one) => one[id]), object[id]]);

const totalsOf = (object: PlatformObject) => ({
  subTotal: decimalOf(object['sub_total']),
  taxAmount: taxOf(object),
  totalDiscount: discountOf(object),
  totalAmount: decimalOf(object['total']),
});

/** The tax of a document, which not all say as a whole, and vendors' credits not even by taxes. */
function taxOf(object: PlatformObject): string | null {
  const whole = decimalOf(object['tax_total']);
  if (whole !== null) return whole;
  if (!arrayOf(object['taxes'])) return taxOfLines(object);
  return objectsIn(object['taxes']).reduce<string | null>(
    (total, tax) => sum(total, decimalOf(tax['tax_amount'])),
    '0',
  );
}

function dueValues(object: PlatformObject) {
  const amountDue = decimalOf(object['balance']);
  const totals = totalsOf(object);
  return {
    ...ratedCurrencyOf(object),
    ...totals,
    amountDue,
    postedDate: dayOf(object['date']),
    dueDate: dayOf(object['due_date']),
    memo: textOf(object['notes']),
    status: dueStatus(object['status'], totals.totalAmount, amountDue),
    updatedAt: changedAt(object),
  };
}

function creditValues(object: PlatformObject) {
  const remainingCredit = decimalOf(object['balance']);
  const { taxAmount, totalAmount } = totalsOf(object);
  return {
    ...currencyOf(object),
    taxAmount,
    totalAmount,
    remainingCredit,
    postedDate: dayOf(object['date']),
    memo: textOf(object['notes']),
    status: dueStatus(object['status'], totalAmount, remainingCredit),
    updatedAt: changedAt(object),
  };
}

const orderValues = (object: PlatformObject) => ({
  ...ratedCurrencyOf(object),
  ...totalsOf(object),
  postedDate: dayOf(object['date']),
  description: textOf(object['notes']),
  status: orderStatus(object['order_status'] ?? object['status']),
  updatedAt: changedAt(object),
});
