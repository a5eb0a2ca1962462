import type { AddressInfo } from 'node:net';
import Fastify from 'fastify';
import type { Address } from '../../config/parsers.js';
import { sendError } from '../errors.js';
import { serveHealth } from '../health.js';
import { type MetricsOptions, serveMetrics } from './metrics.js';

interface MetricsServerOptions extends MetricsOptions {
  readonly address: Address;
  /** Whether load balancers should send requests elsewhere. */
  readonly isDraining: () => boolean;
}

/** Health and metrics at a separate address, which callers need not reach. */
export async function startMetricsServer(
  options: MetricsServerOptions,
): Promise<{ readonly url: string; readonly close: () => Promise<void> }> {
  const { address, database, isDraining } = options;
  const server = Fastify({ forceCloseConnections: true });
  server.setErrorHandler((error, request, reply) => sendError(error, request, reply));
  serveHealth(server, database, isDraining);
  serveMetrics(server, options);
  await server.listen(address);
  const { port } = server.server.address() as AddressInfo;
  const host = address.host.includes(':') ? `[${address.host}]` : address.host;
  return { url: `http://${host}:${port}`, close: () => server.close() };
}
