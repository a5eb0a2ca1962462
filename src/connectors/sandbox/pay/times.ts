import { decimalOf } from '../../platform-values.js';
import { isoText } from '../../times.js';

const SECONDS = /^\d{1,12}$/;

/** An instant; Pay sends seconds since 1970. */
export function instantOf(value: unknown): string | null {
  const seconds = decimalOf(value) ?? '';
  return SECONDS.test(seconds) ? isoText(Number(seconds) * 1000) : null;
}

/** A calendar day; Pay sends its midnight in UTC. */
export function dayOf(value: unknown): string | null {
  return instantOf(value)?.slice(0, 10) ?? null;
}
