import type { TenantQuery, TenantSql } from '../../db/tenant-sql.js';
import { readHead } from './log-heads.js';
import { logQueries } from './log-queries.js';
import { type EventSource, idsOf, type EventFilter, type WebhookEvent } from '../event.js';

interface EventRow {
  readonly position: number;
  readonly companyId: number;
  readonly body: string;
  readonly createdAt: string;
}

/** A webhook's events of one type other than record changes, in the order of their log. */
export function serviceEvents(sql: TenantSql, type: string, { companyIds }: EventFilter): EventSource {
  const ids = idsOf('evt', sql.scope.organisationId);
  const isWanted = (query: TenantQuery) =>
    `${query.within('t')} AND t.type = ${query.bind(type)}${
      companyIds.length > 0 ? ` AND t.svc_company_id = ANY(${query.bind(companyIds)}::bigint[])` : ''
    }`;
  const list = async (query: TenantQuery, rest: string): Promise<WebhookEvent[]> => {
    const rows = await sql.rows<EventRow>(
      query,
      `SELECT t.position, t.svc_company_id AS "companyId", t.body::text AS body, t.created_at AS "createdAt"
       FROM service_events t WHERE ${isWanted(query)} AND ${rest}`,
    );
    return rows.map(({ position, companyId, body, createdAt }) => ({
      id: ids.idOf(position),
      position,
      key: companyId,
      companyId,
      type,
      dataModel: null,
      body: JSON.stringify({
        type,
        company_id: companyId,
        created_at: createdAt,
        ...(JSON.parse(body) as object),
      }),
    }));
  };
  return {
    ...ids,
    after: async (position, max) => {
      // Before its events: later ones are for the next read.
      const end = await readHead(sql, type);
      const query = sql.query();
      const events = await list(
        query,
        `t.position > ${query.bind(position)} AND t.position <= ${query.bind(end)}
         ORDER BY t.position LIMIT ${query.bind(max)}::int`,
      );
      return { events, end: events.length < max ? end : (events.at(-1)?.position ?? end) };
    },
    at: async (position) => {
      const query = sql.query();
      return (await list(query, `t.position = ${query.bind(position)}`))[0] ?? null;
    },
    ...logQueries(sql, {
      table: 'service_events',
      time: 'created_at',
      ofKey: (query, { key }) => `${isWanted(query)} AND t.svc_company_id = ${query.bind(key)}`,
    }),
  };
}
