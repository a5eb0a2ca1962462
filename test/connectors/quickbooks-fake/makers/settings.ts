import { Decimal } from 'decimal.js';

import { type QuickbooksCompany } from '../company.js';
import { type Account, type CompanyInfo, type Currency, type Dimension } from '../domain.js';
import { imported, kept } from './kept.js';

export const makeInfo = (): CompanyInfo => ({
  ...kept('1', 4),
  name: "Larry's Works",
  legalName: "Larry's Works, Inc.",
  employerId: '123456789',
  firstMonth: 4,
  address: {
    id: '1',
    lines: ['2500 Garcia Ave'],
    city: 'Mountain View',
    state: 'CA',
    postalCode: '94043',
    country: 'US',
  },
});

const HOMES = {
  US: ['USD', 'United States Dollar'],
  GB: ['GBP', 'British Pound Sterling'],
} as const;

export const makeHome = (edition: QuickbooksCompany['edition']): Currency => ({
  ...imported('0'),
  code: HOMES[edition][0],
  name: HOMES[edition][1],
  active: true,
  rate: new Decimal(1),
  digits: 2,
  isHome: true,
});

const CURRENCIES = [
  ['CAD', 'Canadian Dollar', '0.7314159', 2],
  ['EUR', 'Euro', '1.0825', 2],
  ['JPY', 'Japanese Yen', '0.00671', 0],
] as const;

export function makeCurrencies({ shelves }: QuickbooksCompany): void {
  CURRENCIES.forEach(([code, name, rate, digits], index) => {
    shelves.CompanyCurrency.push({
      ...kept(String(index + 1), index),
      code,
      name,
      active: true,
      rate: new Decimal(rate),
      digits,
      isHome: false,
    });
  });
  shelves.CompanyCurrency.push({
    ...kept('4', 9),
    code: 'ANG',
    name: 'Dutch Guilder',
    active: false,
    rate: new Decimal('0.5587'),
    digits: 2,
    isHome: false,
  });
}

type AccountRow = readonly [
  name: string,
  type: string,
  subType: string,
  classification: Account['classification'],
  number: string | null,
  balance: string,
  currency?: string,
];

const ACCOUNTS: readonly AccountRow[] = [
  ['Checking', 'Bank', 'Checking', 'Asset', '1000', '1201.00'],
  ['Savings', 'Bank', 'Savings', 'Asset', '1010', '800.5'],
  ['Toronto Dominion', 'Bank', 'Checking', 'Asset', null, '5531.27', 'CAD'],
  ['Mastercard', 'Credit Card', 'CreditCard', 'Liability', '2100', '-157.72'],
  ['Accounts Receivable (A/R)', 'Accounts Receivable', 'AccountsReceivable', 'Asset', null, '5281.52'],
  ['Accounts Payable (A/P)', 'Accounts Payable', 'AccountsPayable', 'Liability', null, '-1602.67'],
  ['Undeposited Funds', 'Other Current Asset', 'UndepositedFunds', 'Asset', null, '2062.52'],
  ['Inventory Asset', 'Other Current Asset', 'Inventory', 'Asset', '1200', '596.25'],
  ['Truck', 'Fixed Asset', 'Vehicles', 'Asset', null, '13495'],
  ['Notes Payable', 'Other Current Liability', 'OtherCurrentLiabilities', 'Liability', '2200', '-25000'],
  [
    'Board of Equalization Payable',
    'Other Current Liability',
    'SalesTaxPayable',
    'Liability',
    null,
    '-370.94',
  ],
  ['Opening Balance Equity', 'Equity', 'OpeningBalanceEquity', 'Equity', null, '-9337.5'],
  ['Sales of Product Income', 'Income', 'SalesOfProductIncome', 'Revenue', '4000', '0'],
  ['Landscaping Services', 'Income', 'OtherPrimaryIncome', 'Revenue', '4100', '0'],
  ['Discounts given', 'Income', 'DiscountsRefundsGiven', 'Revenue', null, '0'],
  ['Interest Earned', 'Other Income', 'InterestEarned', 'Revenue', null, '0'],
  ['Cost of Goods Sold', 'Cost of Goods Sold', 'SuppliesMaterialsCogs', 'Expense', '5000', '0'],
  ['Office Expenses', 'Expense', 'OfficeGeneralAdministrativeExpenses', 'Expense', '6000', '0'],
  ['Fuel', 'Expense', 'Auto', 'Expense', '6100', '0'],
  ['Miscellaneous', 'Other Expense', 'OtherMiscellaneousExpense', 'Expense', null, '0'],
];

/** Some have one above them, and one is out of use. */
export function makeAccounts(company: QuickbooksCompany): void {
  const { shelves, home } = company;
  const add = (row: AccountRow, index: number, parent: Account | null, active = true): Account => {
    const [name, type, subType, classification, number, balance, code] = row;
    const currency = shelves.CompanyCurrency.find((one) => one.code === code) ?? home;
    const account: Account = {
      ...kept(String(33 + index), index),
      name: active ? name : `${name} (deleted)`,
      active,
      type,
      subType,
      classification,
      number,
      description: index % 4 === 0 ? `What belongs to ${name}, "all" of it` : null,
      currency,
      balance: new Decimal(balance),
      parent,
    };
    shelves.Account.push(account);
    return account;
  };
  ACCOUNTS.forEach((row, index) => add(row, index, null));
  const income = accountNamed(company, 'Landscaping Services');
  const below = add(['Job Materials', 'Income', 'SalesOfProductIncome', 'Revenue', '4110', '0'], 40, income);
  add(['Plants and Soil', 'Income', 'SalesOfProductIncome', 'Revenue', null, '0'], 41, below);
  add(['Old Visa', 'Credit Card', 'CreditCard', 'Liability', '2101', '0'], 42, null, false);
}

export function accountNamed({ shelves }: QuickbooksCompany, name: string): Account {
  const found = shelves.Account.find((account) => account.name === name);
  if (!found) throw new Error(`there is no account ${name}`);
  return found;
}

/** Ids of classes are long: as a number the last digits would be lost. */
export function makeDimensions({ shelves }: QuickbooksCompany): void {
  const add = (
    kind: Dimension['kind'],
    id: string,
    name: string,
    parent: Dimension | null,
    active = true,
  ) => {
    const made: Dimension = {
      ...kept(id, shelves[kind].length + 3),
      kind,
      name: active ? name : `${name} (deleted)`,
      active,
      parent,
    };
    shelves[kind].push(made);
    return made;
  };
  const europe = add('Class', '5000000000000007280', 'Europe', null);
  const france = add('Class', '5000000000000007281', 'France', europe);
  add('Class', '5000000000000007282', 'Paris', france);
  add('Class', '5000000000000007283', 'Retail', null);
  add('Class', '5000000000000007284', 'Trade fairs', null, false);
  add('Class', '3', 'Overhead', null);
  const west = add('Department', '1', 'West', null);
  add('Department', '2', 'Oakland', west);
  add('Department', '3', 'East', null);
  add('Department', '4', 'Warehouse', null, false);
}
