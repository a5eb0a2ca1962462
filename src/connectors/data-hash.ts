import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';

/**
 * SHA-256 of the canonical JSON (RFC 8785) of a platform object: equal for equal JSON values, whatever their key order.
 * Numbers that a double does not hold count with all their digits.
 */
export function hashPlatformObject(object: unknown): string {
  return createHash('sha256')
    .update(canonicalize(object) ?? '')
    .digest('hex');
}
