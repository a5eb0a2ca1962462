import { InvalidArgumentError } from 'commander';
import { AppError } from '../errors.js';
import { KEY_SCOPES, type KeyScope } from '../operations/keys/api-keys.js';
import { parseDateTime, parseName, parseSvcId } from '../base/values.js';

/** Argument parsers; commander adds the option and its value to their messages. */

export function nameArgument(text: string): string {
  return asArgument(() => parseName(text, 'it'));
}

export function scopesArgument(text: string): KeyScope[] {
  const scopes = items(text).map((item) => {
    const scope = KEY_SCOPES.find((one) => one === item);
    if (scope) return scope;
    throw new InvalidArgumentError(`there is no scope "${item}"; there are ${KEY_SCOPES.join(', ')}`);
  });
  if (scopes.length > 0) return [...new Set(scopes)];
  throw new InvalidArgumentError(`it must name one or more scopes of ${KEY_SCOPES.join(', ')}`);
}

export function companiesArgument(text: string): number[] {
  const ids = items(text).map((item) => asArgument(() => parseSvcId(item, 'each company')));
  if (ids.length > 0) return [...new Set(ids)];
  throw new InvalidArgumentError('it must be the svc_ids of one or more companies, such as 12,15');
}

export function svcIdArgument(text: string): number {
  return asArgument(() => parseSvcId(text, 'it'));
}

export function expiryArgument(text: string): Date {
  let time: Date;
  try {
    time = new Date(parseDateTime(text, 'it'));
  } catch {
    throw new InvalidArgumentError('it must be a date such as 2027-01-31, or 2027-01-31T18:00:00Z');
  }
  if (time.getTime() > Date.now()) return time;
  throw new InvalidArgumentError(`it must be in the future, but ${time.toISOString()} is past`);
}

export const wholeNumberArgument =
  (min: number, max: number) =>
  (text: string): number => {
    const value = /^\d{1,10}$/.test(text) ? Number(text) : NaN;
    if (value >= min && value <= max) return value;
    throw new InvalidArgumentError(`it must be a whole number from ${min} to ${max}`);
  };

export const portArgument = wholeNumberArgument(1, 65_535);

/** Items of a comma-separated list. */
export function items(text: string): string[] {
  return text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
}

function asArgument<Value>(parse: () => Value): Value {
  try {
    return parse();
  } catch (error) {
    throw error instanceof AppError ? new InvalidArgumentError(error.message) : error;
  }
}
