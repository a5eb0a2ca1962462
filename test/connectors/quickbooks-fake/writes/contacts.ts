import { type QuickbooksCompany } from '../company.js';
import { type Contact, type Kept, type PostalAddress } from '../domain.js';
import { business, missing, Refusal, wrongMail } from '../problems.js';
import { type Body, objectIn, textIn } from './body.js';
import { currencyIn } from './find.js';
import { namedOf } from './names.js';

/** Names are unique among customers, vendors and employees together. */
export function contactOf(
  { shelves, home }: QuickbooksCompany,
  kind: 'Customer' | 'Vendor',
  body: Body,
  before: Contact | null,
): Omit<Contact, keyof Kept> {
  const [given, middle, family] = ['GivenName', 'MiddleName', 'FamilyName'].map((name) =>
    textIn(body, name, 100),
  );
  const joined = [given, middle, family].filter((part) => part != null).join(' ');
  const display = textIn(body, 'DisplayName', 500) ?? joined;
  if (display === '') throw new Refusal(missing('DisplayName'));
  const others = [...shelves.Customer, ...shelves.Vendor, ...shelves.Employee];
  const currency = currencyIn({ shelves, home } as QuickbooksCompany, body) ?? before?.currency ?? home;
  if (before && before.currency !== currency) {
    throw new Refusal(business('The currency of a customer or vendor cannot be changed.'));
  }
  const email = partIn(body, 'PrimaryEmailAddr', 'Address', 100);
  if (email !== null && !/^\S+@\S+\.\S+$/.test(email)) throw new Refusal(wrongMail(email));
  const phone = (name: string) => partIn(body, name, 'FreeFormNumber', 30);
  const taxName = kind === 'Vendor' ? 'TaxIdentifier' : 'PrimaryTaxIdentifier';
  return {
    ...namedOf(body, display, { before, others }),
    kind,
    given: given ?? null,
    middle: middle ?? null,
    family: family ?? null,
    company: textIn(body, 'CompanyName', 100),
    parent: before?.parent ?? null,
    currency,
    taxNumber: masked(textIn(body, taxName, 20)),
    phone: phone('PrimaryPhone'),
    alternatePhone: phone('AlternatePhone'),
    mobile: phone('Mobile'),
    fax: phone('Fax'),
    email,
    website: partIn(body, 'WebAddr', 'URI', 1000),
    billing: addressIn(body, 'BillAddr'),
    shipping: kind === 'Vendor' ? null : addressIn(body, 'ShipAddr'),
  };
}

function partIn(body: Body, name: string, part: string, max: number): string | null {
  const object = objectIn(body, name);
  return object && textIn(object, part, max);
}

/** Only the last four characters are ever shown again. */
const masked = (taxNumber: string | null): string | null => taxNumber && `XXXXXX${taxNumber.slice(-4)}`;

export function addressIn(body: Body, name: string): PostalAddress | null {
  const given = objectIn(body, name);
  if (!given) return null;
  const lines = [1, 2, 3, 4, 5].map((line) => textIn(given, `Line${line}`, 500) ?? '');
  while (lines.at(-1) === '') lines.pop();
  return {
    id: textIn(given, 'Id') ?? '900',
    lines,
    city: textIn(given, 'City', 255),
    state: textIn(given, 'CountrySubDivisionCode', 255),
    postalCode: textIn(given, 'PostalCode', 30),
    country: textIn(given, 'Country', 255),
  };
}
