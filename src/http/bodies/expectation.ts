import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

/** Requests whose body was announced, and not asked for. */
const unasked = new WeakSet<IncomingMessage>();

/** How long is read of what a client sends all the same. */
const DROPPING_MS = 5000;

/** Whether the body was neither asked for nor begun: a refusal may come in its place. */
export const waitsForContinue = (request: IncomingMessage): boolean =>
  unasked.has(request) && !request.complete && request.readableLength === 0;

/**
 * Asks for the body of a request with `Expect: 100-continue` only when it is read: Node asks at once, and the client
 * would send what is refused by its key or its declared length.
 */
export function answerExpectations(server: FastifyInstance): void {
  const dropping = new Set<Socket>();
  server.server.on('checkContinue', (request, response) => {
    if (isBodyAnnounced(request)) {
      unasked.add(request);
      const read = request._read.bind(request);
      // Called also if the client has sent some of the body without waiting.
      request._read = (size) => {
        const waits = waitsForContinue(request);
        request._read = read;
        unasked.delete(request);
        if (waits && !response.headersSent) response.writeContinue();
        read(size);
      };
    }
    // Node would close every connection on which it was not asked.
    Object.assign(response, { _expect_continue: false });
    // Once all that came with its header is parsed: a body that was sent without waiting is seen before it is refused.
    setImmediate(() => request.destroyed || server.server.emit('request', request, response));
  });
  server.addHook('onSend', (request, reply, payload, done) => {
    // The client may leave out the body or send it: what it sends next would be ambiguous.
    if (waitsForContinue(request.raw)) {
      void reply.header('connection', 'close');
      closeGently(request.raw.socket, dropping);
    }
    done(null, payload);
  });
  server.addHook('preClose', (done) => {
    for (const socket of dropping) socket.destroy();
    done();
  });
}

const isBodyAnnounced = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/**
 * Ends a connection after its response, and reads on until its client ends it, too: one that has not waited, or not as
 * long as the refusal took, would have its connection reset while it sends, and not see the refusal. What comes is
 * dropped unparsed: a request in it would be carried out, and its response lost.
 */
function closeGently(socket: Socket, dropping: Set<Socket>): void {
  // Takes the bytes from Node's parser.
  socket.removeAllListeners('data').on('data', () => undefined);
  socket.destroySoon = () => {
    socket.end();
    dropping.add(socket);
    const patience = setTimeout(() => socket.destroy(), DROPPING_MS).unref();
    socket.once('close', () => {
      clearTimeout(patience);
      dropping.delete(socket);
    });
  };
}
