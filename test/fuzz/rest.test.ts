import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from '../support/fast-check.js';
import type { App } from '../../src/app.js';
import { isSortable, operatorsOf } from '../../src/query/filters/kinds.js';
import { records, type RecordDefinition } from '../../src/records/index.js';
import { expandable } from '../../src/rest/shape.js';
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
  acme = await createTenant(app, 'fuzz');
  await storeBooks(acme);
  caller = await createCaller(app, acme.organisationId);
});
afterAll(() => app.close());

const text = (value: unknown): string =>
  typeof value === 'string' ? value : (JSON.stringify(value) ?? 'undefined');
const encode = (value: unknown): string => encodeURIComponent(Buffer.from(text(value)).toString());
const direction = fc.constantFrom('ASC', 'DESC', 'asc', 'desc');

function fieldsOf(definition: RecordDefinition) {
  return Object.values(definition.fields).filter(({ shown }) => shown === 'everywhere');
}

/** Query parameters of a cursor list, most of them valid. */
function parameters(definition: RecordDefinition): fc.Arbitrary<string> {
  const fields = fieldsOf(definition);
  const sortable = fields.filter(({ kind }) => isSortable(kind)).map(({ wire }) => wire);
  const relations = [...expandable(definition).keys(), 'raw_data'];
  const condition = oneOfAll(
    fields.filter(({ kind }) => kind !== 'json'),
    (field) =>
      fc
        .tuple(fc.constantFrom(...operatorsOf(field)), mostly(fitting(field), nasty))
        .map(
          ([operator, value]) => `${field.wire}[${operator}]=${encode(operator === 'isNull' ? true : value)}`,
        ),
  );
  const good = fc.oneof(
    condition,
    fc.integer({ min: 1, max: 1000 }).map((limit) => `limit=${limit}`),
    fc.tuple(fc.constantFrom(...sortable), direction).map(([wire, way]) => `sort[${wire}]=${way}`),
    fc.subarray(relations, { minLength: 1 }).map((names) => `expand=${names.join(',')}`),
    fc.constantFrom(
      'select=raw_data,data_hash',
      'return_count=true',
      'include_deleted_records=true',
      'next=',
    ),
  );
  const names = fc.constantFrom(
    'limit',
    'next',
    'prev',
    'expand',
    'select',
    'return_count',
    'svc_company_id[eq]',
    'sort[__proto__]',
    'sort[name]',
    'name',
    '__proto__',
    'constructor[eq]',
    'name[__proto__]',
    'a[b][c]',
    'svc_id[in]',
    '[eq]',
    '%',
  );
  const bad = fc.tuple(names, nasty).map(([name, value]) => `${name}=${encode(value)}`);
  return fc
    .array(fc.oneof({ weight: 20, arbitrary: good }, { weight: 1, arbitrary: bad }), { maxLength: 4 })
    .map((all) => [...new Map(all.map((one) => [one.split('=')[0], one])).values()].join('&'));
}

/** A body of `.../all`. */
function allBody(definition: RecordDefinition): fc.Arbitrary<string> {
  const fields = fieldsOf(definition);
  const condition = oneOfAll(
    fields.filter(({ kind }) => kind !== 'json'),
    (field) =>
      fc
        .tuple(fc.constantFrom(...operatorsOf(field)), fitting(field))
        .map(([operator, value]): [string, unknown] => {
          const operand =
            operator === 'isNull' ? true : operator === 'in' || operator === 'notIn' ? [value] : value;
          return [field.wire, { [operator]: operand }];
        }),
  );
  const conditions = fc.array(condition, { maxLength: 3 }).map((all) => Object.fromEntries(all));
  const filter = fc.oneof(
    conditions,
    fc.array(conditions, { minLength: 1, maxLength: 3 }).map((or) => ({ or })),
    conditions.map((not) => ({ and: [{ not }] })),
  );
  const sortable = fields.filter(({ kind }) => isSortable(kind)).map(({ wire }) => wire);
  const orderBy = fc.dictionary(fc.constantFrom(...sortable), direction, { maxKeys: 3 });
  const body = fc.record(
    {
      take: mostly(fc.integer({ min: 0, max: 500 }), nasty),
      skip: mostly(fc.integer({ min: 0, max: 1000 }), nasty),
      orderBy: mostly(orderBy, fc.oneof(nasty, fc.dictionary(fc.string(), nasty, { maxKeys: 2 }))),
      filter: mostly(
        filter,
        fc.oneof(nasty, fc.dictionary(fc.constantFrom('name', 'and', 'or', 'not', 'x'), nasty)),
      ),
    },
    { requiredKeys: [] },
  );
  return fc.oneof(
    { weight: 20, arbitrary: body.map((one) => JSON.stringify(one)) },
    // Cut, doubled and foreign bodies.
    { weight: 1, arbitrary: fc.tuple(body, fc.nat(60)).map(([one, at]) => JSON.stringify(one).slice(0, at)) },
    { weight: 1, arbitrary: fc.json({ maxDepth: 6 }) },
    {
      weight: 1,
      arbitrary: fc.constantFrom('['.repeat(70), '{"filter":{"__proto__":{"eq":1}}}', '{"take":1e400}'),
    },
  );
}

const perDefinition = (definition: RecordDefinition): fc.Arbitrary<Shot> =>
  fc.oneof(
    {
      weight: 10,
      arbitrary: parameters(definition).map((query): Shot => ({
        method: 'GET',
        path: `/v3/${definition.path}?${query}`,
      })),
    },
    {
      weight: 8,
      arbitrary: allBody(definition).map((body): Shot => ({
        method: 'POST',
        path: `/${definition.unversionedPath}/all`,
        body,
      })),
    },
    {
      weight: 1,
      arbitrary: nasty.map((id): Shot => ({ method: 'GET', path: `/v3/${definition.path}/${encode(id)}` })),
    },
  );

test(
  `${SHOTS.toLocaleString('en')} generated REST requests are answered, never with a 5xx and never late`,
  async () => {
    const known = '/v3/accounting/accounts?limit=3&sort[name]=DESC';
    const before = await caller.get(known);
    expect(before.status).toBe(200);
    await fire(app.url, caller.key, fc.oneof(...records.map(perDefinition)));
    expect((await caller.get('/health/ready')).body).toMatchObject({ status: 'ok' });
    expect((await caller.get(known)).text).toBe(before.text);
  },
  SHOTS_MILLISECONDS,
);
