import type { Reach, Settings } from './access.js';
import { platformAgent } from './client/platform-agent.js';

/** Access to a platform for one connection, as needed by a client. */
export interface PlatformAccess extends Reach {
  readonly externalAccountId: string;
  /** Maximum pause, requested by the platform, to wait for; a longer one throws PlatformPause. */
  readonly patienceMs: number;
  /** A token for one attempt. `refused` has just got a 401: returns another one if that can help. */
  accessToken(refused?: string): Promise<string>;
  /** Called when the platform no longer accepts this token and no other token would help. */
  ended(token: string): Promise<void>;
  /**
   * Permission for one attempt: resolves when the connection's budget has room, throws PlatformPause if that takes too
   * long.
   */
  permit(): Promise<CallPermit>;
}

/** Remaining quota reported by a platform; null if it reports none. */
export interface RemainingCalls {
  /** Of the account, in the running minute. */
  readonly minute: number | null;
  readonly day: number | null;
  /** Of the app, in the running minute. */
  readonly appMinute?: number | null;
  readonly points?: RemainingPoints | null;
}

/** State of a bucket of points reported by a platform; null if it reports none. */
export interface RemainingPoints {
  readonly left: number;
  readonly capacity: number | null;
  readonly perSecond: number | null;
}

/** Result of one attempt. */
export interface CallOutcome {
  /** Null: no response. */
  readonly status: number | null;
  /** Pause requested by the platform. */
  readonly retryAfterMs: number | null;
  readonly remaining?: RemainingCalls | undefined;
  /** Length of the response's text. */
  readonly length: number;
  /** By the platform's own clock, if reported. */
  readonly answeredAt?: Date | undefined;
}

/** Permission for one attempt; must be returned. */
export interface CallPermit {
  done(outcome: CallOutcome): Promise<void>;
}

/** An unmetered access: for commands with the caller's own token. */
export function plainAccess(options: {
  readonly baseUrl?: string | undefined;
  readonly settings?: Settings;
  readonly accessToken: string;
  readonly externalAccountId: string;
  readonly patienceMs?: number;
}): PlatformAccess {
  return {
    baseUrl: options.baseUrl ?? null,
    settings: options.settings ?? {},
    dispatcher: platformAgent,
    externalAccountId: options.externalAccountId,
    patienceMs: options.patienceMs ?? 90_000,
    accessToken: () => Promise.resolve(options.accessToken),
    ended: () => Promise.resolve(),
    permit: () => Promise.resolve({ done: () => Promise.resolve() }),
  };
}
