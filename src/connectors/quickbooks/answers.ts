import { type Classify, verdictByStatus } from '../answers.js';
import { type PlatformObject } from '../platform.js';
import { decimalOf, objectOf, objectsIn, textOf } from '../values/platform-values.js';

const THROTTLED = 3001;
/** The token has expired, or is none. */
const TOKEN = 3200;
/** The company has disconnected the app, or the token is another company's. A missing scope has the same code. */
const DISCONNECTED = /ApplicationAuthorizationFailed/;

/**
 * Classifies QuickBooks' faults, which may come with status 200. Those of its gateway, about tokens and limits, are
 * written in lower case and pad their codes with zeros. A missing right of the user is refused.
 */
export const classifyQuickBooks: Classify = ({ status, headers, body }) => {
  const fault = objectOf(body?.['Fault']) ?? objectOf(body?.['fault']);
  if (!fault) return null;
  const errors = objectsIn(fault['Error'] ?? fault['error']);
  const codes = errors.map((error) => Number(textOf(error['code']) ?? decimalOf(error['code'])));
  if (codes.includes(THROTTLED)) return verdictByStatus({ status: 429, headers });
  if (status === 429 || status >= 500) return null;
  const isDisconnected = errors.some((error) => DISCONNECTED.test(messageOf(error) ?? ''));
  // It may be a fault that passes: a disconnected company gets no new token.
  if (codes.includes(TOKEN) || status === 401 || isDisconnected)
    return { kind: 'access ended', isToken: true };
  if (fault['type'] === 'SystemFault') return { kind: 'again', retryAfterMs: null };
  return { kind: 'refused', words: wordsOf(errors, headers['intuit_tid']) };
};

const messageOf = (error: PlatformObject): string | null => textOf(error['Message'] ?? error['message']);

/** The errors, with the number by which Intuit's support finds the request. */
function wordsOf(errors: readonly PlatformObject[], tid: string | undefined): string {
  const words = errors.map((error) => {
    const element = textOf(error['element']);
    const said = [messageOf(error), textOf(error['Detail'] ?? error['detail'])].filter(
      (part) => part !== null,
    );
    return `${said.join(': ')}${element === null ? '' : ` (${element})`}, code ${textOf(error['code']) ?? 'unknown'}`;
  });
  const all = words.length > 0 ? words : ['a fault without words'];
  return [...all, ...(tid === undefined ? [] : [`intuit_tid ${tid}`])].join('; ');
}
