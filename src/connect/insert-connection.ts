import type { PlatformAccount } from '../connectors/access.js';
import type { Connector } from '../connectors/connector.js';
import { noteBaseCurrency } from '../platforms/base-currency.js';
import type { KeptPlace } from '../platforms/reach.js';
import type { TenantSql } from '../db/tenant-sql.js';
import { AppError } from '../errors.js';

interface NewConnection {
  readonly connector: Connector;
  readonly account: PlatformAccount;
  readonly place: KeptPlace;
}

/**
 * Creates a company's connection to an account in the given transaction; reconnecting an account reuses its connection:
 * `before` is its previous status.
 */
export async function insertConnection(
  transaction: TenantSql,
  svcCompanyId: number,
  { connector, account, place }: NewConnection,
): Promise<{ readonly connectionId: number; readonly before: string | null }> {
  const { integrationType, category, limits } = connector;
  const known = transaction.query();
  const [old] = await transaction.rows<{ status: string }>(
    known,
    `SELECT t.status FROM connections t WHERE ${known.rowsOf(svcCompanyId, 'integration_type', integrationType)}
     AND t.category = ${known.bind(category)}
       AND t.external_account_id = ${known.bind(account.externalAccountId)} FOR NO KEY UPDATE`,
  );
  const query = transaction.query();
  const values = [
    integrationType,
    category,
    account.externalAccountId,
    account.name,
    limits.concurrent,
    limits.perMinute,
    limits.perDay,
    place.address,
    JSON.stringify(place.settings),
  ].map((value) => query.bind(value));
  const [connection] = await transaction.rows<{ svcId: number }>(
    query,
    `INSERT INTO connections AS c (svc_organisation_id, svc_company_id, integration_type, category,
       external_account_id, account_name, max_concurrent, max_per_minute, max_per_day, address, settings, status)
     SELECT t.svc_organisation_id, t.svc_id, ${values.slice(0, -1).join(', ')}, ${values.at(-1)}::jsonb, 'HEALTHY'
     FROM companies t WHERE ${query.within('t', 'svc_id')} AND t.svc_id = ${query.bind(svcCompanyId)}
     ON CONFLICT (svc_company_id, integration_type, category, external_account_id) DO UPDATE SET status = 'HEALTHY',
       account_name = excluded.account_name, address = excluded.address, settings = excluded.settings,
       max_concurrent = excluded.max_concurrent,
       max_per_minute = excluded.max_per_minute, max_per_day = excluded.max_per_day, paused_until = NULL,
       svc_updated_at = now()
     WHERE c.svc_organisation_id = $1
     RETURNING c.svc_id AS "svcId"`,
  );
  if (!connection) throw new AppError('not-found', 'there is no such company', 'companyId');
  const connectionId = connection.svcId;
  const { baseCurrency } = account;
  if (baseCurrency) await noteBaseCurrency(transaction, { svcCompanyId, connectionId }, baseCurrency);
  return { connectionId, before: old?.status ?? null };
}
