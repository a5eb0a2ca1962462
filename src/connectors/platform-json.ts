import { isLosslessNumber, isSafeNumber, LosslessNumber, parse, splitNumber, stringify } from 'lossless-json';

/** What PostgreSQL refuses in text and jsonb: NUL, and halves of a surrogate pair. */
const UNSTORABLE = /[\0\p{Cs}]/gu;
/** Where such a character may hide in JSON text, escaped or not: most documents have none and need no walk. */
const SUSPECT = /\\u0000|\\u[dD][89a-fA-F]|[\0\p{Cs}]/u;

/** Far beyond any amount, and far below where `numeric` ends and a plain notation fills the memory. */
export const MAX_NUMBER_DIGITS = 1000;

/** Objects that are not exactly what the platform sent. Kept beside them: a mark inside would be one more change. */
const altered = new WeakSet<object>();

/** True for an object of a parsed document in which something had to be replaced to make it storable. */
export function wasAltered(object: object): boolean {
  return altered.has(object);
}

/** A copy that also says what the platform said around the object and not in it, such as whose part it is. */
export function withContext(
  object: Readonly<Record<string, unknown>>,
  context: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const copy = { ...object, ...context };
  if (altered.has(object)) altered.add(copy);
  return copy;
}

interface ParsedDocument {
  readonly value: unknown;
  /** Something anywhere in the document had to be replaced. */
  readonly altered: boolean;
}

/**
 * Reads a platform's JSON without losing digits: a number that a double does not hold exactly becomes a
 * `LosslessNumber`. Characters that cannot be stored become U+FFFD, absurdly long numbers become their text.
 * Throws for text that is no JSON.
 */
export function parsePlatformJson(text: string): ParsedDocument {
  let repeated = false;
  let oversized = false;
  const value = parse(text, undefined, {
    parseNumber: (digits) => {
      if (isSafeNumber(digits)) return Number.parseFloat(digits);
      oversized ||= !isStorable(digits);
      return new LosslessNumber(digits);
    },
    // The last one wins, as in JSON.parse and jsonb.
    onDuplicateKey: ({ newValue }) => {
      repeated = true;
      return newValue;
    },
  });
  if (!oversized && !SUSPECT.test(text)) return { value, altered: repeated };
  const storable = toStorable(value);
  return { value: storable.value, altered: repeated || storable.changed };
}

/** JSON text of a platform's value; a `LosslessNumber` is written with its own digits. */
export function stringifyPlatformJson(value: unknown): string {
  const text = stringify(value);
  if (text === undefined) throw new TypeError('only a JSON value can be written as JSON');
  return text;
}

/** Whether nothing in a JSON value would have to be replaced to store it. */
export function isStorableJson(value: unknown): boolean {
  return !toStorable(value).changed;
}

interface Storable {
  readonly value: unknown;
  readonly changed: boolean;
}

function toStorable(value: unknown): Storable {
  if (typeof value === 'string') {
    const storable = value.replace(UNSTORABLE, '\u{FFFD}');
    return { value: storable, changed: storable !== value };
  }
  if (isLosslessNumber(value)) {
    return isStorable(value.value) ? { value, changed: false } : { value: value.value, changed: true };
  }
  if (Array.isArray(value)) return arrayToStorable(value);
  if (typeof value === 'object' && value !== null) return objectToStorable(value);
  return { value, changed: false };
}

function arrayToStorable(array: readonly unknown[]): Storable {
  const items = array.map(toStorable);
  return { value: items.map((item) => item.value), changed: items.some((item) => item.changed) };
}

function objectToStorable(object: object): Storable {
  let changed = false;
  const entries = Object.entries(object).map(([key, inner]) => {
    const storableKey = key.replace(UNSTORABLE, '\u{FFFD}');
    const storable = toStorable(inner);
    changed ||= storable.changed || storableKey !== key;
    return [storableKey, storable.value] as const;
  });
  // fromEntries defines properties, so that a key `__proto__` stays an ordinary one.
  const value = Object.fromEntries(entries);
  if (changed) altered.add(value);
  return { value, changed };
}

function isStorable(digits: string): boolean {
  if (digits.length > MAX_NUMBER_DIGITS) return false;
  return Math.abs(splitNumber(digits).exponent) <= MAX_NUMBER_DIGITS;
}
