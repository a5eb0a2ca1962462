import { ERROR_TABLE, type ErrorCode } from '../errors.js';
import type { SchemaErrorCode } from './__generated__/resolvers.js';

const CODES = new Map(
  (Object.keys(ERROR_TABLE) as ErrorCode[]).map((code) => [
    code.toUpperCase().replaceAll('-', '_') as SchemaErrorCode,
    code,
  ]),
);
const NAMES = new Map([...CODES].map(([name, code]) => [code, name]));

/** The enum's value for a code of the table: `INVALID_PARAMS` for `invalid-params`. */
export const toErrorCodeName = (code: ErrorCode): SchemaErrorCode => NAMES.get(code) ?? 'INTERNAL_ERROR';

/** The code of the table for a value of the enum. */
export const toErrorCode = (name: string): ErrorCode =>
  CODES.get(name as SchemaErrorCode) ?? 'internal-error';

/** When a caller gets each code of the table. */
export const CAUSES: Readonly<Record<ErrorCode, string>> = {
  'missing-params': 'a required field is missing; `field` names it',
  'invalid-params': 'a value or the whole request is not accepted; `field` names the value',
  'invalid-cursor': 'a cursor or position is none of this list: begin again without it',
  'position-expired':
    'changes after this position have been removed: read the records anew, then follow from the end',
  'record-already-exists': 'the platform has such a record already, such as one of the same name or number',
  'operation-denied':
    'the platform, the connection or a setting of the company does not allow this operation',
  'platform-denied': "the platform refused the record; `platform_error` has the platform's own words",
  'unknown-error':
    'the platform did not write the record, or it is not known whether it did: the message tells which',
  'query-too-complex': 'the request selects too much or is nested too deeply; the message names the limit',
  unauthenticated: 'no API key, or one that is unknown, expired or revoked',
  forbidden: 'the key lacks a scope, or the company has not permitted this',
  'not-found': 'there is none of this id that the key can see, or no such path',
  'no-file': 'the document has no file',
  'method-not-allowed': 'the path has no such method; `Allow` lists those it has',
  'request-timeout': 'the request did not arrive in time',
  conflict: 'the present state of something does not allow this; the message names it',
  'connection-expired': 'the platform no longer gives access: the company has to connect it again',
  'too-many-deleted': 'a sync would have deleted more records than is plausible, and deleted none',
  'payload-too-large': 'the body is too large, or has too many values',
  'file-too-large': 'the file is larger than files may be',
  'unsupported-media-type': 'the `Content-Type` is not accepted here',
  'expectation-failed': 'an `Expect` other than `100-continue`',
  'idempotency-key-reused': 'the `Idempotency-Key` belongs to another request',
  'range-not-satisfiable': 'the `Range` is outside the file',
  'headers-too-large': 'the headers are too large',
  'rate-limited': 'too many requests, or too many at once: wait as `Retry-After` says',
  'internal-error': 'a defect of this service',
  'platform-unreachable': 'no connection to the platform: its name, network or certificate',
  'platform-answer': "the platform's response cannot be understood or is too large",
  'platform-unavailable': 'the platform asked to wait, or has a fault',
  'platform-refused': "the platform said no; the message has the platform's own words",
  'service-unavailable':
    'the database is away, or the service is starting, stopping or busy; nothing was stored',
  'query-timeout': 'the database took too long: narrow the query',
  'outcome-unknown': 'the database was lost while it stored this, and may have stored it: look first',
  'platform-timeout': 'the platform did not respond in time',
};

/** Codes of GraphQL and of Apollo Server, for requests that cannot be executed: statuses and causes. */
export const REQUEST_CODES: Readonly<Record<string, { readonly status: string; readonly about: string }>> = {
  GRAPHQL_PARSE_FAILED: { status: '400', about: 'the query is not GraphQL' },
  GRAPHQL_VALIDATION_FAILED: { status: '400', about: 'the query does not fit the schema' },
  BAD_USER_INPUT: { status: '400', about: 'a variable does not fit its type' },
  OPERATION_RESOLUTION_FAILURE: {
    status: '400',
    about: '`operationName` is not in the query, or missing where the query has several',
  },
  BAD_REQUEST: {
    status: '400, 405, 406',
    about:
      'no query, a list of requests, `variables` that are not an object; 405: a mutation with GET; 406: `Accept` without JSON',
  },
  PERSISTED_QUERY_NOT_FOUND: { status: '200', about: 'the hash is unknown: send it again with the query' },
};
