import { type JOURNAL_ENTRY_STATUSES, type RECORD_STATUSES } from '../../../records/value-sets.js';

/** Reference G1, status of invoices and credit notes, as far as Xero's states reach. */
type DocumentStatus = 'DRAFT' | 'SUBMITTED' | 'PARTIALLY_PAID' | 'PAID' | 'VOID' | 'UNKNOWN';

/** `partlyPaid` tells apart what Xero calls AUTHORISED until the last cent has come. */
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

/** Whether the bill for an approved order has come (BILLED) says nothing about payment: it stays SUBMITTED. */
export function purchaseOrderStatus(word: string | null): DocumentStatus {
  return word === 'BILLED' ? 'SUBMITTED' : documentStatus(word, false);
}

/** Of manual journals. A deleted one is gone as well: a voided one was booked once. */
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

export function contactStatus(word: string | null): (typeof RECORD_STATUSES)[number] {
  return word === 'ACTIVE' || word === 'ARCHIVED' ? word : 'UNKNOWN';
}
