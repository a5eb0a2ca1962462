import { AppError } from '../errors.js';
import type { Order, OrderStep } from './order.js';
import { parseDate, parseDateTime, parseDecimal, parseSvcId, parseText } from '../values.js';

/** The value of a text too long for a cursor: how it begins, and whose it is. */
export interface LongText {
  readonly start: string;
  readonly svcId: number;
}

/**
 * The values of the order's steps at one row. Null: the row is among the nulls of that step. None: beyond the last row
 * in reading direction, which is where an empty page is.
 */
export type Position = readonly (string | number | LongText | null)[];

/**
 * A cursor is base64url of a JSON array: version, list, order, position (Reference G10).
 * It carries no signature: every read is scoped, so a made-up cursor reaches nothing that a filter would not.
 */
const VERSION = 1;
/** Bytes of one value; addresses of 8 KB pass every proxy, and an order has up to six steps. */
const MAX_VALUE = 400;
/** Short enough for `MAX_VALUE` whatever JSON escapes. */
const START_LENGTH = 60;

/** How the cursors of one list are written and read. */
export interface CursorForm {
  /** Names a row by the values of the order's steps. */
  encode(position: readonly (string | number | null)[]): string;
  /** Names the place beyond the last row, or before the first one where the list was read backwards. */
  encodeEnd(reversed: boolean): string;
  /** Throws `invalid-cursor`. */
  decode(cursor: string, argument: string): Position;
}

/** The cursors of a list in an order. */
export const cursorsOf = (list: string, order: Order): CursorForm => ({
  encode: (position) => encodeCursor(list, order, position),
  encodeEnd: () => encodeCursor(list, order, []),
  decode: (cursor, argument) => decodeCursor(cursor, list, order, argument),
});

/** Names of lists and orders hold nothing that JSON escapes. */
export function encodeCursor(
  list: string,
  order: Order,
  position: readonly (string | number | null)[],
): string {
  let text = `[${VERSION},"${list}","${order.key}"`;
  for (const value of position) text += typeof value === 'number' ? `,${value}` : `,${textOf(value)}`;
  return Buffer.from(`${text}]`).toString('base64url');
}

/** Of a long text only how it begins, in a list; the row itself has the rest. */
function textOf(value: string | null): string {
  const text = JSON.stringify(value);
  if (value === null || Buffer.byteLength(text) <= MAX_VALUE) return text;
  return JSON.stringify([value.slice(0, START_LENGTH).replace(/[\ud800-\udbff]$/, '')]);
}

/** Throws `invalid-cursor` for a broken one, one of another list, or one of another order. */
export function decodeCursor(cursor: string, list: string, order: Order, argument: string): Position {
  const refuse = (why: string) => new AppError('invalid-cursor', why, argument);
  const parts = parse(cursor);
  if (!parts || parts[0] !== VERSION) throw refuse('is not a valid cursor');
  if (parts[1] !== list) throw refuse('is a cursor of another list');
  if (parts[2] !== order.key) throw refuse('is a cursor of another order');
  const position = parts.slice(3);
  if (position.length === 0) return [];
  if (position.length !== order.steps.length) throw refuse('is not a valid cursor');
  const svcId = position[order.steps.findIndex(({ name }) => name === 'svcId')];
  try {
    return order.steps.map((step, index) => {
      const value = position[index];
      if (!Array.isArray(value) || step.sqlType !== 'text') return readValue(step, value);
      return { start: parseText(value[0], 'cursor'), svcId: parseSvcId(svcId, 'cursor') };
    });
  } catch {
    throw refuse('is not a valid cursor');
  }
}

function parse(cursor: string): unknown[] | null {
  if (!/^[\w-]{1,4000}$/.test(cursor)) return null;
  try {
    const parts: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
    return Array.isArray(parts) ? parts : null;
  } catch {
    return null;
  }
}

function readValue(step: OrderStep, value: unknown): string | number | null {
  if (value === null && step.nullable) return null;
  switch (step.sqlType) {
    case 'bigint':
      return parseSvcId(value, 'cursor');
    case 'numeric':
      return parseDecimal(value, 'cursor');
    case 'timestamptz':
      return parseDateTime(value, 'cursor');
    case 'date':
      return parseDate(value, 'cursor');
    case 'text':
      return parseText(value, 'cursor');
    default:
      return step.sqlType satisfies never;
  }
}
