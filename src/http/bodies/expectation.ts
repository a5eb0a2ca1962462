import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

/** Requests whose client waits for a `100 Continue` before it sends the body. */
const waiting = new WeakSet<IncomingMessage>();

/** How long is read of what a client sends all the same. */
const DROPPING_MS = 5000;

/** Whether the body was neither asked for nor begun: a refusal may come in its place. */
export const waitsForContinue = (request: IncomingMessage): boolean => waiting.has(request);

/**
 * Asks for the body of a request with `Expect: 100-continue` only when it is read: Node asks at once, and the client
 * would send what is refused by its key or its declared length.
 */
export function answerExpectations(server: FastifyInstance): void {
  server.server.on('checkContinue', (request, response) => {
    waiting.add(request);
    const read = request._read.bind(request);
    // Called also if the client has sent some of the body without waiting.
    request._read = (size) => {
      request._read = read;
      waiting.delete(request);
      if (!response.headersSent) response.writeContinue();
      read(size);
    };
    server.server.emit('request', request, response);
  });
  server.addHook('onSend', (request, reply, payload, done) => {
    // The client may leave out the body or send it: what it sends next would be ambiguous.
    if (waitsForContinue(request.raw)) {
      void reply.header('connection', 'close');
      closeGently(request.raw.socket);
    }
    done(null, payload);
  });
}

/**
 * Ends a connection after its response, and reads on until its client ends it, too: one that has not waited, or not as
 * long as the refusal took, would have its connection reset while it sends, and not see the refusal.
 */
function closeGently(socket: Socket): void {
  socket.destroySoon = () => {
    socket.end();
    setTimeout(() => socket.destroy(), DROPPING_MS).unref();
  };
}
