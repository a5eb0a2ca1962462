import { type journalEntry, type journalLine } from '../../../../records/index.js';
import { type PlatformObject } from '../../../platform.js';
import { type Lookups, type UnifiedLine, type UnifiedRecord } from '../../../pull.js';
import { decimalOf, objectOf, objectsIn, textOf, textsIn } from '../../../values/platform-values.js';
import { dayOf } from '../dates.js';
import { instantOf } from '../../../values/times.js';
import { amountOf } from './amount.js';
import { type Codes, codesFrom } from './codes.js';
import { guidOf } from './guid.js';
import { journalStatus, wordOf } from './words.js';

/** A journal entry, with the account of its first line. */
export function toJournalEntry(object: PlatformObject, lookups: Lookups): UnifiedRecord<typeof journalEntry> {
  const platformId = guidOf(object);
  const codes = codesFrom(lookups);
  const journalLines = objectsIn(object['Lines']).map((line) => toJournalLine(line, platformId, codes));
  const values = {
    accountId: journalLines[0]?.values.accountId ?? null,
    amount: amountOf(object['Total']),
    currencyId: codes.currency(object['Currency']),
    currencyCode: textOf(object['Currency']),
    currencyRate: decimalOf(object['ExchangeRate']),
    description: textOf(object['Text']),
    documentNumber: textOf(object['Number']),
    journalEntryType: wordOf(object['Nature']),
    postedDate: dayOf(object['Date']),
    status: journalStatus(object['State']),
    updatedAt: instantOf(object['ChangedOn']),
  };
  return {
    platformId,
    unresolved: codes.unresolved(),
    values,
    lines: { journalLines },
  };
}

/** A line has its amount on one side; the other side is null. */
function toJournalLine(
  line: PlatformObject,
  journalEntryId: string,
  codes: Codes,
): UnifiedLine<typeof journalLine> {
  const side = objectOf(line['Debit']) ? 'DEBIT' : objectOf(line['Credit']) ? 'CREDIT' : null;
  return {
    platformId: textOf(line['LineGuid']),
    values: {
      journalEntryId,
      accountId: codes.account(line['AccountNumber']),
      accountCode: textOf(line['AccountNumber']),
      contactId: textOf(line['Partner']),
      description: textOf(line['Text']),
      type: side,
      netAmount: amountOf(line[side === 'CREDIT' ? 'Credit' : 'Debit']),
      taxAmount: amountOf(line['Tax']),
      taxId: codes.tax(line['TaxCode']),
      trackingCategoryIds: textsIn(line['DimensionOptions']),
    },
  };
}
