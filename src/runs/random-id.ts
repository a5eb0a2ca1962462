import { AsyncLocalStorage } from 'node:async_hooks';
import { createHash, randomInt } from 'node:crypto';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const LENGTH = 15;

const seeded = new AsyncLocalStorage<() => string>();

/** The form that clients know sync and job ids in: 15 letters and digits (Reference G8). */
export function randomId(): string {
  const next = seeded.getStore();
  return next ? next() : Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
}

/**
 * Runs `work` with ids generated in sequence from `seed`: those of the demo are the same on every machine, so that
 * documents can show them. Never for a customer's data: two runs with the same seed produce the same ids.
 */
export function withSeededIds<Result>(seed: string, work: () => Promise<Result>): Promise<Result> {
  let count = 0;
  return seeded.run(() => idFrom(`${seed}/${count++}`), work);
}

function idFrom(text: string): string {
  const digest = createHash('sha256').update(text).digest().subarray(0, LENGTH);
  return Array.from(digest, (byte) => ALPHABET[byte % ALPHABET.length]).join('');
}
