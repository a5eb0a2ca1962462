import { EventEmitter } from 'node:events';

import {
  Logger as WorkerLogger,
  run,
  runMigrations,
  type TaskList,
  type WorkerEvents,
} from 'graphile-worker';
import pg from 'pg';

import type { Logger } from '../log.js';
import type { SyncJobPayload, TaskPayloads } from './add-job.js';
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
  /** Jobs at the same time in this process. */
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
const POOL_SIZE = 4;
/** How often a future job or one of a dead worker is looked for; the sum of both stays far below 15 s. */
const POLL_MS = 1000;
const SWEEP_MS = 3000;

/** Jobs belong to the login, not to the role of requests. */
function createJobPool(url: string, size: number, onError: (error: Error) => void): pg.Pool {
  const pool = new pg.Pool({ connectionString: url, max: size, application_name: 'svc worker' });
  pool.on('error', onError);
  pool.on('connect', (client) => client.on('error', onError));
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
  const runner = await run({
    pgPool: pool,
    concurrency,
    pollInterval: POLL_MS,
    noHandleSignals: true,
    logger: silent,
    events,
    taskList: taskListOf(options, stopping.signal),
    crontab: '* * * * * every_minute',
  });
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
      await runner.stop();
      await registry.close();
      await pool.end();
    },
  };
}

function taskListOf(options: WorkerOptions, signal: AbortSignal): TaskList {
  return {
    sync: async (payload, { job }) => {
      await options.tasks.sync(payload as SyncJobPayload, { workerId: job.locked_by ?? '', signal });
    },
    every_minute: async () => {
      await options
        .everyMinute()
        .catch((error: unknown) => options.log.error({ err: error }, 'the work of every minute failed'));
    },
  };
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
