import { decimalOf, textOf } from './platform-values.js';

const ISO_INSTANT = /^(\d{4}-\d{2}-\d{2})T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:Z|[+-]\d{2}:\d{2})$/;

const FIRST_INSTANT = Date.parse('0001-01-01T00:00:00.000Z');
const LAST_INSTANT = Date.parse('9999-12-31T23:59:59.999Z');

/** An instant as ISO text in UTC with milliseconds; null for text without a time zone. */
export function instantOf(value: unknown): string | null {
  const text = textOf(value) ?? '';
  const day = ISO_INSTANT.exec(text)?.[1];
  return day !== undefined && isCalendarDay(day) ? isoText(Date.parse(text)) : null;
}

/** Milliseconds since 1970 as ISO text; null outside the years that can be stored. */
export function isoText(milliseconds: number): string | null {
  const holds = milliseconds >= FIRST_INSTANT && milliseconds <= LAST_INSTANT;
  return holds ? new Date(milliseconds).toISOString() : null;
}

/** Whether the day exists: `Date.parse` reads 30 February as 2 March. */
export function isCalendarDay(day: string): boolean {
  return isoText(Date.parse(`${day}T00:00:00Z`))?.slice(0, 10) === day;
}

const SECONDS = /^\d{1,12}$/;

/** Seconds since 1970 as ISO text. */
export function instantOfSeconds(value: unknown): string | null {
  const seconds = decimalOf(value) ?? '';
  return SECONDS.test(seconds) ? isoText(Number(seconds) * 1000) : null;
}

/** A calendar day that is sent as its midnight in UTC, in seconds since 1970. */
export function dayOfSeconds(value: unknown): string | null {
  return instantOfSeconds(value)?.slice(0, 10) ?? null;
}
