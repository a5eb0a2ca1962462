import type { TenantSql } from '../db/tenant-sql.js';
import type { Logger } from '../log.js';
import { credentialPlace, oauthClientOf, type PlatformSession } from './credentials.js';

/** The tokens that a connection had. */
export interface TakenTokens {
  readonly accessToken: string;
  readonly refreshToken: string | null;
}

interface SealedTokens {
  readonly accessToken: string;
  readonly refreshToken: string | null;
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
     RETURNING t.access_token AS "accessToken", t.refresh_token AS "refreshToken"`,
  );
  if (!row) return null;
  const { organisationId } = transaction.scope;
  const open = (sealed: string, column: 'access_token' | 'refresh_token') =>
    secrets.open(sealed, credentialPlace(connection, organisationId, column));
  try {
    return {
      accessToken: open(row.accessToken, 'access_token'),
      refreshToken: row.refreshToken === null ? null : open(row.refreshToken, 'refresh_token'),
    };
  } catch {
    // The key that sealed them is gone: nobody can use them, and their platform cannot be told.
    return null;
  }
}

/** A platform that is slow to hear it must not hold up what its end is part of. */
const PATIENCE_MS = 5000;

/** Ends a grant at its platform; false where the platform could not be told. Never throws. */
export async function revokeAtPlatform(
  session: Omit<PlatformSession, 'connection'>,
  tokens: TakenTokens,
  log: Logger,
): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), PATIENCE_MS);
  });
  try {
    const oauth = await oauthClientOf(session);
    // A refresh token stands for the whole grant.
    return await Promise.race([oauth.revoke(tokens.refreshToken ?? tokens.accessToken), late]);
  } catch (error) {
    const { integrationType } = session.connector;
    log.warn({ err: error, integrationType }, 'a platform could not be told that its access has ended');
    return false;
  } finally {
    clearTimeout(timer);
  }
}
