import { unwrapResolverError } from '@apollo/server/errors';
import { GraphQLError, type GraphQLFormattedError } from 'graphql';
import { hiddenReason } from '../db/database-error.js';
import { AppError, ERROR_TABLE, type ErrorCode, isOverSoon, toAppError } from '../errors.js';
import type { Logger } from '../telemetry/log.js';
import { causeOf } from './execute.js';

/**
 * An error of an executed operation as callers see it. Errors that a resolver did not throw are graphql-js's own, of
 * variables that do not fit, by themselves or where they are used. Masked errors are logged as `unexpected`.
 */
export function formatExecutionError(
  error: unknown,
  log: FailureLog,
  unexpected: string,
): GraphQLFormattedError {
  const place =
    error instanceof GraphQLError
      ? {
          ...(error.locations ? { locations: error.locations } : {}),
          ...(error.path ? { path: error.path } : {}),
        }
      : {};
  const cause = causeOf(error);
  if (error instanceof GraphQLError && (!error.path || isOfArgument(cause))) {
    return { message: shorten(error.message), ...place, extensions: { code: 'BAD_USER_INPUT' } };
  }
  const known = toAppError(cause);
  logHidden(known, log, unexpected);
  return { message: known.message, ...place, extensions: extensionsOf(known) };
}

type FailureLog = Pick<Logger, 'warn' | 'error'>;

/** Logs what callers are not told: bugs, as `unexpected`, and the reason why the database is unusable. */
export function logHidden(known: AppError, log: FailureLog, unexpected: string): void {
  if (!ERROR_TABLE[known.code].shown) log.error({ err: known.cause }, unexpected);
  const reason = hiddenReason(known);
  if (reason !== '') log.warn({ reason }, 'the database could not be used');
}

/** Null for what has a default, which validation lets pass as a variable. */
const isOfArgument = (cause: unknown): boolean =>
  cause instanceof GraphQLError && cause.message.startsWith('Argument "');

/** Apollo's hook for errors that did not come from a resolver: requests that are no valid GraphQL, limits. */
export function formatRequestError(formatted: GraphQLFormattedError, error: unknown): GraphQLFormattedError {
  const cause = unwrapResolverError(error);
  if (cause instanceof AppError) return { message: cause.message, extensions: extensionsOf(cause) };
  const limit = formatted.extensions?.['limit'];
  if (limit !== undefined) {
    const field = typeof limit === 'string' ? { field: [limit] } : {};
    return { ...formatted, extensions: { code: 'query-too-complex', ...field } };
  }
  const tokens = TOO_MANY_TOKENS.exec(formatted.message)?.[1];
  if (tokens) {
    const message = `the query has more than ${tokens} tokens`;
    return { ...formatted, message, extensions: { code: 'query-too-complex' } };
  }
  if (formatted.extensions?.['code'] === 'INTERNAL_SERVER_ERROR') {
    // Apollo's own words for extensions that it cannot read.
    if (cause instanceof GraphQLError && isBadRequest(cause)) {
      return { message: shorten(cause.message), extensions: { code: 'invalid-params' } };
    }
    const masked = toAppError(cause);
    return { message: masked.message, extensions: extensionsOf(masked) };
  }
  return { ...formatted, message: shorten(formatted.message) };
}

const isBadRequest = ({ extensions }: GraphQLError): boolean =>
  (extensions['http'] as { status?: number } | undefined)?.status === 400;

/** graphql-js gives this refusal of its parser no code of its own. */
const TOO_MANY_TOKENS = /^Syntax Error: Document contains more that (\d+) tokens/;

/** graphql-js repeats its input, even megabytes of it. */
function shorten(message: string): string {
  const said = message.replace(EXACT_NUMBER, '$1').replaceAll('[LosslessNumber]', '[number]');
  return said.length > 500 ? `${said.slice(0, 250)} … ${said.slice(-200)}` : said;
}

/** How graphql-js shows a number of a body that a double does not hold. */
const EXACT_NUMBER = /\{ value: "([-+.\deE]+)", isLosslessNumber: true \}/g;

/** How an answer with errors is sent, by its first error: the status of one without data, and `Retry-After`. */
export function outcomeOf(
  shown: GraphQLFormattedError | undefined,
  error: unknown,
): { readonly status: number; readonly retryAfter: string | null } {
  const code = shown?.extensions?.['code'];
  if (!isCode(code)) return { status: 400, retryAfter: null };
  const isPassing = isOverSoon(toAppError(causeOf(error)));
  return { status: ERROR_TABLE[code].status, retryAfter: isPassing ? '1' : null };
}

const isCode = (code: unknown): code is ErrorCode =>
  typeof code === 'string' && Object.hasOwn(ERROR_TABLE, code);

/** `field` is the path of names to the input at fault, as in user errors; absent where none is. */
export function extensionsOf({ code, field, details }: AppError): Record<string, unknown> {
  return { code, ...(field.length > 0 ? { field: field.map(String) } : {}), ...details };
}
