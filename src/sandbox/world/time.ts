const DAY = 86_400_000;
/** Start of all demo times, the same on every machine and every day. */
const START = Date.parse('2026-01-05T09:00:00.000Z');

/** The current day in the demo books: unpaid documents due before it are overdue. */
export const TODAY = 150;

/** The timestamp `days` (and parts of days) after the start. */
export const instant = (days: number): string => new Date(START + Math.round(days * DAY)).toISOString();

/** The calendar day `days` after the start. */
export const day = (days: number): string => instant(days).slice(0, 10);
