import { describe, expect, test } from '@jest/globals';

import { toAccount } from '../../../src/connectors/xero/mappers/account.js';
import { oddValues } from './lookups.js';

const cash = {
  AccountID: 'cash',
  Code: '090',
  Name: 'Cash',
  Type: 'BANK',
  Class: 'ASSET',
  Status: 'ACTIVE',
  Description: 'The till',
  CurrencyCode: 'NZD',
  UpdatedDateUTC: '/Date(1552595972920+0000)/',
};

describe('a Xero account', () => {
  test('is read field by field', () => {
    expect(toAccount(cash)).toEqual({
      platformId: 'cash',
      deleted: false,
      values: {
        name: 'Cash',
        description: 'The till',
        nominalCode: '090',
        category: 'BANK',
        subCategory: 'BANK',
        status: 'ACTIVE',
        currencyId: 'NZD',
        currencyCode: 'NZD',
        updatedAt: '2019-03-14T20:39:32.920Z',
      },
    });
  });

  test.each([
    ['REVENUE', 'REVENUE', 'INCOME'],
    ['SALES', 'REVENUE', 'INCOME'],
    ['OTHERINCOME', undefined, 'INCOME'],
    ['CURRENT', 'ASSET', 'ASSET'],
    ['OVERHEADS', 'EXPENSE', 'EXPENSE'],
    ['TERMLIAB', 'LIABILITY', 'LIABILITY'],
    ['EQUITY', 'EQUITY', 'EQUITY'],
    ['BANK', undefined, 'BANK'],
    ['REVENUE', 'NEWCLASS', 'UNKNOWN'],
    ['NEWTYPE', undefined, 'UNKNOWN'],
    ['toString', undefined, 'UNKNOWN'],
    [undefined, 'toString', 'UNKNOWN'],
    [undefined, undefined, 'UNKNOWN'],
  ])('of type %s and class %s is %s', (Type, Class, category) => {
    expect(toAccount({ AccountID: 'a', Type, Class }).values.category).toBe(category);
  });

  test('has no currency unless Xero names one', () => {
    const { values } = toAccount({ AccountID: 'sales', Type: 'REVENUE' });
    expect([values.currencyId, values.currencyCode]).toEqual([null, null]);
  });

  test.each([
    ['DELETED', true],
    ['ARCHIVED', false],
  ])('keeps the word %s', (Status, deleted) => {
    expect(toAccount({ ...cash, Status })).toMatchObject({ deleted, values: { status: Status } });
  });

  test.each(oddValues)('survives %p in every field but its id', (value) => {
    const odd = Object.fromEntries(Object.keys(cash).map((name) => [name, value]));
    expect(toAccount({ ...odd, AccountID: 'cash' }).platformId).toBe('cash');
  });

  test.each([undefined, null, '', 7])('cannot do without its id (%p)', (AccountID) => {
    expect(() => toAccount({ ...cash, AccountID })).toThrow('Xero sent a record without AccountID');
  });
});
