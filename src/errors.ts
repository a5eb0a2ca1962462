/**
 * Every error a caller can meet: HTTP status, whether the message may be shown, whether the same request may
 * succeed later. The same code stands in REST `error.code` and GraphQL `extensions.code`.
 */
export const ERROR_TABLE = {
  'missing-params': { status: 400, shown: true, retry: false },
  'invalid-params': { status: 400, shown: true, retry: false },
  'invalid-cursor': { status: 400, shown: true, retry: false },
  'record-already-exists': { status: 400, shown: true, retry: false },
  'operation-denied': { status: 400, shown: true, retry: false },
  'platform-denied': { status: 400, shown: true, retry: false },
  'unknown-error': { status: 400, shown: true, retry: false },
  'query-too-complex': { status: 400, shown: true, retry: false },
  unauthenticated: { status: 401, shown: true, retry: false },
  forbidden: { status: 403, shown: true, retry: false },
  'not-found': { status: 404, shown: true, retry: false },
  'no-file': { status: 404, shown: true, retry: false },
  'method-not-allowed': { status: 405, shown: true, retry: false },
  'request-timeout': { status: 408, shown: true, retry: true },
  conflict: { status: 409, shown: true, retry: true },
  'connection-expired': { status: 409, shown: true, retry: false },
  'too-many-deleted': { status: 409, shown: true, retry: false },
  'payload-too-large': { status: 413, shown: true, retry: false },
  'file-too-large': { status: 413, shown: true, retry: false },
  'unsupported-media-type': { status: 415, shown: true, retry: false },
  'expectation-failed': { status: 417, shown: true, retry: false },
  'idempotency-key-reused': { status: 422, shown: true, retry: false },
  'range-not-satisfiable': { status: 416, shown: true, retry: false },
  'headers-too-large': { status: 431, shown: true, retry: false },
  'rate-limited': { status: 429, shown: true, retry: true },
  'internal-error': { status: 500, shown: false, retry: true },
  'platform-unreachable': { status: 502, shown: true, retry: true },
  'platform-answer': { status: 502, shown: true, retry: true },
  'platform-unavailable': { status: 502, shown: true, retry: true },
  'platform-refused': { status: 502, shown: true, retry: false },
  'service-unavailable': { status: 503, shown: true, retry: true },
  'query-timeout': { status: 504, shown: true, retry: true },
  'outcome-unknown': { status: 504, shown: true, retry: true },
  'platform-timeout': { status: 504, shown: true, retry: true },
} as const satisfies Record<string, { status: number; shown: boolean; retry: boolean }>;

export type ErrorCode = keyof typeof ERROR_TABLE;

/** Whether an answer with this error says by `Retry-After` that the same request may succeed in a second. */
export function isOverSoon(code: ErrorCode): boolean {
  const { status, retry } = ERROR_TABLE[code];
  return retry && [409, 429, 503, 504].includes(status);
}

/** Why an item was not written. Contract section 1, error codes on writes. */
export const WRITE_ERROR_CODES = [
  'missing-params',
  'invalid-params',
  'record-already-exists',
  'operation-denied',
  'platform-denied',
  'unknown-error',
] as const satisfies readonly ErrorCode[];
export type WriteErrorCode = (typeof WRITE_ERROR_CODES)[number];

/** An error with a code of the table. `field` names the input at fault, as the caller wrote it. */
export class AppError extends Error {
  override readonly name = 'AppError';

  constructor(
    readonly code: ErrorCode,
    message: string,
    readonly field: string = '',
    options?: ErrorOptions,
  ) {
    super(message, options);
  }

  get status(): number {
    return ERROR_TABLE[this.code].status;
  }
}

/** A record that was not written, with what its platform said. Contract section 1, error body of writes. */
export class WriteRefused extends AppError {
  constructor(
    code: WriteErrorCode,
    message: string,
    field: string,
    readonly platformError: string | null,
  ) {
    super(code, message, field);
  }
}

/** Shorthand for the most common refusal: `limit must be between 1 and 1000, got 5000`. */
export function invalid(field: string, message: string): AppError {
  return new AppError('invalid-params', message, field);
}

/** What a caller is told of any error: unknown ones are masked. */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  return new AppError(
    'internal-error',
    'Something went wrong here. Quote the request id when you report it.',
    '',
    {
      cause: error,
    },
  );
}
