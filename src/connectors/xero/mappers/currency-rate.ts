import { type Lookups, type PlatformObject } from '../../connector.js';
import { inverseRate } from '../../decimals.js';
import { decimalOf, textOf } from '../../platform-values.js';

/**
 * What one of the object's currency is worth in the base currency (Reference 2.3): Xero says it the other way round, and
 * of some objects only where it is not 1.
 */
export function currencyRateOf(object: PlatformObject, { baseCurrency }: Lookups): string | null {
  const rate = decimalOf(object['CurrencyRate']);
  if (rate === null && baseCurrency !== null && textOf(object['CurrencyCode']) === baseCurrency) return '1';
  return inverseRate(rate);
}
