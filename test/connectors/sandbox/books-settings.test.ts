import { describe, expect, test } from '@jest/globals';

import { toAccount } from '../../../src/connectors/sandbox/books/mappers/account.js';
import { toBankAccount } from '../../../src/connectors/sandbox/books/mappers/bank-account.js';
import { toCompanyInfo } from '../../../src/connectors/sandbox/books/mappers/company-info.js';
import { toContact } from '../../../src/connectors/sandbox/books/mappers/contact.js';
import { toCurrency } from '../../../src/connectors/sandbox/books/mappers/currency.js';
import { toItem } from '../../../src/connectors/sandbox/books/mappers/item.js';
import { toProject } from '../../../src/connectors/sandbox/books/mappers/project.js';
import { toTaxRate } from '../../../src/connectors/sandbox/books/mappers/tax-rate.js';
import {
  toTrackingCategory,
  withOptions,
} from '../../../src/connectors/sandbox/books/mappers/tracking-category.js';
import { allBut, lookups, nothingKnown } from './lookups.js';
import {
  account,
  aud,
  CHANGED,
  companyDetails,
  currency,
  dimension,
  partner,
  product,
  project,
  taxCode,
} from './wire-books.js';

test('a currency is read field by field', () => {
  expect(toCurrency(currency)).toEqual({
    platformId: 'usd',
    values: {
      code: 'USD',
      name: 'US Dollar',
      symbol: '$',
      isBaseCurrency: false,
      exchangeRate: '1.5305',
      updatedAt: CHANGED,
    },
  });
});

describe('a tax code', () => {
  test('is read field by field, with its parts', () => {
    const component = (platformId: string, name: string, rate: string, isCompound: boolean) => ({
      platformId,
      values: { name, rate, taxAgency: 'Revenu Québec', isCompound },
    });
    expect(toTaxRate(taxCode)).toEqual({
      platformId: 'quebec',
      values: {
        name: 'Quebec GST and QST',
        code: 'CA-QC',
        taxType: 'BOTH',
        effectiveTaxRate: '14.975',
        totalTaxRate: '14.975',
        updatedAt: CHANGED,
      },
      lines: { components: [component('gst', 'GST', '5', false), component('qst', 'QST', '9.975', true)] },
    });
  });

  test.each([
    ['sales', 'SALES'],
    ['purchases', 'PURCHASE'],
    ['both', 'BOTH'],
    [null, null],
  ])('for %s is of type %s', (AppliesTo, taxType) => {
    expect(toTaxRate({ ...taxCode, AppliesTo }).values.taxType).toBe(taxType);
  });
});

describe('a dimension', () => {
  test('becomes a category and one for each of its options', () => {
    expect(withOptions(dimension).map(toTrackingCategory)).toEqual([
      {
        platformId: 'region',
        values: { name: 'Region', status: 'ACTIVE', parentId: null, hasChildren: true, updatedAt: CHANGED },
      },
      {
        platformId: 'australia',
        values: {
          name: 'Australia',
          status: 'ACTIVE',
          parentId: 'region',
          hasChildren: true,
          updatedAt: CHANGED,
        },
      },
      {
        platformId: 'victoria',
        values: {
          name: 'Victoria',
          status: 'ARCHIVED',
          parentId: 'australia',
          hasChildren: false,
          updatedAt: CHANGED,
        },
      },
    ]);
  });

  test('without options has no children', () => {
    expect(toTrackingCategory({ ...dimension, Options: [] }).values.hasChildren).toBe(false);
  });

  test('whose option has no Guid does not lend it its own', () => {
    const [, option = {}] = withOptions({ ...dimension, Options: [{ Title: 'Nameless' }] });
    expect(() => toTrackingCategory(option)).toThrow('sent a record without OptionGuid');
  });
});

describe('a ledger account', () => {
  test('is read field by field', () => {
    expect(toAccount(account, lookups)).toEqual({
      platformId: 'everyday',
      unresolved: false,
      values: {
        name: 'Everyday account',
        description: 'Everyday account of the company',
        nominalCode: '1010',
        category: 'BANK',
        subCategory: 'CHECKING',
        status: 'ACTIVE',
        currentBalance: '24299.53',
        currencyId: 'CURRENCIES AUD',
        currencyCode: 'AUD',
        parentAccountId: 'ACCOUNTS 1000',
        updatedAt: CHANGED,
      },
    });
  });

  test.each([
    ['assets', 'ASSET'],
    ['bank', 'BANK'],
    ['liabilities', 'LIABILITY'],
    ['equity', 'EQUITY'],
    ['revenue', 'INCOME'],
    ['costs', 'EXPENSE'],
    ['suspense', 'ASSET'],
    ['odd', 'UNKNOWN'],
    [null, 'UNKNOWN'],
  ])('of class %s is %s', (Class, category) => {
    expect(toAccount({ ...account, Class }, lookups).values.category).toBe(category);
  });

  test.each([
    ['open', 'ACTIVE'],
    ['closed', 'ARCHIVED'],
    ['new', 'UNKNOWN'],
    [null, 'UNKNOWN'],
  ])('in the state %s is %s and never deleted', (State, status) => {
    const record = toAccount({ ...account, State }, lookups);
    expect(record.values.status).toBe(status);
    expect(record.deleted).toBeUndefined();
  });

  test('has the group as one word', () => {
    expect(toAccount({ ...account, Group: 'fixed asset' }, lookups).values.subCategory).toBe('FIXED_ASSET');
  });

  test('waits for the account above it', () => {
    const record = toAccount(account, allBut('1000'));
    expect(record).toMatchObject({ unresolved: true, values: { parentAccountId: null } });
  });

  test('at the top waits for nothing', () => {
    const record = toAccount({ ...account, ParentNumber: null }, allBut('1000'));
    expect(record).toMatchObject({ unresolved: false, values: { parentAccountId: null } });
  });

  test.each([
    ['12.50', '-12.5'],
    ['0.00', '0'],
  ])('of suspense with %s on the credit side has %s as an asset', (amount, balance) => {
    const suspense = { ...account, Class: 'suspense', Balance: aud(amount) };
    expect(toAccount(suspense, lookups).values.currentBalance).toBe(balance);
  });

  test('keeps every digit of its balance', () => {
    const Balance = aud('9007199254740993.01');
    expect(toAccount({ ...account, Balance }, lookups).values.currentBalance).toBe('9007199254740993.01');
  });
});

describe('a bank account', () => {
  test('is read of the account of the chart, by its Guid', () => {
    expect(toBankAccount(account, lookups)).toEqual({
      platformId: 'everyday',
      unresolved: false,
      values: {
        institutionName: 'Harbour Bank',
        accountName: 'Everyday account',
        accountNumber: '062-000 1048 2216',
        balance: '24299.53',
        currencyId: 'CURRENCIES AUD',
        currencyCode: 'AUD',
        category: 'CHECKING',
        updatedAt: CHANGED,
      },
    });
  });

  test('is none where the account is at no bank', () => {
    expect(toBankAccount({ ...account, Bank: null }, lookups)).toBeNull();
  });
});

test('the company is read field by field', () => {
  expect(toCompanyInfo(companyDetails)).toEqual({
    platformId: 'company',
    values: {
      name: 'Harbour Furniture',
      legalName: 'Harbour Furniture Pty Ltd',
      taxNumber: '51 824 753 556',
      registrationNumber: '824 753 556',
      baseCurrency: 'AUD',
      fiscalStartAt: '2025-07-01',
      orgCreatedAt: '2026-01-05T09:02:30.000Z',
      updatedAt: CHANGED,
    },
  });
});

test('a project is read field by field', () => {
  expect(toProject(project)).toEqual({
    platformId: 'refit',
    values: { code: 'PRJ-001', name: 'Harbour Hotel: refit', description: 'Refit for Harbour Hotel' },
  });
});

describe('a product', () => {
  test('is read field by field', () => {
    expect(toItem(product, lookups)).toEqual({
      platformId: 'lamp',
      unresolved: false,
      values: {
        name: 'Desk lamp',
        description: 'Desk lamp (LMP-01)',
        code: 'LMP-01',
        status: 'ACTIVE',
        type: 'INVENTORY',
        quantityOnHand: '57',
        isBillItem: true,
        isInvoiceItem: true,
        billItemAccountId: 'ACCOUNTS 1200',
        billItemTaxId: 'TAX_RATES AU-GST',
        billItemUnitPrice: '21.40',
        billItemDescription: 'Desk lamp, purchase',
        invoiceItemAccountId: 'ACCOUNTS 4100',
        invoiceItemTaxId: 'TAX_RATES AU-GST',
        invoiceItemUnitPrice: '49.90',
        invoiceItemDescription: 'Desk lamp',
        updatedAt: CHANGED,
      },
    });
  });

  test('that is not bought has no terms for it', () => {
    expect(toItem({ ...product, Buying: null }, lookups)).toMatchObject({
      unresolved: false,
      values: {
        isBillItem: false,
        isInvoiceItem: true,
        billItemAccountId: null,
        billItemTaxId: null,
        billItemUnitPrice: null,
        billItemDescription: null,
      },
    });
  });

  test.each([
    ['stocked', 'INVENTORY'],
    ['non-stocked', 'NON_INVENTORY'],
    ['service', 'SERVICE'],
    ['bundle', 'UNKNOWN'],
  ])('of nature %s is %s', (Nature, type) => {
    expect(toItem({ ...product, Nature }, lookups).values.type).toBe(type);
  });

  test.each(['4100', '1200', 'AU-GST'])('waits for the code %s', (code) => {
    expect(toItem(product, allBut(code)).unresolved).toBe(true);
  });
});

describe('a partner', () => {
  test('is read field by field', () => {
    expect(toContact(partner, lookups)).toEqual({
      platformId: 'cafe',
      unresolved: false,
      values: {
        name: 'Harbour Cafe',
        contactName: 'Mia Harbour',
        contactType: 'CUSTOMER',
        currencyId: 'CURRENCIES AUD',
        taxNumber: '41299311882',
        registrationNumber: '551029388',
        status: 'ACTIVE',
        updatedAt: CHANGED,
      },
      lines: {
        phoneNumbers: [{ platformId: null, values: { number: '+61 2 5550 1234', type: 'TELEPHONE' } }],
        addresses: [
          {
            platformId: null,
            values: {
              dataModel: 'CONTACTS',
              dataModelId: 'cafe',
              type: 'BILLING',
              street: '12 Quay Street',
              locality: 'Old Town',
              city: 'Sydney',
              state: 'NSW',
              pincode: '2000',
              country: 'Australia',
            },
          },
        ],
        externalLinks: [
          { platformId: null, values: { link: 'accounts@harbour-cafe.example', type: 'EMAIL' } },
          { platformId: null, values: { link: 'https://harbour-cafe.example', type: 'WEBSITE' } },
        ],
      },
    });
  });

  test.each([
    ['customer', 'CUSTOMER'],
    ['supplier', 'VENDOR'],
    ['employee', null],
  ])('in the role %s is %s', (Role, contactType) => {
    expect(toContact({ ...partner, Role }, lookups).values.contactType).toBe(contactType);
  });

  test.each([
    ['landline', 'TELEPHONE'],
    ['mobile', 'MOBILE'],
    ['fax', 'FAX'],
    ['pager', null],
  ])('has a %s as %s', (Use, type) => {
    const record = toContact({ ...partner, Phones: [{ Use, Number: '1' }] }, lookups);
    expect(record.lines?.['phoneNumbers']?.[0]?.values).toEqual({ number: '1', type });
  });

  test('in a currency that is not known yet waits for it', () => {
    expect(toContact(partner, nothingKnown)).toMatchObject({
      unresolved: true,
      values: { currencyId: null },
    });
  });
});
