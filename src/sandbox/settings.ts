import type { Platform } from './platform.js';

/** Limits for one account; 0 means no limit. */
export interface AccountLimits {
  readonly perMinute: number;
  readonly concurrent: number;
}

/** An OAuth client application. */
export interface RegisteredClient {
  readonly clientId: string;
  readonly clientSecret: string;
  /** Must match exactly, except for the port on loopback hosts. */
  readonly redirectUris: readonly string[];
}

/** Settings of the platforms. `limits` may change while they run. */
export interface Settings {
  /** Listens on this machine only: what needs no token is not for web pages whose name resolves to it. */
  readonly isLocal: boolean;
  readonly expiresIn: number;
  readonly refreshGrace: number;
  readonly codeLifetime: number;
  readonly idempotency: boolean;
  readonly control: boolean;
  readonly limits: Record<Platform, AccountLimits>;
  readonly clients: Readonly<Record<Platform, readonly RegisteredClient[]>>;
}

export const DEFAULT_LIMITS: AccountLimits = { perMinute: 600, concurrent: 10 };

const CALLBACKS = ['127.0.0.1', 'localhost', '[::1]'].map((host) => `http://${host}/oauth/callback`);

/** The client that is always registered for a platform. */
export function demoClient(platform: Platform, redirectUris: readonly string[] = []): RegisteredClient {
  const clientId = { accounting: 'sandbox-books', payments: 'sandbox-pay', ecommerce: 'sandbox-shop' }[
    platform
  ];
  return { clientId, clientSecret: `${clientId}-secret`, redirectUris: [...CALLBACKS, ...redirectUris] };
}

/** One client for all three platforms, for services that use a single sandbox app. */
export const SHARED_CLIENT = { clientId: 'svc-sandbox', clientSecret: 'svc-sandbox-secret' } as const;

export function sharedClient(redirectUris: readonly string[] = []): RegisteredClient {
  return { ...SHARED_CLIENT, redirectUris: [...CALLBACKS, ...redirectUris] };
}
