import { type billPayment, type invoicePayment } from '../../../records/index.js';
import { type PlatformObject } from '../../platform.js';
import { type UnifiedRecord } from '../../pull.js';
import { decimalOf, textOf } from '../../values/platform-values.js';
import { LEFT, type PaymentList, paidIn, partId } from '../payments.js';
import { changedAt, dayOf } from '../times.js';
import { ratedCurrencyOf } from './values.js';

/** A customer's payment of one invoice, or what is left of it. */
export const toInvoicePayment =
  (list: PaymentList) =>
  (object: PlatformObject): UnifiedRecord<typeof invoicePayment> => ({
    platformId: partId(list, object),
    values: {
      ...paymentValues(list, object),
      invoiceId: paidIn(list, object)?.id ?? null,
      accountId: textOf(object['account_id']),
      contactId: textOf(object['customer_id']),
    },
  });

/** A payment of one bill to a vendor, or what is left of it. */
export const toBillPayment =
  (list: PaymentList) =>
  (object: PlatformObject): UnifiedRecord<typeof billPayment> => ({
    platformId: partId(list, object),
    values: {
      ...paymentValues(list, object),
      billId: paidIn(list, object)?.id ?? null,
      accountId: textOf(object['paid_through_account_id']),
      contactId: textOf(object['vendor_id']),
    },
  });

function paymentValues(list: PaymentList, object: PlatformObject) {
  const paid = paidIn(list, object);
  return {
    ...ratedCurrencyOf(object),
    paymentId: textOf(object['payment_id']),
    creditNoteId: null,
    amount: paid ? paid.amount : decimalOf(object[LEFT]),
    paymentMode: textOf(object['payment_mode']),
    documentNumber: textOf(object['payment_number']),
    memo: textOf(object['description']),
    paymentDate: dayOf(object['date']),
    updatedAt: changedAt(object),
  };
}
