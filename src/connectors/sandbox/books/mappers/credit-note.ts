import { type billCreditNote, type invoiceCreditNote } from '../../../../records/index.js';
import { type PlatformObject } from '../../../platform.js';
import { type Lookups, type UnifiedRecord } from '../../../pull.js';
import { objectsIn, textsIn } from '../../../values/platform-values.js';
import { codesFrom } from './codes.js';
import { creditNoteValues } from './document-values.js';
import { guidOf } from './guid.js';
import { toLines } from './line-item.js';

/** A credit note to a customer. */
export function toInvoiceCreditNote(
  object: PlatformObject,
  lookups: Lookups,
): UnifiedRecord<typeof invoiceCreditNote> {
  const platformId = guidOf(object);
  const codes = codesFrom(lookups);
  const values = { ...creditNoteValues(object, codes), invoiceIds: appliedTo(object, 'Invoice') };
  const lineItems = toLines(object, { type: 'INVOICE_CREDIT_NOTES', platformId }, codes);
  return { platformId, unresolved: codes.unresolved(), values, lines: { lineItems } };
}

/** A supplier's credit note. */
export function toBillCreditNote(
  object: PlatformObject,
  lookups: Lookups,
): UnifiedRecord<typeof billCreditNote> {
  const platformId = guidOf(object);
  const codes = codesFrom(lookups);
  const values = { ...creditNoteValues(object, codes), billIds: appliedTo(object, 'Bill') };
  const lineItems = toLines(object, { type: 'BILL_CREDIT_NOTES', platformId }, codes);
  return { platformId, unresolved: codes.unresolved(), values, lines: { lineItems } };
}

/** The documents that the credit was applied to, without duplicates: one may have several parts of it. */
function appliedTo(object: PlatformObject, name: string): string[] {
  return textsIn(objectsIn(object['Applied']).map((part) => part[name]));
}
