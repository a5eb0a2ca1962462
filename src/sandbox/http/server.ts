import { setMaxListeners } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Call, readCall } from './call.js';
import { json, type Reply } from './reply.js';

/** How long a hanging answer hangs if the caller does not give up. */
const HANG_MILLISECONDS = 120_000;

interface RunningServer {
  readonly url: string;
  stop(): Promise<void>;
}

const KEEP_ALIVE_MILLISECONDS = 65_000;

interface ServerOptions {
  readonly host: string;
  readonly port: number;
  /** Never throws. The callback is called when the answer was sent or the connection closed. */
  readonly answer: (call: Call, onFinished: (finished: () => void) => void) => Promise<Reply>;
}

/** Listens; resolves once the server accepts calls. */
export async function listen({ host, port, answer }: ServerOptions): Promise<RunningServer> {
  const stopping = new AbortController();
  // Every deliberately slow answer adds a listener, without a limit.
  setMaxListeners(0, stopping.signal);
  const server = createServer((request, response) => {
    respond(request, response, { answer, signal: stopping.signal }).catch(() => response.destroy());
  });
  // Longer than clients keep idle connections, so that no client reuses a connection that is being closed.
  server.keepAliveTimeout = KEEP_ALIVE_MILLISECONDS;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  const { port: bound } = server.address() as AddressInfo;
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${bound}`,
    stop: () => {
      stopping.abort();
      return close(server);
    },
  };
}

async function respond(
  request: IncomingMessage,
  response: ServerResponse,
  { answer, signal }: Pick<ServerOptions, 'answer'> & { readonly signal: AbortSignal },
): Promise<void> {
  let finished: (() => void) | undefined;
  let isClosed = false;
  response.once('close', () => {
    isClosed = true;
    finished?.();
  });
  request.on('error', () => undefined);
  let reply: Reply;
  try {
    reply = await answer(readCall(request), (callback) => {
      finished = callback;
      if (isClosed) callback();
    });
  } catch {
    reply = json(400, { error: 'the request cannot be read' });
  }
  // An unread body (too large, or rejected early) would block reuse of the connection.
  if (!request.complete) response.setHeader('connection', 'close');
  await send(reply, request, response, signal);
}

async function send(
  reply: Reply,
  request: IncomingMessage,
  response: ServerResponse,
  signal: AbortSignal,
): Promise<void> {
  if (reply.fate === 'hang') {
    await sleep(HANG_MILLISECONDS, undefined, { signal, ref: false }).catch(() => undefined);
    response.destroy();
    return;
  }
  const headers = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff', ...reply.headers };
  const { body } = reply;
  if (body !== null && typeof body !== 'string' && !Buffer.isBuffer(body)) {
    response.writeHead(reply.status, headers);
    // Fails if the caller closes the connection, which ends the answer.
    await pipeline(body, response);
    return;
  }
  const bytes = body === null ? Buffer.alloc(0) : Buffer.from(body);
  const length = reply.status === 204 ? {} : { 'content-length': String(bytes.length) };
  response.writeHead(reply.status, { ...headers, ...length });
  if (reply.fate === 'cut') {
    response.write(bytes.subarray(0, Math.floor(bytes.length / 2)), () => response.destroy());
    return;
  }
  response.end(request.method === 'HEAD' ? undefined : bytes);
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
