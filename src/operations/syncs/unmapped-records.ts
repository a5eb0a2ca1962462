import type { Context } from '../../context.js';
import type { TenantSql } from '../../db/tenant-sql.js';
import { invalid } from '../../errors.js';
import type { RawJson } from '../../raw-json.js';
import type { ListedSync } from './syncs.js';

/** An object of a platform that could not be mapped, as it came. */
export interface ListedUnmapped {
  readonly dataModel: string;
  readonly message: string;
  readonly rawData: RawJson;
  readonly svcCreatedAt: string;
}

/** What a run could not map, oldest first; the runs of one query part share a statement. */
export function listUnmapped(context: Context, sync: ListedSync, first: number): Promise<ListedUnmapped[]> {
  const { maxPageSize } = context.limits;
  if (!(first >= 0 && first <= maxPageSize)) {
    throw invalid('first', `must be between 0 and ${maxPageSize}, got ${first}`);
  }
  return context.loaders
    .of<ListedUnmapped[]>(`unmapped ${first}`, (keys) => readUnmapped(context.sql, keys, first))
    .load(`${sync.svcCompanyId}:${sync.connectionId}:${sync.svcId}`);
}

async function readUnmapped(
  sql: TenantSql,
  keys: readonly string[],
  first: number,
): Promise<ListedUnmapped[][]> {
  const parts = keys.map((key) => key.split(':').map(Number));
  const query = sql.query();
  const [companies, connections, syncs] = [0, 1, 2].map((part) =>
    query.bind(parts.map((numbers) => numbers[part])),
  );
  const rows = await sql.rows<ListedUnmapped & { readonly place: number }>(
    query,
    `SELECT k.place, u.* FROM unnest(${companies}::bigint[], ${connections}::bigint[], ${syncs}::bigint[])
       WITH ORDINALITY AS k (company, connection, sync, place)
     CROSS JOIN LATERAL (
       SELECT t.data_model AS "dataModel", t.message, t.raw_data AS "rawData", t.svc_created_at AS "svcCreatedAt"
       FROM unmapped_records t WHERE ${query.within('t')} AND t.svc_company_id = k.company
         AND ${query.ofCompanies(
           't',
           parts.map(([company = 0]) => company),
         )}
         AND t.connection_id = k.connection AND t.sync_svc_id = k.sync
       ORDER BY t.svc_created_at, t.data_model, t.data_hash LIMIT ${query.bind(first)}
     ) u ORDER BY k.place`,
  );
  return keys.map((_, index) => rows.filter(({ place }) => place === index + 1));
}
