import { invalid } from '../../errors.js';
import type {
  PlatformAnswer,
  PlatformCall,
  PlatformClient,
  PlatformReply,
  PlatformRequest,
} from '../platform.js';
import type { Target } from './platform-errors.js';
import { stringifyPlatformJson } from '../values/platform-json.js';
import { redact } from '../values/redact.js';
import { addressOf, isBelow, parseBaseUrl } from './address.js';
import { bodyOf } from './answer.js';
import { Calls, type CallsOptions, JSON_TYPE } from './calls.js';
import { download, type DownloadOptions } from './download.js';

export interface PlatformClientOptions
  extends CallsOptions, Pick<DownloadOptions, 'headers' | 'fileOrigins'> {
  /** The platform's usual base address, for an access without another one. */
  readonly baseUrl: string;
  /** Timeout of one attempt, from the connection to the last byte. */
  readonly timeoutMs?: number | undefined;
  readonly maxBytes?: number | undefined;
}

const DEFAULT_TIMEOUT_MS = 30_000;
const DEFAULT_MAX_BYTES = 25 * 1024 * 1024;

/**
 * A client for JSON over HTTP. Faults are retried immediately a few times, short pauses requested by the platform are
 * waited out, and refused tokens are replaced. Redirects are not followed, except for files: the credentials are for
 * this address only.
 */
export function createPlatformClient(options: PlatformClientOptions): PlatformClient {
  const { access, title, timeoutMs = DEFAULT_TIMEOUT_MS, maxBytes = DEFAULT_MAX_BYTES } = options;
  const base = parseBaseUrl(access.baseUrl ?? options.baseUrl);
  const calls = new Calls(options);

  async function read(
    path: string,
    { method = 'GET', query = {}, headers, body }: PlatformRequest = {},
  ): Promise<PlatformAnswer> {
    const url = addressOf(base, path, Object.entries(query));
    const target: Target = { title, address: url.origin + url.pathname };
    const answer = await calls.persist({
      url,
      target,
      method,
      headers: (token) => ({ ...options.headers(token), ...(body && JSON_TYPE), ...headers }),
      body: body ? stringifyPlatformJson(body) : null,
      timeoutMs,
      maxBytes,
    });
    return { body: bodyOf(target, answer), headers: answer.headers };
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
    const { status, size, verdict, ...answer } = await calls.call(
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
    download: (place, request) => download({ ...options, base, calls }, place, request),
  };
}
