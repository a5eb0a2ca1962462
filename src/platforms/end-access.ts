import { databaseTime } from '../db/clock.js';
import type { TenantSql } from '../db/tenant-sql.js';
import type { Logger } from '../log.js';
import type { SecretBox } from '../secrets/secret-box.js';
import { credentialPlace, oauthClientOf, type PlatformSession, validTokens } from './credentials.js';

/** The tokens that a connection had. */
export interface TakenTokens {
  readonly accessToken: string;
  readonly refreshToken: string | null;
  readonly expiresAt: Date | null;
  /** A connection that lives on with the same tokens; null where none does. */
  readonly keptBy: number | null;
  /** A new access token for all that were taken with these: a refresh token works once. */
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
 * Takes the tokens of a company's connections away in the transaction given: from then on nobody here reaches their
 * platforms. A renewal that is under way is waited for. Those are left out that had none, or none that can still be opened.
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
      // The key that sealed them is gone: nobody can use them, and their platform cannot be told.
      return [];
    }
  });
  return new Map(taken);
}

/** In the order of renewals, so that neither waits for the other. */
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

/** A platform that is slow to hear it must not hold up what its end is part of. */
const PATIENCE_MS = 5000;

interface EndingSession extends Omit<PlatformSession, 'connection'> {
  readonly svcCompanyId: number;
  readonly externalAccountId: string;
}

/** Ends a connection at its platform, and no other one; false where the platform could not be told. Never throws. */
export async function endAtPlatform(
  session: EndingSession,
  tokens: TakenTokens,
  log: Pick<Logger, 'warn'>,
): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), PATIENCE_MS);
  });
  try {
    return await Promise.race([tell(session, tokens), late]);
  } catch (error) {
    const { integrationType } = session.connector;
    log.warn({ err: error, integrationType }, 'a platform could not be told that its access has ended');
    return false;
  } finally {
    clearTimeout(timer);
  }
}

async function tell(session: EndingSession, tokens: TakenTokens): Promise<boolean> {
  const { reach, externalAccountId } = session;
  const { access } = session.connector;
  if (access.end) {
    // To the platform it may be one connection, whichever company made it.
    if (access.kind === 'oauth' && (await isReachedByOthers(session))) return false;
    return access.end({ ...reach, externalAccountId, accessToken: await goodToken(session, tokens) });
  }
  // What ends at the platform is the whole grant: others that have it would end with it.
  if (access.kind === 'form' || tokens.keptBy !== null) return false;
  const oauth = await oauthClientOf(session, access);
  return oauth.revoke(tokens.refreshToken ?? tokens.accessToken);
}

/** Whether another company of the organisation has connected the same account. */
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

/** An access token to end a connection with. A connection that lives on with the same tokens keeps those that a renewal gives. */
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
