import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';
import { pipeline } from 'node:stream/promises';

import { Agent, request as send } from 'undici';

import { type ConformancePlatform, type Fault, type OptionalFault, type SeenCall } from './conformance.js';

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** What platforms say in words of their own. */
export type Refusals = Readonly<Record<'429' | '500', Answer> & Partial<Record<OptionalFault, Answer>>>;

type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** Where a platform expects the token of a call. */
export interface TokenScheme {
  of(headers: Headers): string | null;
  /** The headers of a call with a token that nobody ever gave. */
  readonly unknown: Readonly<Record<string, string>>;
}

export const BEARER: TokenScheme = {
  of: ({ authorization }) => /^Bearer (.*)$/.exec(authorization?.toString() ?? '')?.[1] ?? null,
  unknown: { authorization: 'Bearer of-yesterday' },
};

/** A header of its own, such as one for API keys. */
export const tokenHeader = (name: string): TokenScheme => ({
  of: (headers) => headers[name]?.toString() ?? null,
  unknown: { [name]: 'of-yesterday' },
});

/** How a platform that is stood before differs from others. */
interface Manners {
  readonly refusals?: Partial<Refusals>;
  readonly tokens?: TokenScheme;
}

const JSON_TYPE = { 'content-type': 'application/json' };
const PLAIN_REFUSALS: Refusals = {
  '429': {
    status: 429,
    headers: { ...JSON_TYPE, 'retry-after': '1' },
    body: '{"message":"too many requests"}',
  },
  '500': { status: 500, headers: JSON_TYPE, body: '{"message":"something went wrong"}' },
};
const HTML_TYPE = { 'content-type': 'text/html' };
const BAD_GATEWAY: Answer = {
  status: 502,
  headers: HTML_TYPE,
  body: '<html><body><h1>502 Bad Gateway</h1></body></html>\n',
};
const MAINTENANCE: Answer = {
  status: 200,
  headers: HTML_TYPE,
  body: '<html><title>Maintenance</title></html>',
};

export interface FaultProxy extends Pick<ConformancePlatform, 'calls' | 'fail' | 'reset'> {
  readonly url: string;
  stop(): Promise<void>;
}

/** Stands before a platform: sees every call, and lets some go wrong. */
export async function startFaultProxy(
  target: string,
  { refusals: own = {}, tokens = BEARER }: Manners = {},
): Promise<FaultProxy> {
  const refusals: Refusals = { ...PLAIN_REFUSALS, ...own };
  const calls: SeenCall[] = [];
  let script: { readonly fault: Fault; skip: number; count: number } | null = null;
  // No connection is kept: one that the platform closes while idle looks like a fault.
  const agent = new Agent({ pipelining: 0 });

  function nextFault(): Fault | null {
    if (!script) return null;
    if (script.skip > 0) {
      script.skip -= 1;
      return null;
    }
    script.count -= 1;
    return script.count >= 0 ? script.fault : null;
  }

  /** The platform's answer to the call as it came, but for these headers. */
  async function pass(
    request: IncomingMessage,
    response: ServerResponse,
    changed: Partial<Answer['headers']> = {},
  ) {
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    const { method = 'GET', url = '' } = request;
    const { host: _, connection: _connection, ...own } = request.headers;
    const body = method === 'GET' ? null : Buffer.concat(await request.toArray());
    return send(target + url, {
      method,
      headers: { ...own, ...changed },
      body,
      signal: gone.signal,
      dispatcher: agent,
    });
  }

  async function answer(request: IncomingMessage, response: ServerResponse, fault: Fault | null) {
    switch (fault) {
      case null:
      case 'expired token': {
        // The platform itself refuses a token that it never gave.
        const changed = fault === null ? {} : tokens.unknown;
        const { statusCode, headers, body } = await pass(request, response, changed);
        response.writeHead(statusCode, headers);
        await pipeline(body, response);
        return;
      }
      case 'cut': {
        const { statusCode, headers, body } = await pass(request, response);
        const whole = Buffer.from(await body.arrayBuffer());
        const length = { 'content-length': String(whole.length) };
        response.writeHead(statusCode, { ...headers, ...length });
        response.write(whole.subarray(0, whole.length / 2), () => response.destroy());
        return;
      }
      case 'invalid JSON': {
        const text = await (await pass(request, response)).body.text();
        response.writeHead(200, JSON_TYPE).end(text.slice(0, text.length / 2));
        return;
      }
      case 'drop':
        request.socket.destroy();
        return;
      case 'hang':
        return;
      case '429':
      case '500':
        say(response, refusals[fault]);
        return;
      case 'disconnected':
      case 'no scope':
      case 'fault with 200':
      case 'throttled with 200': {
        const words = refusals[fault];
        if (!words) throw new Error(`the platform has no words for ${fault}`);
        say(response, words);
        return;
      }
      case 'html':
        say(response, BAD_GATEWAY);
        return;
      case 'html with 200':
        say(response, MAINTENANCE);
        return;
      default:
        fault satisfies never;
    }
  }

  const server = createServer((request, response) => {
    calls.push({ path: request.url ?? '', token: tokens.of(request.headers), at: performance.now() });
    answer(request, response, nextFault()).catch(() => response.destroy());
  });
  // Longer than any test: a connection that is closed while a call sets out looks like a fault.
  server.keepAliveTimeout = 600_000;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    fail: (fault, { skip = 0, count = Infinity } = {}) => {
      script = { fault, skip, count };
    },
    reset: () => {
      script = null;
      calls.length = 0;
    },
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await agent.destroy();
    },
  };
}

function say(response: ServerResponse, { status, headers, body }: Answer): void {
  response.writeHead(status, headers).end(body);
}
