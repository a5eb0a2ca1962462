import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { App } from '../../src/app.js';
import { ACCOUNTS, storeBooks } from '../support/books.js';
import { createTenant, type Tenant } from '../support/seed.js';
import { type Caller, createCaller, startApp } from '../support/service.js';
import { statementsOf } from '../support/statements.js';
import { admin } from '../support/admin.js';

let app: App;
let acme: Tenant;
let caller: Caller;
const LIVE = ACCOUNTS.filter(({ deleted }) => !deleted).map(({ platformId }) => platformId);

beforeAll(async () => {
  app = await startApp();
  acme = await createTenant(app, 'graphql');
  await storeBooks(acme);
  caller = await createCaller(app, acme.organisationId);
});
afterAll(() => app.close());

async function data(query: string, variables: object = {}, by = caller) {
  const { status, body } = await by.graphql(query, variables);
  expect({ status, errors: body.errors }).toEqual({ status: 200, errors: undefined });
  return body.data;
}
const ids = (nodes: { platformId: string }[]) => nodes.map(({ platformId }) => platformId);

/** What a query reads. */
const statementsFor = (query: string) => statementsOf(app, () => data(query));

/** For tests that add records: lists of the others are counted. */
async function createOwner(name: string): Promise<{ tenant: Tenant; owner: Caller }> {
  const tenant = await createTenant(app, name);
  return { tenant, owner: await createCaller(app, tenant.organisationId) };
}

describe('a list', () => {
  test('is a Relay connection, walked forwards and backwards', async () => {
    const query = `query ($first: Int, $after: String, $last: Int, $before: String) {
      accounts(first: $first, after: $after, last: $last, before: $before) {
        totalCount
        edges { cursor node { platformId } }
        nodes { platformId }
        pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
      } }`;
    const forth: string[] = [];
    let after: string | null = null;
    do {
      const { accounts }: any = await data(query, { first: 4, after });
      expect(accounts.totalCount).toBe(LIVE.length);
      expect(accounts.edges.map((edge: any) => edge.node)).toEqual(accounts.nodes);
      expect(accounts.pageInfo).toMatchObject({
        hasPreviousPage: after !== null,
        startCursor: accounts.edges[0].cursor,
        endCursor: accounts.edges.at(-1).cursor,
      });
      forth.push(...ids(accounts.nodes));
      after = accounts.pageInfo.hasNextPage ? accounts.pageInfo.endCursor : null;
    } while (after);
    expect(forth).toEqual(LIVE);
    const { accounts: end } = await data(query, { last: 4 });
    expect(ids(end.nodes)).toEqual(LIVE.slice(-4));
    const { accounts: before } = await data(query, { last: 2, before: end.pageInfo.startCursor });
    expect(ids(before.nodes)).toEqual(LIVE.slice(-6, -4));
    expect(before.pageInfo).toMatchObject({ hasNextPage: true, hasPreviousPage: true });
  });

  test('filters, orders, skips and shows deleted records on demand', async () => {
    const { accounts } = await data(
      `{ accounts(filter: { category: { eq: ASSET }, nominalCode: { gte: "1002" } },
           orderBy: [{ field: NOMINAL_CODE, direction: DESC }], first: 2, skip: 1) { totalCount nodes { platformId } } }`,
    );
    expect(accounts).toEqual({
      totalCount: 5,
      nodes: [{ platformId: 'account-8' }, { platformId: 'account-6' }],
    });
    const { accounts: everything } = await data(
      '{ accounts(includeDeleted: true) { totalCount nodes { svcDeletedAt } } }',
    );
    expect(everything.totalCount).toBe(ACCOUNTS.length);
    expect(everything.nodes.filter((one: any) => one.svcDeletedAt)).toHaveLength(3);
  });

  test('says what is before and behind a page that others were skipped for', async () => {
    const query = `query ($first: Int, $skip: Int) { accounts(first: $first, skip: $skip) {
      pageInfo { hasNextPage hasPreviousPage } } }`;
    const pageInfo = async (skip: number, first = 1) =>
      (await data(query, { first, skip })).accounts.pageInfo;
    expect(await pageInfo(0)).toEqual({ hasNextPage: true, hasPreviousPage: false });
    expect(await pageInfo(1)).toEqual({ hasNextPage: true, hasPreviousPage: true });
    expect(await pageInfo(1, LIVE.length)).toEqual({ hasNextPage: false, hasPreviousPage: true });
  });

  test('of one company says how fresh it is', async () => {
    const query =
      'query ($id: SvcId) { accounts(companyId: $id, first: 1) { lastSyncedAt nodes { connection { integrationType status lastSyncedAt } } } }';
    expect((await data(query, { id: acme.companyId })).accounts).toEqual({
      lastSyncedAt: null,
      nodes: [{ connection: { integrationType: 'SVC_SANDBOX', status: 'HEALTHY', lastSyncedAt: null } }],
    });
    const at = new Date('2026-06-01T00:00:00.000Z');
    await admin.prisma.connection.updateMany({
      where: { svcId: BigInt(acme.connectionId) },
      data: { lastSyncedAt: at },
    });
    expect((await data(query, { id: acme.companyId })).accounts.lastSyncedAt).toBe(at.toISOString());
    expect((await data(query, { id: null })).accounts.lastSyncedAt).toBeNull();
  });

  test('of a company with several connections is as fresh as the oldest of them', async () => {
    const query = 'query ($id: SvcId) { accounts(companyId: $id, first: 1) { lastSyncedAt } }';
    const { organisationId, companyId, connectionId } = await createTenant(app, 'several');
    const own = await createCaller(app, organisationId);
    const freshness = async () =>
      (await own.graphql(query, { id: companyId })).body.data.accounts.lastSyncedAt;
    const setTime = (svcId: bigint, lastSyncedAt: Date | null) =>
      admin.prisma.connection.updateMany({ where: { svcId }, data: { lastSyncedAt } });
    const other = await admin.prisma.connection.create({
      data: {
        svcOrganisationId: BigInt(organisationId),
        svcCompanyId: BigInt(companyId),
        integrationType: 'XERO',
        category: 'ACCOUNTING',
        externalAccountId: 'another',
        status: 'HEALTHY',
      },
    });
    const [older, newer] = [new Date('2026-06-01T00:00:00.000Z'), new Date('2026-06-02T00:00:00.000Z')];
    await setTime(BigInt(connectionId), newer);
    await setTime(other.svcId, older);
    expect(await freshness()).toBe(older.toISOString());
    await setTime(BigInt(connectionId), older);
    await setTime(other.svcId, newer);
    expect(await freshness()).toBe(older.toISOString());
    await setTime(other.svcId, null);
    expect(await freshness()).toBeNull();
  });
});

describe('relations', () => {
  test("of a payment to its lines are its invoice's, else its own", async () => {
    const till = await createTenant(app, 'till', 'PAYMENTS');
    const own = await createCaller(app, till.organisationId);
    const of = (field: string, ...texts: string[]) => ({
      lines: { [field]: texts.map((description) => ({ platformId: null, values: { description } })) },
    });
    await till.store('PaymentInvoice', [
      { platformId: 'detailed', values: {}, ...of('lineItems', 'from the invoice') },
      { platformId: 'bare', values: {} },
    ]);
    const paid = (platformId: string, invoiceId: string | null) => ({
      platformId,
      values: { invoiceId },
      ...of('paymentLineItems', 'its own'),
    });
    await till.store('Payment', [paid('one', 'detailed'), paid('two', 'bare'), paid('three', null)]);
    const query = `query ($id: SvcId) { payments(companyId: $id) { nodes { platformId paymentLineItems { description } } } }`;
    expect((await own.graphql(query, { id: till.companyId })).body.data.payments.nodes).toEqual([
      { platformId: 'one', paymentLineItems: [{ description: 'from the invoice' }] },
      { platformId: 'two', paymentLineItems: [{ description: 'its own' }] },
      { platformId: 'three', paymentLineItems: [{ description: 'its own' }] },
    ]);
  });

  test('lead to one, to many, by lists of ids, and from lines onward', async () => {
    const { invoiceCreditNotes } = await data(`{ invoiceCreditNotes {
      nodes {
        documentNumber totalAmount postedDate
        currency { code }
        contact { name invoices(first: 2, orderBy: [{ field: DOCUMENT_NUMBER, direction: DESC }]) {
          totalCount pageInfo { hasNextPage } nodes { documentNumber contact { name } } } }
        invoices { totalCount nodes { documentNumber } }
        lineItems { description quantity account { nominalCode parentAccount { name } } }
      } } }`);
    expect(invoiceCreditNotes.nodes).toEqual([
      {
        documentNumber: 'CN-1',
        totalAmount: '12345678901234567.89',
        postedDate: '2026-02-28',
        currency: { code: 'AUD' },
        contact: {
          name: 'Ann',
          invoices: {
            totalCount: 3,
            pageInfo: { hasNextPage: true },
            nodes: [
              { documentNumber: 'INV-3', contact: { name: 'Ann' } },
              { documentNumber: 'INV-2', contact: { name: 'Ann' } },
            ],
          },
        },
        invoices: { totalCount: 2, nodes: [{ documentNumber: 'INV-3' }, { documentNumber: 'INV-1' }] },
        lineItems: [1, 2].map((line) => ({
          description: `line ${line}`,
          quantity: '2',
          account: { nominalCode: '1000', parentAccount: null },
        })),
      },
      {
        documentNumber: 'CN-2',
        totalAmount: '12345678901234567.89',
        postedDate: '2026-02-28',
        currency: { code: 'AUD' },
        contact: { name: 'Ben', invoices: { totalCount: 0, pageInfo: { hasNextPage: false }, nodes: [] } },
        invoices: { totalCount: 0, nodes: [] },
        lineItems: [expect.anything(), expect.anything()],
      },
    ]);
  });

  test('lead from a document to its voucher, whatever its type', async () => {
    const { tenant, owner } = await createOwner('vouchers');
    await tenant.store('Bill', [{ platformId: 'bill', values: { documentNumber: 'B-1' } }]);
    await tenant.store('JournalEntry', [{ platformId: 'entry', values: { description: 'accrual' } }]);
    const documents = [
      ['one', 'BILLS', 'bill'],
      ['two', 'JOURNAL_ENTRIES', 'entry'],
      ['three', 'INVOICES', 'bill'],
      ['four', null, 'bill'],
    ] as const;
    for (const [platformId, documentType, documentTypeId] of documents) {
      await tenant.store('Document', [{ platformId, values: { documentType, documentTypeId } }]);
    }
    const query = `{ documents { nodes { voucher { __typename platformId company { svcId }
      ... on Bill { documentNumber } ... on JournalEntry { description } } } } }`;
    const company = { svcId: tenant.companyId };
    expect((await data(query, {}, owner)).documents.nodes).toEqual([
      { voucher: { __typename: 'Bill', platformId: 'bill', company, documentNumber: 'B-1' } },
      { voucher: { __typename: 'JournalEntry', platformId: 'entry', company, description: 'accrual' } },
      { voucher: null },
      { voucher: null },
    ]);
  });

  test('lead from payments and shops to the currency in the books, and from a transaction to its order', async () => {
    const { tenant, owner } = await createOwner('currencies');
    await tenant.store('Currency', [
      { platformId: 'old', deleted: true, values: { code: 'AUD', name: 'Deleted' } },
      { platformId: 'aud', values: { code: 'AUD', name: 'Australian Dollar' } },
      { platformId: 'again', values: { code: 'AUD', name: 'Twice' } },
    ]);
    const elsewhere = await tenant.company('currencies of another');
    await elsewhere.store('Currency', [{ platformId: 'nzd', values: { code: 'NZD', name: 'Elsewhere' } }]);
    const shop = await tenant.company('currencies company', 'ECOMMERCE');
    expect(shop.companyId).toBe(tenant.companyId);
    await shop.store('EcommerceOrder', [{ platformId: 'order', values: { currencyCode: 'AUD' } }]);
    await shop.store(
      'EcommerceTransaction',
      ['AUD', 'NZD', null].map((currencyCode, index) => ({
        platformId: `sale-${index}`,
        values: { currencyCode, orderId: index === 0 ? 'order' : null },
      })),
    );
    const query =
      '{ ecommerceTransactions { nodes { currency { name } order { platformId currency { name } } } } }';
    const currency = { name: 'Australian Dollar' };
    expect((await data(query, {}, owner)).ecommerceTransactions.nodes).toEqual([
      { currency, order: { platformId: 'order', currency } },
      { currency: null, order: null },
      { currency: null, order: null },
    ]);
  });

  test('a target that is not here is null, a deleted one comes with the time of its deletion', async () => {
    const { tenant, owner } = await createOwner('lost parents');
    await tenant.store('Account', [
      { platformId: 'orphan', values: { parentAccountId: 'nowhere' } },
      { platformId: 'widow', values: { parentAccountId: 'dead' } },
      { platformId: 'dead', deleted: true, values: {} },
    ]);
    const { accounts } = await data(
      '{ accounts { nodes { platformId parentAccount { platformId svcDeletedAt } } } }',
      {},
      owner,
    );
    expect(accounts.nodes).toEqual([
      { platformId: 'orphan', parentAccount: null },
      {
        platformId: 'widow',
        parentAccount: { platformId: 'dead', svcDeletedAt: expect.stringMatching(/Z$/) },
      },
    ]);
  });

  test('stay inside their connection: equal platform ids of two companies do not mix', async () => {
    const { tenant, owner } = await createOwner('twins');
    await storeBooks(tenant);
    const twin = await tenant.company('twin');
    await twin.store('Currency', [{ platformId: 'aud', values: { code: 'TWIN' } }]);
    await twin.store('Account', [{ platformId: 'account-0', values: { currencyId: 'aud' } }]);
    const { companies } = await data(
      '{ companies { nodes { name accounts(first: 1) { nodes { currency { code } } } } } }',
      {},
      owner,
    );
    const codes = Object.fromEntries(
      companies.nodes.map((one: any) => [one.name, one.accounts.nodes[0]?.currency.code]),
    );
    expect(codes).toEqual({ 'twins company': 'AUD', twin: 'TWIN' });
  });

  test('cost a constant number of statements, whatever the width', async () => {
    const query = (
      first: number,
    ) => `{ companies(first: 3) { nodes { contacts(first: ${first}) { totalCount nodes { name currency { code }
      invoices(first: ${first}) { edges { cursor node { documentNumber currency { code } lineItems { account { name } } } } } } } } } }`;
    const narrow = await statementsFor(query(1));
    const wide = await statementsFor(query(30));
    // companies, contacts and their count, invoices, their lines, and one for the currencies of contacts and invoices
    expect(wide).toHaveLength(6);
    expect(narrow.length).toBeLessThanOrEqual(wide.length);
  });

  test('one list of plain fields is one statement', async () => {
    expect(await statementsFor('{ accounts { nodes { name currentBalance } } }')).toHaveLength(1);
    expect(await statementsFor('{ accounts { totalCount nodes { name } } }')).toHaveLength(2);
    expect(await statementsFor('{ accounts { totalCount } }')).toHaveLength(1);
  });

  test('read only the columns that are selected, and raw data never unasked', async () => {
    const [statement] = await statementsFor('{ accounts { nodes { name } } }');
    expect(statement?.text).toContain('SELECT t.name AS "name" FROM accounts t');
  });
});

describe('one record', () => {
  test('is found by svcId, by companyId and platformId, and by its global id', async () => {
    const { accounts } = await data('{ accounts(first: 1) { nodes { id svcId platformId } } }');
    const [first] = accounts.nodes;
    const variables = {
      svcId: first.svcId,
      companyId: acme.companyId,
      platformId: first.platformId,
      id: first.id,
    };
    const answer = await data(
      `query ($svcId: SvcId, $companyId: SvcId, $platformId: String, $id: ID!) {
        a: account(svcId: $svcId) { id }
        b: account(companyId: $companyId, platformId: $platformId) { id }
        node(id: $id) { __typename id ... on Account { platformId } }
        nodes(ids: [$id, "rubbish", $id]) { id }
        none: account(svcId: 1) { id }
      }`,
      variables,
    );
    expect(answer).toEqual({
      a: { id: first.id },
      b: { id: first.id },
      node: { __typename: 'Account', id: first.id, platformId: first.platformId },
      nodes: [{ id: first.id }, null, { id: first.id }],
      none: null,
    });
  });

  test('wants to be named', async () => {
    const { status, body } = await caller.graphql('{ account(companyId: 5) { id } }');
    expect(status).toBe(200);
    expect(body.errors[0]).toMatchObject({
      message: 'svcId or companyId with platformId must name the record',
      extensions: { code: 'invalid-params', field: ['svcId'] },
    });
  });

  test('a company has a global id too', async () => {
    const { companies } = await data(
      '{ companies(first: 1) { nodes { id svcId name connections { nodes { category } } } } }',
    );
    const [company] = companies.nodes;
    const { node, company: again } = await data(
      'query ($id: ID!, $svcId: SvcId!) { node(id: $id) { ... on Company { name } } company(svcId: $svcId) { name } }',
      { id: company.id, svcId: company.svcId },
    );
    expect(node).toEqual({ name: company.name });
    expect(again).toEqual({ name: company.name });
  });
});

describe('raw data', () => {
  test('comes with every digit, wherever it stands', async () => {
    const { definitionOf } = await import('../../src/records/index.js');
    const { storeRecords } = await import('../../src/store/store-records.js');
    const text = '{"id":"raw","big":12345678901234567890.123456789,"text":"\\"raw:0\\""}';
    const { tenant, owner } = await createOwner('raw');
    await storeRecords(app.database.sql(tenant.scope), {
      definition: definitionOf('Account'),
      svcCompanyId: tenant.companyId,
      connectionId: tenant.connectionId,
      integrationType: 'SVC_SANDBOX',
      cause: { kind: 'sync', id: null },
      records: [
        { platformId: 'raw', values: {}, raw: { text, altered: false }, dataHash: 'x', mapperVersion: 1 },
      ],
    });
    const graphql = await owner.graphql(
      `{ account(companyId: ${tenant.companyId}, platformId: "raw") { rawData svcId } }`,
    );
    expect(graphql.text).toContain('"big": 12345678901234567890.123456789');
    const rest = await owner.get(
      `/v3/accounting/accounts/${graphql.body.data.account.svcId}?select=raw_data`,
    );
    expect(rest.text).toContain('"big": 12345678901234567890.123456789');
    expect(rest.body.data.raw_data.text).toBe('"raw:0"');
  });
});
