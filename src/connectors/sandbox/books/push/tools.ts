import { type PlatformObject } from '../../../platform.js';
import { type WriteTools } from '../../../push.js';

/** Books refers to these by code; an unknown id may already be such a code. */
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

/** A calendar day in the format of Books, `DD.MM.YYYY`. */
export function toBooksDay(day: string | undefined): string | undefined {
  if (day === undefined) return undefined;
  const [year, month, date] = day.split('-');
  return `${date}.${month}.${year}`;
}

/** Our word in Books' vocabulary; a word that is not in `words` is passed on unchanged. */
export const wordFor =
  (words: Readonly<Record<string, string>>) =>
  (value: string | undefined): string | undefined =>
    value === undefined ? undefined : (words[value] ?? value);

/** An account group in the spelling of Books: `fixed asset` for FIXED_ASSET. */
export const groupOf = (kind: string | undefined): string | undefined =>
  kind?.toLowerCase().replaceAll('_', ' ');

/** The given custom fields; Books keeps the others. */
export const toBooksCustomFields = (
  given: readonly { readonly name: string; readonly value: string | null }[] | undefined,
): PlatformObject[] | undefined => given?.map(({ name: Name, value: Value }) => ({ Name, Value }));
