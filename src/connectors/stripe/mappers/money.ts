import { sum } from '../../values/decimals.js';
import { fromMinorUnits } from '../../values/minor-units.js';
import { arrayOf, decimalOf, objectOf } from '../../values/platform-values.js';

/** Currencies whose amounts Stripe does not count in hundredths: its own list, in which ISK and UGX are hundredths. */
const DIGITS: ReadonlyMap<string, number> = new Map([
  ...[
    'BIF',
    'CLP',
    'DJF',
    'GNF',
    'JPY',
    'KMF',
    'KRW',
    'MGA',
    'PYG',
    'RWF',
    'VND',
    'VUV',
    'XAF',
    'XOF',
    'XPF',
  ].map((code) => [code, 0] as const),
  ...['BHD', 'JOD', 'KWD', 'OMR', 'TND'].map((code) => [code, 3] as const),
]);

/** An amount in minor units, of which prices have fractions, as a decimal. */
export function amountOf(value: unknown, currency: string | null): string | null {
  const minor = decimalOf(value);
  return minor === null || currency === null ? null : fromMinorUnits(minor, DIGITS.get(currency) ?? 2);
}

/** The sum, in minor units, of the amounts in a list; null without a list, or with an unknown amount. */
export function totalOf(list: unknown): string | null {
  const elements = arrayOf(list);
  return (
    elements?.reduce<string | null>(
      (total, element) => sum(total, decimalOf(objectOf(element)?.['amount'])),
      '0',
    ) ?? null
  );
}
