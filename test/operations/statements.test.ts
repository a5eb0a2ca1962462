import { Decimal } from 'decimal.js';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { App } from '../../src/app.js';
import { compare } from '../../src/operations/statements/reconcile.js';
import { periodsOf } from '../../src/operations/statements/periods.js';
import { admin } from '../support/admin.js';
import { createTenant, type Tenant } from '../support/seed.js';
import { type Caller, createCaller, startApp } from '../support/service.js';
import { statementsOf } from '../support/statements.js';
import { createTenantOf, type RunningXero, startXero } from '../support/xero.js';
import { postingsOf } from '../connectors/xero-fake/postings.js';

let app: App;
let tenant: Tenant;
let caller: Caller;
let running: RunningXero;
beforeAll(async () => {
  running = await startXero();
  app = await startApp({ XERO_URL: `${running.url}/api.xro/2.0` });
});
afterAll(async () => {
  await app.close();
  await running.stop();
});

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
  // As stored before entries had a status.
  entry(
    'interest',
    '2026-03-01',
    [
      ['bank', '2'],
      ['interest', '-2'],
    ],
    { status: null },
  ),
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
  ...['ARCHIVED', 'UNKNOWN'].map((status) =>
    entry(
      status,
      '2026-03-02',
      [
        ['bank', '99'],
        ['sales', '-99'],
      ],
      { status },
    ),
  ),
  {
    ...entry('deleted', '2026-03-02', [
      ['bank', '99'],
      ['sales', '-99'],
    ]),
    deleted: true,
  },
];

const accounts = ACCOUNTS.map(([platformId, category, subCategory]) => ({
  platformId,
  values: { name: platformId, category, subCategory },
}));

async function readWhole(...dataModels: string[]): Promise<void> {
  const of = {
    svcOrganisationId: BigInt(tenant.organisationId),
    svcCompanyId: BigInt(tenant.companyId),
    connectionId: BigInt(tenant.connectionId),
  };
  const data = dataModels.map((dataModel) => ({ ...of, dataModel, wholeAt: new Date() }));
  await admin.prisma.syncMark.createMany({ data });
}

beforeEach(async () => {
  tenant = await createTenant(app, 'statements');
  caller = await createCaller(app, tenant.organisationId);
  await tenant.store('Account', accounts);
});

const TRIAL = '{ totalDebit totalCredit lines { accountId debit credit } }';
const trialBalance = async (asOf = '2026-12-31') => {
  const { body } = await caller.graphql(
    `{ trialBalance(companyId: ${tenant.companyId}, asOf: "${asOf}", source: LEDGER) ${TRIAL} }`,
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

  test('takes what every list takes: an order by when it was stored, and what only records have', async () => {
    tenant = await tenant.company('of younger books');
    await tenant.store('Account', accounts);
    await tenant.store('JournalEntry', YEAR);
    await readWhole('ACCOUNTS', 'JOURNAL_ENTRIES');
    const period = 'period_start[gte]=2026-01-01&period_end[lte]=2026-03-31&period=1';
    const list = (query: string) => caller.get(`/v3/accounting/income_statement?${period}&${query}`);
    const storedOf = ({ body }: any) => body.data.map(({ svc_updated_at: at }: any) => at);
    const stored: string[] = storedOf(await list(''));
    expect(new Set(stored).size).toBe(2);
    for (const time of ['svc_created_at', 'svc_updated_at']) {
      expect(storedOf(await list(`sort[${time}]=ASC`))).toEqual(stored.toSorted());
      expect(storedOf(await list(`sort[${time}]=DESC`))).toEqual(stored.toSorted().toReversed());
    }
    const { status, headers } = await list('select=raw_data,data_hash');
    expect([status, headers.get('x-svc-warning')]).toEqual([200, 'ignored: raw_data, data_hash']);
    expect((await list('select=colour')).status).toBe(400);
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
      periodEnd: "2026-12-31", first: 120) { nodes { svcId assets { value } } } }`;
    const { body } = await caller.graphql(query);
    expect(new Set(body.data.balanceSheets.nodes.map(({ svcId }: any) => svcId)).size).toBe(120);
    const sent = await statementsOf(app, () => caller.graphql(query));
    expect(sent.filter(({ text }) => text.includes('journal_entries')).length).toBe(1);
  });

  test('come in pages, as all lists of GraphQL do', async () => {
    const page = async (more: string) => {
      const { body } = await caller.graphql(`{ incomeStatements(companyId: ${tenant.companyId},
        periodStart: "2026-01-01", periodEnd: "2026-12-31", period: 3, ${more})
        { totalCount nodes { periodStart } edges { cursor } pageInfo { hasNextPage endCursor } } }`);
      return body.data.incomeStatements;
    };
    const first = await page('first: 3');
    expect([first.totalCount, first.pageInfo.hasNextPage, first.nodes.length]).toEqual([4, true, 3]);
    const next = await page(`first: 3, after: "${first.pageInfo.endCursor}"`);
    expect(next.nodes).toEqual([{ periodStart: '2026-10-01' }]);
    expect(next.pageInfo.hasNextPage).toBe(false);
    expect((await page('last: 1, direction: DESC')).nodes).toEqual([{ periodStart: '2026-01-01' }]);
  });

  test('are found again by their ids, by who may see them', async () => {
    const { body } = await caller.graphql(`{ balanceSheets(companyId: ${tenant.companyId},
      periodEnd: "2026-12-31", period: 6) { nodes { id periodEnd netAssets } } }`);
    const sheets: { id: string }[] = body.data.balanceSheets.nodes;
    expect(new Set(sheets.map(({ id }) => id)).size).toBe(2);
    const again = (by: Caller, ids: readonly string[]) =>
      by.graphql(`{ nodes(ids: ${JSON.stringify(ids)}) { id ... on BalanceSheet { periodEnd netAssets } } }`);
    const ids = sheets.map(({ id }) => id);
    expect((await again(caller, ids)).body.data.nodes).toEqual(sheets);
    const booksRead = async (read: readonly string[]) =>
      (await statementsOf(app, () => again(caller, read))).filter(({ text }) => text.includes('sync_marks'))
        .length;
    const [first = ''] = ids;
    const ofOther = Buffer.from(first, 'base64url')
      .toString('utf8')
      .replace(/:\d+$/, (key) => `:${Number(tenant.connectionId) + 1}${key.slice(-17)}`);
    const sameTime = [first, Buffer.from(ofOther).toString('base64url')];
    expect([await booksRead([first]), await booksRead(sameTime), await booksRead(ids)]).toEqual([1, 1, 2]);
    const other = await createCaller(app, (await createTenant(app, 'strangers')).organisationId);
    expect((await again(other, ids)).body.data.nodes).toEqual([null, null]);
    // The last is another company's: the others have no such end, and no such maker.
    const odd = [
      `${tenant.companyId}:${tenant.connectionId}20260101202602310`,
      `${tenant.companyId}:${tenant.connectionId}20260101202612312`,
      `${tenant.companyId + 1}:${tenant.connectionId}20260101202612310`,
    ].map((key) => Buffer.from(`BalanceSheet:${key}`).toString('base64url'));
    expect((await again(caller, odd)).body.data.nodes).toEqual([null, null, null]);
  });

  test('another organisation finds none of it', async () => {
    const other = await createCaller(app, (await createTenant(app, 'others')).organisationId);
    const { body } = await other.graphql(
      `{ trialBalance(companyId: ${tenant.companyId}) ${TRIAL} balanceSheets { nodes { svcId } } }`,
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
      `/v3/accounting/balance_sheet?svc_company_id[eq]=${tenant.companyId}&source=LEDGER`,
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
    expect(await ask('filter=[object Object]')).toMatch(/^filter .*is not a parameter of statements/);
    expect(await ask('period=0')).toMatch(/^period /);
    expect(await ask('period=1&period_start[gte]=1990-01-01')).toMatch(/^period .*more than 120 statements/);
    expect(await ask('period_start[gte]=2026-02-01&period_end[lte]=2026-01-01')).toMatch(
      /^period_start\[gte\] .*must not be after the end/,
    );
    expect(await ask('period_start=2026-01-01')).toMatch(
      /^period_start .*needs an operator: write period_start\[gte\]/,
    );
    // Ignored, it would be the statements of all companies.
    expect(await ask('company_id=1')).toMatch(/^company_id .*is not a parameter of statements/);
    const askBody = async (body: object) =>
      (await caller.post('/accounting/balance_sheet/all', body)).body.error.field;
    expect(await askBody({ filter: { name: { eq: 'x' } } })).toBe('filter.name');
    expect(await askBody({ company_id: 1 })).toBe('company_id');
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

describe("a platform's own", () => {
  let own: Awaited<ReturnType<typeof createTenantOf>>;
  let reader: Caller;
  const get = async (path: string, query = '') => {
    const period = 'period_start[gte]=2025-02-01&period_end[lte]=2025-04-30';
    return reader.get(`/v3/accounting/${path}?svc_company_id[eq]=${own.companyId}&${period}${query}`);
  };
  const sumOf = (lines: any[]): Decimal =>
    lines.reduce((sum: Decimal, { value }) => sum.plus(value), new Decimal(0));
  /** Accounts of lines with their amounts, whatever groups they are in. */
  const leaves = (lines: any[]): any[] =>
    lines.flatMap((line) => (line.line_items.length > 0 ? leaves(line.line_items) : [line]));

  beforeEach(async () => {
    own = await createTenantOf(app, 'xero', running);
    reader = await createCaller(app, own.organisationId);
  });

  test('statements are served where the ledger was not read, and say so', async () => {
    const { status, body, headers } = await get('balance_sheet', '&select=source,reconciliation');
    expect([status, headers.get('x-svc-statement-source')]).toEqual([200, 'PLATFORM']);
    const [sheet] = body.data;
    expect(sheet).toMatchObject({
      source: 'PLATFORM',
      reconciliation: null,
      period_end: '2025-04-30T00:00:00.000Z',
      updated_at: null,
    });
    expect(sumOf(sheet.assets).minus(sumOf(sheet.liabilities)).toNumber()).toBe(sheet.net_assets);
    expect(sumOf(sheet.equity).toNumber()).toBe(sheet.net_assets);
    // Each account is worth what all that is booked to it comes to.
    const until = postingsOf(running.books).filter(({ day }) => day <= '2025-04-30');
    for (const { name, value, account_id: id } of leaves(sheet.assets)) {
      const booked = until
        .filter(({ account }) => account.id === id)
        .map(({ amount }) => ({ value: amount }));
      expect([name, value]).toEqual([name, sumOf(booked).toNumber()]);
    }
    expect(leaves(sheet.assets).length).toBeGreaterThan(4);
    expect(sheet.assets.map(({ name }: any) => name)).toEqual(['Bank', 'Current Assets', 'Fixed Assets']);
  });

  test('months come one by one, and add up', async () => {
    const months = (await get('income_statement', '&period=1')).body.data;
    const [whole] = (await get('income_statement')).body.data;
    expect(months.length).toBe(3);
    expect(sumOf(months.map(({ net_profit: value }: any) => ({ value }))).toNumber()).toBe(whole.net_profit);
    expect(Number(whole.net_profit)).not.toBe(0);
    for (const one of [...months, whole]) {
      const gross = sumOf(one.revenue).minus(sumOf(one.cost_of_goods_sold));
      const operating = gross.minus(sumOf(one.operating_expenses));
      const net = operating.plus(sumOf(one.non_operating_revenue)).minus(sumOf(one.non_operating_expenses));
      expect([gross, operating, net.minus(sumOf(one.taxes))].map((amount) => amount.toNumber())).toEqual([
        one.gross_profit,
        one.operating_profit,
        one.net_profit,
      ]);
    }
    expect(new Set(months.map(({ svc_id: id }: any) => id)).size).toBe(3);
    const years = `svc_company_id[eq]=${own.companyId}&period=1&period_start[gte]=2024-01-01`;
    const { body } = await reader.get(`/v3/accounting/income_statement?${years}&period_end[lte]=2025-01-31`);
    expect([body.error.field, body.error.message]).toEqual([
      'period',
      expect.stringMatching(/13 statements.*Xero.*at most 12/),
    ]);
  });

  test('a trial balance has both sides alike, and the codes of accounts that were read', async () => {
    await own.sync(['ACCOUNTS']);
    const { body } =
      await reader.graphql(`{ trialBalance(companyId: ${own.companyId}, asOf: "2025-04-30T23:00:00-05:00")
      { asOf source totalDebit totalCredit lines { accountId name nominalCode category debit credit } } }`);
    const { lines, ...totals } = body.data.trialBalance;
    expect(totals.asOf).toBe('2025-04-30');
    expect(totals.source).toBe('PLATFORM');
    expect(totals.totalDebit).toBe(totals.totalCredit);
    expect(Number(totals.totalDebit)).toBeGreaterThan(1000);
    expect(lines).toContainEqual(
      expect.objectContaining({ name: 'Sales', nominalCode: '200', category: 'INCOME' }),
    );
  });

  test('a trial balance cuts only the code of an account off its name', async () => {
    const [bank] = running.books.accounts.filter(({ type }) => type === 'BANK');
    if (!bank) throw new Error('there is no bank account');
    const { name, code } = bank;
    Object.assign(bank, { name: 'Petty cash (Sydney)', code: null });
    try {
      await own.sync(['ACCOUNTS'], { fullSync: true });
      const { body } = await reader.graphql(`{ trialBalance(companyId: ${own.companyId}, asOf: "2025-04-30")
        { lines { accountId name } } }`);
      const { lines } = body.data.trialBalance;
      expect(lines).toContainEqual({ accountId: bank.id, name: 'Petty cash (Sydney)' });
      expect(lines).toContainEqual(expect.objectContaining({ name: 'Sales' }));
    } finally {
      Object.assign(bank, { name, code });
      await own.sync(['ACCOUNTS'], { fullSync: true });
    }
  });

  test('a trial balance whose sides differ is refused', async () => {
    const paid = running.books.bankTransactions.find(
      ({ type, status, date }) => type === 'RECEIVE' && status === 'AUTHORISED' && date <= '2025-04-30',
    );
    if (!paid) throw new Error('nothing was received');
    // Of a transfer the other half is booked elsewhere, which here nobody does.
    Object.assign(paid, { type: 'RECEIVE-TRANSFER' });
    try {
      const { body } = await reader.graphql(
        `{ trialBalance(companyId: ${own.companyId}, asOf: "2025-04-30") { totalDebit } }`,
      );
      expect(body.errors[0].extensions.code).toBe('platform-answer');
      expect(body.errors[0].message).toContain(`debits are ${Number(paid.total)}`);
    } finally {
      Object.assign(paid, { type: 'RECEIVE' });
    }
  });

  test('what the platform makes no report of is refused with what is lacking', async () => {
    const { status, body } = await get('cash_flow_statement');
    expect([status, body.error.code]).toEqual([400, 'operation-denied']);
    expect(body.error.message).toMatch(/of Xero only the journal entries/);
    const asked = await get('cash_flow_statement', '&source=PLATFORM');
    expect([asked.status, asked.body.error.field]).toEqual([400, 'source']);
    expect(asked.body.error.message).toMatch(/Xero provides no cash flow statement/);
    const all = await reader.get('/v3/accounting/balance_sheet?source=PLATFORM');
    expect([all.status, all.body.error.field]).toEqual([400, 'source']);
    // Nobody is asked for the statements of all companies.
    expect((await reader.get('/v3/accounting/balance_sheet')).body.data).toEqual([]);
  });

  test('no more of them are found by their ids than a list may ask for', async () => {
    const key = (day: string) => `BalanceSheet:${own.companyId}:${own.connectionId}202501012025${day}1`;
    const idsOf = (count: number) =>
      Array.from({ length: count }, (_, index) =>
        Buffer.from(key(`01${String(index + 10)}`)).toString('base64url'),
      );
    const found = async (ids: readonly string[]) => {
      const asked = ids.map((id, index) => `n${index}: node(id: "${id}") { id }`);
      const before = own.calls.length;
      const { body } = await reader.graphql(`{ ${asked.join(' ')} }`);
      return { body, calls: own.calls.length - before };
    };
    const many = await found(idsOf(13));
    expect(many.calls).toBe(0);
    expect(many.body.errors[0]).toMatchObject({ extensions: { code: 'invalid-params', field: ['ids'] } });
    const few = await found(idsOf(2));
    expect(Object.values(few.body.data).map((one: any) => one?.id)).toEqual(idsOf(2));
    expect(few.calls).toBeGreaterThan(0);
  });

  test('a platform that is away is an error, and none of the service', async () => {
    await running.away(async () => {
      const { status, body } = await get('balance_sheet');
      expect([status, body.error.code]).toEqual([502, 'platform-unreachable']);
    });
    expect((await get('balance_sheet')).status).toBe(200);
  });

  test('POST /v3/core/real_time reads statements and company info at once', async () => {
    const now = (data_model: string, variables: object, more: object = {}) =>
      reader.post('/v3/core/real_time', { company_id: own.companyId, data_model, variables, ...more });
    const period = { period_start: '2025-02-01', period_end: '2025-04-30' };
    for (const [dataModel, path] of [
      ['BALANCE_SHEET', 'balance_sheet'],
      ['INCOME_STATEMENT', 'income_statement'],
    ] as const) {
      const { status, body, headers } = await now(dataModel, period);
      const [listed] = (await get(path)).body.data;
      const times = { svc_created_at: expect.any(String), svc_updated_at: expect.any(String) };
      expect([status, body.data]).toEqual([200, { ...listed, ...times }]);
      expect(headers.get('x-svc-connection-id')).toBe(String(own.connectionId));
    }
    const flow = await now('CASH_FLOW_STATEMENT', {});
    expect([flow.status, flow.body.error.code]).toEqual([400, 'operation-denied']);
    const elsewhere = await now('BALANCE_SHEET', {}, { integration_type: 'SVC_SANDBOX' });
    expect([elsewhere.status, elsewhere.body.error.code]).toEqual([400, 'operation-denied']);
    const nowhere = await now('BALANCE_SHEET', {}, { integration_type: 'ABACUS' });
    expect([nowhere.status, nowhere.body.error.field]).toEqual([400, 'integration_type']);
    const listedOnly = await now('CURRENCIES', { platform_id: 'GBP' });
    expect([listedOnly.status, listedOnly.body.error.code, listedOnly.body.error.field]).toEqual([
      400,
      'operation-denied',
      'data_model',
    ]);
    expect(listedOnly.body.error.message).toMatch(
      /Xero cannot be asked for a single record of CURRENCIES; it can for .*ITEMS/,
    );
    const odd = await now('BALANCE_SHEET', { period_end: 'soon' });
    expect([odd.status, odd.body.error.field]).toEqual([400, 'variables.period_end']);

    const info = await now('COMPANY_INFO', {});
    expect([info.status, info.body.data.name]).toEqual([200, running.books.company.name]);
    const same = await now('COMPANY_INFO', { platform_id: info.body.data.platform_id });
    expect(same.body.data.svc_id).toBe(info.body.data.svc_id);
    const { body } = await reader.graphql(`mutation { readRecord(input: { companyId: ${own.companyId},
      dataModel: COMPANY_INFO }) { record { ... on CompanyInfo { name } } userErrors { message } } }`);
    expect(body.data.readRecord).toEqual({ record: { name: running.books.company.name }, userErrors: [] });
  });
});

describe('two statements of one period', () => {
  const line = (name: string, value: string, accountId: string | null = name, lineItems: any[] = []) => ({
    name,
    value,
    accountId,
    lineItems,
  });
  const sheet = (changes: object = {}) => ({
    assets: [line('bank', '10.00'), line('stock', '5.00')],
    liabilities: [line('loan', '3.004')],
    equity: [line('Current earnings', '11.996', null)],
    netAssets: '11.996',
    ...changes,
  });

  test('agree whatever groups and names their platform has', () => {
    const grouped = sheet({
      assets: [line('Current', '15.00', null, [line('stock', '5.00'), line('bank', '10.00')])],
      liabilities: [line('loan', '3.00')],
      equity: [line('This year', '2', null), line('Before', '9.99', null), line('nothing', '0.00')],
      netAssets: '12.00',
    });
    expect(compare(sheet(), grouped)).toEqual({ agrees: true, differences: [] });
  });

  test('differ account by account, and sum by sum', () => {
    const other = sheet({ assets: [line('bank', '10.01'), line('van', '5.00')], netAssets: '12.01' });
    expect(compare(sheet(), other)).toEqual({
      agrees: false,
      differences: [
        { part: 'ASSETS', name: 'bank', accountId: 'bank', ledger: '10.00', platform: '10.01' },
        { part: 'ASSETS', name: 'stock', accountId: 'stock', ledger: '5.00', platform: null },
        { part: 'ASSETS', name: 'van', accountId: 'van', ledger: null, platform: '5.00' },
        { part: 'NET_ASSETS', name: null, accountId: null, ledger: '11.996', platform: '12.01' },
      ],
    });
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
    [
      { periodStart: '0099-11-30', periodEnd: '0100-03-31', period: 3 },
      ['0099-11-30 0100-02-27', '0100-02-28 0100-03-31'],
    ],
    [
      { periodStart: '9999-09-01', periodEnd: '9999-12-31', period: 2 },
      ['9999-09-01 9999-10-31', '9999-11-01 9999-12-31'],
    ],
  ])('%j', (wanted, expected) => {
    expect(periodsOf(wanted, '2026-05-20').map(({ start, end }) => `${start} ${end}`)).toEqual(expected);
  });
});
