import type { ConnectionModel } from '../db/__generated__/models.js';
import type { TenantClient } from '../db/tenant-client.js';

/** A company's link to a platform, as GraphQL shows it (contract section 3, Connection). */
export interface ConnectedPlatform {
  readonly svcId: number;
  readonly svcCompanyId: number;
  readonly integrationType: string;
  readonly category: string;
  readonly status: string;
  readonly syncStatus: string;
  readonly externalAccountId: string;
  readonly lastSyncedAt: string | null;
  readonly svcCreatedAt: string;
  readonly svcUpdatedAt: string;
  readonly rateLimits: RateLimits;
}

/** How much a connection calls its platform. Reference 2.3, rate_limits. */
export interface RateLimits {
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
  return rows.map(present);
}

function present(row: ConnectionModel): ConnectedPlatform {
  return {
    svcId: Number(row.svcId),
    svcCompanyId: Number(row.svcCompanyId),
    integrationType: row.integrationType,
    category: row.category,
    status: row.status,
    syncStatus: row.syncStatus,
    externalAccountId: row.externalAccountId,
    lastSyncedAt: row.lastSyncedAt?.toISOString() ?? null,
    svcCreatedAt: row.svcCreatedAt.toISOString(),
    svcUpdatedAt: row.svcUpdatedAt.toISOString(),
    rateLimits: {
      counters: {
        concurrent: row.concurrentCalls,
        day: row.dayCalls,
        hour: row.hourCalls,
        minute: row.minuteCalls,
      },
      lastReset: {
        day: row.dayResetAt.toISOString(),
        hour: row.hourResetAt.toISOString(),
        minute: row.minuteResetAt.toISOString(),
      },
      maxLimits: { concurrentCalls: row.maxConcurrent, perMinute: row.maxPerMinute },
    },
  };
}
