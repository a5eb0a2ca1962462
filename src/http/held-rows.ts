import { getHeapStatistics } from 'node:v8';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { HeldRows } from '../db/held-rows.js';
import { AppError } from '../errors.js';
import type { Pages } from '../db/held-pages.js';
import { HeldBytes } from './held-bytes.js';
import { HeldPages } from './held-pages.js';

/** Rows become values, then a text, which is copied on its way out. */
const SHARE_OF_HEAP = 1 / 8;

/** Counts rows until what was made of them has left, so that the memory for answers is bounded for all readers together. */
export interface HeldAnswers {
  /** Those that a request has read until its answer has left or its caller is gone, also where that leaves it unread. */
  readonly ofRequest: (request: FastifyRequest, reply: FastifyReply) => HeldRows;
  /** Those of an organisation's long answers. */
  readonly pagesOf: (organisationId: number) => Pages;
}

export function createHeldAnswers(heldRowBytes: number): HeldAnswers {
  const most = heldRowBytes || Math.floor(getHeapStatistics().heap_size_limit * SHARE_OF_HEAP);
  const rows: HeldBytes = new HeldBytes(most, () => pages.next());
  const pages = new HeldPages(rows);
  return {
    pagesOf: (organisationId) => pages.of(String(organisationId)),
    ofRequest: ({ caller }, { raw }) => {
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
    },
  };
}

const tooLarge = (most: number): AppError =>
  new AppError(
    'query-too-complex',
    `the query reads more than ${most} bytes: ask for smaller pages, or for less in one query`,
  );

const tooMuch = (): AppError =>
  new AppError('service-unavailable', 'the service holds as many bytes of answers as it may; try again soon');
