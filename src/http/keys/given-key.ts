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
  // Read raw, as Node joins repeated headers by commas. Proxies may repeat a header.
  const [own = headers['api_key'], ...others] = valuesIn(rawHeaders, 'api_key');
  if (others.length > 0) throw givenTwice('api_key');
  const bearer = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1];
  if (own !== undefined && bearer !== undefined && own !== bearer) {
    throw new AppError(
      'unauthenticated',
      'api_key and Authorization: Bearer hold different keys: send one of them',
      'api_key',
    );
  }
  // Node keeps only the first of several.
  if (bearer !== undefined && valuesIn(rawHeaders, 'authorization').length > 1) {
    throw givenTwice('Authorization');
  }
  const key = own ?? bearer;
  if (key === undefined) throw new AppError('unauthenticated', MISSING, 'api_key');
  if (typeof key !== 'string' || key.length < 24 || key.length > 200) throw refusedKey();
  return key;
}

/** The different values of a header, whose name is in small letters. */
const valuesIn = (rawHeaders: readonly string[], name: string): string[] => [
  ...new Set(rawHeaders.filter((_, at) => at % 2 === 1 && rawHeaders[at - 1]?.toLowerCase() === name)),
];

const givenTwice = (header: string) =>
  new AppError(
    'unauthenticated',
    `the header ${header} is given twice, with different values: send one`,
    'api_key',
  );

/** Malformed, unknown, revoked and expired keys are refused alike. */
export function refusedKey(): AppError {
  return new AppError('unauthenticated', `send a valid API key ${WAYS}`, 'api_key');
}
