import { AppError } from '../../errors.js';
import type { DownloadRequest, FileOrigin, PlatformFile } from '../platform.js';
import type { Target } from './platform-errors.js';
import { stringifyPlatformJson } from '../values/platform-json.js';
import { addressOf, matchesOrigin } from './address.js';
import { type Answer, refuse } from './answer.js';
import { type Call, type Calls, JSON_TYPE } from './calls.js';

export interface DownloadOptions {
  /** The platform's display name, for messages. */
  readonly title: string;
  readonly base: URL;
  readonly calls: Calls;
  /** The headers of every call to a trusted origin, including the token. */
  headers(accessToken: string): Readonly<Record<string, string>>;
  /** Additional origins of files besides the API's own; none by default. */
  readonly fileOrigins?: readonly FileOrigin[] | undefined;
}

const MAX_REDIRECTS = 3;

/** Downloads a file; null if it is gone. Redirects are followed to origins that the connector names. */
export async function download(
  options: DownloadOptions,
  place: string,
  request: DownloadRequest,
): Promise<PlatformFile | null> {
  const { title, calls } = options;
  const { headers, body, method = 'GET', ...limits } = request;
  let { url, isTrusted } = filePlace(options, place);
  let asked: Pick<Call, 'method' | 'body'> = { method, body: body ? stringifyPlatformJson(body) : null };
  for (let redirects = 0; ; redirects += 1) {
    const type = asked.body === null ? {} : JSON_TYPE;
    const isShown = isTrusted;
    const target: Target = { title, address: url.origin + url.pathname };
    const answer = await calls.persist({
      url,
      target,
      ...asked,
      headers: (token) => (isShown ? { ...options.headers(token), ...type, ...headers } : type),
      streams: true,
      isForeign: !isShown,
      ...limits,
    });
    const elsewhere = redirectOf(url, answer);
    if (elsewhere === null) return fileIn(target, answer);
    if (redirects === MAX_REDIRECTS) {
      throw new AppError('platform-answer', `${title} redirects a download more than ${MAX_REDIRECTS} times`);
    }
    // An untrusted host must not redirect to an origin that gets the credentials.
    const next = filePlace(options, elsewhere.href);
    ({ url } = next);
    isTrusted = isTrusted && next.isTrusted;
    // RFC 9110, 15.4: these two repeat the request, the others use GET.
    if (answer.status !== 307 && answer.status !== 308) asked = { method: 'GET', body: null };
  }
}

/** The URL of a file, and whether it may get the credentials. Throws if it must not be fetched. */
function filePlace(
  { base, title, fileOrigins }: DownloadOptions,
  place: string,
): { readonly url: URL; readonly isTrusted: boolean } {
  if (!/^https?:/i.test(place)) return { url: addressOf(base, place, []), isTrusted: true };
  const url = URL.canParse(place) ? new URL(place) : null;
  const isOwn = url?.origin === base.origin;
  const known = url && fileOrigins?.find(({ origin }) => matchesOrigin(origin, url));
  if (url && (isOwn || known) && url.username === '' && url.password === '') {
    return { url, isTrusted: isOwn || known?.isTrusted === true };
  }
  const where = url ? `a file at ${url.origin}` : 'a file at an invalid URL';
  throw new AppError('platform-answer', `${title} has ${where}, which is not one of its origins`);
}

function fileIn(target: Target, answer: Answer): PlatformFile | null {
  if (answer.content) return { contentType: answer.headers['content-type'] ?? null, content: answer.content };
  if (answer.status === 404 || answer.status === 410) return null;
  refuse(target, answer);
  const message = `${target.title} at ${target.address} must answer with a file (${answer.status}, ${answer.contentType})`;
  throw new AppError('platform-answer', message);
}

/** The target of a file's redirect; null without one. */
function redirectOf(url: URL, { status, headers }: Answer): URL | null {
  const { location } = headers;
  const isRedirect = [301, 302, 303, 307, 308].includes(status);
  return isRedirect && location !== undefined && URL.canParse(location, url.href)
    ? new URL(location, url)
    : null;
}
