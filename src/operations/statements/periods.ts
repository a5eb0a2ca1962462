import type { ReportPeriod } from '../../connectors/reports.js';
import { invalid } from '../../errors.js';

/** Requested periods; each part may be absent. */
export interface WantedPeriods {
  readonly periodStart?: string | null | undefined;
  readonly periodEnd?: string | null | undefined;
  /** Months of each statement; absent: one for the whole time. */
  readonly period?: number | null | undefined;
}

export const MAX_PERIODS = 120;
/** The longest statement within a series. */
export const MAX_MONTHS = 120;

/**
 * The periods of the requested statements, in order of time. The default end is today, the default start the beginning
 * of the end's year. Groups of months begin at the start; the last one ends at the end.
 */
export function periodsOf({ periodStart, periodEnd, period }: WantedPeriods, today: string): ReportPeriod[] {
  const end = periodEnd ?? today;
  const start = periodStart ?? `${end.slice(0, 4)}-01-01`;
  if (start > end) throw invalid('periodStart', `must not be after the end, ${end}`);
  if (period == null) return [{ start, end }];
  if (!Number.isInteger(period) || period < 1 || period > MAX_MONTHS) {
    throw invalid('period', `must be a whole number of months from 1 to ${MAX_MONTHS}`);
  }
  const periods: ReportPeriod[] = [];
  let first: string | null = start;
  for (let index = 1; first !== null && first <= end; index += 1) {
    if (periods.length === MAX_PERIODS) {
      throw invalid(
        'period',
        `makes more than ${MAX_PERIODS} statements: ask for longer ones, or a shorter time`,
      );
    }
    const next = monthsAfter(start, index * period);
    const last = next === null ? end : dayBefore(next);
    periods.push({ start: first, end: last < end ? last : end });
    first = next;
  }
  return periods;
}

const LAST_YEAR = 9999;

/** The same day `months` later, or the last of that month if it is shorter; null after the last year that has four digits. */
function monthsAfter(day: string, months: number): string | null {
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number);
  const last = dayOf(year, month + months, 0).getUTCDate();
  const found = dayOf(year, month - 1 + months, Math.min(date, last));
  return found.getUTCFullYear() > LAST_YEAR ? null : dayText(found);
}

/** `Date.UTC` would take the years 0 to 99 for those of the twentieth century. */
function dayOf(year: number, month: number, date: number): Date {
  const day = new Date(0);
  day.setUTCFullYear(year, month, date);
  return day;
}

const dayBefore = (day: string): string => dayText(new Date(Date.parse(`${day}T00:00:00Z`) - 86_400_000));

const dayText = (date: Date): string => date.toISOString().slice(0, 10);
