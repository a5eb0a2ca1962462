import { describe, expect, test } from '@jest/globals';

import { toBankAccount } from '../../../src/connectors/xero/mappers/bank-account.js';
import { toCompanyInfo } from '../../../src/connectors/xero/mappers/company-info.js';

const organisation = {
  OrganisationID: 'org',
  Name: 'Maple',
  LegalName: 'Maple Limited',
  TaxNumber: '071-138-054',
  RegistrationNumber: '6543210',
  BaseCurrency: 'NZD',
  FinancialYearEndDay: 31,
  FinancialYearEndMonth: 3,
  CreatedDateUTC: '/Date(1455827393000)/',
};

describe('a Xero organisation', () => {
  test('is read field by field', () => {
    expect(toCompanyInfo(organisation)).toEqual({
      platformId: 'org',
      values: {
        name: 'Maple',
        legalName: 'Maple Limited',
        taxNumber: '071-138-054',
        registrationNumber: '6543210',
        baseCurrency: 'NZD',
        fiscalStartAt: '2015-04-01',
        orgCreatedAt: '2016-02-18T20:29:53.000Z',
      },
    });
  });

  test.each([
    [31, 12, '2016-01-01'],
    [30, 6, '2015-07-01'],
    [28, 2, '2015-03-01'],
    [29, 2, '2015-03-01'],
    [17, 2, '2016-02-18'],
    [18, 2, '2015-02-19'],
    [0, 3, null],
    [31, 13, null],
    ['last', 3, null],
  ])('whose year ends on %s of month %s begins it on %s', (day, month, expected) => {
    const object = { ...organisation, FinancialYearEndDay: day, FinancialYearEndMonth: month };
    expect(toCompanyInfo(object).values.fiscalStartAt).toBe(expected);
  });

  test('of which nothing is said has no such day', () => {
    expect(toCompanyInfo({ OrganisationID: 'org' }).values.fiscalStartAt).toBeNull();
  });
});

describe('a Xero account of type BANK', () => {
  const account = {
    AccountID: 'cash',
    Name: 'Cash',
    Type: 'BANK',
    Status: 'ACTIVE',
    BankAccountNumber: '0209087654321050',
    BankAccountType: 'CREDITCARD',
    CurrencyCode: 'NZD',
    UpdatedDateUTC: '/Date(1552595972920+0000)/',
  };

  test('is a bank account by the same id', () => {
    expect(toBankAccount(account)).toEqual({
      platformId: 'cash',
      deleted: false,
      values: {
        accountName: 'Cash',
        accountNumber: '0209087654321050',
        currencyId: 'NZD',
        currencyCode: 'NZD',
        category: 'CREDITCARD',
        updatedAt: '2019-03-14T20:39:32.920Z',
      },
    });
  });

  test('is gone when it was deleted, and another type is none', () => {
    expect(toBankAccount({ ...account, Status: 'DELETED' })?.deleted).toBe(true);
    expect(toBankAccount({ ...account, Type: 'CURRENT' })).toBeNull();
  });
});
