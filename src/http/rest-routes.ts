import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Context } from '../context.js';
import type { RestRoute } from '../rest/route.js';

/** Serves the REST path table. */
export function serveRest(
  server: FastifyInstance,
  routes: readonly RestRoute[],
  contextOf: (request: FastifyRequest) => Context,
): void {
  for (const route of routes) {
    server.route({
      method: route.method,
      url: route.path,
      handler: async (request, reply) => {
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
