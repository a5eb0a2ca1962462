import cluster, { type Worker } from 'node:cluster';
import { setTimeout as sleep } from 'node:timers/promises';

import { type Config } from './config.js';
import { connectDatabase } from './db/database.js';
import { Login } from './db/login.js';
import { reportTo } from './db/reports.js';
import { whenAnswering } from './db/wait.js';
import type { Logger } from './log.js';
import { readMeters, type ReadMeters } from './meters.js';
import { answerAsks, askMeters } from './meters-exchange.js';
import type { PlatformUrls } from './platforms/settings.js';
import { loadSecretBox } from './secrets/keys.js';

/** What answers requests: the app in this process, or several processes behind one port. */
export interface Gateway {
  /** `http://host:port` without a slash at the end. */
  readonly url: string;
  /** Says that it is not ready, and answers requests as before. */
  drain(): void;
  /** Stops taking requests and finishes the ones under way. */
  close(): Promise<void>;
}

/** Several processes. */
export interface Gateways extends Gateway {
  /** What each of them counted. */
  meters(): Promise<readonly ReadMeters[]>;
}

/** What the first process has made ready for those that answer requests. */
interface Handed {
  /** Of requests: see `Login`. */
  readonly loginUrls: readonly [string, ...string[]];
  /** Null without a pooler. */
  readonly directUrls: readonly [string, ...string[]] | null;
  readonly urls: PlatformUrls;
  readonly demoApiKey: string | null;
}

const DRAIN = 'drain';
const PATIENCE_MS = 4500;
const VARIABLE = 'SVC_HANDED';
/** A process that ended by itself is replaced after this long; a fault at every start must not spin. */
const RESPAWN_MS = 1000;

/** Forks `count` gateway processes that share one port; one that dies is replaced. */
export async function forkGateways(count: number, handed: Handed, log: Logger): Promise<Gateways> {
  let stopping = false;
  const everybody = (): Worker[] => Object.values(cluster.workers ?? {}).filter((one) => one !== undefined);
  const fork = (): Promise<string> => {
    const worker = cluster.fork({ [VARIABLE]: JSON.stringify(handed) });
    // Its channel may be gone before its exit is told.
    worker.on('error', (error) => log.debug({ err: error }, 'a gateway process is not heard'));
    answerAsks(worker, async () => {
      const others = everybody().filter((one) => one !== worker && one.isConnected());
      return [await readMeters(), ...(await Promise.all(others.map(askMeters))).flat()];
    });
    worker.once('exit', (code, signal) => {
      if (stopping) return;
      log.error({ pid: worker.process.pid, code, signal }, 'a gateway process ended: it is replaced');
      void sleep(RESPAWN_MS).then(() => (stopping ? undefined : fork().catch(() => undefined)));
    });
    return untilReady(worker);
  };
  const [url = ''] = await Promise.all(Array.from({ length: count }, fork));
  return {
    url,
    meters: async () => (await Promise.all(everybody().map(askMeters))).flat(),
    drain: () => {
      for (const worker of everybody()) if (worker.isConnected()) worker.send(DRAIN);
    },
    close: async () => {
      stopping = true;
      await Promise.all(everybody().map(stopWorker));
    },
  };
}

function untilReady(worker: Worker): Promise<string> {
  return new Promise((resolve, reject) => {
    worker.on('message', ({ url }: { url?: string }) => {
      if (url !== undefined) resolve(url);
    });
    worker.once('exit', (code) => reject(new Error(`a gateway process ended with ${code} while it started`)));
  });
}

function stopWorker(worker: Worker): Promise<void> {
  return new Promise((resolve) => {
    // Its own limits of time end it sooner; one that has only begun to start has none.
    const late = setTimeout(() => worker.process.kill('SIGKILL'), PATIENCE_MS);
    const end = () => {
      clearTimeout(late);
      resolve();
    };
    worker.once('exit', end);
    if (worker.isDead()) end();
    // Not a message: one that comes while the process still starts would be lost.
    if (worker.isConnected()) worker.disconnect();
  });
}

/** What this process was handed; null in the first one. */
export function handedOver(): Handed | null {
  const text = process.env[VARIABLE];
  return cluster.isWorker && text !== undefined ? (JSON.parse(text) as Handed) : null;
}

/** Answers requests in one of several processes, until the first one says stop or is gone. */
export async function serveHanded(
  config: Config,
  handed: Handed,
  { log, stopTracing }: { readonly log: Logger; readonly stopTracing: () => Promise<void> },
): Promise<void> {
  // The terminal's Ctrl-C reaches every process, also one that still starts; the first one decides when requests end.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
  const database = await whenAnswering({ seconds: config.databaseWaitSeconds }, () =>
    connectDatabase(new Login(handed.loginUrls, handed.directUrls), config, reportTo(log, config), {
      ...config,
      log,
    }),
  );
  const { urls, demoApiKey } = handed;
  const app = await (
    await import('./app.js')
  ).createApp({
    config,
    database,
    secrets: loadSecretBox(config),
    urls,
    log,
    demoApiKey,
    others: () => askMeters(process),
  });
  answerAsks(process, async () => [await readMeters()]);
  const stop = () =>
    void app
      .close()
      .then(() => stopTracing())
      .then(
        () => process.exit(0),
        () => process.exit(1),
      );
  process.on('message', (message) => {
    if (message === DRAIN) app.drain();
  });
  process.once('disconnect', stop);
  if (process.connected) process.send?.({ url: app.url });
  else stop();
}
