import { type JOURNAL_ENTRY_STATUSES, type RECORD_STATUSES } from '../../../records/value-sets.js';

/** The statuses of invoices and credit notes (Reference G1) that Xero can have. */
type DocumentStatus = 'DRAFT' | 'SUBMITTED' | 'PARTIALLY_PAID' | 'PAID' | 'VOID' | 'UNKNOWN';

/** Xero's AUTHORISED covers partly paid documents too, hence `partlyPaid`. */
export function documentStatus(word: string | null, partlyPaid: boolean): DocumentStatus {
  switch (word) {
    case 'DRAFT':
      return 'DRAFT';
    case 'SUBMITTED':
      return 'SUBMITTED';
    case 'AUTHORISED':
      return partlyPaid ? 'PARTIALLY_PAID' : 'SUBMITTED';
    case 'PAID':
      return 'PAID';
    case 'VOIDED':
    case 'DELETED':
      return 'VOID';
    default:
      return 'UNKNOWN';
  }
}

/** A billed order (BILLED) stays SUBMITTED: its bill says nothing about payment. */
export function purchaseOrderStatus(word: string | null): DocumentStatus {
  return word === 'BILLED' ? 'SUBMITTED' : documentStatus(word, false);
}

/** The status of manual journals. A voided one was once posted; a deleted one is marked as deleted as well. */
export function journalStatus(word: string | null): (typeof JOURNAL_ENTRY_STATUSES)[number] {
  switch (word) {
    case 'DRAFT':
    case 'POSTED':
    case 'ARCHIVED':
      return word;
    case 'VOIDED':
    case 'DELETED':
      return 'VOID';
    default:
      return 'UNKNOWN';
  }
}

/** The statuses of bank transactions are no closed set. */
export const bankTransactionStatus = (word: string | null): string | null =>
  word === 'VOIDED' ? 'VOID' : word;

export function contactStatus(word: string | null): (typeof RECORD_STATUSES)[number] {
  return word === 'ACTIVE' || word === 'ARCHIVED' ? word : 'UNKNOWN';
}
