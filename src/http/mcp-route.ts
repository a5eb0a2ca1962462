import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError, invalid, writePath } from '../errors.js';
import { type CallRest, type RestCall, ToolRefusal } from '../mcp/call.js';
import type { RestRoute } from '../rest/route.js';
import type { Context } from '../context.js';
import { logHidden } from '../graphql/errors.js';
import type { ContextOf } from './context-of.js';
import { describeError } from './errors.js';
import { version } from './pages/home.js';

interface McpRouteOptions {
  readonly routes: readonly RestRoute[];
  readonly contextOf: ContextOf;
}

/** Maximum messages of one request, which counts once: a batch must not evade a request's limits. */
export const MAX_MESSAGES = 10;

/**
 * POST /mcp: the Model Context Protocol over Streamable HTTP, stateless, with the key and the limits of REST. A key
 * without the scope `write` sees no tools that write.
 */
export function serveMcp(server: FastifyInstance, { routes, contextOf }: McpRouteOptions): void {
  server.post('/mcp', async (request, reply) => {
    if (Array.isArray(request.body) && request.body.length > MAX_MESSAGES)
      throw invalid('body', `accepts at most ${MAX_MESSAGES} messages, got ${request.body.length}`);
    // Few installations use it: the SDK is loaded on first use.
    const [{ createMcpServer }, { WebStandardStreamableHTTPServerTransport }] = await Promise.all([
      import('../mcp/server.js'),
      import('@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'),
    ]);
    const context = contextOf(request, reply);
    const mcp = createMcpServer(callRoutes(routes, request, context), {
      version,
      mayWrite: context.principal.scopes.has('write'),
    });
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
    try {
      await mcp.connect(transport);
      const answer = await transport.handleRequest(webRequest(request), {
        parsedBody: withoutCancels(request.body),
      });
      void reply.headers(Object.fromEntries(answer.headers)).status(answer.status);
      return await reply.send(await answer.text());
    } finally {
      await mcp.close();
    }
  });
}

/** The SDK would wait forever to answer a request that is cancelled in its own body; there are no others to cancel. */
function withoutCancels(body: unknown): unknown {
  if (!Array.isArray(body)) return body;
  const messages = body as readonly ({ readonly method?: unknown } | null)[];
  const others = messages.filter((message) => message?.method !== 'notifications/cancelled');
  return others.length > 0 ? others : body;
}

/** The headers that the transport checks; the body is already read. */
function webRequest({ headers, method }: FastifyRequest): Request {
  const given = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    typeof value === 'string' && /^(accept|content-type|mcp-[\w-]+)$/.test(name) ? [[name, value]] : [],
  );
  return new Request('http://mcp.invalid/mcp', { method, headers: given });
}

/** Runs a tool's requests through the REST routes, within the request that called the tool. */
const callRoutes =
  (routes: readonly RestRoute[], { id, receivedAt }: FastifyRequest, context: Context): CallRest =>
  async (call) => {
    try {
      const { route, params } = routeOf(routes, call);
      const { body } = await route.answer({
        requestId: id,
        receivedAt,
        query: call.query ?? {},
        params,
        body: call.body,
        idempotencyKey: call.idempotencyKey ?? null,
        context,
      });
      return body;
    } catch (error) {
      const known = describeError(error);
      logHidden(known, context.log, 'unexpected error in a tool');
      throw new ToolRefusal(known.code, known.message, writePath(known.field));
    }
  };

function routeOf(routes: readonly RestRoute[], { method, path }: RestCall) {
  const parts = path.split('/');
  for (const route of routes) {
    const wanted = route.path.split('/');
    if (!('answer' in route) || route.method !== method || wanted.length !== parts.length) continue;
    if (!wanted.every((part, index) => part.startsWith(':') || part === parts[index])) continue;
    const params = wanted.flatMap((part, index): [string, string][] =>
      part.startsWith(':') ? [[part.slice(1), parts[index] ?? '']] : [],
    );
    return { route, params: Object.fromEntries(params) };
  }
  throw new AppError('not-found', `there is nothing at ${method} ${path}`);
}
