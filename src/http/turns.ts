import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Claimant, FairQueue } from '../fair-queue.js';
import { LoopShare } from './loop-share.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Runs while the request has its turn. */
    turn: NodeJS.Timeout | null;
  }
}

/** What takes longer waits for the database, a platform or its reader, and needs no turn for it. */
const TURN_MILLISECONDS = 100;

/** Beyond what one organisation may have: while it has all that, another one's request needs not wait for it. */
const SPARE_TURNS = 2;

/** Where a server knows no callers. */
const NOBODY: Claimant = { organisationId: 0, keyId: null };

interface TurnOptions {
  /** How many requests of one organisation are worked on at a time; 0 for all. */
  readonly atOnce: number;
  /** How many requests may wait. */
  readonly mostWaiting: number;
  readonly milliseconds?: number;
}

/**
 * Limits how many requests of an organisation are worked on together, in the order they came, and serves organisations in
 * turn. More at a time are not done sooner, but what is begun stays in memory until it is answered, outlives collections of the young
 * generation, and costs far more to collect then. A request that waits has its body and little else.
 */
export function takeTurns(
  server: FastifyInstance,
  { atOnce, mostWaiting, milliseconds = TURN_MILLISECONDS }: TurnOptions,
): void {
  if (atOnce === 0) return;
  const turns = new FairQueue({
    places: atOnce + SPARE_TURNS,
    perOrganisation: atOnce,
    mostWaiting,
    what: 'requests',
  });

  const loop = new LoopShare();

  const end = (request: FastifyRequest): void => {
    if (request.turn === null) return;
    clearTimeout(request.turn);
    request.turn = null;
    turns.leave(claimantOf(request));
  };

  server.decorateRequest('turn', null);
  server.addHook('preHandler', (request: FastifyRequest, reply: FastifyReply, done) => {
    const begin = (): boolean => {
      if (request.socket.destroyed) {
        reply.hijack();
        return false;
      }
      request.turn = setTimeout(end, milliseconds, request);
      loop.run(claimantOf(request).organisationId, done);
      return true;
    };
    try {
      turns.enter(claimantOf(request), begin);
    } catch (error) {
      done(error as Error);
    }
  });
  server.addHook('onResponse', (request, _reply, done) => {
    end(request);
    done();
  });
}

const claimantOf = ({ caller }: FastifyRequest): Claimant => caller?.scope ?? NOBODY;
