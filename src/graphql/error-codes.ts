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
