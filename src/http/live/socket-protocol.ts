import type { IncomingMessage } from 'node:http';
import { parse } from 'graphql';
import { makeServer, MessageType, type Server } from 'graphql-ws';
import type { WebSocket } from 'ws';
import { toAppError } from '../../errors.js';
import { withRawValues } from '../../base/raw-json.js';
import { callerAddress } from '../caller-address.js';
import type { Authenticate } from '../keys/authenticate.js';
import { givenKey } from '../keys/given-key.js';
import type { LiveKeys } from './live-keys.js';
import {
  beginSubscription,
  type Connection,
  refusalOf,
  type SubscriptionOptions,
} from './socket-subscription.js';
import { hashSecret } from '../../secrets/hash-secret.js';

export interface ProtocolOptions extends SubscriptionOptions {
  readonly authenticate: Authenticate;
  readonly keys: LiveKeys;
  readonly trustProxy: number;
}

/** Close codes of graphql-transport-ws, and those after which its clients connect again by themselves. */
export const CLOSE = { unauthorized: 4401, forbidden: 4403, restart: 1012, again: 1013 } as const;
/** Time limit for sending a key. */
const KEY_MS = 5000;
const PING_MS = 12_000;
const PONG = JSON.stringify({ type: MessageType.Pong });
/** graphql-ws only checks the kind of an operation: `Subscriptions` validates and runs them. */
const SUBSCRIPTION = parse('subscription { changes { id } }');

/** The protocol graphql-transport-ws over accepted sockets. */
export function createProtocol(options: ProtocolOptions) {
  const { subscriptions } = options;
  const graphql = makeServer<Record<string, unknown>, Connection>({
    // Our code closes with another code.
    connectionInitWaitTimeout: 0,
    onConnect: ({ connectionParams, extra }) => connect(options, extra, connectionParams ?? {}),
    onSubscribe: async ({ extra }, _id, payload) => {
      try {
        return {
          schema: subscriptions.schema,
          document: SUBSCRIPTION,
          contextValue: await beginSubscription(options, extra, payload),
        };
      } catch (error) {
        return refusalOf(error, options.log);
      }
    },
    subscribe: ({ contextValue }) => contextValue as AsyncGenerator<object>,
    // Unchanged: errors are already formatted.
    // oxlint-disable-next-line max-params -- graphql-ws gives the result last
    onNext: (_context, _id, _payload, _args, result) => result as never,
  });
  return {
    open: (socket: WebSocket, request: IncomingMessage) => open(graphql, options, socket, request),
  };
}

/** Whether a connection's key may read; else closes it. */
async function connect(
  { authenticate, keys, trustProxy }: ProtocolOptions,
  connection: Connection,
  parameters: Readonly<Record<string, unknown>>,
): Promise<boolean> {
  const { socket, request } = connection;
  clearTimeout(connection.late);
  try {
    const key = keyOf(parameters, request);
    const address = callerAddress(request, trustProxy);
    const caller = await authenticate(key, address);
    if (!caller.scopes.has('read')) return false;
    // Its close was already handled: nothing would release the key.
    if (connection.left.signal.aborted) return false;
    connection.use = keys.use({ keyId: caller.id, hash: hashSecret(key), address });
    connection.use.revoked.addEventListener('abort', () => socket.close(CLOSE.forbidden, 'Forbidden'));
    connection.caller = caller;
    return true;
  } catch (error) {
    const { code } = toAppError(error);
    if (code === 'unauthenticated') socket.close(CLOSE.unauthorized, 'Unauthorized');
    else socket.close(CLOSE.again, code);
    return false;
  }
}

function open(
  graphql: Server<Connection>,
  { limits, log }: ProtocolOptions,
  socket: WebSocket,
  request: IncomingMessage,
): void {
  const connection: Connection = {
    socket,
    request,
    left: new AbortController(),
    late: setTimeout(() => socket.close(CLOSE.unauthorized, 'Unauthorized'), KEY_MS),
    caller: null,
    use: null,
  };
  const closed = graphql.opened(
    {
      protocol: socket.protocol,
      send: (data) => send(socket, withRawValues(data), limits.slowReaderMilliseconds),
      onPing: pongs(socket, limits.slowReaderMilliseconds),
      close: (code, reason) => socket.close(code, reason),
      onMessage: (listen) =>
        socket.on('message', (data: Buffer) => {
          listen(data.toString()).catch((error: unknown) => {
            log.error({ err: error }, 'unexpected error in a WebSocket');
            socket.close(1011, 'Internal error');
          });
        }),
    },
    connection,
  );
  const ping = keepAlive(socket);
  socket.on('error', () => undefined);
  socket.once('close', (code, reason) => {
    clearTimeout(connection.late);
    clearInterval(ping);
    connection.left.abort();
    connection.use?.end();
    void closed(code, reason.toString());
  });
}

/** Answers pings of the protocol, which need no key: one at a time, as who reads no pongs would fill the memory. */
function pongs(socket: WebSocket, milliseconds: number): () => Promise<void> {
  let isSending = false;
  return async () => {
    if (isSending) return;
    isSending = true;
    await send(socket, PONG, milliseconds);
    isSending = false;
  };
}

/**
 * Resolves when the data has been sent. A client that does not read is disconnected, and continues from its last event.
 * Not by a close code: it would wait behind what is not read.
 */
function send(socket: WebSocket, data: string, milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    const tooSlow = setTimeout(() => socket.terminate(), milliseconds);
    socket.send(data, () => {
      clearTimeout(tooSlow);
      resolve();
    });
  });
}

/** The second ping closes a connection whose client has silently gone. */
function keepAlive(socket: WebSocket): NodeJS.Timeout {
  let isThere = true;
  socket.on('pong', () => (isThere = true));
  return setInterval(() => {
    if (!isThere) return socket.terminate();
    isThere = false;
    return socket.ping();
  }, PING_MS);
}

/** `connectionParams.api_key`, `Authorization` there, or the headers of the request, which browsers cannot set. */
function keyOf(
  parameters: Readonly<Record<string, unknown>>,
  { headers, rawHeaders }: IncomingMessage,
): string {
  const text = (name: string) => {
    const value = parameters[name];
    return typeof value === 'string' ? value : undefined;
  };
  const inParameters = {
    api_key: text('api_key'),
    authorization: text('Authorization') ?? text('authorization'),
  };
  const { api_key = headers['api_key'], authorization = headers.authorization } = inParameters;
  return givenKey({
    rawHeaders: Object.values(inParameters).some(Boolean) ? [] : rawHeaders,
    headers: {
      ...(api_key === undefined ? {} : { api_key }),
      ...(authorization === undefined ? {} : { authorization }),
    },
  });
}
