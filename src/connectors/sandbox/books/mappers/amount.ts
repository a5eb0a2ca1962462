import { decimalOf, objectOf, textOf } from '../../../platform-values.js';

/** The amount of `{ "Amount": "12.50", "Currency": "EUR" }`. */
export function amountOf(money: unknown): string | null {
  return decimalOf(objectOf(money)?.['Amount']);
}

/** Its currency, for what has no currency of its own. */
export function currencyOf(money: unknown): string | null {
  return textOf(objectOf(money)?.['Currency']);
}
