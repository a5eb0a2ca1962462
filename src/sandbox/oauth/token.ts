import type { ClientBase } from 'pg';
import type { SandboxContext } from '../context.js';
import { Failure } from '../failure.js';
import { type Call, formBody, header } from '../http/call.js';
import { empty, json, type Reply } from '../http/reply.js';
import type { Platform } from '../platform.js';
import { findAccountByKey } from '../store/accounts.js';
import { inTransaction } from '../store/transaction.js';
import { accountParameter } from './authorize.js';
import { findToken, issueTokens, revokeGrant, type TokenPair } from './grants.js';
import { challengeOf, hashOf, isEqual } from './secrets.js';

/** An error of RFC 6749, section 5.2. */
class TokenError extends Error {
  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

/** The result of an exchange. A `refusal` commits the transaction, which an exception would roll back. */
type Outcome =
  | { readonly tokens: TokenPair; readonly account: number; readonly scope: string }
  | { readonly refusal: TokenError };

/** Others are counted together: callers without a client could fill the statistics with texts of theirs. */
const GRANT_TYPES: readonly string[] = ['authorization_code', 'refresh_token'];

/** The token endpoint. */
export async function exchange(context: SandboxContext, platform: Platform, call: Call): Promise<Reply> {
  try {
    const form = await formBody(call);
    const grantType = form.get('grant_type') ?? '';
    context.statistics.tokenRequest(platform, GRANT_TYPES.includes(grantType) ? grantType : 'other');
    const clientId = authenticateClient(context, platform, call, form);
    const outcome = await inTransaction(context.pool, (client) => {
      if (grantType === 'authorization_code') return exchangeCode(context, client, clientId, form);
      if (grantType === 'refresh_token') return refresh(context, client, clientId, form);
      throw new TokenError(
        'unsupported_grant_type',
        'grant_type must be authorization_code or refresh_token',
      );
    });
    if ('refusal' in outcome) throw outcome.refusal;
    const account = await findAccountByKey(context.pool, outcome.account);
    if (account?.platform !== platform)
      throw new TokenError('invalid_grant', 'the grant is of another platform');
    return json(200, tokenAnswer(platform, account.id, outcome.tokens, outcome.scope));
  } catch (error) {
    if (error instanceof Failure) {
      return json(400, { error: 'invalid_request', error_description: error.message });
    }
    if (!(error instanceof TokenError)) throw error;
    const isClient = error.code === 'invalid_client';
    return json(
      isClient ? 401 : 400,
      { error: error.code, error_description: error.message },
      isClient ? { 'www-authenticate': 'Basic realm="sandbox"' } : {},
    );
  }
}

/** The body that the token endpoint answers with. */
export function tokenAnswer(platform: Platform, accountId: string, tokens: TokenPair, scope: string): object {
  return {
    access_token: tokens.accessToken,
    token_type: 'Bearer',
    expires_in: tokens.expiresIn,
    refresh_token: tokens.refreshToken,
    scope,
    ...(platform === 'payments' ? { account: accountId } : accountParameter(platform, accountId)),
  };
}

/** Revokes the grant of a token; does not report tokens of other clients (RFC 7009). */
export async function revoke(context: SandboxContext, platform: Platform, call: Call): Promise<Reply> {
  const form = await formBody(call);
  try {
    const clientId = authenticateClient(context, platform, call, form);
    const found = await findToken(context.pool, form.get('token') ?? '');
    if (found?.client_id === clientId) await revokeGrant(context.pool, found.id);
    return empty(200);
  } catch (error) {
    if (!(error instanceof TokenError)) throw error;
    return json(401, { error: error.code, error_description: error.message });
  }
}

async function exchangeCode(
  { settings }: SandboxContext,
  client: ClientBase,
  clientId: string,
  form: URLSearchParams,
): Promise<Outcome> {
  const { rows } = await client.query<{
    hash: string;
    grant_id: string;
    redirect_uri: string;
    challenge: string;
    expires_at: Date;
    used_at: Date | null;
    account: number;
    client_id: string;
    scope: string;
  }>(
    `SELECT codes.*, account, client_id, scope FROM codes JOIN grants ON grants.id = grant_id
     WHERE hash = $1 FOR UPDATE`,
    [hashOf(form.get('code') ?? '')],
  );
  const [code] = rows;
  if (!code || code.client_id !== clientId) throw new TokenError('invalid_grant', 'the code is not valid');
  if (code.used_at) {
    await revokeGrant(client, code.grant_id);
    return { refusal: new TokenError('invalid_grant', 'the code was used before: its grant is revoked') };
  }
  if (code.expires_at.getTime() <= Date.now()) throw new TokenError('invalid_grant', 'the code has expired');
  if (code.redirect_uri !== form.get('redirect_uri')) {
    throw new TokenError('invalid_grant', 'redirect_uri is not the one that the code was made for');
  }
  // A code works once: a wrong verifier means that another client has seen it.
  await client.query('UPDATE codes SET used_at = now() WHERE hash = $1', [hashOf(form.get('code') ?? '')]);
  const verifier = form.get('code_verifier') ?? '';
  const isProven = code.challenge === '' ? verifier === '' : isVerified(verifier, code.challenge);
  if (!isProven) {
    await revokeGrant(client, code.grant_id);
    return { refusal: new TokenError('invalid_grant', 'code_verifier does not fit the code_challenge') };
  }
  const tokens = await issueTokens(client, code.grant_id, settings.expiresIn);
  return { tokens, account: code.account, scope: code.scope };
}

const isVerified = (verifier: string, challenge: string): boolean =>
  /^[\w.~-]{43,128}$/.test(verifier) && isEqual(challengeOf(verifier), challenge);

async function refresh(
  { settings }: SandboxContext,
  client: ClientBase,
  clientId: string,
  form: URLSearchParams,
): Promise<Outcome> {
  const token = form.get('refresh_token') ?? '';
  const found = await findToken(client, token, 'FOR UPDATE');
  if (!found || found.client_id !== clientId || found.kind !== 'refresh') {
    throw new TokenError('invalid_grant', 'the refresh token is not valid');
  }
  if (found.revoked_at) throw new TokenError('invalid_grant', 'the grant is revoked');
  if (found.expires_at.getTime() <= Date.now()) {
    throw new TokenError('invalid_grant', 'the refresh token has expired');
  }
  const grace = settings.refreshGrace * 1000;
  if (found.used_at && found.used_at.getTime() + grace <= Date.now()) {
    await revokeGrant(client, found.id);
    return {
      refusal: new TokenError('invalid_grant', 'the refresh token was used before: its grant is revoked'),
    };
  }
  await client.query('UPDATE tokens SET used_at = coalesce(used_at, $2) WHERE hash = $1', [
    hashOf(token),
    new Date(),
  ]);
  const tokens = await issueTokens(client, found.id, settings.expiresIn);
  return { tokens, account: found.account, scope: found.scope };
}

function authenticateClient(
  { settings }: SandboxContext,
  platform: Platform,
  call: Call,
  form: URLSearchParams,
): string {
  const [id, secret] = basic(header(call, 'authorization')) ?? [
    form.get('client_id') ?? '',
    form.get('client_secret') ?? '',
  ];
  const client = settings.clients[platform].find(({ clientId }) => clientId === id);
  if (!client || !isEqual(client.clientSecret, secret)) {
    throw new TokenError('invalid_client', 'client_id or client_secret is wrong');
  }
  return client.clientId;
}

function basic(authorization: string | null): [string, string] | null {
  const match = /^Basic +([A-Za-z0-9+/]+=*)$/i.exec(authorization ?? '');
  if (!match?.[1]) return null;
  const text = Buffer.from(match[1], 'base64').toString('utf8');
  const colon = text.indexOf(':');
  const decode = (part: string): string => {
    try {
      return decodeURIComponent(part.replaceAll('+', ' '));
    } catch {
      return part;
    }
  };
  return colon < 0 ? null : [decode(text.slice(0, colon)), decode(text.slice(colon + 1))];
}
