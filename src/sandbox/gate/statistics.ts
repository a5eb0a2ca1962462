import type { Platform } from '../platform.js';

export interface RequestCount {
  readonly platform: Platform;
  /** The path, with names for its variable parts. */
  readonly path: string;
  readonly method: string;
  readonly status: number;
  readonly account: string | null;
  requests: number;
}

/** Counts since the start or the last reset. */
interface StatisticsReport {
  readonly requests: readonly RequestCount[];
  readonly overLimit: Readonly<Record<string, { readonly minute: number; readonly concurrent: number }>>;
  readonly tokenRequests: Readonly<Record<string, number>>;
  /** Peak number of concurrent calls, by platform and account. */
  readonly peakConcurrent: Readonly<Record<string, number>>;
}

/** Counts client requests. */
export class Statistics {
  private requests = new Map<string, RequestCount>();
  private overLimit = new Map<string, { minute: number; concurrent: number }>();
  private tokenRequests = new Map<string, number>();
  private peaks = new Map<string, number>();

  request(count: Omit<RequestCount, 'requests'>): void {
    const key = [count.platform, count.method, count.path, count.status, count.account].join(' ');
    const known = this.requests.get(key);
    if (known) known.requests += 1;
    else this.requests.set(key, { ...count, requests: 1 });
  }

  overLimitHit(name: string, limit: 'minute' | 'concurrent'): void {
    const known = this.overLimit.get(name) ?? { minute: 0, concurrent: 0 };
    known[limit] += 1;
    this.overLimit.set(name, known);
  }

  tokenRequest(platform: Platform, grantType: string): void {
    const key = `${platform} ${grantType}`;
    this.tokenRequests.set(key, (this.tokenRequests.get(key) ?? 0) + 1);
  }

  running(name: string, count: number): void {
    this.peaks.set(name, Math.max(count, this.peaks.get(name) ?? 0));
  }

  report(): StatisticsReport {
    return {
      requests: [...this.requests.values()],
      overLimit: Object.fromEntries(this.overLimit),
      tokenRequests: Object.fromEntries(this.tokenRequests),
      peakConcurrent: Object.fromEntries(this.peaks),
    };
  }

  reset(): void {
    this.requests = new Map();
    this.overLimit = new Map();
    this.tokenRequests = new Map();
    this.peaks = new Map();
  }
}
