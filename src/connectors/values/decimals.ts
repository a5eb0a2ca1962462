import { Decimal } from 'decimal.js';

import { MAX_FRACTION, MAX_WHOLE } from '../../base/values.js';
import { MAX_NUMBER_DIGITS } from './platform-json.js';

/**
 * Arithmetic for mappers on decimals as text; an unknown operand makes the result unknown. The precision keeps every
 * digit of a sum or product of two values.
 */
export const Exact = Decimal.clone({ precision: 4 * MAX_NUMBER_DIGITS });
/** Rates are quotients, so their digits need a limit: platforms send at most ten significant ones. */
const Rate = Decimal.clone({ precision: 15, rounding: Decimal.ROUND_HALF_UP });

type Value = string | null;

export function sum(left: Value, right: Value): Value {
  return left === null || right === null ? null : plain(new Exact(left).plus(right));
}

export function difference(left: Value, right: Value): Value {
  return left === null || right === null ? null : plain(new Exact(left).minus(right));
}

export function product(...factors: readonly Value[]): Value {
  let result = new Exact(1);
  for (const factor of factors) {
    if (factor === null) return null;
    result = result.times(factor);
  }
  return plain(result);
}

export function whole(value: Value): Value {
  return value === null ? null : plain(new Exact(value).toDecimalPlaces(0, Decimal.ROUND_HALF_UP));
}

/** More decimals than money and prices have, so that no sum is off by the rounding. */
const SHARE_DIGITS = 6;

/** `value` scaled by `part` / `whole`, for example from an amount with tax to one without. */
export function proportional(value: Value, part: Value, whole: Value): Value {
  if (value === null || new Exact(value).isZero()) return value;
  if (part === null || whole === null || new Exact(whole).isZero()) return null;
  const share = new Exact(value).times(part).dividedBy(whole);
  return plain(share.toDecimalPlaces(SHARE_DIGITS, Decimal.ROUND_HALF_UP));
}

/** The inverse of an exchange rate; null for zero. */
export function inverseRate(rate: Value): Value {
  if (rate === null || new Rate(rate).isZero()) return null;
  return plain(new Rate(1).dividedBy(rate));
}

export function absolute(value: Value): Value {
  return value === null ? null : plain(new Exact(value).abs());
}

export function opposite(value: Value): Value {
  return value === null ? null : plain(new Exact(value).negated());
}

export function isZero(value: Value): boolean {
  return value !== null && new Exact(value).isZero();
}

export function isPositive(value: Value): boolean {
  return value !== null && new Exact(value).greaterThan(0);
}

export function isNegative(value: Value): boolean {
  return value !== null && new Exact(value).lessThan(0);
}

/**
 * Plain text with no more digits than are stored: excess decimals, such as a double's 5.6e-14 for zero, are rounded,
 * and a number with too many whole digits is unknown.
 */
export function plain(decimal: Decimal): Value {
  const rounded = decimal.toDecimalPlaces(MAX_FRACTION, Decimal.ROUND_HALF_UP);
  if (rounded.e >= MAX_WHOLE) return null;
  return rounded.isZero() ? '0' : rounded.toFixed();
}
