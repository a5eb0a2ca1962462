import type { FastifyReply, FastifyRequest } from 'fastify';

/** Polled every few seconds by machines: their lines would drown out the others. */
const PROBES: ReadonlySet<string> = new Set(['/health/live', '/health/ready', '/metrics']);

/**
 * Logs one line when a request ends: its caller, route and cost. Only the route, since the full URL has ids, tokens and
 * filters. `left`: the caller disconnected before the end.
 */
export function logRequest(request: FastifyRequest, reply: FastifyReply): void {
  const { raw } = reply;
  const { socket } = request;
  const sentBefore = socket.bytesWritten;
  // For every response, even a hijacked one or one whose caller has gone.
  raw.once('close', () => {
    const { caller, tally } = request;
    const route = request.routeOptions.url ?? null;
    const line = {
      keyId: caller?.id ?? null,
      organisationId: caller?.scope.organisationId ?? null,
      method: request.method,
      route,
      operation: tally.operation,
      status: raw.headersSent ? raw.statusCode : null,
      ms: Math.round(reply.elapsedTime * 10) / 10,
      statements: tally.statements,
      bytes: socket.bytesWritten - sentBefore,
      ...(request.span ? { traceId: request.span.traceId } : {}),
      ...(raw.writableFinished ? {} : { left: true }),
    };
    if (route !== null && PROBES.has(route)) request.log.debug(line, 'request');
    else request.log.info(line, 'request');
  });
}
