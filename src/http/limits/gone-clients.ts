import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/**
 * Ends a request here if its client has gone; returns whether. To be asked before its key is looked up, and after each
 * wait before the handler: what comes later releases what it holds when the connection closes, which it would never see.
 */
export function endIfGone({ socket }: FastifyRequest, reply: FastifyReply): boolean {
  // A connection that was reset before its request was read has no address, and is destroyed only by the next read.
  const isGone = socket.destroyed || socket.remoteAddress === undefined;
  if (isGone) reply.hijack();
  return isGone;
}

/** Reads no body of a client that has gone while its key was looked up. */
export function endGoneClients(server: FastifyInstance): void {
  server.addHook('preParsing', (request, reply, payload, done) => {
    if (!endIfGone(request, reply)) done(null, payload);
  });
}
