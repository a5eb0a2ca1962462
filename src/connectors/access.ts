import type { Dispatcher } from 'undici';

import type { PlatformObject } from './platform.js';

/** Named settings of a connection besides its account and tokens: a shop, a realm, a data centre. */
export type Settings = Readonly<Record<string, string>>;

/** Location of a connection's platform, and how to call it. */
export interface Reach {
  /** Replaces the platform's usual address by the operator's or a typed-in one; null for the usual one. */
  readonly baseUrl: string | null;
  readonly settings: Settings;
  /** Refuses connections to forbidden destinations of typed-in addresses. */
  readonly dispatcher: Dispatcher;
}

interface Asked {
  /** Name in the connector: lower case, words joined by `_`. */
  readonly name: string;
  readonly label: string;
  /** A sentence that says where to find the value. */
  readonly help: string;
}

/** A form field for end customers on the link page. */
export type AccessField =
  /** The platform's address, at most one per form. It becomes the connection's `baseUrl`. */
  | (Asked & { readonly type: 'address' })
  /** Kept in `settings`. Values used in a URL need a pattern: anybody may type them in. */
  | (Asked & { readonly type: 'text'; readonly pattern: RegExp; readonly expected: string })
  | (Asked & {
      readonly type: 'choice';
      readonly choices: readonly { readonly value: string; readonly label: string }[];
    })
  /** Never shown again; stored, encrypted, if it can renew the access. */
  | (Asked & { readonly type: 'secret' });

/** Typed-in values by field name. */
export interface Given {
  readonly address: string | null;
  readonly settings: Settings;
  readonly secrets: Settings;
}

/** Tokens issued by a platform for a code, a refresh token or a form. */
export interface Tokens {
  readonly accessToken: string;
  /** Null: the previous one stays valid. */
  readonly refreshToken: string | null;
  /** Null: valid until the platform refuses it. */
  readonly expiresAt: Date | null;
}

/** An account at a platform. */
export interface PlatformAccount {
  /** Stable id: connecting it again is the same connection. Unique across all typed-in addresses. */
  readonly externalAccountId: string;
  readonly name: string | null;
  /** ISO 4217, if reported by the platform. */
  readonly baseCurrency: string | null;
  /** Settings of this account, in addition to those of the access. */
  readonly settings?: Settings;
}

/** An opened access: one of its accounts becomes a connection. */
export interface Opened {
  /** The first is offered first. */
  readonly accounts: readonly PlatformAccount[];
  readonly tokens: Tokens;
  /** In addition to typed-in ones. */
  readonly settings: Settings;
}

/** A connection whose access ends. */
export interface Ending extends Reach {
  readonly externalAccountId: string;
  readonly accessToken: string;
  /** Nothing may reach the platform after it: the account may be connected again by then. */
  readonly signal: AbortSignal;
}

/** How a company grants us access. */
export type Access = OAuthAccess | FormAccess;

/** A form on the link page, such as an address and an API key. The organisation needs no app at the platform. */
export interface FormAccess {
  readonly kind: 'form';
  readonly fields: readonly AccessField[];
  /** Throws `invalid-params`, with the name of a field, if the values give no access. */
  open(given: Reach & Pick<Given, 'secrets'>): Promise<Opened>;
  /** Replaces expired tokens, for example by logging in again. Throws `invalid-params` on a definite refusal. */
  renew?(given: Reach & Pick<Given, 'secrets'>): Promise<Tokens>;
  /** Ends only this connection at the platform; false if it could not. */
  end?(ending: Ending): Promise<boolean>;
}

/** OAuth 2 by authorisation code (RFC 6749), with PKCE (RFC 7636) if the platform supports it. */
export interface OAuthAccess {
  readonly kind: 'oauth';
  /** Asked before the end customer is sent to the platform. */
  readonly fields: readonly AccessField[];
  /** Unless the organisation's app has its own scopes. */
  readonly scopes: readonly string[];
  readonly scopeSeparator: ' ' | ',';
  readonly pkce: boolean;
  /** How the token endpoint expects the client's secret: in the Authorization header or in the form. */
  readonly clientAuthentication: 'basic' | 'post';
  /** How the revocation endpoint expects the token, if not in a form (RFC 7009). */
  readonly revocation?: 'json';
  /** Additional authorisation parameters, such as `access_type`. */
  readonly parameters?: Settings;
  /** Additional parameters of the exchange of a code, such as one that requests tokens that expire. */
  readonly tokenParameters?: Settings;
  endpoints(reach: Pick<Reach, 'baseUrl' | 'settings'>): OAuthEndpoints;
  /**
   * Settings to store from the callback, such as a realm or a server for this account. Throws `invalid-params` if the
   * callback is not the platform's: some platforms sign its parameters with the app's secret.
   */
  readCallback?(callback: URLSearchParams, app: { readonly clientSecret: string }): Settings;
  /** Settings to store from a token response, such as the API's base URL for this account. */
  readTokenAnswer?(answer: PlatformObject): Settings;
  /** The accounts that a fresh access token opens, the last chosen one first. */
  accounts(access: Reach & { readonly accessToken: string }): Promise<readonly PlatformAccount[]>;
  /** Ends only this connection of its user; absent if revoking its tokens does that. */
  end?(ending: Ending): Promise<boolean>;
}

interface OAuthEndpoints {
  readonly authorize: string;
  readonly token: string;
  readonly revoke: string | null;
}
