import { databaseTime } from '../db/clock.js';
import type { ConnectionModel } from '../db/__generated__/models.js';
import type { TenantClient } from '../db/tenant-client.js';

/** A company's link to a platform, as GraphQL shows it (Reference 2.3, Connection). */
export interface ConnectedPlatform {
  readonly svcId: number;
  readonly svcCompanyId: number;
  readonly integrationType: string;
  readonly category: string;
  readonly status: string;
  readonly syncStatus: string;
  readonly externalAccountId: string;
  readonly accountName: string | null;
  readonly lastSyncedAt: string | null;
  /** When a paused sync resumes. */
  readonly syncResumeAt: string | null;
  readonly svcCreatedAt: string;
  readonly svcUpdatedAt: string;
  readonly rateLimits: RateLimits;
}

/** A connection's call counts and limits. Reference 2.3, rate_limits. */
interface RateLimits {
  readonly counters: {
    readonly concurrent: number;
    readonly day: number;
    readonly hour: number;
    readonly minute: number;
  };
  readonly lastReset: { readonly day: string; readonly hour: string; readonly minute: string };
  readonly maxLimits: { readonly concurrentCalls: number; readonly perMinute: number };
}

/** The connections of some companies, oldest first. */
export async function listConnections(
  client: TenantClient,
  companyIds: readonly number[],
): Promise<ConnectedPlatform[]> {
  const rows = await client.connection.findMany({
    where: { svcCompanyId: { in: companyIds.map(BigInt) } },
    orderBy: { svcId: 'asc' },
  });
  return rows.map((row) => present(row, databaseTime().getTime()));
}

const SECOND_MS = 1000;
const WINDOW_MS = { minute: 60 * SECOND_MS, hour: 3600 * SECOND_MS, day: 86_400 * SECOND_MS } as const;

function present(row: ConnectionModel, now: number): ConnectedPlatform {
  // The counter resets at the first call of a window: until then the row has the count and time of an old one.
  const windowsAgo = (unit: keyof typeof WINDOW_MS, resetAt: Date) =>
    Math.max(0, Math.floor((now - resetAt.getTime()) / WINDOW_MS[unit]));
  const counted = (unit: keyof typeof WINDOW_MS, calls: number, resetAt: Date) =>
    windowsAgo(unit, resetAt) > 0 ? 0 : calls;
  const resetOf = (unit: keyof typeof WINDOW_MS, resetAt: Date) =>
    new Date(resetAt.getTime() + windowsAgo(unit, resetAt) * WINDOW_MS[unit]).toISOString();
  return {
    svcId: Number(row.svcId),
    svcCompanyId: Number(row.svcCompanyId),
    integrationType: row.integrationType,
    category: row.category,
    status: row.status,
    syncStatus: row.syncStatus,
    externalAccountId: row.externalAccountId,
    accountName: row.accountName,
    lastSyncedAt: row.lastSyncedAt?.toISOString() ?? null,
    syncResumeAt: row.syncResumeAt?.toISOString() ?? null,
    svcCreatedAt: row.svcCreatedAt.toISOString(),
    svcUpdatedAt: row.svcUpdatedAt.toISOString(),
    rateLimits: {
      counters: {
        concurrent: row.concurrentCalls,
        day: counted('day', row.dayCalls, row.dayResetAt),
        hour: counted('hour', row.hourCalls, row.hourResetAt),
        minute: counted('minute', row.minuteCalls, row.minuteResetAt),
      },
      lastReset: {
        day: resetOf('day', row.dayResetAt),
        hour: resetOf('hour', row.hourResetAt),
        minute: resetOf('minute', row.minuteResetAt),
      },
      maxLimits: { concurrentCalls: row.maxConcurrent, perMinute: row.maxPerMinute },
    },
  };
}
