import { TIME_FACTOR } from './time-factor.js';

export { TIME_FACTOR };

export const sleep = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));

/** A time limit of a test's own, as TEST_TIME_FACTOR stretches it. */
export const stretched = (milliseconds: number): number => Math.ceil(milliseconds * TIME_FACTOR);
