import { databaseTime } from '../db/clock.js';
import type { TenantSql } from '../db/tenant-sql.js';
import type { Logger } from '../telemetry/log.js';
import type { SecretBox } from '../secrets/secret-box.js';
import { credentialPlace, oauthClientOf, type PlatformSession, validTokens } from './credentials.js';

/** A connection's former tokens. */
export interface TakenTokens {
  readonly accessToken: string;
  readonly refreshToken: string | null;
  readonly expiresAt: Date | null;
  /** A connection that still uses the same tokens; null if none does. */
  readonly keptBy: number | null;
  /** A new access token shared by all taken with these: a refresh token works once. */
  readonly renewal: { accessToken: Promise<string> | null };
}

interface SealedTokens {
  readonly connectionId: number;
  readonly grantId: string;
  readonly accessToken: string;
  readonly refreshToken: string | null;
  readonly expiresAt: string | null;
}

/**
 * Removes the tokens of a company's connections in the given transaction: from then on nobody here can reach their
 * platforms. Waits for a renewal in flight. Skips connections without tokens, or whose tokens can no longer be
 * decrypted.
 */
export async function takeTokens(
  transaction: TenantSql,
  secrets: SecretBox,
  {
    svcCompanyId,
    connectionIds,
  }: { readonly svcCompanyId: number; readonly connectionIds: readonly number[] },
): Promise<ReadonlyMap<number, TakenTokens>> {
  const rows = await removeTokens(transaction, svcCompanyId, connectionIds);
  const keepers = await findKeepers(transaction, svcCompanyId, rows);
  const renewals = new Map(rows.map(({ grantId }) => [grantId, { accessToken: null }]));
  const taken = rows.flatMap((row): (readonly [number, TakenTokens])[] => {
    const { connectionId, grantId } = row;
    const open = (sealed: string, column: 'access_token' | 'refresh_token') =>
      secrets.open(
        sealed,
        credentialPlace({ svcCompanyId, connectionId }, transaction.scope.organisationId, column),
      );
    try {
      const tokens = {
        accessToken: open(row.accessToken, 'access_token'),
        refreshToken: row.refreshToken === null ? null : open(row.refreshToken, 'refresh_token'),
        expiresAt: row.expiresAt === null ? null : new Date(row.expiresAt),
        keptBy: keepers.get(grantId) ?? null,
        renewal: renewals.get(grantId) ?? { accessToken: null },
      };
      return [[connectionId, tokens]];
    } catch {
      // Their encryption key is gone: nobody can use them, and their platform cannot be notified.
      return [];
    }
  });
  return new Map(taken);
}

/** Same lock order as renewals, to avoid deadlocks. */
async function removeTokens(
  transaction: TenantSql,
  svcCompanyId: number,
  connectionIds: readonly number[],
): Promise<SealedTokens[]> {
  const query = transaction.query();
  const company = query.bind(svcCompanyId);
  return transaction.rows<SealedTokens>(
    query,
    `WITH locked AS (
       SELECT o.svc_company_id, o.connection_id FROM connection_credentials o WHERE ${query.within('o')}
         AND o.svc_company_id = ${company} AND o.connection_id = ANY(${query.bind(connectionIds)}::bigint[])
       ORDER BY o.connection_id FOR UPDATE
     )
     DELETE FROM connection_credentials t USING locked WHERE ${query.within('t')} AND t.svc_company_id = ${company}
       AND t.svc_company_id = locked.svc_company_id AND t.connection_id = locked.connection_id
     RETURNING t.connection_id AS "connectionId", t.grant_id AS "grantId", t.access_token AS "accessToken",
       t.refresh_token AS "refreshToken", t.expires_at AS "expiresAt"`,
  );
}

/** For each grant one of the connections that still have it. */
async function findKeepers(
  transaction: TenantSql,
  svcCompanyId: number,
  taken: readonly SealedTokens[],
): Promise<ReadonlyMap<string, number>> {
  const query = transaction.query();
  const rows = await transaction.rows<{ grantId: string; connectionId: number }>(
    query,
    `SELECT t.grant_id AS "grantId", min(t.connection_id) AS "connectionId" FROM connection_credentials t
     WHERE ${query.within('t')} AND t.svc_company_id = ${query.bind(svcCompanyId)}
       AND t.grant_id = ANY(${query.bind(taken.map(({ grantId }) => grantId))}::uuid[])
     GROUP BY t.grant_id`,
  );
  return new Map(rows.map(({ grantId, connectionId }) => [grantId, connectionId]));
}

/** A slow platform must not delay the whole operation. */
const PATIENCE_MS = 5000;

interface EndingSession extends Omit<PlatformSession, 'connection'> {
  readonly svcCompanyId: number;
  readonly externalAccountId: string;
}

/** Ends only this connection at its platform; false if the platform could not be notified. Never throws. */
export const endAtPlatform = (
  session: EndingSession,
  tokens: TakenTokens,
  log: Pick<Logger, 'warn'>,
): Promise<boolean> => patiently(session, log, (signal) => tell(session, tokens, signal));

/**
 * Ends an access for which no connection was made, unless an existing connection reaches the same account: some
 * platforms would end that one, too. Never throws.
 */
export async function endUnused(
  session: EndingSession,
  tokens: TakenTokens,
  log: Pick<Logger, 'warn'>,
): Promise<void> {
  await patiently(
    session,
    log,
    async (signal) => !(await isReachedByOthers(session)) && tell(session, tokens, signal),
  );
}

async function patiently(
  { connector }: EndingSession,
  log: Pick<Logger, 'warn'>,
  tellIt: (signal: AbortSignal) => Promise<boolean>,
): Promise<boolean> {
  const patience = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => {
      resolve(false);
      patience.abort();
    }, PATIENCE_MS);
  });
  try {
    return await Promise.race([tellIt(patience.signal), late]);
  } catch (error) {
    const { integrationType } = connector;
    log.warn({ err: error, integrationType }, 'a platform could not be notified that its access has ended');
    return false;
  } finally {
    clearTimeout(timer);
  }
}

async function tell(session: EndingSession, tokens: TakenTokens, signal: AbortSignal): Promise<boolean> {
  const { reach, externalAccountId } = session;
  const { access } = session.connector;
  if (access.end) {
    // For the platform it may be one connection, whichever company created it.
    if (access.kind === 'oauth' && (await isReachedByOthers(session))) return false;
    const accessToken = await goodToken(session, tokens);
    return access.end({ ...reach, externalAccountId, accessToken, signal });
  }
  // The platform ends the whole grant: others that share it would end, too.
  if (access.kind === 'form' || tokens.keptBy !== null) return false;
  const oauth = await oauthClientOf(session, access);
  return !signal.aborted && oauth.revoke(tokens.refreshToken ?? tokens.accessToken, signal);
}

/** Whether a living connection of the organisation reaches the same account. */
async function isReachedByOthers({ sql, connector, externalAccountId }: EndingSession): Promise<boolean> {
  const query = sql.query();
  const values = [connector.integrationType, externalAccountId].map((value) => query.bind(value));
  const [found] = await sql.rows<{ isConnected: boolean }>(
    query,
    `SELECT svc_is_account_connected($1, ${values.join(', ')}) AS "isConnected"
     FROM (SELECT $1::bigint AS svc_organisation_id) t WHERE t.svc_organisation_id = $1`,
  );
  return found?.isConnected ?? false;
}

/** An access token to end a connection with. A remaining connection with the same tokens gets renewed ones. */
async function goodToken(session: EndingSession, tokens: TakenTokens): Promise<string> {
  const { accessToken, refreshToken, expiresAt, keptBy, renewal } = tokens;
  const { access } = session.connector;
  if (expiresAt === null || expiresAt > databaseTime()) return accessToken;
  if (keptBy !== null) {
    const connection = { svcCompanyId: session.svcCompanyId, connectionId: keptBy };
    return (await validTokens({ ...session, connection })).accessToken;
  }
  if (access.kind === 'form' || refreshToken === null) return accessToken;
  renewal.accessToken ??= oauthClientOf(session, access)
    .then((oauth) => oauth.refresh(refreshToken))
    .then((renewed) => renewed.accessToken);
  return renewal.accessToken;
}
