import { type PlatformObject } from '../../platform.js';
import { type Lookups } from '../../pull.js';
import { inverseRate } from '../../values/decimals.js';
import { decimalOf, textOf } from '../../values/platform-values.js';

/**
 * Base units per unit of the object's currency (Reference 2.3). Xero sends the inverse rate, and for some objects omits
 * it when it is 1.
 */
export function currencyRateOf(object: PlatformObject, { baseCurrency }: Lookups): string | null {
  const rate = decimalOf(object['CurrencyRate']);
  if (rate === null && baseCurrency !== null && textOf(object['CurrencyCode']) === baseCurrency) return '1';
  return inverseRate(rate);
}
