import type pg from 'pg';
import { AppError } from '../../errors.js';
import type { Limits } from '../../limits.js';
import { type ActiveKey, findActiveKey, KEY_TRUST_MILLISECONDS } from '../../operations/keys/api-keys.js';
import { FailedKeys } from './failed-keys.js';
import { refusedKey } from './given-key.js';
import { hashSecret } from '../../secrets/hash-secret.js';

const MAX_TRUSTED = 10_000;
/** Maximum remembered addresses of a key; its use from each is noted. */
const MAX_ADDRESSES = 50;

/** Authenticates a key sent from an address. `onWait` gets the seconds for which the address is blocked. */
export type Authenticate = (
  given: string,
  ip: string,
  onWait?: (seconds: number) => void,
) => Promise<ActiveKey>;

/**
 * Finds the caller by the request's key. An address that sends many unknown keys is blocked for a while, except for
 * keys that have worked before, so that nobody can lock out others at the same address.
 */
export function createAuthenticate(pool: pg.Pool, limits: Pick<Limits, 'failedKeysPerMinute'>): Authenticate {
  const trusted = new Map<string, { key: ActiveKey; until: number; addresses: Set<string> }>();
  const failed = new FailedKeys(limits.failedKeysPerMinute);
  return async (given, ip, onWait) => {
    // The map is long-lived: a memory dump should contain no key.
    const hash = Buffer.from(hashSecret(given)).toString('base64');
    // A monotonic clock: setting the wall clock back would extend the cache.
    const now = performance.now();
    const known = trusted.get(hash);
    const fresh = known && known.until > now ? known : null;
    if (fresh?.addresses.has(ip)) return fresh.key;
    const wait = known ? 0 : failed.waitOf(ip);
    if (wait > 0) {
      onWait?.(wait);
      throw new AppError(
        'rate-limited',
        `too many unknown API keys from your address; try again in ${wait} s`,
      );
    }
    const key = await findActiveKey(pool, given, ip);
    if (!key) {
      trusted.delete(hash);
      failed.note(ip);
      throw refusedKey();
    }
    if (trusted.size >= MAX_TRUSTED) trusted.clear();
    const addresses = fresh && fresh.addresses.size < MAX_ADDRESSES ? fresh.addresses : [];
    trusted.set(hash, {
      key,
      until: now + KEY_TRUST_MILLISECONDS,
      addresses: new Set([...addresses, ip]),
    });
    return key;
  };
}
