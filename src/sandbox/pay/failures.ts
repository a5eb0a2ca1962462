import type { Failure, FailureCode } from '../failure.js';
import { json, type Reply } from '../http/reply.js';

const CODES: Readonly<Record<FailureCode, readonly [status: number, type: string, code: string]>> = {
  'bad-request': [400, 'invalid_request_error', 'parameter_invalid'],
  'token-missing': [401, 'authentication_error', 'token_missing'],
  'token-invalid': [401, 'authentication_error', 'token_invalid'],
  'token-expired': [401, 'authentication_error', 'token_expired'],
  'account-not-granted': [403, 'permission_error', 'account_not_granted'],
  'scope-missing': [403, 'permission_error', 'scope_missing'],
  'not-found': [404, 'invalid_request_error', 'resource_missing'],
  'not-supported': [405, 'invalid_request_error', 'method_not_allowed'],
  'key-reused': [400, 'idempotency_error', 'key_reused'],
  stale: [412, 'invalid_request_error', 'state_invalid'],
  voided: [400, 'invalid_request_error', 'state_invalid'],
  'in-use': [400, 'invalid_request_error', 'resource_in_use'],
  'too-large': [413, 'invalid_request_error', 'body_too_large'],
  'unsupported-media': [415, 'invalid_request_error', 'content_type_invalid'],
  invalid: [400, 'invalid_request_error', 'parameter_invalid'],
  'too-many-requests': [429, 'rate_limit_error', 'rate_limit'],
  'server-error': [500, 'api_error', 'internal_error'],
  unavailable: [503, 'api_error', 'unavailable'],
};
/** Problems that have a code of their own in Pay. */
const PROBLEMS: Readonly<Record<string, string>> = {
  Required: 'parameter_missing',
  UnknownField: 'parameter_unknown',
  InvalidCursor: 'invalid_cursor',
};

/** A failure in the format of Pay: only the first problem. */
export function presentPayFailure(failure: Failure, traceId: string): Reply {
  const [status, type, general] = CODES[failure.code];
  const [problem] = failure.problems;
  const error = {
    type,
    code: PROBLEMS[problem?.code ?? ''] ?? general,
    message: problem?.message ?? failure.message,
    param: problem?.field ?? null,
    request_id: `req_${traceId.replaceAll('-', '').slice(0, 16)}`,
  };
  return json(status, { error }, failure.headers);
}
