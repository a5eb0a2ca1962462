import { type billPayment, type invoicePayment } from '../../../records/index.js';
import { type PlatformObject } from '../../platform.js';
import { type Lookups, type UnifiedRecord } from '../../pull.js';
import { sum } from '../../values/decimals.js';
import { decimalOf, objectOf, objectsIn, textOf } from '../../values/platform-values.js';
import { markOf } from '../kinds.js';
import { LEFT, linkOf, METHOD, paymentIdOf } from '../links.js';
import { idOf } from '../query.js';
import { isReceipt, SALES_RECEIPTS } from '../receipts.js';
import { contactIdOf, dayOf, isUnresolved, ratedCurrencyOf, refOf, updatedAtOf } from './values.js';

/** A customer's payment of one transaction, or what is left of it. A credit memo counts as what it gives. */
export function toInvoicePayment(
  object: PlatformObject,
  lookups: Lookups,
): UnifiedRecord<typeof invoicePayment> {
  if (isReceipt(object)) return toReceiptPayment(object, lookups);
  return {
    platformId: paymentIdOf(object),
    unresolved: isUnresolved(object, lookups),
    values: {
      ...paymentValues(object, lookups),
      ...customerValues(object),
      invoiceId: paidId(object, 'Invoice'),
      creditNoteId: paidId(object, 'CreditMemo'),
    },
  };
}

/** The payment of a receipt. A refund pays out what its credit note gives. */
function toReceiptPayment(object: PlatformObject, lookups: Lookups): UnifiedRecord<typeof invoicePayment> {
  const { entity, platformId } = markOf(object);
  const isSale = entity === SALES_RECEIPTS.entity;
  return {
    platformId,
    unresolved: isUnresolved(object, lookups),
    values: {
      ...sharedValues(object, lookups),
      ...customerValues(object),
      paymentId: platformId,
      invoiceId: isSale ? platformId : null,
      creditNoteId: isSale ? null : platformId,
      amount: decimalOf(object['TotalAmt']),
    },
  };
}

const customerValues = (object: PlatformObject) => ({
  accountId: refOf(object['DepositToAccountRef']),
  contactId: contactIdOf(object['CustomerRef'], 'Customer'),
  paymentMode: textOf(object[METHOD]),
  documentNumber: textOf(object['PaymentRefNum']),
});

/** A payment to a vendor for one transaction. */
export function toBillPayment(object: PlatformObject, lookups: Lookups): UnifiedRecord<typeof billPayment> {
  return {
    platformId: paymentIdOf(object),
    unresolved: isUnresolved(object, lookups),
    values: {
      ...paymentValues(object, lookups),
      billId: paidId(object, 'Bill'),
      creditNoteId: paidId(object, 'VendorCredit'),
      accountId:
        refOf(objectOf(object['CheckPayment'])?.['BankAccountRef']) ??
        refOf(objectOf(object['CreditCardPayment'])?.['CCAccountRef']),
      contactId: contactIdOf(object['VendorRef'], 'Vendor'),
      paymentMode: textOf(object['PayType']),
      documentNumber: textOf(object['DocNumber']),
    },
  };
}

function paymentValues(object: PlatformObject, lookups: Lookups) {
  const lines = objectsIn(object['Line']);
  const amount = lines.reduce<string | null>((total, { Amount }) => sum(total, decimalOf(Amount)), '0');
  return {
    ...sharedValues(object, lookups),
    paymentId: idOf(object),
    amount: lines.length === 0 ? decimalOf(object[LEFT]) : amount,
  };
}

function sharedValues(object: PlatformObject, lookups: Lookups) {
  return {
    ...ratedCurrencyOf(object, lookups),
    memo: textOf(object['PrivateNote']),
    paymentDate: dayOf(object['TxnDate']),
    updatedAt: updatedAtOf(object),
  };
}

function paidId(object: PlatformObject, type: string): string | null {
  const [line] = objectsIn(object['Line']);
  const link = line && linkOf(line);
  return link?.type === type ? link.id : null;
}
