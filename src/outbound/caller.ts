import type { Dispatcher } from 'undici';

import type { FieldPath } from '../errors.js';
import { callSpan, traced, traceHeaders } from '../telemetry/traces.js';
import { GuardedDispatcher, type Lookup } from './guarded-dispatcher.js';
import { type AddressRules, parseTypedAddress } from './typed-address.js';

interface CallerOptions extends AddressRules {
  /** From the DNS lookup to the last byte read. */
  readonly timeoutMs: number;
  readonly lookup?: Lookup;
}

interface OutboundCall {
  /** Result of `parseAddress`. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The response; a redirect (3xx) is a response like any other, and not followed. */
interface OutboundAnswer {
  readonly status: number;
  /** The beginning of the body. */
  readonly text: string;
  /** `Retry-After` in seconds; null if absent or invalid. */
  readonly retryAfterSeconds: number | null;
}

/**
 * No response. The message is the same for every reason: it reveals nothing about networks that the caller cannot see.
 */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer';
  constructor(cause: unknown) {
    super('the address did not answer', { cause });
  }
}

/** Calls addresses given by users. */
export interface OutboundCaller {
  /** Validates an address, as far as possible without calling it. Throws `invalid-params`. */
  parseAddress(value: unknown, field: FieldPath): string;
  /** For requests to such addresses other than by `post`. */
  readonly dispatcher: Dispatcher;
  /** Throws NoAnswer. */
  post(call: OutboundCall): Promise<OutboundAnswer>;
  close(): Promise<void>;
}

/** Maximum bytes read. */
const MAX_BYTES = 64 * 1024;
const SHOWN_BYTES = 1024;

/** The only way to call addresses that people typed in. */
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

/** Reads the beginning of a body; if it is too long or endless, its connection is closed. */
async function readBeginning(body: Dispatcher.ResponseData['body']): Promise<string> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of body as AsyncIterable<Buffer>) {
    parts.push(part);
    size += part.length;
    if (size > MAX_BYTES) break;
  }
  // PostgreSQL cannot store NUL, and a character may be cut in half.
  const text = Buffer.concat(parts).subarray(0, SHOWN_BYTES).toString('utf8');
  return text.replaceAll('\0', '').replace(/\ufffd+$/, '');
}

/** Parses both forms, the number and the date. */
function secondsOf(header: string | string[] | undefined): number | null {
  if (typeof header !== 'string') return null;
  if (/^\d+$/.test(header)) return Number(header);
  const until = /GMT$/.test(header) ? Date.parse(header) : NaN;
  return Number.isNaN(until) ? null : Math.max(0, Math.ceil((until - Date.now()) / 1000));
}
