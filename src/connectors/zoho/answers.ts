import { type Classify, verdictByStatus } from '../answers.js';
import { type Verdict } from '../platform.js';
import { type RemainingCalls } from '../platform-access.js';
import { type PlatformObject } from '../platform.js';
import { decimalOf, textOf } from '../values/platform-values.js';

type Headers = Readonly<Record<string, string>>;

const INTERNAL = 1000;
/** The token is none, or has expired. */
const TOKEN = 14;
/** A scope or a right of the user is missing, unless it is said of the token. */
const RIGHT = 57;
/** The user is no longer one of the organization's. */
const NO_MEMBER = 6041;
/** Too many calls in a minute: further ones are refused for a while. */
const MINUTE: ReadonlySet<number> = new Set([43, 44]);
/** No calls are left for the day. */
const DAY = 45;
const TOO_MANY_AT_ONCE = 1070;

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Classifies Zoho's answers by the `code` in them, which is 0 in a success; a refusal may come with status 200. */
export const classifyZoho: Classify = ({ status, headers, body }) => {
  const code = codeIn(body);
  if (code === null || (code === 0 && status < 400)) return null;
  const pause = pauseAfter(code, headers);
  if (pause) return pause;
  if (status === 429 || status >= 500) return null;
  switch (code) {
    case INTERNAL:
      return { kind: 'again', retryAfterMs: null };
    case TOKEN:
      return { kind: 'access ended', isToken: true };
    case NO_MEMBER:
      return { kind: 'access ended', isToken: false };
    case RIGHT:
      return /token/i.test(textOf(body?.['message']) ?? '')
        ? { kind: 'access ended', isToken: true }
        : refused(code, body);
    default:
      return status === 401 ? { kind: 'access ended', isToken: true } : refused(code, body);
  }
};

const codeIn = (body: PlatformObject | null): number | null => {
  const code = decimalOf(body?.['code']);
  return code === null ? null : Number(code);
};

const refused = (code: number, body: PlatformObject | null): Verdict => ({
  kind: 'refused',
  words: `${textOf(body?.['message']) ?? 'a refusal without words'}, code ${code}`,
});

/** The pause after a limit, which Zoho only announces for the day. */
function pauseAfter(code: number, headers: Headers): Verdict | null {
  if (!MINUTE.has(code) && code !== DAY && code !== TOO_MANY_AT_ONCE) return null;
  const named = verdictByStatus({ status: 429, headers });
  if (named.kind === 'throttled' && named.retryAfterMs !== null) return named;
  if (code === TOO_MANY_AT_ONCE) return { kind: 'throttled', retryAfterMs: null };
  return { kind: 'throttled', retryAfterMs: code === DAY ? dayEndsIn(headers) : MINUTE_MS };
}

const dayEndsIn = (headers: Headers): number => {
  const seconds = headers['x-rate-limit-reset'] ?? '';
  return /^\d{1,6}$/.test(seconds) ? Math.min(Number(seconds) * 1000, DAY_MS) : HOUR_MS;
};

/** The calls that Zoho says are left for the day. */
export const remainingOf = (headers: Headers): RemainingCalls => {
  const left = headers['x-rate-limit-remaining'] ?? '';
  return { minute: null, day: /^\d{1,9}$/.test(left) ? Number(left) : null };
};
