import { Decimal } from 'decimal.js';
import { isLosslessNumber } from 'lossless-json';

import { type Answer } from '../../fault-proxy.js';
import { type Kept } from '../domain.js';
import { refused } from '../problems.js';

/** An object of a request. */
export type Body = Readonly<Record<string, unknown>>;

/** A write that Zoho does not carry out. */
export class Refusal extends Error {
  constructor(readonly answer: Answer) {
    super('refused');
  }
}

export const refuse = (code: number, message: string): never => {
  throw new Refusal(refused(code, message));
};

const isObject = (value: unknown): value is Body =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !isLosslessNumber(value);

export const bodyIn = (value: unknown): Body =>
  isObject(value) ? value : refuse(4, 'Invalid JSON format for the passed JSON string');

/** A text of at most so many characters; an empty one where there is none. */
export function textIn(body: Body, name: string, max = 4000): string {
  const value = body[name];
  if (value === undefined || value === null) return '';
  if (typeof value !== 'string') return refuse(2, `Invalid value passed for ${name}`);
  if (value.length > max) refuse(15, `Please ensure that the ${name} has less than ${max} characters.`);
  return value;
}

export function numberIn(body: Body, name: string): Decimal | null {
  const value = body[name];
  if (value === undefined || value === null) return null;
  if (isLosslessNumber(value)) return new Decimal(value.value);
  if (typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value)) return new Decimal(value);
  return refuse(2, `Invalid value passed for ${name}`);
}

export function dayIn(body: Body, name: string): string {
  const day = textIn(body, name);
  if (day !== '' && !/^\d{4}-\d\d-\d\d$/.test(day)) refuse(2, `Invalid value passed for ${name}`);
  return day;
}

export function objectIn(body: Body, name: string): Body | null {
  const value = body[name];
  if (value === undefined || value === null) return null;
  return isObject(value) ? value : refuse(2, `Invalid value passed for ${name}`);
}

export function listIn(body: Body, name: string): readonly Body[] {
  const value = body[name];
  if (value === undefined || value === null) return [];
  return Array.isArray(value) && value.every(isObject)
    ? value
    : refuse(2, `Invalid value passed for ${name}`);
}

/** What an id names, which must be there and in use; null if there is no id. */
export function namedIn<Object extends Kept>(
  shelf: readonly Object[],
  body: Body,
  name: string,
): Object | null {
  const id = textIn(body, name);
  if (id === '') return null;
  const found = shelf.find((one) => one.id === id);
  if (!found) return refuse(2, `Invalid value passed for ${name}`);
  if ('isActive' in found && found.isActive === false) refuse(1004, `The ${name} is of what is inactive.`);
  return found;
}
