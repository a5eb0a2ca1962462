import type { Dispatcher } from 'undici';

import type { FieldPath } from '../errors.js';
import { callSpan, traced, traceHeaders } from '../traces.js';
import { GuardedDispatcher, type Lookup } from './guarded-dispatcher.js';
import { type AddressRules, parseTypedAddress } from './typed-address.js';

interface CallerOptions extends AddressRules {
  /** From the look-up of the name to the last byte that is read. */
  readonly timeoutMs: number;
  readonly lookup?: Lookup;
}

interface OutboundCall {
  /** Of `parseAddress`. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** What the other side answered; a status of 3xx is an answer like any other, and followed nowhere. */
interface OutboundAnswer {
  readonly status: number;
  /** The beginning of the body. */
  readonly text: string;
  /** `Retry-After` in seconds; null where it says nothing of the kind. */
  readonly retryAfterSeconds: number | null;
}

/** There was no answer. The message is the same for every reason: it tells nothing of networks that the caller cannot see. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer';
  constructor(cause: unknown) {
    super('the address did not answer', { cause });
  }
}

/** Calls addresses given by users. */
export interface OutboundCaller {
  /** An address that may be called, as far as can be seen without calling it. Throws `invalid-params`. */
  parseAddress(value: unknown, field: FieldPath): string;
  /** For requests to such addresses that are not made by `post`. */
  readonly dispatcher: Dispatcher;
  /** Throws NoAnswer. */
  post(call: OutboundCall): Promise<OutboundAnswer>;
  close(): Promise<void>;
}

/** Nothing beyond is read. */
const MAX_BYTES = 64 * 1024;
const SHOWN_BYTES = 1024;

/** The one way to call what people typed in. */
export function createOutboundCaller({ timeoutMs, lookup, ...rules }: CallerOptions): OutboundCaller {
  const dispatcher = new GuardedDispatcher({
    ...rules,
    ...(lookup ? { lookup } : {}),
    connectTimeoutMs: timeoutMs,
  });

  return {
    dispatcher,
    parseAddress: (value, field) => parseTypedAddress(value, field, rules),
    post: async ({ url: text, headers, body }) => {
      const signal = AbortSignal.timeout(timeoutMs);
      try {
        const url = new URL(text);
        return await traced('POST', callSpan('POST', url), async (span) => {
          const answer = await dispatcher.request({
            origin: url.origin,
            path: url.pathname + url.search,
            method: 'POST',
            headers: { ...traceHeaders(), ...headers },
            body,
            signal,
            headersTimeout: timeoutMs,
            bodyTimeout: timeoutMs,
          });
          span?.set({ 'http.response.status_code': answer.statusCode });
          return {
            status: answer.statusCode,
            text: await readBeginning(answer.body),
            retryAfterSeconds: secondsOf(answer.headers['retry-after']),
          };
        });
      } catch (error) {
        throw new NoAnswer(error);
      }
    },
    close: () => dispatcher.destroy(),
  };
}

/** A body that is too long, or never ends, is left there: it is cut off with its connection. */
async function readBeginning(body: Dispatcher.ResponseData['body']): Promise<string> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of body as AsyncIterable<Buffer>) {
    parts.push(part);
    size += part.length;
    if (size > MAX_BYTES) break;
  }
  // PostgreSQL holds no NUL, and half a character is none.
  const text = Buffer.concat(parts).subarray(0, SHOWN_BYTES).toString('utf8');
  return text.replaceAll('\0', '').replace(/\ufffd+$/, '');
}

/** Of both forms, the number and the date. */
function secondsOf(header: string | string[] | undefined): number | null {
  if (typeof header !== 'string') return null;
  if (/^\d{1,6}$/.test(header)) return Number(header);
  const until = /GMT$/.test(header) ? Date.parse(header) : NaN;
  return Number.isNaN(until) ? null : Math.max(0, Math.ceil((until - Date.now()) / 1000));
}
