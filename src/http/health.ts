import type { FastifyInstance } from 'fastify';
import type { Database } from '../db/database.js';

/**
 * GET /health/live: the process runs. GET /health/ready: it can serve; 503 without its database or before it stops.
 * Unavailable replicas do not matter; an unavailable cluster worker affects only its own companies.
 */
export function serveHealth(server: FastifyInstance, database: Database, isStopping: () => boolean): void {
  server.get('/health/live', (_request, reply) =>
    reply.header('cache-control', 'no-store').send({ status: 'ok' }),
  );
  server.get('/health/ready', async (_request, reply) => {
    void reply.header('cache-control', 'no-store');
    if (isStopping()) return reply.status(503).send({ status: 'stopping' });
    const { replicas, nodes } = database;
    if (await database.answers()) {
      return {
        status: 'ok',
        ...(replicas && { replicas: replicas.counts }),
        ...(nodes && { workers: await nodes.count() }),
      };
    }
    return reply.status(503).header('retry-after', '1').send({ status: 'no database' });
  });
}
