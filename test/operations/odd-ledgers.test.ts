import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { App } from '../../src/app.js';
import { definitionOf } from '../../src/records/index.js';
import { storeRecords } from '../../src/store/store-records.js';
import { admin } from '../support/admin.js';
import { createTenant, type Tenant } from '../support/seed.js';
import { type Caller, createCaller, startApp } from '../support/service.js';

let app: App;
let tenant: Tenant;
let caller: Caller;
beforeAll(async () => {
  app = await startApp();
});
afterAll(async () => {
  await app.close();
});
const entry = (
  platformId: string,
  postedDate: string,
  moves: readonly (readonly [string, string])[],
  values: object = {},
) => ({
  platformId,
  values: { postedDate, status: 'POSTED', updatedAt: '2026-02-01T00:00:00.000Z', ...values },
  lines: {
    journalLines: moves.map(([accountId, amount], index) => ({
      platformId: `${platformId}-${index}`,
      values: {
        journalEntryId: platformId,
        accountId,
        type: amount.startsWith('-') ? 'CREDIT' : 'DEBIT',
        netAmount: amount.replace('-', ''),
      },
    })),
  },
});
async function readWhole(...dataModels: string[]): Promise<void> {
  const of = {
    svcOrganisationId: BigInt(tenant.organisationId),
    svcCompanyId: BigInt(tenant.companyId),
    connectionId: BigInt(tenant.connectionId),
  };
  await admin.prisma.syncMark.createMany({
    data: dataModels.map((dataModel) => ({ ...of, dataModel, wholeAt: new Date() })),
  });
}
beforeEach(async () => {
  tenant = await createTenant(app, 'odd ledgers');
  caller = await createCaller(app, tenant.organisationId);
  await tenant.store(
    'Account',
    (
      [
        ['bank', 'BANK', 'CHECKING'],
        ['sales', 'INCOME', 'REVENUE'],
        ['admin', 'EXPENSE', 'INDIRECT_COST'],
        ['payroll', 'EXPENSE', 'PAYROLL_TAX_EXPENSE'],
        ['new kind', 'UNKNOWN', 'REVENUE'],
      ] as const
    ).map(([platformId, category, subCategory]) => ({
      platformId,
      values: { name: platformId, category, subCategory },
    })),
  );
  await readWhole('ACCOUNTS', 'JOURNAL_ENTRIES');
});
const get = async (path: string, more = 'period_start[gte]=2026-01-01&period_end[lte]=2026-12-31') =>
  caller.get(`/v3/accounting/${path}?svc_company_id[eq]=${tenant.companyId}&source=LEDGER&${more}`);

test('an entry in a foreign currency without its rate is not counted one to one', async () => {
  // The company's base currency is AUD.
  await tenant.store('JournalEntry', [
    entry(
      'foreign',
      '2026-02-01',
      [
        ['bank', '1000'],
        ['sales', '-1000'],
      ],
      { currencyCode: 'JPY', currencyRate: null },
    ),
  ]);
  const { status, body } = await get('income_statement');
  expect([status, body.error?.code ?? body.data[0].net_profit]).toEqual([400, 'operation-denied']);
});

test('an account whose kind is unknown is no asset', async () => {
  await tenant.store('JournalEntry', [
    entry('a', '2026-02-01', [
      ['bank', '1000'],
      ['new kind', '-1000'],
    ]),
  ]);
  const { status, body } = await get('income_statement');
  expect([status, body.error?.code ?? body.data[0].net_profit]).toEqual([400, 'operation-denied']);
});

test('indirect costs are no direct ones', async () => {
  await tenant.store('JournalEntry', [
    entry('a', '2026-02-01', [
      ['bank', '1000'],
      ['sales', '-1000'],
    ]),
    entry('b', '2026-02-02', [
      ['bank', '-300'],
      ['admin', '300'],
    ]),
    entry('c', '2026-02-02', [
      ['bank', '-50'],
      ['payroll', '50'],
    ]),
  ]);
  const { body } = await get('income_statement');
  const { gross_profit: gross, earnings_before_taxes: before, net_profit: net } = body.data[0];
  expect({ gross, before, net }).toEqual({ gross: 1000, before: 650, net: 650 });
});

test('statements are in the currency of the books they are of', async () => {
  // The company's first books are in AUD; a second one, of its branch, is kept in USD.
  const connection = await admin.prisma.connection.create({
    data: {
      svcOrganisationId: BigInt(tenant.organisationId),
      svcCompanyId: BigInt(tenant.companyId),
      integrationType: 'SVC_SANDBOX',
      category: 'ACCOUNTING',
      externalAccountId: 'branch',
      status: 'HEALTHY',
    },
  });
  const connectionId = Number(connection.svcId);
  const store = (model: string, records: any[]) =>
    storeRecords(app.database.sql(tenant.scope), {
      definition: definitionOf(model),
      svcCompanyId: tenant.companyId,
      connectionId,
      integrationType: 'SVC_SANDBOX',
      cause: { kind: 'sync', id: null },
      records: records.map((record) => ({
        ...record,
        raw: { text: '{}', altered: false },
        dataHash: record.platformId,
        mapperVersion: 1,
      })),
    });
  await store('Currency', [
    { platformId: 'cur-usd', values: { code: 'USD', name: 'US dollar', isBaseCurrency: true } },
    { platformId: 'cur-aud', values: { code: 'AUD', name: 'Australian dollar', isBaseCurrency: false } },
  ]);
  await store('Account', [
    { platformId: 'bank', values: { name: 'bank', category: 'BANK' } },
    { platformId: 'sales', values: { name: 'sales', category: 'INCOME' } },
  ]);
  const line = (platformId: string, accountId: string, type: string) => ({
    platformId,
    values: { journalEntryId: 'e', accountId, type, netAmount: '1000' },
  });
  await store('JournalEntry', [
    {
      platformId: 'e',
      values: { postedDate: '2026-02-01', status: 'POSTED', currencyCode: 'USD', currencyRate: '1' },
      lines: { journalLines: [line('1', 'bank', 'DEBIT'), line('2', 'sales', 'CREDIT')] },
    },
  ]);
  for (const dataModel of ['ACCOUNTS', 'JOURNAL_ENTRIES'])
    await admin.prisma.syncMark.create({
      data: {
        svcOrganisationId: BigInt(tenant.organisationId),
        svcCompanyId: BigInt(tenant.companyId),
        connectionId: BigInt(connectionId),
        dataModel,
        wholeAt: new Date(),
      },
    });
  const { body } =
    await caller.graphql(`{ incomeStatements(companyId: ${tenant.companyId}, connectionId: ${connectionId},
    periodStart: "2026-01-01", periodEnd: "2026-12-31") { nodes { netProfit currencyId currencyCode } }
    trialBalance(companyId: ${tenant.companyId}, connectionId: ${connectionId}, asOf: "2026-12-31") { currencyCode totalDebit } }`);
  expect(body.data).toEqual({
    incomeStatements: {
      nodes: [{ netProfit: expect.stringMatching(/^1000/), currencyId: 'cur-usd', currencyCode: 'USD' }],
    },
    trialBalance: { currencyCode: 'USD', totalDebit: '1000.00' },
  });
});
