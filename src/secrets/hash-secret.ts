import { createHash } from 'node:crypto';

/**
 * Only hashes of API keys and of OAuth states are stored: a database dump opens nothing. Both are long and random, so no
 * slow hash is needed.
 */
export function hashSecret(secret: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(createHash('sha256').update(secret).digest());
}
