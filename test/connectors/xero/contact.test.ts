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
    });
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
