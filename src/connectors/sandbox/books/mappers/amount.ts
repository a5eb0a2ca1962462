import { decimalOf, objectOf, textOf } from '../../../values/platform-values.js';

/** The amount of `{ "Amount": "12.50", "Currency": "EUR" }`. */
export function amountOf(money: unknown): string | null {
  return decimalOf(objectOf(money)?.['Amount']);
}

/** The currency of such an amount, for objects without a currency field. */
export function currencyOf(money: unknown): string | null {
  return textOf(objectOf(money)?.['Currency']);
}
