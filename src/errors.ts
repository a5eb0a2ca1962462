/**
 * Every error that a caller can get: HTTP status, whether the message may be shown, whether the same request may
 * succeed later (`with-retry-after`: if the response has a `Retry-After`; `with-key`: it may have been carried out, so
 * that only a repetition with the same `Idempotency-Key` is safe). The same code is in REST `error.code` and GraphQL
 * `extensions.code`.
 */
export const ERROR_TABLE = {
  'missing-params': { status: 400, shown: true, retry: false },
  'invalid-params': { status: 400, shown: true, retry: false },
  'invalid-cursor': { status: 400, shown: true, retry: false },
  'position-expired': { status: 400, shown: true, retry: false },
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
  conflict: { status: 409, shown: true, retry: 'with-retry-after' },
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
  'outcome-unknown': { status: 504, shown: true, retry: 'with-key' },
  'platform-timeout': { status: 504, shown: true, retry: true },
} as const satisfies Record<
  string,
  { status: number; shown: boolean; retry: boolean | 'with-retry-after' | 'with-key' }
>;

export type ErrorCode = keyof typeof ERROR_TABLE;

/** Whether a response with this error has a `Retry-After` of a second. */
export function isOverSoon({ code, isPassing }: AppError): boolean {
  const { status, retry } = ERROR_TABLE[code];
  return retry === 'with-retry-after' ? isPassing : retry === true && [429, 503, 504].includes(status);
}

/** Why an item was not written. Reference G16. */
export const WRITE_ERROR_CODES = [
  'missing-params',
  'invalid-params',
  'record-already-exists',
  'operation-denied',
  'platform-denied',
  'conflict',
  'unknown-error',
] as const satisfies readonly ErrorCode[];
export type WriteErrorCode = (typeof WRITE_ERROR_CODES)[number];

/** Path of an input by field names: `['journalLines', 0, 'netAmount']`. */
export type Path = readonly (string | number)[];

/** A field: by its name alone, or by the path to it. */
export type FieldPath = string | Path;

export const pathOf = (field: FieldPath): Path => (typeof field === 'string' ? [field] : field);

/** A path as text: `journalLines[0].netAmount`. */
export const writePath = (path: Path): string =>
  path
    .map((part, index) => (typeof part === 'number' ? `[${part}]` : `${index === 0 ? '' : '.'}${part}`))
    .join('');

/**
 * An error with a code of the table. `words` do not name the field at fault: the path does, in GraphQL's names below
 * `rest/`, so that each style writes its own.
 */
export class AppError extends Error {
  override readonly name = 'AppError';
  /** Empty if no field is at fault. Not called `path`: graphql-js takes an error with a `path` for its own. */
  readonly field: Path;
  /** Details for programs beyond the code, in GraphQL's names. */
  readonly details: Readonly<Record<string, unknown>>;
  /** For a `conflict`: the same request may succeed in a moment. */
  readonly isPassing: boolean;

  constructor(
    readonly code: ErrorCode,
    readonly words: string,
    field: FieldPath = [],
    /** `message` is the whole sentence, if already written. */
    options: ErrorOptions & {
      readonly message?: string;
      readonly details?: AppError['details'];
      readonly isPassing?: boolean;
    } = {},
  ) {
    const path = pathOf(field);
    super(options.message ?? sentence(code, words, path), options);
    this.field = path;
    this.details = options.details ?? {};
    this.isPassing = options.isPassing ?? false;
  }

  /** The same error with its names mapped. */
  withNames(toNames: (path: Path) => Path): AppError {
    if (this.field.length === 0) return this;
    const { code, words, details, isPassing } = this;
    return new AppError(code, words, toNames(this.field), { cause: this, details, isPassing });
  }

  get status(): number {
    return ERROR_TABLE[this.code].status;
  }
}

/** Words of some codes complete a sentence about the field. */
function sentence(code: ErrorCode, words: string, path: Path): string {
  if (path.length === 0) return words;
  switch (code) {
    case 'missing-params':
      return `Missing required field: ${writePath(path)}. ${words}`;
    case 'invalid-params':
    case 'invalid-cursor':
    case 'position-expired':
    case 'file-too-large':
    case 'query-too-complex':
      return `${writePath(path)} ${words}`;
    default:
      return words;
  }
}

/** Shorthand for the most common refusal: `invalid('limit', 'must be between 1 and 1000, got 5000')`. */
export function invalid(field: FieldPath, words: string): AppError {
  return new AppError('invalid-params', words, field);
}

/** A conflict with other work that is over in a moment. */
export function passingConflict(words: string, field: FieldPath = []): AppError {
  return new AppError('conflict', words, field, { isPassing: true });
}

/** Why a record was not written. Reference G16. */
export interface WriteProblem {
  readonly code: WriteErrorCode;
  /** Explanation without the field's name. */
  readonly words: string;
  /** Empty where no field is at fault. */
  readonly path: Path;
  /** The platform's full message, if it was called. */
  readonly platformError: string | null;
  /** For a `conflict`: how the record differs from the version that the write is based on. */
  readonly stale?: StaleRecord | null;
}

/** A record that no longer has the version that a write expects. */
export interface StaleRecord {
  readonly version: string;
  /** Names of fields; null if unknown. */
  readonly changedFields: readonly string[] | null;
}

/** A problem in the format that clients expect. Reference G16. */
export function writeProblemText({ code, words, path }: WriteProblem): string {
  const form = path.length === 0 ? undefined : WRITE_FORMS[code];
  return form === undefined ? words : `${form}: ${writePath(path)}. ${words}`;
}

const WRITE_FORMS: Partial<Record<WriteErrorCode, string>> = {
  'missing-params': 'Missing required field',
  'invalid-params': 'Invalid field',
  'record-already-exists': 'Record already exists with given',
};

/** A problem of a record that was written nevertheless. */
export interface WriteWarning {
  readonly words: string;
  /** Empty if it concerns the whole record. */
  readonly path: Path;
}

export const writeWarningText = ({ words, path }: WriteWarning): string =>
  path.length === 0 ? words : `${writePath(path)}: ${words}`;

/** The only record of a write call was not written; `message` has the form of such problems. */
export class WriteRefused extends AppError {
  readonly platformError: string | null;

  constructor(
    code: WriteErrorCode,
    message: string,
    path: Path,
    { platformError, stale }: { readonly platformError: string | null; readonly stale: StaleRecord | null },
  ) {
    super(code, message, path, { message, details: stale ? { ...stale } : {} });
    this.platformError = platformError;
  }
}

/** The code of an error of Node, PostgreSQL or a driver; empty if it has none. */
export function codeOf(error: unknown): string {
  const { code } = (error ?? {}) as { readonly code?: unknown };
  return typeof code === 'string' ? code : '';
}

/** Converts any error for the caller: unknown ones are masked. */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  return new AppError(
    'internal-error',
    'Something went wrong here. Quote the request id when you report it.',
    [],
    { cause: error },
  );
}
