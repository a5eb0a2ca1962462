import { AppError, ERROR_TABLE, type ErrorCode } from '../errors.js';

/**
 * Error classes and codes of PostgreSQL that mean: not now. Connection lost, out of disk or connections, shutting down,
 * session ended for its idleness, and a server that only reads since another one has taken over.
 */
const UNAVAILABLE = /^(08|53|57P|25006$|25P0[34]$)/;
const SOCKET = new Set([
  'EAI_AGAIN',
  'ECONNABORTED',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTDOWN',
  'EHOSTUNREACH',
  'ENETDOWN',
  'ENETUNREACH',
  'ENOTFOUND',
  'EPIPE',
  'ERR_STREAM_DESTROYED',
  'ETIMEDOUT',
]);
const CANCELLED = '57014';
/** Two changed the same at the same moment, and one of them was rolled back. */
const CONFLICTS = new Set<unknown>(['40001', '40P01']);
/** An operator's `lock_timeout`, while others hold what is needed. */
const LOCKED = '55P03';
/** What pg says without a code. */
const LOST =
  /timeout exceeded when trying to connect|Connection terminated|Client has encountered|Client was closed|timeout expired|Cannot use a pool after calling end/;
/** What a cluster says of a worker that it has lost, in words of its own and of libpq, without a code that says so. */
const LOST_WORKER =
  /^(failure on connection marked as essential|failed to COPY to shard|connection (not open|to the remote node)|server closed the connection unexpectedly|could not (receive data from|send data to) server|no connection to the server|SSL (SYSCALL error|connection has been closed))/;
const UNANSWERED = 'Query read timeout';

const CHANGES = /^\s*(INSERT|UPDATE|DELETE|COMMIT)\b|^\s*WITH\b[^]*\b(INSERT INTO|UPDATE|DELETE FROM)\b/i;
/** What pg says of a statement that it has not sent. */
const UNSENT = /Client has encountered|Client was closed|is not queryable/;

/**
 * The error of a commit, or of a statement that is a transaction of its own. Where the connection was lost it may have been
 * carried out; what PostgreSQL refuses was not.
 */
export function commitError(error: Error, text: string): Error {
  const { severity, message = '' } = (error.cause ?? {}) as {
    severity?: string;
    message?: string;
  };
  // A session may be ended, or its server, between the commit and the answer.
  const isLost = isOutage(error) && severity !== 'ERROR' && !UNSENT.test(message);
  return isLost && CHANGES.test(text) ? outcomeUnknown(error) : error;
}

function outcomeUnknown(cause: unknown): AppError {
  const message =
    'the database was lost while it stored this, and may have stored it: look before it is sent again, or repeat it with the same Idempotency-Key';
  return failure('outcome-unknown', message, cause);
}

/** Prisma hands on its `meta`, and no cause. Not enumerable, so that the log has the cause once. */
function failure(code: ErrorCode, words: string, cause: unknown): AppError {
  return Object.defineProperty(new AppError(code, words, [], { cause }), 'meta', { value: { cause } });
}

/** What is read of what was stored just now: where the database is lost meanwhile, the caller must not take it for not stored. */
export const afterStoring = <Result>(read: Promise<Result>): Promise<Result> =>
  read.catch((error: unknown) => {
    throw storedBefore(error);
  });

/** The error of such a read. */
export const storedBefore = (error: unknown): unknown => (isOutage(error) ? outcomeUnknown(error) : error);

/** What a failed statement means for the caller; a mistake of ours is passed on as it is and masked later. */
export function databaseError(error: unknown): unknown {
  if (error instanceof AppError) return error;
  const { code = '', message = '' } = (error ?? {}) as { code?: string; message?: string };
  if (code === CANCELLED) {
    return failure(
      'query-timeout',
      'one SQL statement took too long: narrow the query, or sort by svcId, svcCreatedAt or svcUpdatedAt, which are indexed',
      error,
    );
  }
  if (message === UNANSWERED) {
    return failure('query-timeout', 'the database did not answer in time, try again', error);
  }
  if (CONFLICTS.has(code) || code === LOCKED) {
    const message = 'the database rolled this back in favour of other work on the same data, try again';
    return failure('service-unavailable', message, error);
  }
  if (UNAVAILABLE.test(code) || SOCKET.has(code) || LOST.test(message) || LOST_WORKER.test(message)) {
    return unavailable(error);
  }
  return error;
}

const UNREACHABLE = 'the database cannot be reached, try again';

/** The database cannot be worked with now. */
export const unavailable = (cause: unknown): AppError => failure('service-unavailable', UNREACHABLE, cause);

/** What callers are not told of that, and who operates the database has to know; empty of other errors. */
export function hiddenReason({ words, cause }: AppError): string {
  const { message = '', code = '' } = (cause ?? {}) as { message?: string; code?: string };
  // Prisma's errors repeat ours.
  return words === UNREACHABLE && !message.includes(UNREACHABLE) ? message || code : '';
}

/** Prisma hands on of an error its code, its message and its `meta`, in an error of its own: this gives back the one that was. */
export function raiseKnown(error: unknown): never {
  const { code, meta } = error as { code?: unknown; meta?: unknown };
  if (error instanceof AppError || typeof code !== 'string' || !Object.hasOwn(ERROR_TABLE, code)) throw error;
  const cause = (meta as { cause?: unknown } | undefined)?.cause ?? error;
  const message = (error as Error).message.trim().split('\n').at(-1) ?? '';
  throw new AppError(code as ErrorCode, message, [], { cause });
}

/** Whether a statement was ended for taking too long: it may do so every time. */
export const isTooSlow = (error: unknown): boolean =>
  error instanceof AppError && (error.cause as { code?: unknown } | undefined)?.code === CANCELLED;

/** Whether a statement was ended in favour of others. */
export const isConflict = (error: unknown): boolean =>
  error instanceof AppError && CONFLICTS.has((error.cause as { code?: unknown } | undefined)?.code);

const OUTAGE = new Set<unknown>(['service-unavailable', 'query-timeout', 'outcome-unknown']);

/** Whether it may have been stored all the same. */
export const mayBeStored = (error: unknown): boolean =>
  error instanceof AppError && error.code === 'outcome-unknown';

/** Whether our own database was away: what was to be done is neither done nor refused. */
export const isOutage = (error: unknown): boolean => error instanceof AppError && OUTAGE.has(error.code);
