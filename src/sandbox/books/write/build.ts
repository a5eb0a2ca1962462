import { randomUUID } from 'node:crypto';
import type { Change } from '../../store/change.js';
import { findByNumber } from '../../store/objects.js';
import { type BooksKind, rulesOf } from '../kinds.js';
import type { BooksObject } from '../objects.js';
import { fromBooksDay, type Money, toBooksDay } from '../values.js';
import { BASE_CURRENCY } from './control.js';
import type { Fields } from './fields.js';
import { needOf } from './needed.js';
import type { References } from './references.js';

/** Input for building an object from a body. */
export interface BuildOptions {
  readonly change: Change;
  readonly kind: BooksKind;
  readonly fields: Fields;
  readonly references: References;
  /** The object before the change; null on create. */
  readonly before: BooksObject | null;
}

/** Checks a body and builds its object; problems are recorded in `fields`. */
export type Build = (options: BuildOptions) => Promise<BooksObject>;

/** GUID and times of the object. */
export function identity({ change, fields, before }: BuildOptions) {
  fields.ignore('Guid', 'CreatedOn', 'ChangedOn');
  const now = change.now.toISOString();
  return {
    Guid: before?.Guid ?? randomUUID(),
    CreatedOn: before?.CreatedOn ?? now,
    ChangedOn: now,
  };
}

/** The number given in the body, or the next free one. One that others know an object by stays. */
export async function numberOf(
  options: BuildOptions,
  prefix = rulesOf(options.kind).prefix,
): Promise<string | null> {
  const { change, kind, fields, before } = options;
  const { number: field } = rulesOf(kind);
  if (field === null) return null;
  const number = await chosenNumber(options, { field, prefix });
  const old = before && (before as BooksObject & Readonly<Record<string, unknown>>)[field];
  if (before && number !== null && number !== old) {
    const need = await needOf(change, kind, before);
    if (need !== null) fields.invalid(field, `must stay ${String(old)}: ${need}`);
  }
  return number;
}

async function chosenNumber(
  { change, kind, fields, before }: BuildOptions,
  { field, prefix }: { readonly field: string; readonly prefix: string | null },
): Promise<string | null> {
  const given = prefix === null ? fields.requiredText(field, 50) : fields.text(field, 50);
  const holder = (number: string) => findByNumber(change.client, change.account, kind, number);
  if (given !== null) {
    const other = await holder(given);
    if (other && other.id !== before?.Guid) {
      fields.problems.add(fields.name(field), 'DuplicateNumber', `${given} is taken by another of ${kind}`);
    }
    return given;
  }
  if (prefix === null) return null;
  const { rows } = await change.client.query<{ positions: number }>(
    'SELECT positions FROM kinds WHERE account = $1 AND kind = $2',
    [change.account, kind],
  );
  for (let next = (rows[0]?.positions ?? 0) + 1; ; next += 1) {
    const number = `${prefix}-${String(next).padStart(4, '0')}`;
    if (!(await holder(number))) return number;
  }
}

/** The exchange rate given in the body, or the currency's rate. The rate from before is of the currency from before. */
export async function rateOf(
  { fields, references, before }: BuildOptions,
  currency: string,
): Promise<string> {
  const rate = fields.decimal('ExchangeRate');
  const isOther = before !== null && currencyOf(before) !== currency;
  const given = isOther && fields.isKept('ExchangeRate') ? null : rate;
  if (given !== null && !given.greaterThan(0)) fields.invalid('ExchangeRate', 'must be positive');
  else if (given?.equals(1) === false && currency === BASE_CURRENCY && !fields.isKept('ExchangeRate')) {
    fields.invalid('ExchangeRate', `must be 1 in ${BASE_CURRENCY}, the base currency`);
  }
  if (given !== null) return given.toFixed();
  const known = await references.byNumber('Currencies', currency);
  return typeof known?.['ExchangeRate'] === 'string' ? known['ExchangeRate'] : '1';
}

/** The currency of an object with an exchange rate. */
function currencyOf(object: BooksObject): string | undefined {
  const { Currency, Amount } = object as { readonly Currency?: string; readonly Amount?: Money };
  return Currency ?? Amount?.Currency;
}

/** The day given in the body, or today. */
export const dayOf = ({ change, fields }: BuildOptions, field = 'Date'): string =>
  fields.day(field) ?? toBooksDay(change.now.toISOString());

/** The day that is `days` after another. */
export function daysAfter(day: string, days: number): string {
  const start = Date.parse(`${fromBooksDay(day) ?? '2026-01-01'}T00:00:00.000Z`);
  return toBooksDay(new Date(start + days * 86_400_000).toISOString());
}

export const referenceOf = ({ fields }: BuildOptions): string | null => fields.text('Reference', 100);
