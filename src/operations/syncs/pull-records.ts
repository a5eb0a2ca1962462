import type { Connector, PlatformClient, PullResource } from '../../connectors/connector.js';
import type { TenantClient } from '../../db/tenant-client.js';
import type { TenantSql } from '../../db/tenant-sql.js';
import type { StoreTarget } from '../../store/change-log.js';
import { loadLookups } from '../../store/lookups.js';
import { mapObjects } from '../../store/map-objects.js';
import { MOST_IN_BATCH, storeRecords } from '../../store/store-records.js';

/** What a pull did with one record type so far. */
export interface PullProgress {
  readonly dataModel: string;
  /** Objects that the platform sent, those of other kinds left out. */
  read: number;
  created: number;
  updated: number;
  deleted: number;
  unchanged: number;
  /** Objects that could not be mapped: what was wrong with the first few. */
  failed: number;
  readonly problems: string[];
}

export interface PullOptions {
  readonly sql: TenantSql;
  readonly client: TenantClient;
  readonly connector: Connector;
  readonly platform: PlatformClient;
  readonly target: StoreTarget;
  /** Called after every page, and once at the end of each record type. */
  onProgress?(progress: PullProgress, done: boolean): void;
}

const MOST_PROBLEMS = 5;

/**
 * Reads everything that the connector can read and stores it, record type by record type. An object that cannot be
 * mapped is counted and left out; a platform that is away or answers rubbish ends the pull with an AppError, and what
 * was stored until then stays.
 */
export async function pullRecords(options: PullOptions): Promise<PullProgress[]> {
  const { client, connector, target } = options;
  const company = await client.company.findUniqueOrThrow({ where: { svcId: BigInt(target.svcCompanyId) } });
  const report: PullProgress[] = [];
  for (const resource of connector.pulls) {
    report.push(await pullResource(options, resource, company.baseCurrencyCode));
  }
  await client.connection.update({
    where: {
      svcCompanyId_svcId: { svcCompanyId: BigInt(target.svcCompanyId), svcId: BigInt(target.connectionId) },
    },
    data: { lastSyncedAt: new Date() },
  });
  return report;
}

async function pullResource(
  options: PullOptions,
  resource: PullResource,
  baseCurrency: string | null,
): Promise<PullProgress> {
  const { sql, platform, target } = options;
  const { definition } = resource;
  const progress: PullProgress = {
    dataModel: definition.dataModel,
    read: 0,
    created: 0,
    updated: 0,
    deleted: 0,
    unchanged: 0,
    failed: 0,
    problems: [],
  };
  const lookups = await loadLookups(sql, target, resource.lookups ?? [], baseCurrency);
  for await (const page of resource.pages(platform, { since: null, cursor: null })) {
    const { records, unmapped } = mapObjects(resource, page.objects, lookups);
    progress.failed += unmapped.length;
    const shown = unmapped.slice(0, Math.max(0, MOST_PROBLEMS - progress.problems.length));
    progress.problems.push(...shown.map(({ message }) => message));
    progress.read += records.length;
    for (let start = 0; start < records.length; start += MOST_IN_BATCH) {
      const batch = records.slice(start, start + MOST_IN_BATCH);
      const cause = { kind: 'sync', id: null } as const;
      const counts = await storeRecords(sql, { ...target, definition, cause, records: batch });
      progress.created += counts.created;
      progress.updated += counts.updated;
      progress.deleted += counts.deleted;
      progress.unchanged += counts.unchanged;
    }
    options.onProgress?.(progress, false);
  }
  options.onProgress?.(progress, true);
  return progress;
}
