import { Decimal } from 'decimal.js';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { App } from '../../src/app.js';
import type { ConformancePlatform } from '../connectors/conformance.js';
import { makeCompany } from '../connectors/quickbooks-fake/makers/company.js';
import { startQuickbooksPlatform } from '../connectors/quickbooks-fake/platform.js';
import { journalOf } from '../connectors/quickbooks-fake/reports.js';
import { createQuickbooksTenant } from '../support/quickbooks.js';
import type { Tenant } from '../support/seed.js';
import { type Caller, createCaller, startApp } from '../support/service.js';

const company = makeCompany();
let app: App;
let platform: ConformancePlatform;
let tenant: Tenant;
let caller: Caller;

beforeAll(async () => {
  platform = await startQuickbooksPlatform(company);
  app = await startApp({ QUICKBOOKS_URL: platform.baseUrl });
  tenant = await createQuickbooksTenant(app, 'quickbooks', platform);
  caller = await createCaller(app, tenant.organisationId);
});
afterAll(async () => {
  await app.close();
  await platform.stop();
});

const days = journalOf({ company })
  .map(({ day }) => day)
  .sort();
const [first = ''] = days;
const last = days.at(-1) ?? '';

/** What the journal books to accounts of a type. */
const booked = (type: string): Decimal =>
  journalOf({ company })
    .filter(({ account }) => account.type === type)
    .reduce((sum, { amount }) => sum.plus(amount), new Decimal(0));

const get = async (path: string) =>
  caller.get(
    `/v3/accounting/${path}?svc_company_id[eq]=${tenant.companyId}&period_start[gte]=${first}&period_end[lte]=${last}`,
  );

test('a balance sheet is read from QuickBooks, and says so', async () => {
  platform.reset();
  const { status, body, headers } = await get('balance_sheet');
  expect([status, headers.get('x-svc-statement-source')]).toEqual([200, 'PLATFORM']);
  const [sheet] = body.data;
  expect(sheet.assets).toMatchObject([
    { name: 'Fixed Assets', value: booked('Fixed Asset').toNumber(), line_items: [{ name: 'Truck' }] },
  ]);
  expect(sheet.liabilities).toMatchObject([
    { value: booked('Other Current Liability').negated().toNumber() },
  ]);
  const net = booked('Fixed Asset').plus(booked('Other Current Liability'));
  expect(sheet.net_assets).toBe(net.toNumber());
  expect(platform.calls.map(({ path }) => new URL(path, platform.baseUrl).pathname)).toEqual([
    `/v3/company/${company.realmId}/reports/BalanceSheet`,
  ]);
});

test('an income statement has what was earned and spent', async () => {
  const { body } = await get('income_statement');
  expect(body.data).toMatchObject([
    {
      revenue: [],
      operating_expenses: [{ name: 'Fuel', value: booked('Expense').toNumber() }],
      net_profit: booked('Expense').negated().toNumber(),
    },
  ]);
  expect(booked('Expense').isZero()).toBe(false);
});

test('a trial balance has both sides alike, and leads to accounts', async () => {
  const { body } = await caller.graphql(
    `{ trialBalance(companyId: ${tenant.companyId}, asOf: "${last}") {
      source totalDebit totalCredit lines { accountId name debit credit } } }`,
  );
  const { lines, source, totalDebit, totalCredit } = body.data.trialBalance;
  expect([source, totalDebit]).toEqual(['PLATFORM', totalCredit]);
  const truck = company.shelves.Account.find(({ name }) => name === 'Truck');
  expect(lines).toContainEqual({
    accountId: truck?.id,
    name: 'Truck',
    debit: booked('Fixed Asset').isNegative() ? null : booked('Fixed Asset').toFixed(2),
    credit: booked('Fixed Asset').isNegative() ? booked('Fixed Asset').negated().toFixed(2) : null,
  });
});
