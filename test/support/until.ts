import { sleep, TIME_FACTOR } from './time.js';

interface UntilOptions {
  /** Stretched by TEST_TIME_FACTOR. The default is far longer than a busy machine needs, and shorter than a test's limit. */
  readonly seconds?: number;
  /** By default frequent at first and then less so: constant polling slows down what it waits for. */
  readonly everyMilliseconds?: number;
}

const MIN_PAUSE_MS = 10;
const MAX_PAUSE_MS = 60;

type Truthy<T> = Exclude<T, false | null | undefined | 0 | ''>;

/**
 * Polls until the condition returns something truthy, and returns that. On timeout, the error says what was waited for.
 * A condition that throws ends the wait.
 */
export async function until<T>(
  what: string,
  condition: () => T | Promise<T>,
  { seconds = 90, everyMilliseconds }: UntilOptions = {},
): Promise<Truthy<Awaited<T>>> {
  let pause = everyMilliseconds ?? MIN_PAUSE_MS;
  const deadline = performance.now() + seconds * 1000 * TIME_FACTOR;
  for (;;) {
    const result = await condition();
    if (result) return result as Truthy<Awaited<T>>;
    if (performance.now() > deadline) {
      throw new Error(`waited ${seconds * TIME_FACTOR} s for ${what}`);
    }
    await sleep(pause);
    if (everyMilliseconds === undefined) pause = Math.min(pause * 1.3, MAX_PAUSE_MS);
  }
}
