import type { TenantSql } from '../db/tenant-sql.js';
import type { ConnectionKey } from './budget.js';

/**
 * Notes the currency that a connection's account is kept in, as its platform tells it: ISO 4217. Of books it becomes the
 * company's, too, where nobody knew that: a shop's says nothing of the books.
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
     WHERE ${query.within('t')} AND t.svc_company_id = ${query.bind(svcCompanyId)} AND t.svc_id = ${query.bind(connectionId)}
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
