import { setTimeout as sleep } from 'node:timers/promises';

import { isOutage } from '../../db/database-error.js';
import { startStopwatch } from './stopwatch.js';

const FIRST_PAUSE_MS = 100;
const MAX_PAUSE_MS = 2000;
const MAX_MS = 15_000;

/**
 * Repeats work while the database is away for a moment: a platform's answer is known to this process only. `isRepeat`
 * says that an earlier run may have been committed.
 */
export async function throughOutage<Result>(work: (isRepeat: boolean) => Promise<Result>): Promise<Result> {
  const elapsed = startStopwatch();
  for (let pause = FIRST_PAUSE_MS, isRepeat = false; ; pause = Math.min(2 * pause, MAX_PAUSE_MS)) {
    try {
      return await work(isRepeat);
    } catch (error) {
      if (!isOutage(error) || elapsed() > MAX_MS) throw error;
    }
    isRepeat = true;
    await sleep(pause);
  }
}
