import { type ApolloServer } from '@apollo/server';
import Fastify, {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';
import type { Logger } from 'pino';
import { type Context, createContext, newTally, type Surroundings, type Tally } from '../context.js';
import { AppError, invalid } from '../errors.js';
import type { PersistedQueries } from '../graphql/persisted-queries.js';
import type { Subscriptions } from '../graphql/subscribe.js';
import type { ActiveKey } from '../operations/keys/api-keys.js';
import { lacksScope } from '../operations/keys/require-scope.js';
import type { RestRoute } from '../rest/route.js';
import { createAuthenticate } from './keys/authenticate.js';
import { RequestCondition, tagAnswers } from './answers/condition.js';
import type { ContextOf } from './context-of.js';
import { sendError } from './errors.js';
import { serveConnect } from './connect/connect-routes.js';
import { compressAnswers } from './answers/compress.js';
import { encodeLongTexts } from './answers/long-texts.js';
import { answerOptions, shareWithPages } from './cors.js';
import { acceptEncodedBodies } from './bodies/encoded-body.js';
import { serveFiles } from './file-route.js';
import { givenKey, refusedKey } from './keys/given-key.js';
import { serveGraphql, serveSchema } from './graphql-route.js';
import { serveHealth } from './health.js';
import { createHeldAnswers, type HeldAnswers } from './limits/held-rows.js';
import { serveHooks } from './hook-route.js';
import { serveHome } from './pages/home.js';
import { acceptJson } from './bodies/json-body.js';
import { noteMethods } from './methods.js';
import { createSendLongText, eventsBy } from './live/event-stream.js';
import { LiveKeys } from './live/live-keys.js';
import { OpenSubscriptions } from './live/open-subscriptions.js';
import { serveSockets } from './live/sockets.js';
import { serveMcp } from './mcp-route.js';
import { meterRequests, type MetricsOptions, serveMetrics } from './metrics/metrics.js';
import { limitRequests } from './limits/limit-requests.js';
import { serveOpenApi } from './openapi-routes.js';
import { answerExpectation, answerParserError } from './parser-errors.js';
import { refuseOwnPaths, withoutPrefix } from './prefix.js';
import { createPlayground, PLAYGROUND_HEADERS } from './pages/playground.js';
import { serveReferencePage } from './pages/reference-page.js';
import { createRequestIds } from './request-id.js';
import { logRequest } from './request-log.js';
import { serveRest } from './rest-routes.js';
import { cutSlowReaders } from './limits/slow-readers.js';
import { resumeTraces, traceRequests } from './trace-requests.js';
import { takeTurns } from './limits/turns.js';

declare module 'fastify' {
  interface FastifyRequest {
    receivedAt: Date;
    /** The caller's key; null on routes that need none. */
    caller: ActiveKey | null;
    tally: Tally;
  }
}

interface ServerOptions extends Surroundings {
  readonly apollo: ApolloServer<Context>;
  readonly persistedQueries: PersistedQueries;
  /** Differs for other code and for settings that affect responses. */
  readonly version: string;
  /** The schema as clients download it. */
  readonly schemaText: string;
  readonly routes: readonly RestRoute[];
  readonly subscriptions: Subscriptions;
  /** Origins of pages that may call the service; `*` for all. */
  readonly corsOrigins: readonly string[];
  /** Origins of pages that may open WebSockets, beyond the service's own. */
  readonly allowedOrigins: readonly string[];
  /** Metrics of other processes; null: metrics are served elsewhere. */
  readonly others: MetricsOptions['others'] | null;
  /** Maximum concurrent requests; 0: no limit. */
  readonly requestsAtOnce: number;
  /** Whether load balancers should send requests elsewhere. */
  isDraining(): boolean;
  /** Whether connections should close after their next response. */
  isClosing(): boolean;
  readonly log: Logger;
  /** The path before every path, if a proxy publishes the service below one. */
  readonly prefix: string;
  /** Whether each request is logged. */
  readonly logRequests: boolean;
  /** Number of proxies in front. */
  readonly trustProxy: number;
  /** Null: no playground. Its key is shown in it to requests from this machine. */
  readonly playground: { readonly apiKey: string | null } | null;
}

const CLOSE_IDLE_MS = 100;
/** Routes whose responses contain webhook headers, client secrets, or links that anybody may open. */
const WITH_SECRETS = /^\/(v3\/core\/)?(webhooks|integrations|invite_links?)\b/;

/** The shared edge of both API styles: authentication, limits, request ids, errors. Reference 4, 5. */
export async function createServer(options: ServerOptions): Promise<FastifyInstance> {
  const { database, limits, log } = options;
  const requestIds = createRequestIds();
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
    http: { requireHostHeader: false, headersTimeout: 10_000, connectionsCheckingInterval: 5000 },
    frameworkErrors: (error, request, reply) => {
      begin(request, reply);
      sendError(error, request, reply);
    },
    bodyLimit: limits.bodyBytes,
    trustProxy: options.trustProxy > 0 && ((_address, hop) => hop < options.trustProxy),
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
  const methodsOf = noteMethods(server);
  refuseOwnPaths(server, options.prefix);
  server.addHook('onRequest', (request, reply, done) => {
    begin(request, reply);
    shareWithPages(request, reply, options.corsOrigins);
    const methods = request.is404 ? methodsOf(request.url.split('?')[0] ?? '').join(', ') : '';
    if (request.method === 'OPTIONS' && methods !== '') {
      return answerOptions(request, reply, { methods, origins: options.corsOrigins });
    }
    // Here and not in a handler: avoids reading a body in vain.
    done(request.is404 ? notThere(request, reply, methods) : hostProblem(request));
  });
  server.server.on('checkExpectation', answerExpectation);
  server.addHook('preClose', () => {
    // A connection whose response ends after the server began to close would be kept alive, and the close would wait
    // for it.
    const sweep = setInterval(() => server.server.closeIdleConnections(), CLOSE_IDLE_MS);
    server.server.once('close', () => clearInterval(sweep));
  });
  traceRequests(server);
  tagAnswers(server);
  compressAnswers(server);
  encodeLongTexts(server);
  acceptJson(server, limits);
  acceptEncodedBodies(server);
  server.setErrorHandler((error, request, reply) => sendError(error, request, reply));

  serveHome(server, { prefix: options.prefix, hasMetrics: options.others !== null });
  serveHealth(server, database, () => options.isDraining());
  meterRequests(server);
  if (options.others) serveMetrics(server, { database, others: options.others });
  serveFiles(server, options);
  serveOpenApi(server, options);
  serveReferencePage(server);
  await server.register((pages) => serveConnect(pages, options));
  await server.register((hooks) => serveHooks(hooks, options));
  const authenticate = createAuthenticate(database.pool, limits);
  const keys = new LiveKeys(database.pool);
  const open = new OpenSubscriptions(database.pool, limits.subscriptions);
  server.addHook('onClose', async () => {
    keys.close();
    await open.close();
  });
  const answers = createHeldAnswers(limits.heldRowBytes);
  serveSockets(server, { ...options, authenticate, keys, open, answers, requestIds });
  const page = options.playground && createPlayground(server, options.playground.apiKey, options.prefix);
  await server.register(async (api) => {
    api.addHook('onRequest', async (request, reply) => {
      if (page !== null && request.routeOptions.url === '/graphql' && prefersPage(request)) {
        return reply.headers(PLAYGROUND_HEADERS).type('text/html; charset=utf-8').send(page);
      }
      if (hasEmptyPart(request)) throw notThere(request, reply, '');
      request.caller = await authenticate(givenKey(request.raw), request.ip, (seconds) => {
        void reply.header('retry-after', String(seconds));
      });
      if (!request.caller.scopes.has('read')) throw lacksScope('read', 'read');
      return undefined;
    });
    limitRequests(api, database.pool, limits);
    takeTurns(api, { atOnce: options.requestsAtOnce, mostWaiting: limits.waitingRequests });
    resumeTraces(api);
    cutSlowReaders(api, limits.slowReaderMilliseconds);
    const contextOf: ContextOf = (request, reply) => requestContext(request, reply, { ...options, answers });
    const sendLongText = createSendLongText({ keys, open, limits, contextOf });
    const sendEvents = eventsBy(sendLongText);
    serveGraphql(api, { ...options, contextOf, sendEvents });
    serveSchema(api, options.schemaText);
    serveMcp(api, { routes: options.routes, contextOf });
    const sending = { sendEvents, sendLongText };
    await serveRest(api, options.routes, { contextOf, ...sending, limits, prefix: options.prefix });
  });
  return server;
}

function notThere(request: FastifyRequest, reply: FastifyReply, methods: string): AppError {
  const { method } = request;
  const path = request.url.split('?')[0] ?? '';
  if (methods === '') return new AppError('not-found', `there is nothing at ${method} ${path}`);
  void reply.header('allow', methods);
  return new AppError('method-not-allowed', `${path} takes ${methods}, got ${method}`);
}

/** A list with a trailing slash is not a record with an empty id. */
const hasEmptyPart = ({ params }: FastifyRequest): boolean =>
  Object.values(params as Record<string, string>).includes('');

/** RFC 9112, 3.2. */
function hostProblem({ raw }: FastifyRequest): AppError | undefined {
  if (raw.headers.host !== undefined || raw.httpVersion === '1.0') return undefined;
  return new AppError('invalid-params', 'is a required header', 'host');
}

function prefersPage(request: FastifyRequest): boolean {
  return ['GET', 'HEAD'].includes(request.method) && (request.headers.accept ?? '').includes('text/html');
}

const POSITION = 'x-svc-change-position';

/** The position of the change log that the caller has seen; 0 if it names none. */
function positionOf({ headers }: FastifyRequest): number {
  const given = headers[POSITION];
  if (given === undefined) return 0;
  if (typeof given === 'string' && /^\d{1,15}$/.test(given)) return Number(given);
  throw invalid(POSITION, 'must be a position of the change log: a whole number');
}

function requestContext(
  request: FastifyRequest,
  reply: FastifyReply,
  options: ServerOptions & { readonly answers: HeldAnswers },
): Context {
  const { raw } = reply;
  const { caller } = request;
  if (!caller) throw refusedKey();
  if (!caller.scopes.has('read')) throw lacksScope('read', 'read');
  const left = new Set<() => void>();
  raw.once('close', () => {
    if (!raw.writableFinished) left.forEach((work) => work());
  });
  if (request.method === 'GET' || request.method === 'HEAD') {
    const { version } = options;
    const given = request.headers['if-none-match'];
    request.condition = new RequestCondition({ version, scope: caller.scope, url: request.url, given });
  }
  return createContext(options, {
    scope: caller.scope,
    condition: request.condition,
    position: positionOf(request),
    principal: { keyId: caller.id, scopes: caller.scopes },
    tally: request.tally,
    held: options.answers.ofRequest(request, reply),
    pages: options.answers.pagesOf(caller.scope.organisationId),
    requestId: request.id,
    whenLeft: (work) => {
      left.add(work);
      return () => left.delete(work);
    },
    log: request.log as Logger,
  });
}
