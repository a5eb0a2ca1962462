import { textOf } from '../values/platform-values.js';
import { isCalendarDay, isoText } from '../values/times.js';

/** `/Date(1552595972920+0000)/`: milliseconds since 1970 in UTC. The offset does not change the instant. */
const MICROSOFT_DATE = /^\/Date\((-?\d{1,16})(?:([+-])(\d{2})(\d{2}))?\)\/$/;
const ISO_DATE = /^(\d{4}-\d{2}-\d{2})(?:T(\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)(Z|[+-]\d{2}:\d{2})?)?$/;

/** An instant as ISO text in UTC with milliseconds. Text without a zone is UTC, like all of Xero's times. */
export function timestampOf(value: unknown): string | null {
  const text = textOf(value);
  if (text === null) return null;
  const milliseconds = MICROSOFT_DATE.exec(text)?.[1];
  if (milliseconds !== undefined) return isoText(Number(milliseconds));
  const iso = ISO_DATE.exec(text);
  if (!iso) return null;
  const [, day = '', time = '00:00', zone = 'Z'] = iso;
  return isCalendarDay(day) ? isoText(Date.parse(`${day}T${time}${zone}`)) : null;
}

/**
 * A calendar day as `YYYY-MM-DD`. Xero sends the day of a document twice, as local text (`DateString`) and as its
 * midnight in UTC (`Date`); the text is preferred because it needs no time zone.
 */
export function calendarDayOf(dateString: unknown, date: unknown): string | null {
  return dayAsWritten(dateString) ?? dayAsWritten(date) ?? dayOfInstant(date);
}

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/** A midnight other than UTC's is that of the zone whose offset follows it. */
function dayOfInstant(date: unknown): string | null {
  const [, text, sign, hours, minutes] = MICROSOFT_DATE.exec(textOf(date) ?? '') ?? [];
  const milliseconds = Number(text);
  const offset = Number(`${sign ?? ''}1`) * (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * MINUTE;
  return isoText(milliseconds % DAY === 0 ? milliseconds : milliseconds + offset)?.slice(0, 10) ?? null;
}

function dayAsWritten(value: unknown): string | null {
  const day = ISO_DATE.exec(textOf(value) ?? '')?.[1];
  return day !== undefined && isCalendarDay(day) ? day : null;
}
