import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

import { databaseTime } from '../db/clock.js';
import { isOutage } from '../db/database-error.js';
import type { OAuthAccess, Reach, Settings, Tokens } from '../connectors/access.js';
import type { Connector } from '../connectors/connector.js';
import type { TenantClient } from '../db/tenant-client.js';
import type { TenantQuery, TenantSql } from '../db/tenant-sql.js';
import { AppError } from '../errors.js';
import type { SecretBox, SecretPlace } from '../secrets/secret-box.js';
import { noteConnection } from '../outbox/note-connection.js';
import { noteConnectionActivity } from './activities.js';
import type { ConnectionKey } from './budget.js';
import { clientCredentials } from './client-credentials.js';
import { createOAuthClient, type OAuthClient } from './oauth.js';
import { settingsOf } from './reach.js';
import { inTurn } from './renewal-turns.js';

/** What is needed to reach the platform of one connection. */
export interface PlatformSession {
  readonly sql: TenantSql;
  readonly client: TenantClient;
  readonly secrets: SecretBox;
  readonly reach: Reach;
  readonly connector: Connector;
  readonly connection: ConnectionKey;
}

interface StoredTokens {
  readonly accessToken: string;
  readonly refreshToken: string | null;
  /** What was typed in and renews the access. */
  readonly secrets: Settings;
  /** Renew from then on; null: not before the platform refuses it. */
  readonly renewAt: number | null;
  /** They are new; else they were there. */
  readonly isRenewed: boolean;
}

/** Tokens are renewed when this share of their life has passed. */
const USED_SHARE = 0.8;

type CredentialColumn = 'access_token' | 'refresh_token' | 'secrets';

/** Where the tokens of a connection stand. */
export const credentialPlace = (
  { svcCompanyId, connectionId }: ConnectionKey,
  organisationId: number,
  column: CredentialColumn,
): SecretPlace => ({
  table: 'connection_credentials',
  row: `${svcCompanyId}:${connectionId}`,
  column,
  organisationId,
});

interface CredentialRow {
  readonly accessToken: string;
  readonly refreshToken: string | null;
  readonly secrets: string | null;
  readonly obtainedAt: string;
  readonly expiresAt: string | null;
}

type CredentialSession = Pick<PlatformSession, 'sql' | 'secrets' | 'connection'>;

interface Consent {
  /** What was typed in, where it renews the access; without it what was kept before stays. */
  readonly given?: Settings | null;
  /** The same for all connections that it opens: they have the same tokens. */
  readonly grantId?: string;
}

/**
 * Stores the tokens of a consent for a connection, sealed, in place of any before. A refresh token that stays from the
 * consent before stays in its grant.
 */
export async function storeTokens(
  session: CredentialSession,
  tokens: Tokens,
  { given = null, grantId = randomUUID() }: Consent = {},
): Promise<void> {
  const { sql, connection } = session;
  const query = sql.query();
  const seal = sealer(session, query);
  await sql.rows(
    query,
    `INSERT INTO connection_credentials AS t (svc_organisation_id, svc_company_id, connection_id, grant_id,
       access_token, refresh_token, secrets, obtained_at, expires_at)
     VALUES ($1, ${query.bind(connection.svcCompanyId)}, ${query.bind(connection.connectionId)}, ${query.bind(grantId)},
       ${seal(tokens.accessToken, 'access_token')}, ${seal(tokens.refreshToken, 'refresh_token')},
       ${seal(given && JSON.stringify(given), 'secrets')}, now(), ${query.bind(tokens.expiresAt)})
     ON CONFLICT (svc_company_id, connection_id) DO UPDATE SET access_token = excluded.access_token,
       grant_id = CASE WHEN excluded.refresh_token IS NULL AND t.refresh_token IS NOT NULL THEN t.grant_id
         ELSE excluded.grant_id END,
       refresh_token = COALESCE(excluded.refresh_token, t.refresh_token),
       secrets = COALESCE(excluded.secrets, t.secrets), obtained_at = excluded.obtained_at,
       expires_at = excluded.expires_at
     WHERE t.svc_organisation_id = $1`,
  );
}

/** Puts renewed tokens in place of a connection's. */
async function replaceTokens(session: CredentialSession, tokens: Tokens): Promise<void> {
  const { sql, connection } = session;
  const query = sql.query();
  const seal = sealer(session, query);
  await sql.rows(
    query,
    `UPDATE connection_credentials t SET access_token = ${seal(tokens.accessToken, 'access_token')},
       refresh_token = COALESCE(${seal(tokens.refreshToken, 'refresh_token')}, t.refresh_token),
       obtained_at = now(), expires_at = ${query.bind(tokens.expiresAt)}
     WHERE ${query.within('t')} AND t.svc_company_id = ${query.bind(connection.svcCompanyId)}
       AND t.connection_id = ${query.bind(connection.connectionId)}`,
  );
}

/** Binds values of a connection's row, sealed. */
function sealer({ sql, secrets, connection }: CredentialSession, query: TenantQuery) {
  return (text: string | null, column: CredentialColumn): string => {
    const place = credentialPlace(connection, sql.scope.organisationId, column);
    return query.bind(text === null ? null : secrets.seal(text, place));
  };
}

/** The stored tokens; null where there are none. `lock` keeps others from renewing them meanwhile. */
async function readTokens(
  session: Pick<PlatformSession, 'secrets' | 'connection'>,
  sql: TenantSql,
  lock: boolean,
): Promise<StoredTokens | null> {
  const { connection, secrets } = session;
  const query = sql.query();
  const [row] = await sql.rows<CredentialRow>(
    query,
    `SELECT t.access_token AS "accessToken", t.refresh_token AS "refreshToken", t.secrets,
       t.obtained_at AS "obtainedAt", t.expires_at AS "expiresAt" FROM connection_credentials t
     WHERE ${query.within('t')} AND t.svc_company_id = ${query.bind(connection.svcCompanyId)}
       AND t.connection_id = ${query.bind(connection.connectionId)}${lock ? ' FOR UPDATE' : ''}`,
  );
  if (!row) return null;
  const place = (column: CredentialColumn) => credentialPlace(connection, sql.scope.organisationId, column);
  const obtained = Date.parse(row.obtainedAt);
  return {
    accessToken: secrets.open(row.accessToken, place('access_token')),
    refreshToken: row.refreshToken === null ? null : secrets.open(row.refreshToken, place('refresh_token')),
    secrets: row.secrets === null ? {} : settingsOf(JSON.parse(secrets.open(row.secrets, place('secrets')))),
    renewAt: row.expiresAt === null ? null : obtained + (Date.parse(row.expiresAt) - obtained) * USED_SHARE,
    isRenewed: false,
  };
}

/** Renewals under way in this process, so that its callers wait together and hold one database connection. */
const renewals = new Map<string, Promise<StoredTokens>>();

/** An access token that should be good; another one than `refused`. Throws `connection-expired`. */
export async function validTokens(session: PlatformSession, refused?: string): Promise<StoredTokens> {
  const stored = await readTokens(session, session.sql, false);
  if (!stored) throw expired(session.connector, 'there are no credentials for it');
  if (!needsRenewal(stored, refused)) return stored;
  const { svcCompanyId, connectionId } = session.connection;
  const key = `${svcCompanyId}:${connectionId}`;
  const running = renewals.get(key);
  if (running) return running;
  const renewal = renew(session, refused).finally(() => renewals.delete(key));
  renewals.set(key, renewal);
  return renewal;
}

function needsRenewal(stored: StoredTokens, refused: string | undefined): boolean {
  return (
    stored.accessToken === refused || (stored.renewAt !== null && databaseTime().getTime() >= stored.renewAt)
  );
}

/** What platforms gave and the database has not taken yet, by what it replaces: the refresh token before works no more. */
const unstored = new Map<string, Tokens>();
const STORE_AGAIN_MS = 200;
const STORE_PATIENCE_MS = 30_000;

/**
 * Renews the tokens under the locks of all connections that have them, so that over all processes a refresh token is used
 * once, and stores the new ones for all of them before anybody uses them. Where the database is lost in between, they are
 * stored when it is back, here or at the next renewal; another process that had only the old ones meanwhile was refused, and
 * took the access for ended.
 */
async function renew(session: PlatformSession, refused: string | undefined): Promise<StoredTokens> {
  const { sql, connector } = session;
  const renewing = await renewalOf(session);
  let tried = '';
  let granted: readonly number[] = [];
  const keyOf = (accessToken: string) => `${session.connection.svcCompanyId}:${accessToken}`;
  const work = async (transaction: TenantSql): Promise<StoredTokens> => {
    const connectionIds = await lockGrant(transaction, session.connection);
    const stored = await readTokens(session, transaction, false);
    if (!stored) throw expired(connector, 'there are no credentials for it');
    // Another process may have been faster, or another connection of the same consent; or what was given is stored.
    if (!needsRenewal(stored, refused)) {
      const isRenewed = unstored.get(keyOf(tried))?.accessToken === stored.accessToken;
      return { ...stored, isRenewed };
    }
    tried = stored.accessToken;
    granted = connectionIds;
    const tokens = unstored.get(keyOf(tried)) ?? (await renewing(stored));
    unstored.set(keyOf(tried), tokens);
    for (const connectionId of connectionIds) {
      const connection = { ...session.connection, connectionId };
      await replaceTokens({ ...session, connection, sql: transaction }, tokens);
    }
    const renewed = await readTokens(session, transaction, false);
    if (!renewed) throw new Error('the tokens that were just stored are gone');
    return { ...renewed, isRenewed: true };
  };
  const untilStored = async (): Promise<StoredTokens> => {
    for (let [begun, isFirst] = [performance.now(), true]; ; isFirst = false) {
      try {
        const tokens = await sql.transaction(work);
        unstored.delete(keyOf(tried));
        if (!isFirst) for (const connectionId of granted) await restoreAccess(session, connectionId, tokens);
        return tokens;
      } catch (error) {
        const isOver = performance.now() - begun > STORE_PATIENCE_MS;
        if (isOver || !isOutage(error) || !unstored.has(keyOf(tried))) throw error;
      }
      await sleep(STORE_AGAIN_MS);
    }
  };
  try {
    return await inTurn(sql.scope, untilStored);
  } catch (error) {
    if (error instanceof AppError && error.code === 'connection-expired') await endAccess(session, tried);
    throw error;
  }
}

/** Locks the tokens of a connection and of all that have the same; in one order, so that none waits for another. */
async function lockGrant(
  transaction: TenantSql,
  { svcCompanyId, connectionId }: ConnectionKey,
): Promise<readonly number[]> {
  for (;;) {
    const query = transaction.query();
    const company = query.bind(svcCompanyId);
    const rows = await transaction.rows<{ connectionId: number }>(
      query,
      `SELECT t.connection_id AS "connectionId" FROM connection_credentials t
       WHERE ${query.within('t')} AND t.svc_company_id = ${company} AND t.grant_id = (
         SELECT o.grant_id FROM connection_credentials o WHERE ${query.within('o')} AND o.svc_company_id = ${company}
           AND o.connection_id = ${query.bind(connectionId)})
       ORDER BY t.connection_id FOR UPDATE`,
    );
    const locked = rows.map((row) => row.connectionId);
    // It was connected again while the locks were waited for: its tokens are those of another consent now.
    if (locked.length === 0 || locked.includes(connectionId)) return locked;
  }
}

type Renewal = (stored: StoredTokens) => Promise<Tokens>;

/** How this connection's tokens are renewed. It throws `connection-expired` where they cannot be. */
async function renewalOf(session: PlatformSession): Promise<Renewal> {
  const { connector, reach } = session;
  const { access } = connector;
  if (access.kind === 'oauth') {
    const oauth = await oauthClientOf(session, access);
    return async ({ refreshToken }) => {
      if (refreshToken === null) throw expired(connector, 'its access has ended');
      return oauth.refresh(refreshToken);
    };
  }
  return async ({ secrets }) => {
    if (!access.renew) throw expired(connector, 'its access has ended');
    try {
      return await access.renew({ ...reach, secrets });
    } catch (error) {
      if (error instanceof AppError && error.code === 'invalid-params') throw expired(connector, error.words);
      throw error;
    }
  };
}

/** The OAuth client of the organisation's app at the connection's platform. */
export async function oauthClientOf(
  { client, secrets, reach, connector, sql }: Omit<PlatformSession, 'connection'>,
  access: OAuthAccess,
): Promise<OAuthClient> {
  const credentials = await clientCredentials(client, secrets, sql.scope, connector.integrationType);
  return createOAuthClient({ title: connector.title, access, reach, credentials });
}

/**
 * The platform no longer lets anybody in with this access token: the connection is told apart from a healthy one, once,
 * and the company's log says when. False where it has another token by now, renewed or from connecting again: of that
 * one nothing was said.
 */
export async function endAccess(session: PlatformSession, accessToken: string): Promise<boolean> {
  const { sql } = session;
  return sql.transaction(async (transaction) => {
    await lockConnection(transaction, session.connection);
    const stored = await readTokens(session, transaction, true);
    if (stored && stored.accessToken !== accessToken) return false;
    await markExpired(transaction, session.connection);
    return true;
  });
}

/** A connection has tokens that the platform has just given, whatever it said of those before. */
async function restoreAccess(
  session: PlatformSession,
  connectionId: number,
  { accessToken }: StoredTokens,
): Promise<void> {
  const connection = { ...session.connection, connectionId };
  await session.sql.transaction(async (transaction) => {
    await lockConnection(transaction, connection);
    const stored = await readTokens({ ...session, connection }, transaction, true);
    if (stored?.accessToken !== accessToken) return;
    await changeStatus(transaction, connection, { from: 'EXPIRED', to: 'HEALTHY' });
  });
}

/** The connection before its tokens, as everywhere: who ends it or connects it again meanwhile waits, and is not waited for. */
async function lockConnection(transaction: TenantSql, connection: ConnectionKey): Promise<void> {
  const query = transaction.query();
  await transaction.rows(
    query,
    `SELECT FROM connections t WHERE ${query.within('t')} AND t.svc_company_id = ${query.bind(connection.svcCompanyId)}
       AND t.svc_id = ${query.bind(connection.connectionId)} FOR NO KEY UPDATE`,
  );
}

/** Once: of one that is not healthy it is known already. */
const markExpired = (transaction: TenantSql, connection: ConnectionKey): Promise<void> =>
  changeStatus(transaction, connection, { from: 'HEALTHY', to: 'EXPIRED' });

const ACTIVITIES = { HEALTHY: 'CONNECTION_CREATED', EXPIRED: 'CONNECTION_EXPIRED' } as const;

interface StatusChange {
  readonly from: keyof typeof ACTIVITIES;
  readonly to: keyof typeof ACTIVITIES;
}

async function changeStatus(
  transaction: TenantSql,
  connection: ConnectionKey,
  { from, to }: StatusChange,
): Promise<void> {
  const query = transaction.query();
  const rows = await transaction.rows(
    query,
    `UPDATE connections t SET status = ${query.bind(to)}, svc_updated_at = now()
     WHERE ${query.within('t')} AND t.svc_company_id = ${query.bind(connection.svcCompanyId)}
       AND t.svc_id = ${query.bind(connection.connectionId)} AND t.status = ${query.bind(from)} RETURNING 1`,
  );
  if (rows.length === 0) return;
  await noteConnectionActivity(transaction, connection.svcCompanyId, ACTIVITIES[to]);
  await noteConnection(transaction, { ...connection, before: from });
}

export function expired(connector: Connector, reason: string): AppError {
  const message = `the connection to ${connector.title} has expired: ${reason}; the company has to connect it again`;
  return new AppError('connection-expired', message);
}
