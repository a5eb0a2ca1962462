import { AppError, type FieldPath, invalid, type Path, pathOf, writePath } from '../../errors.js';
import { parseText } from '../../base/values.js';

/** Reads a value that a caller sent; throws `invalid-params` that names `field`. Adds what it does not know to `ignored`. */
export type Parser<Value> = (value: unknown, field: FieldPath, ignored?: string[]) => Value;

/** The fields of a JSON object that a caller sent. Null counts as absent unless stated otherwise. */
export interface BodyFields {
  required<Value>(name: string, parse: Parser<Value>): Value;
  optional<Value>(name: string, parse: Parser<Value>): Value | undefined;
  /** Null stays null: it clears the field. */
  nullable<Value>(name: string, parse: Parser<Value>): Value | null | undefined;
  /** Names of fields that nothing read, including nested ones. */
  ignored(): string[];
}

/** Any JSON object. */
export function parseObject(value: unknown, field: FieldPath): Readonly<Record<string, unknown>> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return value as Record<string, unknown>;
  }
  throw invalid(field, 'must be a JSON object');
}

/** Throws `missing-params` for the first absent field of `needed`, before any is checked. */
export function readBody(body: unknown, needed: readonly string[] = [], path: Path = []): BodyFields {
  const values = new Map(Object.entries(parseObject(body, path.length === 0 ? 'body' : path)));
  const known = new Set<string>(needed);
  const within: string[] = [];
  const missing = needed.find((name) => values.get(name) == null);
  if (missing !== undefined) {
    throw new AppError('missing-params', `Required fields: ${needed.join(', ')}`, [...path, missing]);
  }
  const nullable: BodyFields['nullable'] = (name, parse) => {
    known.add(name);
    const value = values.get(name);
    return value == null ? value : parse(value, [...path, name], within);
  };
  return {
    nullable,
    optional: (name, parse) => nullable(name, parse) ?? undefined,
    required: (name, parse) => parse(values.get(name), [...path, name], within),
    ignored: () => {
      const unknown = [...values.keys()].filter((name) => !known.has(name));
      return [...unknown.map((name) => writePath([...path, name])), ...within];
    },
  };
}

/** Maximum length of a list of names. */
const MAX_ITEMS = 1000;

export const listOf =
  <Value>(parse: Parser<Value>): Parser<Value[]> =>
  (value, field, ignored) => {
    if (!Array.isArray(value)) throw invalid(field, 'must be a list');
    if (value.length > MAX_ITEMS) {
      throw invalid(field, `accepts at most ${MAX_ITEMS} items, got ${value.length}`);
    }
    return value.map((item, index) => parse(item, [...pathOf(field), index], ignored));
  };

export const textList = listOf(parseText);

export const whole: Parser<number> = (value, field) => {
  if (typeof value === 'number' && Number.isInteger(value) && Math.abs(value) < 2 ** 31) return value;
  throw invalid(field, 'must be a whole number');
};

/** A whole number in limits, as a number or as its digits. */
export const between =
  (min: number, max: number): Parser<number> =>
  (value, field) => {
    const size = typeof value === 'string' && /^-?\d{1,12}$/.test(value) ? Number(value) : value;
    if (typeof size === 'number' && Number.isInteger(size) && size >= min && size <= max) return size;
    const isWhole = Number.isInteger(size) || /^-?\d+$/.test(String(value));
    const what = isWhole ? 'must be' : 'must be a whole number';
    throw invalid(field, `${what} between ${min} and ${max}, got ${String(value).slice(0, 40)}`);
  };
