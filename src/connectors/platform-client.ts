import { setTimeout as wait } from 'node:timers/promises';

import { request } from 'undici';

import { AppError, invalid } from '../errors.js';
import { type Classify, type Verdict, verdictByStatus } from './answers.js';
import {
  type CallPermit,
  type DownloadRequest,
  type FileOrigin,
  type PlatformAccess,
  type PlatformAnswer,
  type PlatformCall,
  type PlatformClient,
  type PlatformFile,
  type PlatformMethod,
  type PlatformObject,
  type PlatformReply,
  type PlatformRequest,
  type RemainingCalls,
} from './connector.js';
import { parsePlatformJson, stringifyPlatformJson } from './platform-json.js';
import {
  accessEnded,
  afterRefusal,
  excerptOf,
  noAnswer,
  PlatformPause,
  refusal,
  type Target,
} from './platform-errors.js';
import { ACCEPTED_ENCODINGS, readBody, readChunks } from './platform-body.js';
import { redact } from './redact.js';
import { callSpan, traced, traceHeaders } from '../traces.js';
import { objectOf } from './platform-values.js';

export interface PlatformClientOptions {
  /** The platform's display name, for messages. */
  readonly title: string;
  readonly access: PlatformAccess;
  /** The platform's usual base address, for an access without another one. */
  readonly baseUrl: string;
  /** The headers of every call, including the token. */
  headers(accessToken: string): Readonly<Record<string, string>>;
  /** Classifies the platform's responses if their status is not enough. */
  readonly classify?: Classify | undefined;
  /** Additional origins of files besides the API's own; none by default. */
  readonly fileOrigins?: readonly FileOrigin[] | undefined;
  /** Reads the remaining quota from a response's headers, names in lower case, or its body. */
  readonly remaining?:
    | ((headers: Readonly<Record<string, string>>, body: () => PlatformObject | null) => RemainingCalls)
    | undefined;
  /** Timeout of one attempt, from the connection to the last byte. */
  readonly timeoutMs?: number | undefined;
  readonly maxBytes?: number | undefined;
  /** For tests, which need not wait. */
  readonly sleep?: ((ms: number) => Promise<unknown>) | undefined;
}

const DEFAULT_TIMEOUT_MS = 30_000;
const DEFAULT_MAX_BYTES = 25 * 1024 * 1024;
const MAX_THROTTLED_RETRIES = 3;
/** Maximum tokens per call: its own, its replacement, and the replacement of that. */
const MAX_TOKENS = 3;
const MAX_FAILED_RETRIES = 2;
const MAX_REDIRECTS = 3;
const FIRST_DELAY_MS = 500;
/** Minimum pause for a platform that still refuses after the time that it gave. */
const LAST_DELAY_MS = 10_000;

interface Answer {
  readonly status: number;
  readonly contentType: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly verdict: Verdict;
  /** Empty if there is a `content`. */
  readonly text: string;
  /** The text's JSON, parsed once; throws if invalid. */
  readonly json: () => unknown;
  readonly size: number;
  /** The unread body, if requested as a stream. */
  readonly content: AsyncIterable<Uint8Array> | null;
  readonly tookMs: number;
}

/** One request, without the parts that differ per attempt. */
interface Call {
  readonly url: URL;
  readonly target: Target;
  readonly method: PlatformMethod;
  headers(accessToken: string): Readonly<Record<string, string>>;
  readonly body: PlatformCall['body'];
  readonly timeoutMs: number;
  readonly maxBytes: number;
  /** A success is returned as a stream, unread. */
  readonly streams?: boolean;
  /** Sent to a foreign origin without the connection's headers and token. */
  readonly isForeign?: boolean;
  readonly beforeSend?: (() => Promise<void>) | undefined;
}

/**
 * A client for JSON over HTTP. Every attempt needs a permit, so that a connection's budget holds across all processes;
 * faults are retried immediately a few times, short pauses requested by the platform are waited out, and refused tokens
 * are replaced. Redirects are not followed, except for files to origins that the connector names: the credentials are
 * for this address only.
 */
export function createPlatformClient(options: PlatformClientOptions): PlatformClient {
  const { access, title } = options;
  const base = parseBaseUrl(access.baseUrl ?? options.baseUrl);
  const timeoutMs = options.timeoutMs ?? DEFAULT_TIMEOUT_MS;
  const maxBytes = options.maxBytes ?? DEFAULT_MAX_BYTES;
  const sleep = options.sleep ?? wait;

  async function attempt(call: Call, token: string): Promise<Answer> {
    const permit = await access.permit();
    let answer: Answer | null = null;
    try {
      await call.beforeSend?.();
      answer = await traced(`${call.method} ${title}`, callSpan(call.method, call.url), async (span) => {
        const received = await exchange(call, token);
        span?.set({ 'http.response.status_code': received.status });
        return received;
      });
    } finally {
      if (!answer?.content) {
        await permit.done({
          status: answer?.status ?? null,
          retryAfterMs: answer ? pauseIn(answer.verdict) : null,
          ...(call.isForeign ? {} : remainingIn(answer)),
          length: answer?.text.length ?? 0,
          answeredAt: answer && !call.isForeign ? timeOf(answer) : undefined,
        });
      }
    }
    const { content, status } = answer;
    return content ? { ...answer, content: metered(content, status, permit) } : answer;
  }

  /** A response that requests a pause says more exactly when to continue. */
  function remainingIn(answer: Answer | null): { readonly remaining?: RemainingCalls } {
    if (!answer || !options.remaining) return {};
    const remaining = options.remaining(answer.headers, () => objectIn(answer));
    if (answer.verdict.kind !== 'throttled') return { remaining };
    return remaining.points ? { remaining: { minute: null, day: null, points: remaining.points } } : {};
  }

  async function exchange(call: Call, token: string): Promise<Answer> {
    const { url, target, method, timeoutMs, maxBytes } = call;
    const began = Date.now();
    const signal = AbortSignal.timeout(timeoutMs);
    const { body: given } = call;
    const sent = typeof given === 'object' && given ? await given.open() : given;
    const length = typeof given === 'object' && given ? { 'content-length': String(given.size) } : {};
    const headers = {
      ...call.headers(token),
      ...length,
      ...traceHeaders(),
      'accept-encoding': ACCEPTED_ENCODINGS,
    };
    let response;
    try {
      response = await request(url, {
        method,
        headers,
        body: sent,
        signal,
        dispatcher: access.dispatcher,
      });
    } catch (error) {
      throw noAnswer(target, error, timeoutMs);
    }
    const { statusCode: status, body } = response;
    const received = singles(response.headers);
    const contentType = received['content-type'] ?? 'no content type';
    const encoding = received['content-encoding'];
    const reading = { body, status, contentType, encoding, target, timeoutMs, maxBytes };
    const tooLarge = () =>
      new AppError('file-too-large', `the file at ${title} is larger than ${maxBytes} bytes`);
    const content = call.streams && status === 200 ? readChunks(reading, tooLarge) : null;
    if (content && encoding === undefined && Number(received['content-length']) > maxBytes) {
      body.on('error', () => undefined).destroy();
      throw tooLarge();
    }
    const read = content ? { text: '', size: 0 } : await readBody(reading);
    const tookMs = Date.now() - began;
    const json = once(() => parsePlatformJson(read.text).value);
    const answer = { status, contentType, headers: received, json, ...read, content, tookMs };
    return { ...answer, verdict: content ? OK : verdictOf(call, answer) };
  }

  function verdictOf(
    { method, isForeign }: Pick<Call, 'method' | 'isForeign'>,
    answer: Pick<Answer, 'status' | 'headers' | 'json'>,
  ): Verdict {
    const { status, headers } = answer;
    const given = {
      method,
      status,
      headers,
      get body() {
        return objectIn(answer);
      },
    };
    if (!isForeign) return options.classify?.(given) ?? verdictByStatus(given);
    const verdict = verdictByStatus(given);
    return verdict.kind === 'access ended' ? { kind: 'refused' } : verdict;
  }

  /**
   * Tries with a token and, if it is refused, with another one. That may have been renewed earlier by another process
   * and have expired since: then with a third. `tokens` are those already used. If no token works any more, reports to
   * the connection that its access has ended.
   */
  async function tryCall(call: Call, tokens: string[] = []): Promise<Answer> {
    let token = await access.accessToken();
    tokens.push(token);
    let answer = await attempt(call, token);
    let { timeoutMs } = call;
    while (hasTokenEnded(answer) && tokens.length < MAX_TOKENS) {
      const refused = answer;
      const other = await access.accessToken(token).catch((error: unknown) => {
        throw afterRefusal(error, call.target, refused);
      });
      if (other === token) break;
      token = other;
      tokens.push(token);
      timeoutMs = Math.max(1, timeoutMs - answer.tookMs);
      answer = await attempt({ ...call, timeoutMs }, token);
    }
    if (answer.verdict.kind === 'access ended') await access.ended(token);
    return answer;
  }

  async function read(
    path: string,
    { method = 'GET', query = {}, headers, body }: PlatformRequest = {},
  ): Promise<PlatformAnswer> {
    const url = addressOf(base, path, Object.entries(query));
    const target: Target = { title, address: url.origin + url.pathname };
    const call: Call = {
      url,
      target,
      method,
      headers: (token) => ({ ...options.headers(token), ...(body && JSON_TYPE), ...headers }),
      body: body ? stringifyPlatformJson(body) : null,
      timeoutMs,
      maxBytes,
    };
    const answer = await persist(call);
    return { body: bodyOf(target, answer), headers: answer.headers };
  }

  /** Retries after a platform fault, and after a pause requested by the platform. */
  async function persist(call: Call): Promise<Answer> {
    const { target } = call;
    let throttled = 0;
    let failed = 0;
    for (;;) {
      const answer = await tryCall(call);
      const { verdict } = answer;
      if (verdict.kind === 'throttled') {
        const delay = verdict.retryAfterMs ?? FIRST_DELAY_MS * 2 ** throttled;
        const isLast = throttled === MAX_THROTTLED_RETRIES;
        if (isLast || delay > access.patienceMs) {
          const pause = isLast ? Math.max(delay, LAST_DELAY_MS) : delay;
          throw new PlatformPause(refusal(target, answer).message, new Date(Date.now() + pause));
        }
        throttled += 1;
        await sleep(delay);
      } else if (verdict.kind === 'again' && failed < MAX_FAILED_RETRIES) {
        await sleep(FIRST_DELAY_MS * 2 ** failed);
        failed += 1;
      } else {
        return answer;
      }
    }
  }

  /** The URL of a file, and whether it may get the credentials. Throws if it must not be fetched. */
  function filePlace(place: string): { readonly url: URL; readonly isTrusted: boolean } {
    if (!/^https?:/i.test(place)) return { url: addressOf(base, place, []), isTrusted: true };
    const url = URL.canParse(place) ? new URL(place) : null;
    const isOwn = url?.origin === base.origin;
    const known = url && options.fileOrigins?.find(({ origin }) => isOf(origin, url));
    if (url && (isOwn || known) && url.username === '' && url.password === '') {
      return { url, isTrusted: isOwn || known?.isTrusted === true };
    }
    const where = url ? `a file at ${url.origin}` : 'a file at an invalid URL';
    throw new AppError('platform-answer', `${title} has ${where}, which is not one of its origins`);
  }

  async function download(place: string, request: DownloadRequest): Promise<PlatformFile | null> {
    const { headers, body, method = 'GET', ...limits } = request;
    let { url, isTrusted } = filePlace(place);
    let asked: Pick<Call, 'method' | 'body'> = { method, body: body ? stringifyPlatformJson(body) : null };
    for (let redirects = 0; ; redirects += 1) {
      const type = asked.body === null ? {} : JSON_TYPE;
      const isShown = isTrusted;
      const target: Target = { title, address: url.origin + url.pathname };
      const answer = await persist({
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
        throw new AppError(
          'platform-answer',
          `${title} redirects a download more than ${MAX_REDIRECTS} times`,
        );
      }
      // An untrusted host must not redirect to an origin that gets the credentials.
      const next = filePlace(elsewhere.href);
      ({ url } = next);
      isTrusted = isTrusted && next.isTrusted;
      // RFC 9110, 15.4: these two repeat the request, the others use GET.
      if (answer.status !== 307 && answer.status !== 308) asked = { method: 'GET', body: null };
    }
  }

  function fileIn(target: Target, answer: Answer): PlatformFile | null {
    if (answer.content)
      return { contentType: answer.headers['content-type'] ?? null, content: answer.content };
    if (answer.status === 404 || answer.status === 410) return null;
    refuse(target, answer);
    const message = `${title} at ${target.address} must answer with a file (${answer.status}, ${answer.contentType})`;
    throw new AppError('platform-answer', message);
  }

  async function send({ path, query, headers, ...rest }: PlatformCall): Promise<PlatformReply> {
    const url = addressOf(base, path, query);
    if (!isBelow(base, url)) throw invalid('path', `must stay below the address of ${title}`);
    const target: Target = { title, address: url.origin + url.pathname };
    const merged = (token: string): Readonly<Record<string, string>> => {
      const { accept, ...own } = options.headers(token);
      const kept = Object.entries(headers).filter(([name]) => !(name.replaceAll('_', '-') in own));
      return { ...(accept === undefined ? {} : { accept }), ...Object.fromEntries(kept), ...own };
    };
    const tokens: string[] = [];
    const { status, size, verdict, ...answer } = await tryCall(
      { url, target, headers: merged, ...rest },
      tokens,
    );
    const clean = (text: string) => redact(text, tokens);
    const received = Object.entries(answer.headers).map(([name, value]) => [name, clean(value)] as const);
    return { status, verdict, headers: Object.fromEntries(received), text: clean(answer.text), size };
  }

  return {
    read,
    get: async (path, request) => (await read(path, request)).body,
    send,
    download,
  };
}

/** The call is in flight until its response was read, or its reader has gone. */
async function* metered(
  content: AsyncIterable<Uint8Array>,
  status: number,
  permit: CallPermit,
): AsyncGenerator<Uint8Array, void, undefined> {
  let length = 0;
  try {
    for await (const chunk of content) {
      length += chunk.byteLength;
      yield chunk;
    }
  } finally {
    await permit.done({ status, retryAfterMs: null, length });
  }
}

/** When the platform responded, corrected for cached responses. */
function timeOf({ headers: { date = '', age } }: Answer): Date | undefined {
  const time = Date.parse(date);
  return age !== undefined || Number.isNaN(time) ? undefined : new Date(time);
}

const OK: Verdict = { kind: 'ok' };
const JSON_TYPE = { 'content-type': 'application/json' };

const hasTokenEnded = ({ verdict }: Answer): boolean => verdict.kind === 'access ended' && verdict.isToken;

/** The pause requested by the platform. */
const pauseIn = (verdict: Verdict): number | null =>
  verdict.kind === 'throttled' || verdict.kind === 'again' ? verdict.retryAfterMs : null;

/** Throws unless the response is a success. */
function refuse(target: Target, answer: Answer): void {
  switch (answer.verdict.kind) {
    case 'ok':
      return;
    case 'access ended':
      throw accessEnded(target, answer);
    case 'refused':
      if (answer.status >= 300 && answer.status < 400) {
        throw new AppError(
          'platform-answer',
          `${target.title} at ${target.address} sent a redirect, which is not followed (${shownOf(answer)})`,
        );
      }
      throw refusal(target, answer);
    case 'again':
    case 'throttled':
      throw refusal(target, answer);
    default:
      answer.verdict satisfies never;
  }
}

const shownOf = ({ status, contentType, text }: Answer): string =>
  `${status}, ${contentType}: ${excerptOf(text)}`;

function bodyOf(target: Target, answer: Answer): PlatformObject {
  refuse(target, answer);
  const shown = shownOf(answer);
  const value = parsed(target, answer, shown);
  const object = objectOf(value);
  if (object) return object;
  throw new AppError(
    'platform-answer',
    `${target.title} at ${target.address} must answer with an object (${shown})`,
  );
}

function objectIn({ json }: Pick<Answer, 'json'>): PlatformObject | null {
  try {
    return objectOf(json());
  } catch {
    return null;
  }
}

function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | null = null;
  return () => (made ??= { value: make() }).value;
}

function parsed(target: Target, { json }: Answer, shown: string): unknown {
  try {
    return json();
  } catch (cause) {
    const message = `${target.title} at ${target.address} must answer with JSON (${shown})`;
    throw new AppError('platform-answer', message, [], { cause });
  }
}

function parseBaseUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url;
  throw invalid('baseUrl', `must be an http or https address, got ${text}`);
}

function addressOf(base: URL, path: string, query: readonly (readonly [string, string])[]): URL {
  const url = new URL(base.origin);
  url.pathname = `${rootOf(base)}${path.replace(/^\/+/, '')}`;
  // %20 is a space to every server, `+` only to those that read queries as forms.
  url.search = new URLSearchParams(query.map(([name, value]): [string, string] => [name, value]))
    .toString()
    .replaceAll('+', '%20');
  return url;
}

/** The target of a file's redirect; null without one. */
function redirectOf(url: URL, { status, headers }: Answer): URL | null {
  const { location } = headers;
  const isRedirect = [301, 302, 303, 307, 308].includes(status);
  return isRedirect && location !== undefined && URL.canParse(location, url.href)
    ? new URL(location, url)
    : null;
}

/** Whether a URL matches an origin, in which `*.` is any single name. */
function isOf(origin: string, url: URL): boolean {
  const [scheme, host = ''] = origin.split('://');
  if (!host.startsWith('*.')) return url.origin === origin;
  const [, ...above] = url.host.split('.');
  return url.protocol === `${scheme}:` && above.join('.') === host.slice(2);
}

/** The path of the base address, with a slash at its end. */
const rootOf = (base: URL): string => `${base.pathname.replace(/\/+$/, '')}/`;

/** Setting a path resolves `..` and its equivalents. */
function isBelow(base: URL, url: URL): boolean {
  return url.origin === base.origin && url.pathname.startsWith(rootOf(base));
}

/** Headers with one value each: the first of repeated ones. */
function singles(headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => {
      const first = Array.isArray(value) ? value[0] : value;
      return first === undefined ? [] : [[name, first]];
    }),
  );
}
