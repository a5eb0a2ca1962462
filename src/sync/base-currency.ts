import type { Connector, PlatformClient } from '../connectors/connector.js';
import type { TenantSql } from '../db/tenant-sql.js';
import { AppError } from '../errors.js';

/**
 * The base currency of a company whose connections did not tell it when they were made: the account is asked, and the
 * answer kept. Null where the platform does not say, or may not be asked.
 */
export async function learnBaseCurrency(
  sql: TenantSql,
  svcCompanyId: number,
  connector: Connector,
  platform: PlatformClient,
): Promise<string | null> {
  const told = await connector.readBaseCurrency?.(platform).catch(nullWhereRefused);
  if (!told) return null;
  const query = sql.query();
  const [row] = await sql.rows<{ code: string }>(
    query,
    `UPDATE companies t SET base_currency_code = COALESCE(t.base_currency_code, ${query.bind(told)})
     WHERE ${query.within('t', 'svc_id')} AND t.svc_id = ${query.bind(svcCompanyId)}
     RETURNING t.base_currency_code AS code`,
  );
  return row?.code ?? null;
}

function nullWhereRefused(error: unknown): null {
  if (error instanceof AppError && error.code === 'platform-refused') return null;
  throw error;
}
