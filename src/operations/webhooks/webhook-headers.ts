import { invalid } from '../../errors.js';
import type { Headers } from '../../events/sealed-webhook.js';
import { MASKED } from '../../secrets/secret-box.js';

const MAX_HEADERS = 20;
const MAX_LENGTH = 2000;
const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/;
const VALUE = /^[\t\x20-\x7e]*$/;

/** Headers reserved for us or for the connection. */
const OURS =
  /^(webhook-.*|proxy-.*|connection|content-.*|expect|host|keep-alive|te|trailer|transfer-encoding|upgrade|user-agent)$/i;

/** A caller's additional headers. A masked value keeps the stored one. Throws `invalid-params`. */
export function parseHeaders(value: unknown, kept: Headers = {}): Headers {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw invalid('headers', 'must be an object of header names and their values');
  }
  const entries = Object.entries(value);
  if (entries.length > MAX_HEADERS) {
    throw invalid('headers', `accepts at most ${MAX_HEADERS} headers, got ${entries.length}`);
  }
  return Object.fromEntries(entries.map(([name, text]) => [name, parseHeader(name, text, kept)]));
}

function parseHeader(name: string, value: unknown, kept: Headers): string {
  if (!NAME.test(name)) throw invalid('headers', 'must have names of letters, digits and hyphens');
  if (OURS.test(name)) throw invalid('headers', `cannot set ${name}, which the service sets itself`);
  const text = value === MASKED ? (kept[name] ?? value) : value;
  if (typeof text === 'string' && text.length <= MAX_LENGTH && VALUE.test(text)) return text.trim();
  throw invalid('headers', `must give ${name} as text of at most ${MAX_LENGTH} ASCII characters`);
}
