import { type QuickbooksCompany } from '../company.js';
import { type Currency, type Named } from '../domain.js';
import { business, inactiveReference, invalidReference, Refusal } from '../problems.js';
import { type Body, refIn } from './body.js';

/** What a reference names, which must be there and in use; null if there is no reference. */
export function namedBy<Entry extends Named>(
  shelf: readonly Entry[],
  body: Body,
  name: string,
  place = '',
): Entry | null {
  const id = refIn(body, name);
  if (id === null) return null;
  const found = shelf.find((one) => one.id === id);
  if (!found) throw new Refusal(invalidReference(`${place}${name}`));
  if (!found.active) throw new Refusal(inactiveReference);
  return found;
}

/** A currency is named by its code. */
export function currencyIn({ home, shelves }: QuickbooksCompany, body: Body): Currency | null {
  const code = refIn(body, 'CurrencyRef');
  if (code === null) return null;
  const found = [home, ...shelves.CompanyCurrency].find((one) => one.code === code && one.active);
  if (!found) throw new Refusal(business(`The currency ${code} is not one of the company's currencies.`));
  return found;
}
