import { createApp } from './app.js';
import { forkGateways, type Gateway } from './cluster.js';
import type { Config } from './config.js';
import { connectDatabase, type Database } from './db/database.js';
import { migrate } from './db/migrations/index.js';
import { openDatabase } from './db/open.js';
import { type Demo, startDemo } from './demo/start.js';
import { migrateJobs } from './jobs/worker.js';
import type { Logger } from './log.js';
import { loadSecretBox } from './secrets/keys.js';
import { createWorker } from './worker.js';
import { NO_HOOKS, type WriteHooks } from './writes/hooks.js';

export interface Service {
  /** Null in a process that only runs jobs. */
  readonly app: Gateway | null;
  readonly embedded: boolean;
  readonly applied: readonly string[];
  /** The key of the demo organisation; null without demo data. */
  readonly demoApiKey: string | null;
  /** Where the sandbox platforms are; null without demo data. */
  readonly sandboxUrl: string | null;
  /** No key exists: somebody has to make the first one. */
  readonly needsFirstKey: boolean;
  /** The service first, then its database. */
  stop(): Promise<void>;
}

/** Called with a line for people while something takes long. */
export type Tell = (line: string) => void;

export interface StartOptions {
  readonly tell?: Tell;
  /** For experiments. */
  readonly hooks?: WriteHooks;
}

/**
 * Everything from nothing: database, migrations, demo platforms and data, server, worker. What was started is stopped
 * when a later step fails.
 */
export async function startService(
  config: Config,
  log: Logger,
  options: StartOptions = {},
): Promise<Service> {
  const started: (() => Promise<void>)[] = [];
  /** Last started, first stopped. */
  const stop = async () => {
    for (const stopOne of started.splice(0).reverse()) await stopOne();
  };
  try {
    return { ...(await startParts(config, log, options, started)), stop };
  } catch (error) {
    await stop().catch((later: unknown) => log.error({ err: later }, 'stopping failed'));
    throw error;
  }
}

async function startParts(
  config: Config,
  log: Logger,
  { tell = () => undefined, hooks = NO_HOOKS }: StartOptions,
  started: (() => Promise<void>)[],
): Promise<Omit<Service, 'stop'>> {
  const opened = await openDatabase(config, 'own');
  started.push(() => opened.close());
  const secrets = loadSecretBox(config);
  const applied = await migrate(opened.url);
  await migrateJobs(opened.url);
  const database = await connectDatabase(opened.url, config, (error) =>
    log.warn({ err: error }, 'a database connection was lost'),
  );
  started.push(() => database.close());
  if (database.role === null) {
    log.warn('the database login may not make roles: statements run as the login itself');
  }
  await database.pool.query('SELECT svc_ensure_change_partitions(3)');
  const demo = config.demoData
    ? await startDemo({ config, databaseUrl: opened.url, database, secrets, log, tell })
    : null;
  if (demo) started.push(() => demo.stop());
  const urls = { ...demo?.urls, ...config.platformUrls };
  const parts = { config, secrets, urls, log };
  const demoApiKey = demo?.apiKey ?? null;
  const app =
    config.role === 'worker'
      ? null
      : config.workers > 1
        ? await forkGateways(config.workers, { databaseUrl: opened.url, urls, demoApiKey }, log)
        : await createApp({ ...parts, database, demoApiKey, hooks });
  if (app) started.push(() => app.close());
  if (config.role !== 'gateway') {
    const worker = await createWorker({ ...parts, databaseUrl: opened.url, hooks });
    started.push(() => worker.stop());
  }
  return {
    app,
    embedded: opened.embedded,
    applied,
    demoApiKey,
    sandboxUrl: demo?.urls['SVC_SANDBOX'] ?? null,
    needsFirstKey: await needsFirstKey(database, demo),
  };
}

async function needsFirstKey(database: Database, demo: Demo | null): Promise<boolean> {
  return demo === null && (await database.prisma.apiKey.count()) === 0;
}
