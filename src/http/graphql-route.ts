import type { ApolloServer } from '@apollo/server';
import { fastifyApolloHandler } from '@as-integrations/fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../context.js';
import { limitError } from '../graphql/document/limits.js';
import type { Limits } from '../limits.js';
import { isDeeper } from '../raw-json.js';
import type { ContextOf } from './context-of.js';

/** GET /schema.graphql: the whole interface for code generators and editors, also where introspection is off. */
export function serveSchema(server: FastifyInstance, text: string): void {
  server.get('/schema.graphql', (_request, reply) => reply.type('text/plain; charset=utf-8').send(text));
}

/** GET and POST /graphql, and HEAD like GET. */
export function serveGraphql(
  server: FastifyInstance,
  apollo: ApolloServer<Context>,
  contextOf: ContextOf,
  limits: Limits,
): void {
  const handler = fastifyApolloHandler(apollo, {
    context: async (request, reply) => {
      const { query } = (request.body ?? request.query ?? {}) as { query?: unknown };
      if (typeof query === 'string' && Buffer.byteLength(query) > limits.queryBytes) {
        throw limitError(`the query text is longer than ${limits.queryBytes} bytes`);
      }
      // In a body the parser of bodies sees to it.
      for (const [name, text] of Object.entries(request.query ?? {})) {
        if (typeof text === 'string' && name !== 'query' && isDeeper(text, limits.jsonDepth)) {
          throw limitError(`${name} is nested deeper than ${limits.jsonDepth} levels`, name);
        }
      }
      return contextOf(request, reply);
    },
  }) as (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>;
  server.route({
    method: ['GET', 'POST'],
    url: '/graphql',
    bodyLimit: limits.largeBodyBytes,
    handler: (request, reply) => handler(request.method === 'HEAD' ? asGet(request) : request, reply),
  });
}

/** Apollo knows GET and POST only; Fastify leaves the body of the answer out. */
function asGet(request: FastifyRequest): FastifyRequest {
  return Object.create(request, { method: { value: 'GET' } }) as FastifyRequest;
}
