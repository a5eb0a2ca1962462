import { type billPayment, type invoicePayment } from '../../../../records/index.js';
import { type PlatformObject } from '../../../platform.js';
import { type Lookups, type UnifiedRecord } from '../../../pull.js';
import { decimalOf, textOf } from '../../../values/platform-values.js';
import { dayOf } from '../dates.js';
import { instantOf } from '../../../values/times.js';
import { amountOf, currencyOf } from './amount.js';
import { type Codes, codesFrom } from './codes.js';
import { guidOf, partnerOf } from './guid.js';
import { isVoided, paymentModeOf } from './words.js';

/** Money from a customer, or a credit note that settles an invoice. */
export function toInvoicePayment(
  object: PlatformObject,
  lookups: Lookups,
): UnifiedRecord<typeof invoicePayment> {
  const codes = codesFrom(lookups);
  const values = {
    ...paymentValues(object, codes),
    paymentId: textOf(object['ReceiptNo']),
    invoiceId: textOf(object['Invoice']),
  };
  return { platformId: guidOf(object), deleted: isVoided(object), unresolved: codes.unresolved(), values };
}

/** Money to a supplier, or a supplier's credit note that settles a bill. */
export function toBillPayment(object: PlatformObject, lookups: Lookups): UnifiedRecord<typeof billPayment> {
  const codes = codesFrom(lookups);
  const values = {
    ...paymentValues(object, codes),
    paymentId: textOf(object['RemittanceNo']),
    billId: textOf(object['Bill']),
  };
  return { platformId: guidOf(object), deleted: isVoided(object), unresolved: codes.unresolved(), values };
}

/** Values of all payments. A voided payment counts as deleted, because our payments have no status. */
function paymentValues(object: PlatformObject, codes: Codes) {
  const currency = currencyOf(object['Amount']);
  return {
    creditNoteId: textOf(object['CreditNote']),
    accountId: codes.account(object['AccountNumber']),
    contactId: partnerOf(object),
    currencyId: codes.currency(currency),
    currencyCode: currency,
    currencyRate: decimalOf(object['ExchangeRate']),
    amount: amountOf(object['Amount']),
    paymentMode: paymentModeOf(object['PaymentMeans']),
    documentNumber: textOf(object['Number']),
    memo: textOf(object['Text']),
    paymentDate: dayOf(object['Date']),
    updatedAt: instantOf(object['ChangedOn']),
  };
}
