import { Decimal } from 'decimal.js';
import { isLosslessNumber } from 'lossless-json';

/** One object of a body, with what is wrong with it. */
export type Body = Readonly<Record<string, unknown>>;

/** Notes what Xero would say of an object, and of its lines. */
export class Complaints {
  readonly ofWhole: string[] = [];
  readonly ofLines = new Map<number, string[]>();

  add(message: string): void {
    this.ofWhole.push(message);
  }

  /** Of a line it is said twice: there, and of the whole. */
  addToLine(index: number, message: string): void {
    this.ofLines.set(index, [...(this.ofLines.get(index) ?? []), message]);
    this.add(message);
  }

  get isEmpty(): boolean {
    return this.ofWhole.length === 0;
  }
}

/** What Xero cannot read at all. */
export class BadPost extends Error {}

export const isObject = (value: unknown): value is Body =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !isLosslessNumber(value);

export function textIn(body: Body, name: string): string | undefined {
  const value = body[name];
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'string') return value;
  throw new BadPost(`${name} must be text`);
}

/** Only a JSON number is one: text would be rounded on its way by others. */
export function numberIn(body: Body, name: string): Decimal | undefined {
  const value = body[name];
  if (value === undefined || value === null) return undefined;
  if (isLosslessNumber(value)) return new Decimal(value.value);
  throw new BadPost(`JSON for post data was invalid: ${name} must be a number`);
}

export function flagIn(body: Body, name: string): boolean | undefined {
  const value = body[name];
  if (value === undefined || typeof value === 'boolean') return value;
  throw new BadPost(`${name} must be true or false`);
}

export function dayIn(body: Body, name: string): string | undefined {
  const text = textIn(body, name);
  if (text !== undefined && !/^\d{4}-\d\d-\d\d$/.test(text)) throw new BadPost(`${name} must be YYYY-MM-DD`);
  return text;
}

export function objectIn(body: Body, name: string): Body | undefined {
  const value = body[name];
  if (value === undefined || value === null) return undefined;
  if (isObject(value)) return value;
  throw new BadPost(`${name} must be an object`);
}

export function listIn(body: Body, name: string): readonly Body[] | undefined {
  const value = body[name];
  if (value === undefined || value === null) return undefined;
  if (Array.isArray(value) && value.every(isObject)) return value;
  throw new BadPost(`${name} must be a list`);
}
