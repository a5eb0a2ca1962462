import type { JournalEntryModel } from '../../db/__generated__/models.js';
import { defineRecord } from '../define.js';
import { date, decimalNumber, graphqlOnly, oneOf, text, timestamp } from '../fields.js';
import { lines, one } from '../relations.js';
import { JOURNAL_ENTRY_STATUSES } from '../value-sets.js';

/** Reference 2.3, Journal entry. */
export const journalEntry = defineRecord<JournalEntryModel>()({
  model: 'JournalEntry',
  table: 'journal_entries',
  list: 'journalEntries',
  path: 'accounting/journal_entries',
  dataModel: 'JOURNAL_ENTRIES',
  category: 'ACCOUNTING',
  fields: {
    accountId: text('account_id'),
    amount: decimalNumber('amount'),
    currencyId: text('currency_id'),
    currencyCode: graphqlOnly(text('currency_code')),
    currencyRate: decimalNumber('currency_rate'),
    description: text('description'),
    documentNumber: text('document_number'),
    journalEntryType: text('journal_entry_type'),
    postedDate: date('posted_date'),
    status: oneOf('status', JOURNAL_ENTRY_STATUSES),
    updatedAt: timestamp('updated_at'),
  },
  relations: {
    currency: one('currency', 'Currency', 'currencyId'),
    journalLines: lines('journal_lines', 'JournalLine'),
    account: one('account', 'Account', 'accountId'),
  },
  rest: { all: ['currency', 'journalLines'] },
});
