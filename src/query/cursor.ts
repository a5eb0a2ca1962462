import { AppError } from '../errors.js';
import type { Order, OrderStep } from './order.js';
import { parseDate, parseDateTime, parseDecimal, parseSvcId, parseText } from '../values.js';

/** The values of the order's steps at one row. Null: the row stands among the nulls of that step. */
export type Position = readonly (string | number | null)[];

/**
 * A cursor is base64url of a JSON array: version, list, order, position (reference gap: opaque to the caller).
 * It carries no signature: every read is scoped, so a made-up cursor reaches nothing that a filter would not.
 */
const VERSION = 1;

/** Names of lists and orders hold nothing that JSON escapes. */
export function encodeCursor(list: string, order: Order, position: Position): string {
  let text = `[${VERSION},"${list}","${order.key}"`;
  for (const value of position) text += typeof value === 'number' ? `,${value}` : `,${JSON.stringify(value)}`;
  return Buffer.from(`${text}]`).toString('base64url');
}

/** Throws `invalid-cursor` for a broken one, one of another list, or one of another order. */
export function decodeCursor(cursor: string, list: string, order: Order, argument: string): Position {
  const refuse = (why: string) => new AppError('invalid-cursor', `${argument}: ${why}`, argument);
  const parts = parse(cursor);
  if (!parts || parts[0] !== VERSION) throw refuse('this is no cursor of this service');
  if (parts[1] !== list) throw refuse('this cursor belongs to another list');
  if (parts[2] !== order.key) throw refuse(`this cursor belongs to another order, here it is ${order.key}`);
  const position = parts.slice(3);
  if (position.length !== order.steps.length) throw refuse('this is no cursor of this service');
  try {
    return order.steps.map((step, index) => readValue(step, position[index]));
  } catch {
    throw refuse('this is no cursor of this service');
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
