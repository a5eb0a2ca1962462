import { sleep, TIME_FACTOR } from './time.js';

interface UntilOptions {
  /** Stretched by TEST_TIME_FACTOR. The default is far above what a busy machine needs and below a test's own time. */
  readonly seconds?: number;
  readonly everyMilliseconds?: number;
}

type Truthy<T> = Exclude<T, false | null | undefined | 0 | ''>;

/**
 * Waits for an event itself: asks until the condition gives something truthy, and returns that. Fails at its deadline
 * with what it waited for. A condition that throws ends the wait.
 */
export async function until<T>(
  what: string,
  condition: () => T | Promise<T>,
  { seconds = 90, everyMilliseconds = 20 }: UntilOptions = {},
): Promise<Truthy<Awaited<T>>> {
  const deadline = performance.now() + seconds * 1000 * TIME_FACTOR;
  for (;;) {
    const result = await condition();
    if (result) return result as Truthy<Awaited<T>>;
    if (performance.now() > deadline) {
      throw new Error(`waited ${seconds * TIME_FACTOR} s for ${what}`);
    }
    await sleep(everyMilliseconds);
  }
}
