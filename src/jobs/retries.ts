import { setTimeout as wait } from 'node:timers/promises';

/** Pause before a retry after a database failure: the first, and the maximum. */
export const FIRST_PAUSE_MS = 100;
export const MAX_PAUSE_MS = 1000;

/** Retries until it succeeds; stops retrying once `signal` is aborted. */
export async function untilDone<Result>(
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
