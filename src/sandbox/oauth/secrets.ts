import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** A new code or token; only its hash is stored. */
export const newSecret = (prefix: string): string => `${prefix}_${randomBytes(24).toString('base64url')}`;

export const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('hex');

/** The S256 challenge of a verifier. */
export const challengeOf = (verifier: string): string =>
  createHash('sha256').update(verifier).digest('base64url');

/** Compares in constant time. */
export function isEqual(one: string, other: string): boolean {
  const hash = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(hash(one), hash(other));
}
