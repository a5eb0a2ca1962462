import type { ReportPeriod } from '../../connectors/reports.js';
import { invalid } from '../../errors.js';

/** Requested periods; each part may be absent. */
export interface WantedPeriods {
  readonly periodStart?: string | null | undefined;
  readonly periodEnd?: string | null | undefined;
  /** Months of each statement; absent: one for the whole time. */
  readonly period?: number | null | undefined;
}

const MAX_PERIODS = 120;
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
  for (let index = 0; ; index += 1) {
    const first = monthsAfter(start, index * period);
    if (first > end) return periods;
    if (periods.length === MAX_PERIODS) {
      throw invalid(
        'period',
        `makes more than ${MAX_PERIODS} statements: ask for longer ones, or a shorter time`,
      );
    }
    const last = dayBefore(monthsAfter(start, (index + 1) * period));
    periods.push({ start: first, end: last < end ? last : end });
  }
}

/** The same day `months` later, or the last of that month if it is shorter. */
function monthsAfter(day: string, months: number): string {
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number);
  const last = new Date(Date.UTC(year, month + months, 0)).getUTCDate();
  return dayText(new Date(Date.UTC(year, month - 1 + months, Math.min(date, last))));
}

const dayBefore = (day: string): string => dayText(new Date(Date.parse(`${day}T00:00:00Z`) - 86_400_000));

const dayText = (date: Date): string => date.toISOString().slice(0, 10);
