import { textOf } from '../../../platform-values.js';

/** A word of an open value set, as our fields have words. */
export function wordOf(value: unknown): string | null {
  return textOf(value)?.toUpperCase() ?? null;
}
