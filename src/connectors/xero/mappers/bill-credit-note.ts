import { type billCreditNote } from '../../../records/index.js';
import { type PlatformObject } from '../../platform.js';
import { type Lookups, type UnifiedRecord } from '../../pull.js';
import { allocatedIds, creditNoteValues } from './credit-note-values.js';
import { toLines } from './line-item.js';
import { platformIdOf } from './platform-id.js';

/** A supplier's credit note; null for those to customers. */
export function toBillCreditNote(
  object: PlatformObject,
  lookups: Lookups,
): UnifiedRecord<typeof billCreditNote> | null {
  if (object['Type'] !== 'ACCPAYCREDIT') return null;
  const platformId = platformIdOf(object, 'CreditNoteID');
  const { lines, unresolved } = toLines(object, { type: 'BILL_CREDIT_NOTES', platformId }, lookups);
  return {
    platformId,
    deleted: object['Status'] === 'DELETED',
    unresolved,
    values: { ...creditNoteValues(object), billIds: allocatedIds(object) },
    lines: { lineItems: lines },
  };
}
