import type { FastifyInstance } from 'fastify';

/** Ends connections whose reader takes nothing of an answer for so long: it is held in memory until it has left. */
export function cutSlowReaders(server: FastifyInstance, milliseconds: number): void {
  server.addHook('onSend', (_request, { raw }, payload, done) => {
    // A stream may wait for where it comes from. Node counts from the last bytes that went out.
    if (typeof payload === 'string' || Buffer.isBuffer(payload)) raw.setTimeout(milliseconds);
    done(null, payload);
  });
}
