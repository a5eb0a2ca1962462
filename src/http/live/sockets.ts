import { setMaxListeners } from 'node:events';
import { type IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { GraphQLError, parse } from 'graphql';
import { handleProtocols, makeServer } from 'graphql-ws';
import { type WebSocket, WebSocketServer } from 'ws';
import { type Context, createContext, newTally, type Surroundings } from '../../context.js';
import { AppError, toAppError } from '../../errors.js';
import { extensionsOf } from '../../graphql/errors.js';
import { RefusedSubscription, type SubscriptionResult, type Subscriptions } from '../../graphql/subscribe.js';
import type { Logger } from '../../log.js';
import { type ActiveKey, hashKey } from '../../operations/keys/api-keys.js';
import { withRawValues } from '../../raw-json.js';
import type { Authenticate } from '../keys/authenticate.js';
import { givenKey } from '../keys/given-key.js';
import { allowsOrigin } from '../cors.js';
import type { HeldAnswers } from '../limits/held-rows.js';
import { withoutPrefix } from '../prefix.js';
import type { LiveKeys, Use } from './live-keys.js';
import type { OpenSubscriptions } from './open-subscriptions.js';

interface SocketOptions extends Surroundings {
  readonly authenticate: Authenticate;
  readonly keys: LiveKeys;
  readonly open: OpenSubscriptions;
  readonly answers: HeldAnswers;
  readonly subscriptions: Subscriptions;
  readonly requestIds: (request: IncomingMessage) => string;
  /** Origins of pages that may connect, beyond the service's own. */
  readonly allowedOrigins: readonly string[];
  readonly trustProxy: number;
  readonly logRequests: boolean;
  /** Path prefix of every route. */
  readonly prefix: string;
  readonly log: Logger;
}

/** Close codes of graphql-transport-ws, and 4429, which is ours. */
const CLOSE = { unauthorized: 4401, forbidden: 4403, tooMany: 4429, restart: 1012 } as const;
/** Time limit for sending a key. */
const KEY_MS = 5000;
const PING_MS = 12_000;
/** Time limit for a client to answer a close. */
const LEAVE_MS = 1000;
/** graphql-ws only checks the kind of an operation: `Subscriptions` validates and runs them. */
const SUBSCRIPTION = parse('subscription { changes { id } }');

/** A connection, with its caller once the key is known. */
interface Connection {
  readonly socket: WebSocket;
  readonly request: IncomingMessage;
  readonly left: AbortController;
  caller: ActiveKey | null;
  use: Use | null;
}

/** GraphQL subscriptions over WebSocket at /graphql, by the protocol graphql-transport-ws. */
export function serveSockets(server: FastifyInstance, options: SocketOptions): void {
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: options.limits.bodyBytes,
    handleProtocols,
  });
  const protocol = createProtocol(options);
  server.server.on('upgrade', (request, socket, head) => {
    if (
      request.headers.upgrade?.toLowerCase() !== 'websocket' ||
      pathOf(request, options.prefix) !== '/graphql'
    ) {
      answerWithoutUpgrade(server, request, socket);
    } else if (!isAllowed(request, options)) {
      socket.end('HTTP/1.1 403 Forbidden\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
    } else {
      sockets.handleUpgrade(request, socket, head, (accepted) => protocol.open(accepted, request));
    }
  });
  server.addHook('preClose', () => {
    for (const socket of sockets.clients) socket.close(CLOSE.restart, 'Service Restart');
    sockets.close();
    setTimeout(() => sockets.clients.forEach((socket) => socket.terminate()), LEAVE_MS).unref();
  });
}

const pathOf = ({ url = '' }: IncomingMessage, prefix: string): string =>
  withoutPrefix(url, prefix).split('?')[0] ?? '';

/** An `Upgrade` header for another protocol may be ignored; Node emits `upgrade` nevertheless. */
function answerWithoutUpgrade(server: FastifyInstance, request: IncomingMessage, socket: Duplex): void {
  const response = new ServerResponse(request);
  response.shouldKeepAlive = false;
  response.assignSocket(socket as Parameters<ServerResponse['assignSocket']>[0]);
  response.once('finish', () => socket.end());
  server.server.emit('request', request, response);
}

/** Browsers send the page's origin; it must be the service's own or an allowed one. Other clients send none. */
function isAllowed({ headers }: IncomingMessage, options: SocketOptions): boolean {
  const { origin, host } = headers;
  if (origin === undefined) return true;
  const own = [`http://${host}`, `https://${host}`, new URL(options.publicUrl()).origin];
  return allowsOrigin([...own, ...options.allowedOrigins], origin);
}

function createProtocol(options: SocketOptions) {
  const { authenticate, keys, subscriptions, limits, log } = options;
  const graphql = makeServer<Record<string, unknown>, Connection>({
    // Our code closes with another code.
    connectionInitWaitTimeout: 0,
    onConnect: async ({ connectionParams, extra }) => {
      try {
        const key = keyOf(connectionParams ?? {}, extra.request);
        const address = addressOf(extra.request, options.trustProxy);
        const caller = await authenticate(key, address);
        if (!caller.scopes.has('read')) return false;
        // Its close was already handled: nothing would release the key.
        if (extra.left.signal.aborted) return false;
        extra.use = keys.use({ keyId: caller.id, hash: hashKey(key), address });
        extra.use.revoked.addEventListener('abort', () => extra.socket.close(CLOSE.forbidden, 'Forbidden'));
        extra.caller = caller;
        return true;
      } catch (error) {
        const { code } = toAppError(error);
        if (code === 'unauthenticated') extra.socket.close(CLOSE.unauthorized, 'Unauthorized');
        else extra.socket.close(code === 'rate-limited' ? CLOSE.tooMany : 1013, code);
        return false;
      }
    },
    onSubscribe: async ({ extra }, _id, payload) => {
      try {
        return {
          schema: subscriptions.schema,
          document: SUBSCRIPTION,
          contextValue: await begin(extra, payload),
        };
      } catch (error) {
        return refusalOf(error);
      }
    },
    subscribe: ({ contextValue }) => contextValue as AsyncGenerator<object>,
    // Unchanged: errors are already formatted.
    // eslint-disable-next-line @typescript-eslint/max-params -- graphql-ws gives the result last
    onNext: (_context, _id, _payload, _args, result) => result as never,
  });

  const begin = async (
    { caller, left, request }: Connection,
    payload: object,
  ): Promise<AsyncGenerator<SubscriptionResult>> => {
    if (!caller) throw new AppError('unauthenticated', 'the connection has no key');
    const began = performance.now();
    const free = await options.open.open(caller);
    const tally = newTally();
    const requestId = options.requestIds(request);
    const end = () => {
      free();
      if (!options.logRequests) return;
      const { operation, statements } = tally;
      const ms = Math.round(performance.now() - began);
      const line = { requestId, keyId: caller.id, organisationId: caller.scope.organisationId };
      log.info({ ...line, route: '/graphql', operation, ms, statements }, 'subscription');
    };
    const done = new AbortController();
    // Each event of a page is a query.
    setMaxListeners(0, done.signal);
    try {
      const own = createContext(options, {
        scope: caller.scope,
        principal: { keyId: caller.id, scopes: caller.scopes },
        tally,
        requestId,
        log,
        pages: options.answers.pagesOf(caller.scope.organisationId),
        whenLeft: (work) => {
          done.signal.addEventListener('abort', work);
          return () => done.signal.removeEventListener('abort', work);
        },
      });
      const context: Context = {
        ...own,
        stopping: AbortSignal.any([own.stopping, left.signal, done.signal]),
      };
      return endable(await subscriptions.start(payload, context), () => {
        done.abort();
        end();
      });
    } catch (error) {
      end();
      throw error;
    }
  };

  const open = (socket: WebSocket, request: IncomingMessage): void => {
    const connection: Connection = {
      socket,
      request,
      left: new AbortController(),
      caller: null,
      use: null,
    };
    const late = setTimeout(() => {
      if (!connection.caller) socket.close(CLOSE.unauthorized, 'Unauthorized');
    }, KEY_MS);
    const closed = graphql.opened(
      {
        protocol: socket.protocol,
        send: (data) => send(socket, withRawValues(data), limits.slowReaderMilliseconds),
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
      clearTimeout(late);
      clearInterval(ping);
      connection.left.abort();
      connection.use?.end();
      void closed(code, reason.toString());
    });
  };
  return { open };
}

/** A subscription that can end even while it waits: `return` alone would wait, too. */
function endable<Value>(generator: AsyncGenerator<Value>, end: () => void): AsyncGenerator<Value> {
  let isEnded = false;
  const once = () => {
    if (!isEnded) end();
    isEnded = true;
  };
  return Object.assign(Object.create(generator) as AsyncGenerator<Value>, {
    next: async () => {
      const result = await generator.next();
      if (result.done) once();
      return result;
    },
    return: (value: undefined) => {
      once();
      return generator.return(value);
    },
    throw: (error: unknown) => {
      once();
      return generator.throw(error);
    },
    [Symbol.asyncIterator]() {
      return this as unknown as AsyncGenerator<Value>;
    },
  });
}

/**
 * Resolves when the data has been sent. A client that does not read is disconnected, and continues from its last event.
 */
function send(socket: WebSocket, data: string, milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    const tooSlow = setTimeout(() => socket.close(CLOSE.tooMany, 'Reads too slowly'), milliseconds);
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
function keyOf(parameters: Readonly<Record<string, unknown>>, { headers }: IncomingMessage): string {
  const text = (name: string) => {
    const value = parameters[name];
    return typeof value === 'string' ? value : undefined;
  };
  const api_key = text('api_key') ?? headers['api_key'];
  const authorization = text('Authorization') ?? text('authorization') ?? headers.authorization;
  return givenKey({
    headers: {
      ...(api_key === undefined ? {} : { api_key }),
      ...(authorization === undefined ? {} : { authorization }),
    },
  });
}

/**
 * The caller's address; `trustProxy` is the number of proxies in front whose entries of X-Forwarded-For are trusted.
 */
function addressOf({ headers, socket }: IncomingMessage, trustProxy: number): string {
  const told = String(headers['x-forwarded-for'] ?? '')
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '');
  return (trustProxy > 0 ? told.slice(-trustProxy)[0] : undefined) ?? socket.remoteAddress ?? '';
}

function refusalOf(error: unknown): readonly GraphQLError[] {
  if (error instanceof RefusedSubscription) {
    return error.errors.map(({ message, extensions }) => new GraphQLError(message, { extensions }));
  }
  const known = toAppError(error);
  return [new GraphQLError(known.message, { extensions: extensionsOf(known) })];
}
