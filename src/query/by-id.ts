import type { TenantSql } from '../db/tenant-sql.js';
import type { RecordDefinition } from '../records/define.js';
import { columnsSql, type Row } from './columns.js';
import { type OwnedId, ownedKey } from './owned-ids.js';

/** Rows by their keys, deleted records included, in the order of the keys: null where there is none. One statement. */
export async function readByIds(
  sql: TenantSql,
  definition: RecordDefinition,
  columns: ReadonlySet<string>,
  keys: readonly OwnedId[],
): Promise<(Row | null)[]> {
  const query = sql.query();
  const { table, companyColumn, role } = definition;
  const companies = query.bind([...new Set(keys.map(({ svcCompanyId }) => svcCompanyId))]);
  const select = new Set([...columns, 'svcId', ...(role === 'company' ? [] : ['svcCompanyId'])]);
  const rows = await sql.rows<Row & { readonly svcId: number; readonly svcCompanyId?: number }>(
    query,
    `SELECT ${columnsSql(definition, select)} FROM ${table} t
     WHERE ${query.filtered('t', companyColumn)} AND t.${companyColumn} = ANY(${companies}::bigint[])
       AND t.svc_id = ANY(${query.bind(keys.map(({ svcId }) => svcId))}::bigint[])`,
  );
  const found = new Map(rows.map((row) => [`${row.svcCompanyId ?? row.svcId}:${row.svcId}`, row]));
  return keys.map((key) => found.get(ownedKey(key)) ?? null);
}
