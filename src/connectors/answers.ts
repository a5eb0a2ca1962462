import { type PlatformMethod, type PlatformObject } from './connector.js';

/** An answer, as a connector tells what it means. */
interface ReceivedAnswer {
  readonly method: PlatformMethod;
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body; null where it is no JSON object. */
  readonly body: PlatformObject | null;
}

/** What an answer means, whatever its status: reading, writing and passthrough go by it alike. */
export type Verdict =
  | { readonly kind: 'ok' }
  /** A fault of the platform: the same may succeed later, and may have been carried out. */
  | { readonly kind: 'again'; readonly retryAfterMs: number | null }
  /** Not now: nothing was carried out. Null where the platform does not say until when. */
  | { readonly kind: 'throttled'; readonly retryAfterMs: number | null }
  /** No; `words` where the platform says why in a place of its own. */
  | { readonly kind: 'refused'; readonly words?: string }
  /** The access has ended, but for what another token may open where `isToken`. */
  | { readonly kind: 'access ended'; readonly isToken: boolean };

/** What a connector knows of its platform's answers; null for what their status says. */
export type Classify = (answer: ReceivedAnswer) => Verdict | null;

/** Says that the token was good, and not meant for this (RFC 6750, 3.1). */
const OTHER_SCOPE = /\binsufficient_scope\b/;

/** What an answer means by its status. */
export function verdictByStatus({ status, headers }: Pick<ReceivedAnswer, 'status' | 'headers'>): Verdict {
  if (status >= 200 && status < 300) return { kind: 'ok' };
  if (status === 401) {
    const isScope = OTHER_SCOPE.test(headers['www-authenticate'] ?? '');
    return isScope ? { kind: 'refused' } : { kind: 'access ended', isToken: true };
  }
  if (status === 429) return { kind: 'throttled', retryAfterMs: pauseOf(headers['retry-after']) };
  if (status === 408 || status === 425 || status >= 500) {
    // Of other statuses the header says no more than when a page of the platform's was made.
    return { kind: 'again', retryAfterMs: status === 503 ? pauseOf(headers['retry-after']) : null };
  }
  return { kind: 'refused' };
}

/** Limits are counted over a day at most: what asks for more, such as a time since 1970 for seconds, is asked again then. */
const MAX_PAUSE_MS = 24 * 60 * 60 * 1000;

/** `Retry-After`, seconds or an HTTP date, as milliseconds from now. */
function pauseOf(header: string | undefined): number | null {
  if (header === undefined) return null;
  if (/^\d+(\.\d+)?$/.test(header.trim())) return Math.min(Number(header) * 1000, MAX_PAUSE_MS);
  const date = Date.parse(header);
  return Number.isNaN(date) ? null : Math.min(Math.max(0, date - Date.now()), MAX_PAUSE_MS);
}
