import * as oauth from 'oauth4webapi';
import { type Dispatcher, fetch } from 'undici';

import { databaseTime } from '../db/clock.js';
import type { OAuthAccess, Reach, Tokens } from '../connectors/access.js';
import type { PlatformObject } from '../connectors/platform.js';
import { objectOf, textOf } from '../connectors/values/platform-values.js';
import { AppError } from '../errors.js';
import { callSpan, trace, traceHeaders } from '../telemetry/traces.js';

/** The organisation's app at a platform. */
export interface ClientCredentials {
  readonly clientId: string;
  readonly clientSecret: string;
  /** Requested scopes; empty: those that the connector needs. */
  readonly scopes: readonly string[];
}

/** A platform's token endpoint, for one app. */
export interface OAuthClient {
  /** URL to which the end customer is redirected. */
  authorizationUrl(request: {
    readonly redirectUri: string;
    readonly state: string;
    readonly codeVerifier: string;
  }): Promise<string>;
  /** Exchanges the callback for tokens. Throws `invalid-params` if the customer or the platform refused. */
  exchange(request: {
    readonly callback: URLSearchParams;
    readonly redirectUri: string;
    readonly state: string;
    readonly codeVerifier: string;
  }): Promise<{ readonly tokens: Tokens; readonly answer: PlatformObject }>;
  /**
   * Throws `connection-expired` if the platform no longer accepts the refresh token, `conflict` if it refuses the app.
   */
  refresh(refreshToken: string): Promise<Tokens>;
  /** Revokes the grant at the platform; false if that is not possible, or not before `signal` is aborted. */
  revoke(token: string, signal: AbortSignal): Promise<boolean>;
}

interface OAuthClientOptions {
  readonly title: string;
  readonly access: OAuthAccess;
  readonly reach: Reach;
  readonly credentials: ClientCredentials;
}

const TIMEOUT_MS = 15_000;

/** Fresh secrets for one authorisation: 256 bits each. */
export const randomState = (): string => oauth.generateRandomState();
export const randomCodeVerifier = (): string => oauth.generateRandomCodeVerifier();

export function createOAuthClient({ title, access, reach, credentials }: OAuthClientOptions): OAuthClient {
  const { clientId, clientSecret } = credentials;
  const endpoints = access.endpoints(reach);
  const server: oauth.AuthorizationServer = {
    issuer: new URL(endpoints.token).origin,
    authorization_endpoint: endpoints.authorize,
    token_endpoint: endpoints.token,
    ...(endpoints.revoke === null ? {} : { revocation_endpoint: endpoints.revoke }),
  };
  const client: oauth.Client = { client_id: clientId };
  const authentication =
    access.clientAuthentication === 'basic'
      ? oauth.ClientSecretBasic(clientSecret)
      : oauth.ClientSecretPost(clientSecret);
  const options = () => ({
    // Plain HTTP only on this machine; all others must use HTTPS.
    [oauth.allowInsecureRequests]: isLoopback(endpoints.token),
    [oauth.customFetch]: tolerantFetch(title, reach.dispatcher),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });

  return {
    authorizationUrl: async ({ redirectUri, state, codeVerifier }) => {
      const url = new URL(endpoints.authorize);
      const scopes = credentials.scopes.length > 0 ? credentials.scopes : access.scopes;
      const parameters = {
        ...access.parameters,
        response_type: 'code',
        client_id: clientId,
        redirect_uri: redirectUri,
        ...(scopes.length > 0 ? { scope: scopes.join(access.scopeSeparator) } : {}),
        state,
        ...(access.pkce
          ? {
              code_challenge: await oauth.calculatePKCECodeChallenge(codeVerifier),
              code_challenge_method: 'S256',
            }
          : {}),
      };
      for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
      return url.href;
    },
    exchange: async ({ callback, redirectUri, state, codeVerifier }) => {
      try {
        const parameters = oauth.validateAuthResponse(server, client, callback, state);
        const response = await oauth.authorizationCodeGrantRequest(
          server,
          client,
          authentication,
          parameters,
          redirectUri,
          access.pkce ? codeVerifier : oauth.nopkce,
          { ...options(), additionalParameters: access.tokenParameters ?? {} },
        );
        const answer = await oauth.processAuthorizationCodeResponse(server, client, response);
        return { tokens: tokensOf(answer), answer };
      } catch (error) {
        throw refusedBy(title, error, 'invalid-params');
      }
    },
    refresh: async (refreshToken) => {
      try {
        const response = await oauth.refreshTokenGrantRequest(
          server,
          client,
          authentication,
          refreshToken,
          options(),
        );
        return tokensOf(await oauth.processRefreshTokenResponse(server, client, response));
      } catch (error) {
        throw refusedBy(title, error, 'connection-expired');
      }
    },
    revoke: async (token, signal) => {
      if (endpoints.revoke === null) return false;
      try {
        const usual = options();
        const response = await oauth.revocationRequest(server, client, authentication, token, {
          ...usual,
          ...(access.revocation === 'json' && { [oauth.customFetch]: asJson(usual[oauth.customFetch]) }),
          signal: AbortSignal.any([signal, usual.signal]),
        });
        await oauth.processRevocationResponse(response);
        return true;
      } catch {
        return false;
      }
    },
  };
}

/** Sends a form's values as JSON. */
const asJson =
  (send: ReturnType<typeof tolerantFetch>): ReturnType<typeof tolerantFetch> =>
  (url, { headers, body, ...options }) =>
    send(url, {
      ...options,
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(Object.fromEntries(new URLSearchParams(body))),
    });

/**
 * Some platforms omit the required `token_type`, and some refuse with status 200: both are corrected to RFC 6749 (5.1,
 * 5.2); everything else is unchanged.
 */
function tolerantFetch(title: string, dispatcher: Dispatcher) {
  return async (
    url: string,
    { method, headers, body, signal }: oauth.CustomFetchOptions<'POST', URLSearchParams | string>,
  ): Promise<Response> => {
    const { answer, text } = await trace(
      `${method} ${title} OAuth`,
      callSpan(method, new URL(url)),
      async (span) => {
        const answer = await fetch(url, {
          method,
          headers: { ...headers, ...traceHeaders() },
          body,
          dispatcher,
          redirect: 'manual',
          ...(signal ? { signal } : {}),
        });
        span?.set({ 'http.response.status_code': answer.status });
        return { answer, text: await answer.text() };
      },
    );
    const object = objectFrom(text);
    const isRefusal = textOf(object?.['error']) !== null && object?.['access_token'] === undefined;
    const isUntyped = textOf(object?.['access_token']) !== null && object?.['token_type'] === undefined;
    const status = answer.status === 200 && isRefusal ? 400 : answer.status;
    const shown = isUntyped ? JSON.stringify({ ...object, token_type: 'bearer' }) : text;
    const isEmpty = status === 204 || status === 304;
    return new Response(isEmpty ? null : shown, { status, headers: Object.fromEntries(answer.headers) });
  };
}

function objectFrom(text: string): PlatformObject | null {
  try {
    return objectOf(JSON.parse(text));
  } catch {
    return null;
  }
}

function tokensOf(answer: oauth.TokenEndpointResponse): Tokens {
  return {
    accessToken: answer.access_token,
    refreshToken: answer.refresh_token ?? null,
    expiresAt:
      answer.expires_in === undefined ? null : new Date(databaseTime().getTime() + answer.expires_in * 1000),
  };
}

function isLoopback(address: string): boolean {
  return ['127.0.0.1', 'localhost', '[::1]'].includes(new URL(address).hostname);
}

/** Converts a refusal by the platform (or the customer) to our error; only a definite refusal gets the given code. */
function refusedBy(title: string, error: unknown, code: 'invalid-params' | 'connection-expired'): AppError {
  if (error instanceof oauth.AuthorizationResponseError) {
    const denied = error.error === 'access_denied';
    const message = denied
      ? `access to ${title} was not granted`
      : `${title} refused the authorisation: ${describeError(error.error, error.error_description)}`;
    return new AppError('invalid-params', message, 'error', { cause: error, message });
  }
  const refusal = appRefusal(error);
  if (refusal !== null) {
    const message = `${title} refused the app; correct its client_id and client_secret: ${refusal}`;
    return new AppError('conflict', message, [], { cause: error });
  }
  if (error instanceof oauth.ResponseBodyError && isDefinite(error)) {
    const message = `${title} refused the credentials: ${describeError(error.error, error.error_description)}`;
    return new AppError(code, message, [], { cause: error });
  }
  const name = (error as { name?: string } | null)?.name;
  if (name === 'TimeoutError') {
    const message = `${title} did not answer within ${TIMEOUT_MS} ms`;
    return new AppError('platform-timeout', message, [], { cause: error });
  }
  const reason =
    error instanceof oauth.ResponseBodyError
      ? describeError(error.error, error.error_description)
      : (error as Error).message;
  const message = `${title} could not be asked for tokens: ${reason}`;
  return new AppError('platform-unreachable', message, [], { cause: error });
}

/** Errors about a grant (RFC 6749, 5.2) that a renewal can get. */
const OF_GRANT: ReadonlySet<string> = new Set([
  'invalid_grant',
  'invalid_request',
  'invalid_scope',
  'unsupported_grant_type',
  'access_denied',
]);
/** Said with any status; `Access Denied` is Zoho's for too many requests. */
const PASSING = /^(temporarily_unavailable|server_error|slow_down|access denied)$|too_?many|rate_?limit/i;

/** Whether a grant has ended; a proxy's 403, or an error that will pass, says nothing about it. */
const isDefinite = ({ error, status }: oauth.ResponseBodyError): boolean =>
  OF_GRANT.has(error) || ((status === 400 || status === 401) && !PASSING.test(error));

const OF_APP: ReadonlySet<string> = new Set(['invalid_client', 'unauthorized_client']);

/** A platform's error about the app, not about the grant (RFC 6749, 5.2); null for other errors. */
function appRefusal(error: unknown): string | null {
  if (error instanceof oauth.WWWAuthenticateChallengeError) return `status ${error.status}`;
  if (!(error instanceof oauth.ResponseBodyError) || !OF_APP.has(error.error)) return null;
  return describeError(error.error, error.error_description);
}

const describeError = (error: string, description: string | undefined): string =>
  description ? `${description.slice(0, 300)} (${error})` : error;
