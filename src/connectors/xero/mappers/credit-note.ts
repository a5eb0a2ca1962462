import { type invoiceCreditNote } from '../../../records/index.js';
import { type Lookups, type PlatformObject, type UnifiedRecord } from '../../connector.js';
import { arrayOf, decimalOf, objectOf, textOf } from '../../values.js';
import { calendarDayOf, timestampOf } from '../dates.js';
import { toLines } from './line-item.js';
import { platformIdOf } from './platform-id.js';
import { documentStatus } from './status.js';

/** A credit note to a customer. ACCPAYCREDIT are those of suppliers. */
export function toInvoiceCreditNote(
  object: PlatformObject,
  lookups: Lookups,
): UnifiedRecord<typeof invoiceCreditNote> | null {
  if (object['Type'] !== 'ACCRECCREDIT') return null;
  const platformId = platformIdOf(object, 'CreditNoteID');
  const status = textOf(object['Status']);
  const currencyCode = textOf(object['CurrencyCode']);
  const { lines, unresolved } = toLines(object, { type: 'INVOICE_CREDIT_NOTES', platformId }, lookups);
  return {
    platformId,
    deleted: status === 'DELETED',
    unresolved,
    values: {
      contactId: textOf(objectOf(object['Contact'])?.['ContactID']),
      currencyId: currencyCode,
      currencyCode,
      documentNumber: textOf(object['CreditNoteNumber']),
      invoiceIds: allocatedInvoiceIds(object),
      memo: textOf(object['Reference']),
      postedDate: calendarDayOf(object['DateString'], object['Date']),
      remainingCredit: decimalOf(object['RemainingCredit']),
      status: documentStatus(status, false),
      taxAmount: decimalOf(object['TotalTax']),
      totalAmount: decimalOf(object['Total']),
      updatedAt: timestampOf(object['UpdatedDateUTC']),
    },
    lines: { lineItems: lines },
  };
}

/** The invoices that the credit went to, each once: several allocations may go to one. */
function allocatedInvoiceIds(object: PlatformObject): string[] {
  const ids = (arrayOf(object['Allocations']) ?? [])
    .map((allocation) => textOf(objectOf(objectOf(allocation)?.['Invoice'])?.['InvoiceID']))
    .filter((id) => id !== null);
  return [...new Set(ids)];
}
