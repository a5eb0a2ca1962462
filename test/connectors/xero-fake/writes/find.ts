import { type Account, type Contact, type Currency, type Organisation, type Tag } from '../domain.js';
import { type Body, type Complaints, listIn, objectIn, textIn } from './input.js';

/** What objects of a body name. What is not there is complained of. */

export function accountBy(
  { accounts }: Organisation,
  body: Body | undefined,
  names: { readonly id: string; readonly code: string },
): Account | undefined {
  if (!body) return undefined;
  const [id, code] = [textIn(body, names.id), textIn(body, names.code)];
  return accounts.find(
    (account) =>
      account.status === 'ACTIVE' && (id === undefined ? account.code === code : account.id === id),
  );
}

export const LINE_NAMES = { id: 'AccountID', code: 'AccountCode' };
export const WHOLE_NAMES = { id: 'AccountID', code: 'Code' };

export function contactOf(
  { contacts }: Organisation,
  body: Body,
  complaints: Complaints,
): Contact | undefined {
  const given = objectIn(body, 'Contact');
  const id = given && textIn(given, 'ContactID');
  if (id === undefined) {
    complaints.add('A Contact must be specified for this type of transaction');
    return undefined;
  }
  const contact = contacts.find((one) => one.id === id);
  if (!contact) complaints.add('The Contact with the specified ContactID could not be found');
  else if (contact.status === 'ARCHIVED') {
    complaints.add('The Contact with the specified contact details has been archived');
  }
  return contact;
}

export function currencyOf(
  { currencies }: Organisation,
  body: Body,
  complaints: Complaints,
  name = 'CurrencyCode',
): Currency | undefined {
  const code = textIn(body, name);
  if (code === undefined) return undefined;
  const currency = currencies.find(({ id }) => id === code);
  if (!currency) complaints.add(`Organisation is not subscribed to currency ${code}`);
  return currency;
}

export function tagsOf(
  { trackingCategories }: Organisation,
  line: Body,
  complain: (message: string) => void,
): Tag[] {
  return (listIn(line, 'Tracking') ?? []).flatMap((tag) => {
    const has = (one: { readonly id: string; readonly name: string }, id: string, name: string) =>
      textIn(tag, id) === one.id || textIn(tag, name) === one.name;
    const category = trackingCategories.find((one) => has(one, 'TrackingCategoryID', 'Name'));
    const option = category?.options.find((one) => has(one, 'TrackingOptionID', 'Option'));
    if (category && option) return [{ category, option }];
    complain('Tracking option could not be found');
    return [];
  });
}
