import { AppError } from '../errors.js';

/** PostgreSQL error classes and codes that mean: not now. Connection lost, shutting down, too many connections. */
const UNAVAILABLE = /^(08|53|57P)/;
const SOCKET = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND']);
const CANCELLED = '57014';

/** What a failed statement means for the caller; a mistake of ours is passed on as it is and masked later. */
export function databaseError(error: unknown): unknown {
  const { code = '', message = '' } = (error ?? {}) as { code?: string; message?: string };
  if (code === CANCELLED) {
    return new AppError(
      'query-timeout',
      'one SQL statement took too long: narrow the query, or sort by svcId, svcCreatedAt or svcUpdatedAt, which are indexed',
      '',
      { cause: error },
    );
  }
  const lost = /timeout exceeded when trying to connect|Connection terminated|Client has encountered/;
  if (UNAVAILABLE.test(code) || SOCKET.has(code) || lost.test(message)) {
    return new AppError('service-unavailable', 'the database cannot be reached, try again', '', {
      cause: error,
    });
  }
  return error;
}
