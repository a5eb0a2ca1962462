import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

import { forkGateways, type Gateway } from './cluster.js';
import type { Config } from './config/config.js';
import type { Address } from './config/parsers.js';
import { connectDatabase, connectOwner, type OwnerDatabase } from './db/database.js';
import { Login } from './db/pool/login.js';
import { reportTo } from './db/reports.js';
import { migrate } from './db/migrations/index.js';
import { openDatabase } from './db/opening/open.js';
import { renewLimits } from './platforms/renew-limits.js';
import { prepareRuntime, type Runtime } from './db/runtime/index.js';
import { checkPooler } from './db/opening/pooler.js';
import { checkReplicas } from './db/replicas/address.js';
import { type Patience, whenAnswering } from './db/opening/wait.js';
import type { Demo } from './demo/start.js';
import { migrateJobs } from './jobs/worker.js';
import { AppError } from './errors.js';
import type { Logger } from './log.js';
import { refuseKeysOfAnother, refuseOtherKeys } from './operations/secrets/rotate-secrets.js';
import { loadSecretBox, LOGIN_PURPOSE } from './secrets/keys.js';

export interface Service {
  /** Null in a process that only runs jobs. */
  readonly app: Gateway | null;
  readonly embedded: boolean;
  readonly applied: readonly string[];
  /** The key of the demo organisation; null without demo data. */
  readonly demoApiKey: string | null;
  /** URL of the sandbox platforms; null without demo data. */
  readonly sandboxUrl: string | null;
  /** Separate URL of health and metrics; null if there is none. */
  readonly metricsUrl: string | null;
  /** No key exists: the operator has to create the first one. */
  readonly needsFirstKey: boolean;
  /** Stops the service, then its database. */
  stop(options?: StopOptions): Promise<void>;
}

interface StopOptions {
  /** How long to report not ready first. */
  readonly drainSeconds?: number;
  /** When aborted: does not wait for requests and jobs, but still stops the database. */
  readonly hurry?: AbortSignal;
}

/** Steps that take longer are abandoned: jobs of a dead process run again elsewhere. */
const STOP_MS = 5000;

/** Called with a line for people when something takes long. */
type Tell = (line: string) => void;

interface StartOptions {
  readonly tell?: Tell;
}

/**
 * Starts everything: database, migrations, demo platforms and data, server, worker. If a step fails, stops what was
 * started.
 */
export async function startService(
  config: Config,
  log: Logger,
  options: StartOptions = {},
): Promise<Service> {
  const started: (() => Promise<void>)[] = [];
  let app: Gateway | null = null;
  let isDraining = false;
  /** Stops in reverse order; the database, started first, without a time limit. */
  const stop = async ({ drainSeconds = 0, hurry }: StopOptions = {}) => {
    isDraining = true;
    if (app && drainSeconds > 0) {
      app.drain();
      await sleep(drainSeconds * 1000, null, hurry ? { signal: hurry } : {}).catch(() => undefined);
    }
    const over = new AbortController();
    const signal = AbortSignal.any([over.signal, ...(hurry ? [hurry] : [])]);
    const late = sleep(STOP_MS, null, { signal }).catch(() => undefined);
    const [openedFirst, ...rest] = started.splice(0);
    for (const stopOne of rest.reverse()) await Promise.race([stopOne(), late]);
    over.abort();
    await openedFirst?.();
  };
  try {
    const parts = await startParts(config, log, { ...options, isDraining: () => isDraining }, started);
    ({ app } = parts);
    return { ...parts, stop };
  } catch (error) {
    await stop().catch((later: unknown) => log.error({ err: later }, 'stopping failed'));
    throw error;
  }
}

async function startParts(
  config: Config,
  log: Logger,
  { tell = () => undefined, isDraining }: StartOptions & { readonly isDraining: () => boolean },
  started: (() => Promise<void>)[],
): Promise<Omit<Service, 'stop'>> {
  // Before the database and the demo data are created in vain.
  await tryPorts(config);
  const patience: Patience = {
    seconds: config.databaseWaitSeconds,
    onWait: (reason) => tell(`Waiting up to ${config.databaseWaitSeconds} s for the database: ${reason}`),
  };
  const opening = openDatabase(config, 'own', { patience, onServerEnd: (message) => log.error(message) });
  const modules = loadModules(config);
  const opened = await opening;
  started.push(() => opened.close());
  const owner = connectOwner(new Login([opened.url]));
  started.push(() => owner.close());
  const secrets = loadSecretBox(config);
  // The server may go away during preparation; completed steps are not repeated.
  const { applied, runtime } = await whenAnswering(patience, async () => ({
    applied: await refuseKeysOfAnother(owner.pool, secrets).then(() => migrate(opened.url)),
    runtime: await migrateJobs(opened.url)
      // Before the login gets a password from these keys, which would lock out processes with the right ones.
      .then(() => refuseOtherKeys(owner.pool, secrets))
      .then(() =>
        prepareRuntime(opened.url, {
          runtimeUrl: config.databaseRuntimeUrl,
          passwords: secrets.passwords(LOGIN_PURPOSE),
          pooledUrl: opened.pooledUrl,
        }),
      ),
  }));
  refuseOwnerLogin(runtime, config, log);
  const { login } = runtime;
  await whenAnswering(patience, () => checkPooler(login));
  const isGateway = config.role !== 'worker';
  if (isGateway) await checkReplicas(config.databaseReplicaUrls, login);
  const database = await connectDatabase(
    login,
    config,
    reportTo(log, config),
    isGateway ? { ...config, log } : null,
  );
  started.push(() => database.close());
  await (await import('./data/refresh.js')).refreshDataViews(opened.url);
  await renewLimits(owner);
  await database.pool.query('SELECT svc_ensure_change_partitions(3)');
  const { startDemo } = (await modules.demo) ?? {};
  const demo =
    (await startDemo?.({ config, databaseUrl: opened.url, database, owner, secrets, log, tell })) ?? null;
  if (demo) started.push(() => demo.stop());
  const urls = { ...demo?.urls, ...config.platformUrls };
  const parts = { config, secrets, urls, log };
  const demoApiKey = demo?.apiKey ?? null;
  // Before the app, so that it stops after it: callers wait for its work.
  const { createWorker } = (await modules.worker) ?? {};
  const worker = await createWorker?.({ ...parts, login, ownerUrl: opened.url });
  if (worker) started.push(() => worker.stop());
  const gateways =
    config.role !== 'worker' && config.workers > 1
      ? await forkGateways(
          config.workers,
          {
            loginUrls: login.urls,
            directUrls: login.isPooled ? login.direct.urls : null,
            urls,
            demoApiKey,
          },
          log,
        )
      : null;
  const { createApp } = (await modules.app) ?? {};
  const app = gateways ?? (await createApp?.({ ...parts, database, demoApiKey })) ?? null;
  if (app) started.push(() => app.close());
  const metrics = config.metricsAddress
    ? await (
        await import('./http/metrics/metrics-server.js')
      )
        .startMetricsServer({
          address: config.metricsAddress,
          database,
          others: async () => (await gateways?.meters()) ?? [],
          isDraining,
        })
        .catch(blameSetting('METRICS_ADDRESS'))
    : null;
  if (metrics) started.push(() => metrics.close());
  return {
    app,
    embedded: opened.embedded,
    applied,
    demoApiKey,
    sandboxUrl: demo?.urls['SVC_SANDBOX'] ?? null,
    metricsUrl: metrics?.url ?? null,
    needsFirstKey: await needsFirstKey(owner, demo),
  };
}

/** Loads the modules that this process needs while its database starts. */
function loadModules({ role, workers, demoData }: Config) {
  const app = role === 'worker' || workers > 1 ? null : import('./app.js');
  // Errors are reported where the modules are needed.
  if (app) void app.then(() => sleep(SERVER_UNDER_WAY_MS)).then(prepareSchema, () => undefined);
  return {
    demo: demoData ? import('./demo/start.js') : null,
    worker: role === 'gateway' ? null : import('./worker.js'),
    app,
  };
}

/** By then the embedded server process has been started, and takes longer to be ready than loading the schema. */
const SERVER_UNDER_WAY_MS = 60;

const prepareSchema = () =>
  import('./graphql/schema.js').then(({ executableSchema }) => void executableSchema());

/** Warns that row-level security does not restrict requests; production must allow it explicitly. */
function refuseOwnerLogin({ problem }: Runtime, { production, allowOwnerLogin }: Config, log: Logger): void {
  if (problem === null) return;
  const message = `requests log in as the owner of the database, to whom row-level security does not apply: ${problem}`;
  if (!production || allowOwnerLogin) return log.warn(message);
  throw new AppError(
    'invalid-params',
    `${message}. Give a login in DATABASE_RUNTIME_URL, or set ALLOW_OWNER_LOGIN=true`,
  );
}

/** Throws the errors that listening would throw. Tries both ports together: they must differ. */
async function tryPorts({ role, port, host, metricsAddress }: Config): Promise<void> {
  const servers: Server[] = [];
  const listen = async (address: Address) => {
    if (address.port === 0) return;
    const server = createServer().listen(address);
    servers.push(server);
    await once(server, 'listening');
  };
  try {
    if (role !== 'worker') await listen({ port, host });
    if (metricsAddress) await listen(metricsAddress).catch(blameSetting('METRICS_ADDRESS'));
  } finally {
    const open = servers.filter((server) => server.listening);
    await Promise.all(open.map((server) => once(server.close(), 'close')));
  }
}

/** Adds to a listen error the setting at fault, if not PORT or HOST. */
const blameSetting = (setting: string) => (error: unknown) => {
  throw Object.assign(error as Error, { setting });
};

async function needsFirstKey({ pool }: OwnerDatabase, demo: Demo | null): Promise<boolean> {
  return demo === null && (await pool.query('SELECT FROM api_keys LIMIT 1')).rowCount === 0;
}
