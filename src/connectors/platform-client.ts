import { setTimeout as wait } from 'node:timers/promises';

import { Agent, request as send } from 'undici';

import { AppError, invalid } from '../errors.js';
import { type PlatformClient, type PlatformObject, type PlatformRequest } from './connector.js';
import { parsePlatformJson } from './platform-json.js';
import { excerptOf, noAnswer, refusal, type Target } from './platform-errors.js';
import { readBody } from './platform-body.js';
import { objectOf } from './values.js';

export interface PlatformClientOptions {
  /** The platform as people call it, for messages. */
  readonly title: string;
  readonly baseUrl: string;
  readonly headers: Readonly<Record<string, string>>;
  /** For one attempt, from the connection to the last byte. */
  readonly timeoutMs?: number | undefined;
  readonly maxBytes?: number | undefined;
  /** Tests need not wait. */
  readonly sleep?: ((ms: number) => Promise<unknown>) | undefined;
}

const CONNECT_TIMEOUT_MS = 5_000;
const DEFAULT_TIMEOUT_MS = 30_000;
const DEFAULT_MAX_BYTES = 25 * 1024 * 1024;
const MAX_THROTTLED_RETRIES = 3;
const MAX_FAILED_RETRIES = 2;
const FIRST_DELAY_MS = 500;
/** A minute's limit is worth the wait; a day's limit (Xero says up to 86,400 s) is for the next sync. */
const MAX_RETRY_AFTER_MS = 90_000;

/** One for all platforms: idle sockets close by themselves and do not keep the process alive. */
const agent = new Agent({ connect: { timeout: CONNECT_TIMEOUT_MS } });

interface Answer {
  readonly status: number;
  readonly contentType: string;
  readonly retryAfter: string | null;
  readonly text: string;
}

/** A client for JSON over HTTP. Redirects are not followed: the credentials are for this address only. */
export function createPlatformClient(options: PlatformClientOptions): PlatformClient {
  const base = parseBaseUrl(options.baseUrl);
  const timeoutMs = options.timeoutMs ?? DEFAULT_TIMEOUT_MS;
  const maxBytes = options.maxBytes ?? DEFAULT_MAX_BYTES;
  const sleep = options.sleep ?? wait;

  async function attempt(url: URL, target: Target, headers: Record<string, string>): Promise<Answer> {
    const signal = AbortSignal.timeout(timeoutMs);
    let response;
    try {
      response = await send(url, { method: 'GET', headers, signal, dispatcher: agent });
    } catch (error) {
      throw noAnswer(target, error, timeoutMs);
    }
    const { statusCode: status, headers: received, body } = response;
    const contentType = single(received['content-type']) ?? 'no content type';
    const text = await readBody({ body, status, contentType, target, timeoutMs, maxBytes });
    return { status, contentType, retryAfter: single(received['retry-after']), text };
  }

  return {
    async get(path: string, request: PlatformRequest = {}): Promise<PlatformObject> {
      const url = addressOf(base, path, request.query ?? {});
      const target: Target = { title: options.title, address: url.origin + url.pathname };
      const headers = { ...options.headers, ...request.headers };
      let throttled = 0;
      let failed = 0;
      for (;;) {
        const answer = await attempt(url, target, headers);
        if (answer.status === 429 && throttled < MAX_THROTTLED_RETRIES) {
          const delay = retryAfterMs(answer.retryAfter) ?? FIRST_DELAY_MS * 2 ** throttled;
          if (delay > MAX_RETRY_AFTER_MS) throw refusal(target, answer);
          throttled += 1;
          await sleep(delay);
        } else if (answer.status >= 500 && failed < MAX_FAILED_RETRIES) {
          await sleep(FIRST_DELAY_MS * 2 ** failed);
          failed += 1;
        } else {
          return read(target, answer);
        }
      }
    },
  };
}

function read(target: Target, answer: Answer): PlatformObject {
  if (answer.status >= 400) throw refusal(target, answer);
  const shown = `${answer.status}, ${answer.contentType}: ${excerptOf(answer.text)}`;
  if (answer.status >= 300) {
    throw new AppError(
      'platform-answer',
      `${target.title} at ${target.address} points elsewhere; redirects are not followed (${shown})`,
    );
  }
  const value = parsed(target, answer.text, shown);
  const object = objectOf(value);
  if (object) return object;
  throw new AppError(
    'platform-answer',
    `${target.title} at ${target.address} must answer an object (${shown})`,
  );
}

function parsed(target: Target, text: string, shown: string): unknown {
  try {
    return parsePlatformJson(text).value;
  } catch (cause) {
    const message = `${target.title} at ${target.address} must answer JSON (${shown})`;
    throw new AppError('platform-answer', message, '', { cause });
  }
}

function parseBaseUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url;
  throw invalid('baseUrl', `baseUrl must be an http or https address, got ${text}`);
}

function addressOf(base: URL, path: string, query: Readonly<Record<string, string>>): URL {
  const url = new URL(base.origin);
  url.pathname = `${base.pathname.replace(/\/+$/, '')}/${path.replace(/^\/+/, '')}`;
  // %20 is a space to every server, `+` only to those that read queries as forms.
  url.search = new URLSearchParams(query).toString().replaceAll('+', '%20');
  return url;
}

/** Seconds or an HTTP date, as milliseconds from now. */
function retryAfterMs(header: string | null): number | null {
  if (header === null) return null;
  if (/^\d+(\.\d+)?$/.test(header.trim())) return Number(header) * 1000;
  const date = Date.parse(header);
  return Number.isNaN(date) ? null : Math.max(0, date - Date.now());
}

function single(header: string | string[] | undefined): string | null {
  return (Array.isArray(header) ? header[0] : header) ?? null;
}
