import type { TenantQuery } from './tenant-sql.js';

/**
 * A time `milliseconds` from now by the database's clock, which all processes compare with. Equal offsets within a
 * transaction give equal times. NULL for null.
 */
export function fromNow(query: TenantQuery, milliseconds: number | null): string {
  return `(date_trunc('milliseconds', now()) + ${query.bind(milliseconds)}::float8 * interval '1 millisecond')`;
}

/** Milliseconds from this process's clock to a time by the same clock. */
export const millisecondsUntil = (time: Date | null): number | null => time && time.getTime() - Date.now();
