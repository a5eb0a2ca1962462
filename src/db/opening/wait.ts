import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '../../errors.js';
import { databaseError } from '../database-error.js';
import { isPoolerRefusal } from '../pool/login.js';

export interface Patience {
  readonly seconds: number;
  /** Called once, when there is something to wait for. */
  readonly onWait?: (reason: string) => void;
  /** When aborted: no further attempts. */
  readonly signal?: AbortSignal | undefined;
}

const PAUSE_MS = 250;

/** Retries while the database does not answer; throws any other error, and the last failure. */
export async function whenAnswering<Result>(
  { seconds, onWait = () => undefined, signal }: Patience,
  work: () => Promise<Result>,
): Promise<Result> {
  const deadline = performance.now() + seconds * 1000;
  for (let isFirst = true; ; isFirst = false) {
    try {
      return await work();
    } catch (error) {
      const known = databaseError(error);
      const isPassing =
        known instanceof AppError && known.code === 'service-unavailable' && !isPoolerRefusal(known.cause);
      if (!isPassing || signal?.aborted || performance.now() >= deadline) throw error;
      const { message, code } = (known.cause ?? known) as { message?: string; code?: string };
      if (isFirst) onWait(message || code || 'no answer');
      await sleep(PAUSE_MS, null, signal ? { signal } : {}).catch(() => {
        throw error;
      });
    }
  }
}
