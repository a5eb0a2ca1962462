import { isLosslessNumber } from 'lossless-json';

import { type FieldPath, invalid } from '../errors.js';

/**
 * Parsers from the forms that callers and platforms may write to the one internal text form. Every function throws
 * AppError `invalid-params` with `field` and what would be right.
 */

/** svc_ids are JSON numbers on the wire: below 2^53. */
export function parseSvcId(value: unknown, field: FieldPath): number {
  const id = typeof value === 'string' && /^\d{1,16}$/.test(value) ? Number(value) : value;
  if (typeof id === 'number' && Number.isSafeInteger(id) && id >= 0) return id;
  throw invalid(field, `must be a whole number from 0 to ${Number.MAX_SAFE_INTEGER}`);
}

/** A JSON number, or one that a double does not hold (see `parseJson`). */
const isNumber = (value: unknown): boolean =>
  typeof value === 'number' ? Number.isFinite(value) : isLosslessNumber(value);

const DECIMAL = /^([+-]?)(\d{1,60})(?:\.(\d{1,60}))?(?:e([+-]?\d{1,2}))?$/i;
const NUMERAL = /^[+-]?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i;
/** Maximum digits of a decimal before and after the point. */
export const MAX_WHOLE = 40;
export const MAX_FRACTION = 20;
const TOO_LONG = `must be a decimal of at most ${MAX_WHOLE} digits before and ${MAX_FRACTION} after the point`;

/**
 * A decimal as plain text, `-12.50`: up to 40 digits before and 20 after the point. It may be written with an exponent,
 * as JSON writes small numbers (`5e-7`), but is never returned with one.
 */
export function parseDecimal(value: unknown, field: FieldPath): string {
  const text = isNumber(value) ? String(value) : value;
  const match = typeof text === 'string' ? DECIMAL.exec(text) : null;
  const [, sign, whole = '', fraction = '', exponent] = match ?? [];
  const places = Math.max(0, fraction.length - Number(exponent ?? 0));
  const digits = (whole + fraction)
    .padEnd(whole.length + Number(exponent ?? 0), '0')
    .padStart(places + 1, '0');
  const point = digits.length - places;
  const before = digits.slice(0, point).replace(/^0+(?=\d)/, '');
  if (!match || before.length > MAX_WHOLE || places > MAX_FRACTION) {
    const isLong = typeof text === 'string' && NUMERAL.test(text);
    throw invalid(field, isLong ? TOO_LONG : 'must be a decimal such as 12.50');
  }
  return `${sign === '-' ? '-' : ''}${before}${places === 0 ? '' : `.${digits.slice(point)}`}`;
}

const DATE = /^(\d{4})-(\d{2})-(\d{2})$/;
const DATE_TIME =
  /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?(Z|[+-]\d{2}:?\d{2})?)?$/i;

export function isDay(text: string): boolean {
  const match = DATE.exec(text);
  if (!match || match[1] === '0000') return false;
  const day = new Date(`${text}T00:00:00.000Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text);
}

/** An instant as `YYYY-MM-DDTHH:MM:SS.mmmZ`. A date alone is its midnight, a time without a zone is UTC. */
export function parseDateTime(value: unknown, field: FieldPath): string {
  if (typeof value === 'string' && isCanonicalTime(value)) return value;
  const match = typeof value === 'string' ? DATE_TIME.exec(value) : null;
  if (!match || !isDay(match[1] ?? '')) throw noDateTime(value, field);
  const instant = instantOf(match);
  const year = instant.getUTCFullYear();
  if (Number.isNaN(instant.getTime()) || year < 1 || year > 9999) throw noDateTime(value, field);
  return instant.toISOString();
}

/** The instant of a match of `DATE_TIME`; an invalid date if there is no such time. */
function instantOf(match: readonly (string | undefined)[]): Date {
  const [, day, hour = '00', minute = '00', second = '00', fraction = '', zone = 'Z'] = match;
  const offset = zone.toUpperCase() === 'Z' ? 'Z' : `${zone.slice(0, 3)}:${zone.slice(-2)}`;
  return new Date(`${day}T${hour}:${minute}:${second}.${fraction.slice(0, 3).padEnd(3, '0')}${offset}`);
}

const noDateTime = (value: unknown, field: FieldPath) =>
  invalid(
    field,
    `must be an ISO 8601 date-time such as 2026-11-21T10:30:00.000Z${isPlusLost(value) ? PLUS_LOST : ''}`,
  );

const PLUS_LOST = ': before its offset is a space, as of a + in a URL that is not written %2B';

function isPlusLost(value: unknown): boolean {
  if (typeof value !== 'string') return false;
  const mended = value.replace(/ (?=\d{2}:?\d{2}$)/, '+');
  return mended !== value && DATE_TIME.test(mended);
}

const CANONICAL_LENGTH = '2026-11-21T10:30:00.000Z'.length;

/** Whether it already has the form of `parseDateTime`, as most times from mappers do. */
function isCanonicalTime(text: string): boolean {
  if (text.length !== CANONICAL_LENGTH || text.startsWith('0000')) return false;
  const instant = new Date(text);
  return !Number.isNaN(instant.getTime()) && instant.toISOString() === text;
}

/** A calendar day as `YYYY-MM-DD`. A date-time keeps the day as written: calendar days are never shifted. */
export function parseDate(value: unknown, field: FieldPath): string {
  const match = typeof value === 'string' ? DATE_TIME.exec(value) : null;
  const [, day, hour] = match ?? [];
  const isTime = !match || hour === undefined || !Number.isNaN(instantOf(match).getTime());
  if (day !== undefined && isDay(day) && isTime) return day;
  throw invalid(field, `must be a date such as 2026-11-21${isPlusLost(value) ? PLUS_LOST : ''}`);
}

/**
 * An operand for calendar days: a day, `YYYY-MM-DD`, or an instant other than midnight in the form of `parseDateTime`.
 * A day is shown as the instant of its midnight in UTC, so both are compared as instants.
 */
export function parseDayOrTime(value: unknown, field: FieldPath): string {
  const day = parseDate(value, field);
  if (value === day) return day;
  const instant = parseDateTime(value, field);
  return instant.endsWith(MIDNIGHT) ? instant.slice(0, -MIDNIGHT.length) : instant;
}

const MIDNIGHT = 'T00:00:00.000Z';

/** Accepts text in any case: some clients write it as their language does. */
export function parseBoolean(value: unknown, field: FieldPath): boolean {
  if (typeof value === 'boolean') return value;
  const word = typeof value === 'string' ? value.toLowerCase() : undefined;
  if (word === 'true' || word === 'false') return word === 'true';
  throw invalid(field, 'must be true or false');
}

/** One of these words, case-insensitive. */
export function parseChoice(choices: readonly string[], value: unknown, field: FieldPath): string {
  const found = typeof value === 'string' ? choices.find((one) => one === value.toUpperCase()) : undefined;
  if (found !== undefined) return found;
  throw invalid(field, `must be one of ${choices.join(', ')}`);
}

/** PostgreSQL cannot store NUL or lone surrogates. */
export function parseText(value: unknown, field: FieldPath): string {
  if (typeof value !== 'string') throw invalid(field, 'must be a string');
  if (value.includes('\0')) throw invalid(field, 'must not hold a NUL character');
  if (!value.isWellFormed()) throw invalid(field, 'must not hold half a surrogate pair');
  return value;
}

/** A line of text without control characters, trimmed. */
export function parseLine(value: unknown, field: FieldPath, max: number): string {
  const line = parseText(value, field).trim();
  if (line.length >= 1 && line.length <= max && !/\p{Cc}/u.test(line)) return line;
  throw invalid(field, `must be one line of 1 to ${max} characters`);
}

/** A name that people give to something. */
export const parseName = (value: unknown, field: FieldPath): string => parseLine(value, field, 200);

/** Whether a `Host` names this machine itself: a web page whose name resolves to it (DNS rebinding) has another one. */
export const isLoopbackHost = (host: string | undefined): boolean =>
  /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/i.test(host ?? '');
