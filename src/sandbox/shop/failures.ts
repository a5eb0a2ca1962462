import type { Failure, FailureCode } from '../failure.js';
import { json, type Reply } from '../http/reply.js';

const STATUSES: Readonly<Record<FailureCode, number>> = {
  'bad-request': 400,
  'token-missing': 401,
  'token-invalid': 401,
  'token-expired': 401,
  'account-not-granted': 403,
  'scope-missing': 403,
  'not-found': 404,
  'not-supported': 405,
  'key-reused': 409,
  stale: 412,
  voided: 409,
  'in-use': 409,
  'too-large': 413,
  'unsupported-media': 415,
  invalid: 422,
  'too-many-requests': 429,
  'server-error': 500,
  unavailable: 503,
};

/** A failure in the format of Shop: a text, or lists of texts by field. */
export function presentShopFailure({ code, message, problems, headers }: Failure, traceId: string): Reply {
  const status = STATUSES[code];
  const byField: Record<string, string[]> = {};
  for (const problem of problems) (byField[problem.field] ??= []).push(problem.message);
  const errors = status === 404 ? 'Not Found' : problems.length > 0 ? byField : message;
  const wait = headers['retry-after'];
  return json(
    status,
    { errors },
    { ...headers, ...(wait === undefined ? {} : { 'retry-after': `${wait}.0` }), 'x-request-id': traceId },
  );
}
