import { databaseTime } from '../db/clock.js';
import type { Config } from '../config/config.js';
import { integrationTypes } from '../connectors/index.js';
import { connectDatabase } from '../db/database.js';
import type { Login } from '../db/pool/login.js';
import { reportTo } from '../db/reports.js';
import { startDispatcher } from '../events/dispatcher.js';
import { DELIVERY_TIMEOUT_MS } from '../events/send.js';
import { startWorker, type Worker } from '../jobs/worker.js';
import { openFiles } from '../files/index.js';
import type { Logger } from '../telemetry/log.js';
import { meters, watchPool } from '../telemetry/meters.js';
import { createOutboundCaller } from '../outbound/caller.js';
import type { PlatformUrls } from '../platforms/settings.js';
import { countCrash, freeWork } from '../runs/crashes.js';
import { endsOf } from '../runs/states.js';
import type { SecretBox } from '../secrets/secret-box.js';
import type { SyncEngine } from '../sync/engine.js';
import { readChanged } from '../sync/read-changed.js';
import { runSync } from '../sync/run-sync.js';
import { patienceOf, type WriteEngine } from '../writes/engine.js';
import { lookAgain } from '../writes/results/look-again.js';
import { runUpload } from '../writes/upload-job.js';
import { lateReader } from './late-reader.js';
import { createMaintenance } from './maintenance.js';

interface WorkerSettings {
  readonly config: Config;
  /** Login to a migrated database. */
  readonly login: Login;
  /** The owner's URL, for creating indexes. */
  readonly ownerUrl: string;
  readonly secrets: SecretBox;
  readonly urls: PlatformUrls;
  readonly log: Logger;
}

/** Sync statements are large, and no caller waits for them. */
const STATEMENT_MS = 60_000;

/** Initialises each state's counter with 0: Prometheus sees no increase in a series' first value. */
function countFromZero(): void {
  for (const platform of integrationTypes) {
    for (const state of endsOf('sync')) meters.syncs.inc({ platform, state }, 0);
    for (const state of endsOf('upload')) meters.writes.inc({ platform, state }, 0);
  }
}

/** Runs jobs on a separate pool, so that syncs and requests do not wait for each other's connections. */
export async function createWorker({
  config,
  login,
  ownerUrl,
  secrets,
  urls,
  log,
}: WorkerSettings): Promise<Worker> {
  countFromZero();
  const files = await openFiles({ config, secrets, log, now: databaseTime });
  const database = await connectDatabase(
    login,
    {
      poolSize: 2 * config.workerConcurrency + 2,
      limits: { ...config.limits, statementMilliseconds: STATEMENT_MS },
    },
    reportTo(log, config, "a worker's database connection was lost"),
  );
  const outbound = createOutboundCaller({
    allowPrivate: config.allowPrivateAddresses,
    timeoutMs: DELIVERY_TIMEOUT_MS,
  });
  const engine: SyncEngine = {
    database,
    secrets,
    urls,
    outbound,
    log,
    settings: { maxDeletedShare: config.maxDeletedShare, sweepHours: config.sweepHours },
  };
  const writeEngine: WriteEngine = {
    ...engine,
    files: files.store,
    patience: patienceOf(config),
    readChanged,
  };
  const tell = (givenUp: number) => {
    if (givenUp > 0) log.error({ givenUp }, 'work was given up: its workers died one after another');
  };
  try {
    const worker = await startWorker({
      // Its locks and LISTEN need a session.
      login: login.direct,
      concurrency: config.workerConcurrency,
      log,
      tasks: {
        sync: (payload, context) => runSync(engine, payload, context),
        write: (payload, context) => runUpload(writeEngine, payload, context),
        look: (payload) => lookAgain(engine, payload),
      },
      everyMinute: createMaintenance({ config, engine, ownerUrl, files: files.store, log }),
      onDeadWorkers: async (workerIds) => tell(await countCrash(database, { workerIds })),
      onReplacedWorkers: (workerIds) => freeWork(database, workerIds),
      onTooSlow: async (task, payload) => {
        // The duplicate check is simply retried: no caller waits for it.
        if ('itemSvcId' in payload) return;
        const { organisationId, svcCompanyId } = payload;
        const svcId = 'uploadSvcId' in payload ? payload.uploadSvcId : payload.syncSvcId;
        const kind = task === 'sync' ? 'sync' : 'upload';
        tell(await countCrash(database, { kind, organisationId, svcCompanyId, svcId }));
      },
    });
    const dispatcher = startDispatcher(
      {
        database,
        secrets,
        outbound,
        readChanges: lateReader({ config, database, secrets, urls, files, outbound, log }),
        log,
        now: databaseTime,
        random: Math.random,
      },
      login,
    );
    const unwatch = watchPool({ name: 'jobs', ...database });
    const stop = async () => {
      await Promise.all([dispatcher.stop(), worker.stop()]);
      await outbound.close();
      await database.close();
      unwatch();
    };
    return { stop };
  } catch (error) {
    await database.close();
    throw error;
  }
}
