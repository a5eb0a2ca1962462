import { type PlatformObject } from '../../../connector.js';
import { type WriteTools } from '../../../push.js';

/** Books names these by what people call them; an id that we do not know may be such a code already. */
export function codesTo({ references }: WriteTools) {
  const code = (dataModel: string, field: string) => (id: string | undefined) =>
    id === undefined ? undefined : (references.valueOf(dataModel, field, id) ?? id);
  return {
    account: code('ACCOUNTS', 'nominalCode'),
    currency: code('CURRENCIES', 'code'),
    product: code('ITEMS', 'code'),
    tax: code('TAX_RATES', 'code'),
  };
}

export type CodesTo = ReturnType<typeof codesTo>;

/** A calendar day as Books writes it. */
export function toBooksDay(day: string | undefined): string | undefined {
  if (day === undefined) return undefined;
  const [year, month, date] = day.split('-');
  return `${date}.${month}.${year}`;
}

/** Our word in the words of Books; of an open set, a word of its own stays as it is. */
export const wordFor =
  (words: Readonly<Record<string, string>>) =>
  (value: string | undefined): string | undefined =>
    value === undefined ? undefined : (words[value] ?? value);

/** A kind of account as Books writes it: FIXED_ASSET is `fixed asset`. */
export const groupOf = (kind: string | undefined): string | undefined =>
  kind?.toLowerCase().replaceAll('_', ' ');

/** Custom fields that are named; Books keeps the others as they are. */
export const toBooksCustomFields = (
  given: readonly { readonly name: string; readonly value: string | null }[] | undefined,
): PlatformObject[] | undefined => given?.map(({ name: Name, value: Value }) => ({ Name, Value }));

/** A body of what is there: what Books knows beyond our fields, and over it what our fields say. */
export function bodyOf(extra: PlatformObject | undefined, fields: PlatformObject): PlatformObject {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  return { ...extra, ...Object.fromEntries(given) };
}
