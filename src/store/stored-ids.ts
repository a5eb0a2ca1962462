import type { TenantSql } from '../db/tenant-sql.js';
import type { LookupTarget } from './lookups.js';

/**
 * The `svc_id` of the stored records with these platform ids, by platform id. A separate statement: on a cluster
 * records are on other nodes than the syncs and writes that lead to them.
 */
export async function readStoredIds(
  sql: TenantSql,
  table: string,
  { svcCompanyId, connectionId }: LookupTarget,
  platformIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  if (platformIds.length === 0) return new Map();
  const query = sql.query();
  const rows = await sql.rows<{ svcId: number; platformId: string }>(
    query,
    `SELECT t.svc_id AS "svcId", t.platform_id AS "platformId" FROM ${table} t
     WHERE ${query.rowsOf(svcCompanyId, 'connection_id', connectionId)}
       AND t.platform_id = ANY(${query.bind(platformIds)}::text[])`,
  );
  return new Map(rows.map(({ svcId, platformId }) => [platformId, svcId]));
}
