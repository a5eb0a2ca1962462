import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { isInterfaceType, isObjectType } from 'graphql';
import type { App } from '../../src/app.js';
import { createSchema } from '../../src/graphql/schema.js';
import { definitionOf, lineTypes, records } from '../../src/records/index.js';
import { fullRecord } from '../support/full-record.js';
import { operations } from '../support/openapi.js';
import { createTenant, type Tenant } from '../support/seed.js';
import { type Caller, createCaller, startApp } from '../support/service.js';
import { ALL_METADATA, CONTRACT, METADATA, NESTED, type WireType } from './reference.js';

let app: App;
let acme: Tenant;
let caller: Caller;

beforeAll(async () => {
  app = await startApp();
  acme = await createTenant(app, 'contract');
  caller = await createCaller(app, acme.organisationId);
  for (const definition of records) {
    await acme.store(definition.model, [fullRecord(definition, 'full'), { platformId: 'empty', values: {} }]);
  }
});
afterAll(() => app.close());

function expectWire(value: unknown, type: WireType, name: string): void {
  const checks: Record<WireType, () => void> = {
    integer: () => expect(Number.isSafeInteger(value)).toBe(true),
    number: () => expect(value).toBe(12.3),
    text: () => expect(typeof value).toBe('string'),
    boolean: () => expect(typeof value).toBe('boolean'),
    timestamp: () => expect(value).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    texts: () => expect(Array.isArray(value)).toBe(true),
    object: () => expect(typeof value).toBe('object'),
    objects: () => expect(Array.isArray(value)).toBe(true),
  };
  expect({ name, present: value !== undefined }).toEqual({ name, present: true });
  if (name !== 'svc_deleted_at') checks[type]();
}

test('every record type of the schema has a definition', () => {
  const schema = createSchema();
  const record = schema.getType('Record');
  if (!isInterfaceType(record)) throw new Error('Record is no interface');
  const models = schema.getImplementations(record).objects.map(({ name }) => name);
  expect(models.sort()).toEqual(records.map(({ model }) => model).sort());
});

test('every record type is in the contract table', () => {
  expect(Object.keys(CONTRACT).sort()).toEqual(records.map(({ model }) => model).sort());
});

describe.each(Object.entries(CONTRACT))('%s', (model, { path, fields, expand, all = [], allFields = {} }) => {
  test('has exactly the fields of the reference on /v3, each in its type', async () => {
    const { body } = await caller.get(`/v3/${path}`);
    const [full, empty] = body.data;
    const expected = { ...METADATA, ...fields };
    expect(Object.keys(full).sort()).toEqual(Object.keys(expected).sort());
    expect(Object.keys(empty).sort()).toEqual(Object.keys(expected).sort());
    for (const [name, type] of Object.entries(expected)) expectWire(full[name], type, name);
  });

  test('is null, or an empty list or object, where nothing is known', async () => {
    const { body } = await caller.get(`/v3/${path}`);
    const [, record] = body.data;
    for (const [name, type] of Object.entries(fields)) {
      const empty = name === 'parent_account' ? {} : null;
      const nothing = type === 'texts' || type === 'objects' ? [] : empty;
      expect({ name, value: record[name] }).toEqual({ name, value: nothing });
    }
  });

  test('has them on .../all too, with the platform and the organisation', async () => {
    const { unversionedPath = path } = CONTRACT[model] ?? {};
    const { body } = await caller.post(`/${unversionedPath}/all`, {});
    const [full] = body.data.data;
    const expected = { ...ALL_METADATA, ...fields, ...allFields };
    for (const [name, type] of Object.entries(expected)) expectWire(full[name], type, name);
    for (const relation of all) expect(full[relation]).toEqual({ data: expect.anything() });
  });

  test('expands each relation of the reference', async () => {
    for (const relation of expand) {
      const { status, body } = await caller.get(`/v3/${path}?expand=${relation}`);
      expect({ relation, status }).toEqual({ relation, status: 200 });
      expect(body.data[0]).toHaveProperty(relation);
      expect(body.data[0][relation]).toBeTruthy();
    }
    expect((await caller.get(`/v3/${path}?expand=${expand.join(',')}`)).status).toBe(200);
  });

  test('says in its description of expand what it takes', async () => {
    const list = operations.find((one) => one.method === 'GET' && one.path === `/v3/${path}`);
    const described = list?.parameters.find(({ name }) => name === 'expand')?.schema['items'].enum;
    expect(described).toEqual(expect.arrayContaining([...expand, 'raw_data', 'custom_fields']));
    expect((await caller.get(`/v3/${path}?expand=${described.join(',')}`)).status).toBe(200);
    const { unversionedPath = path } = CONTRACT[model] ?? {};
    expect((await caller.post(`/${unversionedPath}/all`, { expand: described })).status).toBe(200);
  });

  test('can be filtered and sorted by every field', async () => {
    for (const [name, type] of Object.entries({ ...METADATA, ...fields })) {
      if (type === 'object' || type === 'objects') continue;
      const filtered = await caller.get(`/v3/${path}?${name}[isNull]=false`);
      expect({ name, status: filtered.status }).toEqual({ name, status: 200 });
      if (type === 'texts' || type === 'boolean') continue;
      const sorted = await caller.get(`/v3/${path}?sort[${name}]=DESC`);
      expect({ name, status: sorted.status, rows: sorted.body.data.length }).toEqual({
        name,
        status: 200,
        rows: 2,
      });
    }
  });

  test('has the same fields in its definition and in the GraphQL schema', () => {
    const definition = definitionOf(model);
    const type = createSchema().getType(model);
    if (!isObjectType(type)) throw new Error(`${model} is no object type`);
    const known = [
      ...Object.keys(definition.fields).filter((name) => definition.fields[name]?.shown !== 'nowhere'),
      ...Object.keys(definition.relations),
      'id',
      'company',
      'connection',
      'history',
      // Worked out of raw_data.
      'fields',
      'customFields',
    ];
    expect(Object.keys(type.getFields()).sort()).toEqual(
      known.filter((name) => name !== 'connectionId').sort(),
    );
  });
});

test.each(NESTED.map((nested) => [nested.path, nested.name, nested.fields] as const))(
  'GET /v3/%s shows %s with exactly the fields of the reference',
  async (path, name, fields) => {
    const { body } = await caller.get(`/v3/${path}`);
    const nested = [body.data[0][name]].flat()[0];
    expect(Object.keys(nested).sort()).toEqual(Object.keys(fields).sort());
    for (const [field, type] of Object.entries(fields)) expectWire(nested[field], type, field);
  },
);

test('every line type has the same fields in its definition and in the GraphQL schema', () => {
  const schema = createSchema();
  for (const { model, fields, relations } of lineTypes) {
    const type = schema.getType(model);
    if (!isObjectType(type)) throw new Error(`${model} is no object type`);
    const known = ['id', ...Object.keys(fields), ...Object.keys(relations)].filter(
      (name) => name !== 'connectionId',
    );
    expect(Object.keys(type.getFields()).sort()).toEqual(known.sort());
  }
});
