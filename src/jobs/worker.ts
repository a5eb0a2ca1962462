import { EventEmitter } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';

import {
  Logger as WorkerLogger,
  run,
  type RunnerOptions,
  runMigrations,
  type TaskList,
  type WorkerEvents,
} from 'graphile-worker';
import pg from 'pg';

import { databaseError, isLostWorker, isOutage, isTooSlow } from '../db/database-error.js';
import type { Login } from '../db/pool/login.js';
import { reportLosses } from '../db/pool/pool.js';
import { tellOf } from '../db/reports.js';
import type { Logger } from '../telemetry/log.js';
import { trace } from '../telemetry/traces.js';
import type { Caused, LookJobPayload, SyncJobPayload, TaskPayloads, WriteJobPayload } from './add-job.js';
import { JobPool } from './job-pool.js';
import { WorkerRegistry } from './recovery.js';

/**
 * Handlers of the tasks. `signal` is aborted when the worker stops or is replaced: then hand the work back and return
 * soon. A task is restarted while the database is unavailable; after any other error its job runs again later.
 */
type Tasks = {
  readonly [Task in keyof TaskPayloads]: (payload: TaskPayloads[Task], context: TaskContext) => Promise<void>;
};

export interface TaskContext {
  /** The worker pool that runs the task. */
  readonly workerId: string;
  readonly signal: AbortSignal;
}

interface WorkerOptions {
  readonly login: Login;
  /** Maximum concurrent syncs in this process, and as many writes. */
  readonly concurrency: number;
  readonly log: Logger;
  readonly tasks: Tasks;
  /** Runs about once a minute, in one process at a time. Once `signal` is aborted, it returns soon. */
  everyMinute(signal: AbortSignal): Promise<void>;
  /** Called before the jobs of these workers run again: their process has died. */
  onDeadWorkers(workerIds: readonly string[]): Promise<void>;
  /** The same for workers that were replaced while their process lives. */
  onReplacedWorkers(workerIds: readonly string[]): Promise<void>;
  /** Called when a job's statement timed out: it may do so every time. */
  onTooSlow<Task extends keyof TaskPayloads>(task: Task, payload: TaskPayloads[Task]): Promise<void>;
}

export interface Worker {
  /** Takes no more jobs, and waits for running ones to hand their work back. */
  stop(): Promise<void>;
}

/** Taking and completing jobs is quick: few connections serve many jobs. */
const POOL_SIZE = 6;
/** Polling interval for due jobs and for jobs of dead workers; the sum of both stays far below 15 s. */
const POLL_MS = 1000;
const SWEEP_MS = 1000;
/** Interval of retrying failed jobs, in sweeps. */
const KEEP_GOING_SWEEPS = 20;
/** After a job is done, its queue is free within milliseconds; on a busy machine within some more. */
const NUDGE_MS = [8, 60];
/** Pause before a retry after a database failure: the first, and the maximum. */
const FIRST_PAUSE_MS = 100;
const MAX_PAUSE_MS = 1000;

/** Creates graphile-worker's own tables, in a separate schema. */
export async function migrateJobs(url: string): Promise<void> {
  const pool = new pg.Pool({ connectionString: url, max: 1, application_name: 'svc worker' });
  reportLosses(pool, () => undefined);
  try {
    await runMigrations({ pgPool: pool, logger: silent });
  } catch (error) {
    throw databaseError(error);
  } finally {
    await pool.end();
  }
}

/**
 * Starts taking jobs. Its tables must exist. graphile-worker loses track of its jobs when its statements fail, and
 * sometimes stops for good: it is then replaced, as often as needed.
 */
export async function startWorker(options: WorkerOptions): Promise<Worker> {
  const { login, log } = options;
  const onError = tellOf(log, "a worker's database connection was lost");
  const registry = await WorkerRegistry.open({
    login,
    onError,
    onDead: (workerIds) => options.onDeadWorkers(workerIds),
    onHandedBack: (workerIds) => options.onReplacedWorkers(workerIds),
  });
  const stopping = new AbortController();
  const { signal } = stopping;
  const retired = new Set<Promise<void>>();
  const ended = new Set<string>();
  let handingBack: Promise<unknown> | null = null;
  // All together: while nothing can be written, workers are replaced again and again.
  const handBack = () =>
    (handingBack ??= untilDone(
      async () => {
        while (ended.size > 0) {
          const ids = [...ended];
          await registry.handBack(ids);
          for (const id of ids) ended.delete(id);
        }
      },
      signal,
      onError,
    ).finally(() => (handingBack = null)));
  const retire = ({ ids, stop }: Stoppable): Promise<void> => {
    const isStopped = stop();
    const gone = isStopped
      .then(() => {
        for (const id of ids) ended.add(id);
        return handBack();
      })
      .then(() => undefined)
      .finally(() => retired.delete(gone));
    retired.add(gone);
    return isStopped;
  };
  const start = (onFailure: (started: Stoppable) => Promise<void>) =>
    startTaking(options, { registry, onError, onFailure });
  const first = await start(({ stop }) => stop()).catch(async (error: unknown) => {
    await registry.close();
    throw databaseError(error);
  });
  const stopped = untilAborted(signal);
  const supervised = (async () => {
    for (let taking: Taking | undefined = first; taking;) {
      const end = await Promise.race([taking.end, stopped]);
      if (end) log.warn({ err: end, workers: taking.ids }, 'taking jobs ended: restarting');
      void retire(taking);
      taking = signal.aborted ? undefined : await untilDone(() => start(retire), signal, onError);
    }
  })();
  let sweeps = 0;
  const sweep = repeat(
    SWEEP_MS,
    async () => {
      const dead = await registry.freeJobsOfTheDead();
      if (dead.length > 0) log.warn({ workers: dead }, 'workers died: their jobs run again');
      if (sweeps % KEEP_GOING_SWEEPS === 0) await registry.keepGoing();
      sweeps += 1;
    },
    onError,
  );
  return {
    stop: async () => {
      stopping.abort();
      await sweep.stop();
      await supervised;
      await Promise.all(retired);
      await registry.close();
    },
  };
}

/** Retries until it succeeds; stops retrying once `signal` is aborted. */
async function untilDone<Result>(
  work: () => Promise<Result>,
  signal: AbortSignal,
  onError: (error: Error) => void,
): Promise<Result | undefined> {
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(2 * pause, MAX_PAUSE_MS)) {
    try {
      return await work();
    } catch (error) {
      onError(error as Error);
    }
    await wait(pause, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) return undefined;
  }
}

function untilAborted(signal: AbortSignal): Promise<null> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve(null);
    else signal.addEventListener('abort', () => resolve(null), { once: true });
  });
}

/** Runners of graphile-worker, and the ids by which they take jobs. */
interface Stoppable {
  readonly ids: readonly string[];
  readonly stop: () => Promise<void>;
}

/** Runners that currently take jobs. */
interface Taking extends Stoppable {
  /** Settles with the reason when they must be replaced. */
  readonly end: Promise<unknown>;
}

interface TakingOptions {
  readonly registry: WorkerRegistry;
  readonly onError: (error: Error) => void;
  /** Stops what did start, which may have taken jobs already. */
  readonly onFailure: (started: Stoppable) => Promise<void>;
}

async function startTaking(
  options: WorkerOptions,
  { registry, onError, onFailure }: TakingOptions,
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
  events.on('pool:create', ({ workerPool }) => {
    ids.push(workerPool.id);
    log.info({ workerId: workerPool.id }, 'taking jobs');
    void registry.add(workerPool.id).catch(onError);
  });
  // A worker looks for its next job before its last one has left the queue, and would look again only at the next poll:
  // so jobs waiting in that queue are looked for once more.
  events.on('job:complete', ({ worker: { workerPool } }) => {
    const nudge = () => {
      if (!stopping.signal.aborted) workerPool.nudge(1);
    };
    for (const delay of NUDGE_MS) setTimeout(nudge, delay).unref();
  });
  const { sync, write, look, every_minute } = taskListOf(options, stopping.signal);
  const common = {
    pgPool: pool,
    concurrency,
    pollInterval: POLL_MS,
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

function taskListOf(options: WorkerOptions, signal: AbortSignal) {
  const { tasks, log } = options;
  const perform = <Task extends keyof TaskPayloads>(
    task: Task,
    payload: TaskPayloads[Task],
    workerId: string | null,
  ) =>
    throughOutages(
      () =>
        trace(
          `job ${task}`,
          {
            kind: 'consumer',
            causedBy: (payload as Caused).traceparent ?? null,
            attributes: {
              'svc.organisation_id': payload.organisationId,
              'svc.company_id': payload.svcCompanyId,
            },
          },
          () => tasks[task](payload, { workerId: workerId ?? '', signal }),
        ),
      async (error) => {
        log.warn({ err: error, task }, 'a job could not use the database: it will run again');
        if (isTooSlow(error)) await options.onTooSlow(task, payload);
      },
      signal,
    );
  return {
    sync: (payload, { job }) => perform('sync', payload as SyncJobPayload, job.locked_by),
    write: (payload, { job }) => perform('write', payload as WriteJobPayload, job.locked_by),
    look: (payload, { job }) => perform('look', payload as LookJobPayload, job.locked_by),
    every_minute: async () => {
      await options
        .everyMinute(signal)
        .catch((error: unknown) => log.error({ err: error }, 'the work done every minute failed'));
    },
  } satisfies TaskList;
}

/**
 * Restarts a task while the database is unavailable. One whose worker of a cluster is down fails instead, and runs again
 * within a minute: waiting here, the companies there would fill the slots of all.
 */
async function throughOutages(
  task: () => Promise<void>,
  onOutage: (error: unknown) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(2 * pause, MAX_PAUSE_MS)) {
    try {
      return await task();
    } catch (error) {
      if (!isOutage(error) || signal.aborted) throw error;
      // If this cannot be stored now either, nothing is lost.
      await onOutage(error).catch(() => undefined);
      if (isLostWorker(error)) throw error;
    }
    // Run once more even when stopping: a task that returns is done, and its job would be lost.
    await wait(pause, undefined, { signal }).catch(() => undefined);
  }
}

/** Calls `work` repeatedly, one call at a time. */
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

/** graphile-worker's own log lines add nothing to ours. */
const silent = new WorkerLogger(() => () => undefined);
