import cluster, { type Worker } from 'node:cluster';
import { setTimeout as sleep } from 'node:timers/promises';

import type { Config } from './config/config.js';
import { connectDatabase } from './db/database.js';
import { Login } from './db/pool/login.js';
import { reportTo } from './db/reports.js';
import { whenAnswering } from './db/opening/wait.js';
import type { Logger } from './telemetry/log.js';
import type { ReadMeters } from './telemetry/meters.js';
import { answerAsks, askMeters } from './telemetry/meters-exchange.js';
import type { PlatformUrls } from './platforms/settings.js';
import { loadSecretBox } from './secrets/keys.js';

/** The HTTP side: the app in this process, or several processes behind one port. */
export interface Gateway {
  /** `http://host:port` without a slash at the end. */
  readonly url: string;
  /** Reports not ready, but still answers requests. */
  drain(): void;
  /** Stops accepting requests and finishes those in flight. */
  close(): Promise<void>;
}

/** Several processes. */
interface Gateways extends Gateway {
  /** Metrics of each process. */
  meters(): Promise<readonly ReadMeters[]>;
}

/** Settings and logins that the primary process hands to the gateway processes. */
interface Handed {
  /** Logins of requests: see `Login`. */
  readonly loginUrls: readonly [string, ...string[]];
  /** Null without a pooler. */
  readonly directUrls: readonly [string, ...string[]] | null;
  readonly urls: PlatformUrls;
  readonly demoApiKey: string | null;
}

/** How a process ended. */
interface Ended {
  readonly pid: number | undefined;
  readonly code: number | null;
  readonly signal: string | null;
}

const DRAIN = 'drain';
const STOP = 'stop';
const PATIENCE_MS = 4500;
const VARIABLE = 'SVC_HANDED';
/** Delay before a process that exited is replaced, so that a crash at every start does not loop hot. */
const RESPAWN_MS = 1000;

/** Forks `count` gateway processes that share one port; one that dies is replaced. */
export async function forkGateways(count: number, handed: Handed, log: Logger): Promise<Gateways> {
  let isStopping = false;
  const everybody = new Set<Worker>();
  /** Workers that have reported their address and therefore listen for messages. */
  const ready = new Set<Worker>();
  /** Runs a process until it exits; resolves with how it ended, rejects if it cannot be started. */
  const run = async (onUrl: (url: string) => void): Promise<Ended> => {
    const worker = cluster.fork({ [VARIABLE]: JSON.stringify(handed) });
    everybody.add(worker);
    answerAsks(worker, () => [...ready].filter((one) => one !== worker));
    worker.on('message', ({ url }: { url?: string }) => {
      if (url === undefined) return;
      ready.add(worker);
      onUrl(url);
    });
    const ended = new Promise<Ended>((resolve, reject) => {
      worker.once('exit', (code, signal) => resolve({ pid: worker.process.pid, code, signal }));
      worker.on('error', (error) => {
        // A process that never started emits no exit event.
        if (worker.process.pid === undefined) reject(error);
        // The channel of a process may close before its exit event.
        else log.debug({ err: error }, 'a gateway process is not heard');
      });
    });
    return ended.finally(() => [everybody, ready].forEach((set) => set.delete(worker)));
  };
  /** Keeps a process running until the service stops; rejects if the first one ends before it is ready. */
  const keep = async (onUrl: (url: string) => void): Promise<void> => {
    let wasReady = false;
    const onReady = (url: string) => {
      wasReady = true;
      onUrl(url);
    };
    for (;;) {
      const ended = await run(onReady).catch((err: Error) => ({ err }));
      if (isStopping) return;
      if (!wasReady) throw 'err' in ended ? ended.err : endedEarly(ended);
      log.error(ended, 'a gateway process ended: it is replaced');
      await sleep(RESPAWN_MS);
      if (isStopping) return;
    }
  };
  const stop = async () => {
    isStopping = true;
    await Promise.all([...everybody].map((one) => stopWorker(one, ready.has(one))));
  };
  const places = Array.from(
    { length: count },
    () => new Promise<string>((resolve, reject) => void keep(resolve).catch(reject)),
  );
  const [url = ''] = await Promise.all(places).catch(async (error: unknown) => {
    await stop();
    throw error;
  });
  return {
    url,
    meters: async () => (await Promise.all([...ready].map((one) => askMeters(one)))).flat(),
    drain: () => {
      for (const worker of ready) if (worker.isConnected()) worker.send(DRAIN);
    },
    close: stop,
  };
}

const endedEarly = ({ code, signal }: Ended) =>
  new Error(`a gateway process ended with ${signal ?? code} while it started`);

function stopWorker(worker: Worker, isReady: boolean): Promise<void> {
  return new Promise((resolve) => {
    // Its own time limits end it sooner; a process that has only begun to start has none.
    const late = setTimeout(() => worker.process.kill('SIGKILL'), PATIENCE_MS);
    const end = () => {
      clearTimeout(late);
      resolve();
    };
    worker.once('exit', end);
    if (worker.isDead()) end();
    if (!worker.isConnected()) return;
    // Disconnected, it would hear of its end only once its last connection has ended.
    if (isReady) worker.send(STOP);
    // During its start a message would be lost.
    else worker.disconnect();
  });
}

/** Settings handed to this process by the primary; null in the primary itself. */
export function handedOver(): Handed | null {
  const text = process.env[VARIABLE];
  return cluster.isWorker && text !== undefined ? (JSON.parse(text) as Handed) : null;
}

/** Answers requests in one of several processes until the primary says stop or dies. */
export async function serveHanded(
  config: Config,
  handed: Handed,
  { log, stopTracing }: { readonly log: Logger; readonly stopTracing: () => Promise<void> },
): Promise<void> {
  // Ctrl-C reaches every process, even one that is still starting; the primary decides when requests end.
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
  answerAsks(process);
  let stopped: Promise<never> | null = null;
  const stop = () => {
    stopped ??= app
      .close()
      .then(() => stopTracing())
      .then(
        () => process.exit(0),
        () => process.exit(1),
      );
  };
  process.on('message', (message) => {
    if (message === DRAIN) app.drain();
    if (message === STOP) stop();
  });
  process.once('disconnect', stop);
  if (process.connected) process.send?.({ url: app.url });
  else stop();
}
