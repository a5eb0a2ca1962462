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
import { withRenewalTurn } from './renewal-turns.js';

/** Session to reach one connection's platform. */
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
  /** Typed-in secrets that renew the access. */
  readonly secrets: Settings;
  /** When to renew; null: only when the platform refuses it. */
  readonly renewAt: number | null;
  /** Whether these credentials were just renewed. */
  readonly isRenewed: boolean;
}

/** Tokens are renewed after this share of their lifetime. */
const USED_SHARE = 0.8;

type CredentialColumn = 'access_token' | 'refresh_token' | 'secrets';

/** Place of a connection's tokens. */
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
  /** Typed-in secrets, if they renew the access; absent: keeps the stored ones. */
  readonly given?: Settings | null;
  /** The same for all connections of the consent, which share tokens. */
  readonly grantId?: string;
}

/**
 * Stores a consent's tokens for a connection, encrypted, replacing any earlier ones. A refresh token kept from an
 * earlier consent stays in that grant.
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

/** Replaces a connection's tokens by renewed ones. */
async function replaceTokens(session: CredentialSession, tokens: Tokens): Promise<void> {
  const { sql, connection } = session;
  const query = sql.query();
  const seal = sealer(session, query);
  await sql.rows(
    query,
    `UPDATE connection_credentials t SET access_token = ${seal(tokens.accessToken, 'access_token')},
       refresh_token = COALESCE(${seal(tokens.refreshToken, 'refresh_token')}, t.refresh_token),
       obtained_at = now(), expires_at = ${query.bind(tokens.expiresAt)}
     WHERE ${query.rowsOf(connection.svcCompanyId, 'connection_id', connection.connectionId)}`,
  );
}

/** Binds encrypted values of a connection's row. */
function sealer({ sql, secrets, connection }: CredentialSession, query: TenantQuery) {
  return (text: string | null, column: CredentialColumn): string => {
    const place = credentialPlace(connection, sql.scope.organisationId, column);
    return query.bind(text === null ? null : secrets.seal(text, place));
  };
}

/** The stored tokens; null if there are none. `lock` prevents concurrent renewals. */
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
     WHERE ${query.rowsOf(connection.svcCompanyId, 'connection_id', connection.connectionId)}${lock ? ' FOR UPDATE' : ''}`,
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

/** Renewals in flight in this process, shared by its callers, which hold one database connection together. */
const renewals = new Map<string, Promise<StoredTokens>>();

/** An access token that should be valid, other than `refused`. Throws `connection-expired`. */
export async function validTokens(session: PlatformSession, refused?: string): Promise<StoredTokens> {
  const stored = await readTokens(session, session.sql, false);
  if (!stored) throw expiredError(session.connector, 'there are no credentials for it');
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

/** Renewed tokens not stored yet, by the refresh token that they replace, which no longer works. */
const unstored = new Map<string, Tokens>();
const STORE_AGAIN_MS = 200;
const STORE_PATIENCE_MS = 30_000;

/**
 * Renews the tokens while locking all connections that share them, so that a refresh token is used only once across
 * processes, and stores the new ones for all before use. If the database is lost in between, they are stored when it is
 * back, here or at the next renewal; another process that used the old ones meanwhile was refused and marked the access
 * as ended.
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
    if (!stored) throw expiredError(connector, 'there are no credentials for it');
    // Another process or connection of the same consent may have been faster; or unstored tokens were just stored.
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
    return await withRenewalTurn(sql.scope, untilStored);
  } catch (error) {
    if (error instanceof AppError && error.code === 'connection-expired') await endAccess(session, tried);
    throw error;
  }
}

/** Locks the tokens of a connection and of all that share them, in a fixed order to avoid deadlocks. */
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
    // It was reconnected while waiting for the locks: its tokens now belong to another consent.
    if (locked.length === 0 || locked.includes(connectionId)) return locked;
  }
}

type Renewal = (stored: StoredTokens) => Promise<Tokens>;

/** How this connection's tokens are renewed. Throws `connection-expired` if they cannot be. */
async function renewalOf(session: PlatformSession): Promise<Renewal> {
  const { connector, reach } = session;
  const { access } = connector;
  if (access.kind === 'oauth') {
    const oauth = await oauthClientOf(session, access);
    return async ({ refreshToken }) => {
      if (refreshToken === null) throw expiredError(connector, 'its access has ended');
      return oauth.refresh(refreshToken);
    };
  }
  return async ({ secrets }) => {
    if (!access.renew) throw expiredError(connector, 'its access has ended');
    try {
      return await access.renew({ ...reach, secrets });
    } catch (error) {
      if (error instanceof AppError && error.code === 'invalid-params')
        throw expiredError(connector, error.words);
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
 * The platform no longer accepts this access token: marks the connection as expired, once, and logs it in the company's
 * activities. False if it has another token by now, from a renewal or reconnecting, which was not refused.
 */
export async function endAccess(session: PlatformSession, accessToken: string): Promise<boolean> {
  const { sql } = session;
  return sql.transaction(async (transaction) => {
    await lockConnection(transaction, session.connection);
    const stored = await readTokens(session, transaction, true);
    if (stored && stored.accessToken !== accessToken) return false;
    // Only once: for an unhealthy one it is already known.
    await changeStatus(transaction, session.connection, { from: 'HEALTHY', to: 'EXPIRED' });
    return true;
  });
}

/** Marks a connection as healthy: it has fresh tokens, even if earlier ones were refused. */
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

/**
 * Locks the connection before its tokens, as everywhere: concurrent disconnects and reconnects wait, without deadlock.
 */
async function lockConnection(transaction: TenantSql, connection: ConnectionKey): Promise<void> {
  const query = transaction.query();
  await transaction.rows(
    query,
    `SELECT FROM connections t WHERE ${query.rowsOf(connection.svcCompanyId, 'svc_id', connection.connectionId)}
     FOR NO KEY UPDATE`,
  );
}

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
     WHERE ${query.rowsOf(connection.svcCompanyId, 'svc_id', connection.connectionId)}
       AND t.status = ${query.bind(from)} RETURNING 1`,
  );
  if (rows.length === 0) return;
  await noteConnectionActivity(transaction, connection.svcCompanyId, ACTIVITIES[to]);
  await noteConnection(transaction, { ...connection, before: from });
}

export function expiredError(connector: Connector, reason: string): AppError {
  const message = `the connection to ${connector.title} has expired: ${reason}; the company has to connect it again`;
  return new AppError('connection-expired', message);
}
