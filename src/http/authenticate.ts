import type { FastifyRequest } from 'fastify';
import type { PrismaClient } from '../db/__generated__/client.js';
import { databaseError } from '../db/database-error.js';
import { AppError } from '../errors.js';
import { type ActiveKey, findActiveKey, KEY_TRUST_MILLISECONDS } from '../operations/keys/api-keys.js';

const MOST_TRUSTED = 10_000;

export type Authenticate = (request: FastifyRequest) => Promise<ActiveKey>;

/**
 * Finds the caller by the `api_key` header (reference 5). Missing, malformed, unknown, revoked and expired keys all get
 * the same 401; a header given twice is malformed. Keys in the query string are not looked at.
 */
export function createAuthenticate(prisma: PrismaClient): Authenticate {
  const trusted = new Map<string, { key: ActiveKey; until: number }>();
  return async (request) => {
    const given = request.headers['api_key'];
    if (typeof given !== 'string' || given.length < 24 || given.length > 200) throw refused();
    const now = Date.now();
    const known = trusted.get(given);
    if (known && known.until > now) return known.key;
    const key = await findActiveKey(prisma, given, new Date(now)).catch((error: unknown) => {
      throw databaseError(error);
    });
    if (!key) {
      trusted.delete(given);
      throw refused();
    }
    if (trusted.size >= MOST_TRUSTED) trusted.clear();
    trusted.set(given, { key, until: now + KEY_TRUST_MILLISECONDS });
    return key;
  };
}

function refused(): AppError {
  return new AppError('unauthenticated', 'send a valid API key in the header api_key', 'api_key');
}
