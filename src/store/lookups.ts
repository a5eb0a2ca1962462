import type { Lookups, LookupNeed } from '../connectors/connector.js';
import type { TenantSql } from '../db/tenant-sql.js';
import type { StoreTarget } from './change-log.js';
import { recordTypeOf } from '../records/index.js';

/** Reads the index that a connector's mappers look codes up in (design 3.7): stored records of the same connection. */
export async function loadLookups(
  sql: TenantSql,
  target: Pick<StoreTarget, 'svcCompanyId' | 'connectionId'>,
  needs: readonly LookupNeed[],
  baseCurrency: string | null,
): Promise<Lookups> {
  const index = new Map<string, string>();
  const keyOf = (dataModel: string, field: string, value: string) =>
    JSON.stringify([dataModel, field, value]);
  for (const { dataModel, field } of needs) {
    const definition = recordTypeOf(dataModel);
    const column = definition?.fields[field]?.wire;
    if (!definition || !column) throw new Error(`there is no ${dataModel}.${field} to look up`);
    const query = sql.query();
    const rows = await sql.rows<{ value: string; platformId: string }>(
      query,
      `SELECT t.${column} AS value, t.platform_id AS "platformId" FROM ${definition.table} t
       WHERE ${query.within('t')} AND t.svc_company_id = ${query.bind(target.svcCompanyId)}
       AND t.connection_id = ${query.bind(target.connectionId)} AND t.${column} IS NOT NULL
       AND t.svc_deleted_at IS NULL ORDER BY t.svc_id DESC`,
    );
    for (const { value, platformId } of rows) index.set(keyOf(dataModel, field, value), platformId);
  }
  return {
    baseCurrency,
    platformIdOf: (dataModel, field, value) => index.get(keyOf(dataModel, field, value)) ?? null,
  };
}
