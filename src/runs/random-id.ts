import { randomInt } from 'node:crypto';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** The form that clients know sync and job ids in: 15 letters and digits (contract section 3). */
export function randomId(): string {
  return Array.from({ length: 15 }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
}
