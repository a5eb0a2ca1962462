import type { FastifyInstance } from 'fastify';

/** Minimum length for which it pays. */
const LONG = 100_000;

/**
 * Passes long texts to Node as bytes. For a string Node allocates three bytes per character, which adds to GC pressure:
 * pages of some hundred records would trigger it constantly. For short texts a copy costs more than that.
 */
export function encodeLongTexts(server: FastifyInstance): void {
  server.addHook('onSend', (_request, _reply, payload, done) => {
    done(null, typeof payload === 'string' && payload.length >= LONG ? Buffer.from(payload) : payload);
  });
}
