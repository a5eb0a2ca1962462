import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Claimant, FairQueue } from '../../base/fair-queue.js';
import { endIfGone } from './gone-clients.js';
import { LoopShare } from './loop-share.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Runs while the request has its turn. */
    turn: NodeJS.Timeout | null;
  }
}

/** A request that takes longer is waiting for the database, a platform or its reader, and needs no turn for that. */
const TURN_MILLISECONDS = 100;

/** Turns beyond one organisation's limit: while one has all of its turns, another's request need not wait. */
const SPARE_TURNS = 2;

/** For servers without callers. */
const NOBODY: Claimant = { organisationId: 0, keyId: null };

interface TurnOptions {
  /** Maximum concurrent requests of one organisation; 0: no limit. */
  readonly atOnce: number;
  /** Maximum waiting requests. */
  readonly maxWaiting: number;
  readonly milliseconds?: number;
}

/**
 * Limits an organisation's concurrent requests, in order of arrival, and serves organisations in turn. More concurrency
 * is not faster, but started work stays in memory until it is answered, survives young-generation collections, and then
 * costs far more to collect. A waiting request holds little besides its body.
 */
export function takeTurns(
  server: FastifyInstance,
  { atOnce, maxWaiting, milliseconds = TURN_MILLISECONDS }: TurnOptions,
): void {
  if (atOnce === 0) return;
  const turns = new FairQueue({
    places: atOnce + SPARE_TURNS,
    perOrganisation: atOnce,
    maxWaiting,
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
      if (endIfGone(request, reply)) return false;
      request.turn = setTimeout(end, milliseconds, request);
      loop.run(claimantOf(request).organisationId, () => {
        if (endIfGone(request, reply)) end(request);
        else done();
      });
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
