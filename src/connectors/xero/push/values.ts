import { Decimal } from 'decimal.js';
import { type LosslessNumber } from 'lossless-json';

import { inverseRate } from '../../values/decimals.js';
import { type PlatformObject } from '../../platform.js';
import { positive } from '../../inputs/fields.js';
import { toNumber } from '../../values/json-number.js';
import { isGuid } from '../guid.js';

const RATE_DIGITS = 6;
const HIGHEST_RATE = 1_000_000;

/** A currency rate as we define it, limited so that its inverse at Xero keeps significant digits. */
export const rate = () =>
  positive().refine(
    (value) => new Decimal(value).greaterThan(0) && new Decimal(value).lessThanOrEqualTo(HIGHEST_RATE),
    `must be above 0 and at most ${HIGHEST_RATE}`,
  );

/** Xero's rate is the inverse of ours, with six decimals (Reference 2.3). */
export function toXeroRate(ours: string | undefined): LosslessNumber | undefined {
  const inverse = inverseRate(ours ?? null);
  if (inverse === null) return undefined;
  return toNumber(new Decimal(inverse).toDecimalPlaces(RATE_DIGITS, Decimal.ROUND_HALF_UP).toFixed());
}

/** By id, because bank accounts need not have a code; anything else is sent as a code. */
export function accountReference(id: string | undefined): PlatformObject | undefined {
  if (id === undefined) return undefined;
  return isGuid(id) ? { AccountID: id } : { Code: id };
}
