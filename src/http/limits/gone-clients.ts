import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/**
 * Ends a request here if its client has gone; returns whether. To be asked after each wait before the handler: what
 * comes later releases what it holds when the connection closes, which it would never see.
 */
export function endIfGone({ socket }: FastifyRequest, reply: FastifyReply): boolean {
  if (socket.destroyed) reply.hijack();
  return socket.destroyed;
}

/** Reads no body of a client that has gone while its key was looked up. */
export function endGoneClients(server: FastifyInstance): void {
  server.addHook('preParsing', (request, reply, payload, done) => {
    if (!endIfGone(request, reply)) done(null, payload);
  });
}
