import { databaseTime } from '../db/clock.js';
import type { Database } from '../db/database.js';
import { AppError } from '../errors.js';
import type { Connector, PlatformAccount } from '../connectors/connector.js';
import { connectorFor } from '../connectors/index.js';
import type { Category } from '../records/define.js';
import type { SecretBox, SecretPlace } from '../secrets/secret-box.js';
import { noteConnection } from '../outbox/note-connection.js';
import { noteActivity } from '../platforms/activities.js';
import { oauthClientOf, storeTokens } from '../platforms/credentials.js';
import { randomCodeVerifier, randomState, type Tokens } from '../platforms/oauth.js';
import { platformUrl, type PlatformUrls } from '../platforms/settings.js';
import { startSync } from '../sync/start-sync.js';
import { readSyncSettings } from '../sync/sync-config.js';
import { platformChoices } from './choices.js';
import { hashState, type OpenLink } from './find-link.js';
import { insertConnection } from './insert-connection.js';

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
  if (!allowed) throw new AppError('invalid-params', 'this link does not offer that platform');
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
      expiresAt: new Date(databaseTime().getTime() + PATIENCE_MS),
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
  if (!account) throw new AppError('invalid-params', `${connector.title} gave access to no account`);
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
  const now = databaseTime();
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
  throw new AppError('invalid-params', `${message}: begin again from the link`);
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
  const connected = await database.sql(link.scope).transaction(async (transaction) => {
    const { connectionId, before } = await insertConnection(transaction, link.svcCompanyId, {
      connector,
      account,
    });
    const key = { svcCompanyId: link.svcCompanyId, connectionId };
    await storeTokens({ sql: transaction, secrets, connection: key }, tokens);
    const { syncSvcId } = await startSync(transaction, {
      ...key,
      syncType: 'MANUAL',
      fullSync: false,
      syncFrom: null,
      dataModels,
    });
    await noteConnection(transaction, { ...key, before });
    return { connector, connectionId, syncSvcId, accountName: account.name };
  });
  const company = { organisationId: link.scope.organisationId, companyId: link.svcCompanyId };
  await noteActivity(database.client(link.scope), company, 'CONNECTION_CREATED');
  return connected;
}
