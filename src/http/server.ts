import { type ApolloServer } from '@apollo/server';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Context, Surroundings } from '../context.js';
import { AppError } from '../errors.js';
import type { PersistedQueries } from '../graphql/persisted-queries.js';
import type { Subscriptions } from '../graphql/subscribe.js';
import { lacksScope } from '../operations/keys/require-scope.js';
import type { RestRoute } from '../rest/route.js';
import { compressAnswers } from './answers/compress.js';
import { tagAnswers } from './answers/condition.js';
import { encodeLongTexts } from './answers/long-texts.js';
import { acceptEncodedBodies } from './bodies/encoded-body.js';
import { acceptJson } from './bodies/json-body.js';
import { serveConnect } from './connect/connect-routes.js';
import type { ContextOf } from './context-of.js';
import { createFastify, type FastifyOptions, notThere } from './fastify.js';
import { serveFiles } from './file-route.js';
import { serveGraphql, serveSchema } from './graphql-route.js';
import { serveHealth } from './health.js';
import { serveHooks } from './hook-route.js';
import { type Authenticate, createAuthenticate } from './keys/authenticate.js';
import { givenKey } from './keys/given-key.js';
import { createHeldAnswers, type HeldAnswers } from './limits/held-answers.js';
import { type AdmitRequest, admitRequests, limitRequests } from './limits/limit-requests.js';
import { cutSlowReaders } from './limits/slow-readers.js';
import { endGoneClients, endIfGone } from './limits/gone-clients.js';
import { takeTurns } from './limits/turns.js';
import { createSendLongText, eventsBy } from './live/event-stream.js';
import { LiveKeys } from './live/live-keys.js';
import { OpenSubscriptions } from './live/open-subscriptions.js';
import { serveSockets } from './live/sockets.js';
import { serveMcp } from './mcp-route.js';
import { meterRequests, type MetricsOptions, serveMetrics } from './metrics/metrics.js';
import { serveOpenApi } from './openapi-routes.js';
import { serveHome } from './pages/home.js';
import { createPlayground, PLAYGROUND_HEADERS } from './pages/playground.js';
import { serveReferencePage } from './pages/reference-page.js';
import { requestContext } from './request-context.js';
import { createRequestIds } from './request-id.js';
import { serveRest } from './rest-routes.js';
import { resumeTraces, traceRequests } from './trace-requests.js';

interface ServerOptions extends Surroundings, Omit<FastifyOptions, 'limits'> {
  readonly apollo: ApolloServer<Context>;
  readonly persistedQueries: PersistedQueries;
  /** Differs for other code and for settings that affect responses. */
  readonly version: string;
  /** The schema as clients download it. */
  readonly schemaText: string;
  readonly routes: readonly RestRoute[];
  readonly subscriptions: Subscriptions;
  /** Origins of pages that may open WebSockets, beyond the service's own. */
  readonly allowedOrigins: readonly string[];
  /** Metrics of other processes; null: metrics are served elsewhere. */
  readonly others: MetricsOptions['others'] | null;
  /** Maximum concurrent requests; 0: no limit. */
  readonly requestsAtOnce: number;
  /** Whether load balancers should send requests elsewhere. */
  isDraining(): boolean;
  /** Null: no playground. Its key is shown in it to requests from this machine. */
  readonly playground: { readonly apiKey: string | null } | null;
}

/** Options shared by the routes that need a key. */
interface CallerOptions extends ServerOptions {
  readonly authenticate: Authenticate;
  readonly keys: LiveKeys;
  readonly open: OpenSubscriptions;
  readonly admit: AdmitRequest;
  readonly answers: HeldAnswers;
  /** The playground, for browsers. */
  readonly page: string | null;
}

/** The shared edge of both API styles: authentication, limits, request ids, errors. Reference 4, 5. */
export async function createServer(options: ServerOptions): Promise<FastifyInstance> {
  const { database, limits } = options;
  const requestIds = createRequestIds();
  const server = createFastify(options, requestIds);
  traceRequests(server);
  tagAnswers(server);
  compressAnswers(server);
  encodeLongTexts(server);
  endGoneClients(server);
  acceptJson(server, limits);
  acceptEncodedBodies(server);

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
  const admit = admitRequests(database.pool, limits);
  const shared = { ...options, authenticate, keys, open, admit, answers };
  serveSockets(server, { ...shared, requestIds });
  const page = options.playground && createPlayground(server, options.playground.apiKey, options.prefix);
  await server.register((api) => serveCallers(api, { ...shared, page }));
  return server;
}

/** A list with a trailing slash is not a record with an empty id. */
const hasEmptyPart = ({ params }: FastifyRequest): boolean =>
  Object.values(params as Record<string, string>).includes('');

const LOST_UPGRADE =
  'this WebSocket request arrived without its headers Upgrade and Connection: let every proxy on its way pass them on';

/** The handshake of a WebSocket, of which a proxy dropped the headers of the connection; its key is sent afterwards. */
const lostItsUpgrade = ({ headers, routeOptions }: FastifyRequest): boolean =>
  routeOptions.url === '/graphql' && headers['sec-websocket-key'] !== undefined;

/** The routes that need a key. */
async function serveCallers(api: FastifyInstance, options: CallerOptions): Promise<void> {
  const { authenticate, keys, open, page, limits } = options;
  api.addHook('onRequest', async (request, reply) => {
    if (endIfGone(request, reply)) return reply;
    if (page !== null && request.routeOptions.url === '/graphql' && prefersPage(request)) {
      return reply.headers(PLAYGROUND_HEADERS).type('text/html; charset=utf-8').send(page);
    }
    if (hasEmptyPart(request)) throw notThere(request, reply, '');
    if (lostItsUpgrade(request)) throw new AppError('invalid-params', LOST_UPGRADE, 'upgrade');
    request.caller = await authenticate(givenKey(request.raw), request.address, (seconds) => {
      void reply.header('retry-after', String(seconds));
    });
    if (!request.caller.scopes.has('read')) throw lacksScope('read', 'read');
    return undefined;
  });
  limitRequests(api, options.admit);
  takeTurns(api, { atOnce: options.requestsAtOnce, maxWaiting: limits.waitingRequests });
  resumeTraces(api);
  cutSlowReaders(api, limits.slowReaderMilliseconds);
  const contextOf: ContextOf = (request, reply) => requestContext(request, reply, options);
  const sendLongText = createSendLongText({ keys, open, limits, contextOf });
  const sendEvents = eventsBy(sendLongText);
  serveGraphql(api, { ...options, contextOf, sendEvents });
  serveSchema(api, options.schemaText);
  serveMcp(api, { routes: options.routes, contextOf });
  const sending = { sendEvents, sendLongText };
  await serveRest(api, options.routes, { contextOf, ...sending, limits, prefix: options.prefix });
}

function prefersPage(request: FastifyRequest): boolean {
  return ['GET', 'HEAD'].includes(request.method) && (request.headers.accept ?? '').includes('text/html');
}
