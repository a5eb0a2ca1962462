import { Failure } from '../failure.js';
import type { AccountLimits } from '../settings.js';
import type { Statistics } from './statistics.js';

interface Meter {
  minute: number;
  calls: number;
  running: number;
}

/** Permission for one call. */
interface Admission {
  /** Calls left in this minute; null without a limit. */
  readonly remaining: number | null;
  readonly leave: () => void;
}

/** Counts each account's calls per calendar minute, and its concurrent calls. */
export class Limiter {
  private readonly meters = new Map<string, Meter>();

  constructor(private readonly statistics: Statistics) {}

  /** Throws `too-many-requests`; rejected calls do not count towards the limits. */
  admit(name: string, { perMinute, concurrent }: AccountLimits, now = Date.now()): Admission {
    const minute = Math.floor(now / 60_000);
    let meter = this.meters.get(name);
    if (!meter) this.meters.set(name, (meter = { minute, calls: 0, running: 0 }));
    if (meter.minute !== minute) Object.assign(meter, { minute, calls: 0 });
    if (perMinute > 0 && meter.calls >= perMinute) {
      const wait = Math.ceil(((minute + 1) * 60_000 - now) / 1000);
      throw this.refuse(name, 'minute', wait, `more than ${perMinute} calls a minute`);
    }
    if (concurrent > 0 && meter.running >= concurrent) {
      throw this.refuse(name, 'concurrent', 1, `more than ${concurrent} calls at once`);
    }
    meter.calls += 1;
    meter.running += 1;
    this.statistics.running(name, meter.running);
    const counted = meter;
    let left = false;
    return {
      remaining: perMinute > 0 ? perMinute - meter.calls : null,
      leave: () => {
        if (!left) counted.running -= 1;
        left = true;
      },
    };
  }

  private refuse(name: string, limit: 'minute' | 'concurrent', wait: number, message: string): Failure {
    this.statistics.overLimitHit(name, limit);
    return new Failure('too-many-requests', message, {
      headers: { 'retry-after': String(Math.max(1, wait)), 'sandbox-limit-problem': limit },
    });
  }
}
