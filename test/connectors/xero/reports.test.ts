import { describe, expect, test } from '@jest/globals';

import { type PlatformClient, type PlatformObject } from '../../../src/connectors/platform.js';
import { xeroReports } from '../../../src/connectors/xero/reports.js';

const PERIOD = { start: '2026-01-01', end: '2026-01-31' };

/** Xero with one report, and what it was asked. */
function answering(rows: readonly object[]) {
  const calls: unknown[] = [];
  const get = (path: string, request?: object): Promise<PlatformObject> => {
    calls.push([path, request]);
    return Promise.resolve({ Reports: [{ Rows: rows }] });
  };
  return { calls, client: { get } as unknown as PlatformClient };
}

const row = (name: string, ...values: string[]) => ({
  RowType: 'Row',
  Cells: [name, ...values].map((Value) => ({
    Value,
    Attributes: [{ Id: 'account', Value: `id of ${name}` }],
  })),
});
/** A row that is of no account. */
const plain = (name: string, value: string) => ({
  RowType: 'Row',
  Cells: [{ Value: name }, { Value: value }],
});
const summary = (name: string, value: string) => ({
  RowType: 'SummaryRow',
  Cells: [{ Value: name }, { Value: value }],
});
const section = (Title: string, ...Rows: object[]) => ({ RowType: 'Section', Title, Rows });

const SHEET = [
  { RowType: 'Header', Cells: [{ Value: '' }, { Value: '31 Jan 2026' }, { Value: '31 Dec 2025' }] },
  section('Assets'),
  section(
    'Bank',
    row('Savings', '120.50', '80'),
    row('Closed', '0.00', '9'),
    summary('Total Bank', '120.50'),
  ),
  section('Fixed Assets', row('Van', '-20.50', '0'), summary('Total Fixed Assets', '-20.50')),
  section('', summary('Total Assets', '100.00')),
  section('Liabilities'),
  section('Current Liabilities', row('GST', '-10', '0'), summary('Total Current Liabilities', '-10')),
  section('', plain('Net Assets', '110.00')),
  section('Equity', row('Current Year Earnings', '110.00'), summary('Total Equity', '110.00')),
];

const PROFIT = [
  section('Income', row('Sales', '500.00'), summary('Total Income', '500.00')),
  section('Less Cost of Sales', row('Goods', '200.00'), summary('Total Cost of Sales', '200.00')),
  section('', plain('Gross Profit', '300.00')),
  section('Plus Other Income', row('Interest', '5.00'), summary('Total Other Income', '5.00')),
  section('Less Operating Expenses', row('Rent', '100.00'), summary('Total Operating Expenses', '100.00')),
  section('', plain('Net Profit', '205.00')),
];

const replaced = (rows: readonly object[], name: string, value: string): object[] =>
  JSON.parse(JSON.stringify(rows), (key, one: unknown) =>
    key === 'Cells' && (one as { Value: string }[])[0]?.Value === name
      ? [(one as object[])[0], { Value: value }]
      : one,
  ) as object[];

describe('a balance sheet', () => {
  test('has the groups of its parts, and the first of the days in it', async () => {
    const { calls, client } = answering(SHEET);
    const sheet = await xeroReports.BalanceSheet?.(client, PERIOD);
    expect(calls).toEqual([
      ['/Reports/BalanceSheet', { query: { date: '2026-01-31', standardLayout: 'true' } }],
    ]);
    expect(sheet).toEqual({
      assets: [
        {
          name: 'Bank',
          value: '120.5',
          accountId: null,
          lineItems: [{ name: 'Savings', value: '120.50', accountId: 'id of Savings', lineItems: [] }],
        },
        expect.objectContaining({ name: 'Fixed Assets', value: '-20.5' }),
      ],
      liabilities: [expect.objectContaining({ name: 'Current Liabilities', value: '-10' })],
      equity: [
        {
          name: 'Current Year Earnings',
          value: '110.00',
          accountId: 'id of Current Year Earnings',
          lineItems: [],
        },
      ],
      netAssets: '110.00',
    });
  });

  test.each([
    'abababab-abab-abab-abab-abababababab',
    // As in the example of Xero's description.
    '00000000-0000-0000-0000-000000000000',
  ])('has no account for the earnings of the year, which have the id of none: %s', async (id) => {
    const rows = JSON.parse(JSON.stringify(SHEET).replaceAll('id of Current Year Earnings', id)) as object[];
    const sheet = await xeroReports.BalanceSheet?.(answering(rows).client, PERIOD);
    expect(sheet?.equity).toMatchObject([{ name: 'Current Year Earnings', accountId: null }]);
  });

  // As in the example of Xero's description, whose equity is a cent less than its net assets.
  test('whose rows are each rounded need not add up to the cent', async () => {
    const rows = replaced(replaced(SHEET, 'Current Year Earnings', '109.99'), 'Total Equity', '109.99');
    const sheet = await xeroReports.BalanceSheet?.(answering(rows).client, PERIOD);
    expect(sheet).toMatchObject({ netAssets: '110.00', equity: [{ value: '109.99' }] });
  });

  test.each([
    ['net assets', replaced(SHEET, 'Net Assets', '111.00')],
    ['an account', replaced(SHEET, 'Savings', '121.00')],
    ['earnings', replaced(SHEET, 'Current Year Earnings', '1.00')],
    ['no net assets', SHEET.filter((_, index) => index !== 7)],
    ['no parts', SHEET.filter((_, index) => index !== 1)],
    ['no amount', replaced(SHEET, 'Savings', '(121.00)')],
  ])('that does not add up is refused: %s', async (_, rows) => {
    await expect(xeroReports.BalanceSheet?.(answering(rows).client, PERIOD)).rejects.toMatchObject({
      code: 'platform-answer',
    });
  });
});

describe('an income statement', () => {
  test('has its sections by their titles, and the profits of them', async () => {
    const { calls, client } = answering(PROFIT);
    expect(await xeroReports.IncomeStatement?.(client, PERIOD)).toMatchObject({
      revenue: [{ name: 'Sales', accountId: 'id of Sales', value: '500.00' }],
      costOfGoodsSold: [{ name: 'Goods' }],
      grossProfit: '300.00',
      nonOperatingRevenue: [{ name: 'Interest' }],
      operatingExpenses: [{ name: 'Rent' }],
      operatingProfit: '200.00',
      taxes: [],
      netProfit: '205.00',
    });
    const query = { fromDate: '2026-01-01', toDate: '2026-01-31', standardLayout: 'true' };
    expect(calls).toEqual([['/Reports/ProfitAndLoss', { query }]]);
  });

  test('whose rows are each rounded need not come to its profit to the cent', async () => {
    const { client } = answering(replaced(PROFIT, 'Net Profit', '204.99'));
    expect(await xeroReports.IncomeStatement?.(client, PERIOD)).toMatchObject({ netProfit: '205.00' });
  });

  test('is read as British organisations have it', async () => {
    const { client } = answering([
      section('Turnover', row('Sales', '500.00'), summary('Total Turnover', '500.00')),
      section('Cost of Sales', row('Goods', '200.00'), summary('Total Cost of Sales', '200.00')),
      section('', plain('Gross Profit', '300.00')),
      section('Administrative Costs', row('Rent', '100.00'), summary('Total Administrative Costs', '100.00')),
      section('', plain('Operating Profit', '200.00')),
      section('', plain('Profit on Ordinary Activities Before Taxation', '200.00')),
      section('', plain('Profit after Taxation', '200.00')),
    ]);
    expect(await xeroReports.IncomeStatement?.(client, PERIOD)).toMatchObject({
      revenue: [{ name: 'Sales' }],
      costOfGoodsSold: [{ name: 'Goods' }],
      operatingExpenses: [{ name: 'Rent' }],
      taxes: [],
      netProfit: '200.00',
    });
  });

  test.each([
    ['another profit', replaced(PROFIT, 'Net Profit', '204.90')],
    ['a section of no known kind', [...PROFIT, section('Windfalls', row('Luck', '1.00'))]],
  ])('is refused with %s', async (_, rows) => {
    await expect(xeroReports.IncomeStatement?.(answering(rows).client, PERIOD)).rejects.toMatchObject({
      code: 'platform-answer',
    });
  });
});

test('a trial balance is what there is in the year to date', async () => {
  const rows = [
    section('Revenue', row('Sales (GST) (200)', '', '1.00', '', '500.00')),
    section('Assets', row('Bank', '2.00', '', '500.00', ''), row('Nothing (1)', '1.00', '', '0.00', '')),
  ];
  expect(await xeroReports.trialBalance?.(answering(rows).client, '2026-01-31')).toEqual([
    { accountId: 'id of Sales (GST) (200)', name: 'Sales (GST) (200)', net: '-500' },
    { accountId: 'id of Bank', name: 'Bank', net: '500' },
  ]);
});
