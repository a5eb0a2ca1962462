import { type billPayment, type invoicePayment } from '../../../records/index.js';
import { type ValuesOf } from '../../../records/define.js';
import { type PlatformObject } from '../../platform.js';
import { type Lookups } from '../../pull.js';
import { opposite } from '../../values/decimals.js';
import { decimalOf, objectOf, textOf } from '../../values/platform-values.js';
import { calendarDayOf, timestampOf } from '../dates.js';
import { ALLOCATION_OF, allocationIdOf } from '../allocation-id.js';
import { currencyRateOf } from './currency-rate.js';
import { platformIdOf } from './platform-id.js';

/** The kind of document that a payment pays or refunds. */
type PaidFor = 'document' | 'credit note' | 'overpayment or prepayment';

/** Xero's payment types, by whether they are a customer's or a supplier's. */
export const CUSTOMER_PAYMENTS: ReadonlyMap<unknown, PaidFor> = new Map([
  ['ACCRECPAYMENT', 'document'],
  ['ARCREDITPAYMENT', 'credit note'],
  ['AROVERPAYMENTPAYMENT', 'overpayment or prepayment'],
  ['ARPREPAYMENTPAYMENT', 'overpayment or prepayment'],
]);
export const SUPPLIER_PAYMENTS: ReadonlyMap<unknown, PaidFor> = new Map([
  ['ACCPAYPAYMENT', 'document'],
  ['APCREDITPAYMENT', 'credit note'],
  ['APOVERPAYMENTPAYMENT', 'overpayment or prepayment'],
  ['APPREPAYMENTPAYMENT', 'overpayment or prepayment'],
]);

/**
 * Values that payments of invoices and of bills have in common. Refunds of prepayments and overpayments are negative:
 * nothing else would distinguish them from incoming money.
 */
export function paymentValues(
  object: PlatformObject,
  paidFor: PaidFor,
  lookups: Lookups,
): ValuesOf<typeof invoicePayment> & ValuesOf<typeof billPayment> {
  const documents = ['Invoice', 'CreditNote', 'Overpayment', 'Prepayment']
    .map((name) => objectOf(object[name]))
    .filter((document) => document !== null);
  const currencyCode = firstText(documents.map((document) => document['CurrencyCode']));
  const reference = textOf(object['Reference']);
  const amount = decimalOf(object['Amount']);
  return {
    paymentId: textOf(object['PaymentID']),
    accountId: textOf(objectOf(object['Account'])?.['AccountID']),
    contactId: firstText(documents.map((document) => objectOf(document['Contact'])?.['ContactID'])),
    currencyId: currencyCode,
    currencyCode,
    currencyRate: currencyRateOf({ ...object, CurrencyCode: currencyCode }, lookups),
    amount: paidFor === 'overpayment or prepayment' ? opposite(amount) : amount,
    paymentMode: null,
    documentNumber: reference,
    memo: reference,
    paymentDate: calendarDayOf(object['DateString'], object['Date']),
    updatedAt: timestampOf(object['UpdatedDateUTC']),
  };
}

/** Types of prepayments and overpayments, by whether they are a customer's or a supplier's. */
const CUSTOMER_ADVANCES = /^(RECEIVE-|AR)/;
const SUPPLIER_ADVANCES = /^(SPEND-|AP)/;

/** An allocation of a prepayment or overpayment to an invoice or bill. */
interface Allocated {
  readonly platformId: string;
  readonly invoiceId: string | null;
  readonly isDeleted: boolean;
  readonly values: ReturnType<typeof paymentValues>;
}

/** Null unless the object is an allocation of a customer's or a supplier's money, as `whose` says. */
export function allocated(
  object: PlatformObject,
  whose: 'customer' | 'supplier',
  lookups: Lookups,
): Allocated | null {
  const advance = objectOf(object[ALLOCATION_OF]);
  const types = whose === 'customer' ? CUSTOMER_ADVANCES : SUPPLIER_ADVANCES;
  if (!advance || !types.test(textOf(advance['Type']) ?? '')) return null;
  const currencyCode = textOf(advance['CurrencyCode']);
  const reference = textOf(advance['Reference']);
  const platformId = allocationIdOf(object) ?? platformIdOf(object, 'AllocationID');
  return {
    platformId,
    invoiceId: textOf(objectOf(object['Invoice'])?.['InvoiceID']),
    isDeleted: object['IsDeleted'] === true,
    values: {
      paymentId: platformId,
      // The money moved earlier, in a bank transaction.
      accountId: null,
      contactId: textOf(objectOf(advance['Contact'])?.['ContactID']),
      currencyId: currencyCode,
      currencyCode,
      currencyRate: currencyRateOf(advance, lookups),
      amount: decimalOf(object['Amount']),
      paymentMode: null,
      documentNumber: reference,
      memo: reference,
      paymentDate: calendarDayOf(object['DateString'], object['Date']),
      updatedAt: timestampOf(advance['UpdatedDateUTC']),
    },
  };
}

interface PaidDocument {
  readonly documentId: string | null;
  readonly creditNoteId: string | null;
}

/** The paid document. Xero puts it under `Invoice` even if it is a credit note, an overpayment or a prepayment. */
export function paidDocument(object: PlatformObject, paidFor: PaidFor): PaidDocument {
  const invoiceId = textOf(objectOf(object['Invoice'])?.['InvoiceID']);
  switch (paidFor) {
    case 'document':
      return { documentId: invoiceId, creditNoteId: null };
    case 'credit note':
      return {
        documentId: null,
        creditNoteId: textOf(objectOf(object['CreditNote'])?.['CreditNoteID']) ?? invoiceId,
      };
    case 'overpayment or prepayment':
      return { documentId: null, creditNoteId: null };
  }
}

function firstText(values: readonly unknown[]): string | null {
  return values.map(textOf).find((text) => text !== null) ?? null;
}
