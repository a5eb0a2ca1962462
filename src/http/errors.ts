import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { PlatformPause } from '../connectors/platform-errors.js';
import { AppError, ERROR_TABLE, type ErrorCode, isOverSoon, toAppError, WriteRefused } from '../errors.js';
import { stringifyJson } from '../raw-json.js';

/** Codes for what Fastify itself refuses, by status. */
const BY_STATUS: Readonly<Record<number, ErrorCode>> = {
  400: 'invalid-params',
  404: 'not-found',
  405: 'method-not-allowed',
  413: 'payload-too-large',
  // An id in the path that is longer than any that exists.
  414: 'not-found',
  415: 'unsupported-media-type',
  429: 'rate-limited',
  503: 'service-unavailable',
};

/** Any thrown thing as an error of the table. */
export function describeError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  const { statusCode, message } = error as Partial<FastifyError>;
  const code = statusCode === undefined ? undefined : BY_STATUS[statusCode];
  return code ? new AppError(code, message ?? code, '', { cause: error }) : toAppError(error);
}

/** Answers an error in the body that both documented clients read (contract section 1). */
export function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const described = describeError(error);
  const known =
    described.code === 'payload-too-large'
      ? new AppError(
          described.code,
          `the body is larger than ${request.routeOptions.bodyLimit} bytes${largerGoes(request)}`,
          'body',
        )
      : described;
  const { status, shown } = ERROR_TABLE[known.code];
  if (!shown) request.log.error({ err: known.cause, requestId: request.id }, 'unexpected error');
  if (isOverSoon(known.code) && !reply.hasHeader('retry-after')) void reply.header('retry-after', '1');
  if (known instanceof PlatformPause) {
    const seconds = Math.max(1, Math.ceil((known.resumeAt.getTime() - Date.now()) / 1000));
    void reply.header('retry-after', String(seconds));
  }
  const isGraphql = request.url.startsWith('/graphql');
  const { code, message, field } = known;
  const body = isGraphql
    ? { errors: [{ message, extensions: { code, ...(field ? { field } : {}) } }] }
    : { error: { code, message, field, ...platformErrorOf(known) }, request_id: request.id };
  return reply.status(status).type('application/json; charset=utf-8').send(stringifyJson(body));
}

const platformErrorOf = (error: AppError): { readonly platform_error?: string | null } =>
  error instanceof WriteRefused ? { platform_error: error.platformError } : {};

/** What a route says to whose body is too large for it. */
const largerGoes = ({ routeOptions }: FastifyRequest): string =>
  (routeOptions.config as { readonly tooLarge?: string } | undefined)?.tooLarge ?? '';
