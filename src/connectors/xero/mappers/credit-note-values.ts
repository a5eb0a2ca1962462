import { type billCreditNote, type invoiceCreditNote } from '../../../records/index.js';
import { type ValuesOf } from '../../../records/define.js';
import { type PlatformObject } from '../../platform.js';
import { difference, isPositive } from '../../values/decimals.js';
import { decimalOf, objectOf, objectsIn, textOf } from '../../values/platform-values.js';
import { calendarDayOf, timestampOf } from '../dates.js';
import { documentStatus } from './status.js';

/** Values that customers' and suppliers' credit notes have in common. */
export function creditNoteValues(
  object: PlatformObject,
): ValuesOf<typeof invoiceCreditNote> & ValuesOf<typeof billCreditNote> {
  const currencyCode = textOf(object['CurrencyCode']);
  return {
    contactId: textOf(objectOf(object['Contact'])?.['ContactID']),
    currencyId: currencyCode,
    currencyCode,
    documentNumber: textOf(object['CreditNoteNumber']),
    memo: textOf(object['Reference']),
    postedDate: calendarDayOf(object['DateString'], object['Date']),
    remainingCredit: decimalOf(object['RemainingCredit']),
    status: documentStatus(textOf(object['Status']), isPartlyUsed(object)),
    taxAmount: decimalOf(object['TotalTax']),
    totalAmount: decimalOf(object['Total']),
    updatedAt: timestampOf(object['UpdatedDateUTC']),
  };
}

function isPartlyUsed(object: PlatformObject): boolean {
  const left = decimalOf(object['RemainingCredit']);
  return isPositive(left) && isPositive(difference(decimalOf(object['Total']), left));
}

/** The invoices or bills that the credit is allocated to, without duplicates and without deleted allocations. */
export function allocatedIds(object: PlatformObject): string[] {
  const ids = objectsIn(object['Allocations'])
    .filter((allocation) => allocation['IsDeleted'] !== true)
    .map((allocation) => textOf(objectOf(allocation['Invoice'])?.['InvoiceID']))
    .filter((id) => id !== null);
  return [...new Set(ids)];
}
