import { EventEmitter } from 'node:events';

import {
  Logger as WorkerLogger,
  run,
  type RunnerOptions,
  runMigrations,
  type TaskList,
  type WorkerEvents,
} from 'graphile-worker';
import pg from 'pg';

import { reportLosses } from '../db/pool.js';
import type { Logger } from '../log.js';
import type { SyncJobPayload, TaskPayloads, WriteJobPayload } from './add-job.js';
import { WorkerRegistry } from './recovery.js';

/** What runs for each task. `signal` is aborted when the worker stops: then hand the work back and return soon. */
export type Tasks = {
  readonly [Task in keyof TaskPayloads]: (payload: TaskPayloads[Task], context: TaskContext) => Promise<void>;
};

export interface TaskContext {
  /** The worker pool that runs the task. */
  readonly workerId: string;
  readonly signal: AbortSignal;
}

export interface WorkerOptions {
  readonly url: string;
  /** Jobs at the same time in this process: syncs, and as many writes beside them. */
  readonly concurrency: number;
  readonly log: Logger;
  readonly tasks: Tasks;
  /** Runs about once a minute, in one process at a time. */
  everyMinute(): Promise<void>;
  /** The jobs of these workers run again. */
  onDeadWorkers(workerIds: readonly string[]): Promise<void>;
}

export interface Worker {
  /** Takes no more jobs, lets the running ones hand back, and waits for them. */
  stop(): Promise<void>;
}

/** Taking and ending jobs is quick: few connections serve many jobs. */
const POOL_SIZE = 6;
/** How often a future job or one of a dead worker is looked for; the sum of both stays far below 15 s. */
const POLL_MS = 1000;
const SWEEP_MS = 1000;
/** After a job is done, its queue is free within milliseconds; on a busy machine within some more. */
const NUDGE_MS = [8, 60];

/** Jobs belong to the login, not to the role of requests. */
function createJobPool(url: string, size: number, onError: (error: Error) => void): pg.Pool {
  const pool = new pg.Pool({ connectionString: url, max: size, application_name: 'svc worker' });
  reportLosses(pool, onError);
  return pool;
}

/** graphile-worker's own tables; they are apart from ours. */
export async function migrateJobs(url: string): Promise<void> {
  const pool = createJobPool(url, 1, () => undefined);
  try {
    await runMigrations({ pgPool: pool, logger: silent });
  } finally {
    await pool.end();
  }
}

/** Starts taking jobs. Its tables must be there. */
export async function startWorker(options: WorkerOptions): Promise<Worker> {
  const { url, log, concurrency } = options;
  const onError = (error: Error) => log.warn({ err: error }, "a worker's database connection was lost");
  const pool = createJobPool(url, POOL_SIZE, onError);
  const registry = await WorkerRegistry.open(url, onError);
  const events: WorkerEvents = new EventEmitter() as WorkerEvents;
  events.on('pool:create', ({ workerPool }) => {
    log.info({ workerId: workerPool.id }, 'taking jobs');
    void registry.add(workerPool.id).catch(onError);
  });
  const stopping = new AbortController();
  // A worker looks for its next job before the one it has done has left its queue, and would then look again only at the
  // next poll: what waits in that queue is looked for once more.
  events.on('job:complete', ({ worker: { workerPool } }) => {
    const nudge = () => {
      if (!stopping.signal.aborted) workerPool.nudge(1);
    };
    for (const delay of NUDGE_MS) setTimeout(nudge, delay).unref();
  });
  const { sync, write, every_minute } = taskListOf(options, stopping.signal);
  const common = {
    pgPool: pool,
    concurrency,
    pollInterval: POLL_MS,
    noHandleSignals: true,
    logger: silent,
    events,
  };
  // Writes have slots of their own: somebody waits for them, whatever is being synced.
  const lanes: readonly RunnerOptions[] = [
    { ...common, taskList: { sync, every_minute }, crontab: '* * * * * every_minute' },
    { ...common, taskList: { write } },
  ];
  const runners = await Promise.all(lanes.map((lane) => run(lane)));
  const sweep = repeat(
    SWEEP_MS,
    async () => {
      const dead = await registry.freeJobsOfTheDead();
      if (dead.length === 0) return;
      log.warn({ workers: dead }, 'workers died: their jobs run again');
      await options.onDeadWorkers(dead);
    },
    onError,
  );
  return {
    stop: async () => {
      stopping.abort();
      await sweep.stop();
      await Promise.all(runners.map((runner) => runner.stop()));
      await registry.close();
      await pool.end();
    },
  };
}

function taskListOf(options: WorkerOptions, signal: AbortSignal) {
  return {
    sync: async (payload, { job }) => {
      await options.tasks.sync(payload as SyncJobPayload, { workerId: job.locked_by ?? '', signal });
    },
    write: async (payload, { job }) => {
      await options.tasks.write(payload as WriteJobPayload, { workerId: job.locked_by ?? '', signal });
    },
    every_minute: async () => {
      await options
        .everyMinute()
        .catch((error: unknown) => options.log.error({ err: error }, 'the work of every minute failed'));
    },
  } satisfies TaskList;
}

/** Calls `work` again and again, never twice at once. */
function repeat(
  milliseconds: number,
  work: () => Promise<void>,
  onError: (error: Error) => void,
): { stop(): Promise<void> } {
  let running: Promise<void> = Promise.resolve();
  let isIdle = true;
  const timer = setInterval(() => {
    if (!isIdle) return;
    isIdle = false;
    running = work()
      .catch((error: unknown) => onError(error as Error))
      .finally(() => (isIdle = true));
  }, milliseconds);
  return {
    stop: async () => {
      clearInterval(timer);
      await running;
    },
  };
}

/** graphile-worker's own lines say nothing that ours do not. */
const silent = new WorkerLogger(() => () => undefined);
