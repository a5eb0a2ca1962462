import { type journalEntry, type journalLine } from '../../../records/index.js';
import { type JOURNAL_LINE_TYPES } from '../../../records/value-sets.js';
import { type Lookups, type PlatformObject, type UnifiedLine, type UnifiedRecord } from '../../connector.js';
import { absolute, isNegative, isPositive, sum } from '../../decimals.js';
import { arrayOf, booleanOf, decimalOf, objectOf, textOf } from '../../platform-values.js';
import { calendarDayOf, timestampOf } from '../dates.js';
import { ACCOUNTS_BY_CODE, idByCode } from './codes.js';
import { platformIdOf } from './platform-id.js';
import { trackingIdsOf } from './tracking-ids.js';

/** A manual journal. It is always in the base currency. */
export function toJournalEntry(object: PlatformObject, lookups: Lookups): UnifiedRecord<typeof journalEntry> {
  const platformId = platformIdOf(object, 'ManualJournalID');
  const lines = (arrayOf(object['JournalLines']) ?? [])
    .map(objectOf)
    .filter((line) => line !== null)
    .filter((line) => line['IsBlank'] !== true)
    .map((line) => toJournalLine(line, platformId, lookups));
  return {
    platformId,
    deleted: object['Status'] === 'DELETED',
    unresolved: lines.some(({ values }) => values.accountCode !== null && values.accountId === null),
    values: {
      amount: sumOfDebits(lines),
      currencyId: lookups.baseCurrency,
      currencyCode: lookups.baseCurrency,
      currencyRate: '1',
      description: textOf(object['Narration']),
      journalEntryType: typeOf(booleanOf(object['ShowOnCashBasisReports'])),
      postedDate: calendarDayOf(object['DateString'], object['Date']),
      updatedAt: timestampOf(object['UpdatedDateUTC']),
    },
    lines: { journalLines: lines },
  };
}

/** Xero puts debit and credit into the sign of one amount. */
function toJournalLine(
  object: PlatformObject,
  journalEntryId: string,
  lookups: Lookups,
): UnifiedLine<typeof journalLine> {
  const amount = decimalOf(object['LineAmount']);
  const accountCode = textOf(object['AccountCode']);
  return {
    platformId: null,
    values: {
      journalEntryId,
      accountId: textOf(object['AccountID']) ?? idByCode(ACCOUNTS_BY_CODE, accountCode, lookups),
      accountCode,
      description: textOf(object['Description']),
      type: sideOf(amount),
      netAmount: absolute(amount),
      taxAmount: decimalOf(object['TaxAmount']),
      taxId: textOf(object['TaxType']),
      trackingCategoryIds: trackingIdsOf(object['Tracking']),
    },
  };
}

function sideOf(amount: string | null): (typeof JOURNAL_LINE_TYPES)[number] | null {
  if (isPositive(amount)) return 'DEBIT';
  return isNegative(amount) ? 'CREDIT' : null;
}

/** A journal without lines is one whose lines were not sent: its amount is unknown and not zero. */
function sumOfDebits(lines: readonly UnifiedLine<typeof journalLine>[]): string | null {
  if (lines.length === 0) return null;
  return lines
    .filter(({ values }) => values.type !== 'CREDIT')
    .reduce<string | null>((total, { values }) => sum(total, values.netAmount ?? null), '0');
}

function typeOf(onCashBasisToo: boolean | null): string | null {
  if (onCashBasisToo === null) return null;
  return onCashBasisToo ? 'both' : 'accrual';
}
