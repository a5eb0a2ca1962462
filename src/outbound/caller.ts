import { type Dispatcher, errors } from 'undici';

import type { AddressKind } from './address-kind.js';
import type { FieldPath } from '../errors.js';
import { callSpan, trace, traceHeaders } from '../telemetry/traces.js';
import type { Lookup } from './careful-lookup.js';
import { GuardedDispatcher } from './guarded-dispatcher.js';
import { type AddressRules, parseTypedAddress } from './typed-address.js';

interface CallerOptions extends AddressRules {
  /** Limit on a whole call, from the DNS lookup to the last byte read. */
  readonly timeoutMs: number;
  readonly lookup?: Lookup;
  readonly kindOf?: (address: string) => AddressKind;
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
 * No complete response. The message is the same for every reason without a connection: it reveals nothing about networks
 * that the caller cannot see.
 */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer';
  constructor(
    message: string,
    /** Status of an incomplete response; otherwise null. */
    readonly status: number | null,
    cause: unknown,
  ) {
    super(message, { cause });
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

const UNANSWERED = 'the address did not answer';
const UNTRUSTED = "the receiver's TLS certificate is not trusted, has expired or is for another name";
const CLOSED = 'the connection ended without an HTTP answer';

/** Whether the connection was lost, or the response was not HTTP. */
function isOfConnection(error: unknown): boolean {
  const { code = '' } = error as NodeJS.ErrnoException;
  return error instanceof errors.HTTPParserError || /^(UND_ERR_SOCKET|ECONNRESET|EPIPE)$/.test(code);
}

/** The only way to call addresses that people typed in. */
export function createOutboundCaller({ timeoutMs, lookup, kindOf, ...rules }: CallerOptions): OutboundCaller {
  const dispatcher = new GuardedDispatcher({
    ...rules,
    ...(lookup ? { lookup } : {}),
    ...(kindOf ? { kindOf } : {}),
    connectTimeoutMs: timeoutMs,
  });

  const failureOf = (error: unknown, url: string, status: number | null, isLate: boolean): NoAnswer => {
    const unconnected = error instanceof Error ? dispatcher.whyUnconnected(error) : null;
    if (unconnected === 'certificate') return new NoAnswer(UNTRUSTED, null, error);
    // Over http only private networks are called, so all failures before a response have one message. Over https, the
    // server presented a trusted certificate for the name, so the message cannot reveal servers of others.
    const isShown = unconnected === null && (status !== null || url.startsWith('https:'));
    if (isShown && isLate) {
      return new NoAnswer(
        `the receiver did not answer completely within ${timeoutMs / 1000} s`,
        status,
        error,
      );
    }
    if (isShown && status !== null) return new NoAnswer("the receiver's answer broke off", status, error);
    return new NoAnswer(isShown && isOfConnection(error) ? CLOSED : UNANSWERED, null, error);
  };

  return {
    dispatcher,
    parseAddress: (value, field) => parseTypedAddress(value, field, rules),
    post: async ({ url: text, headers, body }) => {
      const signal = AbortSignal.timeout(timeoutMs);
      let status: number | null = null;
      try {
        const url = new URL(text);
        return await trace('POST', callSpan('POST', url), async (span) => {
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
          status = answer.statusCode;
          span?.set({ 'http.response.status_code': answer.statusCode });
          return {
            status: answer.statusCode,
            text: await readBeginning(answer.body),
            retryAfterSeconds: secondsOf(answer.headers['retry-after']),
          };
        });
      } catch (error) {
        throw failureOf(error, text, status, signal.aborted);
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
