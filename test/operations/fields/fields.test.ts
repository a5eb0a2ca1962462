import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { App } from '../../../src/app.js';
import type { UnifiedRecord } from '../../../src/connectors/pull.js';
import { tendFieldIndexes } from '../../../src/data/field-indexes.js';
import { createScope } from '../../../src/db/scope.js';
import { scopedArguments } from '../../../src/db/tenant-client.js';
import { admin } from '../../support/admin.js';
import { createTenant, type Tenant } from '../../support/seed.js';
import { type Caller, createCaller, startApp, testDatabaseUrl } from '../../support/service.js';
import { statementsOf } from '../../support/statements.js';
import { runWithin } from '../../support/within.js';

let app: App;

beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

/** A record of which the platform sends more than the mapper reads. */
const record = (platformId: string, sent: object, values: object = {}): UnifiedRecord => ({
  platformId,
  values,
  ...sent,
});

const MAPPING = { integration_type: 'SVC_SANDBOX', data_model: 'ACCOUNTS' };
const PATH = '/v3/core/field_mappings';

async function map(caller: Caller, mapping: object): Promise<any> {
  const { status, body } = await caller.post(PATH, { ...MAPPING, ...mapping });
  expect({ status, body }).toMatchObject({ status: 200 });
  return body.data;
}

/** `select=fields` of all accounts, by platform id. */
async function fieldsOf(caller: Caller, more = ''): Promise<Record<string, unknown>> {
  const { body } = await caller.get(`/v3/accounting/accounts?select=fields&limit=1000${more}`);
  return Object.fromEntries(body.data.map((one: any) => [one.platform_id, one.fields]));
}

const idsOf = async (caller: Caller, filter: string): Promise<string[]> => {
  const { status, body } = await caller.get(`/v3/accounting/accounts?${filter}`);
  expect({ status, body }).toMatchObject({ status: 200 });
  return body.data.map((one: any) => one.platform_id);
};

describe('a mapped field', () => {
  let acme: Tenant;
  let caller: Caller;
  const sent = [
    record('a', {
      Region: 'North',
      amount: 12.5,
      open: true,
      at: '2026-03-01T23:30:00+02:00',
      CustomField: [
        { Name: 'Colour', StringValue: 'red' },
        { Name: 'Size', id: 7, StringValue: '44' },
      ],
      'odd.name': { 'two words': 'yes' },
    }),
    record('b', { Region: 'South', amount: '7', open: 'No', at: '/Date(1518685950940+0000)/' }),
    record('c', { Region: { deep: 1 }, amount: 'seven', open: 'perhaps', at: '2026-02-30' }),
    record('d', { Region: null, amount: 1e300, at: 'soon' }),
    record('e', {}),
  ];

  const rest = [
    { name: 'amount', path: 'amount', type: 'NUMBER' },
    { name: 'is_open', path: 'open', type: 'BOOLEAN' },
    { name: 'day', path: 'at', type: 'DATE' },
    { name: 'at', path: 'at', type: 'TIME' },
  ];

  beforeAll(async () => {
    acme = await createTenant(app, 'fields');
    await acme.store('Account', sent);
    caller = await createCaller(app, acme.organisationId);
    for (const one of [{ name: 'region', path: 'Region', type: 'TEXT' }, ...rest]) await map(caller, one);
  });

  test('is shown in both styles from the next request on, of what was stored before; what does not fit is null', async () => {
    const fresh = await createTenant(app, 'fresh fields');
    await fresh.store('Account', sent);
    const caller = await createCaller(app, fresh.organisationId);
    expect(await fieldsOf(caller)).toEqual({ a: {}, b: {}, c: {}, d: {}, e: {} });
    const region = await map(caller, { name: 'region', path: 'Region', type: 'TEXT' });
    expect(region).toMatchObject({
      ...MAPPING,
      svc_company_id: null,
      version: 1,
      earlier_versions: [],
      index_state: 'NONE',
      check: { examined: 5, fitting: 2, unfitting: 1, missing: 2 },
    });
    expect(region.check.examples.map((one: any) => [one.found, one.value, one.is_fitting])).toEqual([
      ['South', 'South', true],
      ['North', 'North', true],
      [{ deep: 1 }, null, false],
    ]);
    for (const one of rest) await map(caller, one);
    const nothing = { region: null, amount: null, is_open: null, day: null, at: null };
    const expected = {
      a: { region: 'North', amount: 12.5, is_open: true, day: '2026-03-01', at: '2026-03-01T21:30:00.000Z' },
      b: { region: 'South', amount: 7, is_open: false, day: '2018-02-15', at: '2018-02-15T09:12:30.940Z' },
      c: nothing,
      d: nothing,
      e: nothing,
    };
    expect(await fieldsOf(caller)).toEqual(expected);
    const { body } = await caller.graphql(
      '{ accounts { nodes { platformId fields } } companies { nodes { accounts(last: 1) { nodes { fields } } } } }',
    );
    const nodes = body.data.accounts.nodes.map((one: any) => [one.platformId, one.fields]);
    expect(Object.fromEntries(nodes)).toEqual(expected);
    expect(body.data.companies.nodes[0].accounts.nodes).toEqual([{ fields: nothing }]);
  });

  test('keeps every digit of a decimal', async () => {
    const digits = '1234567890123456789.01234567890123456789';
    const other = await createTenant(app, 'digits');
    await other.store('Account', [record('long', { amount: digits })]);
    const own = await createCaller(app, other.organisationId);
    await map(own, { name: 'amount', path: 'amount', type: 'NUMBER' });
    const { text } = await own.get('/v3/accounting/accounts?select=fields&fields=platform_id');
    expect(text).toContain(`"fields":{"amount":${digits}}`);
    expect(await idsOf(own, `fields[amount][eq]=${digits}`)).toEqual(['long']);
    expect(await idsOf(own, 'fields[amount][eq]=1234567890123456789')).toEqual([]);
  });

  test.each([
    ['CustomField[Name=Colour].StringValue', 'red'],
    ['CustomField[id=7].StringValue', '44'],
    ['CustomField[1].Name', 'Size'],
    ['["odd.name"].two words', 'yes'],
    ['CustomField.Name', 'Colour'],
    ['CustomField[Name=Shape].StringValue', null],
    ['CustomField[9].Name', null],
    [`CustomField[Name=x' OR '1'='1].StringValue`, null],
    ['amount.deeper', null],
  ])('is found by the path %s', async (path, found) => {
    const query = new URLSearchParams({ ...MAPPING, path, type: 'TEXT' }).toString();
    const { status, body } = await caller.get(`/v3/core/field_mapping_check?${query}`);
    expect(status).toBe(200);
    expect(body.data.examples[0]?.value ?? null).toBe(found);
  });

  test('is a day and an instant in each form that means one, and null in every other', async () => {
    const forms: readonly (readonly [unknown, string | null, string | null])[] = [
      ['2026-11-21', '2026-11-21', '2026-11-21T00:00:00.000Z'],
      ['2026-11-21 09:30:00', '2026-11-21', '2026-11-21T09:30:00.000Z'],
      ['2026-11-21T09:30:00.1239+13:00', '2026-11-21', '2026-11-20T20:30:00.123Z'],
      ['20261121', '2026-11-21', '2026-11-21T00:00:00.000Z'],
      [20261121, '2026-11-21', '2026-11-21T00:00:00.000Z'],
      ['21.11.2026', '2026-11-21', '2026-11-21T00:00:00.000Z'],
      ['1.2.2026 9:05', '2026-02-01', '2026-02-01T09:05:00.000Z'],
      ['Sat, 21 Nov 2026 23:30:00 -0200', '2026-11-21', '2026-11-22T01:30:00.000Z'],
      ['Sat, 21 Nov 2026 09:30:00 GMT', '2026-11-21', '2026-11-21T09:30:00.000Z'],
      ['21-NOV-2026', '2026-11-21', '2026-11-21T00:00:00.000Z'],
      ['September 3, 2026', '2026-09-03', '2026-09-03T00:00:00.000Z'],
      ['Sept 3 2026 04:05:06', '2026-09-03', '2026-09-03T04:05:06.000Z'],
      [1518685950, '2018-02-15', '2018-02-15T09:12:30.000Z'],
      ['1518685950.9407', '2018-02-15', '2018-02-15T09:12:30.940Z'],
      [1518685950940, '2018-02-15', '2018-02-15T09:12:30.940Z'],
      ['/Date(-1000)/', '1969-12-31', '1969-12-31T23:59:59.000Z'],
      ...[
        ...[
          '03/04/2026',
          '21/11/2026',
          '2026/11/21',
          '21-11-2026',
          '21.11.26',
          '21 Nov 26',
          'Nov 2026',
          '31.02.2026',
        ],
        ...[
          '20261321',
          '2026112',
          20261121093000,
          15186859501,
          -1518685950,
          1.5,
          true,
          '21 Novembre 2026',
          '0.0.0000',
        ],
        ...[
          '21 Nov 2026 09:30 EST',
          '21.11.2026 25:00',
          'Smarch 1, 2026',
          '',
          ' 2026-11-21',
          '21 Nov 0000',
          {},
          [],
        ],
      ].map((odd) => [odd, null, null] as const),
    ];
    const other = await createTenant(app, 'days');
    await other.store(
      'Account',
      forms.map(([at], index) => record(`form ${index}`, { at })),
    );
    const own = await createCaller(app, other.organisationId);
    await map(own, { name: 'day', path: 'at', type: 'DATE' });
    await map(own, { name: 'at', path: 'at', type: 'TIME' });
    const found = await fieldsOf(own);
    expect(forms.map(([at], index) => [at, found[`form ${index}`]])).toEqual(
      forms.map(([at, day, instant]) => [at, { day, at: instant }]),
    );
  });

  test('are checked by one statement, however many a query asks of', async () => {
    const other = await createTenant(app, 'checks');
    await other.store('Account', [record('a', { region: 'North', size: '1e3' }), record('b', {})]);
    const own = await createCaller(app, other.organisationId);
    const checked = async () => {
      let checks: unknown;
      const statements = await statementsOf(app, async () => {
        const { body } = await own.graphql(
          '{ fieldMappings { nodes { name check { examined fitting unfitting missing examples { value } } } } }',
        );
        checks = body.data.fieldMappings.nodes;
      });
      return { checks, statements: statements.length };
    };
    await map(own, { name: 'region', path: 'region', type: 'TEXT' });
    const one = await checked();
    await map(own, { name: 'size', path: 'size', type: 'NUMBER' });
    await map(own, { name: 'of_items', path: 'size', type: 'TIME', data_model: 'ITEMS' });
    const three = await checked();
    expect(three.statements).toBe(one.statements);
    expect(three.checks).toEqual([
      {
        name: 'region',
        check: { examined: 2, fitting: 1, unfitting: 0, missing: 1, examples: [{ value: 'North' }] },
      },
      {
        name: 'size',
        check: { examined: 2, fitting: 0, unfitting: 1, missing: 1, examples: [{ value: null }] },
      },
      { name: 'of_items', check: { examined: 0, fitting: 0, unfitting: 0, missing: 0, examples: [] } },
    ]);
  });

  test.each([
    '',
    '.',
    'a..b',
    '.a',
    'a.',
    'a[',
    'a[b]',
    'a[1',
    'a"b',
    "a'b",
    'a\\b',
    '["a"b"]',
    'a[x="y"]',
    '$.a ? (@ > 1)\u0000',
    'a\nb',
    'x'.repeat(301),
  ])('is not found by %j, which is no path', async (path) => {
    const { status, body } = await caller.post(PATH, { ...MAPPING, name: 'odd', path, type: 'TEXT' });
    expect({ status, field: body.error.field }).toEqual({ status: 400, field: 'path' });
  });

  test.each(['Region', 'two words', '1st', 'x"', '', 'x'.repeat(61), 'é'])(
    'is not named %j',
    async (name) => {
      const { status, body } = await caller.post(PATH, { ...MAPPING, name, path: 'x', type: 'TEXT' });
      expect({ status, field: body.error.field }).toEqual({ status: 400, field: 'name' });
    },
  );

  test('is of one type by its name', async () => {
    const again = { ...MAPPING, name: 'region', path: 'x', type: 'NUMBER', company_id: acme.companyId };
    const { body } = await caller.post(PATH, again);
    expect(body.error).toMatchObject({
      code: 'invalid-params',
      field: 'type',
      message: 'type must be TEXT, as in the other mappings of this name',
    });
    const twice = await caller.post(PATH, { ...MAPPING, name: 'region', path: 'x', type: 'TEXT' });
    expect(twice.body.error).toMatchObject({ code: 'invalid-params', field: 'name' });
  });

  test.each([
    ['fields[region][eq]=North', ['a']],
    ['fields[region][in]=North,South', ['a', 'b']],
    ['fields[region][ne]=North', ['b', 'c', 'd', 'e']],
    ['fields[region][starts_with]=So', ['b']],
    ['fields[region][contains]=orth', ['a']],
    ['fields[region][is_null]=true', ['c', 'd', 'e']],
    ['fields[region][gt]=North', ['b']],
    ['fields[amount][gte]=7.0', ['a', 'b']],
    ['fields[amount][gt]=7&fields[amount][lt]=13', ['a']],
    ['fields[is_open][eq]=false', ['b']],
    ['fields[day][gte]=2026-01-01', ['a']],
    ['fields[day][gte]=2026-03-01T12:00:00Z', []],
    ['fields[day][eq]=2026-02-28T19:00:00-05:00', ['a']],
    ['fields[at][lt]=2018-02-15T09:12:31Z', ['b']],
    ['fields[amount][not_in]=7,8', ['a', 'c', 'd', 'e']],
  ])('is filtered by %s', async (filter, expected) => {
    expect(await idsOf(caller, filter)).toEqual(expected);
  });

  test('is filtered by in GraphQL and on .../all, inside conditions too', async () => {
    const filter = {
      or: [{ fields: { region: { eq: 'South' } } }, { not: { fields: { amount: { isNull: true } } } }],
    };
    const { body } = await caller.graphql(
      'query ($filter: AccountFilter) { accounts(filter: $filter) { totalCount nodes { platformId } } companies { nodes { accounts(filter: $filter) { totalCount } } } }',
      { filter },
    );
    expect(body.data).toEqual({
      accounts: { totalCount: 2, nodes: [{ platformId: 'a' }, { platformId: 'b' }] },
      companies: { nodes: [{ accounts: { totalCount: 2 } }] },
    });
    const all = await caller.post('/accounting/accounts/all', {
      filter: { fields: { amount: { gt: 7 }, region: { not_in: ['South'] } } },
    });
    expect(all.body.data.data.map((one: any) => one.platform_id)).toEqual(['a']);
  });

  test.each([
    ['fields[nothing][eq]=1', 'is not a mapped field of these records'],
    ['fields[amount][eq]=many', 'must be a decimal'],
    ['fields[amount][contains]=1', 'is not an operator of this field'],
    ['fields[region][almost]=1', 'is not an operator of this field'],
    ['fields[day][gt]=tomorrow', 'must be a date'],
    ["fields[region'--][eq]=1", 'is not a mapped field'],
  ])('is not filtered by %s', async (filter, words) => {
    const { status, body } = await caller.get(`/v3/accounting/accounts?${filter}`);
    expect({ status, message: body.error.message }).toEqual({
      status: 400,
      message: expect.stringContaining(words),
    });
  });

  test('costs a list that does not ask for it no statement', async () => {
    const of = async (path: string) =>
      (await statementsOf(app, () => caller.get(path))).map(({ text }) => text);
    await of('/v3/accounting/accounts');
    const plain = await of('/v3/accounting/accounts');
    expect(plain.filter((text) => /field_mappings|svc_mapped/.test(text))).toEqual([]);
    const asked = await of('/v3/accounting/accounts?select=fields');
    expect(asked.length).toBe(plain.length + 2);
  });

  test('is in an export', async () => {
    const { text } = await caller.get(`/v3/core/export?data_models=${MAPPING.data_model}&select=fields`);
    const lines = text.split('\n').filter((line) => line.includes('"platform_id":"b"'));
    expect(lines).toEqual([expect.stringContaining('"region":"South"')]);
  });
});

describe('a mapping', () => {
  test('has versions, is changed and removed, and each is in the audit trail', async () => {
    const acme = await createTenant(app, 'versions');
    await acme.store('Account', [record('a', { old: 'before', new: 3 })]);
    const caller = await createCaller(app, acme.organisationId);
    const { svc_id: id } = await map(caller, { name: 'value', path: 'old', type: 'TEXT' });
    const changed = await caller.put(`${PATH}/${id}`, { path: 'new', type: 'NUMBER' });
    expect(changed.body.data).toMatchObject({
      version: 2,
      path: 'new',
      type: 'NUMBER',
      earlier_versions: [{ version: 1, path: 'old', type: 'TEXT', replaced_at: expect.any(String) }],
      check: { fitting: 1 },
    });
    expect(await fieldsOf(caller)).toEqual({ a: { value: 3 } });
    const same = await caller.put(`${PATH}/${id}`, { path: 'new' });
    expect(same.body.data).toMatchObject({ version: 2, svc_updated_at: changed.body.data.svc_updated_at });
    const { body } = await caller.graphql(
      `{ fieldMappings { totalCount nodes { id name } } fieldMapping(svcId: ${id}) { id earlierVersions { version } } }`,
    );
    const [node] = body.data.fieldMappings.nodes;
    expect(body.data.fieldMapping).toEqual({ id: node.id, earlierVersions: [{ version: 1 }] });
    const found = await caller.graphql(
      'query ($id: ID!) { node(id: $id) { ... on FieldMapping { name } } }',
      {
        id: node.id,
      },
    );
    expect(found.body.data.node).toEqual({ name: 'value' });
    expect((await caller.get(PATH)).body.data).toEqual([expect.objectContaining({ svc_id: id })]);
    expect((await caller.remove(`${PATH}/${id}`)).status).toBe(200);
    expect(await fieldsOf(caller)).toEqual({ a: {} });
    expect((await caller.get(`${PATH}/${id}`)).status).toBe(404);
    expect((await caller.remove(`${PATH}/${id}`)).status).toBe(404);
    const events = (await caller.get('/v3/core/audit_events')).body.data;
    expect(
      events.flatMap((one: any) => (one.event_type === 'FIELD_MAPPING_CHANGED' ? [one.subject] : [])),
    ).toEqual(['removed', 'version 2', 'made'].map((what) => `SVC_SANDBOX ACCOUNTS value: ${what}`));
  });

  test('of a company takes the place of that of all companies', async () => {
    const acme = await createTenant(app, 'override');
    const other = await acme.company('other');
    for (const one of [acme, other]) {
      await one.store('Account', [record(`of ${one.companyId}`, { mine: 'x', theirs: 'y' })]);
    }
    const caller = await createCaller(app, acme.organisationId);
    await map(caller, { name: 'value', path: 'mine', type: 'TEXT' });
    await map(caller, { name: 'value', path: 'theirs', type: 'TEXT', company_id: other.companyId });
    const [mine, theirs] = [`of ${acme.companyId}`, `of ${other.companyId}`];
    expect(await fieldsOf(caller)).toEqual({ [mine]: { value: 'x' }, [theirs]: { value: 'y' } });
    expect(await idsOf(caller, 'fields[value][eq]=x')).toEqual([mine]);
    expect(await idsOf(caller, 'fields[value][eq]=y')).toEqual([theirs]);
    expect(await idsOf(caller, 'fields[value][ne]=y')).toEqual([mine]);
    // Records that have no mapping of the name count as null.
    await map(caller, { name: 'own', path: 'theirs', type: 'TEXT', company_id: other.companyId });
    expect(await idsOf(caller, 'fields[own][is_null]=true')).toEqual([mine]);
    expect(await idsOf(caller, 'fields[own][ne]=x')).toEqual([mine, theirs]);
    expect(await idsOf(caller, 'fields[own][eq]=y')).toEqual([theirs]);
  });

  test('needs the scope write, and of all companies a key of all companies', async () => {
    const acme = await createTenant(app, 'scopes');
    const reader = await createCaller(app, acme.organisationId, { scopes: ['read'] });
    const limited = await createCaller(app, acme.organisationId, { companyIds: [acme.companyId] });
    const mapping = { ...MAPPING, name: 'value', path: 'x', type: 'TEXT' };
    expect((await reader.post(PATH, mapping)).status).toBe(403);
    expect((await limited.post(PATH, mapping)).status).toBe(403);
    expect((await limited.post(PATH, { ...mapping, company_id: acme.companyId })).status).toBe(200);
  });
});

describe('another organisation', () => {
  test('has none of a mapping: it is neither shown, nor applied, nor changed', async () => {
    const mine = await createTenant(app, 'mine');
    const theirs = await createTenant(app, 'theirs');
    for (const one of [mine, theirs]) await one.store('Account', [record('a', { secret: 'value' })]);
    const owner = await createCaller(app, mine.organisationId);
    const stranger = await createCaller(app, theirs.organisationId);
    const { svc_id: id } = await map(owner, {
      name: 'value',
      path: 'secret',
      type: 'TEXT',
      is_indexed: true,
    });
    await tendFieldIndexes(testDatabaseUrl());
    expect(await fieldsOf(stranger)).toEqual({ a: {} });
    const { status, body } = await stranger.get('/v3/accounting/accounts?fields[some value][eq]=value');
    expect({ status, field: body.error.field }).toEqual({ status: 400, field: 'fields[some value]' });
    expect((await stranger.get(`${PATH}/${id}`)).status).toBe(404);
    expect((await stranger.put(`${PATH}/${id}`, { path: 'x' })).status).toBe(404);
    expect((await stranger.remove(`${PATH}/${id}`)).status).toBe(404);
    expect((await stranger.get(PATH)).body.data).toEqual([]);
    // What runs as the owner finds nothing beyond the settings, whoever's mapping it is told of.
    const search = `SELECT svc_find_by_field('accounts', 'SVC_SANDBOX', '$."secret"', 'TEXT', '=', '{value}', NULL, 10) AS ids`;
    const found = async (organisationId: number) => {
      const scope = createScope(organisationId, null);
      const { rows } = await runWithin(app.database.pool, { text: search }, scope);
      return rows[0].ids.map(Number);
    };
    const { rows } = await admin.pool.query(
      `SELECT svc_id, svc_organisation_id FROM accounts WHERE svc_organisation_id = ANY($1) ORDER BY 2`,
      [[mine.organisationId, theirs.organisationId]],
    );
    expect(await found(mine.organisationId)).toEqual([Number(rows[0].svc_id)]);
    expect(await found(theirs.organisationId)).toEqual([Number(rows[1].svc_id)]);
    expect((await app.database.pool.query(search)).rows).toEqual([{ ids: null }]);
  });

  test('keys of some companies see and change the mappings of theirs alone, and those of all companies', async () => {
    const acme = await createTenant(app, 'limited');
    const other = await acme.company('hidden');
    const owner = await createCaller(app, acme.organisationId);
    const limited = await createCaller(app, acme.organisationId, { companyIds: [acme.companyId] });
    await acme.store('Account', [record('a', { x: 'value' })]);
    await map(owner, { name: 'common', path: 'x', type: 'TEXT' });
    const { svc_id: hidden } = await map(owner, {
      name: 'common',
      path: 'secret',
      type: 'TEXT',
      company_id: other.companyId,
    });
    expect((await limited.get(PATH)).body.data.map((one: any) => one.path)).toEqual(['x']);
    expect(await fieldsOf(limited)).toEqual({ a: { common: 'value' } });
    expect((await limited.get(`${PATH}/${hidden}`)).status).toBe(404);
    expect((await limited.remove(`${PATH}/${hidden}`)).status).toBe(404);
    const foreign = { ...MAPPING, name: 'mine', path: 'x', type: 'TEXT', company_id: other.companyId };
    expect((await limited.post(PATH, foreign)).status).toBe(404);
    const scope = createScope(acme.organisationId, [acme.companyId]);
    const allowed = [{ svcCompanyId: null }, { svcCompanyId: { in: [BigInt(acme.companyId)] } }];
    expect(scopedArguments(scope, 'FieldMapping', 'findMany', {}).where).toEqual({
      AND: [{ svcOrganisationId: BigInt(acme.organisationId) }, { OR: allowed }],
    });
    expect(() => scopedArguments(scope, 'FieldMapping', 'create', { data: {} })).toThrow('limited to some');
    // The second wall: row-level security says the same.
    const seen = await runWithin(app.database.pool, { text: 'SELECT path FROM field_mappings' }, scope);
    expect(seen.rows).toEqual([{ path: 'x' }]);
    const insert = `INSERT INTO field_mappings (svc_organisation_id, integration_type, data_model, name, path, type)
      VALUES (${acme.organisationId}, 'SVC_SANDBOX', 'ACCOUNTS', 'all', 'x', 'TEXT')`;
    await expect(runWithin(app.database.pool, { text: insert }, scope)).rejects.toThrow();
  });
});

describe('an index', () => {
  test('is made when it is wanted, used by filters, renewed with the path, and removed with the mapping', async () => {
    const acme = await createTenant(app, 'indexed');
    const long = 'x'.repeat(20_000);
    await acme.store(
      'Account',
      Array.from({ length: 50 }, (_, index) =>
        record(`r${index}`, {
          number: index,
          day: index < 48 ? '2026-01-08' : '2026-01-09',
          text: index === 7 ? `${long}7` : `${long}`,
        }),
      ),
    );
    const caller = await createCaller(app, acme.organisationId);
    const { svc_id: id, index_state } = await map(caller, {
      name: 'number',
      path: 'number',
      type: 'NUMBER',
      is_indexed: true,
    });
    const { svc_id: textId } = await map(caller, {
      name: 'long',
      path: 'text',
      type: 'TEXT',
      is_indexed: true,
    });
    await map(caller, { name: 'day', path: 'day', type: 'DATE', is_indexed: true });
    expect(index_state).toBe('BUILDING');
    expect((await idsOf(caller, 'fields[number][gte]=48')).sort()).toEqual(['r48', 'r49']);
    const { made } = await tendFieldIndexes(testDatabaseUrl());
    expect(made).toEqual(expect.arrayContaining([`svc_field_${id}_1`, `svc_field_${textId}_1`]));
    expect((await caller.get(`${PATH}/${id}`)).body.data.index_state).toBe('READY');
    const statements = await statementsOf(app, async () => {
      expect((await idsOf(caller, 'fields[number][gte]=48')).sort()).toEqual(['r48', 'r49']);
    });
    expect(statements.filter(({ text }) => text.includes('svc_find_by_field'))).toHaveLength(1);
    expect(statements.filter(({ text }) => /svc_id = ANY.*svc_mapped_number/s.test(text))).toHaveLength(1);
    const midnight = encodeURIComponent('2026-01-08T19:00:00-05:00');
    expect((await idsOf(caller, `fields[day][eq]=${midnight}`)).sort()).toEqual(['r48', 'r49']);
    expect((await idsOf(caller, 'fields[day][gt]=2026-01-08T12:00:00Z')).sort()).toEqual(['r48', 'r49']);
    // Longer than an index can hold.
    expect(await idsOf(caller, `fields[long][gt]=${long.slice(0, 5000)}&fields[number][in]=6,7`)).toEqual([
      'r6',
      'r7',
    ]);
    const { body } = await caller.graphql(
      'query ($filter: AccountFilter) { accounts(filter: $filter) { nodes { platformId } } }',
      { filter: { fields: { long: { eq: `${long}7` } } } },
    );
    expect(body.data.accounts.nodes).toEqual([{ platformId: 'r7' }]);
    const { rows } = await admin.pool
      .query(
        `SET enable_seqscan = off; EXPLAIN SELECT svc_id FROM accounts WHERE svc_organisation_id = ${acme.organisationId}
         AND svc_integration_type = 'SVC_SANDBOX' AND svc_mapped_number(accounts.raw_data, '$."number"'::jsonpath) >= 48;
       RESET enable_seqscan`,
      )
      .then((results) => (results as unknown as { rows: object[] }[])[1] ?? { rows: [] });
    expect(JSON.stringify(rows)).toContain(`svc_field_${id}_1`);

    await caller.put(`${PATH}/${id}`, { path: 'other' });
    expect((await caller.get(`${PATH}/${id}`)).body.data.index_state).toBe('BUILDING');
    const renewed = await tendFieldIndexes(testDatabaseUrl());
    expect(renewed).toEqual({ made: [`svc_field_${id}_2`], removed: [`svc_field_${id}_1`] });
    await caller.remove(`${PATH}/${id}`);
    await caller.put(`${PATH}/${textId}`, { is_indexed: false });
    const { removed } = await tendFieldIndexes(testDatabaseUrl());
    expect(removed).toEqual(expect.arrayContaining([`svc_field_${id}_2`, `svc_field_${textId}_1`]));
    expect((await caller.get(`${PATH}/${textId}`)).body.data.index_state).toBe('NONE');
  });
});

describe('custom fields of a platform', () => {
  test('are shown and filtered by in both styles', async () => {
    const acme = await createTenant(app, 'custom fields');
    const one = { Id: 'cf-1', Name: 'Region', Kind: 'choice', Value: 'North' };
    const two = { Id: 'cf-2', Name: "Credit limit'", Kind: 'number', Value: 2500 };
    await acme.store('Contact', [
      record('a', { CustomFields: [one, two] }),
      record('b', { CustomFields: [{ ...one, Value: null }, 'odd', { Id: 'nameless' }] }),
      record('c', { CustomFields: 'odd' }),
      record('d', {}),
    ]);
    await acme.store('Account', [record('a', { CustomFields: [one] })]);
    const caller = await createCaller(app, acme.organisationId);
    const path = '/v3/accounting/contacts?select=custom_fields';
    const shown = async (more = '') => {
      const { body } = await caller.get(path + more);
      return Object.fromEntries(body.data.map((found: any) => [found.platform_id, found.custom_fields]));
    };
    const both = [
      { id: 'cf-1', name: 'Region', value: 'North', type: 'choice' },
      { id: 'cf-2', name: "Credit limit'", value: 2500, type: 'number' },
    ];
    const all = { a: both, b: [{ ...both[0], value: null }], c: [], d: [] };
    expect(await shown()).toEqual(all);
    expect(Object.keys(await shown('&custom_fields[Region][eq]=North'))).toEqual(['a']);
    expect(Object.keys(await shown('&custom_fields[Region][is_null]=true'))).toEqual(['b', 'c', 'd']);
    expect(Object.keys(await shown("&custom_fields[Credit limit'][in]=2500,1"))).toEqual(['a']);
    expect(Object.keys(await shown('&custom_fields[Nobody" || true][eq]=North'))).toEqual([]);
    expect(Object.keys(await shown('&custom_fields[__proto__][eq]=North'))).toEqual([]);
    const { body } = await caller.graphql(
      `query ($filter: ContactFilter) { contacts(filter: $filter) { nodes { platformId customFields { id name value type } } }
        accounts { nodes { customFields { id } } } }`,
      { filter: { customFields: { Region: { startsWith: 'Nor' } } } },
    );
    expect(body.data).toEqual({
      contacts: { nodes: [{ platformId: 'a', customFields: both }] },
      accounts: { nodes: [{ customFields: [] }] },
    });
    const found = await caller.post('/accounting/contacts/all', {
      filter: { custom_fields: { Region: { ne: 'North' } } },
    });
    expect(found.body.data.data.map((contact: any) => contact.platform_id)).toEqual(['b', 'c', 'd']);
    const refused = await caller.get('/v3/accounting/accounts?custom_fields[Region][eq]=North');
    expect(refused.body.error.message).toContain('no platform has custom fields of these records');
  });
});
