import type { TenantSql } from '../../db/tenant-sql.js';
import type { Books } from './books.js';

/**
 * The platform ids of the base currencies, by connection: the currency with the company's code, else the marked one.
 */
export async function readBaseCurrencies(
  sql: TenantSql,
  ledgers: readonly Books[],
): Promise<ReadonlyMap<number, string>> {
  const query = sql.query();
  const companies = query.bind(ledgers.map(({ svcCompanyId }) => svcCompanyId));
  const connections = query.bind(ledgers.map(({ connectionId }) => connectionId));
  const codes = query.bind(ledgers.map(({ currencyCode }) => currencyCode));
  const rows = await sql.quickRows<{ connectionId: number; platformId: string }>(
    query,
    `SELECT DISTINCT ON (t.connection_id) t.connection_id AS "connectionId", t.platform_id AS "platformId"
     FROM unnest(${companies}::bigint[], ${connections}::bigint[], ${codes}::text[]) AS k (company, connection, code)
     JOIN currencies t ON t.svc_company_id = k.company AND t.connection_id = k.connection
       AND (t.code = k.code OR t.is_base_currency)
     WHERE ${query.filtered('t')} AND t.svc_deleted_at IS NULL
     ORDER BY t.connection_id, (t.code = k.code) DESC, t.svc_id`,
  );
  return new Map(rows.map(({ connectionId, platformId }) => [connectionId, platformId]));
}
