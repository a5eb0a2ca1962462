import { databaseTime } from './db/clock.js';
import type { Config } from './config/config.js';
import { integrationTypes } from './connectors/index.js';
import { tendFieldIndexes } from './data/field-indexes.js';
import type { Surroundings } from './context.js';
import { connectDatabase } from './db/database.js';
import type { Login } from './db/pool/login.js';
import { reportTo } from './db/reports.js';
import type { ReadChanges } from './events/change-events.js';
import { startDispatcher } from './events/dispatcher.js';
import { DELIVERY_TIMEOUT_MS } from './events/send.js';
import { startWorker, type Worker } from './jobs/worker.js';
import { openFiles } from './files/index.js';
import type { Logger } from './log.js';
import { meters, watchPool } from './meters.js';
import { createOutboundCaller } from './outbound/caller.js';
import type { PlatformUrls } from './platforms/settings.js';
import { forgetOld, isMoreLeft } from './retention/forget.js';
import { hourly } from './retention/hourly.js';
import { countCrash, freeWork } from './runs/crashes.js';
import { endsOf } from './runs/states.js';
import type { SecretBox } from './secrets/secret-box.js';
import type { SyncEngine } from './sync/engine.js';
import { readChanged } from './sync/read-changed.js';
import { runSync } from './sync/run-sync.js';
import { startDueSyncs } from './sync/schedule.js';
import { patienceOf, type WriteEngine } from './writes/engine.js';
import { forgetOldKeys } from './writes/forget-keys.js';
import { lookAgain } from './writes/look-again.js';
import { runUpload } from './writes/run-upload.js';

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
  const forget = hourly(async () => {
    const { retention } = config;
    const forgotten = await forgetOld({ database, ownerUrl, files: files.store, retention });
    if (Object.values(forgotten).some((count) => count > 0)) log.info({ forgotten }, 'removed expired data');
    return { isMoreLeft: isMoreLeft(forgotten) };
  });
  const tendIndexes = oneAtATime(async () => {
    const tended = await tendFieldIndexes(ownerUrl);
    if (tended.made.length + tended.removed.length > 0)
      log.info({ indexes: tended }, 'maintained field indexes');
  }, log);
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
      everyMinute: async (signal) => {
        await startDueSyncs(engine, databaseTime(), signal);
        if (signal.aborted) return;
        tendIndexes();
        await forgetOldKeys(database.pool);
        await forget();
      },
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

/** Created when the first event is sent: a process without webhooks needs no GraphQL. */
function lateReader({
  config,
  log,
  ...services
}: Pick<Surroundings, 'database' | 'secrets' | 'urls' | 'files' | 'outbound'> &
  Pick<WorkerSettings, 'config' | 'log'>): ReadChanges {
  let made: Promise<ReadChanges> | null = null;
  const make = async (): Promise<ReadChanges> => {
    const [{ createExecutor }, { executableSchema }, { createToldChanges }] = await Promise.all([
      import('./graphql/execute.js'),
      import('./graphql/schema.js'),
      import('./rest/told-changes.js'),
    ]);
    const { limits } = config;
    const surroundings: Surroundings = {
      ...services,
      limits,
      readChanges: read,
      stopping: new AbortController().signal,
      publicUrl: () => config.publicUrl ?? '',
    };
    return createToldChanges(createExecutor(executableSchema(), { jit: config.jit }), {
      surroundings,
      limits,
      log,
    });
  };
  const read: ReadChanges = async (...wanted) => (await (made ??= make()))(...wanted);
  return read;
}
