import type { FastifyInstance } from 'fastify';
import { AggregatorRegistry, Registry } from 'prom-client';
import type { Database } from '../../db/database.js';
import { shared } from '../../base/shared.js';
import { meters, readMeters, type ReadMeters } from '../../telemetry/meters.js';
import { createMeasures } from './measures.js';

export interface MetricsOptions {
  readonly database: Database;
  /** Metrics of this service's other processes on the machine. */
  readonly others: () => Promise<readonly ReadMeters[]>;
}

/** GET /metrics: metrics of all processes of this service on the machine and of the database, for Prometheus. */
export function serveMetrics(server: FastifyInstance, { database, others }: MetricsOptions): void {
  const measures = createMeasures(database);
  // Whoever reaches the address may ask, and each answer costs a statement and an answer of each process.
  const read = shared(async () => {
    const [own, more, measured] = await Promise.all([readMeters(), others(), measures()]);
    const counted = await AggregatorRegistry.aggregate([own, ...more].map((one) => [...one])).metrics();
    return `${counted}\n${measured}`;
  });
  server.get('/metrics', async (_request, reply) =>
    reply
      .header('cache-control', 'no-store')
      .type(Registry.PROMETHEUS_CONTENT_TYPE)
      .send(await read()),
  );
}

/** Counts every request of the server. */
export function meterRequests(server: FastifyInstance): void {
  server.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'none';
    meters.requests.labels(request.method, route, String(reply.statusCode)).observe(reply.elapsedTime / 1000);
    done();
  });
}
