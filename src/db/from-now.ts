import type { TenantQuery } from './tenant-sql.js';

/**
 * A time so far away, by the database's clock: clocks differ, and all processes compare with that one. In one
 * transaction the same distance is the same time. NULL for null.
 */
export function fromNow(query: TenantQuery, milliseconds: number | null): string {
  return `(date_trunc('milliseconds', now()) + ${query.bind(milliseconds)}::float8 * interval '1 millisecond')`;
}

/** From this process's clock to a time by the same clock. */
export const millisecondsUntil = (time: Date | null): number | null => time && time.getTime() - Date.now();
