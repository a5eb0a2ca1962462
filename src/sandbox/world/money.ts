import { Decimal } from 'decimal.js';

export const ZERO = new Decimal(0);

/** An amount as records hold it: text with two decimals. */
export const money = (amount: Decimal): string => amount.toFixed(2);

/** Rounds to cents, so that the parts of a split amount add up again. */
export const cents = (amount: Decimal): Decimal => amount.toDecimalPlaces(2);

export const sum = (amounts: readonly Decimal.Value[]): Decimal =>
  amounts.reduce<Decimal>((total, amount) => total.plus(amount), ZERO);
