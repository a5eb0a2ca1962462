import { getHeapStatistics } from 'node:v8';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type HeldRows, RowsRefused } from '../../db/rows/held-rows.js';
import type { Pages } from '../../db/rows/held-pages.js';
import { HeldBytes } from './held-bytes.js';
import { HeldPages } from './held-pages.js';

/** Share for rows, which become values, then a text, which is copied when sent. */
const SHARE_OF_HEAP = 1 / 8;

/** Counts rows until their response is sent, to bound the memory for responses of all readers together. */
export interface HeldAnswers {
  /** Rows read by a request until its response is sent or its caller has gone. */
  readonly ofRequest: (request: FastifyRequest, reply: FastifyReply) => HeldRows;
  /** Pages of an organisation's long responses. */
  readonly pagesOf: (organisationId: number) => Pages;
}

export function createHeldAnswers(heldRowBytes: number): HeldAnswers {
  const max = heldRowBytes || Math.floor(getHeapStatistics().heap_size_limit * SHARE_OF_HEAP);
  const rows: HeldBytes = new HeldBytes(max, () => pages.next());
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
          return own > max / 2 ? tooLarge(Math.floor(max / 2)) : tooMuch();
        },
        free: () => {
          isBounded = false;
        },
      };
    },
  };
}

const tooLarge = (max: number): RowsRefused =>
  new RowsRefused(
    'query-too-complex',
    `the query reads more than ${max} bytes: ask for smaller pages, or for less in one query`,
  );

const tooMuch = (): RowsRefused =>
  new RowsRefused('service-unavailable', 'the service holds too many bytes of answers; try again soon');
