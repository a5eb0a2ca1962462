import { ERROR_TABLE, type ErrorCode } from '../../errors.js';
import {
  about,
  arrayOf,
  type Fields,
  integer,
  type JsonSchema,
  nullable,
  object,
  text,
  word,
} from './json-schema.js';

/** Body of every error. Reference G15. */
export const ERROR: JsonSchema = object({
  error: object(
    {
      code: about('Error code, for programs.', word(...Object.keys(ERROR_TABLE))),
      message: about('What is wrong and what is expected, for people.', text),
      field: about('The input at fault; empty if there is none.', text),
      platform_error: about('Message of the platform, for a refused write.', nullable(text)),
      version: about('With `conflict` of an update: current version of the record.', text),
      changed_fields: about(
        'With `conflict` of an update: fields that changed since the expected version; null if unknown.',
        nullable(arrayOf(text)),
      ),
      oldest_position: about('With `position-expired`: the oldest available position.', integer),
    },
    ['code', 'message', 'field'],
  ),
  request_id: about('Identifies the request.', text),
});

/** Headers of every answer to a request with a key. */
export const HEADERS: Fields = {
  'X-Request-Id': about('Identifies the request.', text),
  'X-RateLimit-Limit': about('Requests per minute allowed for the key or its organisation.', integer),
  'X-RateLimit-Remaining': about('Remaining requests in this minute.', integer),
  'X-RateLimit-Reset': about('Seconds until the limit resets.', integer),
  'RateLimit-Policy': about('Limits of the key and its organisation, per the IETF draft.', text),
  RateLimit: about('Remaining quota, per the IETF draft.', text),
};
/** Header of paged lists. */
export const LINK_HEADER: Fields = {
  Link: about('Links to the `next` and `prev` page (RFC 8288).', text),
};
/** Header of answers that consist of records. */
export const TAG_HEADER: Fields = {
  ETag: about('Version of the response: send it as `If-None-Match` to get 304 while it is unchanged.', text),
};
export const WARNING_HEADER: Fields = {
  'X-Svc-Warning': about('Names ignored parameters or fields, and says what may not have been meant.', text),
};
const RETRY_HEADER: Fields = {
  'Retry-After': about('Seconds to wait before retrying the request.', integer),
};

/** Properties of an operation that determine its additional error statuses. */
interface Refusals {
  readonly hasBody: boolean;
  readonly asksPlatform: boolean;
  readonly changes: boolean;
}

const ALWAYS = [400, 401, 403, 404, 408, 429, 431, 500, 503, 504];
const OF_BODIES = [413, 415, 417];
const OF_PLATFORMS = [409, 502];
/** For operations that write to a platform or may conflict with another change. */
const OF_CHANGES = [...OF_PLATFORMS, 422];
const WITH_RETRY = [409, 429, 502, 503, 504];

/** Statuses that an operation may answer beside 200. */
export function refusalsOf({ hasBody, asksPlatform, changes }: Refusals): number[] {
  const ofPlatforms = changes ? OF_CHANGES : asksPlatform ? OF_PLATFORMS : [];
  return [...ALWAYS, ...(hasBody ? OF_BODIES : []), ...ofPlatforms].sort((one, other) => one - other);
}

const NAMES: Readonly<Record<number, string>> = {
  400: 'Bad request',
  401: 'No valid key',
  403: 'The key lacks permission',
  404: 'Not found',
  408: 'The request arrived too slowly',
  409: 'Conflict with the current state',
  413: 'The body is too large',
  415: 'The content type is not accepted',
  416: 'No such part of the file',
  417: 'The expectation cannot be met',
  422: 'The idempotency key was used for another request',
  429: 'Too many requests',
  431: 'The headers are too large',
  500: 'Internal error',
  502: 'The platform could not be reached, or refused',
  503: 'The service is not ready or too busy',
  504: 'Timeout',
};

const responseName = (status: number): string => `Error${status}`;

export const refusalRefs = (statuses: readonly number[]): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    statuses.map((status) => [status, { $ref: `#/components/responses/${responseName(status)}` }]),
  );

/** Every refusal, with the codes that it may have. */
export function errorResponses(): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.keys(NAMES)
      .map(Number)
      .map((status) => [responseName(status), errorResponse(status)]),
  );
}

function errorResponse(status: number) {
  const codes = Object.entries(ERROR_TABLE).flatMap(([code, one]) =>
    one.status === status ? [code as ErrorCode] : [],
  );
  const retry = WITH_RETRY.includes(status) ? RETRY_HEADER : {};
  return {
    description: `${NAMES[status]}: ${codes.map((code) => `\`${code}\``).join(', ')}.`,
    headers: headerRefs({ ...HEADERS, ...retry }),
    content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
  };
}

/** Headers are components, as every answer has them. */
export const headerRefs = (headers: Fields): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.keys(headers).map((name) => [name, { $ref: `#/components/headers/${name}` }]));

/** Answer to an `If-None-Match` that matches the current tag. */
export const UNCHANGED_ANSWER = {
  description: "Not modified: the caller's copy is current.",
  headers: headerRefs({ ...HEADERS, ...TAG_HEADER }),
};

export const headerComponents = (): Readonly<Record<string, unknown>> =>
  headersOf({ ...HEADERS, ...WARNING_HEADER, ...LINK_HEADER, ...TAG_HEADER, ...RETRY_HEADER });

export const headersOf = (headers: Fields): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, { description, ...schema }]) => [name, { description, schema }]),
  );
