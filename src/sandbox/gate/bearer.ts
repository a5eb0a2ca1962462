import type { Pool } from 'pg';
import { Failure } from '../failure.js';
import { type Call, header } from '../http/call.js';
import { findToken } from '../oauth/grants.js';
import type { Platform } from '../platform.js';
import { type Account, findAccountByKey } from '../store/accounts.js';

/** The account and client that a token belongs to. */
export interface Caller {
  readonly account: Account;
  readonly clientId: string;
  readonly scope: string;
  readonly expiresAt: Date;
}

/** Authenticates a call by its token. Throws `token-...` failures. */
export async function authenticate(pool: Pool, platform: Platform, call: Call): Promise<Caller> {
  const token = tokenOf(platform, call);
  if (token === null) throw new Failure('token-missing', 'there is no access token');
  const found = await findToken(pool, token);
  const account = found && (await findAccountByKey(pool, found.account));
  if (!found || !account || found.kind !== 'access' || found.revoked_at || account.platform !== platform) {
    throw new Failure('token-invalid', 'the access token is not valid');
  }
  if (found.expires_at.getTime() <= Date.now()) {
    throw new Failure('token-expired', 'the access token has expired');
  }
  return { account, clientId: found.client_id, scope: found.scope, expiresAt: found.expires_at };
}

function tokenOf(platform: Platform, call: Call): string | null {
  const match = /^Bearer +([\w.~+/-]+=*)$/i.exec(header(call, 'authorization') ?? '');
  if (match?.[1]) return match[1];
  return platform === 'ecommerce' ? header(call, 'sandbox-shop-access-token') : null;
}

/** Throws if the token lacks the scope that the method needs. */
export function requireScope(caller: Caller, method: string): void {
  const needed = method === 'GET' || method === 'HEAD' ? 'read' : 'write';
  if (!caller.scope.split(' ').includes(needed)) {
    throw new Failure('scope-missing', `the token lacks the scope ${needed}`);
  }
}
