import type { JournalLineModel } from '../../db/__generated__/models.js';
import { defineLine } from '../define.js';
import { decimalNumber, graphqlOnly, oneOf, text, textList, timestamp } from '../fields.js';
import { one } from '../relations.js';
import { JOURNAL_LINE_TYPES } from '../value-sets.js';

/** Reference 2.3, Journal line. */
export const journalLine = defineLine<JournalLineModel>()({
  model: 'JournalLine',
  table: 'journal_lines',
  list: 'journalLines',
  path: 'accounting/journal_lines',
  dataModel: 'JOURNAL_LINES',
  category: 'ACCOUNTING',
  fields: {
    journalEntryId: text('journal_entry_id'),
    accountId: text('account_id'),
    accountCode: graphqlOnly(text('account_code')),
    contactId: text('contact_id'),
    description: text('description'),
    type: oneOf('type', JOURNAL_LINE_TYPES),
    netAmount: decimalNumber('net_amount'),
    taxAmount: decimalNumber('tax_amount'),
    taxId: text('tax_id'),
    trackingCategoryIds: textList('tracking_category_ids'),
    updatedAt: timestamp('updated_at'),
  },
  relations: {
    account: one('account', 'Account', 'accountId'),
    contact: one('contact', 'Contact', 'contactId'),
    taxRate: one('tax_rate', 'TaxRate', 'taxId'),
  },
  rest: { metadata: ['platformId'] },
});
