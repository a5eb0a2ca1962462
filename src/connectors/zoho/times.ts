import { type PlatformObject } from '../platform.js';
import { textOf } from '../values/platform-values.js';
import { instantOf, isCalendarDay } from '../values/times.js';

/** A stamp such as `2026-06-09T09:46:21-0400` as ISO text in UTC. */
export const instantIn = (value: unknown): string | null =>
  instantOf(textOf(value)?.replace(/([+-]\d{2})(\d{2})$/, '$1:$2'));

/** The time of an object's last change. Credit notes and customers' payments have another name for it. */
export const changedAt = (object: PlatformObject): string | null =>
  instantIn(object['last_modified_time'] ?? object['updated_time']);

/** A calendar day of the organization. */
export function dayOf(value: unknown): string | null {
  const day = textOf(value);
  return day !== null && /^\d{4}-\d{2}-\d{2}$/.test(day) && isCalendarDay(day) ? day : null;
}
