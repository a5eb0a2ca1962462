import type { Database } from '../db/database.js';
import { AppError, invalid } from '../errors.js';
import type { Connector, PlatformAccount } from '../connectors/connector.js';
import { connectorFor } from '../connectors/index.js';
import type { Category } from '../records/define.js';
import type { SecretBox, SecretPlace } from '../secrets/secret-box.js';
import { oauthClientOf, storeTokens } from '../platforms/credentials.js';
import { randomCodeVerifier, randomState, type Tokens } from '../platforms/oauth.js';
import { platformUrl, type PlatformUrls } from '../platforms/settings.js';
import { startSync } from '../sync/start-sync.js';
import { readSyncSettings } from '../sync/sync-config.js';
import { platformChoices } from './choices.js';
import { hashState, type OpenLink } from './find-link.js';

/** What connecting works with. */
export interface ConnectServices {
  readonly database: Database;
  readonly secrets: SecretBox;
  readonly urls: PlatformUrls;
}

/** Where platforms send end customers back to, below the service's address. */
export const CALLBACK_PATH = '/oauth/callback';
/** How long an end customer may take at the platform. */
const PATIENCE_MS = 30 * 60_000;

/** Where the PKCE verifier of an authorisation stands. */
export const verifierPlace = (stateHash: Uint8Array, organisationId: number): SecretPlace => ({
  table: 'authorizations',
  row: Buffer.from(stateHash).toString('hex'),
  column: 'code_verifier',
  organisationId,
});

/** Begins the authorisation of a platform from a link. Returns the platform's address to send the end customer to. */
export async function beginAuthorization(
  services: ConnectServices,
  link: OpenLink,
  choice: { readonly integrationType: string; readonly category: string; readonly redirectUri: string },
): Promise<string> {
  refuseEnded(link);
  const client = services.database.client(link.scope);
  const allowed = (await platformChoices(client, link)).find(
    ({ connector }) =>
      connector.integrationType === choice.integrationType && connector.category === choice.category,
  );
  if (!allowed) throw invalid('platform', 'this link does not offer that platform');
  const { connector } = allowed;
  const sql = services.database.sql(link.scope);
  const oauth = await oauthClientOf({ ...services, sql, client, connector });
  const state = randomState();
  const codeVerifier = randomCodeVerifier();
  const stateHash = hashState(state);
  await client.authorization.create({
    data: {
      stateHash,
      svcOrganisationId: BigInt(link.scope.organisationId),
      svcCompanyId: BigInt(link.svcCompanyId),
      inviteLinkSvcId: BigInt(link.svcId),
      integrationType: connector.integrationType,
      category: connector.category,
      codeVerifier: services.secrets.seal(codeVerifier, verifierPlace(stateHash, link.scope.organisationId)),
      redirectUri: choice.redirectUri,
      expiresAt: new Date(Date.now() + PATIENCE_MS),
    },
  });
  return oauth.authorizationUrl({ redirectUri: choice.redirectUri, state, codeVerifier });
}

export interface Connected {
  readonly connector: Connector;
  readonly connectionId: number;
  readonly syncSvcId: number;
  readonly accountName: string | null;
}

/**
 * Ends an authorisation with what the platform sent back: exchanges the code, stores the connection with its tokens and
 * starts its first sync, the last two in one transaction. A state works once. Throws `invalid-params` where the customer
 * or the platform said no; the link can then be tried again.
 */
export async function finishAuthorization(
  services: ConnectServices,
  link: OpenLink,
  callback: URLSearchParams,
): Promise<Connected> {
  refuseEnded(link);
  const state = callback.get('state') ?? '';
  const begun = await takeState(services, link, state);
  const connector = connectorFor(begun.integrationType, begun.category as Category);
  const client = services.database.client(link.scope);
  const sql = services.database.sql(link.scope);
  const oauth = await oauthClientOf({ ...services, sql, client, connector });
  const tokens = await oauth.exchange({
    callback,
    redirectUri: begun.redirectUri,
    state,
    codeVerifier: services.secrets.open(
      begun.codeVerifier,
      verifierPlace(hashState(state), link.scope.organisationId),
    ),
  });
  const [account] = await connector.oauth.accounts({
    baseUrl: platformUrl(services.urls, connector.integrationType),
    accessToken: tokens.accessToken,
  });
  if (!account) throw invalid('account', `${connector.title} gave access to no account`);
  return storeConnection(services, link, { connector, account, tokens });
}

function refuseEnded(link: OpenLink): void {
  if (link.ended)
    throw new AppError(
      'not-found',
      `this link has ${link.ended === 'expired' ? 'expired' : 'been withdrawn'}`,
    );
}

async function takeState({ database }: ConnectServices, link: OpenLink, state: string) {
  const client = database.client(link.scope);
  const stateHash = hashState(state);
  const now = new Date();
  const which = { stateHash, svcCompanyId: BigInt(link.svcCompanyId), inviteLinkSvcId: BigInt(link.svcId) };
  const { count } = await client.authorization.updateMany({
    where: { ...which, usedAt: null, expiresAt: { gt: now } },
    data: { usedAt: now },
  });
  const row = await client.authorization.findFirst({ where: which });
  if (row && count === 1) return row;
  const message = row
    ? 'this authorisation was used already or took too long'
    : 'this authorisation was not begun here';
  throw invalid('state', `${message}: begin again from the link`);
}

interface NewConnection {
  readonly connector: Connector;
  readonly account: PlatformAccount;
  readonly tokens: Tokens;
}

async function storeConnection(
  { database, secrets }: ConnectServices,
  link: OpenLink,
  { connector, account, tokens }: NewConnection,
): Promise<Connected> {
  const settings = await readSyncSettings(database.client(link.scope), link.svcCompanyId, connector.category);
  const enabled = new Set(settings.filter((one) => one.enabled).map((one) => one.dataModel));
  const dataModels = connector.pulls
    .map(({ definition }) => definition.dataModel)
    .filter((dataModel) => enabled.has(dataModel));
  return database.sql(link.scope).transaction(async (transaction) => {
    const query = transaction.query();
    const company = query.bind(link.svcCompanyId);
    const values = [connector.integrationType, connector.category, account.externalAccountId, account.name];
    const { limits } = connector;
    const budget = [limits.concurrent, limits.perMinute, limits.perDay];
    const [connection] = await transaction.rows<{ svcId: number }>(
      query,
      `INSERT INTO connections AS c (svc_organisation_id, svc_company_id, integration_type, category,
         external_account_id, account_name, max_concurrent, max_per_minute, max_per_day, status)
       SELECT t.svc_organisation_id, t.svc_id, ${[...values, ...budget].map((value) => query.bind(value)).join(', ')}, 'HEALTHY'
       FROM companies t WHERE ${query.within('t', 'svc_id')} AND t.svc_id = ${company}
       ON CONFLICT (svc_company_id, integration_type, category, external_account_id) DO UPDATE SET status = 'HEALTHY',
         account_name = excluded.account_name, max_concurrent = excluded.max_concurrent,
         max_per_minute = excluded.max_per_minute, max_per_day = excluded.max_per_day, paused_until = NULL,
         svc_updated_at = now()
       WHERE c.svc_organisation_id = $1
       RETURNING c.svc_id AS "svcId"`,
    );
    if (!connection) throw new AppError('not-found', 'the company of this link is gone');
    const key = { svcCompanyId: link.svcCompanyId, connectionId: connection.svcId };
    await storeTokens({ sql: transaction, secrets, connection: key }, tokens);
    await noteConnected(transaction, link.svcCompanyId, account.baseCurrency);
    const { syncSvcId } = await startSync(transaction, {
      ...key,
      syncType: 'MANUAL',
      fullSync: false,
      syncFrom: null,
      dataModels,
    });
    return { connector, connectionId: connection.svcId, syncSvcId, accountName: account.name };
  });
}

/** The company's log, and its base currency where nobody knew it. */
async function noteConnected(
  transaction: Parameters<typeof startSync>[0],
  svcCompanyId: number,
  baseCurrency: string | null,
): Promise<void> {
  const activity = transaction.query();
  await transaction.rows(
    activity,
    `INSERT INTO activities (svc_organisation_id, svc_company_id, activity_type)
     SELECT t.svc_organisation_id, t.svc_id, 'CONNECTION_CREATED' FROM companies t
     WHERE ${activity.within('t', 'svc_id')} AND t.svc_id = ${activity.bind(svcCompanyId)}`,
  );
  const company = transaction.query();
  await transaction.rows(
    company,
    `UPDATE companies t SET base_currency_code = COALESCE(t.base_currency_code, ${company.bind(baseCurrency)})
     WHERE ${company.within('t', 'svc_id')} AND t.svc_id = ${company.bind(svcCompanyId)}`,
  );
}
