import { fromMinorUnits } from '../../../values/minor-units.js';
import { decimalOf } from '../../../values/platform-values.js';

/** ISO 4217 currencies that do not have two decimals. */
const DECIMALS: ReadonlyMap<string, number> = new Map([
  ...[
    'BIF',
    'CLP',
    'DJF',
    'GNF',
    'ISK',
    'JPY',
    'KMF',
    'KRW',
    'PYG',
    'RWF',
    'UGX',
    'UYI',
    'VND',
    'VUV',
    'XAF',
    'XOF',
    'XPF',
  ].map((code) => [code, 0] as const),
  ...['BHD', 'IQD', 'JOD', 'KWD', 'LYD', 'OMR', 'TND'].map((code) => [code, 3] as const),
  ...['CLF', 'UYW'].map((code) => [code, 4] as const),
]);

const WHOLE = /^-?\d+$/;

/** An amount in whole minor units as a decimal. */
export function amountOf(value: unknown, currency: string | null): string | null {
  const minor = decimalOf(value) ?? '';
  return WHOLE.test(minor) && currency !== null ? fromMinorUnits(minor, DECIMALS.get(currency) ?? 2) : null;
}
