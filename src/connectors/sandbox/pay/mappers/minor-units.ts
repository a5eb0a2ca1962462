import { decimalOf, textOf } from '../../../platform-values.js';

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

const WHOLE = /^(-?)(\d+)$/;

/** ISO code; Pay uses lower case. */
export function currencyOf(value: unknown): string | null {
  return textOf(value)?.toUpperCase() ?? null;
}

/** An amount in minor units as a decimal: only the decimal point moves, so no digit can change. */
export function amountOf(value: unknown, currency: string | null): string | null {
  const whole = WHOLE.exec(decimalOf(value) ?? '');
  if (!whole || currency === null) return null;
  const decimals = DECIMALS.get(currency) ?? 2;
  const [, sign = '', digits = ''] = whole;
  if (decimals === 0) return sign + digits;
  const padded = digits.padStart(decimals + 1, '0');
  return `${sign}${padded.slice(0, -decimals)}.${padded.slice(-decimals)}`;
}
