import { createHmac } from 'node:crypto';

import { type Answer } from '../fault-proxy.js';
import { json } from './problems.js';

export const CLIENT = { id: 'c0ffee00c0ffee00c0ffee00c0ffee00', secret: 'shpss_fakeClientSecret' };

/** The app's tokens for the shop: with new ones, the refresh token before them is worth nothing. */
interface Grant {
  refreshToken: string;
  readonly accessTokens: Set<string>;
}

/** Shopify's consent and tokens, for one shop whose owner always says yes. */
export class Identity {
  readonly #grants: Grant[] = [];
  readonly #codes = new Set<string>();
  #made = 0;

  constructor(private readonly domain: string) {}

  issue(): string {
    const grant: Grant = { refreshToken: '', accessTokens: new Set() };
    this.#grants.push(grant);
    return this.#renew(grant);
  }

  isKnown(token: string): boolean {
    return this.#grants.some(({ accessTokens }) => accessTokens.has(token));
  }

  /** The owner uninstalls the app. */
  uninstall(): void {
    this.#grants.length = 0;
  }

  answer(method: string, url: URL, text: string): Answer | null {
    if (`${method} ${url.pathname}` === 'GET /admin/oauth/authorize') return this.#consent(url.searchParams);
    if (`${method} ${url.pathname}` === 'POST /admin/oauth/access_token')
      return this.#tokens(new URLSearchParams(text));
    return null;
  }

  #renew(grant: Grant): string {
    this.#made += 1;
    grant.refreshToken = `shprt_fake${this.#made}`;
    const token = `shpat_fake${this.#made}`;
    grant.accessTokens.add(token);
    return token;
  }

  #consent(asked: URLSearchParams): Answer {
    const back = URL.parse(asked.get('redirect_uri') ?? '');
    if (
      !back ||
      asked.get('client_id') !== CLIENT.id ||
      !asked.get('scope') ||
      asked.get('scope')?.includes(' ')
    ) {
      return {
        status: 400,
        headers: { 'content-type': 'text/html' },
        body: '<h1>Oauth error invalid_request</h1>',
      };
    }
    const code = `fakecode${(this.#made += 1)}`;
    this.#codes.add(code);
    const answer = {
      code,
      host: Buffer.from(`admin.shopify.com/store/${this.domain.split('.')[0]}`).toString('base64'),
      shop: this.domain,
      state: asked.get('state') ?? '',
      timestamp: '1772359200',
    };
    for (const [name, value] of Object.entries(signed(answer))) back.searchParams.set(name, value);
    return { status: 302, headers: { location: back.href }, body: '' };
  }

  #tokens(form: URLSearchParams): Answer {
    if (form.get('client_id') !== CLIENT.id || form.get('client_secret') !== CLIENT.secret) {
      return json(400, { error: 'invalid_client', error_description: 'Client authentication failed' });
    }
    if (form.get('grant_type') === 'refresh_token') {
      const grant = this.#grants.find(({ refreshToken }) => refreshToken === form.get('refresh_token'));
      return grant ? this.#bearer(grant) : json(400, { error: 'invalid_grant' });
    }
    if (!this.#codes.delete(form.get('code') ?? '')) {
      return json(400, {
        error: 'invalid_request',
        error_description: 'The authorization code was not found or was already used',
      });
    }
    // Without that, Shopify issues a token that never expires, which it accepts from fewer and fewer apps.
    if (form.get('expiring') !== '1') return json(200, { access_token: this.issue(), scope: 'read_orders' });
    const grant: Grant = { refreshToken: '', accessTokens: new Set() };
    this.#grants.push(grant);
    return this.#bearer(grant);
  }

  /** Shopify does not say which type of token it is. */
  #bearer(grant: Grant): Answer {
    const token = this.#renew(grant);
    return json(200, {
      access_token: token,
      scope: 'read_orders,read_products,read_customers,read_inventory',
      expires_in: 3600,
      refresh_token: grant.refreshToken,
      refresh_token_expires_in: 7_776_000,
    });
  }
}

/** The parameters of a redirect with their signature. */
export function signed(parameters: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const message = Object.entries(parameters)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, value]) => `${name}=${value}`)
    .join('&');
  return { ...parameters, hmac: createHmac('sha256', CLIENT.secret).update(message).digest('hex') };
}
