import { textOf } from '../../../values/platform-values.js';

/** A value of an open set, in upper case like ours. */
export function wordOf(value: unknown): string | null {
  return textOf(value)?.toUpperCase() ?? null;
}
