import { type journalEntry, type journalLine } from '../../../records/index.js';
import { type JOURNAL_ENTRY_STATUSES } from '../../../records/value-sets.js';
import { type PlatformObject } from '../../platform.js';
import { type UnifiedLine, type UnifiedRecord } from '../../pull.js';
import { sum } from '../../values/decimals.js';
import { decimalOf, objectsIn, textOf } from '../../values/platform-values.js';
import { changedAt, dayOf } from '../times.js';
import { platformIdOf, ratedCurrencyOf, tagIdsOf } from './values.js';

/** An entry made by hand. */
export function toJournalEntry(object: PlatformObject): UnifiedRecord<typeof journalEntry> {
  const platformId = platformIdOf(object, 'journal_id');
  return {
    platformId,
    values: {
      ...ratedCurrencyOf(object),
      amount: decimalOf(object['total']),
      description: textOf(object['notes']),
      documentNumber: textOf(object['entry_number']),
      journalEntryType: textOf(object['journal_type']),
      postedDate: dayOf(object['journal_date']),
      status: statusOf(object['status']),
      updatedAt: changedAt(object),
    },
    lines: {
      journalLines: objectsIn(object['line_items']).map((line) => toJournalLine(line, platformId)),
    },
  };
}

function statusOf(word: unknown): (typeof JOURNAL_ENTRY_STATUSES)[number] {
  switch (word) {
    case 'published':
      return 'POSTED';
    case 'draft':
      return 'DRAFT';
    case 'void':
      return 'VOID';
    default:
      return 'UNKNOWN';
  }
}

function toJournalLine(line: PlatformObject, journalEntryId: string): UnifiedLine<typeof journalLine> {
  const side = line['debit_or_credit'];
  const taxes = objectsIn(line['line_item_taxes']);
  const tax = taxes.reduce<string | null>((total, one) => sum(total, decimalOf(one['tax_amount'])), '0');
  const taxId = textOf(line['tax_id']);
  return {
    platformId: textOf(line['line_id']),
    values: {
      journalEntryId,
      accountId: textOf(line['account_id']),
      contactId: textOf(line['customer_id']),
      description: textOf(line['description']),
      type: side === 'debit' ? 'DEBIT' : side === 'credit' ? 'CREDIT' : null,
      netAmount: decimalOf(line['amount']),
      taxAmount: taxId !== null && taxes.length === 0 ? null : tax,
      taxId,
      trackingCategoryIds: tagIdsOf(line),
    },
  };
}
