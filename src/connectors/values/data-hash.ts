import { createHash } from 'node:crypto';
import { stringify } from 'safe-stable-stringify';

/**
 * SHA-256 of the canonical JSON (RFC 8785) of a platform object: the same for equal JSON values, regardless of key
 * order. Numbers that a double cannot hold exactly are hashed with all their digits.
 */
export function hashPlatformObject(object: unknown): string {
  return createHash('sha256')
    .update(stringify(object) ?? '')
    .digest('hex');
}
