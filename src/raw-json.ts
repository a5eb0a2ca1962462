import { isSafeNumber, LosslessNumber, parse } from 'lossless-json';

/** No text of ours holds NUL, so this marks the place of a raw value beyond doubt. */
const MARK = '\0raw:';
const PLACE = /"\\u0000raw:(\d+)"/g;

let collected: string[] = [];

/** JSON text as PostgreSQL holds it, passed on without a parse: no digit of a number is lost. */
export class RawJson {
  constructor(readonly text: string) {}

  /** Leaves a mark that `stringifyJson` replaces by the text. */
  toJSON(): string {
    collected.push(this.text);
    return `${MARK}${collected.length - 1}`;
  }
}

/** Whether a JSON text is nested deeper than `most`. */
export function isDeeper(text: string, most: number): boolean {
  return jsonExcess(text, { depth: most, values: Infinity, digits: Infinity }) !== null;
}

/**
 * What a JSON text has more of than it may: depth, values, counted by commas and opening brackets, or digits of one
 * number. None counts inside strings. A fast look before the parse, which takes a hundred times as long, and for the
 * digits of a number the square of their count.
 */
export function jsonExcess(
  text: string,
  most: { readonly depth: number; readonly values: number; readonly digits: number },
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
      if (digits > most.digits) return 'digits';
    } else if (code === 34) quoted = true;
    else if (code === 44) {
      values += 1;
      digits = 0;
    } else if (code === 123 || code === 91) {
      depth += 1;
      values += 1;
      digits = 0;
      if (depth > most.depth) return 'depth';
      if (values > most.values) return 'values';
    } else if (code === 125 || code === 93) depth -= 1;
  }
  return values > most.values ? 'values' : null;
}

/** `JSON.stringify` that puts raw values in as they are. */
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

/** A number that a double may not hold: many digits, or an exponent. In texts it may be found where there is none. */
const LONG_NUMBER = /(?:^|[:,[\s])-?(?:\d[\d.]{15}|\d[\d.]*[eE])/;

/** Whether a JSON text may hold a number that a double does not hold exactly; false is certain. */
export const mayHoldLongNumber = (text: string): boolean => LONG_NUMBER.test(text);

/**
 * `JSON.parse` that loses no digit: a number that a double does not hold exactly becomes a `LosslessNumber`, of which
 * `parseDecimal` takes the digits. Throws SyntaxError.
 */
export function parseJson(text: string): unknown {
  if (!mayHoldLongNumber(text)) return JSON.parse(text);
  return parse(text, undefined, {
    parseNumber: (digits) => (isSafeNumber(digits) ? Number(digits) : new LosslessNumber(digits)),
    // The last one wins, as in JSON.parse.
    onDuplicateKey: ({ newValue }) => newValue,
  });
}
