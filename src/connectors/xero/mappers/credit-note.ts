import { type invoiceCreditNote } from '../../../records/index.js';
import { type PlatformObject } from '../../platform.js';
import { type Lookups, type UnifiedRecord } from '../../pull.js';
import { allocatedIds, creditNoteValues } from './credit-note-values.js';
import { toLines } from './line-item.js';
import { platformIdOf } from './platform-id.js';

/** A credit note to a customer; null for those of suppliers. */
export function toInvoiceCreditNote(
  object: PlatformObject,
  lookups: Lookups,
): UnifiedRecord<typeof invoiceCreditNote> | null {
  if (object['Type'] !== 'ACCRECCREDIT') return null;
  const platformId = platformIdOf(object, 'CreditNoteID');
  const { lines, unresolved } = toLines(object, { type: 'INVOICE_CREDIT_NOTES', platformId }, lookups);
  return {
    platformId,
    deleted: object['Status'] === 'DELETED',
    unresolved,
    values: { ...creditNoteValues(object), invoiceIds: allocatedIds(object) },
    lines: { lineItems: lines },
  };
}
