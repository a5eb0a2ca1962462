import { type LookupAddress, lookup as systemLookup } from 'node:dns';
import { Agent, type Dispatcher } from 'undici';

import { addressKind } from './address-kind.js';
import type { FieldPath } from '../errors.js';
import { type AddressRules, isAllowed, literalOf, parseTypedAddress } from './typed-address.js';

/** Finds the addresses of a name, as `dns.lookup` does. */
export type Lookup = (
  hostname: string,
  options: { readonly all: true },
  callback: (error: Error | null, addresses: LookupAddress[]) => void,
) => void;

export interface CallerOptions extends AddressRules {
  /** From the look-up of the name to the last byte that is read. */
  readonly timeoutMs: number;
  readonly lookup?: Lookup;
}

export interface OutboundCall {
  /** Of `parseAddress`. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** What the other side answered; a status of 3xx is an answer like any other, and followed nowhere. */
export interface OutboundAnswer {
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

/** Calls addresses that somebody typed in. */
export interface OutboundCaller {
  /** An address that may be called, as far as can be seen without calling it. Throws `invalid-params`. */
  parseAddress(value: unknown, field: FieldPath): string;
  /** Throws NoAnswer. */
  post(call: OutboundCall): Promise<OutboundAnswer>;
  close(): Promise<void>;
}

/** Nothing beyond is read. */
const MAX_BYTES = 64 * 1024;
const SHOWN_BYTES = 1024;
/** Sockets to one address: nobody is to be overwhelmed by us. */
const CONNECTIONS = 16;

/**
 * A caller that resolves a name once and connects to what was found, if all of it may be called: nobody can answer one
 * address to the check and another to the connection.
 */
export function createOutboundCaller({
  timeoutMs,
  lookup = systemLookup,
  ...rules
}: CallerOptions): OutboundCaller {
  const agents = { 'https:': agentOf('https:'), 'http:': agentOf('http:') };

  function agentOf(protocol: 'https:' | 'http:'): Agent {
    const guarded = (
      hostname: string,
      _options: unknown,
      callback: (error: Error | null, addresses: LookupAddress[]) => void,
    ) =>
      lookup(hostname, { all: true }, (error, addresses) => {
        if (error) return callback(error, []);
        const isFine = addresses.every(({ address }) => isAllowed({ protocol }, addressKind(address), rules));
        return isFine ? callback(null, addresses) : callback(new Error('an address that is refused'), []);
      });
    return new Agent({
      connections: CONNECTIONS,
      // It asks for all addresses of a name then, and tries those that it is given.
      connect: { timeout: timeoutMs, autoSelectFamily: true, lookup: guarded },
      headersTimeout: timeoutMs,
      bodyTimeout: timeoutMs,
    });
  }

  return {
    parseAddress: (value, field) => parseTypedAddress(value, field, rules),
    post: async ({ url: text, headers, body }) => {
      const signal = AbortSignal.timeout(timeoutMs);
      try {
        const url = new URL(text);
        // No look-up is made of a literal. What was allowed when it was typed in may be so no more.
        const literal = literalOf(url);
        if (literal !== null && !isAllowed(url, addressKind(literal), rules)) throw new Error('refused');
        const dispatcher = agents[url.protocol === 'http:' ? 'http:' : 'https:'];
        const answer = await dispatcher.request({
          origin: url.origin,
          path: url.pathname + url.search,
          method: 'POST',
          headers,
          body,
          signal,
        });
        return {
          status: answer.statusCode,
          text: await readBeginning(answer.body),
          retryAfterSeconds: secondsOf(answer.headers['retry-after']),
        };
      } catch (error) {
        throw new NoAnswer(error);
      }
    },
    close: async () => {
      await Promise.all(Object.values(agents).map((agent) => agent.destroy()));
    },
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

const secondsOf = (header: string | string[] | undefined): number | null =>
  typeof header === 'string' && /^\d{1,6}$/.test(header) ? Number(header) : null;
