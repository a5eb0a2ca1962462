import { z } from 'zod';

import { contact } from '../../../records/index.js';
import { CONTACT_TYPES } from '../../../records/value-sets.js';
import { type PlatformObject } from '../../platform.js';
import { checked, type Wrong } from '../../inputs/checked.js';
import { choice, itemOf, text } from '../../inputs/fields.js';
import { addressShape, contactShape } from '../../inputs/masters.js';
import { aroundLocality } from '../../inputs/street.js';
import { bodyOf, writeForm } from '../../push.js';
import { CONTACT_KINDS, numberOf } from './contact-ids.js';
import { changeIn, createIn, ownFields, quickbooksPush } from './resource.js';
import { listName, refTo } from './values.js';

/** What a contact is, by its id. */
const contactTypeOf = (platformId: string) =>
  CONTACT_TYPES.find((type) => numberOf(type, platformId) !== undefined);

type ContactType = (typeof CONTACT_TYPES)[number];

const address = itemOf(addressShape);
type Address = z.output<typeof address>;

const MAX_PHONE = 30;
const contacts = {
  name: listName(200),
  contact_name: text(200),
  currency_id: contactShape.currency_id,
  tax_number: text(20),
  email: text(100),
  website: text(1000),
  telephone: text(MAX_PHONE),
  mobile: text(MAX_PHONE),
  fax: text(MAX_PHONE),
  addresses: z
    .array(address, { error: 'must be a list of addresses' })
    .refine(
      (list) => new Set(list.map(({ type = 'BILLING' }) => type)).size === list.length,
      'must have at most one of each type',
    ),
  raw_data: ownFields(),
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
  (item, { wrong }) => checkAddresses(item, item.contact_type, wrong),
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
    const type = contactTypeOf(item.platform_id);
    if (type === undefined)
      return wrong(['platform_id'], 'must be the id of a contact, such as customer:12 or vendor:7');
    if (item.contact_type !== undefined && item.contact_type !== type) {
      wrong(
        ['contact_type'],
        `must be ${type}, as the contact is: in QuickBooks nothing is turned into another`,
      );
    }
    checkAddresses(item, type, wrong);
  },
);
type ContactFields = Omit<z.output<typeof changedContacts>, 'platform_id' | 'contact_type'>;

/** A vendor has one address. */
function checkAddresses(
  { addresses = [] }: Pick<ContactFields, 'addresses'>,
  type: ContactType,
  wrong: Wrong,
): void {
  const index = type === 'VENDOR' ? addresses.findIndex((one) => one.type === 'SHIPPING') : -1;
  if (index !== -1)
    wrong(['addresses', index, 'type'], 'must be BILLING: a vendor in QuickBooks has no other');
}

function contactBody(item: ContactFields, type: ContactType): PlatformObject {
  const addressOf = (wanted: string) =>
    item.addresses?.filter((one) => (one.type ?? 'BILLING') === wanted).map(toAddress)[0];
  return bodyOf(item.raw_data, {
    DisplayName: item.name,
    ...nameParts(item.contact_name),
    CurrencyRef: refTo(item.currency_id),
    [type === 'VENDOR' ? 'TaxIdentifier' : 'PrimaryTaxIdentifier']: item.tax_number,
    Active: item.status && item.status === 'ACTIVE',
    PrimaryEmailAddr: item.email === undefined ? undefined : { Address: item.email },
    WebAddr: item.website === undefined ? undefined : { URI: item.website },
    PrimaryPhone: phone(item.telephone),
    Mobile: phone(item.mobile),
    Fax: phone(item.fax),
    BillAddr: addressOf('BILLING'),
    ShipAddr: addressOf('SHIPPING'),
  });
}

/** The last word is the family name. All parts are sent, so that no old one remains. */
function nameParts(contactName: string | undefined): PlatformObject {
  if (contactName === undefined) return {};
  const words = contactName.trim().split(/\s+/);
  const FamilyName = words.length > 1 ? words.pop() : '';
  return { GivenName: words.join(' '), MiddleName: '', FamilyName };
}

const phone = (FreeFormNumber: string | undefined): PlatformObject | undefined =>
  FreeFormNumber === undefined ? undefined : { FreeFormNumber };

/** A complete address, empty where not given. */
function toAddress({ street = '', locality = '', city, state, pincode, country }: Address): PlatformObject {
  const { before, behind } = aroundLocality(street, locality);
  return {
    Line1: before,
    Line2: locality,
    Line3: behind,
    Line4: '',
    Line5: '',
    City: city ?? '',
    CountrySubDivisionCode: state ?? '',
    PostalCode: pincode ?? '',
    Country: country ?? '',
  };
}

/** Customers and vendors. Both are lists of names: what is not used any more becomes inactive. */
export const contactPush = quickbooksPush({
  definition: contact,
  kinds: Object.values(CONTACT_KINDS),
  create: writeForm(newContacts, (item) =>
    createIn(CONTACT_KINDS[item.contact_type].entity, contactBody(item, item.contact_type)),
  ),
  update: {
    ...writeForm(changedContacts, (item, tools) => {
      const type = contactTypeOf(item.platform_id) ?? 'CUSTOMER';
      const { entity } = CONTACT_KINDS[type];
      const id = numberOf(type, item.platform_id) ?? '';
      return changeIn({ entity, id }, contactBody(item, type), tools);
    }),
    readsCurrent: () => true,
  },
  subjects: [
    [/e-?mail/i, 'email'],
    [/given ?name|family ?name|middle ?name/i, 'contact_name'],
    [/mobile/i, 'mobile'],
    [/\bfax/i, 'fax'],
    [/phone/i, 'telephone'],
    [/web ?addr|\bURI\b/i, 'website'],
    [/tax ?identifier/i, 'tax_number'],
    [/currency/i, 'currency_id'],
    [/addr/i, 'addresses'],
    [/\bactive\b/i, 'status'],
    [/name/i, 'name'],
  ],
});
