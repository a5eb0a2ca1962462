import { databaseError } from '../db/database-error.js';
import { tellOf } from '../db/reports.js';
import { WorkerRegistry } from './recovery.js';
import { untilDone } from './retries.js';
import { startTaking, type Stoppable, type Taking, type TakingOptions } from './taking.js';

interface WorkerOptions extends TakingOptions {
  /** Called before the jobs of these workers run again: their process has died. */
  onDeadWorkers(workerIds: readonly string[]): Promise<void>;
  /** The same for workers that were replaced while their process lives. */
  onReplacedWorkers(workerIds: readonly string[]): Promise<void>;
}

export interface Worker {
  /** Takes no more jobs, and waits for running ones to hand their work back. */
  stop(): Promise<void>;
}

const SWEEP_MS = 1000;
/** Interval of retrying failed jobs, in sweeps. */
const KEEP_GOING_SWEEPS = 20;
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

function untilAborted(signal: AbortSignal): Promise<null> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve(null);
    else signal.addEventListener('abort', () => resolve(null), { once: true });
  });
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
