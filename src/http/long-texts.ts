import type { FastifyInstance } from 'fastify';

/** From here on it pays. */
const LONG = 100_000;

/**
 * Gives Node long texts as bytes. For each text it sets aside three bytes per character, which the garbage collector hears
 * of: a page of some hundred records would have it run all the time. Of a short text a copy costs more than that.
 */
export function encodeLongTexts(server: FastifyInstance): void {
  server.addHook('onSend', (_request, _reply, payload, done) => {
    done(null, typeof payload === 'string' && payload.length >= LONG ? Buffer.from(payload) : payload);
  });
}
