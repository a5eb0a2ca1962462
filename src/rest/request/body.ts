import { AppError, invalid } from '../../errors.js';
import { parseText } from '../../values.js';

/** Reads a value that a caller sent; throws `invalid-params` that names `field`. */
export type Parser<Value> = (value: unknown, field: string) => Value;

/** The fields of a JSON object that a caller sent. Null is as absent where nothing else is said. */
export interface BodyFields {
  required<Value>(name: string, parse: Parser<Value>): Value;
  optional<Value>(name: string, parse: Parser<Value>): Value | undefined;
  /** Null stays null: it removes what stands there. */
  nullable<Value>(name: string, parse: Parser<Value>): Value | null | undefined;
  /** What nobody asked for. */
  ignored(): string[];
}

/** Throws `missing-params` for the first field of `needed` that is absent, before any is looked at. */
export function readBody(body: unknown, needed: readonly string[] = [], path = ''): BodyFields {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw invalid(path || 'body', `${path || 'the body'} must be a JSON object`);
  }
  const values = new Map<string, unknown>(Object.entries(body));
  const pathOf = (name: string) => (path === '' ? name : `${path}.${name}`);
  const known = new Set<string>(needed);
  const missing = needed.find((name) => values.get(name) == null);
  if (missing !== undefined) {
    const message = `Missing required field: ${pathOf(missing)}. What is needed: ${needed.join(', ')}`;
    throw new AppError('missing-params', message, pathOf(missing));
  }
  const nullable: BodyFields['nullable'] = (name, parse) => {
    known.add(name);
    const value = values.get(name);
    return value == null ? value : parse(value, pathOf(name));
  };
  return {
    nullable,
    optional: (name, parse) => nullable(name, parse) ?? undefined,
    required: (name, parse) => parse(values.get(name), pathOf(name)),
    ignored: () => [...values.keys()].filter((name) => !known.has(name)),
  };
}

/** Longer lists are no list of names. */
const MOST_ITEMS = 1000;

export const listOf =
  <Value>(parse: Parser<Value>): Parser<Value[]> =>
  (value, field) => {
    if (!Array.isArray(value)) throw invalid(field, `${field} must be a list`);
    if (value.length > MOST_ITEMS)
      throw invalid(field, `${field} takes at most ${MOST_ITEMS} items, got ${value.length}`);
    return value.map((item, index) => parse(item, `${field}[${index}]`));
  };

export const textList = listOf(parseText);

export const whole: Parser<number> = (value, field) => {
  if (typeof value === 'number' && Number.isInteger(value) && Math.abs(value) < 2 ** 31) return value;
  throw invalid(field, `${field} must be a whole number`);
};
