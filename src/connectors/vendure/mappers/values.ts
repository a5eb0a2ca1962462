import { product } from '../../values/decimals.js';
import { type PlatformObject } from '../../platform.js';
import { decimalOf, textOf } from '../../values/platform-values.js';

/** Readers of Vendure's values. */

/** Reads an amount, a whole number of the shop's minor units. Their size is the same for all currencies. */
export type Amounts = (value: unknown) => string | null;

/** A reader for the amounts of an order; all are null if its context has no precision. */
export function amountsOf(order: PlatformObject): Amounts {
  const precision = order['moneyPrecision'];
  if (typeof precision !== 'number') return () => null;
  const unit = precision === 0 ? '1' : `0.${'1'.padStart(precision, '0')}`;
  return (value) => product(decimalOf(value), unit);
}

/** A seller's part of an order. */
export const isOfSeller = ({ type }: PlatformObject): boolean => type === 'Seller';

/** `PaymentSettled` becomes `PAYMENT_SETTLED`. */
export function stateOf(value: unknown): string | null {
  return (
    textOf(value)
      ?.replace(/([a-z\d])([A-Z])/g, '$1_$2')
      .toUpperCase() ?? null
  );
}
