import type { TenantSql } from '../db/tenant-sql.js';
import type { ConnectionKey } from './budget.js';

/**
 * Stores the base currency of a connection's account, as reported by its platform: ISO 4217. For accounting platforms
 * it also becomes the company's, if unknown: a shop's currency says nothing about the books.
 */
export async function noteBaseCurrency(
  sql: TenantSql,
  { svcCompanyId, connectionId }: ConnectionKey,
  code: string,
): Promise<void> {
  const query = sql.query();
  const [connection] = await sql.rows<{ category: string }>(
    query,
    `UPDATE connections t SET base_currency_code = ${query.bind(code)}
     WHERE ${query.rowsOf(svcCompanyId, 'svc_id', connectionId)}
     RETURNING t.category`,
  );
  if (connection?.category !== 'ACCOUNTING') return;
  const company = sql.query();
  await sql.rows(
    company,
    `UPDATE companies t SET base_currency_code = ${company.bind(code)}
     WHERE ${company.within('t', 'svc_id')} AND t.svc_id = ${company.bind(svcCompanyId)} AND t.base_currency_code IS NULL`,
  );
}
