import { connectors } from '../../connectors/index.js';
import type { HookEvent, HookRequest } from '../../connectors/connector.js';
import type { Database } from '../../db/database.js';
import { organisationScope } from '../../db/scope.js';
import type { TenantSql } from '../../db/tenant-sql.js';
import { hookSecretPlace } from '../../platforms/client-credentials.js';
import type { Category } from '../../records/define.js';
import type { SecretBox } from '../../secrets/secret-box.js';
import { wantSync } from '../../sync/start-sync.js';
import { readSyncSettings } from '../../sync/sync-config.js';

interface HookServices {
  readonly database: Database;
  readonly secrets: SecretBox;
}

interface FoundHook {
  readonly organisationId: number;
  readonly integrationType: string;
  readonly hookSecret: string;
}

/** What a request of a platform led to. */
interface HookReceipt {
  readonly organisationId: number;
  readonly integrationType: string;
  readonly events: number;
  /** Of how many connections syncs read what changed. */
  readonly connections: number;
}

/**
 * Takes what a platform tells of changes: when this has answered, syncs that read them are stored, at most one a
 * connection that waits. Null where the token is nobody's or the signature is not the platform's.
 */
export async function receiveHook(
  { database, secrets }: HookServices,
  token: string,
  request: Omit<HookRequest, 'secret'>,
): Promise<HookReceipt | null> {
  const { rows } = await database.pool.query<FoundHook>(
    `SELECT svc_organisation_id::float8 AS "organisationId", integration_type AS "integrationType",
       hook_secret AS "hookSecret" FROM svc_find_hook($1)`,
    [token],
  );
  const [found] = rows;
  if (!found) return null;
  const { organisationId, integrationType } = found;
  const secret = secrets.open(found.hookSecret, hookSecretPlace(integrationType, organisationId));
  const connector = connectors.find((one) => one.integrationType === integrationType && one.hooks);
  const events = connector?.hooks?.read({ ...request, secret }) ?? null;
  if (!connector || events === null) return null;
  const scope = organisationScope(organisationId);
  const client = database.client(scope);
  const sql = database.sql(scope);
  const wanted = wantedByAccount(events);
  if (wanted.size === 0) return { organisationId, integrationType, events: 0, connections: 0 };
  const accounts = [...wanted.keys()];
  const enabled = new Map<number, ReadonlySet<string>>();
  for (const { svcCompanyId } of await connectionsOf(sql, connector, accounts, '')) {
    const settings = await readSyncSettings(client, svcCompanyId, connector.category);
    const names = settings.filter((one) => one.enabled).map(({ dataModel }) => dataModel);
    enabled.set(svcCompanyId, new Set(names));
  }
  const connections = await sql.transaction(async (transaction) => {
    // Held to the end: requests come at the same time.
    const told = await connectionsOf(transaction, connector, accounts, 'FOR NO KEY UPDATE');
    for (const { svcCompanyId, connectionId, externalAccountId } of told) {
      const all = [...(wanted.get(externalAccountId) ?? [])];
      const dataModels = all.filter((dataModel) => enabled.get(svcCompanyId)?.has(dataModel));
      if (dataModels.length > 0) await wantSync(transaction, { svcCompanyId, connectionId, dataModels });
    }
    return told.length;
  });
  return { organisationId, integrationType, events: events.length, connections };
}

function wantedByAccount(events: readonly HookEvent[]): ReadonlyMap<string, ReadonlySet<string>> {
  const wanted = new Map<string, Set<string>>();
  for (const { externalAccountId, dataModels } of events) {
    const known = wanted.get(externalAccountId) ?? new Set();
    dataModels.forEach((one) => known.add(one));
    wanted.set(externalAccountId, known);
  }
  return wanted;
}

interface ToldConnection {
  readonly svcCompanyId: number;
  readonly connectionId: number;
  readonly externalAccountId: string;
}

/** The connections of some accounts that can be read. */
async function connectionsOf(
  sql: TenantSql,
  { integrationType, category }: { readonly integrationType: string; readonly category: Category },
  accounts: readonly string[],
  lock: '' | 'FOR NO KEY UPDATE',
): Promise<ToldConnection[]> {
  const query = sql.query();
  return sql.rows<ToldConnection>(
    query,
    `SELECT t.svc_company_id AS "svcCompanyId", t.svc_id AS "connectionId", t.external_account_id AS "externalAccountId"
     FROM connections t WHERE ${query.within('t')} AND t.integration_type = ${query.bind(integrationType)}
       AND t.category = ${query.bind(category)} AND t.external_account_id = ANY(${query.bind(accounts)}::text[])
       AND t.status = 'HEALTHY' ORDER BY t.svc_id ${lock}`,
  );
}
