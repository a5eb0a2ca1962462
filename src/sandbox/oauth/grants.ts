import { randomUUID } from 'node:crypto';
import type { ClientBase, Pool } from 'pg';
import { hashOf, newSecret } from './secrets.js';

/** Access that a user granted to a client, for one account. */
interface Grant {
  readonly id: string;
  readonly account: number;
  readonly client_id: string;
  readonly scope: string;
  readonly revoked_at: Date | null;
}

export interface TokenPair {
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly expiresIn: number;
}

/** A long lifetime: refresh tokens end by use or revocation. */
const REFRESH_SECONDS = 60 * 24 * 3600;

const inSeconds = (seconds: number): Date => new Date(Date.now() + seconds * 1000);

export async function createGrant(
  client: ClientBase | Pool,
  grant: { readonly account: number; readonly clientId: string; readonly scope: string },
): Promise<string> {
  const id = randomUUID();
  await client.query('INSERT INTO grants (id, account, client_id, scope) VALUES ($1, $2, $3, $4)', [
    id,
    grant.account,
    grant.clientId,
    grant.scope,
  ]);
  return id;
}

/** Creates a code for the client to exchange. */
export async function createCode(
  pool: Pool,
  code: {
    readonly grantId: string;
    readonly redirectUri: string;
    readonly challenge: string;
    readonly lifetime: number;
  },
): Promise<string> {
  const secret = newSecret('sac');
  await pool.query(
    'INSERT INTO codes (hash, grant_id, redirect_uri, challenge, expires_at) VALUES ($1, $2, $3, $4, $5)',
    [hashOf(secret), code.grantId, code.redirectUri, code.challenge, inSeconds(code.lifetime)],
  );
  return secret;
}

export async function issueTokens(
  client: ClientBase | Pool,
  grantId: string,
  expiresIn: number,
): Promise<TokenPair> {
  await forgetExpired(client);
  const accessToken = newSecret('sat');
  const refreshToken = newSecret('srt');
  await client.query(
    `INSERT INTO tokens (hash, grant_id, kind, expires_at)
     VALUES ($1, $3, 'access', $4), ($2, $3, 'refresh', $5)`,
    [hashOf(accessToken), hashOf(refreshToken), grantId, inSeconds(expiresIn), inSeconds(REFRESH_SECONDS)],
  );
  return { accessToken, refreshToken, expiresIn };
}

/** Until then a caller learns that its token has expired, and a second use of a code revokes the grant. */
const KEPT_HOURS = 24;
const FORGOTTEN_AT_ONCE = 100;

/** Removes some codes and tokens that expired long ago, and are not being used right now. */
async function forgetExpired(client: ClientBase | Pool): Promise<void> {
  for (const table of ['codes', 'tokens']) {
    await client.query(
      `DELETE FROM ${table} WHERE hash IN (
         SELECT hash FROM ${table} WHERE expires_at < now() - make_interval(hours => $1)
         ORDER BY expires_at LIMIT $2 FOR UPDATE SKIP LOCKED)`,
      [KEPT_HOURS, FORGOTTEN_AT_ONCE],
    );
  }
}

export async function revokeGrant(client: ClientBase | Pool, grantId: string): Promise<void> {
  await client.query('UPDATE grants SET revoked_at = now() WHERE id = $1 AND revoked_at IS NULL', [grantId]);
}

/** A token with its grant. */
interface FoundToken extends Grant {
  readonly kind: 'access' | 'refresh';
  readonly expires_at: Date;
  readonly used_at: Date | null;
}

export async function findToken(
  client: ClientBase | Pool,
  token: string,
  lock: '' | 'FOR UPDATE' = '',
): Promise<FoundToken | null> {
  const { rows } = await client.query<FoundToken>(
    `SELECT grants.id, account, client_id, scope, revoked_at, kind, expires_at, used_at
     FROM tokens JOIN grants ON grants.id = grant_id WHERE hash = $1 ${lock}`,
    [hashOf(token)],
  );
  return rows[0] ?? null;
}

/** Expires an account's access tokens, or revokes all its grants. */
export async function endTokens(pool: Pool, account: number, action: 'expire' | 'revoke'): Promise<void> {
  await pool.query(
    action === 'revoke'
      ? 'UPDATE grants SET revoked_at = now() WHERE account = $1 AND revoked_at IS NULL'
      : `UPDATE tokens SET expires_at = now() - interval '1 second' FROM grants
         WHERE grants.id = grant_id AND account = $1 AND kind = 'access' AND expires_at > now()`,
    [account],
  );
}
