const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Pauses before a failing receiver is retried; after that once a minute. */
const FIRST_PROBES = [5 * SECOND, 30 * SECOND];
const PROBE = { min: 45 * SECOND, max: 60 * SECOND };
/** Maximum pause that a receiver can request. */
const MAX_RETRY_AFTER = HOUR;

/** For a record that is refused while others are accepted: pauses before the second attempt, the third and so on. */
const STEPS = [
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
];

/** Time from the first attempt after which an event is given up: the sum of the steps. */
export const PATIENCE_MS = STEPS.reduce((sum, step) => sum + step, 0);

/** A receiver that accepted nothing for this long is no longer tried. */
export const DISABLE_AFTER_MS = 5 * 24 * HOUR;

/** A number from 0 to 1. */
export type Random = () => number;

/** Jitter of up to a tenth: requests that failed together are not retried together. */
const addJitter = (wait: number, random: Random): number => Math.round(wait * (0.9 + 0.2 * random()));

/** Milliseconds until a receiver is tried again after `failures` failures in a row. */
export function probeWait(failures: number, retryAfterSeconds: number | null, random: Random): number {
  const first = FIRST_PROBES[failures - 1];
  const wait =
    first === undefined ? PROBE.min + (PROBE.max - PROBE.min) * random() : addJitter(first, random);
  return Math.round(Math.max(wait, Math.min((retryAfterSeconds ?? 0) * SECOND, MAX_RETRY_AFTER)));
}

/** Milliseconds to wait after this many attempts; null once attempts are exhausted. */
export function stepWait(attempts: number, random: Random): number | null {
  const step = STEPS[attempts - 1];
  return step === undefined ? null : addJitter(step, random);
}
