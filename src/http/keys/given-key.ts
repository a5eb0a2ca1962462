import type { IncomingMessage } from 'node:http';
import { AppError } from '../../errors.js';

/** Both ways to send a key, in every 401. */
const WAYS = 'in the header api_key, or as Authorization: Bearer';
/** nginx drops `api_key` unless told otherwise. */
const MISSING = `no API key arrived: send one ${WAYS} (some proxies drop headers with underscores)`;

/**
 * The key of a request: the header `api_key` (Reference 5) or `Authorization: Bearer`, as nginx and others drop headers
 * with underscores. Keys in the query string are ignored. Throws `unauthenticated`.
 */
export function givenKey({
  headers,
  rawHeaders = [],
}: Pick<IncomingMessage, 'headers'> & Partial<Pick<IncomingMessage, 'rawHeaders'>>): string {
  const own = headers['api_key'];
  const bearer = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1];
  if (own !== undefined && bearer !== undefined && own !== bearer) {
    throw new AppError(
      'unauthenticated',
      'api_key and Authorization: Bearer hold different keys: send one of them',
      'api_key',
    );
  }
  // Node keeps only the first of several.
  if (
    bearer !== undefined &&
    rawHeaders.filter((name, at) => at % 2 === 0 && /^authorization$/i.test(name)).length > 1
  ) {
    throw new AppError('unauthenticated', 'the header Authorization is given twice: send one', 'api_key');
  }
  const key = own ?? bearer;
  if (key === undefined) throw new AppError('unauthenticated', MISSING, 'api_key');
  // A repeated header is joined by a comma.
  if (typeof key !== 'string' || key.length < 24 || key.length > 200) throw refusedKey();
  return key;
}

/** Malformed, unknown, revoked and expired keys are refused alike. */
export function refusedKey(): AppError {
  return new AppError('unauthenticated', `send a valid API key ${WAYS}`, 'api_key');
}
