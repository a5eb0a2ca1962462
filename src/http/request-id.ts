import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

const MAX_REMEMBERED = 10_000;
const HARMLESS = /^[\w-]{1,64}$/;

/**
 * The caller's `x-request-id` if harmless, else an id of ours. A reused one gets a suffix: an id names one request
 * (Reference 2.1).
 */
export function createRequestIds(): (request: IncomingMessage) => string {
  const seen = new Set<string>();
  return ({ headers }) => {
    const given = headers['x-request-id'];
    if (typeof given !== 'string' || !HARMLESS.test(given)) return randomUUID();
    if (seen.has(given)) return `${given.slice(0, 55)}-${randomUUID().slice(0, 8)}`;
    if (seen.size >= MAX_REMEMBERED) seen.clear();
    seen.add(given);
    return given;
  };
}
