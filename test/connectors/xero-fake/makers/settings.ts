import { type Account, type Company, type Currency, type TaxRate, type TrackingCategory } from '../domain.js';
import { guidOf, indexes, kept } from './kept.js';

const BASE_CURRENCY = 'NZD';

export function makeCompany(): Company {
  return {
    ...kept(guidOf('tenant'), 0),
    name: 'Demo Company',
    legalName: 'Demo Company Limited',
    taxNumber: '071-138-054',
    registrationNumber: '6543210',
    yearEnd: { day: 31, month: 3 },
    yearStart: '2024-04-01',
    openedAt: new Date('2025-01-02T03:04:05.678Z'),
  };
}

export function makeCurrencies(): Currency[] {
  const all = [
    [BASE_CURRENCY, 'New Zealand Dollar', '1'],
    ['USD', 'United States Dollar', '1.6'],
    ['EUR', 'Euro', '2'],
  ] as const;
  return all.map(([code, name, worth], index) => ({ ...kept(code, index), name, worth }));
}

export function makeTaxRates(): TaxRate[] {
  const simple = [
    ['OUTPUT2', '15% GST on Income', 'OUTPUT', '15', 'ACTIVE'],
    ['INPUT2', '15% GST on Expenses', 'INPUT', '15', 'ACTIVE'],
    ['ZERORATED', 'Zero Rated', 'OUTPUT', '0', 'ACTIVE'],
    ['NONE', 'No GST', 'NONE', '0', 'ACTIVE'],
    ['TAX002', '12.5% GST on Income', 'OUTPUT', '12.5', 'ARCHIVED'],
    ['TAX003', 'Entered by mistake', 'OUTPUT', '7', 'DELETED'],
  ] as const;
  const rates = simple.map(([type, name, reportType, rate, status], index) => ({
    ...kept(type, index, status),
    name,
    reportType,
    rate,
    effectiveRate: rate,
    components: [{ name: 'GST', rate, isCompound: false }],
  }));
  const compound = {
    ...kept('TAX001', 9),
    name: 'State and city',
    reportType: 'OUTPUT',
    rate: '8.25',
    effectiveRate: '8.3063',
    components: [
      { name: 'State', rate: '7.5', isCompound: false },
      { name: 'City', rate: '0.75', isCompound: true },
    ],
  };
  return [...rates, compound];
}

/** Code, name, type, class. */
const CHART = [
  ['200', 'Sales', 'REVENUE', 'REVENUE'],
  ['260', 'Other Revenue', 'OTHERINCOME', 'REVENUE'],
  ['310', 'Cost of Goods Sold', 'DIRECTCOSTS', 'EXPENSE'],
  ['400', 'Advertising', 'OVERHEADS', 'EXPENSE'],
  ['453', 'Office Expenses', 'EXPENSE', 'EXPENSE'],
  ['469', 'Rent', 'EXPENSE', 'EXPENSE'],
  ['630', 'Inventory', 'INVENTORY', 'ASSET'],
  ['710', 'Office Equipment', 'FIXED', 'ASSET'],
  ['820', 'GST', 'CURRLIAB', 'LIABILITY'],
  ['900', 'Loan', 'TERMLIAB', 'LIABILITY'],
  ['970', 'Owner Funds Introduced', 'EQUITY', 'EQUITY'],
] as const;

/** Nothing is booked to these: they can be archived and deleted. */
export const SPARE_ACCOUNT = 'SPARE';

export function makeAccounts(currencies: readonly Currency[]): Account[] {
  const currencyOf = (code: string) => currencies.find(({ id }) => id === code) ?? null;
  // A bank account need not have a code.
  const banks = [
    ['090', 'Business Account', BASE_CURRENCY],
    [null, 'Savings', BASE_CURRENCY],
    ['091', 'Dollar Account', 'USD'],
  ] as const;
  const ofBanks = banks.map(([code, name, currency], index) => ({
    ...kept(guidOf(`account ${name}`), index),
    code,
    name,
    description: null,
    type: 'BANK',
    accountClass: 'ASSET',
    currency: currencyOf(currency),
  }));
  const ofChart = CHART.map(([code, name, type, accountClass], index) => ({
    ...kept(guidOf(`account ${code}`), index + 10),
    code,
    name,
    description: index % 3 === 0 ? null : `All that is ${name.toLowerCase()}`,
    type,
    accountClass,
    currency: null,
  }));
  const spare = indexes(20).map((index) => ({
    ...kept(guidOf(`account spare ${index}`), index + 30, ['ARCHIVED', 'DELETED'][index] ?? 'ACTIVE'),
    code: `${SPARE_ACCOUNT}${index}`,
    name: `Spare ${index}`,
    description: null,
    type: 'EXPENSE',
    accountClass: 'EXPENSE',
    currency: null,
  }));
  // Nobody books to these: documents do.
  const controls = [
    ['610', 'Accounts Receivable', 'CURRENT', 'ASSET'],
    ['800', 'Accounts Payable', 'CURRLIAB', 'LIABILITY'],
  ] as const;
  const ofSystem = controls.map(([code, name, type, accountClass], index) => ({
    ...kept(guidOf(`account ${code}`), index + 60),
    ...{ code, name, description: null, type, accountClass, currency: null },
    isControl: true,
  }));
  return [...ofBanks, ...ofChart, ...spare, ...ofSystem];
}

export function makeTrackingCategories(): TrackingCategory[] {
  const all = [
    ['Region', 'ACTIVE', ['North', 'South', 'East', 'West']],
    ['Team', 'ACTIVE', ['Red', 'Blue', 'Green']],
    ['Season', 'ARCHIVED', ['Summer', 'Winter']],
    ['Project', 'ACTIVE', []],
  ] as const;
  return all.map(([name, status, options], index) => ({
    ...kept(guidOf(`tracking ${name}`), index, status),
    name,
    options: options.map((option, place) => ({
      // The last option of each was given up.
      ...kept(
        guidOf(`tracking ${name} ${option}`),
        place,
        place === options.length - 1 ? 'ARCHIVED' : 'ACTIVE',
      ),
      name: option,
    })),
  }));
}
