import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { isObjectType } from 'graphql';
import type { App } from '../../src/app.js';
import type { UnifiedRecord } from '../../src/connectors/connector.js';
import { createSchema } from '../../src/graphql/schema.js';
import type { RecordDefinition } from '../../src/records/define.js';
import { definitionOf, lineTypes, records } from '../../src/records/index.js';
import { createTenant, type Tenant } from '../support/seed.js';
import { type Caller, createCaller, startApp } from '../support/service.js';
import { ALL_METADATA, CONTRACT, LINE_ITEM, METADATA, type WireType } from './reference.js';

let app: App;
let acme: Tenant;
let caller: Caller;

/** A record of a type with a value in every field, references to itself where it has one. */
function fullRecord(definition: RecordDefinition, platformId: string): UnifiedRecord {
  const examples = {
    text: 'text',
    textList: ['one', 'two'],
    decimalNumber: '12.30',
    decimalText: '12.30',
    timestamp: '2026-01-02T03:04:05.678Z',
    date: '2026-01-02',
    boolean: true,
    svcId: 1,
    json: null,
  };
  const values = Object.fromEntries(
    Object.entries(definition.own).map(([name, field]) => {
      const relation = Object.values(definition.relations).find((one) => 'by' in one && one.by === name);
      if (relation && relation.kind === 'one') return [name, platformId];
      if (relation && relation.kind === 'referenced') return [name, [platformId]];
      return [name, field.values?.[0] ?? examples[field.kind]];
    }),
  );
  const lines = Object.fromEntries(
    Object.entries(definition.relations)
      .filter(([, relation]) => relation.kind === 'lines')
      .map(([name, relation]) => [
        name,
        [{ platformId: 'line', values: fullRecord(definitionOf(relation.target), platformId).values }],
      ]),
  );
  return { platformId, platformUniqueId: 'global', values, lines };
}

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
  };
  expect({ name, present: value !== undefined }).toEqual({ name, present: true });
  if (name !== 'svc_deleted_at') checks[type]();
}

test('every record type is in the contract table', () => {
  expect(Object.keys(CONTRACT).sort()).toEqual(records.map(({ model }) => model).sort());
});

describe.each(Object.entries(CONTRACT))('%s', (model, { path, fields, expand }) => {
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
    const [, empty] = body.data;
    for (const [name, type] of Object.entries(fields)) {
      const nothing = type === 'texts' ? [] : name === 'parent_account' ? {} : null;
      expect({ name, value: empty[name] }).toEqual({ name, value: nothing });
    }
  });

  test('has them on .../all too, with the platform and the organisation', async () => {
    const { body } = await caller.post(`/${path}/all`, {});
    const [full] = body.data.data;
    for (const [name, type] of Object.entries({ ...ALL_METADATA, ...fields }))
      expectWire(full[name], type, name);
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

  test('can be filtered and sorted by every field', async () => {
    for (const [name, type] of Object.entries({ ...METADATA, ...fields })) {
      if (type === 'object') continue;
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
      ...Object.keys(definition.fields),
      ...Object.keys(definition.relations),
      'id',
      'connection',
    ];
    expect(Object.keys(type.getFields()).sort()).toEqual(
      known.filter((name) => name !== 'connectionId').sort(),
    );
  });
});

test('a line item has exactly the fields of the reference', async () => {
  const { body } = await caller.get('/v3/accounting/invoice_credit_notes?expand=line_items');
  const [line] = body.data[0].line_items;
  expect(Object.keys(line).sort()).toEqual(Object.keys(LINE_ITEM).sort());
  for (const [name, type] of Object.entries(LINE_ITEM)) expectWire(line[name], type, name);
});

test('every line type has the same fields in its definition and in the GraphQL schema', () => {
  const schema = createSchema();
  for (const { model, fields, relations } of lineTypes) {
    const type = schema.getType(model);
    if (!isObjectType(type)) throw new Error(`${model} is no object type`);
    const known = [...Object.keys(fields), ...Object.keys(relations)].filter(
      (name) => name !== 'connectionId',
    );
    expect(Object.keys(type.getFields()).sort()).toEqual(known.sort());
  }
});
