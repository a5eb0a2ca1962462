import { createHash } from 'node:crypto';
import { AppError } from '../../errors.js';
import {
  parseBoolean,
  parseDate,
  parseDateTime,
  parseDecimal,
  parseSvcId,
  parseText,
} from '../../base/values.js';
import type { Order, OrderStep } from './order.js';
import type { CursorForm, LongText, Position } from './position.js';

/**
 * A cursor is a version, three letters each for list and order, and the values of the position, as short as they can be
 * told apart: a page may have hundreds of them (Reference G10). It carries no signature: every read is scoped, so a made-up
 * cursor reaches nothing that a filter would not.
 */
const VERSION = '2';
/** Follows each value, including the last: a truncated cursor cannot name another place. */
const AFTER = '~';
/** Stands for all values, beyond the last row. */
const END = `*${AFTER}`;
/** Represents null, and is before each part of a long text: no other value begins with it. */
const NULL = '.';
/** Bytes of one text; addresses of 8 KB pass every proxy, and an order has up to six steps. */
const MAX_TEXT_LENGTH = 400;
const START_LENGTH = 60;
/** Hexadecimal digits of SHA-256. */
export const SUM_LENGTH = 8;
const FORM = /^2[0-9a-z]{6}[\w.*~-]{0,4000}~$/;
const RADIX = 36;

/** The cursors of a list in an order. */
export function cursorsOf(list: string, { key, steps }: Order): CursorForm {
  const head = VERSION + lettersOf(list) + lettersOf(key);
  const svcIdAt = steps.findIndex(({ name }) => name === 'svcId');
  return {
    encode: (position) => {
      let cursor = head;
      for (let index = 0; index < steps.length; index += 1) {
        cursor += writeValue(steps[index] as OrderStep, position[index] ?? null) + AFTER;
      }
      return cursor;
    },
    encodeEnd: () => head + END,
    decode: (cursor, argument) => {
      const refuse = (why: string) => new AppError('invalid-cursor', why, argument);
      const given = cursor.slice(0, head.length);
      if (!FORM.test(cursor)) throw refuse('is not a valid cursor');
      if (given.slice(0, 4) !== head.slice(0, 4)) throw refuse('is a cursor of another list');
      if (given !== head) throw refuse('is a cursor of another order');
      if (cursor === head + END) return [];
      const values = cursor.slice(head.length, -AFTER.length).split(AFTER);
      if (values.length !== steps.length) throw refuse('is not a valid cursor');
      try {
        return steps.map((step, index) => readValue(step, values[index] ?? '', values[svcIdAt] ?? ''));
      } catch {
        throw refuse('is not a valid cursor');
      }
    },
  };
}

/** Tells names of lists, or orders, apart (FNV-1a). */
function lettersOf(name: string): string {
  let hash = 0x811c9dc5;
  for (let index = 0; index < name.length; index += 1) {
    hash = Math.imul(hash ^ name.charCodeAt(index), 0x01000193);
  }
  return ((hash >>> 0) % RADIX ** 3).toString(RADIX).padStart(3, '0');
}

function writeValue({ sqlType }: OrderStep, value: string | number | null): string {
  if (value === null) return NULL;
  switch (sqlType) {
    case 'bigint':
      return Number(value).toString(RADIX);
    case 'timestamptz':
      return Date.parse(String(value)).toString(RADIX);
    case 'numeric':
    case 'date':
    case 'boolean':
      return String(value);
    case 'text':
      return writeText(String(value));
    default:
      return sqlType satisfies never;
  }
}

/** A long text is written as its beginning and its hash; the row itself has the full text. */
function writeText(text: string): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= MAX_TEXT_LENGTH) return bytes.toString('base64url');
  const start = text.slice(0, START_LENGTH).replace(/[\ud800-\udbff]$/, '');
  const sum = createHash('sha256').update(bytes).digest('hex').slice(0, SUM_LENGTH);
  return NULL + Buffer.from(start).toString('base64url') + NULL + sum;
}

/** Throws if it is not a value of the step. */
function readValue({ sqlType, nullable }: OrderStep, value: string, svcId: string): Position[number] {
  if (value === NULL && nullable) return null;
  switch (sqlType) {
    case 'bigint':
      return readSvcId(value);
    case 'timestamptz':
      return parseDateTime(new Date(fromRadix(value)).toISOString(), 'cursor');
    case 'numeric':
      return parseDecimal(value, 'cursor');
    case 'date':
      return parseDate(value, 'cursor');
    case 'boolean':
      return String(parseBoolean(value, 'cursor'));
    case 'text':
      if (!value.startsWith(NULL)) return readText(value);
      return readLongText(value.slice(NULL.length).split(NULL), svcId);
    default:
      return sqlType satisfies never;
  }
}

const readLongText = ([start = '', sum = '']: readonly string[], svcId: string): LongText => ({
  start: readText(start),
  sum,
  svcId: readSvcId(svcId),
});

function fromRadix(value: string): number {
  if (/^-?[0-9a-z]{1,11}$/.test(value)) return parseInt(value, RADIX);
  throw new RangeError('no number');
}

const readSvcId = (value: string): number => parseSvcId(fromRadix(value), 'cursor');

function readText(value: string): string {
  if (!/^[\w-]{0,600}$/.test(value)) throw new RangeError('no text');
  return parseText(Buffer.from(value, 'base64url').toString('utf8'), 'cursor');
}
