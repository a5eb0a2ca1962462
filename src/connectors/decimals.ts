import { Decimal } from 'decimal.js';

import { MAX_FRACTION, MAX_WHOLE } from '../values.js';
import { MAX_NUMBER_DIGITS } from './platform-json.js';

/**
 * Arithmetic of mappers over decimals as text. An unknown operand makes the result unknown.
 * The precision holds every digit of a sum or product of two values of a mapper.
 */
export const Exact = Decimal.clone({ precision: 4 * MAX_NUMBER_DIGITS });
/** Rates are quotients and must end somewhere: platforms give at most ten significant digits. */
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

/** More than money and prices have: what is left over is lost in no sum. */
const SHARE_DIGITS = 6;

/** What `value` has in the proportion of `part` to `whole`, as of an amount without tax to one with it. */
export function proportional(value: Value, part: Value, whole: Value): Value {
  if (value === null || new Exact(value).isZero()) return value;
  if (part === null || whole === null || new Exact(whole).isZero()) return null;
  const share = new Exact(value).times(part).dividedBy(whole);
  return plain(share.toDecimalPlaces(SHARE_DIGITS, Decimal.ROUND_HALF_UP));
}

/** A rate seen from the other side. Null for a rate of zero, which is none. */
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
 * The decimal as plain text with no more digits than are stored: what is behind them, such as a double's 5.6e-14 for
 * nothing, is rounded, and what has too many before its point is unknown.
 */
export function plain(decimal: Decimal): Value {
  const rounded = decimal.toDecimalPlaces(MAX_FRACTION, Decimal.ROUND_HALF_UP);
  if (rounded.e >= MAX_WHOLE) return null;
  return rounded.isZero() ? '0' : rounded.toFixed();
}
