import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Decimal } from 'decimal.js';
import fc from '../support/fast-check.js';
import { inCapitals } from '../../src/base/names.js';
import type { App } from '../../src/app.js';
import { ACCOUNTS, storeBooks } from '../support/books.js';
import { createTenant, type Tenant } from '../support/seed.js';
import { type Caller, createCaller, startApp } from '../support/service.js';

let app: App;
let acme: Tenant;
let caller: Caller;

beforeAll(async () => {
  app = await startApp();
  acme = await createTenant(app, 'filters');
  await storeBooks(acme);
  caller = await createCaller(app, acme.organisationId);
});
afterAll(() => app.close());

type Values = Record<string, string | null | undefined>;
type Filter = Record<string, unknown>;
const live = ACCOUNTS.filter(({ deleted }) => !deleted).map(({ platformId, values }) => ({
  platformId,
  ...(values as Values),
}));

/** How two values of a field compare: text by code point, decimals by value, times as text. */
const compare = (field: string, left: string, right: string): number =>
  field === 'currentBalance'
    ? new Decimal(left).comparedTo(right)
    : Buffer.compare(Buffer.from(left), Buffer.from(right));

/** What a comparison means, said once more in plain code: three-valued like SQL's only where the docs say so. */
function holds(field: string, operator: string, operand: any, value: string | null): boolean {
  const is = (test: (order: number) => boolean) => value !== null && test(compare(field, value, operand));
  switch (operator) {
    case 'isNull':
      return operand === (value === null);
    case 'eq':
      return operand === null ? value === null : is((order) => order === 0);
    case 'ne':
      return operand === null ? value !== null : !is((order) => order === 0);
    case 'in':
      return value !== null && operand.some((one: string) => compare(field, value, one) === 0);
    case 'notIn':
      return !(value !== null && operand.some((one: string) => compare(field, value, one) === 0));
    case 'gt':
      return is((order) => order > 0);
    case 'gte':
      return is((order) => order >= 0);
    case 'lt':
      return is((order) => order < 0);
    case 'lte':
      return is((order) => order <= 0);
    case 'contains':
      return value?.includes(operand) ?? false;
    case 'startsWith':
      return value?.startsWith(operand) ?? false;
    default:
      throw new Error(operator);
  }
}

function matches(filter: Filter, record: Values): boolean {
  return Object.entries(filter).every(([name, given]) => {
    if (name === 'and') return (given as Filter[]).every((one) => matches(one, record));
    if (name === 'or') return (given as Filter[]).some((one) => matches(one, record));
    if (name === 'not') return !matches(given as Filter, record);
    return Object.entries(given as Filter).every(([operator, operand]) =>
      holds(name, operator, operand, record[name] ?? null),
    );
  });
}

const FIELDS: Record<string, fc.Arbitrary<string>> = {
  name: fc.constantFrom('Name 1', 'Name 4', 'name 1', 'Nam', 'Z', '', "O'Brien", '%', '_'),
  currentBalance: fc.constantFrom('0', '10.1', '10.10', '-5', '60.60', '1000'),
  nominalCode: fc.constantFrom('1000', '1004', '1011', '9'),
  updatedAt: fc.constantFrom(
    '2026-01-20T00:00:00.000Z',
    '2026-01-15T00:00:00.000Z',
    '2020-01-01T00:00:00.000Z',
  ),
};
const TEXT_ONLY = ['contains', 'startsWith'];

const comparison = fc.constantFrom(...Object.keys(FIELDS)).chain((field) => {
  const value = FIELDS[field] ?? fc.constant('');
  const operator = fc.constantFrom(
    'eq',
    'ne',
    'gt',
    'gte',
    'lt',
    'lte',
    ...(field === 'name' || field === 'nominalCode' ? TEXT_ONLY : []),
  );
  const plain = fc.tuple(operator, value).map(([name, operand]) => ({ [field]: { [name]: operand } }));
  const list = fc
    .tuple(fc.constantFrom('in', 'notIn'), fc.array(value, { maxLength: 3 }))
    .map(([name, operand]) => ({ [field]: { [name]: operand } }));
  const nulls = fc.constantFrom(
    { [field]: { isNull: true } },
    { [field]: { isNull: false } },
    { [field]: { eq: null } },
    { [field]: { ne: null } },
  );
  return fc.oneof(plain, list, nulls);
});
const { filter } = fc.letrec<{ filter: Filter }>((tie) => ({
  filter: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    comparison,
    fc.array(tie('filter'), { minLength: 1, maxLength: 3 }).map((and) => ({ and })),
    fc.array(tie('filter'), { minLength: 1, maxLength: 3 }).map((or) => ({ or })),
    tie('filter').map((not) => ({ not })),
  ),
}));

const QUERY =
  'query ($filter: AccountFilter) { accounts(filter: $filter, first: 100) { totalCount nodes { platformId } } }';

describe('a filter', () => {
  test('finds exactly the records that plain code finds', async () => {
    await fc.assert(
      fc.asyncProperty(filter, async (given) => {
        const { body } = await caller.graphql(QUERY, { filter: given });
        const wanted = live.filter((record) => matches(given, record)).map(({ platformId }) => platformId);
        expect(body.errors).toBeUndefined();
        expect(body.data.accounts.nodes.map((node: { platformId: string }) => node.platformId)).toEqual(
          wanted,
        );
        expect(body.data.accounts.totalCount).toBe(wanted.length);
      }),
      { numRuns: 200 },
    );
  });
});

const orderField = fc.constantFrom(
  'name',
  'currentBalance',
  'nominalCode',
  'updatedAt',
  'svcCreatedAt',
  'category',
  'svcId',
);
const order = fc
  .uniqueArray(orderField, { minLength: 1, maxLength: 3 })
  .chain((fields) =>
    fc.tuple(
      ...fields.map((field) =>
        fc.constantFrom('ASC', 'DESC').map((direction) => ({ field: inCapitals(field), direction })),
      ),
    ),
  );
const WALK = `query ($order: [AccountOrderBy!], $first: Int, $after: String, $last: Int, $before: String) {
  accounts(orderBy: $order, first: $first, after: $after, last: $last, before: $before) {
    nodes { platformId } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } }`;

describe('an order', () => {
  test('of any fields in any directions is walked by cursors without a repeat or a gap, both ways', async () => {
    await fc.assert(
      fc.asyncProperty(order, fc.integer({ min: 1, max: 5 }), async (orderBy, size) => {
        const page = async (variables: object) =>
          (await caller.graphql(WALK, { order: orderBy, ...variables })).body.data.accounts;
        const ids = (nodes: { platformId: string }[]) => nodes.map(({ platformId }) => platformId);
        const whole = ids((await page({ first: 100 })).nodes);
        const forth: string[] = [];
        let current = await page({ first: size });
        forth.push(...ids(current.nodes));
        while (current.pageInfo.hasNextPage) {
          current = await page({ first: size, after: current.pageInfo.endCursor });
          forth.push(...ids(current.nodes));
        }
        const back: string[] = [];
        current = await page({ last: size });
        back.unshift(...ids(current.nodes));
        while (current.pageInfo.hasPreviousPage) {
          current = await page({ last: size, before: current.pageInfo.startCursor });
          back.unshift(...ids(current.nodes));
        }
        expect(whole).toHaveLength(live.length);
        expect(forth).toEqual(whole);
        expect(back).toEqual(whole);
      }),
      { numRuns: 40 },
    );
  });
});
