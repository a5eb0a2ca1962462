import { randomUUID } from 'node:crypto';
import { isSafeNumber, LosslessNumber } from 'lossless-json';

/** Our texts contain no NUL, so this marks the place of a raw value unambiguously. */
const MARK = '\0raw:';
const PLACE = /"\\u0000raw:(\d+)"/g;

let collected: string[] = [];

/** JSON text from PostgreSQL, passed on unparsed: keeps all digits of numbers. */
export class RawJson {
  constructor(readonly text: string) {}

  /** Leaves a mark that `stringifyJson` replaces by the text. */
  toJSON(): string {
    collected.push(this.text);
    return `${MARK}${collected.length - 1}`;
  }
}

/** Whether a JSON text is nested deeper than `most`. */
export function isDeeper(text: string, max: number): boolean {
  return jsonExcess(text, { depth: max, values: Infinity, digits: Infinity }) !== null;
}

/**
 * Which limit a JSON text exceeds: depth, values, counted by commas and opening brackets, or digits of one number.
 * Strings do not count. A fast check before the parse, which takes a hundred times as long, and quadratic time for the
 * digits of a number.
 */
export function jsonExcess(
  text: string,
  max: { readonly depth: number; readonly values: number; readonly digits: number },
): 'depth' | 'values' | 'digits' | null {
  let depth = 0;
  let values = 0;
  let digits = 0;
  let quoted = false;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (quoted) {
      if (code === 92) index += 1;
      else if (code === 34) quoted = false;
    } else if (code >= 48 && code <= 57) {
      digits += 1;
      if (digits > max.digits) return 'digits';
    } else if (code === 34) quoted = true;
    else if (code === 44) {
      values += 1;
      digits = 0;
    } else if (code === 123 || code === 91) {
      depth += 1;
      values += 1;
      digits = 0;
      if (depth > max.depth) return 'depth';
      if (values > max.values) return 'values';
    } else if (code === 125 || code === 93) depth -= 1;
  }
  return values > max.values ? 'values' : null;
}

/** `JSON.stringify` that inserts raw values verbatim. */
export function stringifyJson(value: unknown): string {
  collected = [];
  return withRawValues(JSON.stringify(value));
}

/** The same for a text that `JSON.stringify` has just made. */
export function withRawValues(text: string): string {
  const raws = collected;
  collected = [];
  return raws.length === 0
    ? text
    : text.replace(PLACE, (_whole, place: string) => raws[Number(place)] ?? 'null');
}

/** A number that a double may not hold: many digits, or an exponent. May match inside strings, too. */
const LONG_NUMBER = /(?:^|[:,[\s])-?(?:\d[\d.]{15}|\d[\d.]*[eE])/;

/** Whether a JSON text may hold a number that a double does not hold exactly; false is certain. */
export const mayHoldLongNumber = (text: string): boolean => LONG_NUMBER.test(text);

/**
 * `JSON.parse` that loses no digit: a number that a double does not hold exactly becomes a `LosslessNumber`, of which
 * `parseDecimal` takes the digits. The last of two equal names wins. Throws SyntaxError.
 */
export function parseJson(text: string): unknown {
  return mayHoldLongNumber(text)
    ? parseLossless(text, (digits) => new LosslessNumber(digits))
    : JSON.parse(text);
}

/** Placeholder for a number in a text; unguessable outside this process. */
const NUMBER_MARK = `number ${randomUUID()} `;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const IS_NAME = /\s*:/y;

/**
 * `JSON.parse` that converts each number that a double does not hold exactly by `numberOf`. They are marked in the text
 * before the parse: a parser that builds strings by character takes thirty times a text's memory.
 */
export function parseLossless(text: string, numberOf: (digits: string) => unknown): unknown {
  const { marked, numbers } = markNumbers(text);
  if (numbers.length === 0) return JSON.parse(text);
  try {
    return JSON.parse(marked, (_name, value: unknown) =>
      typeof value === 'string' && value.startsWith(NUMBER_MARK)
        ? numberOf(numbers[Number(value.slice(NUMBER_MARK.length))] ?? '')
        : value,
    );
  } catch (error) {
    // Gives the error for the original text.
    if (error instanceof SyntaxError) JSON.parse(text);
    throw error;
  }
}

function markNumbers(text: string): { readonly marked: string; readonly numbers: readonly string[] } {
  const parts: string[] = [];
  const numbers: string[] = [];
  let from = 0;
  let quoted = false;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (quoted) {
      if (code === 92) index += 1;
      else if (code === 34) quoted = false;
    } else if (code === 34) quoted = true;
    else if (code === 45 || (code >= 48 && code <= 57)) {
      const digits = matchAt(NUMBER, text, index);
      if (digits === null) continue;
      const end = index + digits.length;
      // A number in place of a name is invalid JSON, and must stay so.
      if (!isSafeNumber(digits) && matchAt(IS_NAME, text, end) === null) {
        parts.push(text.slice(from, index), `"${NUMBER_MARK}${numbers.length}"`);
        numbers.push(digits);
        from = end;
      }
      index = end - 1;
    }
  }
  return { marked: parts.join('') + text.slice(from), numbers };
}

function matchAt(pattern: RegExp, text: string, index: number): string | null {
  pattern.lastIndex = index;
  return pattern.exec(text)?.[0] ?? null;
}
