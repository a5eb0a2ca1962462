import { badQuery, Refusal } from '../problems.js';
import { type Json } from '../wire/values.js';
import { type Condition } from './parse.js';

const TIME = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?$/;

/** The value at a path, by names in any case. A reference counts as its value; of a list the first element has it. */
export function valueAt(row: Json, path: string): unknown {
  let found: unknown = row;
  for (const part of path.split('.')) {
    if (Array.isArray(found)) found = (found as unknown[])[0];
    if (typeof found !== 'object' || found === null) return undefined;
    found = propertyOf(found as Json, part);
  }
  if (typeof found === 'object' && found !== null && 'value' in found) return found.value;
  if (typeof found === 'object' && found !== null && 'Address' in found) return found.Address;
  return found;
}

function propertyOf(object: Json, name: string): unknown {
  if (name in object) return object[name];
  const [, value] = Object.entries(object).find(([one]) => one.toLowerCase() === name.toLowerCase()) ?? [];
  return value;
}

const isTime = (path: string): boolean => /time$/i.test(path);
const isDay = (path: string): boolean => /date$/i.test(path);

const known = new Map<string, number>();

/** An instant in seconds; a text without a zone is of California. */
export function secondsOf(text: string): number {
  const seconds = known.get(text) ?? readSeconds(text);
  known.set(text, seconds);
  return seconds;
}

function readSeconds(text: string): number {
  if (!TIME.test(text)) throw new Refusal(badQuery(`value ${text} is not a valid date`));
  const full = text.includes('T') ? text : `${text}T00:00:00`;
  const at = Date.parse(/(?:Z|[+-]\d\d:?\d\d)$/.test(full) ? full : `${full}-08:00`);
  if (Number.isNaN(at)) throw new Refusal(badQuery(`value ${text} is not a valid date`));
  return at / 1000;
}

/** As values of a property are compared: below 0 where the first is less. */
export function compare(path: string, one: unknown, other: unknown): number {
  const [left, right] = [textOf(one), textOf(other)];
  if (left === '' || right === '') return left === right ? 0 : left === '' ? -1 : 1;
  if (isTime(path)) return secondsOf(left) - secondsOf(right);
  if (isDay(path)) return left < right ? -1 : left > right ? 1 : 0;
  if (/^\d+$/.test(left) && /^\d+$/.test(right)) {
    const difference = BigInt(left) - BigInt(right);
    return difference < 0n ? -1 : difference > 0n ? 1 : 0;
  }
  if (left !== '' && right !== '' && !Number.isNaN(Number(left)) && !Number.isNaN(Number(right))) {
    return Number(left) - Number(right);
  }
  const [low, high] = [left.toLowerCase(), right.toLowerCase()];
  return low < high ? -1 : low > high ? 1 : 0;
}

const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : value === undefined || value === null ? '' : JSON.stringify(value);

/** Whether a row fits a condition. */
export function fits(row: Json, { property, operator, values }: Condition): boolean {
  // Tax codes that are none do not say that they are active.
  const found = valueAt(row, property) ?? (property.toLowerCase() === 'active' ? true : undefined);
  const [first = ''] = values;
  const against = (value: string) => compare(property, found, value.trim());
  switch (operator) {
    case 'in':
      return values.some((value) => against(value) === 0);
    case '=':
      return against(first) === 0;
    case '<':
      return against(first) < 0;
    case '<=':
      return against(first) <= 0;
    case '>':
      return against(first) > 0;
    case '>=':
      return against(first) >= 0;
    case 'like': {
      const pattern = first.split('%').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
      return new RegExp(`^${pattern.join('.*')}$`, 'is').test(textOf(found));
    }
    default:
      return operator satisfies never;
  }
}
