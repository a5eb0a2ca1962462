import {
  type bill,
  type billCreditNote,
  type expense,
  type invoice,
  type invoiceCreditNote,
  type purchaseOrder,
} from '../../../records/index.js';
import { type PlatformObject } from '../../platform.js';
import { type Lookups, type UnifiedRecord } from '../../pull.js';
import { difference, isPositive, isZero, opposite } from '../../values/decimals.js';
import { decimalOf, objectOf, textOf } from '../../values/platform-values.js';
import { ENTITY, platformIdIn } from '../kinds.js';
import { linkedIds } from '../links.js';
import { idOf } from '../query.js';
import { isReceipt } from '../receipts.js';
import { toAddresses } from './contact.js';
import { discountOf, taxOf, toLines } from './lines.js';
import {
  contactIdOf,
  currencyOf,
  dayOf,
  isUnresolved,
  isVoided,
  ratedCurrencyOf,
  refOf,
  updatedAtOf,
} from './values.js';

/** A sales invoice, or a sales receipt. */
export function toInvoice(object: PlatformObject, lookups: Lookups): UnifiedRecord<typeof invoice> {
  const platformId = platformIdIn(object);
  return {
    platformId,
    unresolved: isUnresolved(object, lookups),
    values: {
      ...dueValues(object, lookups),
      contactId: contactIdOf(object['CustomerRef'], 'Customer'),
      memo: customerMemoOf(object),
      salesOrderIds: [],
    },
    lines: { lineItems: toLines(object, { type: 'INVOICES', platformId }) },
  };
}

/** A vendor's bill. */
export function toBill(object: PlatformObject, lookups: Lookups): UnifiedRecord<typeof bill> {
  const platformId = idOf(object);
  return {
    platformId,
    unresolved: isUnresolved(object, lookups),
    values: {
      ...dueValues(object, lookups),
      contactId: contactIdOf(object['VendorRef'], 'Vendor'),
      memo: textOf(object['PrivateNote']),
      purchaseOrderIds: linkedIds(object, 'PurchaseOrder'),
    },
    lines: { lineItems: toLines(object, { type: 'BILLS', platformId }) },
  };
}

/**
 * A credit memo for a customer, or a refund receipt. What a memo was applied to is told by payments, and only for some by
 * itself.
 */
export function toInvoiceCreditNote(
  object: PlatformObject,
  lookups: Lookups,
): UnifiedRecord<typeof invoiceCreditNote> {
  const platformId = platformIdIn(object);
  const invoiceId = refOf(object['InvoiceRef']);
  return {
    platformId,
    unresolved: isUnresolved(object, lookups),
    values: {
      ...creditValues(object, lookups),
      contactId: contactIdOf(object['CustomerRef'], 'Customer'),
      memo: customerMemoOf(object),
      invoiceIds: [...new Set([...linkedIds(object, 'Invoice'), ...(invoiceId === null ? [] : [invoiceId])])],
    },
    lines: { lineItems: toLines(object, { type: 'INVOICE_CREDIT_NOTES', platformId }) },
  };
}

/** A vendor's credit. */
export function toBillCreditNote(
  object: PlatformObject,
  lookups: Lookups,
): UnifiedRecord<typeof billCreditNote> {
  const platformId = idOf(object);
  return {
    platformId,
    unresolved: isUnresolved(object, lookups),
    values: {
      ...creditValues(object, lookups),
      contactId: contactIdOf(object['VendorRef'], 'Vendor'),
      memo: textOf(object['PrivateNote']),
      billIds: linkedIds(object, 'Bill'),
    },
    lines: { lineItems: toLines(object, { type: 'BILL_CREDIT_NOTES', platformId }) },
  };
}

/** An order to a vendor. A closed one is billed, or was closed by hand: that says nothing about payment. */
export function toPurchaseOrder(
  object: PlatformObject,
  lookups: Lookups,
): UnifiedRecord<typeof purchaseOrder> {
  const platformId = idOf(object);
  const isKnown = object['POStatus'] === 'Open' || object['POStatus'] === 'Closed';
  return {
    platformId,
    unresolved: isUnresolved(object, lookups),
    values: {
      ...commonValues(object),
      ...ratedCurrencyOf(object, lookups),
      ...totalsOf(object),
      contactId: contactIdOf(object['VendorRef'], 'Vendor'),
      description: textOf(object['PrivateNote']),
      deliveryDate: dayOf(object['DueDate']),
      status: isKnown ? 'SUBMITTED' : 'UNKNOWN',
      paymentMode: null,
      billIds: linkedIds(object, 'Bill'),
    },
    lines: {
      lineItems: toLines(object, { type: 'PURCHASE_ORDERS', platformId }),
      addresses: toAddresses('PURCHASE_ORDERS', platformId, {
        BILLING: object['VendorAddr'],
        SHIPPING: object['ShipAddr'],
      }),
    },
  };
}

/**
 * Money spent directly; null for another bank transaction. What was paid back to a credit card is negative. A voided expense counts as deleted, because our
 * expenses have no status.
 */
export function toExpense(object: PlatformObject, lookups: Lookups): UnifiedRecord<typeof expense> | null {
  if ((object[ENTITY] ?? 'Purchase') !== 'Purchase') return null;
  const platformId = idOf(object);
  const isNegative = object['Credit'] === true;
  const { subTotal, taxAmount, totalDiscount, totalAmount } = totalsOf(object);
  const signed = (value: string | null) => (isNegative ? opposite(value) : value);
  return {
    platformId,
    deleted: isVoided(object),
    unresolved: isUnresolved(object, lookups),
    values: {
      ...commonValues(object),
      ...ratedCurrencyOf(object, lookups),
      contactId: contactIdOf(object['EntityRef']),
      accountId: refOf(object['AccountRef']),
      paymentMode: textOf(object['PaymentType']),
      memo: textOf(object['PrivateNote']),
      subTotal: signed(subTotal),
      taxAmount: signed(taxAmount),
      totalDiscount: signed(totalDiscount),
      totalAmount: signed(totalAmount),
    },
    lines: { lineItems: toLines(object, { type: 'EXPENSES', platformId, isNegative }) },
  };
}

const commonValues = (object: PlatformObject) => ({
  documentNumber: textOf(object['DocNumber']),
  postedDate: dayOf(object['TxnDate']),
  updatedAt: updatedAtOf(object),
});

function totalsOf(object: PlatformObject) {
  const totalAmount = decimalOf(object['TotalAmt']);
  const taxAmount = taxOf(object) ?? '0';
  return {
    subTotal: difference(totalAmount, taxAmount),
    taxAmount,
    totalDiscount: discountOf(object),
    totalAmount,
  };
}

/** Nothing of a receipt is due after its day. */
function dueValues(object: PlatformObject, lookups: Lookups) {
  const amountDue = isReceipt(object) ? '0' : decimalOf(object['Balance']);
  return {
    ...commonValues(object),
    ...ratedCurrencyOf(object, lookups),
    ...totalsOf(object),
    dueDate: dayOf(object[isReceipt(object) ? 'TxnDate' : 'DueDate']),
    amountDue,
    status: statusOf(object, amountDue),
  };
}

function creditValues(object: PlatformObject, lookups: Lookups) {
  const remainingCredit = isReceipt(object)
    ? '0'
    : (decimalOf(object['RemainingCredit']) ?? decimalOf(object['Balance']));
  const { taxAmount, totalAmount } = totalsOf(object);
  return {
    ...commonValues(object),
    ...currencyOf(object, lookups),
    remainingCredit,
    taxAmount,
    totalAmount,
    status: statusOf(object, remainingCredit),
  };
}

/** QuickBooks has no status. Whether something is overdue depends on the day, which a record does not know. */
function statusOf(object: PlatformObject, open: string | null) {
  if (isVoided(object)) return 'VOID';
  if (open === null) return 'UNKNOWN';
  if (isZero(open)) return 'PAID';
  return isPositive(difference(decimalOf(object['TotalAmt']), open)) ? 'PARTIALLY_PAID' : 'SUBMITTED';
}

const customerMemoOf = (object: PlatformObject): string | null =>
  textOf(objectOf(object['CustomerMemo'])?.['value']) ?? textOf(object['PrivateNote']);
