import type { FastifyInstance } from 'fastify';
import type pg from 'pg';

/** GET /health/live: the process runs. GET /health/ready: it can serve; 503 without its database or before it stops. */
export function serveHealth(server: FastifyInstance, pool: pg.Pool, isStopping: () => boolean): void {
  server.get('/health/live', (_request, reply) =>
    reply.header('cache-control', 'no-store').send({ status: 'ok' }),
  );
  server.get('/health/ready', async (_request, reply) => {
    void reply.header('cache-control', 'no-store');
    if (isStopping()) return reply.status(503).send({ status: 'stopping' });
    try {
      await pool.query('SELECT 1');
      return { status: 'ok' };
    } catch {
      return reply.status(503).send({ status: 'no database' });
    }
  });
}
