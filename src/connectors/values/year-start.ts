const MONTHS = [
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
];

/** The number of a month by its English name; null if it is none. */
export function monthNamed(name: string | null): number | null {
  const index = MONTHS.indexOf(name?.toLowerCase() ?? '');
  return index === -1 ? null : index + 1;
}

/**
 * The first day of a financial year that begins with a month, 1 to 12: the latest on or before the day on which the company
 * was created.
 */
export function yearStart(month: number | null, createdAt: string | null): string | null {
  if (month === null || createdAt === null) return null;
  const [year, day] = [Number(createdAt.slice(0, 4)), createdAt.slice(0, 10)];
  const startIn = (one: number) => `${one}-${String(month).padStart(2, '0')}-01`;
  return startIn(year) <= day ? startIn(year) : startIn(year - 1);
}
