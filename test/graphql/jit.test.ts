import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { parse, validate } from 'graphql';
import type { App } from '../../src/app.js';
import type { Context } from '../../src/context.js';
import { createExecutor } from '../../src/graphql/execute.js';
import { createSchema } from '../../src/graphql/schema.js';
import { DEFAULT_LIMITS } from '../../src/limits.js';
import { storeBooks, TRANSACTIONS } from '../support/books.js';
import { createTenant, type Tenant } from '../support/seed.js';
import { type Caller, createCaller, startApp } from '../support/service.js';

let compiled: App;
let reference: App;
let acme: Tenant;
let fast: Caller;
let plain: Caller;

beforeAll(async () => {
  compiled = await startApp({ GRAPHQL_JIT: 'on' });
  reference = await startApp({ GRAPHQL_JIT: 'off' });
  acme = await createTenant(compiled, 'jit');
  await storeBooks(acme);
  await acme.store('EcommerceTransaction', TRANSACTIONS);
  fast = await createCaller(compiled, acme.organisationId);
  plain = await createCaller(reference, acme.organisationId);
});
afterAll(() => Promise.all([compiled.close(), reference.close()]));

const LIST = `query List($first: Int = 3, $after: String, $filter: AccountFilter, $order: [AccountOrderBy!], $with: Boolean = true, $without: Boolean = false) {
  accounts(first: $first, after: $after, filter: $filter, orderBy: $order) {
    ...Page
    edges { cursor node { ...Fields currency @include(if: $with) { code } parentAccount @skip(if: $without) { ...Fields } } }
  }
}
fragment Page on AccountConnection { totalCount pageInfo { hasNextPage hasPreviousPage startCursor endCursor } lastSyncedAt }
fragment Fields on Account { __typename id svcId name category currentBalance updatedAt ... on Record { platformId svcCreatedAt } }`;

const AROUND = `query ($name: String, $direction: OrderDirection) {
  accounts(filter: { name: { eq: $name } }, orderBy: [{ field: NAME, direction: $direction }]) { nodes { name nominalCode } } }`;
const AMONG = `query ($among: [String!], $category: AccountCategory = ASSET) {
  accounts(filter: { and: [{ name: { in: $among } }, { category: { eq: $category } }] }) { nodes { name category } } }`;

/** Operations of every kind, with variables that fit and some that do not. */
const OPERATIONS: readonly (readonly [string, string, object?])[] = [
  ['a list with fragments and directives', LIST],
  ['the same without what directives leave out', LIST, { with: false, without: true }],
  [
    'variables',
    LIST,
    {
      first: 2,
      filter: { or: [{ category: { in: ['ASSET'] } }, { name: { isNull: true } }] },
      order: [{ field: 'NAME' }],
    },
  ],
  ['null variables', LIST, { first: null, filter: null, order: null, after: null }],
  ['a variable that is not there', LIST, {}],
  ['a variable of the wrong type', LIST, { first: 'two' }],
  ['an unknown field in a filter', LIST, { filter: { colour: { eq: 'red' } } }],
  ['an enum that is none', LIST, { filter: { category: { eq: 'MONEY' } } }],
  ['a single value for a list', LIST, { order: { field: 'NAME', direction: 'DESC' } }],
  ['an error of a list', LIST, { first: 5000 }],
  ['a broken cursor', LIST, { after: 'rubbish' }],
  [
    'relations of all kinds',
    '{ invoiceCreditNotes { nodes { documentNumber invoiceIds contact { name invoices(first: 1) { totalCount nodes { documentNumber } } } invoices { totalCount lastSyncedAt edges { cursor node { documentNumber } } pageInfo { endCursor } } lineItems { description trackingCategoryIds account { name } } connection { integrationType } } } }',
  ],
  [
    'companies with lists',
    '{ companies { totalCount nodes { id name connections { nodes { category } } accounts(first: 2) { edges { cursor } } contacts { totalCount } } } }',
  ],
  [
    'aliases',
    '{ one: accounts(first: 1) { nodes { a: name b: name } } two: accounts(first: 1, skip: 1) { nodes { name } } }',
  ],
  [
    'a field selected twice',
    '{ accounts(first: 2) { nodes { parentAccount { name } parentAccount { nominalCode } } nodes { name } } }',
  ],
  [
    'nodes of several types',
    'query ($ids: [ID!]!) { nodes(ids: $ids) { __typename id ... on Account { name } ... on Record { platformId } } }',
    { ids: ['QWNjb3VudDoxOjE', 'x'] },
  ],
  ['an error beside data', '{ accounts(first: 1) { nodes { name } } account { name } }'],
  ['raw data', '{ ecommerceTransactions(first: 1) { nodes { rawData dataHash amount fee } } }'],
  ['a filter around a variable that is not there', AROUND, {}],
  ['a filter around a variable', AROUND, { name: 'Name 1', direction: 'DESC' }],
  ['a filter around null', AROUND, { name: null }],
  ['null where a default is for what is not there', AROUND, { direction: null }],
  ['a list around a variable that is not there', AMONG, {}],
  ['a list around a variable', AMONG, { among: ['Name 1', 'Name 2'], category: 'EXPENSE' }],
  ['introspection', '{ __schema { queryType { name } types { name kind fields { name } } } }'],
];

describe('graphql-jit answers byte for byte what graphql-js answers', () => {
  test.each(OPERATIONS)('%s', async (_title, query, variables = {}) => {
    const expected = await plain.graphql(query, variables);
    // A document is compiled when it comes a second time.
    for (const _sight of ['first', 'compiled', 'compiled again']) {
      const { status, text } = await fast.graphql(query, variables);
      expect({ status, text }).toEqual({ status: expected.status, text: expected.text });
    }
  });

  test('a field whose variable is not given is left as it was', async () => {
    const mutation = `mutation ($company: SvcId!, $name: String, $partner: String) {
      updateCompany(input: { svcId: $company, name: $name, partnerId: $partner }) { company { name partnerId } } }`;
    const company = acme.companyId;
    await fast.graphql(mutation, { company, partner: 'ours' });
    for (const name of ['first', 'second', 'third']) {
      const { body } = await fast.graphql(mutation, { company, name });
      expect(body.data.updateCompany.company).toEqual({ name, partnerId: 'ours' });
    }
  });

  test('the operations of the list are ones that jit compiles', () => {
    const executor = createExecutor(createSchema(), { jit: true });
    for (const [, query] of OPERATIONS) expect(validate(executor.schema, parse(query))).toEqual([]);
  });

  // A subscription has one caller for all its events.
  test('leaves nothing behind with the caller of a query that has ended', async () => {
    const executor = createExecutor(createSchema(), { jit: true });
    const left = new Set<() => void>();
    const whenLeft = (work: () => void) => {
      left.add(work);
      return () => left.delete(work);
    };
    const context = { limits: DEFAULT_LIMITS, ending: new AbortController(), whenLeft };
    const answer = executor.run({ document: parse('{ __typename }') }, context as unknown as Context);
    expect(left.size).toBe(1);
    expect(await answer).toEqual({ data: { __typename: 'Query' } });
    expect(left.size).toBe(0);
  });
});

describe('the schema', () => {
  test('is described by introspection', async () => {
    const { body } = await fast.graphql(
      '{ __type(name: "InvoiceCreditNote") { description fields { name description } } }',
    );
    const { description, fields } = body.data.__type;
    expect(description).toBe('Credit that a company owes a customer.');
    expect(fields.every((field: { description: string | null }) => field.description)).toBe(true);
  });

  test('is hidden in production', async () => {
    const app = await startApp({ NODE_ENV: 'production' });
    try {
      const caller = await createCaller(app, acme.organisationId);
      const { status, body } = await caller.graphql('{ __schema { queryType { name } } }');
      expect(status).toBe(400);
      expect(body.errors[0].message).toContain('introspection');
      expect((await caller.graphql('{ accountz { name } }')).text).not.toContain('Did you mean');
    } finally {
      await app.close();
    }
  });
});
