import type { Platform } from './platform.js';

/** What a platform allows one account; 0 is no limit. */
export interface AccountLimits {
  readonly perMinute: number;
  readonly concurrent: number;
}

/** An application that may ask for access. */
export interface RegisteredClient {
  readonly clientId: string;
  readonly clientSecret: string;
  /** Compared exactly; on loopback hosts the port does not count. */
  readonly redirectUris: readonly string[];
}

/** How the platforms behave. `limits` may change while they run. */
export interface Settings {
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

/** The client of a platform that is always registered. */
export function demoClient(platform: Platform, redirectUris: readonly string[] = []): RegisteredClient {
  const clientId = { accounting: 'sandbox-books', payments: 'sandbox-pay', ecommerce: 'sandbox-shop' }[
    platform
  ];
  return { clientId, clientSecret: `${clientId}-secret`, redirectUris: [...CALLBACKS, ...redirectUris] };
}

/** One application for all three platforms, as a service with one app for the sandbox needs it. */
export const SHARED_CLIENT = { clientId: 'svc-sandbox', clientSecret: 'svc-sandbox-secret' } as const;

export function sharedClient(redirectUris: readonly string[] = []): RegisteredClient {
  return { ...SHARED_CLIENT, redirectUris: [...CALLBACKS, ...redirectUris] };
}
