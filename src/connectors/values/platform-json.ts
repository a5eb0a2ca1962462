import { isLosslessNumber, isSafeNumber, LosslessNumber, parse, splitNumber, stringify } from 'lossless-json';
import { mayHoldLongNumber, parseLossless } from '../../base/raw-json.js';

/** Characters that PostgreSQL rejects in text and jsonb: NUL and unpaired surrogates. */
const UNSTORABLE = /[\0\p{Cs}]/gu;
/** Such a character as an escape sequence in JSON text. */
const ESCAPED = /\\u(?:0000|[dD][89a-fA-F])/;

/** Whether JSON text may contain such a character; most documents do not, and need no walk. */
const isSuspect = (text: string): boolean =>
  !text.isWellFormed() || text.includes('\0') || (text.includes('\\u') && ESCAPED.test(text));

/** Far more than any amount has, and far below the limits of `numeric` and of memory for plain notation. */
export const MAX_NUMBER_DIGITS = 1000;
/** Far deeper than any real object, and far below the depth at which PostgreSQL or the JSON code here overflows its stack. */
const MAX_DEPTH = 500;

/** A longer document that repeats a name counts as altered: telling whether the values differ takes seconds. */
const MAX_REPEATING = 1024 * 1024;

/** Objects that are not exactly what the platform sent. Tracked outside them, since a flag inside would be another change. */
const altered = new WeakSet<object>();

/** Whether something in an object of a parsed document was replaced to make it storable. */
export function wasAltered(object: object): boolean {
  return altered.has(object);
}

/** A copy with added context: values that the platform sent around the object but not in it, such as its parent's id. */
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
  /** Whether something in the document was replaced, or a repeated name overwritten. */
  readonly altered: boolean;
}

/**
 * Parses a platform's JSON without losing digits: numbers that a double cannot hold exactly become `LosslessNumber`s.
 * Characters that cannot be stored become U+FFFD, and so do values nested too deeply; absurdly long numbers become
 * text. Throws for invalid JSON.
 */
export function parsePlatformJson(text: string): ParsedDocument {
  const { colons, depth } = outlineOf(text);
  if (depth > MAX_DEPTH) return parsePlatformJson(shallow(text));
  let oversized = false;
  const value = mayHoldLongNumber(text)
    ? parseLossless(text, (digits) => {
        oversized ||= !isStorable(digits);
        return new LosslessNumber(digits);
      })
    : (JSON.parse(text) as unknown);
  if (countNames(value) !== colons) {
    return text.length > MAX_REPEATING ? storableDocument(value, true) : parseRepeated(text);
  }
  return oversized || isSuspect(text) ? storableDocument(value, false) : { value, altered: false };
}

/** The number of names in all objects of a value. */
function countNames(value: unknown): number {
  if (typeof value !== 'object' || value === null || isLosslessNumber(value)) return 0;
  let names = 0;
  if (Array.isArray(value)) for (const item of value) names += countNames(item);
  else {
    for (const inner of Object.values(value)) names += 1 + countNames(inner);
  }
  return names;
}

/** Counts the colons outside strings in JSON text, one per name, and measures its nesting depth. */
function outlineOf(text: string): { readonly colons: number; readonly depth: number } {
  let colons = 0;
  let open = 0;
  let depth = 0;
  let quoted = false;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (quoted) {
      if (code === 92) index += 1;
      else if (code === 34) quoted = false;
    } else if (code === 34) quoted = true;
    else if (code === 58) colons += 1;
    else if (code === 123 || code === 91) {
      open += 1;
      if (open > depth) depth = open;
    } else if (code === 125 || code === 93) open -= 1;
  }
  return { colons, depth };
}

/** Replaces everything nested too deeply by a character that cannot be stored. Throws for invalid JSON. */
function shallow(text: string): string {
  JSON.parse(text);
  let kept = '';
  let from = 0;
  let open = 0;
  for (const { 0: token, index } of text.matchAll(/"[^"\\]*(?:\\.[^"\\]*)*"|[[{}\]]/g)) {
    if (token === '[' || token === '{') {
      open += 1;
      if (open === MAX_DEPTH + 1) kept += `${text.slice(from, index)}"\\u0000"`;
    } else if (token === ']' || token === '}') {
      if (open === MAX_DEPTH + 1) from = index + 1;
      open -= 1;
    }
  }
  return kept + text.slice(from);
}

/** Parses a document in which an object repeats a name; only this slower parser tells whether the two values differ. */
function parseRepeated(text: string): ParsedDocument {
  let repeated = false;
  const value = parse(text, undefined, {
    parseNumber: (digits) => (isSafeNumber(digits) ? Number.parseFloat(digits) : new LosslessNumber(digits)),
    // The last value wins, as in JSON.parse and jsonb.
    onDuplicateKey: ({ newValue }) => {
      repeated = true;
      return newValue;
    },
  });
  return storableDocument(value, repeated);
}

function storableDocument(value: unknown, repeated: boolean): ParsedDocument {
  const storable = toStorable(value);
  return { value: storable.value, altered: repeated || storable.changed };
}

/** Part of what JSON.stringify writes for a `LosslessNumber`. */
const OF_LOSSLESS = '"isLosslessNumber":true';

/** JSON text of a platform's value; a `LosslessNumber` keeps all its digits. */
export function stringifyPlatformJson(value: unknown): string {
  const plain = JSON.stringify(value) as string | undefined;
  const text = plain?.includes(OF_LOSSLESS) ? stringify(value) : plain;
  if (text === undefined) throw new TypeError('only a JSON value can be written as JSON');
  return text;
}

/** Matches characters that PostgreSQL cannot store, and numbers that its `numeric` cannot hold. */
const SUSPECT = /\\u0000|\\ud[89a-f]|\d[eE][+-]?\d{4}|\d{1000}/i;

/** JSON text of any value, with everything that cannot be stored replaced. */
export function storableJson(value: unknown): string {
  const text = stringifyPlatformJson(value);
  return SUSPECT.test(text) ? stringifyPlatformJson(parsePlatformJson(text).value) : text;
}

/** Whether a JSON value can be stored unchanged. */
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
  // fromEntries defines properties, so a key `__proto__` stays an ordinary one.
  const value = Object.fromEntries(entries);
  if (changed) altered.add(value);
  return { value, changed };
}

function isStorable(digits: string): boolean {
  if (digits.length > MAX_NUMBER_DIGITS) return false;
  return Math.abs(splitNumber(digits).exponent) <= MAX_NUMBER_DIGITS;
}
