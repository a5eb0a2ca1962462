import { invalid } from '../../errors.js';

/** The base address of a platform's API. Throws if it is not an HTTP address. */
export function parseBaseUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url;
  throw invalid('baseUrl', `must be an http or https address, got ${text}`);
}

/** A URL below the base address. */
export function addressOf(base: URL, path: string, query: readonly (readonly [string, string])[]): URL {
  const url = new URL(base.origin);
  url.pathname = `${rootOf(base)}${path.replace(/^\/+/, '')}`;
  // %20 is a space to every server, `+` only to those that read queries as forms.
  url.search = new URLSearchParams(query.map(([name, value]): [string, string] => [name, value]))
    .toString()
    .replaceAll('+', '%20');
  return url;
}

/** Whether a URL matches an origin, in which `*.` is any single name. */
export function matchesOrigin(origin: string, url: URL): boolean {
  const [scheme, host = ''] = origin.split('://');
  if (!host.startsWith('*.')) return url.origin === origin;
  const [, ...above] = url.host.split('.');
  return url.protocol === `${scheme}:` && above.join('.') === host.slice(2);
}

/** The path of the base address, with a slash at its end. */
const rootOf = (base: URL): string => `${base.pathname.replace(/\/+$/, '')}/`;

/** Whether a URL is below the base address: setting a path resolves `..` and its equivalents. */
export function isBelow(base: URL, url: URL): boolean {
  return url.origin === base.origin && url.pathname.startsWith(rootOf(base));
}
