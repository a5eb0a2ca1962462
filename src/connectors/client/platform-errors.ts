import { AppError } from '../../errors.js';
import { type Verdict } from '../platform.js';
import { objectFrom, objectOf, textOf } from '../values/platform-values.js';

/** The called platform. The address excludes the query, which may be confidential. */
export interface Target {
  readonly title: string;
  readonly address: string;
}

/** The platform asked us to retry later, or did not respond: nothing is lost, continue at `resumeAt`. */
export class PlatformPause extends AppError {
  constructor(
    message: string,
    readonly resumeAt: Date,
    options?: ErrorOptions,
  ) {
    super('platform-unavailable', message, '', options);
  }
}

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection was refused',
  ENOTFOUND: 'there is no such host',
  EAI_AGAIN: 'the host name could not be looked up',
  ECONNRESET: 'the connection was closed before a response arrived',
  EPIPE: 'the connection was closed before a response arrived',
  UND_ERR_SOCKET: 'the connection was closed before a response arrived',
  EHOSTUNREACH: 'there is no route to the host',
  ENETUNREACH: 'there is no route to its network',
  ETIMEDOUT: 'the connection timed out',
  UND_ERR_CONNECT_TIMEOUT: 'the connection timed out',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate is self-signed',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate cannot be verified',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another host',
};

/** With these errors, no byte of the request was sent. */
const NOT_SENT: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
  'CERT_HAS_EXPIRED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'ERR_TLS_CERT_ALTNAME_INVALID',
]);

/** Whether a request without a response certainly never reached the platform. */
export function wasNotSent(error: unknown): boolean {
  return error instanceof AppError && error.cause !== undefined && NOT_SENT.has(firstCodeOf(error.cause));
}

const TIMEOUT_CODES: readonly string[] = ['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT'];

/** The error of a request without a response. */
export function noAnswer({ title, address }: Target, error: unknown, timeoutMs: number): AppError {
  const code = firstCodeOf(error);
  if (isTimeout(error, code)) {
    const message = `${title} at ${address} did not send a complete response within ${timeoutMs} ms`;
    return new AppError('platform-timeout', message, [], { cause: error });
  }
  if (code.startsWith('HPE_') || code === 'HTTPParserError') {
    const message = `${title} at ${address} must answer with HTTP (${code})`;
    return new AppError('platform-answer', message, [], { cause: error });
  }
  const reason = REASONS[code] ?? 'the request could not be made';
  const message = `${title} at ${address} could not be reached: ${reason} (${code})`;
  return new AppError('platform-unreachable', message, [], { cause: error });
}

interface RefusingAnswer {
  readonly status: number;
  readonly text: string;
  readonly verdict: Verdict;
}

/** The error of a refusal, with the platform's own message if it has one. */
export function refusal(target: Target, { status, text, verdict }: RefusingAnswer): PlatformRefusal {
  const message = refusalText(target, { status, text, verdict });
  // Too many requests, or a fault at the platform: the same request may succeed later.
  const later = verdict.kind === 'again' || verdict.kind === 'throttled';
  return new PlatformRefusal(later ? 'platform-unavailable' : 'platform-refused', message, status);
}

/** The platform no longer accepts the connection's credentials. */
export function accessEnded(target: Target, answer: RefusingAnswer): AppError {
  const message = `${refusalText(target, answer)}; the company has to connect it again`;
  return new AppError('connection-expired', message);
}

/** Why there is no token other than the refused one, with the platform's message. */
export function afterRefusal(error: unknown, target: Target, answer: RefusingAnswer): unknown {
  if (!(error instanceof AppError && error.code === 'connection-expired')) return error;
  return new AppError(error.code, `${error.words} (${refusalText(target, answer)})`, [], { cause: error });
}

function refusalText({ title, address }: Target, { status, text, verdict }: RefusingAnswer): string {
  const own = verdict.kind === 'refused' ? verdict.words?.slice(0, MAX_WORDS) : undefined;
  const words = own ?? ownWords(text) ?? excerptOf(text);
  return `${title} at ${address} refused the request with ${status}: ${words}`;
}

/** A response larger than the limit. */
export class AnswerTooLong extends AppError {
  constructor(message: string) {
    super('platform-answer', message);
  }
}

/** A refusal. */
class PlatformRefusal extends AppError {
  constructor(
    code: 'platform-unavailable' | 'platform-refused',
    message: string,
    readonly answered: number,
  ) {
    super(code, message);
  }
}

/** Whether less should be asked for at once: the response is too long, or takes too long. */
export const isTooLarge = (error: unknown): boolean =>
  error instanceof AnswerTooLong || (error instanceof AppError && error.code === 'platform-timeout');

/** Statuses of a gateway whose platform is away. */
const AWAY: ReadonlySet<number> = new Set([502, 503, 504]);

/** Whether nothing else of the platform can be expected to work either, as after a request without a response. */
export function isAway(error: unknown): boolean {
  if (error instanceof PlatformRefusal) return AWAY.has(error.answered);
  return (
    error instanceof AppError && (error.code === 'platform-unreachable' || error.code === 'platform-timeout')
  );
}

/** Null if the platform does not have it; rethrows every other error. */
export function absentOn404(error: unknown): null {
  if (error instanceof PlatformRefusal && error.answered === 404) return null;
  throw error;
}

/** The start of a body on one line, for messages. */
export function excerptOf(text: string): string {
  const line = text
    .slice(0, 1000)
    .replace(/[\s\p{Cc}\p{Cs}]+/gu, ' ')
    .trim();
  if (line === '') return 'an empty body';
  return line.length > 100 ? `${line.slice(0, 100)}...` : line;
}

const MAX_WORDS = 500;
/** Names under which platforms put error messages, the most specific first. */
const MESSAGE_NAMES: readonly string[] = ['detail', 'message', 'title', 'error_description', 'error'];

/** Null for a refused read; any other error is thrown. For reads whose refusal says no more than that nothing is known. */
export function nullIfRefused(error: unknown): null {
  if (error instanceof AppError && error.code === 'platform-refused') return null;
  throw error;
}

function ownWords(text: string): string | null {
  const body = objectFrom(text);
  return body && (wordsIn(body)?.slice(0, MAX_WORDS) ?? null);
}

/** The text under one of these names, or under one in a nested object: `{ "error": { "message": "…" } }`. */
function wordsIn(object: Readonly<Record<string, unknown>>, isWithin = false): string | null {
  const byName = new Map(Object.entries(object).map(([name, value]) => [name.toLowerCase(), value]));
  for (const name of MESSAGE_NAMES) {
    const value = byName.get(name);
    const inner = isWithin ? null : objectOf(value);
    const words = inner ? wordsIn(inner, true) : textOf(value);
    if (words !== null) return words;
  }
  return null;
}

function isTimeout(error: unknown, code: string): boolean {
  return TIMEOUT_CODES.includes(code) || objectOf(error)?.['name'] === 'TimeoutError';
}

/** The first code along the causes of an error; the name of the last one if none has a code. */
function firstCodeOf(error: unknown): string {
  const object = objectOf(error);
  if (!object) return 'UNKNOWN';
  const code = textOf(object['code']);
  if (code !== null) return code;
  return object['cause'] === undefined ? (textOf(object['name']) ?? 'UNKNOWN') : firstCodeOf(object['cause']);
}
