import { isLosslessNumber } from 'lossless-json';
import { stringifyPlatformJson } from '../../connectors/values/platform-json.js';
import { PLATFORM_METHODS, type PlatformCall, type PlatformMethod } from '../../connectors/platform.js';
import { invalid, type Path } from '../../errors.js';
import { parseText } from '../../base/values.js';

/** A caller's request to a platform. */
export interface GivenRequest {
  readonly method: string;
  readonly path: string;
  readonly headers?: unknown;
  readonly params?: unknown;
  readonly data?: unknown;
}

export type PlatformRequest = Pick<PlatformCall, 'method' | 'path' | 'query' | 'headers' | 'body'>;

/** The request to send. Throws `invalid-params` on anything that could reach another host or account. */
export function parsePassthrough(given: GivenRequest): PlatformRequest {
  const method = parseMethod(given.method);
  const { path, query: written } = splitPath(given.path);
  const query = [...written, ...parseParams(given.params)];
  const headers = parseHeaders(given.headers);
  return { method, path, query, ...parseBody(method, headers, given.data) };
}

function parseMethod(text: string): PlatformMethod {
  const method = PLATFORM_METHODS.find((one) => one === text.toUpperCase());
  if (method) return method;
  const words = `must be one of ${PLATFORM_METHODS.join(', ')}, got ${text.slice(0, 20)}`;
  throw invalid(['data', 'method'], words);
}

const PATH = /^\/[A-Za-z0-9._~!$&'()*+,;=:@/%-]*$/;
const MAX_PATH = 2000;
/** Slashes, dots and control characters. */
const ENCODED = /%(?:2[ef]|5c|[01][0-9a-f]|7f)/i;

/** Splits a path from the query string that many clients append. */
export function splitPath(text: string): { readonly path: string; readonly query: [string, string][] } {
  const place = text.indexOf('?');
  const path = place === -1 ? text : text.slice(0, place);
  // Matches only text that cannot end up in the place of a host.
  const isRelative = /^[A-Za-z0-9._~-]+(?:\/|$)/.test(path);
  return {
    path: parsePath(isRelative ? `/${path}` : path),
    query: place === -1 ? [] : parseQuery(text.slice(place + 1)),
  };
}

function parseQuery(text: string): [string, string][] {
  const field = ['data', 'path'];
  if (text.includes('#')) throw invalid(field, 'must not hold #');
  if (text.split(/[&=]/).some((part) => decodedOf(part.replaceAll('+', ' ')) === null)) {
    throw invalid(field, 'must have percent-encoded UTF-8 behind the ?');
  }
  return [...new URLSearchParams(text)].map(([name, value]) => [
    parseText(name, field),
    parseText(value, field),
  ]);
}

/** A path that every server interprets alike, below the platform's API. */
export function parsePath(text: string): string {
  const invalidPath = (what: string) => invalid(['data', 'path'], what);
  if (!text.startsWith('/')) throw invalidPath("must be a path below the platform's API, such as /accounts");
  if (text.length > MAX_PATH) throw invalidPath(`must have at most ${MAX_PATH} characters`);
  if (text.includes('#')) throw invalidPath('must not hold #');
  if (!PATH.test(text)) throw invalidPath('must hold only the characters of a path; encode others as %20');
  if (text.includes('//')) throw invalidPath('must not hold //');
  for (const segment of text.split('/')) {
    if (decodedOf(segment) === null) {
      throw invalidPath('must be percent-encoded UTF-8: a % itself is written %25');
    }
    // Some platforms decode what a proxy has already decoded, and the digits may be encoded, too (`%25%32%65`).
    for (const decoded of decodings(segment)) {
      if (ENCODED.test(decoded)) {
        throw invalidPath('must not hold an encoded slash, backslash, dot or control character');
      }
      // Some servers read `..;x` as `..` with a parameter.
      if (/^\.{1,2}(;|$)/.test(decoded)) throw invalidPath('must not hold the segments . and ..');
    }
  }
  return text;
}

/** A text and its repeated decodings. */
function* decodings(text: string): Generator<string> {
  for (let current: string | null = text; current !== null;) {
    yield current;
    const next = decodedOf(current);
    current = next === current ? null : next;
  }
}

function decodedOf(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

function entriesOf(value: unknown, field: Path): [string, unknown][] {
  if (value == null) return [];
  if (typeof value !== 'object' || Array.isArray(value)) throw invalid(field, 'must be an object');
  return Object.entries(value);
}

/** Query parameters; null counts as absent, a list repeats the parameter. */
function parseParams(given: unknown): [string, string][] {
  const field = ['data', 'params'];
  return entriesOf(given, field).flatMap(([name, value]) => {
    const values: unknown[] = Array.isArray(value) ? value : value === null ? [] : [value];
    return values.map((one): [string, string] => {
      if (typeof one === 'string') return [parseText(name, field), parseText(one, field)];
      if (typeof one === 'number' || typeof one === 'boolean' || isLosslessNumber(one)) {
        return [parseText(name, field), String(one)];
      }
      throw invalid(
        field,
        `has ${JSON.stringify(name.slice(0, 60))}, which must be a text, a number, true, false or a list of those`,
      );
    });
  });
}

/** RFC 9110, 5.6.2. */
const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9a-z-]{1,200}$/;
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

/**
 * Headers of the connection, of the client's identity, our own, and those that override the path on some servers. Also
 * refused with `_` for `-`, as some servers treat them alike.
 */
const REFUSED_HEADERS = [
  /^(connection|keep-alive|te|trailers?|transfer-encoding|upgrade|http2-settings|expect)$/,
  /^(host|content-length|authorization|cookie2?|forwarded)$/,
  /^(proxy|x-forwarded)-/,
  /^x-(original|rewrite)-url$/,
];

/** Names in lower case. */
export function parseHeaders(given: unknown): Record<string, string> {
  const field = ['data', 'headers'];
  const headers = new Map<string, string>();
  for (const [written, value] of entriesOf(given, field)) {
    const name = written.toLowerCase();
    const shown = JSON.stringify(written.slice(0, 60));
    if (!HEADER_NAME.test(name)) throw invalid(field, `has ${shown}, which is not a valid header name`);
    if (name === 'api_key' || REFUSED_HEADERS.some((one) => one.test(name.replaceAll('_', '-')))) {
      throw invalid(field, `must not hold ${shown}: the service sets it, or leaves it out`);
    }
    if (typeof value !== 'string' || !HEADER_VALUE.test(value)) {
      throw invalid(field, `has ${shown}, which must be one line of text without control characters`);
    }
    if (headers.has(name)) throw invalid(field, `must hold ${shown} once`);
    headers.set(name, value);
  }
  return Object.fromEntries(headers);
}

/** Some clients always send an object: an empty one counts as no body. */
const WITHOUT_BODY: readonly PlatformMethod[] = ['GET', 'HEAD'];

function parseBody(
  method: PlatformMethod,
  headers: Readonly<Record<string, string>>,
  data: unknown,
): Pick<PlatformRequest, 'headers' | 'body'> {
  const field = ['data', 'data'];
  if (data == null) return { headers, body: null };
  if (WITHOUT_BODY.includes(method)) {
    if (typeof data === 'object' && Object.keys(data).length === 0) return { headers, body: null };
    throw invalid(field, `must be absent: ${method} sends none, parameters go into params`);
  }
  const contentType = headers['content-type'];
  if (typeof data === 'string') {
    if (contentType !== undefined) return { headers, body: parseText(data, field) };
    throw invalid(['data', 'headers'], 'must hold content-type, because the data is a text');
  }
  if (contentType !== undefined && !/[/+]json\b/i.test(contentType)) {
    throw invalid(field, 'must be a text, because content-type is not JSON');
  }
  return { headers: { 'content-type': 'application/json', ...headers }, body: stringifyPlatformJson(data) };
}
