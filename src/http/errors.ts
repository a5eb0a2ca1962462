import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { PlatformPause } from '../connectors/client/platform-errors.js';
import {
  AppError,
  ERROR_TABLE,
  type ErrorCode,
  isOverSoon,
  toAppError,
  writePath,
  writeProblemText,
  WriteRefused,
} from '../errors.js';
import { extensionsOf, logHidden } from '../graphql/errors.js';
import { inSnakeCase } from '../base/names.js';
import { stringifyJson } from '../base/raw-json.js';

/** Codes for Fastify's own errors, by status. */
const BY_STATUS: Readonly<Record<number, ErrorCode>> = {
  400: 'invalid-params',
  404: 'not-found',
  405: 'method-not-allowed',
  408: 'request-timeout',
  413: 'payload-too-large',
  // An id in the path that is too long to exist.
  414: 'not-found',
  415: 'unsupported-media-type',
  429: 'rate-limited',
  503: 'service-unavailable',
};

const WANTS_JSON = 'the body must be JSON, sent with the header content-type: application/json';

/** Messages that replace Fastify's own. */
const WORDS: Readonly<Record<number, string>> = {
  414: 'an id in the path is longer than any that exists',
  415: `${WANTS_JSON}; only the file of a document is also accepted as multipart/form-data`,
};

/** Converts any thrown value to an error of the table. */
export function describeError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  const { statusCode, message } = error as Partial<FastifyError>;
  const code = statusCode === undefined ? undefined : BY_STATUS[statusCode];
  if (statusCode === undefined || !code) return toAppError(error);
  return new AppError(code, WORDS[statusCode] ?? message ?? code, [], { cause: error });
}

/** Sends an error in the format that both documented clients read (Reference G15). */
export function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const known = describeError(error);
  const { status } = ERROR_TABLE[known.code];
  logHidden(known, request.log, 'unexpected error');
  if (isOverSoon(known) && !reply.hasHeader('retry-after')) void reply.header('retry-after', '1');
  if (status === 401) void reply.header('www-authenticate', 'Bearer realm="api"');
  if (known instanceof PlatformPause) {
    const seconds = Math.max(1, Math.ceil((known.resumeAt.getTime() - Date.now()) / 1000));
    void reply.header('retry-after', String(seconds));
  }
  const isGraphql = request.url.split('?')[0] === '/graphql';
  const { code, field, details } = known;
  const takesNoForm = isGraphql && known.message === WORDS[415];
  const message = takesNoForm ? WANTS_JSON : isWriteOfRecords(request) ? inWriteForm(known) : known.message;
  const body = isGraphql
    ? { errors: [{ message, extensions: extensionsOf(known) }] }
    : {
        error: {
          code,
          message,
          field: writePath(field),
          ...inWireNames(details),
          ...platformErrorOf(known, request),
        },
        request_id: request.id,
      };
  // Clients that expect this content type read no other, and would lose code and message.
  const type =
    isGraphql && request.headers.accept?.includes(GRAPHQL_RESPONSE) ? GRAPHQL_RESPONSE : 'application/json';
  return reply.status(status).type(`${type}; charset=utf-8`).send(stringifyJson(body));
}

const inWireNames = (details: AppError['details']): Record<string, unknown> =>
  Object.fromEntries(Object.entries(details).map(([name, value]) => [inSnakeCase(name), value]));

const GRAPHQL_RESPONSE = 'application/graphql-response+json';

/** Clients read this from every refused write, whether we or the platform refused it (Reference G16). */
function platformErrorOf(
  error: AppError,
  request: FastifyRequest,
): { readonly platform_error?: string | null } {
  if (error instanceof WriteRefused) return { platform_error: error.platformError };
  return isWriteOfRecords(request) && error.status === 400 ? { platform_error: null } : {};
}

const isWriteOfRecords = ({ routeOptions }: FastifyRequest): boolean =>
  (routeOptions.config as { readonly isWrite?: boolean } | undefined)?.isWrite === true;

/** Problems of a write request have the format of problems of its items (Reference G16). */
function inWriteForm({ code, field, message }: AppError): string {
  const about = `${writePath(field)} `;
  if (code !== 'invalid-params' || field.length === 0 || !message.startsWith(about)) return message;
  return writeProblemText({
    code,
    words: `It ${message.slice(about.length)}`,
    path: field,
    platformError: null,
  });
}
