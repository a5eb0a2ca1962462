import type { Failure, FailureCode } from '../failure.js';
import { json, type Reply } from '../http/reply.js';

const CODES: Readonly<Record<FailureCode, readonly [status: number, code: string]>> = {
  'bad-request': [400, 'BadRequest'],
  'token-missing': [401, 'TokenMissing'],
  'token-invalid': [401, 'TokenInvalid'],
  'token-expired': [401, 'TokenExpired'],
  'account-not-granted': [403, 'CompanyNotGranted'],
  'scope-missing': [403, 'ScopeMissing'],
  'not-found': [404, 'NotFound'],
  'not-supported': [405, 'NotSupported'],
  'key-reused': [409, 'KeyReused'],
  voided: [409, 'Voided'],
  'in-use': [409, 'InUse'],
  stale: [412, 'Stale'],
  'too-large': [413, 'TooLarge'],
  'unsupported-media': [415, 'UnsupportedMedia'],
  invalid: [422, 'ValidationFailed'],
  'too-many-requests': [429, 'TooManyRequests'],
  'server-error': [500, 'ServerError'],
  unavailable: [503, 'Unavailable'],
};

/** A failure in the format of Books. */
export function presentBooksFailure(failure: Failure, traceId: string): Reply {
  const { status, Error } = booksErrorOf(failure);
  return json(
    status,
    { Error: { ...Error, TraceId: traceId } },
    {
      ...failure.headers,
      ...(status === 401 ? { 'www-authenticate': 'Bearer realm="SVC Sandbox Books"' } : {}),
    },
  );
}

/** A failure in the error format of Books, with its HTTP status. */
export function booksErrorOf({ code, message, problems }: Failure) {
  const [status, name] = CODES[code];
  const Problems = problems.map((one) => ({ Field: one.field, Code: one.code, Message: one.message }));
  return { status, Error: { Code: name, Message: message, Problems } };
}
