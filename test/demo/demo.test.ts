import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Decimal } from 'decimal.js';
import type { App } from '../../src/app.js';
import { DEMO_COMPANIES, DEMO_ORGANISATION } from '../../src/demo/companies.js';
import { loadDemo } from '../../src/demo/load.js';
import { startDemoSandbox } from '../../src/demo/sandbox.js';
import { openLocalStore } from '../../src/files/local-store.js';
import { createLog } from '../../src/telemetry/log.js';
import { lineTypes, type RecordDefinition, records } from '../../src/records/index.js';
import type { Relation } from '../../src/records/relations.js';
import {
  PAYMENT_DISPUTE_STATUSES,
  PAYMENT_ORDER_STATUSES,
  PAYMENT_REFUND_STATUSES,
  PAYMENT_STATUSES,
} from '../../src/records/value-sets.js';
import type { Sandbox } from '../../src/sandbox/index.js';
import { engineOf, writeEngineOf } from '../support/sandbox.js';
import { type Caller, createCaller, startApp, testDatabaseUrl, testFileDir } from '../support/service.js';
import { admin } from '../support/admin.js';

const PAGE = 500;
const DOCUMENT_STATUSES = ['DRAFT', 'SUBMITTED', 'PARTIALLY_PAID', 'PAID', 'OVERDUE', 'VOID'];

let app: App;
let caller: Caller;
let sandbox: Sandbox;
let load: () => Promise<number>;

beforeAll(async () => {
  const tell = () => undefined;
  const options = {
    databaseUrl: testDatabaseUrl(),
    publicUrl: null,
    port: 0,
    tell,
    log: createLog('silent'),
  };
  sandbox = await startDemoSandbox(options);
  app = await startApp({ SANDBOX_URL: sandbox.url });
  const files = await openLocalStore(testFileDir());
  const engine = writeEngineOf(engineOf(app, sandbox.url), files);
  load = () => loadDemo(engine, admin, tell);
  caller = await createCaller(app, await load());
});
afterAll(async () => {
  await sandbox.stop();
  await app.close();
});

async function data(query: string): Promise<any> {
  const { body } = await caller.graphql(query);
  expect(body.errors).toBeUndefined();
  return body.data;
}

async function nodes(list: string, selection: string): Promise<any[]> {
  const answer = await data(`{ ${list}(first: ${PAGE}) { nodes { ${selection} } } }`);
  return answer[list].nodes;
}

const total = (amounts: readonly string[]): Decimal =>
  amounts.reduce<Decimal>((sum, amount) => sum.plus(amount), new Decimal(0));

/** What there is little of by nature: most payments stay, a week has one payout a currency, a currency one balance. */
const FEW: Readonly<Record<string, number>> = {
  ecommerceBalances: 1,
  ecommerceCompanyInfos: 1,
  bankAccounts: 5,
  companyInfos: 1,
  paymentBalances: 2,
  paymentDisputes: 5,
  paymentItems: 8,
  paymentPayouts: 10,
  paymentRefunds: 5,
  paymentSubscriptions: 10,
  paymentTaxRates: 4,
};

describe('lists', () => {
  test('hold 30 records or more of each type for each company with such a connection', async () => {
    const companies = DEMO_COMPANIES.filter(({ organisation }) => organisation === DEMO_ORGANISATION);
    for (const { list, category } of records) {
      const answer = await data(`{ companies { nodes { name ${list}(first: 1) { totalCount } } } }`);
      expect(answer.companies.nodes.map(({ name }: { name: string }) => name)).toEqual(
        companies.map(({ name }) => name),
      );
      companies.forEach(({ account, categories }, index) => {
        const { totalCount } = answer.companies.nodes[index][list];
        const has = account !== null && categories.includes(category);
        if (has) expect([list, totalCount >= (FEW[list] ?? 30)]).toEqual([list, true]);
        else expect([list, totalCount]).toEqual([list, 0]);
      });
    }
  });

  test.each(records.map((definition) => [definition.list, definition] as const))(
    '%s have differing times and platform ids',
    async (list, definition) => {
      const time = ['updatedAt', 'createdAt', 'postedDate'].find((name) => name in definition.own) ?? '';
      const found = await nodes(list, `svcCompanyId platformId ${time}`);
      if (time !== '') {
        const times = new Set(found.map((node) => node[time]));
        expect(times.size).toBeGreaterThanOrEqual(FEW[list] ?? 25);
      }
      const ids = found.map((node) => `${node.svcCompanyId} ${node.platformId}`);
      expect(new Set(ids).size).toBe(found.length);
    },
  );

  test.each(['ecommerceTransactions', 'ecommerceOrders', 'contacts', 'items'])(
    '%s have deleted records too',
    async (list) => {
      const answer = await data(
        `{ live: ${list}(first: 1) { totalCount } all: ${list}(first: 1, includeDeleted: true) { totalCount } }`,
      );
      expect(answer.all.totalCount).toBeGreaterThan(answer.live.totalCount);
    },
  );
});

describe('relations', () => {
  const select = (name: string, relation: Relation): string => {
    switch (relation.kind) {
      case 'many':
      case 'referenced':
        return `${name}(first: 1) { nodes { svcId } }`;
      case 'embedded':
        return `${name} { ${Object.keys(relation.fields).join(' ')} }`;
      default:
        return `${name} { svcId }`;
    }
  };
  const leads = (value: any): boolean =>
    value !== null && (Array.isArray(value) ? value : (value.nodes ?? [value])).length > 0;
  const relationsOf = (definitions: readonly RecordDefinition[]) =>
    definitions.flatMap((definition) =>
      Object.entries(definition.relations).map(
        ([name, relation]) => [`${definition.model}.${name}`, definition, name, relation] as const,
      ),
    );

  test.each(relationsOf(records))('%s leads somewhere', async (_title, { list }, name, relation) => {
    const found = await nodes(list, select(name, relation));
    expect(found.some((node) => leads(node[name]))).toBe(true);
  });

  const owned = relationsOf(records).flatMap(([title, owner, lines, relation]) =>
    relation.kind === 'lines'
      ? relationsOf(lineTypes.filter(({ model }) => model === relation.target)).map(
          ([, , name, inner]) => [`${title}.${name}`, owner.list, lines, name, inner] as const,
        )
      : [],
  );
  test.each(owned)('%s leads somewhere', async (_title, list, lines, name, inner) => {
    const found = await nodes(list, `${lines} { ${select(name, inner)} }`);
    expect(found.flatMap((node) => node[lines]).some((line) => leads(line[name]))).toBe(true);
  });
});

describe('amounts', () => {
  const AMOUNTS = 'subTotal totalDiscount taxAmount totalAmount';
  const LINES = `lineItems { quantity unitAmount ${AMOUNTS} }`;

  const checkLines = (lines: any[]): void => {
    expect(lines.length).toBeGreaterThan(0);
    for (const { quantity, unitAmount, subTotal, totalDiscount, taxAmount, totalAmount } of lines) {
      expect(new Decimal(quantity).times(unitAmount).toFixed(2)).toBe(subTotal);
      expect(new Decimal(subTotal).minus(totalDiscount).plus(taxAmount).toFixed(2)).toBe(totalAmount);
    }
  };

  const added = records.filter(
    ({ own, relations }) => AMOUNTS.split(' ').every((name) => name in own) && 'lineItems' in relations,
  );
  test.each(added.map(({ list }) => list))('%s are the sum of their lines', async (list) => {
    for (const node of await nodes(list, `${AMOUNTS} ${LINES}`)) {
      checkLines(node.lineItems);
      for (const name of AMOUNTS.split(' ')) {
        expect(total(node.lineItems.map((line: any) => line[name])).toFixed(2)).toBe(node[name]);
      }
    }
  });

  test.each([
    ['invoices', 'invoicePayments'],
    ['bills', 'billPayments'],
  ])('%s: what is due is what was not paid, and the status says so', async (list, payments) => {
    const found = await nodes(
      list,
      `status totalAmount amountDue ${payments}(first: 10) { nodes { amount } }`,
    );
    for (const { status, totalAmount, amountDue, [payments]: paid } of found) {
      const left = new Decimal(totalAmount).minus(total(paid.nodes.map((one: any) => one.amount)));
      if (status === 'VOID') expect([amountDue, paid.nodes]).toEqual(['0.00', []]);
      else expect(amountDue).toBe(left.toFixed(2));
      if (status !== 'VOID') expect(status === 'PAID').toBe(left.isZero());
      if (status === 'PARTIALLY_PAID') expect(left.lt(totalAmount)).toBe(true);
      if (status === 'DRAFT' || status === 'SUBMITTED') expect(amountDue).toBe(totalAmount);
      expect(left.isNegative()).toBe(false);
    }
    expect(new Set(found.map(({ status }) => status))).toEqual(new Set(DOCUMENT_STATUSES));
  });

  test.each([
    ['invoiceCreditNotes', 'invoices'],
    ['billCreditNotes', 'bills'],
  ])('%s: what remains is what was neither applied nor paid back', async (list, applied) => {
    const selection = `status taxAmount totalAmount remainingCredit ${LINES} ${applied}(first: 10) { nodes { platformId } }
      payments(first: 10) { nodes { amount ${applied.slice(0, -1)} { platformId } } }`;
    for (const node of await nodes(list, selection)) {
      checkLines(node.lineItems);
      expect(total(node.lineItems.map((line: any) => line.totalAmount)).toFixed(2)).toBe(node.totalAmount);
      expect(total(node.lineItems.map((line: any) => line.taxAmount)).toFixed(2)).toBe(node.taxAmount);
      const used = total(node.payments.nodes.map((one: any) => one.amount));
      const left = new Decimal(node.status === 'VOID' ? 0 : node.totalAmount).minus(used);
      expect(node.remainingCredit).toBe(left.toFixed(2));
      if (node.status !== 'VOID') expect(node.status === 'PAID').toBe(left.isZero());
      const settled = node.payments.nodes.map((one: any) => one[applied.slice(0, -1)]).filter(Boolean);
      expect(settled).toEqual(node[applied].nodes);
    }
  });

  test('journal entries balance', async () => {
    for (const { amount, journalLines } of await nodes(
      'journalEntries',
      'amount journalLines { type netAmount }',
    )) {
      for (const side of ['DEBIT', 'CREDIT']) {
        const lines = journalLines.filter((line: any) => line.type === side);
        expect(total(lines.map((line: any) => line.netAmount)).toFixed(2)).toBe(amount);
      }
    }
  });

  test('the accounts of a company balance', async () => {
    const found = await nodes('accounts', 'svcCompanyId category currentBalance');
    const balances = new Map<number, Decimal>();
    for (const { svcCompanyId, category, currentBalance } of found) {
      const signed = new Decimal(currentBalance).times(
        ['ASSET', 'BANK', 'EXPENSE'].includes(category) ? 1 : -1,
      );
      balances.set(svcCompanyId, signed.plus(balances.get(svcCompanyId) ?? 0));
    }
    expect([...balances.values()].map((balance) => balance.toFixed(2))).toEqual(['0.00', '0.00']);
  });

  test('a tax rate is what its components come to', async () => {
    for (const rate of await nodes(
      'taxRates',
      'totalTaxRate effectiveTaxRate components { rate isCompound }',
    )) {
      expect(total(rate.components.map((part: any) => part.rate)).toString()).toBe(rate.totalTaxRate);
      const compound = rate.components.some((part: any) => part.isCompound);
      expect(new Decimal(rate.effectiveTaxRate).gt(rate.totalTaxRate)).toBe(compound);
    }
  });
});

describe('statements', () => {
  const LINE = '{ name value accountId lineItems { name } }';
  const PERIODS = 'periodStart: "2026-01-01", periodEnd: "2026-06-30", period: 1';
  const sumOf = (lines: any[]) => total(lines.map(({ value }) => value));
  const lists = async (query: string): Promise<Record<string, any[]>> =>
    Object.fromEntries(
      Object.entries(await data(query)).map(([name, list]) => [name, (list as { nodes: any[] }).nodes]),
    );

  test('assets are liabilities and equity, after each month', async () => {
    const { balanceSheets = [] } = await lists(
      `{ balanceSheets(${PERIODS}) { nodes { svcCompanyId periodEnd assets ${LINE} liabilities ${LINE} equity ${LINE} netAssets } } }`,
    );
    expect(balanceSheets.length).toBe(12);
    for (const { assets, liabilities, equity, netAssets } of balanceSheets) {
      expect(sumOf(assets).toFixed(2)).toBe(sumOf([...liabilities, ...equity]).toFixed(2));
      expect(netAssets).toBe(sumOf(equity).toFixed(2));
    }
    const months = balanceSheets.filter(
      ({ svcCompanyId }: any) => svcCompanyId === balanceSheets[0].svcCompanyId,
    );
    expect(new Set(months.map(({ netAssets }: any) => netAssets)).size).toBe(6);
  });

  test('profits are what is left of revenue, and add to what the company is worth', async () => {
    const fields = [
      ...['revenue', 'costOfGoodsSold', 'operatingExpenses'],
      ...['nonOperatingRevenue', 'nonOperatingExpenses', 'taxes'],
    ];
    const { balanceSheets = [], incomeStatements = [] } = await lists(
      `{ incomeStatements(${PERIODS}) { nodes { svcCompanyId periodEnd ${fields.map((name) => `${name} ${LINE}`).join(' ')}
           grossProfit operatingProfit earningsBeforeTaxes netProfit } }
         balanceSheets(${PERIODS}) { nodes { svcCompanyId periodEnd netAssets equity ${LINE} } } }`,
    );
    for (const one of incomeStatements) {
      const gross = sumOf(one.revenue).minus(sumOf(one.costOfGoodsSold));
      const profit = gross.minus(sumOf(one.operatingExpenses));
      const before = profit.plus(sumOf(one.nonOperatingRevenue)).minus(sumOf(one.nonOperatingExpenses));
      const parts = [gross, profit, before, before.minus(sumOf(one.taxes))].map((part) => part.toFixed(2));
      expect(parts).toEqual([one.grossProfit, one.operatingProfit, one.earningsBeforeTaxes, one.netProfit]);
    }
    const earningsOf = ({ equity }: any) =>
      equity.find(({ accountId }: any) => accountId === null)?.value ?? '0';
    for (const { svcCompanyId } of balanceSheets.slice(0, 2)) {
      const of = (list: any[]) => list.filter((one) => one.svcCompanyId === svcCompanyId);
      const profits = of(incomeStatements).map(({ netProfit }: any) => netProfit);
      of(balanceSheets).forEach((sheet: any, index: number) => {
        expect(earningsOf(sheet)).toBe(total(profits.slice(0, index + 1)).toFixed(2));
      });
    }
  });

  test('money at the end is money at the beginning and all activities', async () => {
    const activities = ['operatingActivities', 'investingActivities', 'financingActivities'];
    const { balanceSheets = [], cashFlowStatements = [] } = await lists(
      `{ cashFlowStatements(${PERIODS}) { nodes { svcCompanyId ${activities.map((name) => `${name} ${LINE}`).join(' ')}
           cashAtBeginningOfPeriod cashAtEndOfPeriod } }
         balanceSheets(${PERIODS}) { nodes { svcCompanyId assets ${LINE} } } }`,
    );
    const banks = (await nodes('accounts', 'platformId category')).filter(
      ({ category }) => category === 'BANK',
    );
    const isBank = new Set(banks.map(({ platformId }) => platformId));
    cashFlowStatements.forEach((flow: any, index: number) => {
      const moved = sumOf(activities.flatMap((name) => flow[name]));
      expect(moved.plus(flow.cashAtBeginningOfPeriod).toFixed(2)).toBe(flow.cashAtEndOfPeriod);
      const held = balanceSheets[index].assets.filter(({ accountId }: any) => isBank.has(accountId));
      expect(flow.cashAtEndOfPeriod).toBe(sumOf(held).toFixed(2));
    });
    const moving = cashFlowStatements.filter(
      ({ operatingActivities }: any) => operatingActivities.length > 3,
    );
    expect(moving.length).toBeGreaterThan(8);
  });

  test('are what the platform says itself, month by month and account by account', async () => {
    const { balanceSheets = [] } = await lists(`{ balanceSheets(${PERIODS}) { nodes { svcCompanyId } } }`);
    const companyId = balanceSheets[0].svcCompanyId;
    const NAMES = ['balanceSheets', 'incomeStatements', 'cashFlowStatements'];
    for (const name of NAMES) {
      const { [name]: compared = [] } = await lists(
        `{ ${name}(companyId: ${companyId}, ${PERIODS}) { nodes { source reconciliation
           { agrees differences { part name ledger platform } } } } }`,
      );
      const agreed = { source: 'LEDGER', reconciliation: { agrees: true, differences: [] } };
      expect(compared).toEqual(Array.from({ length: 6 }, () => agreed));
    }
    const trial = (source: string) =>
      data(`{ trialBalance(companyId: ${companyId}, asOf: "2026-03-31", source: ${source})
        { totalDebit totalCredit lines { accountId nominalCode category debit credit } } }`);
    expect(await trial('PLATFORM')).toEqual(await trial('LEDGER'));

    // Whoever asks for one now is told what the platform says, which tells no time of a change.
    const now = {
      company_id: companyId,
      data_model: 'BALANCE_SHEET',
      variables: { period_end: '2026-06-30' },
    };
    const { body } = await caller.post('/v3/core/real_time', now);
    expect(body.data).toMatchObject({ updated_at: null, period_end: '2026-06-30T00:00:00.000Z' });
    const many = 'periodStart: "2025-06-01", periodEnd: "2026-06-30", period: 1';
    const { body: refused } = await caller.graphql(
      `{ balanceSheets(companyId: ${companyId}, ${many}) { nodes { reconciliation { agrees } } } }`,
    );
    expect(refused.errors).toHaveLength(13);
    expect(refused.errors[0].message).toMatch(/^period needs 13 statements.* at most 12$/);
  });

  test('that are not what the platform says name what differs', async () => {
    const { journalEntries } =
      await data(`{ journalEntries(first: 1, filter: { journalEntryType: { eq: "EXPENSE" } })
      { nodes { svcId svcCompanyId postedDate journalLines { accountId type netAmount } } } }`);
    const [{ svcId, svcCompanyId, postedDate, journalLines }] = journalEntries.nodes;
    // The first of each side: what was bought, and what it was paid from.
    const sides = ['DEBIT', 'CREDIT'].map(
      (side) => journalLines.find(({ type }: any) => type === side).accountId,
    );
    const add = (amount: number) =>
      admin.pool.query(
        `UPDATE journal_lines SET net_amount = net_amount + $1
         WHERE parent_svc_id = $2 AND account_id = ANY ($3)`,
        [amount, svcId, sides],
      );
    await add(7);
    try {
      const { incomeStatements = [] } = await lists(`{ incomeStatements(companyId: ${svcCompanyId},
        periodStart: "${postedDate}", periodEnd: "${postedDate}") { nodes { netProfit
        reconciliation { agrees differences { part accountId ledger platform } } } } }`);
      const { netProfit, reconciliation } = incomeStatements[0];
      expect(reconciliation.agrees).toBe(false);
      const spent = reconciliation.differences.find(({ accountId }: any) => accountId !== null);
      expect(spent.accountId).toBe(sides[0]);
      expect(new Decimal(spent.ledger).minus(spent.platform).toNumber()).toBe(7);
      expect(reconciliation.differences).toContainEqual({
        part: 'NET_PROFIT',
        accountId: null,
        ledger: netProfit,
        platform: new Decimal(netProfit).plus(7).toFixed(2),
      });
    } finally {
      await add(-7);
    }
  });

  test('a trial balance sums to zero, and is what the accounts say that they hold', async () => {
    const { companies } = await data('{ companies { nodes { svcId name } } }');
    const accounts = await nodes('accounts', 'svcCompanyId platformId category currentBalance');
    const [{ svcId }] = companies.nodes.filter(({ svcId: id }: any) =>
      accounts.some(({ svcCompanyId }) => svcCompanyId === id),
    );
    const { trialBalance } = await data(
      `{ trialBalance(companyId: ${svcId}, asOf: "2026-06-30") { totalDebit totalCredit currencyCode
           lines { accountId category debit credit } } }`,
    );
    expect(trialBalance.currencyCode).toBe('AUD');
    expect(trialBalance.totalDebit).toBe(trialBalance.totalCredit);
    expect(total(trialBalance.lines.map(({ debit }: any) => debit ?? '0')).toFixed(2)).toBe(
      trialBalance.totalDebit,
    );
    const netOf = new Map<string, Decimal>();
    const add = (accountId: string, amount: Decimal.Value) =>
      netOf.set(accountId, new Decimal(amount).plus(netOf.get(accountId) ?? 0));
    for (const { accountId, debit, credit } of trialBalance.lines) {
      add(accountId, new Decimal(debit ?? 0).minus(credit ?? 0));
    }
    for (const { platformId, category, currentBalance } of accounts.filter(
      (one) => one.svcCompanyId === svcId,
    )) {
      const sign = ['ASSET', 'BANK', 'EXPENSE'].includes(category) ? 1 : -1;
      const held = (netOf.get(platformId) ?? new Decimal(0)).times(sign);
      expect([platformId, held.toFixed(2)]).toEqual([platformId, new Decimal(currentBalance).toFixed(2)]);
    }
  });

  test('are numbers with all digits on REST, and add up in both styles', async () => {
    const { status, body } = await caller.get(
      '/v3/accounting/income_statement?period_start[gte]=2026-01-01&period_end[lte]=2026-06-30T00:00:00Z&period=3&sort[period_end]=DESC',
    );
    expect(status).toBe(200);
    expect(Object.keys(body)).toEqual(['data', 'next', 'prev', 'total_count']);
    const [last] = body.data;
    expect(body.data.map(({ period_end: end }: any) => end.slice(0, 10))).toEqual([
      '2026-06-30',
      '2026-06-30',
      '2026-03-31',
      '2026-03-31',
    ]);
    expect(last).toMatchObject({ svc_id: expect.any(Number), platform_id: '2026-04-01/2026-06-30' });
    expect(last.revenue[0]).toEqual({
      name: expect.any(String),
      value: expect.any(Number),
      account_id: expect.any(String),
      line_items: [],
    });
    const older = await caller.post('/accounting/income_statement/all', {
      filter: { period_start: { gte: '2026-01-01' }, period_end: { lte: '2026-06-30' } },
      period: 3,
      orderBy: { period_end: 'desc' },
    });
    const base = { svc_integration_type: 'SVC_SANDBOX', svc_organisation_id: expect.any(Number) };
    expect(older.body.data).toEqual({
      data: body.data.map((statement: object) => ({ ...statement, ...base })),
      total_count: 4,
    });
  });
});

describe('payments', () => {
  test('are in every status, for an invoice or an order of their customer', async () => {
    const found = await nodes(
      'payments',
      'status customerId invoice { contactId } order { platformId } paymentLineItems { totalAmount }',
    );
    expect(new Set(found.map(({ status }) => status))).toEqual(new Set(PAYMENT_STATUSES));
    for (const { customerId, invoice, order, paymentLineItems } of found) {
      expect((invoice === null) !== (order === null)).toBe(true);
      if (invoice) expect(invoice.contactId).toBe(customerId);
      expect(paymentLineItems.length > 0).toBe(invoice !== null);
    }
  });

  test('pay invoices and orders', async () => {
    const orders = await nodes(
      'paymentOrders',
      'status amount amountDue payments(first: 10) { nodes { status amount } }',
    );
    expect(new Set(orders.map(({ status }) => status))).toEqual(new Set(PAYMENT_ORDER_STATUSES));
    for (const { status, amount, amountDue, payments } of orders) {
      const paid = payments.nodes.filter((one: any) => one.status === 'PAID');
      expect(paid.map((one: any) => one.amount)).toEqual(status === 'PAID' ? [amount] : []);
      expect(amountDue).toBe(status === 'PAID' || status === 'CANCELLED' ? '0.00' : amount);
    }
    const paid = new Map<string, Decimal>();
    for (const { status, amount, invoiceId, svcCompanyId } of await nodes(
      'payments',
      'status amount invoiceId svcCompanyId',
    )) {
      const key = `${svcCompanyId} ${invoiceId}`;
      if (status === 'PAID') paid.set(key, new Decimal(amount).plus(paid.get(key) ?? 0));
    }
    const invoices = await nodes('paymentInvoices', 'svcCompanyId platformId status totalAmount amountDue');
    for (const { svcCompanyId, platformId, status, totalAmount, amountDue } of invoices) {
      const due = new Decimal(totalAmount).minus(paid.get(`${svcCompanyId} ${platformId}`) ?? 0);
      expect(amountDue).toBe(status === 'VOID' ? '0.00' : due.toFixed(2));
      if (status !== 'VOID') expect(status === 'PAID').toBe(due.isZero());
    }
    expect(new Set(invoices.map(({ status }) => status))).toEqual(new Set(DOCUMENT_STATUSES));
  });

  test('go back, or are contested, by no more than they came to', async () => {
    const refunds = await nodes(
      'paymentRefunds',
      'amount status createdAt payment { amount status createdAt }',
    );
    const disputes = await nodes(
      'paymentDisputes',
      'amount status createdAt payment { amount status createdAt }',
    );
    expect(new Set(refunds.map(({ status }) => status))).toEqual(new Set(PAYMENT_REFUND_STATUSES));
    expect(new Set(disputes.map(({ status }) => status))).toEqual(new Set(PAYMENT_DISPUTE_STATUSES));
    for (const { amount, createdAt, payment } of [...refunds, ...disputes]) {
      expect(payment.status).toBe('PAID');
      expect(createdAt >= payment.createdAt).toBe(true);
      expect(new Decimal(amount).gt(0) && new Decimal(amount).lte(payment.amount)).toBe(true);
    }
  });

  test('move the balance, less fees and what goes back, and are paid out of it', async () => {
    const platformIdsOf = async (list: string, filter: string) =>
      (await nodes(list, `svcCompanyId platformId amount status`))
        .filter(({ status }) => status === filter)
        .map(({ svcCompanyId, platformId, amount }) => [`${svcCompanyId} ${platformId}`, amount] as const);
    const moving = new Map([
      ...(await platformIdsOf('payments', 'PAID')),
      ...(await platformIdsOf('paymentRefunds', 'SUCCESS')),
      ...(await platformIdsOf('paymentDisputes', 'LOST')),
    ]);
    const movements = await nodes(
      'paymentTransactions',
      'svcCompanyId amount type status source currencyCode payoutId payout { svcId currencyCode }',
    );
    const fees = movements.filter(({ type }) => type === 'FEE');
    expect(movements.length - fees.length).toBe(moving.size);
    for (const { svcCompanyId, amount, type, source, currencyCode, payout } of movements) {
      const moved = moving.get(`${svcCompanyId} ${source}`);
      if (type === 'FEE') expect(new Decimal(amount).lt(0)).toBe(true);
      else expect(new Decimal(amount).abs().toFixed(2)).toBe(moved);
      expect(new Decimal(amount).lt(0)).toBe(type !== 'PAYMENT');
      if (payout) expect(payout.currencyCode).toBe(currencyCode);
    }
    const payouts = await nodes('paymentPayouts', 'svcCompanyId platformId amount status');
    expect(payouts.length).toBeGreaterThan(10);
    expect(new Set(payouts.map(({ status }) => status))).toEqual(new Set(['CREATED', 'SUCCESS']));
    for (const { svcCompanyId, platformId, amount } of payouts) {
      const own = movements.filter((one) => one.svcCompanyId === svcCompanyId && one.payoutId === platformId);
      expect(total(own.map((one) => one.amount)).toFixed(2)).toBe(amount);
    }
    const balances = await nodes(
      'paymentBalances',
      'svcCompanyId currencyCode totalBalance availableBalance pendingBalance',
    );
    expect(balances.some(({ pendingBalance }) => pendingBalance !== '0.00')).toBe(true);
    for (const { svcCompanyId, currencyCode, totalBalance, ...parts } of balances) {
      const left = movements.filter(
        (one) => one.svcCompanyId === svcCompanyId && one.currencyCode === currencyCode && !one.payoutId,
      );
      const of = (status: string) =>
        total(left.filter((one) => one.status === status).map(({ amount }) => amount)).toFixed(2);
      expect(parts).toEqual({ availableBalance: of('AVAILABLE'), pendingBalance: of('PENDING') });
      expect(total(Object.values(parts)).toFixed(2)).toBe(totalBalance);
    }
  });

  test('links ask for the sum of their lines', async () => {
    for (const { amount, lineItems } of await nodes('paymentLinks', 'amount lineItems { totalAmount }')) {
      expect(total(lineItems.map((line: any) => line.totalAmount)).toFixed(2)).toBe(amount);
    }
  });

  test('in a shop are of its orders', async () => {
    const orders = await nodes(
      'ecommerceOrders',
      'svcCompanyId orderName paymentStatus totalAmount amountDue',
    );
    const transactions = await nodes('ecommerceTransactions', 'svcCompanyId description type amount');
    for (const { svcCompanyId, orderName, paymentStatus, totalAmount, amountDue } of orders) {
      const own = transactions.filter(
        (one) => one.svcCompanyId === svcCompanyId && one.description === `Order ${orderName}`,
      );
      const sales = own.filter(({ type }) => type === 'SALE').map(({ amount }) => amount);
      expect(sales).toEqual(paymentStatus === 'PENDING' ? [] : [totalAmount]);
      expect(amountDue).toBe(paymentStatus === 'PENDING' ? totalAmount : '0.00');
      expect(own.some(({ type }) => type === 'REFUND')).toBe(paymentStatus.includes('REFUNDED'));
    }
  });
});

describe('the books', () => {
  test('have on each bank account what its account of the chart has', async () => {
    const found = await nodes('bankAccounts', 'balance accountName account { currentBalance name category }');
    for (const { balance, accountName, account } of found) {
      expect([accountName, balance]).toEqual([account.name, account.currentBalance]);
      expect(['BANK', 'LIABILITY']).toContain(account.category);
    }
  });

  test('know the company by its name and its currency', async () => {
    const found = await nodes('companyInfos', 'name baseCurrency company { name baseCurrencyCode }');
    for (const { name, baseCurrency, company } of found) {
      expect(name).toBe(company.name);
      expect(baseCurrency).toBe('AUD');
    }
  });

  test('have for each order that was placed what came of it', async () => {
    const orders = await nodes('purchaseOrders', 'svcId status');
    const placed = orders.filter(({ status }) => status !== 'DRAFT' && status !== 'VOID');
    const notes = await nodes(
      'goodsReceiptNotes',
      `totalAmount deliveryDate lineItems { totalAmount quantity item { svcId } }
      purchaseOrders(first: 2) { nodes { svcId totalAmount deliveryDate lineItems { quantity item { svcId } } } }`,
    );
    expect(notes.length).toBe(placed.length);
    for (const { purchaseOrders, totalAmount, deliveryDate, lineItems } of notes) {
      const [order, ...others] = purchaseOrders.nodes;
      expect(others).toEqual([]);
      expect(total(lineItems.map((line: any) => line.totalAmount)).toFixed(2)).toBe(totalAmount);
      expect([totalAmount, deliveryDate]).toEqual([order.totalAmount, order.deliveryDate]);
      const ordered = (lines: any[]) => lines.map(({ quantity, item }) => [item.svcId, quantity]);
      expect(ordered(lineItems)).toEqual(ordered(order.lineItems));
    }
  });
});

describe('a shop', () => {
  test('sent what is fulfilled, and nothing else', async () => {
    const orders = await nodes(
      'ecommerceOrders',
      'orderStatus createdAt fulfillments(first: 5) { nodes { createdAt } } transactions(first: 9) { nodes { createdAt } }',
    );
    for (const { orderStatus, createdAt, fulfillments, transactions } of orders) {
      expect(fulfillments.nodes.length > 0).toBe(orderStatus === 'FULFILLED');
      const later = [...fulfillments.nodes, ...transactions.nodes];
      expect(later.every((one) => one.createdAt > createdAt)).toBe(true);
    }
  });

  test('has of each product what came in boxes of 50, less what was sent', async () => {
    const sent = new Map<string, number>();
    const orders = await nodes(
      'ecommerceOrders',
      'svcCompanyId orderStatus lineItems { quantity product { platformId } }',
    );
    for (const { svcCompanyId, orderStatus, lineItems } of orders) {
      for (const { quantity, product } of orderStatus === 'FULFILLED' ? lineItems : []) {
        const key = `${svcCompanyId} ${product.platformId}`;
        sent.set(key, Number(quantity) + (sent.get(key) ?? 0));
      }
    }
    expect(sent.size).toBeGreaterThan(7);
    const stock = await nodes('ecommerceInventories', 'svcCompanyId quantity product { platformId }');
    expect(stock.length).toBe((await nodes('ecommerceProducts', 'svcId')).length);
    for (const { svcCompanyId, quantity, product } of stock) {
      const gone = sent.get(`${svcCompanyId} ${product.platformId}`) ?? 0;
      expect(Number(quantity)).toBeGreaterThanOrEqual(0);
      expect((Number(quantity) + gone) % 50).toBe(0);
    }
  });

  test('has left what was sold, less what that cost and what went back', async () => {
    const transactions = await nodes('ecommerceTransactions', 'svcCompanyId amount fee type currencyCode');
    const balances = await nodes('ecommerceBalances', 'svcCompanyId availableBalance currencyCode');
    const shops = await nodes('ecommerceCompanyInfos', 'svcCompanyId name currencyCode company { name }');
    expect(shops.length).toBe(balances.length);
    for (const { svcCompanyId, availableBalance, currencyCode } of balances) {
      const own = transactions.filter(
        (one) => one.svcCompanyId === svcCompanyId && one.currencyCode === currencyCode,
      );
      const moved = own.flatMap(({ amount, fee, type }) => [
        `${type === 'REFUND' ? '-' : ''}${amount}`,
        `-${fee}`,
      ]);
      expect(moved.length).toBeGreaterThan(60);
      expect(total(moved).toFixed(2)).toBe(availableBalance);
      expect(shops).toContainEqual(expect.objectContaining({ svcCompanyId, currencyCode }));
    }
    for (const { name, company } of shops) expect(name).toBe(company.name);
  });

  test('knows who ordered before they did, and lets guests order too', async () => {
    const found = await nodes('ecommerceOrders', 'createdAt customerId customer { createdAt }');
    for (const { createdAt, customerId, customer } of found) {
      expect(customer === null).toBe(customerId === null);
      if (customer) expect(customer.createdAt < createdAt).toBe(true);
    }
    expect(found.some(({ customer }) => customer === null)).toBe(true);
  });
});

describe('loading', () => {
  const changes = async (): Promise<unknown> =>
    (await admin.pool.query('SELECT count(*) FROM record_changes')).rows;

  const where = { name: DEMO_ORGANISATION };
  /** As if the load had been interrupted before its end. */
  const forgetEnd = () => admin.prisma.organisation.update({ where, data: { demoLoadedAt: null } });
  const names = async (): Promise<string[]> =>
    (await admin.prisma.company.findMany({ orderBy: { name: 'asc' } })).map(({ name }) => name);

  test('a second time changes nothing', async () => {
    const before = await changes();
    await load();
    expect(await changes()).toEqual(before);
  });

  test('goes on where it was cut off, and changes nothing that was there', async () => {
    const before = await changes();
    const externalAccountId = { startsWith: 'demo-' };
    await admin.prisma.connection.updateMany({
      where: { externalAccountId },
      data: { lastSyncedAt: null },
    });
    await forgetEnd();
    await load();
    expect(await changes()).toEqual(before);
    const cutOff = await admin.prisma.connection.count({
      where: { externalAccountId, lastSyncedAt: null },
    });
    expect(cutOff).toBe(0);
  });

  test('goes on where the deletion of a company broke off, which had withdrawn its link', async () => {
    const { svcId } = await admin.prisma.company.findFirstOrThrow({
      where: { connections: { some: { externalAccountId: { startsWith: 'demo-' } } } },
    });
    const own = { svcCompanyId: svcId };
    await admin.prisma.inviteLink.updateMany({ where: own, data: { revokedAt: new Date() } });
    await admin.prisma.connection.updateMany({ where: own, data: { lastSyncedAt: null } });
    await forgetEnd();
    await load();
    expect(await admin.prisma.inviteLink.count({ where: { ...own, revokedAt: null } })).toBe(1);
    expect(await admin.prisma.connection.count({ where: { ...own, lastSyncedAt: null } })).toBe(0);
  });

  test('goes on where it was cut off after a first sync, or before the last of the rest', async () => {
    const { prisma } = admin;
    const shop = await prisma.connection.findFirstOrThrow({ where: { externalAccountId: 'demo-5' } });
    const deletions = { connectionId: shop.svcId, operation: 'DELETE' };
    const counts = async () => ({
      names: await names(),
      uploads: await prisma.upload.count(),
      integrations: await prisma.integration.count(),
      webhooks: await prisma.webhook.count(),
      fieldMappings: await prisma.fieldMapping.count(),
      hasDeletions: (await prisma.recordChange.count({ where: deletions })) > 0,
    });
    const before = await counts();
    await prisma.upload.deleteMany();
    await prisma.recordChange.deleteMany({ where: deletions });
    await prisma.company.deleteMany({ where: { name: { in: ['Maple Clinic', 'Willow Workshop'] } } });
    await prisma.integration.deleteMany({ where: { integrationType: 'XERO' } });
    await prisma.webhook.deleteMany({ where: { name: 'Payments' } });
    await prisma.fieldMapping.deleteMany({ where: { name: 'town' } });
    await forgetEnd();
    await load();
    expect(await counts()).toEqual(before);
  });

  test('finds a company again by its link when it was renamed before the end', async () => {
    const { prisma } = admin;
    await prisma.company.updateMany({ where: { name: 'Lantern Pay' }, data: { name: 'Torch Pay' } });
    await prisma.connection.updateMany({
      where: { externalAccountId: 'demo-4' },
      data: { lastSyncedAt: null },
    });
    const before = await names();
    await forgetEnd();
    await load();
    expect(await names()).toEqual(before);
  });

  test('leaves companies and integrations alone that were renamed, deleted or disabled after the end', async () => {
    const { prisma } = admin;
    await prisma.company.updateMany({ where: { name: 'Copper Shop' }, data: { name: 'Bronze Shop' } });
    await prisma.company.deleteMany({ where: { name: 'Juniper Studio' } });
    await prisma.connection.deleteMany({ where: { externalAccountId: 'demo-2' } });
    await prisma.integration.updateMany({ data: { isDisabled: true } });
    const before = await names();
    await load();
    expect(await names()).toEqual(before);
    expect(await prisma.connection.count({ where: { externalAccountId: 'demo-2' } })).toBe(0);
  });
});
