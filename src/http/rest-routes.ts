import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Context } from '../context.js';
import { invalid } from '../errors.js';
import type { Limits } from '../limits.js';
import type { RestRoute } from '../rest/route.js';

/** Serves the REST path table. */
export function serveRest(
  server: FastifyInstance,
  routes: readonly RestRoute[],
  contextOf: (request: FastifyRequest) => Context,
  limits: Limits,
): void {
  for (const route of routes) {
    server.route({
      method: route.method,
      url: route.path,
      ...(route.isLarge ? { bodyLimit: limits.largeBodyBytes } : {}),
      handler: async (request, reply) => {
        refuseUndecodable(request.url);
        const {
          body,
          ignored,
          headers = {},
        } = await route.answer({
          requestId: request.id,
          receivedAt: request.receivedAt,
          query: request.query as Record<string, unknown>,
          params: request.params as Record<string, string>,
          body: request.body,
          idempotencyKey: headerOf(request, 'idempotency-key'),
          context: contextOf(request),
        });
        if (ignored?.length)
          void reply.header('x-svc-warning', `ignored: ${ignored.map(encodeURIComponent).join(', ')}`);
        void reply.headers(headers);
        return reply.type('application/json; charset=utf-8').send(body);
      },
    });
  }
}

function headerOf(request: FastifyRequest, name: string): string | null {
  const value = request.headers[name];
  return typeof value === 'string' ? value : null;
}

/** What cannot be decoded would be taken as it is: a filter would look for the escapes. */
function refuseUndecodable(url: string): void {
  if (!url.includes('%')) return;
  for (const pair of url.slice(url.indexOf('?') + 1).split('&')) {
    try {
      decodeURIComponent(pair);
    } catch {
      const name = pair.split('=')[0]?.slice(0, 40) ?? '';
      throw invalid(name, `${name} is not percent-encoded UTF-8: a % itself is written %25`);
    }
  }
}
