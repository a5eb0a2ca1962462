import { type Answer } from '../fault-proxy.js';
import { json } from './problems.js';

export const CLIENT = { id: 'ABfakeClientId', secret: 'fakeClientSecret' };

const ACCESS_SECONDS = 3600;
const REFRESH_SECONDS = 8_726_400;

/** A user's consent for one company: its newest refresh token, and the access tokens that came with it. */
interface Grant {
  readonly realmId: string;
  refreshToken: string;
  readonly accessTokens: Set<string>;
}

export interface Request {
  readonly method: string;
  readonly url: URL;
  readonly authorization: string;
  readonly text: string;
}

/** Intuit's consent and tokens, for one user who always says yes. A refresh token works once. */
export class Identity {
  readonly #grants: Grant[] = [];
  readonly #codes = new Map<string, string>();
  #made = 0;

  constructor(private readonly realmId: string) {}

  /** An access token for the company. */
  issue(): string {
    const grant: Grant = { realmId: this.realmId, refreshToken: '', accessTokens: new Set() };
    this.#grants.push(grant);
    return this.#renew(grant);
  }

  /** The company that a token opens. */
  realmOf(token: string): string | null {
    return this.#grants.find(({ accessTokens }) => accessTokens.has(token))?.realmId ?? null;
  }

  /** The user disconnects the app in QuickBooks: no token of the company is worth anything. */
  disconnect(): void {
    this.#grants.length = 0;
  }

  answer({ method, url, authorization, text }: Request): Answer | null {
    switch (`${method} ${url.pathname}`) {
      case 'GET /connect/oauth2':
        return this.#consent(url.searchParams);
      case 'POST /oauth2/v1/tokens/bearer':
        return isClient(authorization) ? this.#tokens(new URLSearchParams(text)) : unknownClient;
      case 'POST /v2/oauth2/tokens/revoke':
        return isClient(authorization) ? this.#revoke(text) : unknownClient;
      default:
        return null;
    }
  }

  #renew(grant: Grant): string {
    this.#made += 1;
    grant.refreshToken = `AB11fake-refresh-${this.#made}`;
    const token = `eyJfake-access-${this.#made}`;
    grant.accessTokens.add(token);
    return token;
  }

  #consent(asked: URLSearchParams): Answer {
    const back = URL.parse(asked.get('redirect_uri') ?? '');
    const isRight = asked.get('client_id') === CLIENT.id && asked.get('response_type') === 'code';
    if (!back || !isRight || !asked.get('scope') || !asked.get('state')) {
      return { status: 400, headers: { 'content-type': 'text/html' }, body: '<h1>invalid_request</h1>' };
    }
    const code = `AB11fake-code-${(this.#made += 1)}`;
    this.#codes.set(code, back.href);
    back.searchParams.set('code', code);
    back.searchParams.set('state', asked.get('state') ?? '');
    back.searchParams.set('realmId', this.realmId);
    return { status: 302, headers: { location: back.href }, body: '' };
  }

  #tokens(form: URLSearchParams): Answer {
    if (form.get('grant_type') === 'authorization_code') {
      const code = form.get('code') ?? '';
      if (this.#codes.get(code) !== form.get('redirect_uri'))
        return invalidGrant('Invalid authorization code');
      this.#codes.delete(code);
      const grant: Grant = { realmId: this.realmId, refreshToken: '', accessTokens: new Set() };
      this.#grants.push(grant);
      return this.#bearer(grant);
    }
    if (form.get('grant_type') !== 'refresh_token') return json(400, { error: 'unsupported_grant_type' });
    const grant = this.#grants.find(({ refreshToken }) => refreshToken === form.get('refresh_token'));
    return grant ? this.#bearer(grant) : invalidGrant('Incorrect or invalid refresh token');
  }

  #bearer(grant: Grant): Answer {
    const token = this.#renew(grant);
    return json(200, {
      token_type: 'bearer',
      access_token: token,
      expires_in: ACCESS_SECONDS,
      refresh_token: grant.refreshToken,
      x_refresh_token_expires_in: REFRESH_SECONDS,
    });
  }

  /** Takes a refresh or an access token, as JSON or a form. */
  #revoke(text: string): Answer {
    const token = text.startsWith('{')
      ? (JSON.parse(text) as { readonly token?: string }).token
      : new URLSearchParams(text).get('token');
    const index = this.#grants.findIndex(
      ({ refreshToken, accessTokens }) => refreshToken === token || accessTokens.has(token ?? ''),
    );
    if (index === -1) return invalidGrant('Token is invalid');
    this.#grants.splice(index, 1);
    return { status: 200, headers: {}, body: '' };
  }
}

const BASIC = `Basic ${Buffer.from(`${CLIENT.id}:${CLIENT.secret}`).toString('base64')}`;
const isClient = (authorization: string): boolean => authorization === BASIC;
const unknownClient = json(401, { error: 'invalid_client' });
const invalidGrant = (description: string): Answer =>
  json(400, { error: 'invalid_grant', error_description: description });
