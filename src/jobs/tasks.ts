import { setTimeout as wait } from 'node:timers/promises';

import type { TaskList } from 'graphile-worker';

import { isLostWorker, isOutage, isTooSlow } from '../db/database-error.js';
import type { Logger } from '../telemetry/log.js';
import { trace } from '../telemetry/traces.js';
import type { Caused, LookJobPayload, SyncJobPayload, TaskPayloads, WriteJobPayload } from './add-job.js';
import { FIRST_PAUSE_MS, MAX_PAUSE_MS } from './retries.js';

/**
 * Handlers of the tasks. `signal` is aborted when the worker stops or is replaced: then hand the work back and return
 * soon. A task is restarted while the database is unavailable; after any other error its job runs again later.
 */
export type Tasks = {
  readonly [Task in keyof TaskPayloads]: (payload: TaskPayloads[Task], context: TaskContext) => Promise<void>;
};

export interface TaskContext {
  /** The worker pool that runs the task. */
  readonly workerId: string;
  readonly signal: AbortSignal;
}

export interface TaskOptions {
  readonly log: Logger;
  readonly tasks: Tasks;
  /** Runs about once a minute, in one process at a time. Once `signal` is aborted, it returns soon. */
  everyMinute(signal: AbortSignal): Promise<void>;
  /** Called when a job's statement timed out: it may do so every time. */
  onTooSlow<Task extends keyof TaskPayloads>(task: Task, payload: TaskPayloads[Task]): Promise<void>;
}

/** The handlers as graphile-worker calls them. */
export function taskListOf(options: TaskOptions, signal: AbortSignal) {
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
