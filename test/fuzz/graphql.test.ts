import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from '../support/fast-check.js';
import { inCapitals } from '../../src/base/names.js';
import type { App } from '../../src/app.js';
import { isSortable, operatorsOf } from '../../src/query/filters/kinds.js';
import { definitionOf, records, type RecordDefinition } from '../../src/records/index.js';
import { storeBooks } from '../support/books.js';
import { createTenant, type Tenant } from '../support/seed.js';
import { type Caller, createCaller, startApp } from '../support/service.js';
import { fire, SHOTS, SHOTS_MILLISECONDS, type Shot } from './fire.js';
import { fitting, mostly, nasty, oneOfAll } from './pools.js';

let app: App;
let acme: Tenant;
let caller: Caller & { readonly key: string };

beforeAll(async () => {
  app = await startApp();
  acme = await createTenant(app, 'graphql fuzz');
  await storeBooks(acme);
  caller = await createCaller(app, acme.organisationId);
});
afterAll(() => app.close());

/** A selection on a record type, relations included down to `depth`. */
function selection(definition: RecordDefinition, depth: number): fc.Arbitrary<string> {
  const plain = Object.entries(definition.fields).flatMap(([name, { shown }]) =>
    shown === 'everywhere' || shown === 'graphql' ? [name] : [],
  );
  const own = fc
    .shuffledSubarray(definition.role === 'line' ? Object.keys(definition.own) : plain)
    .map((names) => ['__typename', ...names.slice(0, 5)]);
  const below = Object.entries(definition.relations).filter(([, { kind }]) => kind !== 'embedded');
  if (depth === 0 || below.length === 0) return own.map((names) => `{ ${names.join(' ')} }`);
  const relation = oneOfAll(below, ([name, one]) => {
    if (!('target' in one)) return fc.constant(`${name} { __typename platformId }`);
    return selection(definitionOf(one.target), depth - 1).map((inner) =>
      one.kind === 'many' || one.kind === 'referenced'
        ? `${name}(first: 2) { totalCount nodes ${inner} }`
        : `${name} ${inner}`,
    );
  });
  return fc.tuple(own, relation).map(([names, one]) => `{ ${names.join(' ')} ${one} }`);
}

function variables(definition: RecordDefinition): fc.Arbitrary<unknown> {
  const fields = Object.entries(definition.fields).filter(
    ([, field]) =>
      field.kind !== 'json' &&
      operatorsOf(field).length > 0 &&
      (field.shown === 'everywhere' || field.shown === 'graphql'),
  );
  const condition = oneOfAll(fields, ([name, field]) =>
    fc
      .tuple(fc.constantFrom(...operatorsOf(field)), mostly(fitting(field), nasty))
      .map(([operator, value]): [string, unknown] => {
        const operand =
          operator === 'isNull' ? true : operator === 'in' || operator === 'notIn' ? [value] : value;
        return [name, { [operator]: operand }];
      }),
  );
  const conditions = fc.array(condition, { maxLength: 2 }).map((all) => Object.fromEntries(all));
  const filter = fc.oneof(
    conditions,
    fc.array(conditions, { minLength: 1, maxLength: 2 }).map((or) => ({ or, not: or[0] })),
  );
  const sortable = fields.filter(([, { kind }]) => isSortable(kind)).map(([name]) => name);
  const orderBy = fc
    .uniqueArray(fc.constantFrom(...sortable), { maxLength: 2 })
    .chain((names) =>
      fc
        .constantFrom('ASC', 'DESC')
        .map((direction) => names.map((name) => ({ field: inCapitals(name), direction }))),
    );
  return fc.record(
    {
      first: mostly(fc.integer({ min: 0, max: 50 }), nasty),
      skip: mostly(fc.nat(100), nasty),
      companyId: mostly(fc.nat(20), nasty),
      filter: mostly(filter, nasty),
      orderBy: mostly(orderBy, nasty),
      includeDeleted: mostly(fc.boolean(), nasty),
    },
    { requiredKeys: [] },
  );
}

const list = (definition: RecordDefinition): fc.Arbitrary<string> =>
  fc.tuple(selection(definition, 2), variables(definition)).map(([inner, given]) =>
    JSON.stringify({
      query: `query ($first: Int, $skip: Int, $companyId: SvcId, $filter: ${definition.model}Filter,
        $orderBy: [${definition.model}OrderBy!], $includeDeleted: Boolean) {
        ${definition.list}(first: $first, skip: $skip, companyId: $companyId, filter: $filter, orderBy: $orderBy,
          includeDeleted: $includeDeleted) { totalCount pageInfo { endCursor } nodes ${inner} } }`,
      variables: given,
    }),
  );

const lists = oneOfAll(records, list);

const cursor = fc
  .oneof(
    nasty,
    fc.array(nasty, { maxLength: 5 }).map((rest) => [1, 'accounts', 'svcId ASC', ...rest]),
  )
  .map((value) => Buffer.from(JSON.stringify(value) ?? '').toString('base64url'));
const arrows = fc
  .tuple(fc.constantFrom('after', 'before'), fc.oneof(cursor, fc.string()))
  .map(([name, value]) =>
    JSON.stringify({
      query: `query ($c: String) { accounts(${name}: $c) { totalCount nodes { name } } }`,
      variables: { c: value },
    }),
  );
const ids = fc
  .oneof(
    fc.string(),
    fc
      .tuple(fc.constantFrom('Account', 'Company', 'LineItem', '__proto__'), nasty, nasty)
      .map((parts) => Buffer.from(parts.map(String).join(':')).toString('base64url')),
  )
  .map((id) =>
    JSON.stringify({ query: 'query ($id: ID!) { node(id: $id) { __typename id } }', variables: { id } }),
  );

/** A valid document with one part of its text cut out, doubled or replaced. */
const broken = fc
  .tuple(
    lists,
    fc.nat(),
    fc.nat(20),
    fc.constantFrom('', '{', '}', '"', '$x', '@skip', '...', '\0', '😀', '#', '"""'),
  )
  .map(([body, at, length, put]) => {
    const { query, variables: given } = JSON.parse(body) as { query: string; variables: unknown };
    const place = at % query.length;
    return JSON.stringify({
      query: query.slice(0, place) + put + query.slice(place + length),
      variables: given,
    });
  });
const envelope = fc
  .record(
    {
      query: mostly(fc.constant('{ __typename }'), nasty),
      variables: nasty,
      operationName: nasty,
      extensions: fc.oneof(
        nasty,
        fc.record({ persistedQuery: fc.oneof(nasty, fc.record({ version: nasty, sha256Hash: nasty })) }),
      ),
    },
    { requiredKeys: [] },
  )
  .map((one) => JSON.stringify(one));

const shots: fc.Arbitrary<Shot> = fc
  .oneof(
    { weight: 12, arbitrary: lists },
    { weight: 2, arbitrary: arrows },
    { weight: 1, arbitrary: ids },
    { weight: 2, arbitrary: broken },
    { weight: 2, arbitrary: envelope },
  )
  .map((body): Shot => ({ method: 'POST', path: '/graphql', body }));

test(
  `${SHOTS.toLocaleString('en')} generated GraphQL requests are answered, never with a 5xx and never late`,
  async () => {
    const known = '{ accounts(first: 3) { totalCount nodes { svcId name currency { code } } } }';
    const before = await caller.graphql(known);
    expect(before.status).toBe(200);
    await fire(app.url, caller.key, shots);
    expect((await caller.get('/health/ready')).body).toMatchObject({ status: 'ok' });
    expect((await caller.graphql(known)).text).toBe(before.text);
  },
  SHOTS_MILLISECONDS,
);
