import Fastify, {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';
import type { Logger } from 'pino';
import { newTally, type Tally } from '../context.js';
import { AppError } from '../errors.js';
import type { Limits } from '../limits.js';
import type { ActiveKey } from '../operations/keys/api-keys.js';
import { answerExpectations } from './bodies/expectation.js';
import { callerAddress } from './caller-address.js';
import { answerOptions, isPreflight, shareWithPages } from './cors.js';
import { sendError } from './errors.js';
import { upgradesOnly } from './live/sockets.js';
import { noteMethods } from './methods.js';
import { answerExpectation, answerParserError } from './parser-errors.js';
import { refuseOwnPaths, withoutPrefix } from './prefix.js';
import { closeQueuedResponses } from './queued-responses.js';
import type { createRequestIds } from './request-id.js';
import { logRequest } from './request-log.js';

declare module 'fastify' {
  interface FastifyRequest {
    receivedAt: Date;
    /** The caller's key; null on routes that need none. */
    caller: ActiveKey | null;
    tally: Tally;
    /** The caller's address, behind proxies: `ip` is that of the connection. */
    readonly address: string;
  }
}

export interface FastifyOptions {
  readonly limits: Pick<Limits, 'bodyBytes'>;
  readonly log: Logger;
  /** Whether each request is logged. */
  readonly logRequests: boolean;
  /** The path before every path, if a proxy publishes the service below one. */
  readonly prefix: string;
  /** Number of proxies in front. */
  readonly trustProxy: number;
  /** Origins of pages that may call the service; `*` for all. */
  readonly corsOrigins: readonly string[];
  /** Whether connections should close after their next response. */
  isClosing(): boolean;
}

const CLOSE_IDLE_MS = 100;
/** Routes whose responses contain webhook headers, client secrets, or links that anybody may open. */
const WITH_SECRETS = /^\/(v3\/core\/)?(webhooks|integrations|invite_links?)\b/;

/**
 * Connections that may wait to be accepted, if the system allows as many. With Node's 511, of a thousand clients that
 * connect at once (a proxy that restarts, jobs at the full hour) half waited for seconds or were reset.
 */
export const BACKLOG = 4096;

/** A server without routes: headers of every answer, unknown paths, errors, an end that waits for what is being answered. */
export function createFastify(
  options: FastifyOptions,
  requestIds: ReturnType<typeof createRequestIds>,
): FastifyInstance {
  const { limits, log } = options;
  const begin = (request: FastifyRequest, reply: FastifyReply): void => {
    request.receivedAt = new Date();
    request.tally = newTally();
    if (options.logRequests) logRequest(request, reply);
    void reply
      .header('x-request-id', request.id)
      .header('x-content-type-options', 'nosniff')
      // A shared cache would serve one organisation's response to another; pages and secrets use no-store instead.
      .header('cache-control', WITH_SECRETS.test(request.url) ? 'private, no-store' : 'private, no-cache')
      .header('vary', 'api_key, Authorization, Accept, Accept-Encoding');
    if (options.isClosing()) void reply.header('connection', 'close');
  };
  const server = Fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    genReqId: requestIds,
    rewriteUrl: ({ url = '/' }) => withoutPrefix(url, options.prefix),
    clientErrorHandler: (error, socket) => answerParserError(error, socket, options.logRequests ? log : null),
    // Node would answer without a body, and check for late requests only every 30 s.
    http: {
      requireHostHeader: false,
      headersTimeout: 10_000,
      connectionsCheckingInterval: 5000,
      ...upgradesOnly(options.prefix),
    },
    frameworkErrors: (error, request, reply) => {
      begin(request, reply);
      sendError(error, request, reply);
    },
    bodyLimit: limits.bodyBytes,
    routerOptions: { maxParamLength: 200 },
    requestTimeout: 30_000,
    keepAliveTimeout: 65_000,
    forceCloseConnections: 'idle',
    // Requests that still arrive over an open connection are answered, with `Connection: close`.
    return503OnClosing: false,
  }) as unknown as FastifyInstance;
  server.decorateRequest('receivedAt');
  server.decorateRequest('caller', null);
  server.decorateRequest('tally');
  server.decorateRequest('address', {
    getter(this: FastifyRequest) {
      return callerAddress(this.raw, options.trustProxy);
    },
  });
  const methodsOf = noteMethods(server);
  refuseOwnPaths(server, options.prefix);
  closeQueuedResponses(server);
  server.addHook('onRequest', (request, reply, done) => {
    begin(request, reply);
    shareWithPages(request, reply, options.corsOrigins);
    const methods = request.is404 ? methodsOf(request.url.split('?')[0] ?? '').join(', ') : '';
    const origins = options.corsOrigins;
    if (request.is404 && (methods === '' ? isPreflight(request, origins) : request.method === 'OPTIONS')) {
      return answerOptions(request, reply, { methods, origins });
    }
    // Here and not in a handler: avoids reading a body in vain.
    done(request.is404 ? notThere(request, reply, methods) : hostProblem(request));
  });
  server.server.on('checkExpectation', answerExpectation);
  answerExpectations(server);
  server.addHook('preClose', () => {
    // A connection whose response ends after the server began to close would be kept alive, and the close would wait
    // for it.
    const sweep = setInterval(() => server.server.closeIdleConnections(), CLOSE_IDLE_MS);
    server.server.once('close', () => clearInterval(sweep));
  });
  server.setErrorHandler((error, request, reply) => sendError(error, request, reply));
  return server;
}

/** The error for a path or method that does not exist. */
export function notThere(request: FastifyRequest, reply: FastifyReply, methods: string): AppError {
  const { method } = request;
  const path = request.url.split('?')[0] ?? '';
  if (methods === '') return new AppError('not-found', `there is nothing at ${method} ${path}`);
  void reply.header('allow', methods);
  return new AppError('method-not-allowed', `${path} takes ${methods}, got ${method}`);
}

/** RFC 9112, 3.2. */
function hostProblem({ raw }: FastifyRequest): AppError | undefined {
  if (raw.headers.host !== undefined || raw.httpVersion === '1.0') return undefined;
  return new AppError('invalid-params', 'is a required header', 'host');
}
