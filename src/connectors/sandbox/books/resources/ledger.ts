import { bankTransaction, document, journalEntry } from '../../../../records/index.js';
import { type PullResource } from '../../../pull.js';
import { toBankTransaction } from '../mappers/bank-transaction.js';
import { ACCOUNTS_BY_NUMBER, CURRENCIES_BY_CODE, TAXES_BY_CODE } from '../mappers/codes.js';
import { toDocument } from '../mappers/document.js';
import { toJournalEntry } from '../mappers/journal-entry.js';
import { readsOf, sweepOf } from '../pages.js';

export const bankTransactions: PullResource<typeof bankTransaction> = {
  definition: bankTransaction,
  mapperVersion: 2,
  incremental: true,
  lookups: [CURRENCIES_BY_CODE, ACCOUNTS_BY_NUMBER],
  deletions: sweepOf('BankMovements'),
  ...readsOf('BankMovements'),
  toUnified: toBankTransaction,
};

export const journalEntries: PullResource<typeof journalEntry> = {
  definition: journalEntry,
  mapperVersion: 2,
  incremental: true,
  lookups: [CURRENCIES_BY_CODE, ACCOUNTS_BY_NUMBER, TAXES_BY_CODE],
  deletions: sweepOf('Journals'),
  ...readsOf('Journals'),
  toUnified: toJournalEntry,
};

export const documents: PullResource<typeof document> = {
  definition: document,
  mapperVersion: 2,
  incremental: true,
  deletions: sweepOf('Attachments'),
  ...readsOf('Attachments'),
  toUnified: toDocument,
};
