import { createHash } from 'node:crypto';

/** A GUID for a generated object: the same for the same account and name. */
export function guidOf(account: string, name: string): string {
  const hex = createHash('md5').update(`${account}/${name}`).digest('hex');
  const parts = [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `4${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20),
  ];
  return parts.join('-');
}

const LETTERS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Fourteen letters and digits, the same for the same account and name. */
export function letterId(account: string, name: string): string {
  const hash = createHash('md5').update(`${account}/${name}`).digest();
  return [...hash.subarray(0, 14)].map((byte) => LETTERS[byte % LETTERS.length]).join('');
}

/** A number of up to fifteen digits, the same for the same account and name. */
export function numericId(account: string, name: string): string {
  const hash = createHash('md5').update(`${account}/${name}`).digest();
  return String(1e12 + (hash.readUIntBE(0, 6) % 9e12));
}
