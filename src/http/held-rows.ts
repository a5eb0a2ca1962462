import { getHeapStatistics } from 'node:v8';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { HeldRows } from '../db/held-rows.js';
import { AppError } from '../errors.js';
import { HeldBodies } from './held-bodies.js';

/** Rows become values, then a text, which is copied on its way out. */
const SHARE_OF_HEAP = 1 / 8;

/**
 * Counts the rows that requests have read until their answers have left or their callers are gone, so that the memory for
 * answers is bounded for all readers together, also for those who leave them unread.
 */
export function createHoldRows(
  heldRowBytes: number,
): (request: FastifyRequest, reply: FastifyReply) => HeldRows {
  const most = heldRowBytes || Math.floor(getHeapStatistics().heap_size_limit * SHARE_OF_HEAP);
  const rows = new HeldBodies(most);
  return ({ caller }, { raw }) => {
    const held = rows.open(String(caller?.scope.organisationId ?? ''));
    raw.once('close', held.release);
    let own = 0;
    let isBounded = true;
    return {
      add: (bytes) => {
        own += bytes;
        if (!isBounded || raw.destroyed || held.add(bytes)) return null;
        return own > most / 2 ? tooLarge(Math.floor(most / 2)) : tooMuch();
      },
      free: () => {
        isBounded = false;
      },
    };
  };
}

const tooLarge = (most: number): AppError =>
  new AppError(
    'query-too-complex',
    `the query reads more than ${most} bytes: ask for smaller pages, or for less in one query`,
  );

const tooMuch = (): AppError =>
  new AppError('service-unavailable', 'the service holds as many bytes of answers as it may; try again soon');
