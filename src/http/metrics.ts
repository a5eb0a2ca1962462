import type { FastifyInstance } from 'fastify';
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Database } from '../db/database.js';

/** Prometheus metrics of this process under GET /metrics. */
export function serveMetrics(server: FastifyInstance, { pool, waiting }: Database): void {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const duration = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from request to answer, by route, method and status',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  });
  new Gauge({
    name: 'database_connections',
    help: 'Connections of the pool, by state',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      this.set({ state: 'open' }, pool.totalCount);
      this.set({ state: 'idle' }, pool.idleCount);
      this.set({ state: 'waiting' }, waiting());
    },
  });
  new Gauge({
    name: 'work_given_up',
    help: 'Syncs and writes that were given up since one worker after another died with them, until they are retried',
    labelNames: ['kind'],
    registers: [registry],
    async collect() {
      const { rows } = await pool
        .query<{ kind: string; count: string }>('SELECT kind, count FROM svc_count_given_up()')
        // Without its database the process still tells the rest.
        .catch(() => ({ rows: [] }));
      for (const kind of ['sync', 'write']) {
        this.set({ kind }, Number(rows.find((row) => row.kind === kind)?.count ?? NaN));
      }
    },
  });
  server.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'none';
    duration.labels(request.method, route, String(reply.statusCode)).observe(reply.elapsedTime / 1000);
    done();
  });
  server.get('/metrics', async (_request, reply) =>
    reply
      .header('cache-control', 'no-store')
      .type(registry.contentType)
      .send(await registry.metrics()),
  );
}
