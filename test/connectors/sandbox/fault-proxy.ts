import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';
import { pipeline } from 'node:stream/promises';

import { Agent, request as send } from 'undici';

import { type ConformancePlatform, type Fault, type SeenCall } from '../conformance.js';

/** Faults of the sandbox's own; the others are made here. */
const SANDBOX_FAULTS: Partial<Readonly<Record<Fault, string>>> = {
  '429': '429',
  '500': '500',
  hang: 'hang',
  cut: 'cut',
  html: 'html',
  'expired token': 'expired-token',
};

export interface FaultProxy extends Pick<ConformancePlatform, 'calls' | 'fail' | 'reset'> {
  readonly url: string;
  stop(): Promise<void>;
}

/** Stands before the sandbox: sees every call, and lets some go wrong. */
export async function startFaultProxy(target: string): Promise<FaultProxy> {
  const calls: SeenCall[] = [];
  let script: { readonly fault: Fault; skip: number; count: number } | null = null;
  const agent = new Agent();

  function nextFault(): Fault | null {
    if (!script) return null;
    if (script.skip > 0) {
      script.skip -= 1;
      return null;
    }
    script.count -= 1;
    return script.count >= 0 ? script.fault : null;
  }

  async function forward(request: IncomingMessage, response: ServerResponse, fault: Fault | null) {
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    const own = fault === null ? undefined : SANDBOX_FAULTS[fault];
    const { host: _, connection: _connection, ...headers } = request.headers;
    const answer = await send(target + (request.url ?? ''), {
      headers: { ...headers, ...(own === undefined ? {} : { 'sandbox-fault': own }) },
      signal: gone.signal,
      dispatcher: agent,
    });
    if (fault === 'invalid JSON') {
      const text = await answer.body.text();
      response.writeHead(200, { 'content-type': 'application/json' }).end(text.slice(0, text.length / 2));
      return;
    }
    response.writeHead(answer.statusCode, answer.headers);
    await pipeline(answer.body, response);
  }

  const server = createServer((request, response) => {
    const token = /^Bearer (.*)$/.exec(request.headers.authorization ?? '')?.[1] ?? null;
    calls.push({ token, at: performance.now() });
    const fault = nextFault();
    if (fault === 'drop') {
      request.socket.destroy();
    } else if (fault === 'html with 200') {
      response.writeHead(200, { 'content-type': 'text/html' }).end('<html><title>Maintenance</title></html>');
    } else {
      forward(request, response, fault).catch(() => response.destroy());
    }
  });
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
