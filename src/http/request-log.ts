import type { FastifyReply, FastifyRequest } from 'fastify';

/** Asked for every few seconds by machines: their lines would hide the others. */
const PROBES: ReadonlySet<string> = new Set(['/health/live', '/health/ready', '/metrics']);

/**
 * One line in the log when a request is over: who asked for what, and what it took. Of the address it has the route,
 * since ids, tokens and filters are in the rest. `left` says that the caller was gone before the end.
 */
export function logRequest(request: FastifyRequest, reply: FastifyReply): void {
  const { raw } = reply;
  const { socket } = request;
  const sentBefore = socket.bytesWritten;
  // Of every answer, also of one that was hijacked or that nobody waited for.
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
