import { ERROR_TABLE, type ErrorCode } from '../../errors.js';
import { about, type Fields, integer, type JsonSchema, nullable, object, text, word } from './json-schema.js';

/** Body of every error. Reference G15. */
export const ERROR: JsonSchema = object({
  error: object(
    {
      code: about('What kind of error it is, for programs.', word(...Object.keys(ERROR_TABLE))),
      message: about('What was wrong and what would be right, for people.', text),
      field: about('The input at fault; empty where there is none.', text),
      platform_error: about("Of a write that was refused: the platform's own message.", nullable(text)),
      oldest_position: about('Of `position-expired`: the oldest position that there is.', integer),
    },
    ['code', 'message', 'field'],
  ),
  request_id: about('Identifies the request.', text),
});

/** Headers of every answer to a request with a key. */
export const HEADERS: Fields = {
  'X-Request-Id': about('Identifies the request.', text),
  'X-RateLimit-Limit': about('Requests in a minute that the key, or its organisation, may send.', integer),
  'X-RateLimit-Remaining': about('Requests that are left of them.', integer),
  'X-RateLimit-Reset': about('Seconds until the minute ends.', integer),
  'RateLimit-Policy': about('Limits of the key and of its organisation, by the IETF draft.', text),
  RateLimit: about('What is left of them, by the IETF draft.', text),
};
/** Of lists in pages. */
export const LINK_HEADER: Fields = {
  Link: about('The pages around this one, as `next` and `prev` (RFC 8288).', text),
};
/** Of answers that are made of records. */
export const TAG_HEADER: Fields = {
  ETag: about(
    'Changes with the answer: send it as `If-None-Match` to be answered 304 while it is the same.',
    text,
  ),
};
export const WARNING_HEADER: Fields = {
  'X-Svc-Warning': about('Names parameters or fields that mean nothing here.', text),
};
const RETRY_HEADER: Fields = {
  'Retry-After': about('Seconds to wait before the request is sent again.', integer),
};

/** What else an operation may refuse. */
interface Refusals {
  readonly hasBody: boolean;
  readonly changes: boolean;
}

const ALWAYS = [400, 401, 403, 404, 408, 429, 431, 500, 503, 504];
const OF_BODIES = [413, 415, 417];
/** What goes to a platform, or meets another change. */
const OF_CHANGES = [409, 422, 502];
const WITH_RETRY = [409, 429, 502, 503, 504];

/** Statuses that an operation may answer beside 200. */
export const refusalsOf = ({ hasBody, changes }: Refusals): number[] =>
  [...ALWAYS, ...(hasBody ? OF_BODIES : []), ...(changes ? OF_CHANGES : [])].sort(
    (one, other) => one - other,
  );

const NAMES: Readonly<Record<number, string>> = {
  400: 'Bad request',
  401: 'No valid key',
  403: 'The key may not do this',
  404: 'Not found',
  408: 'The request arrived too slowly',
  409: 'Conflict with what is there',
  413: 'The body is too large',
  415: 'The content type is not accepted',
  416: 'No such part of the file',
  417: 'The expectation cannot be met',
  422: 'The idempotency key was used for another request',
  429: 'Too many requests',
  431: 'The headers are too large',
  500: 'Something went wrong here',
  502: 'The platform could not be reached, or refused',
  503: 'The service is not ready or too busy',
  504: 'It took too long',
};

export const responseName = (status: number): string => `Error${status}`;

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

/** To a caller whose `If-None-Match` names the answer. */
export const UNCHANGED_ANSWER = {
  description: 'The answer is the one that the caller has.',
  headers: headerRefs({ ...HEADERS, ...TAG_HEADER }),
};

export const headerComponents = (): Readonly<Record<string, unknown>> =>
  headersOf({ ...HEADERS, ...WARNING_HEADER, ...LINK_HEADER, ...TAG_HEADER, ...RETRY_HEADER });

export const headersOf = (headers: Fields): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, { description, ...schema }]) => [name, { description, schema }]),
  );
