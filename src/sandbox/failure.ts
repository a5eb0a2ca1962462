/** Failures of all platforms; each platform presents them in its own format. */
export type FailureCode =
  | 'bad-request'
  | 'token-missing'
  | 'token-invalid'
  | 'token-expired'
  | 'account-not-granted'
  | 'scope-missing'
  | 'not-found'
  | 'not-supported'
  | 'key-reused'
  | 'voided'
  | 'in-use'
  | 'stale'
  | 'too-large'
  | 'unsupported-media'
  | 'invalid'
  | 'too-many-requests'
  | 'server-error'
  | 'unavailable';

/** One problem with a body or a parameter. */
export interface Problem {
  /** Path of the field, in the platform's names: `Lines[0].AccountNumber`. */
  readonly field: string;
  /** In PascalCase: `UnknownAccount`. */
  readonly code: string;
  readonly message: string;
}

/** Thrown by handlers, to answer with an error. */
export class Failure extends Error {
  override readonly name = 'Failure';
  readonly problems: readonly Problem[];
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    readonly code: FailureCode,
    message: string,
    options: { readonly problems?: readonly Problem[]; readonly headers?: Record<string, string> } = {},
  ) {
    super(message);
    this.problems = options.problems ?? [];
    this.headers = options.headers ?? {};
  }
}

/** A parameter or field that cannot be read. */
export const badRequest = (field: string, message: string): Failure =>
  new Failure('bad-request', message, { problems: [{ field, code: 'Invalid', message }] });
