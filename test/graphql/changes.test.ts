import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { App } from '../../src/app.js';
import { admin } from '../support/admin.js';
import { createTenant, type Tenant } from '../support/seed.js';
import { type Caller, createCaller, startApp } from '../support/service.js';
import { statementsOf } from '../support/statements.js';

let app: App;
let acme: Tenant;
let caller: Caller;

beforeAll(async () => {
  app = await startApp();
});
beforeEach(async () => {
  acme = await createTenant(app, 'changes');
  caller = await createCaller(app, acme.organisationId);
});
afterAll(() => app.close());

const account = (platformId: string, values: object = {}) => ({
  platformId,
  values: { name: platformId, ...values },
});
const ask = async (query: string, variables: object = {}): Promise<any> => {
  const { body } = await caller.graphql(query, variables);
  if (body.errors) throw new Error(JSON.stringify(body.errors));
  return body.data;
};

test('a change has its fields in the names and values of its record, and leads to it', async () => {
  const cash = (currentBalance: string, subCategory: string) =>
    account('cash', { currentBalance, subCategory, updatedAt: '2026-05-01T08:00:00.000Z' });
  await acme.store('Account', [cash('10.50', 'TILL')]);
  await acme.store('Account', [cash('12345678901234567890.10', 'SAFE')]);
  const { changes, accounts } = await ask(`{
    changes(after: "1") {
      edges { cursor node {
        position operation dataModel svcCompanyId svcId connectionId changes changedAt
        cause { type id }
        connection { svcId integrationType }
        record { __typename svcId svcUpdatedAt ... on Account { currentBalance } ... on Item { name } }
      } }
      pageInfo { startCursor endCursor hasNextPage hasPreviousPage }
    }
    accounts { nodes { svcId svcUpdatedAt } }
  }`);
  const [{ svcId, svcUpdatedAt }] = accounts.nodes;
  expect(changes.edges).toEqual([
    {
      cursor: '2',
      node: {
        position: 2,
        operation: 'UPDATE',
        dataModel: 'ACCOUNTS',
        svcCompanyId: acme.companyId,
        svcId,
        connectionId: acme.connectionId,
        changes: { currentBalance: ['10.50', '12345678901234567890.10'], subCategory: ['TILL', 'SAFE'] },
        changedAt: svcUpdatedAt,
        cause: { type: 'SYNC', id: null },
        connection: { svcId: acme.connectionId, integrationType: 'SVC_SANDBOX' },
        record: { __typename: 'Account', svcId, svcUpdatedAt, currentBalance: '12345678901234567890.10' },
      },
    },
  ]);
  expect(changes.pageInfo).toEqual({
    startCursor: '2',
    endCursor: '2',
    hasNextPage: false,
    hasPreviousPage: true,
  });
});

test('pages go on at the end of the one before, also where nothing fits', async () => {
  await acme.store('Account', [account('a'), account('b'), account('c')]);
  const page = (after: string | null, rest = '') =>
    ask(
      `query ($after: String) { changes(after: $after ${rest}) { nodes { position } pageInfo { endCursor hasNextPage } } }`,
      { after },
    );
  expect((await page(null, 'first: 2')).changes).toEqual({
    nodes: [{ position: 1 }, { position: 2 }],
    pageInfo: { endCursor: '2', hasNextPage: true },
  });
  const end = { nodes: [], pageInfo: { endCursor: '3', hasNextPage: false } };
  expect((await page('2', 'operations: [DELETE]')).changes).toEqual(end);
  expect((await page('3')).changes).toEqual(end);
});

test('a log is looked through in parts where hardly anything fits', async () => {
  // More than one page looks through: the changes themselves need not be there.
  await acme.store('Account', [account('a')]);
  await admin.pool.query('UPDATE change_heads SET position = 30000 WHERE svc_organisation_id = $1', [
    acme.organisationId,
  ]);
  await acme.store('Account', [account('b')]);
  const page = async (after: string | null) =>
    (
      await ask(
        `query ($after: String) { changes(after: $after) { nodes { position } pageInfo { endCursor hasNextPage } } }`,
        { after },
      )
    ).changes;
  const first = await page(null);
  expect(first).toEqual({ nodes: [{ position: 1 }], pageInfo: { endCursor: '20000', hasNextPage: true } });
  expect(await page('20000')).toEqual({
    nodes: [{ position: 30001 }],
    pageInfo: { endCursor: '30001', hasNextPage: false },
  });
});

test('history is the changes of a record, in pages, by one statement for all records', async () => {
  const names = ['one', 'two', 'three'];
  for (const name of names) await acme.store('Account', [account('a', { name }), account('b', { name })]);
  const query = `query ($first: Int, $after: String) { accounts { nodes {
    platformId
    history(first: $first, after: $after) {
      nodes { operation changes }
      pageInfo { hasNextPage endCursor }
    }
  } } }`;
  const read = (variables: object) => ask(query, variables);
  const { accounts } = await read({ first: 2 });
  const [a, b] = accounts.nodes;
  expect(a.history).toEqual({
    nodes: [
      { operation: 'CREATE', changes: null },
      { operation: 'UPDATE', changes: { name: ['one', 'two'] } },
    ],
    pageInfo: { hasNextPage: true, endCursor: '3' },
  });
  expect(b.history.nodes).toEqual(a.history.nodes);
  const rest = (await read({ after: '3' })).accounts.nodes[0].history;
  expect(rest).toEqual({
    nodes: [{ operation: 'UPDATE', changes: { name: ['two', 'three'] } }],
    pageInfo: { hasNextPage: false, endCursor: '5' },
  });
  const latest = async (rest: string) =>
    (
      await ask(
        `{ accounts(first: 1) { nodes { history(${rest}) { nodes { position } pageInfo { hasPreviousPage } } } } }`,
      )
    ).accounts.nodes[0].history;
  expect(await latest('last: 2')).toEqual({
    nodes: [{ position: 3 }, { position: 5 }],
    pageInfo: { hasPreviousPage: true },
  });
  expect((await latest('last: 5, before: "5", after: "1"')).nodes).toEqual([{ position: 3 }]);
  expect(await statementsOf(app, () => read({ first: 2 }))).toHaveLength(2);
});

test('costs a constant number of statements: one a level and record type', async () => {
  const ids = ['a', 'b', 'c', 'd'];
  const query = `{ changes { nodes {
    connection { accountName }
    record { svcId history { nodes { record { svcId } } } ... on Account { name currency { name } } ... on Currency { name } }
  } } }`;
  const count = async () => (await statementsOf(app, () => ask(query))).length;
  const fill = (some: readonly string[]) =>
    Promise.all([
      acme.store(
        'Account',
        some.map((id) => account(id, { currencyId: id })),
      ),
      acme.store(
        'Currency',
        some.map((id) => ({ platformId: id, values: { name: id } })),
      ),
    ]);
  await fill(ids.slice(0, 1));
  await count();
  const few = await count();
  await fill(ids);
  expect(await count()).toBe(few);
  expect(few).toBeLessThan(10);
});

test('reads of a record only what is selected of its type', async () => {
  await acme.store('Account', [account('a')]);
  const query =
    '{ changes { nodes { record { svcId ... on Account { name } ... on Item { description } } } } }';
  const statements = await statementsOf(app, () => ask(query));
  const ofAccounts = statements.find(({ text }) => text.includes('FROM accounts'));
  expect(ofAccounts?.text).toContain('t.name');
  expect(ofAccounts?.text).not.toContain('t.description');
});

test('changePosition says up to where a list has everything, of nested lists too', async () => {
  await acme.store('Contact', [{ platformId: 'c', values: { name: 'C' } }]);
  await acme.store('Invoice', [{ platformId: 'i', values: { contactId: 'c', salesOrderIds: [] } }]);
  const data = await ask(`{
    contacts(first: 5) { changePosition nodes { invoices(first: 5) { changePosition nodes { salesOrders { changePosition } } } } }
    companies(first: 5) { nodes { accounts { changePosition totalCount } } }
  }`);
  expect(data.contacts).toEqual({
    changePosition: '2',
    nodes: [
      {
        invoices: { changePosition: '2', nodes: [{ salesOrders: { changePosition: null } }] },
      },
    ],
  });
  expect(data.companies.nodes).toEqual([{ accounts: { changePosition: '2', totalCount: 0 } }]);
  const { changes } = await ask('query ($after: String) { changes(after: $after) { nodes { position } } }', {
    after: data.contacts.changePosition,
  });
  expect(changes.nodes).toEqual([]);
});

test.each([
  ['after: "x"', 'invalid-cursor', ['after']],
  ['after: "9007199254740993"', 'invalid-cursor', ['after']],
  ['after: "5"', 'invalid-cursor', ['after']],
  ['first: 1001', 'invalid-params', ['first']],
])('changes(%s) is refused as %s', async (args, code, field) => {
  const { body } = await caller.graphql(`{ changes(${args}) { nodes { position } } }`);
  expect(body.errors[0].extensions).toEqual({ code, field });
});
