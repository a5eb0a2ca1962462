import { randomUUID } from 'node:crypto';

import { type Answer } from '../fault-proxy.js';
import { json } from './problems.js';

export const CLIENT = { id: '1000.FAKECLIENT', secret: 'fake-client-secret' };

const HOUR = 3600;

interface Grant {
  readonly refreshToken: string;
  readonly accessTokens: Set<string>;
}

/** Zoho's consent and tokens, for one user who always says yes. Refusals come with status 200. */
export class Identity {
  readonly #grants: Grant[] = [];
  readonly #codes = new Set<string>();
  /** What callbacks and token answers name. */
  accountsServer = 'https://accounts.zoho.eu';
  apiDomain = 'https://www.zohoapis.eu';

  /** A token for the API. */
  issue(): string {
    const grant: Grant = { refreshToken: `1000.${randomUUID()}`, accessTokens: new Set() };
    this.#grants.push(grant);
    return accessTokenOf(grant);
  }

  opens(token: string): boolean {
    return this.#grants.some(({ accessTokens }) => accessTokens.has(token));
  }

  /** The answer at a path of the accounts server; null at another one. */
  answer(method: string, url: URL, text: string): Answer | null {
    if (url.pathname === '/oauth/v2/auth') return this.#consent(url.searchParams);
    if (method !== 'POST') return null;
    if (url.pathname === '/oauth/v2/token') return this.#token(new URLSearchParams(text));
    if (url.pathname === '/oauth/v2/token/revoke') return this.#revoke(new URLSearchParams(text));
    return null;
  }

  #consent(asked: URLSearchParams): Answer {
    const isOffline = asked.get('access_type') === 'offline' && asked.get('prompt') === 'consent';
    if (asked.get('client_id') !== CLIENT.id || !isOffline) {
      return { status: 400, headers: {}, body: 'invalid request' };
    }
    const code = `1000.${randomUUID()}`;
    this.#codes.add(code);
    const back = new URL(asked.get('redirect_uri') ?? '');
    back.searchParams.set('state', asked.get('state') ?? '');
    back.searchParams.set('code', code);
    back.searchParams.set('location', 'eu');
    back.searchParams.set('accounts-server', this.accountsServer);
    return { status: 302, headers: { location: back.href }, body: '' };
  }

  #token(form: URLSearchParams): Answer {
    if (form.get('client_id') !== CLIENT.id) return json(200, { error: 'invalid_client' });
    if (form.get('client_secret') !== CLIENT.secret) return json(200, { error: 'invalid_client_secret' });
    if (form.get('grant_type') === 'authorization_code') {
      if (!this.#codes.delete(form.get('code') ?? '')) return json(200, { error: 'invalid_code' });
      const grant: Grant = { refreshToken: `1000.${randomUUID()}`, accessTokens: new Set() };
      this.#grants.push(grant);
      return this.#give(grant, { refresh_token: grant.refreshToken });
    }
    const grant = this.#grants.find(({ refreshToken }) => refreshToken === form.get('refresh_token'));
    return grant ? this.#give(grant, {}) : json(200, { error: 'invalid_code' });
  }

  #give(grant: Grant, more: { readonly refresh_token?: string }): Answer {
    return json(200, {
      access_token: accessTokenOf(grant),
      ...more,
      api_domain: this.apiDomain,
      token_type: 'Bearer',
      expires_in: HOUR,
    });
  }

  #revoke(form: URLSearchParams): Answer {
    const index = this.#grants.findIndex(({ refreshToken }) => refreshToken === form.get('token'));
    if (index === -1) return json(200, { error: 'invalid_code' });
    this.#grants.splice(index, 1);
    return json(200, { status: 'success' });
  }
}

function accessTokenOf({ accessTokens }: Grant): string {
  const token = `1000.${randomUUID()}`;
  accessTokens.add(token);
  return token;
}
