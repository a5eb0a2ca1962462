import { EventEmitter } from 'node:events';

import { run, type RunnerOptions, type WorkerEvents, type WorkerPool } from 'graphile-worker';

import type { Login } from '../db/pool/login.js';
import { JobPool } from './job-pool.js';
import type { WorkerRegistry } from './recovery.js';
import { silent } from './silent.js';
import { type TaskOptions, taskListOf } from './tasks.js';

/** Taking and completing jobs is quick: few connections serve many jobs. */
const POOL_SIZE = 6;
/** Interval of looking for due jobs and for jobs of dead workers; the sum of both stays far below 15 s. */
const POLL_MS = 1000;
/** graphile-worker polls with each of its slots: here one of them looks for all. */
const SLOT_POLL_MS = 60_000;
/** After a job is done, its queue is free within milliseconds; on a busy machine within some more. */
const NUDGE_MS = [8, 60];

/** Runners of graphile-worker, and the ids by which they take jobs. */
export interface Stoppable {
  readonly ids: readonly string[];
  readonly stop: () => Promise<void>;
}

/** Runners that currently take jobs. */
export interface Taking extends Stoppable {
  /** Settles with the reason when they must be replaced. */
  readonly end: Promise<unknown>;
}

export interface TakingOptions extends TaskOptions {
  readonly login: Login;
  /** Maximum concurrent syncs in this process, and as many writes. */
  readonly concurrency: number;
}

interface TakingHooks {
  readonly registry: WorkerRegistry;
  readonly onError: (error: Error) => void;
  /** Stops what did start, which may have taken jobs already. */
  readonly onFailure: (started: Stoppable) => Promise<void>;
}

/** Starts runners. Fails if one of them does not start; what did is given to `onFailure`. */
export async function startTaking(
  options: TakingOptions,
  { registry, onError, onFailure }: TakingHooks,
): Promise<Taking> {
  const { login, log, concurrency } = options;
  let onEnd: (reason: unknown) => void = () => undefined;
  const end = new Promise<unknown>((resolve) => (onEnd = resolve));
  let loss: unknown = null;
  const onUncertain = (reason: Error) => {
    loss ??= reason;
    onEnd(reason);
  };
  const pool = new JobPool({ login, size: POOL_SIZE, onError, onUncertain });
  const stopping = new AbortController();
  const events: WorkerEvents = new EventEmitter();
  const ids: string[] = [];
  // Those that take jobs: one that ends, even by itself, must not be nudged.
  const pools = new Set<WorkerPool>();
  const nudge = (workerPool: WorkerPool) => {
    if (pools.has(workerPool)) workerPool.nudge(1);
  };
  const polling = setInterval(() => pools.forEach(nudge), POLL_MS);
  for (const ending of ['pool:gracefulShutdown', 'pool:forcefulShutdown'] as const)
    events.on(ending, ({ workerPool }) => pools.delete(workerPool));
  // Whoever finds a job has the next one looked for: all that are due together start together.
  events.on('job:start', ({ worker: { workerPool } }) => nudge(workerPool));
  events.on('pool:create', ({ workerPool }) => {
    ids.push(workerPool.id);
    pools.add(workerPool);
    log.info({ workerId: workerPool.id }, 'taking jobs');
    void registry.add(workerPool.id).catch(onError);
  });
  // A worker looks for its next job before its last one has left the queue, and would look again only at the next poll:
  // so jobs waiting in that queue are looked for once more.
  events.on('job:complete', ({ worker: { workerPool } }) => {
    for (const delay of NUDGE_MS) setTimeout(nudge, delay, workerPool).unref();
  });
  const { sync, write, look, every_minute } = taskListOf(options, stopping.signal);
  const common = {
    pgPool: pool,
    concurrency,
    pollInterval: SLOT_POLL_MS,
    noHandleSignals: true,
    logger: silent,
    events,
  };
  // Writes have slots of their own: callers wait for them, whatever is being synced.
  const lanes: readonly RunnerOptions[] = [
    { ...common, taskList: { sync, look, every_minute } },
    { ...common, taskList: { write } },
  ];
  const started = await Promise.allSettled(lanes.map((lane) => run(lane)));
  const runners = started.filter((one) => one.status === 'fulfilled').map(({ value }) => value);
  for (const runner of runners) runner.promise.then(onEnd, onEnd);
  const stop = async () => {
    stopping.abort();
    clearInterval(polling);
    await Promise.all(runners.map((runner) => runner.stop().catch(() => undefined)));
    await Promise.all(runners.map((runner) => runner.promise.catch(() => undefined)));
    await pool.end();
  };
  const failed = started.find((one) => one.status === 'rejected');
  if (failed) {
    await onFailure({ ids, stop });
    // graphile-worker fails on the missing rows of a lost statement.
    throw loss ?? failed.reason;
  }
  return { ids, end, stop };
}
