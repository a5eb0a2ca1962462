import { type QuickbooksCompany } from '../company.js';
import { type Contact, type Currency, type PostalAddress } from '../domain.js';
import { indexes, kept, nth } from './kept.js';

const CUSTOMERS = 30;
const VENDORS = 14;

const addressOf = (id: string, index: number): PostalAddress => ({
  id,
  lines: index % 2 === 0 ? [`${index} Main St.`] : [`Suite ${index}`, 'Ocean Building', `${index} Bay Dr.`],
  city: index % 5 === 0 ? null : 'Bayshore',
  state: 'CA',
  postalCode: String(94_000 + index),
  country: index % 3 === 0 ? 'USA' : null,
});

/** An address that QuickBooks keeps although nothing is in it. */
const emptyAddress = (id: string): PostalAddress => ({
  id,
  lines: [],
  city: null,
  state: null,
  postalCode: null,
  country: null,
});

interface Start {
  readonly kind: Contact['kind'];
  readonly index: number;
  readonly name: string;
  readonly currency: Currency;
  readonly parent?: Contact;
}

function makeContact({ kind, index, name, currency, parent }: Start): Contact {
  const active = index % 11 !== 7;
  const place = (base: number) => String(base + index);
  return {
    ...kept(String(index + 1), index),
    kind,
    name: active ? name : `${name} (deleted)`,
    active,
    given: index % 3 === 0 ? 'Grace' : null,
    middle: index % 6 === 0 ? 'M.' : null,
    family: index % 3 === 2 ? null : 'Pariente',
    company: index % 2 === 0 ? name : null,
    parent: parent ?? null,
    currency,
    taxNumber: index % 4 === 1 ? `XXXXXX${1000 + index}` : null,
    phone: index % 2 === 0 ? `(650) 555-${1000 + index}` : null,
    alternatePhone: index % 7 === 0 ? `(650) 554-${1000 + index}` : null,
    mobile: index % 4 === 0 ? `(406) 555-${1000 + index}` : null,
    fax: index % 9 === 0 ? `(520) 555-${1000 + index}` : null,
    email: index % 5 === 4 ? null : `box${index}@${kind.toLowerCase()}.example`,
    website: index % 3 === 1 ? `http://www.${kind.toLowerCase()}${index}.example` : null,
    billing: index % 6 === 5 ? emptyAddress(place(300)) : addressOf(place(300), index),
    shipping: index % 4 === 0 ? addressOf(place(500), index + 3) : null,
  };
}

/** Customers and vendors have ids of their own: both begin with 1. */
export function makeContacts({ shelves, home }: QuickbooksCompany): void {
  const currencies = [home, home, home, ...shelves.CompanyCurrency.filter(({ active }) => active)];
  for (const index of indexes(CUSTOMERS)) {
    const name = index === 0 ? "Amy's Bird Sanctuary" : `Customer No. ${index}`;
    const currency = nth(currencies, index);
    shelves.Customer.push(makeContact({ kind: 'Customer', index, name, currency }));
  }
  const parent = nth(shelves.Customer, 0);
  for (const [index, name] of [
    [CUSTOMERS, 'Garden redesign'],
    [CUSTOMERS + 1, 'Fountain'],
  ] as const) {
    const { currency } = parent;
    shelves.Customer.push(makeContact({ kind: 'Customer', index, name, currency, parent }));
  }
  for (const index of indexes(VENDORS)) {
    const currency = nth(currencies, index);
    const name = index % 5 === 2 ? `Müller, Söhne & 東京 ${index}` : `Vendor & Sons ${index}`;
    shelves.Vendor.push(makeContact({ kind: 'Vendor', index, name, currency }));
  }
  for (const index of indexes(2)) {
    const name = `Emily Platt ${index}`;
    shelves.Employee.push(makeContact({ kind: 'Employee', index, name, currency: home }));
  }
}
