import type { TenantQuery, TenantSql } from '../../db/tenant-sql.js';
import type { EventSource } from '../event.js';

/** A log that events are made from, its rows as `t`. */
interface EventLog {
  readonly table: string;
  /** Its column with the time of an event. */
  readonly time: string;
  /** A condition: the webhook wants the event, and it is of this key. */
  readonly ofKey: (query: TenantQuery, key: Parameters<EventSource['next']>[0]) => string;
}

/** Positions in a log: the next one of a key, and those of a period. */
export const logQueries = (
  sql: TenantSql,
  { table, time, ofKey }: EventLog,
): Pick<EventSource, 'next' | 'between'> => ({
  next: async (key, after, until) => {
    const query = sql.query();
    const [row] = await sql.rows<{ position: number | null }>(
      query,
      `SELECT min(t.position) AS position FROM ${table} t WHERE ${ofKey(query, key)}
         AND t.position > ${query.bind(after)} AND t.position <= ${query.bind(until)}`,
    );
    return row?.position ?? null;
  },
  between: async (since, until) => {
    const query = sql.query();
    const [row] = await sql.rows<{ first: number | null; last: number | null }>(
      query,
      `SELECT min(t.position) AS first, max(t.position) AS last FROM ${table} t WHERE ${query.within('t')}
         AND t.${time} >= ${query.bind(since)} AND t.${time} <= ${query.bind(until)}`,
    );
    return { after: (row?.first ?? 1) - 1, until: row?.last ?? 0 };
  },
});
