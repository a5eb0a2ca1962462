import { describe, expect, test } from '@jest/globals';

import { toContact } from '../../../src/connectors/xero/mappers/contact.js';
import { oddValues } from './lookups.js';

const acme = {
  ContactID: 'acme',
  ContactStatus: 'ACTIVE',
  Name: 'Acme Limited',
  FirstName: 'Ada',
  LastName: 'Byron',
  CompanyNumber: 'C-1',
  TaxNumber: 'T-2',
  DefaultCurrency: 'USD',
  IsCustomer: true,
  IsSupplier: true,
  EmailAddress: 'ada@acme.example',
  Website: 'https://acme.example',
  Phones: [
    { PhoneType: 'DEFAULT', PhoneCountryCode: '64', PhoneAreaCode: '9', PhoneNumber: '123 4567' },
    { PhoneType: 'DDI', PhoneCountryCode: '', PhoneAreaCode: '', PhoneNumber: '' },
    { PhoneType: 'MOBILE', PhoneNumber: '021 99' },
  ],
  Addresses: [
    { AddressType: 'STREET', City: '', Region: '', PostalCode: '', Country: '', AttentionTo: 'Ada' },
    {
      AddressType: 'POBOX',
      AddressLine1: 'PO Box 1',
      AddressLine2: 'Roseneath',
      AddressLine3: '',
      AddressLine4: 'Floor 2',
      City: 'Wellington',
      Region: 'WGN',
      PostalCode: '6011',
      Country: 'New Zealand',
    },
  ],
  UpdatedDateUTC: '/Date(1552595972920+0000)/',
};

describe('a Xero contact', () => {
  test('is read field by field', () => {
    expect(toContact(acme)).toEqual({
      platformId: 'acme',
      values: {
        name: 'Acme Limited',
        contactName: 'Ada Byron',
        contactType: 'CUSTOMER',
        currencyId: 'USD',
        taxNumber: 'T-2',
        registrationNumber: 'C-1',
        status: 'ACTIVE',
        updatedAt: '2019-03-14T20:39:32.920Z',
      },
      lines: {
        phoneNumbers: [
          { platformId: null, values: { number: '64 9 123 4567', type: 'TELEPHONE' } },
          { platformId: null, values: { number: '021 99', type: 'MOBILE' } },
        ],
        addresses: [
          {
            platformId: null,
            values: {
              dataModel: 'CONTACTS',
              dataModelId: 'acme',
              type: 'BILLING',
              street: 'PO Box 1, Roseneath, Floor 2',
              locality: 'Roseneath',
              city: 'Wellington',
              state: 'WGN',
              pincode: '6011',
              country: 'New Zealand',
            },
          },
        ],
        externalLinks: [
          { platformId: null, values: { link: 'ada@acme.example', type: 'EMAIL' } },
          { platformId: null, values: { link: 'https://acme.example', type: 'WEBSITE' } },
        ],
      },
    });
  });

  test.each([
    ['MOBILE', 'MOBILE'],
    ['FAX', 'FAX'],
    ['OFFICE', 'TELEPHONE'],
    [undefined, 'TELEPHONE'],
  ])('has a phone of the type %s as %s', (PhoneType, type) => {
    const Phones = [{ PhoneType, PhoneNumber: '1' }, null, 'odd'];
    expect(toContact({ ...acme, Phones }).lines?.['phoneNumbers']).toMatchObject([{ values: { type } }]);
  });

  test.each([
    ['POBOX', 'BILLING'],
    ['STREET', 'SHIPPING'],
    ['DELIVERY', 'SHIPPING'],
    ['MOON', null],
    [undefined, null],
  ])('has an address of the type %s as %s', (AddressType, type) => {
    const Addresses = [null, { AddressType, City: 'Wellington' }];
    expect(toContact({ ...acme, Addresses }).lines?.['addresses']).toMatchObject([{ values: { type } }]);
  });

  test('has no links where Xero has none', () => {
    const record = toContact({ ...acme, EmailAddress: '', Website: undefined });
    expect(record.lines?.['externalLinks']).toEqual([]);
  });

  test.each([
    [true, false, 'CUSTOMER'],
    [false, true, 'VENDOR'],
    [false, false, null],
    ['true', 1, null],
  ])('that is customer: %p and supplier: %p has the type %p', (IsCustomer, IsSupplier, type) => {
    expect(toContact({ ...acme, IsCustomer, IsSupplier }).values.contactType).toBe(type);
  });

  test.each([
    ['ACTIVE', 'ACTIVE'],
    ['ARCHIVED', 'ARCHIVED'],
    ['GDPRREQUEST', 'UNKNOWN'],
    [undefined, 'UNKNOWN'],
  ])('with the status %s is %s', (ContactStatus, status) => {
    expect(toContact({ ...acme, ContactStatus }).values.status).toBe(status);
  });

  test.each([
    ['Ada', '', 'Ada'],
    [null, 'Byron', 'Byron'],
    ['', undefined, null],
  ])('named %p %p is %p', (FirstName, LastName, name) => {
    expect(toContact({ ...acme, FirstName, LastName }).values.contactName).toBe(name);
  });

  test.each(oddValues)('survives %p in every field but its id', (value) => {
    const odd = Object.fromEntries(Object.keys(acme).map((name) => [name, value]));
    expect(toContact({ ...odd, ContactID: 'acme' }).platformId).toBe('acme');
  });

  test('cannot do without its id', () => {
    expect(() => toContact({ Name: 'Acme' })).toThrow('Xero sent a record without ContactID');
  });
});
