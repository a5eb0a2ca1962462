import { Decimal } from 'decimal.js';
import { isLosslessNumber } from 'lossless-json';

import { missing, Refusal, unreadable, wrongLength } from '../problems.js';

/** An object of a request. */
export type Body = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is Body =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !isLosslessNumber(value);

/** A text of at most so many characters; an empty one is none. */
export function textIn(body: Body, name: string, max = 4000): string | null {
  const value = body[name];
  if (value === undefined || value === null || value === '') return null;
  if (typeof value !== 'string') throw new Refusal(unreadable(name));
  if (value.length > max) throw new Refusal(wrongLength(name, max, value.length));
  return value;
}

export function neededText(body: Body, name: string, max?: number): string {
  const text = textIn(body, name, max);
  if (text === null) throw new Refusal(missing(name));
  return text;
}

/** Only a JSON number is one. */
export function numberIn(body: Body, name: string): Decimal | null {
  const value = body[name];
  if (value === undefined || value === null) return null;
  if (isLosslessNumber(value)) return new Decimal(value.value);
  if (typeof value === 'number') return new Decimal(value);
  throw new Refusal(unreadable(name));
}

export function flagIn(body: Body, name: string): boolean | null {
  const value = body[name];
  if (value === undefined || value === null) return null;
  if (typeof value !== 'boolean') throw new Refusal(unreadable(name));
  return value;
}

export function dayIn(body: Body, name: string): string | null {
  const text = textIn(body, name);
  if (text !== null && !/^\d{4}-\d\d-\d\d$/.test(text)) throw new Refusal(unreadable(name));
  return text;
}

export function objectIn(body: Body, name: string): Body | null {
  const value = body[name];
  if (value === undefined || value === null) return null;
  if (!isObject(value)) throw new Refusal(unreadable(name));
  return value;
}

export function listIn(body: Body, name: string): readonly Body[] {
  const value = body[name];
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value) || !value.every(isObject)) throw new Refusal(unreadable(name));
  return value;
}

/** What a reference names. */
export function refIn(body: Body, name: string): string | null {
  const reference = objectIn(body, name);
  return reference && textIn(reference, 'value');
}
