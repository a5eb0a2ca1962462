import { type Contact } from '../domain.js';
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
      { AddressType: 'STREET', City: '', Region: '', PostalCode: '', Country: '', AttentionTo: '' },
      { AddressType: 'POBOX', ...postalToWire(contact) },
    ],
    Phones: [
      phoneToWire('DDI', null),
      phoneToWire('DEFAULT', contact.phone),
      phoneToWire('FAX', null),
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

function postalToWire({ postal }: Contact): object {
  if (!postal) return { City: '', Region: '', PostalCode: '', Country: '' };
  const [first = '', second = ''] = postal.lines;
  return {
    AddressLine1: first,
    AddressLine2: second,
    City: postal.city,
    Region: postal.region,
    PostalCode: postal.postalCode,
    Country: postal.country,
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
