import { type UnifiedLine, type UnifiedRecord } from '../../../../src/connectors/pull.js';

/** Stripe's own list: ISK and UGX have no smaller unit, and are counted in hundredths. */
const WHOLE = 'BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF'.split(' ');
const THOUSANDTHS = 'BHD JOD KWD OMR TND'.split(' ');

const digitsOf = (currency: string): number => {
  const code = currency.toUpperCase();
  if (WHOLE.includes(code)) return 0;
  return THOUSANDTHS.includes(code) ? 3 : 2;
};

/** Minor units, as a number or a decimal of them, as what they are worth; further digits stay. */
export function amountOf(minor: number | string | null, currency: string): string | null {
  if (minor === null) return null;
  const [, sign = '', whole = '', fraction = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(String(minor)) ?? [];
  const digits = digitsOf(currency);
  const padded = whole.padStart(digits + 1, '0');
  const point = padded.length - digits;
  const after = padded.slice(point) + fraction;
  return `${sign}${padded.slice(0, point)}${after === '' ? '' : `.${after}`}`;
}

export const currencyOf = (currency: string | null | undefined) => ({
  currencyId: currency?.toUpperCase() ?? null,
  currencyCode: currency?.toUpperCase() ?? null,
});

export const timeOf = (seconds: number | null | undefined): string | null =>
  seconds === null || seconds === undefined ? null : new Date(seconds * 1000).toISOString();

export const dayOf = (seconds: number | null): string | null => timeOf(seconds)?.slice(0, 10) ?? null;

export const textOf = (value: number | null | undefined): string | null =>
  value === null || value === undefined ? null : String(value);

export const sumOf = (parts: readonly { readonly amount: number }[]): number =>
  parts.reduce((sum, { amount }) => sum + amount, 0);

/** Built apart from the types of records: a misspelt name shows in the comparison. */
export const record = (
  platformId: string,
  values: object,
  lines: Readonly<Record<string, readonly UnifiedLine[]>> = {},
): UnifiedRecord => ({ platformId, values, lines });

export const lineRecord = (platformId: string | null, values: object): UnifiedLine => ({
  platformId,
  values,
});
