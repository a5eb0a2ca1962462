import { setTimeout as sleep } from 'node:timers/promises';

import type { CallOutcome, CallPermit, RemainingCalls } from '../connectors/platform-access.js';
import type { TenantSql } from '../db/tenant-sql.js';
import {
  type BudgetOptions,
  type ConnectionKey,
  releaseLease,
  type CallLease,
  type Settlement,
  takeLease,
  tryTakeBoth,
} from './budget.js';

/** A place kept this long after a call, for the next one. */
const KEPT_MS = 50;
/** Longer than others that wait for a place take to ask again. */
const YIELD_MS = 30;
/** Calls counted in advance must begin within this time: the platform counts them when they arrive. */
const COUNTED_MS = 1000;
/** Unused calls return to the minute until then: with a second for the statement, they are in its last two slots. */
const RETURNED_MS = 4000;
const MAX_CALLS = 8;
/** A platform that reports less than this is asked for each call, so that its report is known to all processes. */
const PLENTY = { minute: 20, day: 500, appMinute: 200 } as const;

/** A lease in this process. */
interface Place {
  readonly id: string;
  /** The era in which it was asked for. */
  readonly era: number;
  /** Calls in the last count. */
  calls: number;
  /** Counted calls not yet made. */
  left: number;
  countedAt: number;
  remaining: RemainingCalls | undefined;
  timer: NodeJS.Timeout | undefined;
}

/**
 * Permits for a worker that makes many calls to one connection: a place is handed from call to call, and several calls
 * are counted at once, one statement instead of two per call. In the second half of a limit per minute, and after a
 * failure, each call is counted by itself, as in `takePermit`.
 */
export class HeldPermits {
  readonly #kept = new Set<Place>();
  readonly #returning = new Set<Promise<void>>();
  #calls = 1;
  /** Ends with each failure or limit that is near; places of an earlier era are not kept: there may be a pause. */
  #era = 0;
  #isReleased = false;

  constructor(
    private readonly sql: TenantSql,
    private readonly connection: ConnectionKey,
    private readonly options: BudgetOptions,
  ) {}

  readonly permit = async (): Promise<CallPermit> => {
    const place = (await this.#reuse()) ?? (await this.#take());
    place.left -= 1;
    return { done: (outcome) => this.#done(place, outcome) };
  };

  /** Gives back all places that no call has. Does not throw: leases end by themselves. */
  async release(): Promise<void> {
    this.#isReleased = true;
    this.#returnKept();
    await Promise.all(this.#returning);
  }

  async #take(): Promise<Place> {
    const [era, countedAt] = [this.#era, performance.now()];
    const { id, calls } = await takeLease(this.sql, this.connection, this.options, this.#calls);
    return { id, era, calls, left: calls, countedAt, remaining: undefined, timer: undefined };
  }

  async #reuse(): Promise<Place | null> {
    const [place] = this.#kept;
    if (!place) return null;
    this.#unkeep(place);
    const isRecent = performance.now() - place.countedAt < COUNTED_MS;
    if (isRecent && place.left > 0) return place;
    this.#calls = isRecent ? Math.min(MAX_CALLS, this.#calls * 2) : Math.max(1, this.#calls - place.left);
    if (await this.#renewed(place)) return place;
    await this.#releasePlace(place, null);
    // Others may wait for a place: it is theirs now.
    await sleep(YIELD_MS);
    return null;
  }

  async #renewed(place: Place): Promise<boolean> {
    try {
      return (await this.#renew(place, this.#calls)) || (this.#calls > 1 && (await this.#renew(place, 1)));
    } catch (error) {
      this.#return(place);
      throw error;
    }
  }

  async #renew(place: Place, calls: number): Promise<boolean> {
    const countedAt = performance.now();
    const lease: CallLease = { id: place.id, calls, ...settlementOf(place) };
    if (!(await tryTakeBoth(this.sql, this.connection, lease, this.options))) return false;
    place.calls = calls;
    place.left = calls;
    place.countedAt = countedAt;
    return true;
  }

  async #done(place: Place, { status, retryAfterMs, remaining }: CallOutcome): Promise<void> {
    place.remaining = remaining;
    if (this.#isReleased) return this.#releasePlace(place, retryAfterMs);
    const isGood = status !== null && status < 429 && retryAfterMs === null;
    // Points are known only after each call.
    if (!isGood || this.options.points || !hasPlenty(remaining)) {
      this.#era += 1;
      this.#calls = 1;
      this.#returnKept();
    }
    if (place.era === this.#era) this.#keep(place);
    else await this.#releasePlace(place, retryAfterMs);
  }

  #keep(place: Place): void {
    this.#kept.add(place);
    place.timer = setTimeout(() => {
      this.#return(place);
    }, KEPT_MS).unref();
  }

  #unkeep(place: Place): void {
    clearTimeout(place.timer);
    this.#kept.delete(place);
  }

  #returnKept(): void {
    for (const place of this.#kept) this.#return(place);
  }

  #return(place: Place): void {
    this.#unkeep(place);
    const returning = this.#releasePlace(place, null)
      .catch(() => undefined)
      .finally(() => this.#returning.delete(returning));
    this.#returning.add(returning);
  }

  #releasePlace(place: Place, retryAfterMs: number | null): Promise<void> {
    const lease = { id: place.id, ...settlementOf(place) };
    const { remaining } = place;
    return releaseLease(this.sql, { ...this.connection, lease }, this.options, { retryAfterMs, remaining });
  }
}

function settlementOf({ calls, left, countedAt }: Place): Settlement {
  const isInMinute = performance.now() - countedAt < RETURNED_MS;
  return { made: calls - left, unused: left, unusedOfMinute: isInMinute ? left : 0 };
}

function hasPlenty(remaining: RemainingCalls | undefined): boolean {
  const { minute, day, appMinute } = remaining ?? {};
  return (
    (minute ?? PLENTY.minute) >= PLENTY.minute &&
    (day ?? PLENTY.day) >= PLENTY.day &&
    (appMinute ?? PLENTY.appMinute) >= PLENTY.appMinute
  );
}
