import type { Context } from '../../context.js';
import type { TenantSql } from '../../db/tenant-sql.js';
import { invalid } from '../../errors.js';
import type { RawJson } from '../../raw-json.js';
import { readByCompany } from '../../query/by-company.js';
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
    .of<ListedUnmapped[]>(`unmapped ${first}`, (keys) =>
      readByCompany(context.sql, keys.map(parseKey), (runs) => readUnmapped(context.sql, runs, first)),
    )
    .load(`${sync.svcCompanyId}:${sync.connectionId}:${sync.svcId}`);
}

interface RunKey {
  readonly svcCompanyId: number;
  readonly connectionId: number;
  readonly svcId: number;
}

function parseKey(key: string): RunKey {
  const [svcCompanyId = 0, connectionId = 0, svcId = 0] = key.split(':').map(Number);
  return { svcCompanyId, connectionId, svcId };
}

async function readUnmapped(
  sql: TenantSql,
  runs: readonly RunKey[],
  first: number,
): Promise<ListedUnmapped[][]> {
  const query = sql.query();
  const companies = query.bind(runs.map(({ svcCompanyId }) => svcCompanyId));
  const connections = query.bind(runs.map(({ connectionId }) => connectionId));
  const syncs = query.bind(runs.map(({ svcId }) => svcId));
  const rows = await sql.rows<ListedUnmapped & { readonly place: number }>(
    query,
    `SELECT k.place, u.* FROM unnest(${companies}::bigint[], ${connections}::bigint[], ${syncs}::bigint[])
       WITH ORDINALITY AS k (company, connection, sync, place)
     CROSS JOIN LATERAL (
       SELECT t.data_model AS "dataModel", t.message, t.raw_data AS "rawData", t.svc_created_at AS "svcCreatedAt"
       FROM unmapped_records t WHERE ${query.within('t')} AND t.svc_company_id = k.company
         AND ${query.ofCompanies(
           't',
           runs.map(({ svcCompanyId }) => svcCompanyId),
         )}
         AND t.connection_id = k.connection AND t.sync_svc_id = k.sync
       ORDER BY t.svc_created_at, t.data_model, t.data_hash LIMIT ${query.bind(first)}
     ) u ORDER BY k.place`,
  );
  return runs.map((_, index) => rows.filter(({ place }) => place === index + 1));
}
