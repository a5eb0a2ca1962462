import { databaseTime } from '../db/clock.js';
import type { TenantSql } from '../db/tenant-sql.js';
import type { Logger } from '../log.js';
import { credentialPlace, oauthClientOf, type PlatformSession } from './credentials.js';

/** The tokens that a connection had. */
export interface TakenTokens {
  readonly accessToken: string;
  readonly refreshToken: string | null;
  readonly expiresAt: Date | null;
}

interface SealedTokens {
  readonly accessToken: string;
  readonly refreshToken: string | null;
  readonly expiresAt: string | null;
}

/**
 * Takes a connection's tokens away in the transaction given: from then on nobody here reaches its platform. A renewal
 * that is under way is waited for. Null where there were none, or none that can still be opened.
 */
export async function takeTokens(
  transaction: TenantSql,
  { secrets, connection }: Pick<PlatformSession, 'secrets' | 'connection'>,
): Promise<TakenTokens | null> {
  const query = transaction.query();
  const [row] = await transaction.rows<SealedTokens>(
    query,
    `DELETE FROM connection_credentials t WHERE ${query.within('t')}
       AND t.svc_company_id = ${query.bind(connection.svcCompanyId)}
       AND t.connection_id = ${query.bind(connection.connectionId)}
     RETURNING t.access_token AS "accessToken", t.refresh_token AS "refreshToken",
       t.expires_at AS "expiresAt"`,
  );
  if (!row) return null;
  const { organisationId } = transaction.scope;
  const open = (sealed: string, column: 'access_token' | 'refresh_token') =>
    secrets.open(sealed, credentialPlace(connection, organisationId, column));
  try {
    return {
      accessToken: open(row.accessToken, 'access_token'),
      refreshToken: row.refreshToken === null ? null : open(row.refreshToken, 'refresh_token'),
      expiresAt: row.expiresAt === null ? null : new Date(row.expiresAt),
    };
  } catch {
    // The key that sealed them is gone: nobody can use them, and their platform cannot be told.
    return null;
  }
}

/** A platform that is slow to hear it must not hold up what its end is part of. */
const PATIENCE_MS = 5000;

interface EndingSession extends Omit<PlatformSession, 'connection'> {
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

async function tell(session: EndingSession, { accessToken, ...tokens }: TakenTokens): Promise<boolean> {
  const { reach, externalAccountId } = session;
  const { access } = session.connector;
  if (access.kind === 'form')
    return (await access.end?.({ ...reach, externalAccountId, accessToken })) ?? false;
  const oauth = await oauthClientOf(session, access);
  // A refresh token stands for the whole grant.
  if (!access.end) return oauth.revoke(tokens.refreshToken ?? accessToken);
  const isOver = tokens.expiresAt !== null && tokens.expiresAt <= databaseTime();
  const renewed = isOver && tokens.refreshToken !== null ? await oauth.refresh(tokens.refreshToken) : null;
  return access.end({ ...reach, externalAccountId, accessToken: renewed?.accessToken ?? accessToken });
}
