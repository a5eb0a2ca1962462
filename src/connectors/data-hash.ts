import { createHash } from 'node:crypto';
import { stringify } from 'safe-stable-stringify';

/**
 * SHA-256 of the canonical JSON (RFC 8785) of a platform object: equal for equal JSON values, whatever their key order.
 * Numbers that a double does not hold count with all their digits.
 */
export function hashPlatformObject(object: unknown): string {
  return createHash('sha256')
    .update(stringify(object) ?? '')
    .digest('hex');
}
