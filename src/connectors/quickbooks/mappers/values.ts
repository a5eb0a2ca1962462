import { type PlatformObject } from '../../platform.js';
import { type Lookups } from '../../pull.js';
import { isZero } from '../../values/decimals.js';
import { decimalOf, objectOf, textOf } from '../../values/platform-values.js';
import { instantOf, isCalendarDay } from '../../values/times.js';
import { markedId } from '../kinds.js';

/** The id in a reference: `{ "value": "12", "name": "…" }`. */
export const refOf = (value: unknown): string | null => textOf(objectOf(value)?.['value']);

/** A reference to a contact, whose entity it names or not. Employees are no contacts. */
export function contactIdOf(value: unknown, entity = textOf(objectOf(value)?.['type'])): string | null {
  const id = refOf(value);
  const known = ['Customer', 'Vendor'].find((one) => one.toUpperCase() === entity?.toUpperCase());
  return id === null || known === undefined ? null : markedId(known, id);
}

/** The calendar day of `2026-11-28`; an offset after it does not change it. */
export function dayOf(value: unknown): string | null {
  const day = /^\d{4}-\d{2}-\d{2}/.exec(textOf(value) ?? '')?.[0];
  return day !== undefined && isCalendarDay(day) ? day : null;
}

const metaData = (object: PlatformObject): PlatformObject => objectOf(object['MetaData']) ?? {};

export const updatedAtOf = (object: PlatformObject): string | null =>
  instantOf(metaData(object)['LastUpdatedTime']);

export const createdAtOf = (object: PlatformObject): string | null =>
  instantOf(metaData(object)['CreateTime']);

export const activityOf = (object: PlatformObject): 'ACTIVE' | 'ARCHIVED' =>
  object['Active'] === false ? 'ARCHIVED' : 'ACTIVE';

/** The currency; the home currency where none is named, since a company with only one may leave it out. */
export function currencyOf(object: PlatformObject, { baseCurrency }: Lookups) {
  const code = refOf(object['CurrencyRef']) ?? baseCurrency;
  return { currencyId: code, currencyCode: code };
}

/** The currency with its rate: home units for one unit, as QuickBooks has it. */
export function ratedCurrencyOf(object: PlatformObject, lookups: Lookups) {
  const currency = currencyOf(object, lookups);
  const isHome = currency.currencyId !== null && currency.currencyId === lookups.baseCurrency;
  return { ...currency, currencyRate: decimalOf(object['ExchangeRate']) ?? (isHome ? '1' : null) };
}

/** Whether a currency is not known yet. */
export const isUnresolved = (object: PlatformObject, { baseCurrency }: Lookups): boolean =>
  baseCurrency === null && refOf(object['CurrencyRef']) === null;

/**
 * A voided transaction stays, with nothing in it but this note. Only the note tells it from one that is free of charge.
 * Transfers have one amount.
 */
export const isVoided = (object: PlatformObject): boolean =>
  isZero(decimalOf(object['TotalAmt'] ?? object['Amount'])) &&
  /^Voided/i.test(textOf(object['PrivateNote']) ?? '');
