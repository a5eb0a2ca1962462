import { connectors } from '../../connectors/index.js';
import type { Connector } from '../../connectors/connector.js';
import type { ChangedObjects, HookEvent, HookRequest } from '../../connectors/hooks.js';
import type { Database } from '../../db/database.js';
import { organisationScope, type Scope } from '../../db/scope.js';
import type { TenantSql } from '../../db/tenant-sql.js';
import { hookSecretPlace } from '../../platforms/client-credentials.js';
import type { Category } from '../../records/define.js';
import type { SecretBox } from '../../secrets/secret-box.js';
import { readChanged } from '../../sync/read-changed.js';

interface HookServices {
  readonly database: Database;
  readonly secrets: SecretBox;
}

interface FoundHook {
  readonly organisationId: number;
  readonly integrationType: string;
  readonly hookSecret: string;
}

/** The integration whose platform sent a request. */
export interface HookSender {
  readonly organisationId: number;
  readonly integrationType: string;
}

/** Result of a platform's request. */
interface HookReceipt extends HookSender {
  readonly events: number;
  /** Number of connections for which syncs were started. */
  readonly connections: number;
}

/**
 * Receives a platform's change events: on return, syncs that read them are stored, at most one waiting per connection.
 * Null for an unknown token or a wrong signature; `admit` throws if a platform sends too many requests.
 */
export async function receiveHook(
  { database, secrets }: HookServices,
  token: string,
  request: Omit<HookRequest, 'secret'>,
  admit: (sender: HookSender) => Promise<void>,
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
  const readers = connectors
    .filter((one) => one.integrationType === integrationType)
    .map((connector) => ({ connector, events: connector.hooks?.read({ ...request, secret }) ?? null }))
    .filter((one): one is ReadHook => one.events !== null);
  if (readers.length === 0) return null;
  await admit({ organisationId, integrationType });
  const scope = organisationScope(organisationId);
  const receipt = { organisationId, integrationType, events: 0, connections: 0 };
  for (const one of readers) {
    receipt.events += one.events.length;
    receipt.connections += await readAccounts(database, scope, one);
  }
  return receipt;
}

/** For an integration type with several categories, each has its own accounts. */
interface ReadHook {
  readonly connector: Connector;
  readonly events: readonly HookEvent[];
}

/** Stores the syncs triggered by events. Returns the number of connections. */
async function readAccounts(
  database: Database,
  scope: Scope,
  { connector, events }: ReadHook,
): Promise<number> {
  const wanted = wantedByAccount(events);
  const connections = await connectionsOf(database.sql(scope), connector, [...wanted.keys()]);
  let read = 0;
  for (const { externalAccountId, ...connection } of connections) {
    const changes = wanted.get(externalAccountId) ?? new Map();
    const { category } = connector;
    if (await readChanged(database, scope, { ...connection, category }, changes)) read += 1;
  }
  return read;
}

/** Changed ids by account and record type; null for any id. */
function wantedByAccount(events: readonly HookEvent[]): ReadonlyMap<string, ChangedObjects> {
  const wanted = new Map<string, Map<string, string[] | null>>();
  for (const { externalAccountId, dataModels, platformId } of events) {
    const changes = wanted.get(externalAccountId) ?? new Map<string, string[] | null>();
    wanted.set(externalAccountId, changes);
    for (const dataModel of dataModels) {
      const known = changes.get(dataModel);
      if (platformId === null || known === null) changes.set(dataModel, null);
      else if (known) known.push(platformId);
      else changes.set(dataModel, [platformId]);
    }
  }
  return wanted;
}

interface HookConnection {
  readonly svcCompanyId: number;
  readonly connectionId: number;
  readonly externalAccountId: string;
}

/** The readable connections of some accounts. */
async function connectionsOf(
  sql: TenantSql,
  { integrationType, category }: { readonly integrationType: string; readonly category: Category },
  accounts: readonly string[],
): Promise<HookConnection[]> {
  if (accounts.length === 0) return [];
  const query = sql.query();
  return sql.rows<HookConnection>(
    query,
    `SELECT t.svc_company_id AS "svcCompanyId", t.svc_id AS "connectionId", t.external_account_id AS "externalAccountId"
     FROM connections t WHERE ${query.within('t')} AND t.integration_type = ${query.bind(integrationType)}
       AND t.category = ${query.bind(category)} AND t.external_account_id = ANY(${query.bind(accounts)}::text[])
       AND t.status = 'HEALTHY' ORDER BY t.svc_id`,
  );
}
