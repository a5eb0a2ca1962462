import { type Decimal } from 'decimal.js';

import { type Currency, type Kept, type Named, type PostalAddress } from '../domain.js';

export type Json = Readonly<Record<string, unknown>>;

export interface Reference {
  readonly value: string;
  readonly name?: string;
}

const HOUR_MS = 3_600_000;

/** Times are those of California: in whole seconds, with the offset that it has in summer or winter. */
export function time(at: Date): string {
  const month = at.getUTCMonth();
  const hours = month >= 3 && month < 10 ? 7 : 8;
  const local = new Date(at.getTime() - hours * HOUR_MS).toISOString();
  return `${local.slice(0, 19)}-0${hours}:00`;
}

/** The same to the millisecond, as answers say when they were made. */
export const preciseTime = (at: Date): string =>
  `${time(at).slice(0, 19)}.${String(at.getMilliseconds()).padStart(3, '0')}${time(at).slice(19)}`;

export const number = (amount: Decimal): number => amount.toNumber();

/** A property that is left out where there is nothing. */
export function optional(name: string, value: unknown): Json {
  return value === null || value === undefined || value === '' ? {} : { [name]: value };
}

export const ref = (value: string, name?: string): Reference =>
  name === undefined ? { value } : { value, name };

export const refTo = (named: Named | null): Reference | null => named && ref(named.id, named.name);

export const optionalRef = (name: string, named: Named | null): Json => optional(name, refTo(named));

export const currencyRef = ({ code, name }: Currency): Json => ({ CurrencyRef: ref(code, name) });

/** In a company with several currencies every transaction says its rate, the home currency's too. */
export const money = (currency: Currency): Json => ({
  ...currencyRef(currency),
  ExchangeRate: number(currency.rate),
});

/** What every object has. */
export const base = ({ id, version, createdAt, updatedAt }: Kept): Json => ({
  domain: 'QBO',
  sparse: false,
  Id: id,
  SyncToken: String(version),
  MetaData: { CreateTime: time(createdAt), LastUpdatedTime: time(updatedAt) },
});

export function address(name: string, at: PostalAddress | null): Json {
  if (!at) return {};
  const lines = at.lines.flatMap((line, index) => (line === '' ? [] : [[`Line${index + 1}`, line] as const]));
  return {
    [name]: {
      Id: at.id,
      ...Object.fromEntries(lines),
      ...optional('City', at.city),
      ...optional('Country', at.country),
      ...optional('CountrySubDivisionCode', at.state),
      ...optional('PostalCode', at.postalCode),
    },
  };
}
