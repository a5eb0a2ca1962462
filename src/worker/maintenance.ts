import type { Config } from '../config/config.js';
import { tendFieldIndexes } from '../data/field-indexes.js';
import { databaseTime } from '../db/clock.js';
import type { FileStore } from '../files/file-store.js';
import { forgetOld, isMoreLeft } from '../retention/forget.js';
import { hourly } from '../retention/hourly.js';
import type { Logger } from '../telemetry/log.js';
import type { SyncEngine } from '../sync/engine.js';
import { startDueSyncs } from '../sync/schedule.js';
import { forgetOldKeys } from '../writes/forget-keys.js';

interface MaintenanceOptions {
  readonly config: Config;
  readonly engine: SyncEngine;
  /** The owner's URL, for creating indexes. */
  readonly ownerUrl: string;
  readonly files: FileStore;
  readonly log: Logger;
}

/**
 * Creates the task that one process at a time runs each minute: starts due syncs, maintains indexes of fields, and
 * removes old data.
 */
export function createMaintenance({
  config: { retention },
  engine,
  ownerUrl,
  files,
  log,
}: MaintenanceOptions): (signal: AbortSignal) => Promise<void> {
  const { database } = engine;
  const failed = new Set<string>();
  const forget = hourly(async () => {
    const forgotten = await forgetOld({ database, ownerUrl, files, failed, retention });
    if (Object.values(forgotten).some((count) => count > 0)) log.info({ forgotten }, 'removed expired data');
    return { isMoreLeft: isMoreLeft(forgotten) };
  });
  const tendIndexes = oneAtATime(async () => {
    const tended = await tendFieldIndexes(ownerUrl);
    if (tended.made.length + tended.removed.length > 0)
      log.info({ indexes: tended }, 'maintained field indexes');
  }, log);
  return async (signal) => {
    await startDueSyncs(engine, databaseTime(), signal);
    if (signal.aborted) return;
    tendIndexes();
    await forgetOldKeys(database.pool);
    await forget();
  };
}

/** Starts background work unless it is already running: an index on a large table takes long. */
function oneAtATime(work: () => Promise<void>, log: Logger): () => void {
  let isBusy = false;
  return () => {
    if (isBusy) return;
    isBusy = true;
    void work()
      .catch((error: unknown) => log.error({ err: error }, 'maintaining field indexes failed'))
      .finally(() => (isBusy = false));
  };
}
