import { type JOURNAL_ENTRY_STATUSES, type RECORD_STATUSES } from '../../../../records/value-sets.js';
import { type PlatformObject } from '../../../platform.js';
import { textOf } from '../../../values/platform-values.js';

/** Reference G1, status of orders, invoices, bills and credit notes. */
type DocumentStatus = 'DRAFT' | 'SUBMITTED' | 'PARTIALLY_PAID' | 'PAID' | 'OVERDUE' | 'VOID' | 'UNKNOWN';

const DOCUMENT_STATUSES: ReadonlyMap<unknown, DocumentStatus> = new Map([
  ['draft', 'DRAFT'],
  // Invoices and bills.
  ['sent', 'SUBMITTED'],
  ['part-settled', 'PARTIALLY_PAID'],
  ['settled', 'PAID'],
  ['overdue', 'OVERDUE'],
  // Credit notes: a used-up one counts as paid.
  ['open', 'SUBMITTED'],
  ['part-used', 'PARTIALLY_PAID'],
  ['used', 'PAID'],
  // Orders.
  ['confirmed', 'SUBMITTED'],
  ['completed', 'PAID'],
  ['cancelled', 'VOID'],
  ['voided', 'VOID'],
]);

export function documentStatus(state: unknown): DocumentStatus {
  return DOCUMENT_STATUSES.get(state) ?? 'UNKNOWN';
}

export function journalStatus(state: unknown): (typeof JOURNAL_ENTRY_STATUSES)[number] {
  switch (state) {
    case 'draft':
      return 'DRAFT';
    case 'posted':
      return 'POSTED';
    case 'voided':
      return 'VOID';
    default:
      return 'UNKNOWN';
  }
}

/** The status of master records: accounts, items, contacts, tracking categories. */
export function recordStatus(state: unknown): (typeof RECORD_STATUSES)[number] {
  if (state === 'open') return 'ACTIVE';
  return state === 'closed' ? 'ARCHIVED' : 'UNKNOWN';
}

/** A value of an open set, spelled like ours: `fixed asset` becomes FIXED_ASSET. */
export function wordOf(value: unknown): string | null {
  return (
    textOf(value)
      ?.toUpperCase()
      .replaceAll(/[\s-]+/g, '_') ?? null
  );
}

/** A payment mode. The set is open: unknown words are kept. */
export function paymentModeOf(means: unknown): string | null {
  if (means === 'card') return 'CREDIT_CARD';
  return means === 'credit' ? 'CREDIT_NOTE' : wordOf(means);
}

/** Whether a record is void, which counts as deleted for our record types without a status. */
export const isVoided = (object: PlatformObject): boolean => object['State'] === 'voided';
