import type { PlatformMethod, PlatformObject, Verdict } from './platform.js';

/** A response to be classified by a connector. */
interface ReceivedAnswer {
  readonly method: PlatformMethod;
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body; null if it is not a JSON object. */
  readonly body: PlatformObject | null;
}

/** A connector's classification of its platform's responses; null: by status. */
export type Classify = (answer: ReceivedAnswer) => Verdict | null;

/** Means that the token is valid but lacks the scope (RFC 6750, 3.1). */
const OTHER_SCOPE = /\binsufficient_scope\b/;

/** The meaning of a response by its status. */
export function verdictByStatus({ status, headers }: Pick<ReceivedAnswer, 'status' | 'headers'>): Verdict {
  if (status >= 200 && status < 300) return { kind: 'ok' };
  if (status === 401) {
    const isScope = OTHER_SCOPE.test(headers['www-authenticate'] ?? '');
    return isScope ? { kind: 'refused' } : { kind: 'access ended', isToken: true };
  }
  if (status === 429) return { kind: 'throttled', retryAfterMs: pauseOf(headers['retry-after']) };
  if (status === 408 || status === 425 || status >= 500) {
    // With other statuses the header only says when one of the platform's pages was generated.
    return { kind: 'again', retryAfterMs: status === 503 ? pauseOf(headers['retry-after']) : null };
  }
  return { kind: 'refused' };
}

/** Limits span a day at most: a longer pause, such as an epoch time instead of seconds, is cut to that. */
const MAX_PAUSE_MS = 24 * 60 * 60 * 1000;

/** `Retry-After`, seconds or an HTTP date, as milliseconds from now. */
function pauseOf(header: string | undefined): number | null {
  if (header === undefined) return null;
  if (/^\d+(\.\d+)?$/.test(header.trim())) return Math.min(Number(header) * 1000, MAX_PAUSE_MS);
  const date = Date.parse(header);
  return Number.isNaN(date) ? null : Math.min(Math.max(0, date - Date.now()), MAX_PAUSE_MS);
}
