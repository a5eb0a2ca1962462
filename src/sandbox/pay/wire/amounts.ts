import { Decimal } from 'decimal.js';

const DECIMALS: Readonly<Record<string, number>> = { jpy: 0, krw: 0, vnd: 0, kwd: 3, bhd: 3, jod: 3 };

/** `44.25` rupees as 4425. */
export const toMinor = (amount: Decimal.Value | null | undefined, currency: string): number =>
  new Decimal(amount ?? 0).times(new Decimal(10).pow(DECIMALS[currency.toLowerCase()] ?? 2)).toNumber();

/** Pay writes currencies in lower case. */
export const currencyOf = ({ currencyCode }: { readonly currencyCode?: string | null | undefined }): string =>
  currencyCode?.toLowerCase() ?? '';

/** An ISO instant or day as Unix seconds. */
export const toUnix = (time: string | null | undefined): number =>
  Math.floor(Date.parse(time ?? '1970-01-01') / 1000);
