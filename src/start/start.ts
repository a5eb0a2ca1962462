import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '../config/config.js';
import type { OwnerDatabase } from '../db/database.js';
import { forkGateways, type Gateway } from '../cluster.js';
import type { Demo } from '../demo/start.js';
import type { Logger } from '../telemetry/log.js';
import { loadModules } from './modules.js';
import { blameSetting, tryPorts } from './ports.js';
import { prepareDatabase } from './prepare-database.js';

export interface Service {
  /** Null in a process that only runs jobs. */
  readonly app: Gateway | null;
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
  /** When aborted: waits no longer for a database that does not answer. */
  readonly signal?: AbortSignal;
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
  { tell = () => undefined, signal, isDraining }: StartOptions & { readonly isDraining: () => boolean },
  started: (() => Promise<void>)[],
): Promise<Omit<Service, 'stop'>> {
  // Before the database and the demo data are created in vain.
  await tryPorts(config);
  const preparing = prepareDatabase({ config, log, tell, signal, started });
  const modules = loadModules(config);
  const { url: databaseUrl, owner, login, database, secrets } = await preparing;
  const { startDemo } = (await modules.demo) ?? {};
  const demo = (await startDemo?.({ config, databaseUrl, database, owner, secrets, log, tell })) ?? null;
  if (demo) started.push(() => demo.stop());
  const urls = { ...demo?.urls, ...config.platformUrls };
  const parts = { config, secrets, urls, log };
  const demoApiKey = demo?.apiKey ?? null;
  // Before the app, so that it stops after it: callers wait for its work.
  const { createWorker } = (await modules.worker) ?? {};
  const worker = await createWorker?.({ ...parts, login, ownerUrl: databaseUrl });
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
        await import('../http/metrics/metrics-server.js')
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
    demoApiKey,
    sandboxUrl: demo?.urls['SVC_SANDBOX'] ?? null,
    metricsUrl: metrics?.url ?? null,
    needsFirstKey: await needsFirstKey(owner, demo),
  };
}

async function needsFirstKey({ pool }: OwnerDatabase, demo: Demo | null): Promise<boolean> {
  return demo === null && (await pool.query('SELECT FROM api_keys LIMIT 1')).rowCount === 0;
}
