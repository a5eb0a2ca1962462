import { TIME_FACTOR } from './time-factor.js';

export { TIME_FACTOR };

export const sleep = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));

/** A test's own time limit, stretched by TEST_TIME_FACTOR. */
export const stretched = (milliseconds: number): number => Math.ceil(milliseconds * TIME_FACTOR);
