import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

/**
 * Closes the responses queued on a connection when it is lost. Node closes only the response being sent: the resources
 * of the others would be held forever.
 */
export function closeQueuedResponses(server: FastifyInstance): void {
  const ofSockets = new WeakMap<Socket, Set<ServerResponse>>();
  const openOf = (socket: Socket): Set<ServerResponse> => {
    const known = ofSockets.get(socket);
    if (known) return known;
    const open = new Set<ServerResponse>();
    ofSockets.set(socket, open);
    socket.once('close', () => open.forEach(closeQueued));
    return open;
  };
  server.addHook('onRequest', (request, { raw: response }, done) => {
    const open = openOf(request.raw.socket);
    open.add(response);
    response.once('close', () => open.delete(response));
    done();
  });
}

function closeQueued(response: ServerResponse): void {
  // Node closes the response being sent.
  if (response.socket !== null || response.closed) return;
  response.destroy();
  // For what asks later, rather than listening.
  Object.assign(response, { _closed: true });
  response.emit('close');
}
