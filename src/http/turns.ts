import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

declare module 'fastify' {
  interface FastifyRequest {
    /** Runs while the request has its turn. */
    turn: NodeJS.Timeout | null;
  }
}

/** What takes longer waits for the database, a platform or its reader, and needs no turn for it. */
const TURN_MILLISECONDS = 100;

/**
 * Works on `atOnce` requests at a time, in the order they came; 0 for all. More at a time are not done sooner, but what
 * is begun stays in memory until it is answered, outlives collections of the young generation, and costs far more to
 * collect then. A request that waits has its body and little else.
 */
export function takeTurns(server: FastifyInstance, atOnce: number, milliseconds = TURN_MILLISECONDS): void {
  if (atOnce === 0) return;
  /** Each begins its request, or is false where nobody is there any more to answer. */
  const waiting: (() => boolean)[] = [];
  let free = atOnce;

  const end = (request: FastifyRequest): void => {
    if (request.turn === null) return;
    clearTimeout(request.turn);
    request.turn = null;
    // Not by recursion: when a service is slow, thousands may have gone.
    for (let begin = waiting.shift(); begin; begin = waiting.shift()) if (begin()) return;
    free += 1;
  };

  server.decorateRequest('turn', null);
  server.addHook('preHandler', (request: FastifyRequest, reply: FastifyReply, done) => {
    const begin = (): boolean => {
      if (request.socket.destroyed) {
        reply.hijack();
        return false;
      }
      request.turn = setTimeout(end, milliseconds, request);
      done();
      return true;
    };
    if (free === 0) waiting.push(begin);
    else if (begin()) free -= 1;
  });
  server.addHook('onResponse', (request, _reply, done) => {
    end(request);
    done();
  });
}
