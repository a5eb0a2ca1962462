import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { App } from '../../src/app.js';
import { periodsOf } from '../../src/operations/statements/periods.js';
import { admin } from '../support/admin.js';
import { createTenant, type Tenant } from '../support/seed.js';
import { type Caller, createCaller, startApp } from '../support/service.js';
import { statementsOf } from '../support/statements.js';

let app: App;
let tenant: Tenant;
let caller: Caller;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

const ACCOUNTS = [
  ['bank', 'BANK', 'CHECKING'],
  ['debtors', 'ASSET', 'RECEIVABLE'],
  ['machine', 'ASSET', 'FIXED_ASSET'],
  ['loan', 'LIABILITY', 'LONG_TERM'],
  ['capital', 'EQUITY', 'EQUITY'],
  ['sales', 'INCOME', 'REVENUE'],
  ['interest', 'INCOME', 'OTHER_INCOME'],
  ['goods', 'EXPENSE', 'DIRECT_COST'],
  ['rent', 'EXPENSE', 'OVERHEAD'],
  ['profit tax', 'EXPENSE', 'INCOME_TAX'],
] as const;

type Move = readonly [account: string | null, amount: string];

/** An entry of lines with their accounts; negative amounts are credits. */
const entry = (
  platformId: string,
  postedDate: string | null,
  moves: readonly Move[],
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

const YEAR = [
  entry('start', '2025-12-30', [
    ['bank', '1000'],
    ['capital', '-700'],
    ['loan', '-300'],
  ]),
  entry('sold', '2026-01-31', [
    ['debtors', '0.30'],
    ['sales', '-0.1'],
    ['sales', '-0.2'],
  ]),
  entry('paid', '2026-02-10', [
    ['bank', '0.3'],
    ['debtors', '-0.3'],
  ]),
  entry('bought', '2026-02-11', [
    ['machine', '200'],
    ['bank', '-200'],
  ]),
  entry(
    'abroad',
    '2026-02-12',
    [
      ['goods', '10'],
      ['bank', '-10'],
    ],
    { currencyCode: 'USD', currencyRate: '1.53055' },
  ),
  entry('rent', '2026-02-28', [
    ['rent', '5'],
    ['profit tax', '1'],
    ['bank', '-6'],
  ]),
  entry('interest', '2026-03-01', [
    ['bank', '2'],
    ['interest', '-2'],
  ]),
  entry(
    'draft',
    '2026-03-02',
    [
      ['bank', '99'],
      ['sales', '-99'],
    ],
    { status: 'DRAFT' },
  ),
  entry(
    'void',
    '2026-03-02',
    [
      ['bank', '99'],
      ['sales', '-99'],
    ],
    { status: 'VOID' },
  ),
  {
    ...entry('deleted', '2026-03-02', [
      ['bank', '99'],
      ['sales', '-99'],
    ]),
    deleted: true,
  },
];

async function readWhole(...dataModels: string[]): Promise<void> {
  const of = {
    svcOrganisationId: BigInt(tenant.organisationId),
    svcCompanyId: BigInt(tenant.companyId),
    connectionId: BigInt(tenant.connectionId),
  };
  const data = dataModels.map((dataModel) => ({ ...of, dataModel, completeAt: new Date() }));
  await admin.prisma.syncMark.createMany({ data });
}

beforeEach(async () => {
  tenant = await createTenant(app, 'statements');
  caller = await createCaller(app, tenant.organisationId);
  await tenant.store(
    'Account',
    ACCOUNTS.map(([platformId, category, subCategory]) => ({
      platformId,
      values: { name: platformId, category, subCategory },
    })),
  );
});

const TRIAL = '{ totalDebit totalCredit lines { accountId debit credit } }';
const trialBalance = async (asOf = '2026-12-31') => {
  const { body } = await caller.graphql(
    `{ trialBalance(companyId: ${tenant.companyId}, asOf: "${asOf}") ${TRIAL} }`,
  );
  return body.errors
    ? `${body.errors[0].extensions.code}: ${body.errors[0].message}`
    : body.data.trialBalance;
};
const rows = (lines: any[]) => lines.map(({ name, value }) => `${name} ${value}`).sort();

describe('of a ledger', () => {
  beforeEach(async () => {
    await tenant.store('JournalEntry', YEAR);
    await readWhole('ACCOUNTS', 'JOURNAL_ENTRIES');
  });

  test('a trial balance holds each account on its side, with every digit', async () => {
    expect(await trialBalance('2026-02-12')).toEqual({
      totalDebit: '1000.30',
      totalCredit: '1000.30',
      lines: [
        { accountId: 'bank', debit: '784.9945', credit: null },
        { accountId: 'capital', debit: null, credit: '700.00' },
        { accountId: 'goods', debit: '15.3055', credit: null },
        { accountId: 'loan', debit: null, credit: '300.00' },
        { accountId: 'machine', debit: '200.00', credit: null },
        { accountId: 'sales', debit: null, credit: '0.30' },
      ],
    });
  });

  test('profit, worth and money follow from the entries in force', async () => {
    const get = async (path: string) => {
      const { status, body } = await caller.get(
        `/v3/accounting/${path}?svc_company_id[eq]=${tenant.companyId}&period_start[gte]=2026-01-01&period_end[lte]=2026-03-31&period=2`,
      );
      expect(status).toBe(200);
      return body.data;
    };
    const [first, second] = await get('income_statement');
    expect(rows(first.revenue)).toEqual(['sales 0.3']);
    expect(rows(first.cost_of_goods_sold)).toEqual(['goods 15.3055']);
    expect(rows(first.operating_expenses)).toEqual(['rent 5']);
    expect(rows(first.taxes)).toEqual(['profit tax 1']);
    expect(first).toMatchObject({
      gross_profit: -15.0055,
      operating_profit: -20.0055,
      earnings_before_taxes: -20.0055,
      net_profit: -21.0055,
      period_start: '2026-01-01T00:00:00.000Z',
      period_end: '2026-02-28T00:00:00.000Z',
    });
    expect([rows(second.non_operating_revenue), second.net_profit]).toEqual([['interest 2'], 2]);
    expect(second.period_end).toBe('2026-03-31T00:00:00.000Z');

    const [, sheet] = await get('balance_sheet');
    expect(rows(sheet.assets)).toEqual(['bank 780.9945', 'machine 200']);
    expect(rows(sheet.liabilities)).toEqual(['loan 300']);
    expect(rows(sheet.equity)).toEqual(['Current earnings -19.0055', 'capital 700']);
    expect(sheet.net_assets).toBe(680.9945);

    const [flow] = await get('cash_flow_statement');
    expect(rows(flow.operating_activities)).toEqual([
      'debtors 0.3',
      'goods -15.3055',
      'profit tax -1',
      'rent -5',
    ]);
    expect([rows(flow.investing_activities), flow.financing_activities]).toEqual([['machine -200'], []]);
    expect([flow.cash_at_beginning_of_period, flow.cash_at_end_of_period]).toEqual([1000, 778.9945]);
    expect('currency_id' in flow).toBe(false);
  });

  test('is read by one statement, whatever the number of periods', async () => {
    const query = `{ balanceSheets(companyId: ${tenant.companyId}, periodStart: "2017-01-01", period: 1,
      periodEnd: "2026-12-31") { svcId assets { value } } }`;
    const { body } = await caller.graphql(query);
    expect(new Set(body.data.balanceSheets.map(({ svcId }: any) => svcId)).size).toBe(120);
    const sent = await statementsOf(app, () => caller.graphql(query));
    expect(sent.filter(({ text }) => text.includes('journal_entries')).length).toBe(1);
  });

  test('another organisation finds none of it', async () => {
    const other = await createCaller(app, (await createTenant(app, 'others')).organisationId);
    const { body } = await other.graphql(
      `{ trialBalance(companyId: ${tenant.companyId}) ${TRIAL} balanceSheets { svcId } }`,
    );
    expect(body.errors.map((one: any) => one.extensions.code)).toEqual(['not-found']);
    expect((await other.get('/v3/accounting/balance_sheet')).body.data).toEqual([]);
  });

  test.each([
    [
      'has no day',
      entry('bad', null, [
        ['bank', '1'],
        ['sales', '-1'],
      ]),
      'an entry has no day',
    ],
    [
      'does not balance',
      entry('bad', '2026-03-03', [
        ['bank', '1'],
        ['sales', '-2'],
      ]),
      'its debits are not its credits',
    ],
    [
      'names an account that was not read',
      entry('bad', '2026-03-03', [
        ['bank', '1'],
        ['gone', '-1'],
      ]),
      'the account gone',
    ],
    [
      'names none',
      entry('bad', '2026-03-03', [
        ['bank', '1'],
        [null, '-1'],
      ]),
      'no account',
    ],
  ])('an entry that %s makes them impossible, and says so', async (_, bad, words) => {
    await tenant.store('JournalEntry', [bad]);
    const answer = await trialBalance();
    expect(answer).toMatch(/^operation-denied: /);
    expect(answer).toContain(words);
    const { status, body } = await caller.get(
      `/v3/accounting/balance_sheet?svc_company_id[eq]=${tenant.companyId}`,
    );
    expect([status, body.error.code]).toEqual([400, 'operation-denied']);
    // Among all companies, it is one that has none.
    const all = await caller.get('/v3/accounting/balance_sheet');
    expect([all.status, all.body.data]).toEqual([200, []]);
  });

  test('parameters that statements do not take are named', async () => {
    const ask = async (query: string) => {
      const { status, body } = await caller.get(`/v3/accounting/balance_sheet?${query}`);
      return status === 200 ? 200 : `${body.error.field} ${body.error.message}`;
    };
    expect(await ask('limit=5&return_count=true')).toBe(200);
    expect(await ask('net_assets[gte]=5')).toMatch(/^net_assets\[gte\] .*is not a parameter of statements/);
    expect(await ask('period=0')).toMatch(/^period /);
    expect(await ask('period=1&period_start[gte]=1990-01-01')).toMatch(/^period .*more than 120 statements/);
    expect(await ask('period_start[gte]=2026-02-01&period_end[lte]=2026-01-01')).toMatch(
      /^period_start\[gte\] .*must not be after the end/,
    );
    const { body } = await caller.post('/accounting/balance_sheet/all', { filter: { name: { eq: 'x' } } });
    expect(body.error.field).toBe('filter.name');
  });
});

describe('of books that are not complete', () => {
  test('what was not read yet is named', async () => {
    await tenant.store('JournalEntry', YEAR);
    await readWhole('ACCOUNTS');
    expect(await trialBalance()).toBe(
      'operation-denied: the books of this company are not complete: of SVC Sandbox Books JOURNAL_ENTRIES were not read as a whole yet',
    );
  });

  test('journals that somebody wrote by hand are no ledger', async () => {
    await tenant.store('JournalEntry', YEAR);
    await readWhole('ACCOUNTS', 'JOURNAL_ENTRIES');
    await admin.prisma.connection.updateMany({
      where: { svcId: BigInt(tenant.connectionId) },
      data: { integrationType: 'XERO' },
    });
    expect(await trialBalance()).toMatch(/^operation-denied: .*of Xero only the journal entries .*by hand/);
    expect((await caller.get('/v3/accounting/income_statement')).body.data).toEqual([]);
  });

  test('a company without books is told so', async () => {
    const shop = await tenant.company('shop', 'ECOMMERCE');
    const { body } = await caller.graphql(`{ trialBalance(companyId: ${shop.companyId}) ${TRIAL} }`);
    expect(body.errors[0].message).toContain('no connection to an accounting platform');
  });
});

describe('periods', () => {
  test.each([
    [{}, ['2026-01-01 2026-05-20']],
    [{ periodStart: '2025-06-15', periodEnd: '2025-06-15' }, ['2025-06-15 2025-06-15']],
    [
      { periodStart: '2026-01-31', periodEnd: '2026-04-15', period: 1 },
      ['2026-01-31 2026-02-27', '2026-02-28 2026-03-30', '2026-03-31 2026-04-15'],
    ],
    [{ periodStart: '2023-07-01', periodEnd: '2024-06-30', period: 12 }, ['2023-07-01 2024-06-30']],
    [{ periodEnd: '2026-03-31', period: 3 }, ['2026-01-01 2026-03-31']],
  ])('%j', (wanted, expected) => {
    expect(periodsOf(wanted, '2026-05-20').map(({ start, end }) => `${start} ${end}`)).toEqual(expected);
  });
});
