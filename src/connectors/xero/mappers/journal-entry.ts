import { type journalEntry, type journalLine } from '../../../records/index.js';
import { type JOURNAL_LINE_TYPES } from '../../../records/value-sets.js';
import { type PlatformObject } from '../../platform.js';
import { type Lookups, type UnifiedLine, type UnifiedRecord } from '../../pull.js';
import { absolute, difference, isNegative, isPositive, sum } from '../../values/decimals.js';
import { booleanOf, decimalOf, objectsIn, textOf } from '../../values/platform-values.js';
import { calendarDayOf, timestampOf } from '../dates.js';
import { ACCOUNTS_BY_CODE, idByCode } from './codes.js';
import { platformIdOf } from './platform-id.js';
import { journalStatus } from './status.js';
import { trackingIdsOf } from './tracking-ids.js';

/** A manual journal, always in the base currency. */
export function toJournalEntry(object: PlatformObject, lookups: Lookups): UnifiedRecord<typeof journalEntry> {
  const platformId = platformIdOf(object, 'ManualJournalID');
  const status = textOf(object['Status']);
  const amountTypes = textOf(object['LineAmountTypes']);
  const lines = objectsIn(object['JournalLines'])
    .filter((line) => line['IsBlank'] !== true)
    .map((line) => toJournalLine(line, { platformId, amountTypes, lookups }));
  return {
    platformId,
    deleted: status === 'DELETED',
    unresolved:
      lookups.baseCurrency === null ||
      lines.some(({ values }) => values.accountCode !== null && values.accountId === null),
    values: {
      amount: sumOfDebits(lines),
      currencyId: lookups.baseCurrency,
      currencyCode: lookups.baseCurrency,
      currencyRate: '1',
      description: textOf(object['Narration']),
      journalEntryType: typeOf(booleanOf(object['ShowOnCashBasisReports'])),
      postedDate: calendarDayOf(object['DateString'], object['Date']),
      status: journalStatus(status),
      updatedAt: timestampOf(object['UpdatedDateUTC']),
    },
    lines: { journalLines: lines },
  };
}

interface LineContext {
  readonly platformId: string;
  readonly amountTypes: string | null;
  readonly lookups: Lookups;
}

/** Xero sends one signed amount, positive for debits, with or without tax. */
function toJournalLine(
  object: PlatformObject,
  { platformId, amountTypes, lookups }: LineContext,
): UnifiedLine<typeof journalLine> {
  const amount = decimalOf(object['LineAmount']);
  // Tax is on the side of its line, whatever its sign.
  const taxAmount = absolute(decimalOf(object['TaxAmount']));
  const accountCode = textOf(object['AccountCode']);
  return {
    platformId: null,
    values: {
      journalEntryId: platformId,
      accountId: textOf(object['AccountID']) ?? idByCode(ACCOUNTS_BY_CODE, accountCode, lookups),
      accountCode,
      description: textOf(object['Description']),
      type: sideOf(amount),
      netAmount: netOf(absolute(amount), taxAmount, amountTypes),
      taxAmount,
      taxId: textOf(object['TaxType']),
      trackingCategoryIds: trackingIdsOf(object['Tracking']),
    },
  };
}

function sideOf(amount: string | null): (typeof JOURNAL_LINE_TYPES)[number] | null {
  if (isPositive(amount)) return 'DEBIT';
  return isNegative(amount) ? 'CREDIT' : null;
}

/** The amount booked to the line's account, without tax, which Xero books to another account. */
function netOf(amount: string | null, taxAmount: string | null, amountTypes: string | null): string | null {
  switch (amountTypes) {
    case 'Inclusive':
      return difference(amount, taxAmount);
    case 'Exclusive':
    case 'NoTax':
    // Xero's default for manual journals: no tax.
    case null:
      return amount;
    default:
      return null;
  }
}

/**
 * The total of debits including tax, which equals the total of credits however the lines are written. Without lines,
 * which then were not sent, the amount is unknown rather than zero.
 */
function sumOfDebits(lines: readonly UnifiedLine<typeof journalLine>[]): string | null {
  if (lines.length === 0) return null;
  return lines
    .filter(({ values }) => values.type !== 'CREDIT')
    .map(({ values }) => sum(values.netAmount ?? null, values.taxAmount ?? '0'))
    .reduce((total, amount) => sum(total, amount), '0');
}

function typeOf(onCashBasisToo: boolean | null): string | null {
  if (onCashBasisToo === null) return null;
  return onCashBasisToo ? 'both' : 'accrual';
}
