import { describe, expect, test } from '@jest/globals';

import { quickbooksReports } from '../../../src/connectors/quickbooks/reports.js';
import { answering } from '../sandbox/answering.js';

const PERIOD = { start: '2026-01-01', end: '2026-01-31' };

const cells = (name: string, ...amounts: string[]) => ({
  ColData: [{ value: name }, ...amounts.map((value) => ({ value }))],
});
const account = (id: string, name: string, ...amounts: string[]) => ({
  ColData: [{ value: name, id }, ...amounts.map((value) => ({ value }))],
  type: 'Data',
});
/** An account with others below it; its own amount, if any, is in the header. */
const parent = (id: string, name: string, own: string, total: string, ...Row: object[]) => ({
  Header: { ColData: [{ value: name, id }, { value: own }] },
  Rows: { Row },
  Summary: cells(`Total ${name}`, total),
  type: 'Section',
});
const section = (group: string, name: string, total: string, ...Row: object[]) => ({
  Header: cells(name, ''),
  ...(Row.length === 0 ? {} : { Rows: { Row } }),
  Summary: cells(`Total ${name}`, total),
  type: 'Section',
  group,
});
const total = (group: string, name: string, ...amounts: string[]) => ({
  Summary: cells(name, ...amounts),
  type: 'Section',
  group,
});
const earned = (amount: string) => ({ ...cells('Net Income', amount), type: 'Data', group: 'NetIncome' });

const report = (rows: readonly object[], hasNone = 'false') => ({
  Header: { ReportBasis: 'Accrual', Option: [{ Name: 'NoReportData', Value: hasNone }] },
  Columns: { Column: [] },
  Rows: rows.length === 0 ? {} : { Row: rows },
});
const sending = (rows: readonly object[], hasNone?: string) => answering(() => report(rows, hasNone));

/** The same rows with another amount, or none, beside a name. */
const changed = (rows: readonly object[], name: string, amount: string): object[] =>
  JSON.parse(JSON.stringify(rows), (key, one: unknown) =>
    key === 'ColData' && (one as { value: string }[])[0]?.value === name
      ? [(one as object[])[0], { value: amount }]
      : one,
  ) as object[];

const SHEET = [
  section(
    'TotalAssets',
    'ASSETS',
    '250.00',
    section(
      'CurrentAssets',
      'Current Assets',
      '150.50',
      section(
        'BankAccounts',
        'Bank Accounts',
        '120.50',
        account('35', 'Checking', '130.50'),
        account('36', 'Savings', '-10.00'),
        account('37', 'Closed', '0.00'),
        account('38', 'Never used', ''),
      ),
      section('AR', 'Accounts Receivable', '30.00', account('84', 'Accounts Receivable (A/R)', '30.00')),
    ),
    section(
      'FixedAssets',
      'Fixed Assets',
      '99.50',
      parent(
        '40',
        'Truck',
        '9.50',
        '99.50',
        parent('41', 'Depreciation', '', '-10.00', account('43', 'Of 2025', '-10.00')),
        account('42', 'Original Cost', '100.00'),
      ),
    ),
  ),
  section(
    'TotalLiabilitiesAndEquity',
    'LIABILITIES AND EQUITY',
    '250.00',
    section(
      'Liabilities',
      'Liabilities',
      '40.00',
      section(
        'CurrentLiabilities',
        'Current Liabilities',
        '40.00',
        section('AP', 'Accounts Payable', '25.00', account('33', 'Accounts Payable (A/P)', '25.00')),
        section('CreditCards', 'Credit Cards', '15.00', account('44', 'Visa', '15.00')),
      ),
    ),
    section(
      'Equity',
      'Equity',
      '210.00',
      account('34', 'Opening Balance Equity', '200.00'),
      account('2', 'Retained Earnings', '-5.00'),
      earned('15.00'),
    ),
  ),
];
describe('a balance sheet', () => {
  test('has the accounts of each part by section, and what was earned in the year', async () => {
    const client = sending(SHEET);
    const line = (name: string, value: string, accountId: string | null) => ({
      name,
      value,
      accountId,
      lineItems: [],
    });
    expect(await quickbooksReports.BalanceSheet?.(client, PERIOD)).toEqual({
      assets: [
        {
          name: 'Bank Accounts',
          value: '120.5',
          accountId: null,
          lineItems: [line('Checking', '130.50', '35'), line('Savings', '-10.00', '36')],
        },
        {
          name: 'Accounts Receivable',
          value: '30',
          accountId: null,
          lineItems: [line('Accounts Receivable (A/R)', '30.00', '84')],
        },
        {
          name: 'Fixed Assets',
          value: '99.5',
          accountId: null,
          lineItems: [
            line('Truck', '9.50', '40'),
            line('Truck:Depreciation:Of 2025', '-10.00', '43'),
            line('Truck:Original Cost', '100.00', '42'),
          ],
        },
      ],
      liabilities: [
        expect.objectContaining({ name: 'Accounts Payable', value: '25' }),
        expect.objectContaining({ name: 'Credit Cards', value: '15' }),
      ],
      equity: [
        line('Opening Balance Equity', '200.00', '34'),
        line('Retained Earnings', '-5.00', '2'),
        line('Net Income', '15.00', null),
      ],
      netAssets: '210.00',
    });
    expect(client.calls).toEqual([
      {
        path: '/reports/BalanceSheet',
        query: { accounting_method: 'Accrual', start_date: '2026-01-01', end_date: '2026-01-31' },
      },
    ]);
  });

  test.each([
    ['BankAccounts', 'assets'],
    ['AR', 'assets'],
    ['OtherCurrentAssets', 'assets'],
    ['FixedAssets', 'assets'],
    ['OtherAssets', 'assets'],
    ['AP', 'liabilities'],
    ['CreditCards', 'liabilities'],
    ['OtherCurrentLiabilities', 'liabilities'],
    ['LongTermLiabilities', 'liabilities'],
  ] as const)('has %s among the %s', async (group, part) => {
    const worth = part === 'assets' ? '7.00' : '-7.00';
    const rows = [
      section(group, 'Some accounts', '7.00', account('50', 'An account', '7.00')),
      section('Equity', 'Equity', worth, earned(worth)),
    ];
    expect(await quickbooksReports.BalanceSheet?.(sending(rows), PERIOD)).toMatchObject({
      [part]: [{ name: 'Some accounts', value: '7', lineItems: [{ accountId: '50' }] }],
      netAssets: worth,
    });
  });

  test('of a company that has nothing yet is empty', async () => {
    expect(await quickbooksReports.BalanceSheet?.(sending([], 'true'), PERIOD)).toEqual({
      assets: [],
      liabilities: [],
      equity: [],
      netAssets: '0.00',
    });
  });

  test.each([
    ['an account that its section does not contain', changed(SHEET, 'Checking', '131.50')],
    [
      'equity that is not what is left of the assets',
      changed(changed(SHEET, 'Net Income', '14.00'), 'Total Equity', '209.00'),
    ],
    ['a section that states another total', changed(SHEET, 'Total Bank Accounts', '121.50')],
    ['an amount that is none', changed(SHEET, 'Checking', '(130.50)')],
    ['a total that is no amount', changed(SHEET, 'Total Bank Accounts', '120.50 USD')],
    [
      'accounts outside its parts',
      [...SHEET, section('Reserves', 'Reserves', '1.00', account('90', 'A reserve', '1.00'))],
    ],
    ['rows that are no objects', [7 as unknown as object]],
  ])('is refused with %s', async (_, rows) => {
    await expect(quickbooksReports.BalanceSheet?.(sending(rows), PERIOD)).rejects.toMatchObject({
      code: 'platform-answer',
    });
  });

  test('is not what has no rows', async () => {
    const client = answering(() => ({ QueryResponse: {} }));
    await expect(quickbooksReports.BalanceSheet?.(client, PERIOD)).rejects.toMatchObject({
      message: 'QuickBooks sent a report BalanceSheet without Rows',
    });
  });
});

const PROFIT = [
  section(
    'Income',
    'Income',
    '500.00',
    parent('45', 'Landscaping', '450.00', '565.00', account('46', 'Labor', '115.00')),
    account('54', 'Pest Control', '-65.00'),
  ),
  section('COGS', 'Cost of Goods Sold', '200.00', account('80', 'Cost of Goods Sold', '200.00')),
  total('GrossProfit', 'Gross Profit', '300.00'),
  section('Expenses', 'Expenses', '100.00', account('17', 'Rent', '100.00')),
  total('NetOperatingIncome', 'Net Operating Income', '200.00'),
  section('OtherIncome', 'Other Income', '5.00', account('25', 'Interest', '5.00')),
  section('OtherExpenses', 'Other Expenses', '7.50', account('14', 'Fines', '7.50')),
  total('NetOtherIncome', 'Net Other Income', '-2.50'),
  total('NetIncome', 'Net Income', '197.50'),
];

describe('an income statement', () => {
  test('has its sections by their groups, and the profits of them', async () => {
    const client = sending(PROFIT);
    expect(await quickbooksReports.IncomeStatement?.(client, PERIOD)).toMatchObject({
      revenue: [
        { name: 'Landscaping', value: '450.00', accountId: '45' },
        { name: 'Landscaping:Labor', value: '115.00', accountId: '46' },
        { name: 'Pest Control', value: '-65.00' },
      ],
      costOfGoodsSold: [{ accountId: '80' }],
      grossProfit: '300.00',
      operatingExpenses: [{ accountId: '17' }],
      operatingProfit: '200.00',
      nonOperatingRevenue: [{ accountId: '25' }],
      nonOperatingExpenses: [{ accountId: '14' }],
      earningsBeforeTaxes: '197.50',
      taxes: [],
      netProfit: '197.50',
    });
    expect(client.calls).toEqual([
      {
        path: '/reports/ProfitAndLoss',
        query: { accounting_method: 'Accrual', start_date: '2026-01-01', end_date: '2026-01-31' },
      },
    ]);
  });

  test('of a period without anything is all zero', async () => {
    const rows = [section('Income', 'Income', ''), section('Expenses', 'Expenses', '')];
    expect(await quickbooksReports.IncomeStatement?.(sending(rows, 'true'), PERIOD)).toMatchObject({
      revenue: [],
      netProfit: '0.00',
    });
  });

  test('whose rows are each rounded need not come to its profit to the cent', async () => {
    const rows = changed(PROFIT, 'Net Income', '197.51');
    expect(await quickbooksReports.IncomeStatement?.(sending(rows), PERIOD)).toMatchObject({
      netProfit: '197.50',
    });
  });

  test.each([
    ['another profit', changed(PROFIT, 'Net Income', '198.50')],
    ['no profit', PROFIT.slice(0, -1)],
    [
      'a section of no known group',
      [...PROFIT, section('Windfalls', 'Windfalls', '1.00', account('91', 'Luck', '1.00'))],
    ],
  ])('is refused with %s', async (_, rows) => {
    await expect(quickbooksReports.IncomeStatement?.(sending(rows), PERIOD)).rejects.toMatchObject({
      code: 'platform-answer',
    });
  });
});

const CASH = [
  section('OperatingActivities', 'OPERATING ACTIVITIES', '300.00', earned('-350.00'), {
    Header: cells('Adjustments:', ''),
    Rows: { Row: [account('33', 'Accounts Payable (A/P)', '300.00')] },
    type: 'Section',
    group: 'OperatingAdjustments',
  }),
  section('InvestingActivities', 'INVESTING ACTIVITIES', '-20.00', account('40', 'Truck', '-20.00')),
  section(
    'FinancingActivities',
    'FINANCING ACTIVITIES',
    '500.00',
    account('34', 'Opening Balance Equity', '500.00'),
  ),
  total('CashIncrease', 'Net cash increase for period', '430.00'),
  total('BeginningCash', 'Cash at beginning of period', '70.00'),
  total('EndingCash', 'Cash at end of period', '500.00'),
];

describe('a cash flow statement', () => {
  test('has its activities, and the cash before and after them', async () => {
    expect(await quickbooksReports.CashFlowStatement?.(sending(CASH), PERIOD)).toMatchObject({
      operatingActivities: [
        { name: 'Net Income', value: '-350.00', accountId: null },
        { name: 'Accounts Payable (A/P)', value: '300.00', accountId: '33' },
      ],
      investingActivities: [{ accountId: '40' }],
      financingActivities: [{ accountId: '34' }],
      cashAtBeginningOfPeriod: '70.00',
      cashAtEndOfPeriod: '500.00',
    });
  });

  test('need not say that there was no cash at the beginning', async () => {
    const rows = changed(CASH, 'Cash at end of period', '430.00').filter((_, index) => index !== 4);
    expect(await quickbooksReports.CashFlowStatement?.(sending(rows), PERIOD)).toMatchObject({
      cashAtBeginningOfPeriod: '0.00',
      cashAtEndOfPeriod: '430.00',
    });
  });

  test('of nothing is zero', async () => {
    expect(await quickbooksReports.CashFlowStatement?.(sending([], 'true'), PERIOD)).toEqual({
      operatingActivities: [],
      investingActivities: [],
      financingActivities: [],
      cashAtBeginningOfPeriod: '0.00',
      cashAtEndOfPeriod: '0.00',
    });
  });

  test.each([
    ['another change of cash', changed(CASH, 'Net cash increase for period', '440.00')],
    ['activities that are not known', [...CASH.slice(1), { ...CASH[0], group: 'OtherActivities' }]],
    ['other cash at the end', changed(CASH, 'Cash at end of period', '501.00')],
    ['no cash at the end', CASH.slice(0, -1)],
  ])('is refused with %s', async (_, rows) => {
    await expect(quickbooksReports.CashFlowStatement?.(sending(rows), PERIOD)).rejects.toMatchObject({
      code: 'platform-answer',
    });
  });
});

test('a trial balance has debits, and credits as negative amounts, of the financial year', async () => {
  const client = sending([
    account('35', 'Checking', '4151.74', ''),
    account('13', 'Meals', '', '46.00'),
    account('14', 'Nothing', '', ''),
    { ColData: [{ value: 'Nothing at all', id: '15' }, {}] },
    parent('40', 'Truck', '100.00', '', account('41', 'Depreciation', '', '20.00')),
    total('GrandTotal', 'TOTAL', '4251.74', '66.00'),
  ]);
  expect(await quickbooksReports.trialBalance?.(client, '2026-03-14')).toEqual([
    { accountId: '35', name: 'Checking', net: '4151.74' },
    { accountId: '13', name: 'Meals', net: '-46' },
    { accountId: '40', name: 'Truck', net: '100' },
    { accountId: '41', name: 'Depreciation', net: '-20' },
  ]);
  expect(client.calls).toEqual([
    {
      path: '/reports/TrialBalance',
      query: { accounting_method: 'Accrual', start_date: '2026-01-01', end_date: '2026-03-14' },
    },
  ]);
});
