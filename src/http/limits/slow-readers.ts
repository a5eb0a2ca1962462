import type { FastifyInstance } from 'fastify';

/** Closes connections whose client reads nothing of a response for this long: it is in memory until it is sent. */
export function cutSlowReaders(server: FastifyInstance, milliseconds: number): void {
  server.addHook('onSend', (_request, { raw }, payload, done) => {
    // A stream may wait for its source. Node's timeout starts at the last bytes sent.
    if (typeof payload === 'string' || Buffer.isBuffer(payload)) raw.setTimeout(milliseconds);
    done(null, payload);
  });
}
