import { type Contact, type PostalAddress } from '../domain.js';
import { instant, optional } from './values.js';

/** Every kind of address and number is there, most of them empty. */
export function contactToWire(contact: Contact): object {
  return {
    ContactID: contact.id,
    ContactStatus: contact.status,
    Name: contact.name,
    ...optional('FirstName', contact.firstName),
    ...optional('LastName', contact.lastName),
    ...optional('CompanyNumber', contact.companyNumber),
    EmailAddress: contact.email ?? '',
    BankAccountDetails: '',
    TaxNumber: contact.taxNumber ?? '',
    Addresses: [
      { AddressType: 'STREET', ...placeToWire(contact.street ?? null) },
      { AddressType: 'POBOX', ...placeToWire(contact.postal) },
    ],
    Phones: [
      phoneToWire('DDI', null),
      phoneToWire('DEFAULT', contact.phone),
      phoneToWire('FAX', contact.fax ? ['', '', contact.fax] : null),
      phoneToWire('MOBILE', contact.mobile === null ? null : ['', '', contact.mobile]),
    ],
    UpdatedDateUTC: instant(contact.updatedAt),
    ContactGroups: [],
    IsSupplier: contact.isSupplier,
    IsCustomer: contact.isCustomer,
    ...optional('DefaultCurrency', contact.currency?.id ?? null),
    ...optional('Website', contact.website),
    ContactPersons: [],
    HasAttachments: false,
    HasValidationErrors: false,
  };
}

function placeToWire(place: PostalAddress | null): object {
  if (!place) return { City: '', Region: '', PostalCode: '', Country: '', AttentionTo: '' };
  const [first = '', second = ''] = place.lines;
  return {
    AddressLine1: first,
    AddressLine2: second,
    City: place.city,
    Region: place.region,
    PostalCode: place.postalCode,
    Country: place.country,
    AttentionTo: '',
  };
}

function phoneToWire(type: string, phone: readonly [string, string, string] | null): object {
  const [country, area, number] = phone ?? ['', '', ''];
  return { PhoneType: type, PhoneNumber: number, PhoneAreaCode: area, PhoneCountryCode: country };
}

/** A contact as documents name it. */
export function contactReference({ id, name }: Contact): object {
  return {
    ContactID: id,
    Name: name,
    Addresses: [],
    Phones: [],
    ContactGroups: [],
    ContactPersons: [],
    HasValidationErrors: false,
  };
}
