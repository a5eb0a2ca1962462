import { AppError, codeOf, ERROR_TABLE, type ErrorCode } from '../errors.js';

/**
 * PostgreSQL error classes and codes for temporary unavailability: connection lost, out of disk or connections,
 * shutting down, session ended for idleness, failing disk, and a server that is read-only after a failover.
 */
const UNAVAILABLE = /^(08|53|57P|25006$|25P0[34]$|58030$)/;
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
/** Serialization failure or deadlock: two transactions conflicted, and one was rolled back. */
const CONFLICTS = new Set(['40001', '40P01']);
/** An operator's `lock_timeout` expired. */
const LOCKED = '55P03';
/** pg's messages for lost connections, which have no code. */
const LOST =
  /timeout exceeded when trying to connect|Connection terminated|Client has encountered|Client was closed|timeout expired|Cannot use a pool after calling end/;
/** A cluster's messages for a lost worker, its own and libpq's, which have no code of their own. */
const LOST_WORKER =
  /^(failure on connection marked as essential|failed to COPY to shard|connection (not open|to the remote node)|server closed the connection unexpectedly|could not (receive data from|send data to) server|no connection to the server|SSL (SYSCALL error|connection has been closed))/;
/**
 * PostgreSQL's messages for a read-only disk or an exceeded quota; their codes are those of missing rights or a bug.
 */
const LOST_DISK = /^could not .*: (Read-only file system|Disk quota exceeded)$/;
const UNANSWERED = 'Query read timeout';

const CHANGES = /^\s*(INSERT|UPDATE|DELETE|COMMIT)\b|^\s*WITH\b[^]*\b(INSERT INTO|UPDATE|DELETE FROM)\b/i;
/** pg's messages for a statement that was not sent. */
const UNSENT = /Client has encountered|Client was closed|is not queryable/;

/** A failure as pg reports it; `severity` is present only if the server sent it. */
interface DatabaseCause {
  readonly severity?: string;
  readonly code?: string;
  readonly message?: string;
}

/**
 * The error of a commit, or of a statement that is a transaction of its own. If the connection was lost, it may have
 * been committed; if PostgreSQL refused it, it was not.
 */
export function commitError(error: Error, text: string): Error {
  const { severity, message = '' } = (error.cause ?? {}) as DatabaseCause;
  // The session or its server may end between the commit and the response.
  const isLost = isOutage(error) && severity !== 'ERROR' && !UNSENT.test(message);
  return isLost && CHANGES.test(text) ? outcomeUnknown(error) : error;
}

function outcomeUnknown(cause: unknown): AppError {
  const message =
    'the database was lost while it stored this, and may have stored it: look before it is sent again, or repeat it with the same Idempotency-Key';
  return failure('outcome-unknown', message, cause);
}

/** Prisma passes on `meta`, but no cause. Not enumerable, so that the cause is logged once. */
function failure(code: ErrorCode, words: string, cause: unknown): AppError {
  return Object.defineProperty(new AppError(code, words, [], { cause }), 'meta', { value: { cause } });
}

/**
 * Reads back what was just stored: if the database is lost meanwhile, the error must not suggest that it was not
 * stored.
 */
export const afterStoring = <Result>(read: Promise<Result>): Promise<Result> =>
  read.catch((error: unknown) => {
    throw storedBefore(error);
  });

/** The error of such a read. */
export const storedBefore = (error: unknown): unknown => (isOutage(error) ? outcomeUnknown(error) : error);

/** Translates a failed statement's error for the caller; our own bugs are passed on as they are and masked later. */
export function databaseError(error: unknown): unknown {
  if (error instanceof AppError) return error;
  const { code = '', message = '' } = (error ?? {}) as DatabaseCause;
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
    return failure('service-unavailable', ROLLED_BACK, error);
  }
  const words = [LOST, LOST_WORKER, LOST_DISK];
  if (UNAVAILABLE.test(code) || SOCKET.has(code) || words.some((known) => known.test(message))) {
    return unavailable(error);
  }
  return error;
}

const ROLLED_BACK = 'the database rolled this back in favour of other work on the same data, try again';

/** A conflict with another transaction that the database does not see. It is repeated like one that it sees. */
export const conflict = (): AppError => new AppError('service-unavailable', ROLLED_BACK);

const UNREACHABLE = 'the database cannot be reached, try again';

/** The database is unavailable. */
export const unavailable = (cause: unknown): AppError => failure('service-unavailable', UNREACHABLE, cause);

/** The reason that is hidden from callers, for the database's operator; empty for other errors. */
export function hiddenReason({ words, cause }: AppError): string {
  const { message = '', code = '' } = (cause ?? {}) as DatabaseCause;
  // Prisma's errors repeat ours.
  return words === UNREACHABLE && !message.includes(UNREACHABLE) ? message || code : '';
}

/** Prisma's code of a violated foreign key. */
const PRISMA_ORPHAN = 'P2003';

/** Prisma wraps an error's code, message and `meta` in its own error: this restores the original. */
export function raiseKnown(error: unknown): never {
  const { code, meta } = error as { code?: unknown; meta?: unknown };
  // Parents are checked before the insert, so a missing one was removed in between.
  if (code === PRISMA_ORPHAN) {
    throw new AppError('not-found', 'what this belongs to was removed meanwhile', [], { cause: error });
  }
  if (error instanceof AppError || typeof code !== 'string' || !Object.hasOwn(ERROR_TABLE, code)) throw error;
  const cause = (meta as { cause?: unknown } | undefined)?.cause ?? error;
  const message = (error as Error).message.trim().split('\n').at(-1) ?? '';
  throw new AppError(code as ErrorCode, message, [], { cause });
}

/** Whether a statement timed out: it may do so every time. */
export const isTooSlow = (error: unknown): boolean =>
  error instanceof AppError && codeOf(error.cause) === CANCELLED;

/** Whether the parent of a new row was removed concurrently. */
export const isOrphan = (error: unknown): boolean => codeOf(error) === '23503';

/** Whether a statement lost a conflict with other transactions. */
export const isConflict = (error: unknown): boolean =>
  error instanceof AppError && CONFLICTS.has(codeOf(error.cause));

const OUTAGE = new Set<unknown>(['service-unavailable', 'query-timeout', 'outcome-unknown']);

/** Whether the change may have been stored nevertheless. */
export const mayBeStored = (error: unknown): boolean =>
  error instanceof AppError && error.code === 'outcome-unknown';

/** Whether a connection may be unusable after an error. Our own refusals have no cause. */
export const isBroken = (error: unknown): error is Error =>
  isOutage(error) && !isTooSlow(error) && (error as Error).cause !== undefined;

/** Whether the coordinator of a cluster answered that a worker of it was unavailable. */
export const isLostWorker = (error: unknown): boolean => {
  if (!isOutage(error)) return false;
  const { severity, code = '', message = '' } = ((error as Error).cause ?? {}) as DatabaseCause;
  return severity === 'ERROR' && (code.startsWith('08') || LOST_WORKER.test(message));
};

/** Whether our own database was unavailable: the work is neither done nor refused. */
export const isOutage = (error: unknown): boolean => error instanceof AppError && OUTAGE.has(error.code);
