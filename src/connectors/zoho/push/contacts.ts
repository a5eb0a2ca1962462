import { z } from 'zod';

import { contact } from '../../../records/index.js';
import { CONTACT_TYPES } from '../../../records/value-sets.js';
import { type PlatformClient, type PlatformObject } from '../../platform.js';
import { checked, type Wrong } from '../../inputs/checked.js';
import { choice, itemOf, name, text } from '../../inputs/fields.js';
import { addressShape, contactShape } from '../../inputs/masters.js';
import { aroundLocality } from '../../inputs/street.js';
import { bodyOf, type LostWrite, writeForm } from '../../push.js';
import { objectOf, objectsIn, textOf } from '../../values/platform-values.js';
import { findIn, type Searched } from './find.js';
import { changeIn, createIn, isStatusAlone, statusIn, zohoPush } from './resource.js';
import { keptOf, ownFields, unsent } from './values.js';

const CONTACTS: Searched = { path: 'contacts', one: 'contact', idName: 'contact_id' };

const address = itemOf({
  ...addressShape,
  city: text(100),
  state: text(100),
  country: text(100),
});
type Address = z.output<typeof address>;

/** The longest name that can be searched for. */
const MAX_NAME = 100;
const MAX_PHONE = 50;
const contacts = {
  name: name(MAX_NAME),
  contact_name: text(100),
  currency_id: contactShape.currency_id,
  tax_number: unsent(
    'which number it is depends on the edition of Zoho Books: send gst_no, vat_reg_no, tax_reg_no or tax_id_value in raw_data',
  ),
  email: text(100),
  website: text(200),
  telephone: text(MAX_PHONE),
  mobile: text(MAX_PHONE),
  fax: text(MAX_PHONE),
  addresses: z
    .array(address, { error: 'must be a list of addresses' })
    .refine((list) => new Set(list.map(typeOf)).size === list.length, 'must have at most one of each type'),
  raw_data: ownFields('contact_id', 'contact_persons'),
};

const newContacts = checked(
  itemOf(
    {
      platform_id: contactShape.platform_id,
      contact_type: choice(CONTACT_TYPES),
      status: choice(['ACTIVE']),
      ...contacts,
    },
    ['name', 'contact_type'],
  ),
  ({ addresses, raw_data }, { wrong }) => {
    checkStreets(addresses, wrong);
    const { notes } = raw_data ?? {};
    if (notes !== undefined && typeof notes !== 'string') wrong(['raw_data', 'notes'], 'must be a text');
  },
);

const changedContacts = checked(
  itemOf(
    {
      platform_id: text(200),
      contact_type: choice(CONTACT_TYPES),
      status: choice(['ACTIVE', 'ARCHIVED']),
      ...contacts,
    },
    ['platform_id'],
  ),
  (item, { wrong }) => {
    checkStreets(item.addresses, wrong);
    if (item.status !== undefined && !isStatusAlone(item)) wrong(['status'], ALONE);
  },
);
type ContactFields = Omit<z.output<typeof changedContacts>, 'platform_id'>;

const ALONE = 'must be the only change: Zoho Books has a call of its own for it';

function typeOf({ type = 'BILLING' }: { readonly type?: string | undefined }): string {
  return type;
}

/** An address has two lines for the street, of which the second is the locality. */
function checkStreets(addresses: readonly Address[] = [], wrong: Wrong): void {
  addresses.forEach(({ street = '', locality = '' }, index) => {
    if (aroundLocality(street, locality).behind === '') return;
    const words = 'must be the end of the street: Zoho Books has two lines, of which it is the second';
    wrong(['addresses', index, 'locality'], words);
  });
}

function contactBody(item: ContactFields, current: PlatformObject | null): PlatformObject {
  const [billing, shipping] = ['BILLING', 'SHIPPING'].map(
    (wanted) => item.addresses?.filter((one) => typeOf(one) === wanted).map(toAddress)[0],
  );
  return bodyOf(item.raw_data, {
    contact_name: item.name ?? current?.['contact_name'],
    contact_type: item.contact_type?.toLowerCase(),
    currency_id: item.currency_id,
    website: item.website,
    billing_address: billingAddress(item.fax, billing, objectOf(current?.['billing_address'])),
    shipping_address: shipping,
    contact_persons: personsOf(item, objectsIn(current?.['contact_persons'])),
  });
}

/** A complete address, empty where not given. */
function toAddress({ street = '', locality = '', city, state, pincode, country }: Address): PlatformObject {
  return {
    address: aroundLocality(street, locality).before,
    street2: locality,
    city: city ?? '',
    state: state ?? '',
    zip: pincode ?? '',
    country: country ?? '',
  };
}

const PLACE = ['attention', 'address', 'street2', 'state_code', 'city', 'state', 'zip', 'country', 'phone'];

/** The fax number is one of the address: neither is lost where the other changes. */
function billingAddress(
  fax: string | undefined,
  given: PlatformObject | undefined,
  current: PlatformObject | null,
): PlatformObject | undefined {
  if (given === undefined && fax === undefined) return undefined;
  const place = given ?? keptOf(current ?? {}, PLACE);
  return bodyOf(place, { fax: fax ?? textOf(current?.['fax']) ?? undefined });
}

const PERSON = [
  'contact_person_id',
  'salutation',
  'first_name',
  'last_name',
  'email',
  'phone',
  'mobile',
  'designation',
  'department',
  'skype',
  'is_primary_contact',
];

/** All persons of the contact, as they are but for the primary one. */
function personsOf(item: ContactFields, current: readonly PlatformObject[]): PlatformObject[] | undefined {
  const given = bodyOf(undefined, {
    ...nameParts(item.contact_name),
    email: item.email,
    phone: item.telephone,
    mobile: item.mobile,
  });
  if (Object.keys(given).length === 0) return undefined;
  const kept = current.map((person) => keptOf(person, PERSON));
  const primary = kept.find((person) => person['is_primary_contact'] === true);
  if (!primary) return [{ ...given, is_primary_contact: true }, ...kept];
  return kept.map((person) => (person === primary ? { ...person, ...given } : person));
}

/** The last word is the family name. */
function nameParts(contactName: string | undefined): PlatformObject {
  if (contactName === undefined) return {};
  const words = contactName.trim().split(/\s+/);
  const last_name = words.length > 1 ? words.pop() : '';
  return { first_name: words.join(' '), last_name };
}

/** The marker is a line of the notes, below what the caller has in them. */
const markedNotes = (raw: PlatformObject | undefined, marker: string): string =>
  [textOf(raw?.['notes']), marker].filter((line) => line !== null).join('\n');

const isMarked = (object: PlatformObject, marker: string): boolean =>
  (textOf(object['notes']) ?? '').split(/\s+/).includes(marker);

/** Contacts can be searched by their exact name; the notes tell whether it is the one that was written. */
function findContact(client: PlatformClient, { marker, item, besides }: LostWrite) {
  const wanted = textOf(item['name']) ?? '';
  const isRow = (row: PlatformObject) =>
    (textOf(row['contact_name']) ?? '').toLowerCase().includes(wanted.trim().toLowerCase());
  const query = { contact_name: wanted, filter_by: 'Status.All' };
  return findIn(CONTACTS, client, { query, isRow, isIt: (object) => isMarked(object, marker) }, besides);
}

/** Customers and vendors. What is not used any more becomes inactive. */
export const contactPush = zohoPush({
  definition: contact,
  list: CONTACTS,
  create: writeForm(newContacts, (item, { marker }) =>
    createIn(CONTACTS, { ...contactBody(item, null), notes: markedNotes(item.raw_data, marker) }),
  ),
  update: {
    ...writeForm(changedContacts, (item, { current }) => {
      const { platform_id: id, status } = item;
      if (status !== undefined) return statusIn(CONTACTS, id, status === 'ACTIVE' ? 'active' : 'inactive');
      return changeIn(CONTACTS, id, contactBody(item, current));
    }),
    readsCurrent: ({ status }) => status === undefined,
  },
  find: findContact,
  subjects: [
    [/first[_ ]?name|last[_ ]?name/i, 'contact_name'],
    [/e-?mail/i, 'email'],
    [/mobile/i, 'mobile'],
    [/\bfax/i, 'fax'],
    [/phone/i, 'telephone'],
    [/web ?site/i, 'website'],
    [/currency/i, 'currency_id'],
    [/contact[_ ]type/i, 'contact_type'],
    [/address|street|\bzip\b|\bcity\b|\bstate\b|country/i, 'addresses'],
    [/name|customer|vendor|\bcontact\b/i, 'name'],
  ],
});
