import { setTimeout as wait } from 'node:timers/promises';

import { request } from 'undici';

import { AppError } from '../../errors.js';
import { callSpan, trace, traceHeaders } from '../../telemetry/traces.js';
import { type Classify, verdictByStatus } from '../answers.js';
import { type Verdict } from '../platform.js';
import type { CallPermit, PlatformAccess, RemainingCalls } from '../platform-access.js';
import type { PlatformCall, PlatformMethod, PlatformObject } from '../platform.js';
import { afterRefusal, noAnswer, PlatformPause, refusal, type Target } from './platform-errors.js';
import { parsePlatformJson } from '../values/platform-json.js';
import { type Answer, objectIn } from './answer.js';
import { ACCEPTED_ENCODINGS, readBody, readChunks } from './body.js';

export interface CallsOptions {
  /** The platform's display name, for messages. */
  readonly title: string;
  readonly access: PlatformAccess;
  /** Classifies the platform's responses if their status is not enough. */
  readonly classify?: Classify | undefined;
  /** Reads the remaining quota from a response's headers, names in lower case, or its body. */
  readonly remaining?:
    | ((headers: Readonly<Record<string, string>>, body: () => PlatformObject | null) => RemainingCalls)
    | undefined;
  /** For tests, which need not wait. */
  readonly sleep?: ((ms: number) => Promise<unknown>) | undefined;
}

/** One request, without the parts that differ per attempt. */
export interface Call {
  readonly url: URL;
  readonly target: Target;
  readonly method: PlatformMethod;
  headers(accessToken: string): Readonly<Record<string, string>>;
  readonly body: PlatformCall['body'];
  /** Timeout of one attempt, from the connection to the last byte. */
  readonly timeoutMs: number;
  readonly maxBytes: number;
  /** A success is returned as a stream, unread. */
  readonly streams?: boolean;
  /** Sent to a foreign origin without the connection's headers and token. */
  readonly isForeign?: boolean;
  readonly beforeSend?: (() => Promise<void>) | undefined;
}

const MAX_THROTTLED_RETRIES = 3;
/** Maximum tokens per call: its own, its replacement, and the replacement of that. */
const MAX_TOKENS = 3;
const MAX_FAILED_RETRIES = 2;
const FIRST_DELAY_MS = 500;
/** Minimum pause for a platform that still refuses after the time that it gave. */
const LAST_DELAY_MS = 10_000;
const OK: Verdict = { kind: 'ok' };
export const JSON_TYPE = { 'content-type': 'application/json' };

/** Calls of a connection: every attempt needs a permit, so that its budget holds across all processes. */
export class Calls {
  constructor(private readonly options: CallsOptions) {}

  /** Retries after a platform fault, and after a pause requested by the platform. */
  async persist(call: Call): Promise<Answer> {
    const { access, sleep = wait } = this.options;
    const { target } = call;
    let throttled = 0;
    let failed = 0;
    for (;;) {
      const answer = await this.call(call);
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

  /**
   * Tries with a token and, if it is refused, with another one. That may have been renewed earlier by another process
   * and have expired since: then with a third. `tokens` are those already used. If no token works any more, reports to
   * the connection that its access has ended.
   */
  async call(call: Call, tokens: string[] = []): Promise<Answer> {
    const { access } = this.options;
    let token = await access.accessToken();
    tokens.push(token);
    let answer = await this.#attempt(call, token);
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
      answer = await this.#attempt({ ...call, timeoutMs }, token);
    }
    if (answer.verdict.kind === 'access ended') await access.ended(token);
    return answer;
  }

  async #attempt(call: Call, token: string): Promise<Answer> {
    const { access, title } = this.options;
    const permit = await access.permit();
    let answer: Answer | null = null;
    try {
      await call.beforeSend?.();
      answer = await trace(`${call.method} ${title}`, callSpan(call.method, call.url), async (span) => {
        const received = await this.#exchange(call, token);
        span?.set({ 'http.response.status_code': received.status });
        return received;
      });
    } finally {
      if (!answer?.content) {
        await permit.done({
          status: answer?.status ?? null,
          retryAfterMs: answer ? pauseIn(answer.verdict) : null,
          ...(call.isForeign ? {} : this.#remainingIn(answer)),
          length: answer?.text.length ?? 0,
          answeredAt: answer && !call.isForeign ? timeOf(answer) : undefined,
        });
      }
    }
    const { content, status } = answer;
    return content ? { ...answer, content: metered(content, status, permit) } : answer;
  }

  /** A response that requests a pause says more exactly when to continue. */
  #remainingIn(answer: Answer | null): { readonly remaining?: RemainingCalls } {
    if (!answer || !this.options.remaining) return {};
    const remaining = this.options.remaining(answer.headers, () => objectIn(answer));
    if (answer.verdict.kind !== 'throttled') return { remaining };
    return remaining.points ? { remaining: { minute: null, day: null, points: remaining.points } } : {};
  }

  async #exchange(call: Call, token: string): Promise<Answer> {
    const { url, target, method, timeoutMs, maxBytes } = call;
    const { access, title } = this.options;
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
    return { ...answer, verdict: content ? OK : this.#verdictOf(call, answer) };
  }

  #verdictOf(
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
    if (!isForeign) return this.options.classify?.(given) ?? verdictByStatus(given);
    const verdict = verdictByStatus(given);
    return verdict.kind === 'access ended' ? { kind: 'refused' } : verdict;
  }
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

const hasTokenEnded = ({ verdict }: Answer): boolean => verdict.kind === 'access ended' && verdict.isToken;

/** The pause requested by the platform. */
const pauseIn = (verdict: Verdict): number | null =>
  verdict.kind === 'throttled' || verdict.kind === 'again' ? verdict.retryAfterMs : null;

function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | null = null;
  return () => (made ??= { value: make() }).value;
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
