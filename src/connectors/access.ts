import type { Dispatcher } from 'undici';

import type { PlatformObject } from './connector.js';

/** What is known of a connection beside its account and its tokens, by name: a shop, a realm, a data centre. */
export type Settings = Readonly<Record<string, string>>;

/** Where a connection's platform is, and how it is called there. */
export interface Reach {
  /** In place of the platform's usual address: the operator's, or the one that was typed in; null for the usual one. */
  readonly baseUrl: string | null;
  readonly settings: Settings;
  /** Refuses to connect to where an address that was typed in must not lead. */
  readonly dispatcher: Dispatcher;
}

interface Asked {
  /** What the connector knows it by: lower case, words joined by `_`. */
  readonly name: string;
  readonly label: string;
  /** A sentence that says where the answer is found. */
  readonly help: string;
}

/** A question that an end customer answers on the link page. */
export type AccessField =
  /** The platform's address, one a form at most. It becomes the `baseUrl` of the connection. */
  | (Asked & { readonly type: 'address' })
  /** Kept in `settings`. What goes into an address needs a pattern: it is typed in by anybody. */
  | (Asked & { readonly type: 'text'; readonly pattern: RegExp; readonly expected: string })
  | (Asked & {
      readonly type: 'choice';
      readonly choices: readonly { readonly value: string; readonly label: string }[];
    })
  /** Never shown again; kept, sealed, where the access can be renewed with it. */
  | (Asked & { readonly type: 'secret' });

/** What was typed in, by names of fields. */
export interface Given {
  readonly address: string | null;
  readonly settings: Settings;
  readonly secrets: Settings;
}

/** What a platform gives for a code, a refresh token or a form. */
export interface Tokens {
  readonly accessToken: string;
  /** Null: the one before stays good. */
  readonly refreshToken: string | null;
  /** Null: it is good until the platform refuses it. */
  readonly expiresAt: Date | null;
}

/** An account at a platform. */
export interface PlatformAccount {
  /** Stable id: connecting it again is the same connection. Unique over all addresses that may be typed in. */
  readonly externalAccountId: string;
  readonly name: string | null;
  /** ISO 4217, where the platform says. */
  readonly baseCurrency: string | null;
  /** Of this account, in addition to those of the access. */
  readonly settings?: Settings;
}

/** What an access opened: one of the accounts becomes a connection. */
export interface Opened {
  /** The first is offered first. */
  readonly accounts: readonly PlatformAccount[];
  readonly tokens: Tokens;
  /** In addition to those that were typed in. */
  readonly settings: Settings;
}

/** A connection whose access ends. */
export interface Ending extends Reach {
  readonly externalAccountId: string;
  readonly accessToken: string;
}

/** How a company lets us in. */
export type Access = OAuthAccess | FormAccess;

/** A form on the link page, such as an address and an API key. The organisation needs no app at the platform. */
export interface FormAccess {
  readonly kind: 'form';
  readonly fields: readonly AccessField[];
  /** Throws `invalid-params`, with the name of a field, where what was given opens nothing. */
  open(given: Reach & Pick<Given, 'secrets'>): Promise<Opened>;
  /** Tokens in place of those that ended, as by logging in again. Throws `invalid-params` for a definite no. */
  renew?(given: Reach & Pick<Given, 'secrets'>): Promise<Tokens>;
  /** Ends this connection at the platform and no other; false where it could not. */
  end?(ending: Ending): Promise<boolean>;
}

/** OAuth 2 by authorisation code (RFC 6749), with PKCE (RFC 7636) where the platform knows it. */
export interface OAuthAccess {
  readonly kind: 'oauth';
  /** Asked before the end customer is sent to the platform. */
  readonly fields: readonly AccessField[];
  /** Unless the organisation's app has scopes of its own. */
  readonly scopes: readonly string[];
  readonly scopeSeparator: ' ' | ',';
  readonly pkce: boolean;
  /** How the token endpoint wants the client's secret: in the Authorization header or in the form. */
  readonly clientAuthentication: 'basic' | 'post';
  /** What else the platform wants to be told when it is asked, such as `access_type`. */
  readonly parameters?: Settings;
  endpoints(reach: Pick<Reach, 'baseUrl' | 'settings'>): OAuthEndpoints;
  /**
   * What of the platform's answer is kept, such as a realm or a server for this account. Throws `invalid-params` where
   * the answer is not the platform's: who signs its parameters does so with the app's secret.
   */
  readCallback?(callback: URLSearchParams, app: { readonly clientSecret: string }): Settings;
  /** What of a token answer is kept, such as the address of the API for this account. */
  readTokenAnswer?(answer: PlatformObject): Settings;
  /** The accounts that a fresh access token opens, the one that was chosen last first. */
  accounts(access: Reach & { readonly accessToken: string }): Promise<readonly PlatformAccount[]>;
  /** Ends this connection and no other of its user; absent where revoking its tokens does that. */
  end?(ending: Ending): Promise<boolean>;
}

interface OAuthEndpoints {
  readonly authorize: string;
  readonly token: string;
  readonly revoke: string | null;
}
