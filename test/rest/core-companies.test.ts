import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import type pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { App } from '../../src/app.js';
import { createFileKey } from '../../src/files/file-key.js';
import { openLocalStore } from '../../src/files/local-store.js';
import { storeRecords } from '../../src/store/store-records.js';
import { clientSecretPlace } from '../../src/platforms/client-credentials.js';
import { definitionOf, lineTypes, records } from '../../src/records/index.js';
import { addSync, connectXero, fillCompany, testSecrets } from '../support/fill-company.js';
import { createTenant, type Tenant } from '../support/seed.js';
import { type Answer, type Caller, createCaller, startApp, testFileDir } from '../support/service.js';
import { admin } from '../support/admin.js';
import { databaseUrl } from '../support/database.js';
import { withClient } from '../support/nodes.js';
import { until } from '../support/until.js';
import { untilBlocked } from '../support/until-blocked.js';

const BOOKS = { integration_categories: ['ACCOUNTING'], integrations: ['XERO'] };

let app: App;
let platform: Server;
let acme: Tenant;
let other: Tenant;
let full: Caller;
let reader: Caller;
let stranger: Caller;
/** What the platform answers when an access ends; null: nothing at all. */
let answer: number | null = 200;
let ended: string[] = [];

beforeAll(async () => {
  platform = createServer((request, response) => {
    if (answer === null) return;
    // The user of each token has connected the account that it is named after, and another one.
    const account = (request.headers.authorization ?? '').replace('Bearer access ', '');
    if (request.method === 'DELETE') ended.push(decodeURIComponent(request.url ?? ''));
    const all = [account, 'another'].map((tenantId) => ({ id: `of ${tenantId}`, tenantId }));
    response.writeHead(answer, { 'content-type': 'application/json' });
    response.end(JSON.stringify(all));
  });
  await new Promise<void>((resolve) => platform.listen(0, '127.0.0.1', resolve));
  app = await startApp({ XERO_URL: `http://127.0.0.1:${(platform.address() as AddressInfo).port}` });
  acme = await createTenant(app, 'companies');
  other = await createTenant(app, 'companies other');
  for (const { organisationId } of [acme, other]) {
    await admin.prisma.integration.create({
      data: {
        svcOrganisationId: BigInt(organisationId),
        integrationType: 'XERO',
        clientId: 'an app',
        clientSecret: testSecrets.seal('its secret', clientSecretPlace('XERO', organisationId)),
      },
    });
  }
  full = await createCaller(app, acme.organisationId);
  reader = await createCaller(app, acme.organisationId, { scopes: ['read'] });
  stranger = await createCaller(app, other.organisationId);
});
afterAll(async () => {
  await app.close();
  platform.closeAllConnections();
  platform.close();
});
afterEach(() => {
  answer = 200;
  ended = [];
});

const access = (scope_access: unknown) => ({
  sync_config: [{ category: 'ACCOUNTING', data_model: 'ITEMS', scope_access }],
});

/** How many rows of a company each table has. */
async function rowsOf(companyId: number): Promise<Record<string, number>> {
  const { pool } = admin;
  const { rows } = await pool.query<{ name: string }>(
    `SELECT c.table_name AS name FROM information_schema.columns c
     JOIN information_schema.tables t USING (table_schema, table_name)
     WHERE c.table_schema = 'public' AND c.column_name = 'svc_company_id' AND t.table_type = 'BASE TABLE'
       -- The audit trail outlives what it is about.
       AND c.table_name <> 'audit_events'
       AND NOT EXISTS (SELECT FROM pg_inherits WHERE inhrelid = format('%I', c.table_name)::regclass)`,
  );
  const counted = rows.map(async ({ name }) => {
    const found = await pool.query<{ count: number }>(
      `SELECT count(*)::int AS count FROM ${name} WHERE svc_company_id = $1`,
      [companyId],
    );
    return [name, found.rows[0]?.count ?? 0] as const;
  });
  return Object.fromEntries(await Promise.all(counted));
}

describe('PUT /v3/core/companies/{id}', () => {
  test('stores a partner id that another company has, and says which', async () => {
    const [one, other] = [await acme.company('one'), await acme.company('other')];
    const put = (svcId: number, body: object) => full.put(`/v3/core/companies/${svcId}`, body);
    expect((await put(one.companyId, { partner_id: 'p-twice' })).headers.get('x-svc-warning')).toBeNull();
    expect((await put(one.companyId, { partner_id: 'p-twice' })).headers.get('x-svc-warning')).toBeNull();
    const twice = await put(other.companyId, { partner_id: 'p-twice', other: 1 });
    expect(twice.body.data.partner_id).toBe('p-twice');
    const warning = `the partner id is also that of company ${one.companyId}`;
    expect(twice.headers.get('x-svc-warning')).toBe(`ignored: other; ${warning}`);
    const { body } = await full.graphql(
      'mutation ($input: UpdateCompanyInput!) { updateCompany(input: $input) { warnings } }',
      { input: { svcId: other.companyId, partnerId: 'p-twice' } },
    );
    expect(body.data.updateCompany.warnings).toEqual([warning]);
    for (const partner_id of [null, undefined, 'p-once']) {
      expect((await put(other.companyId, { partner_id })).headers.get('x-svc-warning')).toBeNull();
    }
  });

  test('names the first companies that have the partner id, and how many more', async () => {
    const companies = [];
    for (let made = 0; made < 7; made += 1) companies.push(await acme.company(`of many ${made}`));
    const ids = companies.map(({ companyId }) => companyId);
    const warnings: (string | null)[] = [];
    for (const id of ids) {
      const { headers } = await full.put(`/v3/core/companies/${id}`, { partner_id: 'p-many' });
      warnings.push(headers.get('x-svc-warning'));
    }
    const five = ids.slice(0, 5).map((id) => `company ${id}`);
    expect(warnings.slice(5)).toEqual([
      `the partner id is also that of ${five.join(', ')}`,
      `the partner id is also that of ${five.join(', ')} and 1 more`,
    ]);
  });

  test('changes what is sent and keeps the rest; null removes the partner id', async () => {
    const company = await acme.company('to change');
    const path = `/v3/core/companies/${company.companyId}`;
    const before = (await full.get(path)).body.data;
    const { status, body } = await full.put(path, {
      name: 'Acme Ltd',
      partner_id: 'p-1',
      sync_config: [
        {
          category: 'ACCOUNTING',
          data_model: 'ITEMS',
          enabled: false,
          sync_from: '2026-01-01',
          custom_fields: ['colour'],
          scope_access: { READ: true },
        },
      ],
      other: 1,
    });
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ name: 'Acme Ltd', partner_id: 'p-1', svc_id: company.companyId });
    expect(body.data.svc_updated_at > before.svc_updated_at).toBe(true);
    const items = body.data.connections[0].sync_config.find(
      (one: { data_model: string }) => one.data_model === 'ITEMS',
    );
    expect(items).toEqual({
      category: 'ACCOUNTING',
      data_model: 'ITEMS',
      enabled: false,
      frequency: 'DAILY',
      interval: 1,
      sync_from: '2026-01-01T00:00:00.000Z',
      custom_fields: ['colour'],
      scope_access: { READ: true, CREATE: true, UPDATE: true, DELETE: false },
    });
    expect((await full.put(path, {})).body.data.partner_id).toBe('p-1');
    const cleared = await full.put(path, { partner_id: null });
    expect(cleared.body.data).toMatchObject({ name: 'Acme Ltd', partner_id: null });
    expect((await full.get(path)).body.data).toEqual(cleared.body.data);
  });

  test('takes names of parts and statements for their record types, whose own settings win', async () => {
    const path = `/v3/core/companies/${(await acme.company('parts')).companyId}`;
    const setting = (data_model: string, enabled: boolean) => ({
      category: 'ACCOUNTING',
      data_model,
      enabled,
    });
    const { status, body } = await full.put(path, {
      sync_config: [
        setting('INVOICES', true),
        setting('line_items', false),
        setting('BALANCE_SHEET', false),
        setting('ACCOUNTS', true),
      ],
    });
    expect(status).toBe(200);
    const enabled = Object.fromEntries(
      body.data.connections[0].sync_config.map((one: { data_model: string; enabled: boolean }) => [
        one.data_model,
        one.enabled,
      ]),
    );
    expect(enabled).toMatchObject({
      INVOICES: true,
      BILLS: false,
      SALES_ORDERS: false,
      ACCOUNTS: true,
      JOURNAL_ENTRIES: false,
      CONTACTS: true,
    });
    const withholding = (data_model: string, scope_access: object) => ({
      category: 'ACCOUNTING',
      data_model,
      scope_access,
    });
    const withheld = await full.put(path, {
      sync_config: [
        withholding('LINE_ITEMS', { CREATE: false }),
        withholding('BALANCE_SHEET', { CREATE: false }),
        withholding('JOURNAL_LINES', { CREATE: true }),
        withholding('items', { UPDATE: false }),
      ],
    });
    const access = new Map<string, Record<string, boolean>>(
      withheld.body.data.connections[0].sync_config.map((one: any) => [one.data_model, one.scope_access]),
    );
    expect(access.get('INVOICES')).toMatchObject({ CREATE: true });
    expect(access.get('JOURNAL_ENTRIES')).toMatchObject({ CREATE: true });
    expect(access.get('ITEMS')).toMatchObject({ CREATE: true, UPDATE: false });
    const warning = decodeURIComponent(withheld.headers.get('x-svc-warning') ?? '');
    expect(warning).toContain([0, 1, 2].map((index) => `sync_config[${index}].scope_access`).join(', '));
    const wrong = await full.put(path, {
      sync_config: [setting('LINE_ITEMS', true), { ...setting('ITEMS', true), interval: 0 }],
    });
    expect(wrong.body.error.field).toBe('sync_config[1].interval');
  });

  test('makes one setting of several names of a record type, unless they contradict each other', async () => {
    const path = `/v3/core/companies/${(await acme.company('names')).companyId}`;
    const setting = (data_model: string, values: object) => ({
      category: 'ACCOUNTING',
      data_model,
      ...values,
    });
    const put = (...sync_config: object[]) => full.put(path, { sync_config });
    const change = [
      setting('BALANCE_SHEET', { enabled: false }),
      setting('JOURNAL_LINES', { interval: 3 }),
      setting('journal_lines', { enabled: false }),
    ];
    const first = (await put(...change)).body.data;
    const journals = first.connections[0].sync_config.find(
      (one: any) => one.data_model === 'JOURNAL_ENTRIES',
    );
    expect(journals).toMatchObject({ enabled: false, interval: 3 });
    expect((await put(...change)).body.data.svc_updated_at).toBe(first.svc_updated_at);

    const { status, body } = await put(
      setting('BALANCE_SHEET', { enabled: false }),
      setting('JOURNAL_LINES', { enabled: true }),
    );
    expect([status, body.error]).toEqual([
      400,
      {
        code: 'invalid-params',
        message: expect.stringMatching(/BALANCE_SHEET.*JOURNAL_LINES.*JOURNAL_ENTRIES/),
        field: 'sync_config[1].enabled',
      },
    ]);
    const twice = await put(setting('ITEMS', { interval: 2 }), setting('items', { interval: 3 }));
    expect([twice.status, twice.body.error.field]).toEqual([400, 'sync_config[1].interval']);
    const wrong = setting('JOURNAL_LINES', { interval: 0 });
    for (const [others, place] of [
      [[setting('journal_lines', { enabled: false })], 1],
      [[setting('BALANCE_SHEET', { enabled: false }), setting('ITEMS', {})], 2],
    ] as const) {
      const refused = await put(...others, wrong);
      expect([refused.status, refused.body.error.field]).toEqual([400, `sync_config[${place}].interval`]);
    }
    const overridden = await put(setting('BALANCE_SHEET', { interval: 0 }), setting('ACCOUNTS', {}));
    expect([overridden.status, overridden.body.error.field]).toEqual([400, 'sync_config[0].interval']);
    expect((await full.get(path)).body.data).toEqual(first);
  });

  test('keeps what a setting does not name, and resets to the default what is null', async () => {
    const path = `/v3/core/companies/${(await acme.company('in part')).companyId}`;
    const key = { category: 'ACCOUNTING', data_model: 'INVOICES' };
    const put = async (change: object) => {
      const { body } = await full.put(path, { sync_config: [{ ...key, ...change }] });
      const settings: { data_model: string }[] = body.data.connections[0].sync_config;
      return settings.find((one) => one.data_model === key.data_model);
    };
    const own = {
      enabled: false,
      frequency: 'WEEKLY',
      interval: 3,
      sync_from: '2026-01-01T00:00:00.000Z',
      custom_fields: ['a'],
    };
    const usual = { enabled: true, frequency: 'DAILY', interval: 1, sync_from: null, custom_fields: [] };
    expect(await put(own)).toMatchObject(own);
    expect(await put({})).toMatchObject(own);
    expect(await put({ interval: 4 })).toMatchObject({ ...own, interval: 4 });
    const reset = { enabled: null, sync_from: null, custom_fields: null };
    expect(await put(reset)).toMatchObject({ ...usual, frequency: 'WEEKLY', interval: 4 });
    expect(await put({ frequency: null, interval: null })).toMatchObject(usual);
  });

  test('names unknown fields of settings in a header', async () => {
    const path = `/v3/core/companies/${(await acme.company('unknown fields')).companyId}`;
    const key = { category: 'ACCOUNTING', data_model: 'ITEMS' };
    const sync_config = [key, { ...key, data_model: 'BILLS', colour: 1, scope_access: { WRITE: true } }];
    const { status, headers } = await full.put(path, { other: 1, sync_config });
    const warning = decodeURIComponent(headers.get('x-svc-warning') ?? '').split(', ');
    expect(status).toBe(200);
    expect(warning).toEqual(expect.arrayContaining(['ignored: other', 'sync_config[1].colour']));
    expect(warning).toContain('sync_config[1].scope_access.WRITE');
  });

  test('that changes nothing leaves svc_updated_at alone', async () => {
    const path = `/v3/core/companies/${(await acme.company('the same')).companyId}`;
    const settings = { category: 'ACCOUNTING', data_model: 'ITEMS', custom_fields: ['a'], interval: 2 };
    const change = { name: 'Acme Same', partner_id: 'p-2', sync_config: [settings] };
    const first = (await full.put(path, change)).body.data;
    expect((await full.put(path, change)).body.data.svc_updated_at).toBe(first.svc_updated_at);
    expect((await full.put(path, {})).body.data.svc_updated_at).toBe(first.svc_updated_at);
    for (const other of [{ name: 'Acme' }, { sync_config: [{ ...settings, interval: 3 }] }]) {
      const before = (await full.get(path)).body.data.svc_updated_at;
      expect((await full.put(path, other)).body.data.svc_updated_at > before).toBe(true);
    }
  });

  test.each<[string, object, string]>([
    ['an empty name', { name: '' }, 'name'],
    ['a long name', { name: 'x'.repeat(201) }, 'name'],
    ['NUL', { name: '\0' }, 'name'],
    ['half a surrogate pair', { partner_id: '\ud800' }, 'partner_id'],
    ['a name that is none', { name: ['a'] }, 'name'],
    ['a long partner id', { partner_id: 'x'.repeat(201) }, 'partner_id'],
    ['wrong settings', { sync_config: [{ category: 'X', data_model: 'ITEMS' }] }, 'sync_config[0].category'],
    [
      'a first date to come',
      { sync_config: [{ category: 'ACCOUNTING', data_model: 'ITEMS', sync_from: '2199-01-01' }] },
      'sync_config[0].sync_from',
    ],
    ['access that is none', access('x'), 'sync_config[0].scope_access'],
    ['access that is no boolean', access({ READ: 1 }), 'sync_config[0].scope_access.READ'],
  ])('refuses %s', async (_what, change, field) => {
    const { status, body } = await full.put(`/v3/core/companies/${acme.companyId}`, change);
    expect({ status, code: body.error.code, field: body.error.field }).toEqual({
      status: 400,
      code: 'invalid-params',
      field,
    });
  });

  test('and DELETE are for the own organisation, companies and scope', async () => {
    const second = await acme.company('other one');
    const limited = await createCaller(app, acme.organisationId, { companyIds: [second.companyId] });
    for (const [caller, id] of [
      [stranger, acme.companyId],
      [limited, acme.companyId],
      [full, 9007199254740],
      [full, 'x'],
    ] as const) {
      for (const refused of [
        await caller.put(`/v3/core/companies/${id}`, { name: 'Stolen' }),
        await caller.remove(`/v3/core/companies/${id}`),
      ]) {
        expect({ status: refused.status, error: refused.body.error }).toEqual({
          status: 404,
          error: { code: 'not-found', field: 'id', message: 'there is no such company' },
        });
      }
    }
    const path = `/v3/core/companies/${acme.companyId}`;
    expect((await reader.put(path, { name: 'x' })).status).toBe(403);
    expect((await reader.remove(path)).status).toBe(403);
    expect((await full.get(path)).body.data.name).toBe('companies company');
    const own = `/v3/core/companies/${second.companyId}`;
    expect((await limited.put(own, { name: 'Own' })).body.data.name).toBe('Own');
    expect((await limited.remove(own)).body).toEqual({ status: 'success' });
    expect((await full.get(own)).status).toBe(404);
  });
});

const DELETE = `mutation ($id: SvcId!) { deleteCompany(input: { svcId: $id }) {
  deletedCompanyId userErrors { code field }
  removed { name records lines changes syncs unmapped connections { integrationType accountName wasPlatformTold } } } }`;

describe('deleting a company', () => {
  /** Deletes a company, and does something when that waits for a table. */
  const whileLocked = async (table: string, { companyId }: Tenant, work: () => Promise<unknown>) => {
    const locking = await admin.pool.connect();
    try {
      await locking.query('BEGIN');
      await locking.query(`LOCK TABLE ${table} IN SHARE MODE`);
      const deleting = full.graphql(DELETE, { id: companyId });
      await untilBlocked();
      await work();
      await locking.query('COMMIT');
      const answer = await deleting;
      expect(answer.body.data.deleteCompany).toMatchObject({ userErrors: [] });
      return answer;
    } finally {
      locking.release(true);
    }
  };

  test('leaves no row of it in any table, and all of the others', async () => {
    const doomed = await acme.company('doomed');
    const spared = await acme.company('spared');
    await fillCompany(app, doomed);
    await fillCompany(app, spared);
    const before = await rowsOf(doomed.companyId);
    expect(Object.entries(before).filter(([, count]) => count === 0)).toEqual([]);
    const untouched = await rowsOf(spared.companyId);

    const { body } = await full.graphql(DELETE, { id: doomed.companyId });
    expect(body.data.deleteCompany).toEqual({
      deletedCompanyId: doomed.companyId,
      userErrors: [],
      removed: {
        name: 'doomed',
        records: records.reduce((sum, { table }) => sum + (before[table] ?? 0), 0),
        lines: lineTypes.reduce((sum, { table }) => sum + (before[table] ?? 0), 0),
        changes: before['record_changes'],
        syncs: 1,
        unmapped: 1,
        connections: [
          { integrationType: 'SVC_SANDBOX', accountName: null, wasPlatformTold: false },
          {
            integrationType: 'XERO',
            accountName: `Books of account of ${doomed.companyId}`,
            wasPlatformTold: true,
          },
        ],
      },
    });
    expect(ended).toEqual([`/connections/of account of ${doomed.companyId}`]);
    const after = await rowsOf(doomed.companyId);
    expect(Object.entries(after).filter(([, count]) => count > 0)).toEqual([]);
    expect(await rowsOf(spared.companyId)).toEqual(untouched);
    const id = doomed.companyId;
    expect((await full.get(`/v3/core/companies/${id}`)).status).toBe(404);
    const again = await full.graphql(DELETE, { id });
    expect(again.body.data.deleteCompany).toEqual({
      deletedCompanyId: null,
      removed: null,
      userErrors: [{ code: 'NOT_FOUND', field: ['svcId'] }],
    });
  });

  test('is complete where there is more than a batch', async () => {
    const big = await acme.company('big');
    await big.store('Account', [{ platformId: 'first', values: {} }]);
    await admin.pool.query(
      `INSERT INTO unmapped_records (svc_organisation_id, svc_company_id, connection_id, data_model, data_hash, raw_data, message, sync_svc_id)
       SELECT $1, $2, $3, 'ACCOUNTS', 'hash ' || n, '{}', 'odd', 1 FROM generate_series(1, 12000) n`,
      [big.organisationId, big.companyId, big.connectionId],
    );
    await admin.pool.query(
      `INSERT INTO record_changes (svc_organisation_id, position, svc_company_id, connection_id, data_model, svc_id, operation, revision, cause, changed_at)
       SELECT $1, 1000000 + n, $2, $3, 'ACCOUNTS', n, 'UPDATE', 1, 'sync', now() - n * interval '5 minutes'
       FROM generate_series(1, 12000) n`,
      [big.organisationId, big.companyId, big.connectionId],
    );
    const { body } = await full.graphql(DELETE, { id: big.companyId });
    expect(body.data.deleteCompany.removed).toMatchObject({ unmapped: 12_000, changes: 12_001, records: 1 });
    expect(Object.values(await rowsOf(big.companyId)).every((count) => count === 0)).toBe(true);
  });

  test('ends what is connected while it goes on', async () => {
    const doomed = await acme.company('connected late');
    await doomed.store('Account', [{ platformId: 'one', values: {} }]);
    await whileLocked('accounts', doomed, () => connectXero(app, doomed, 'late'));
    expect(ended).toEqual(['/connections/of late']);
  });

  test('lists an account once that is connected again while it goes on', async () => {
    const doomed = await acme.company('connected again');
    await connectXero(app, doomed, 'again');
    const deleting = await whileLocked('accounts', doomed, () => connectXero(app, doomed, 'again'));
    expect(ended).toEqual(['/connections/of again', '/connections/of again']);
    const again = { integrationType: 'XERO', accountName: 'Books of again', wasPlatformTold: true };
    expect(deleting.body.data.deleteCompany.removed.connections.slice(1)).toEqual([again]);
  });

  test('leaves neither a file that arrives as it ends nor what was sent of it', async () => {
    const doomed = await acme.company('with files');
    const svcOrganisationId = BigInt(acme.organisationId);
    const companyId = BigInt(doomed.companyId);
    const id = `of ${doomed.companyId}`;
    const hook = { name: id, type: 'DATA_MODEL_CHANGES', url: 'https://hooks.example.com/', headers: '' };
    await admin.prisma.webhook.create({ data: { id, svcOrganisationId, ...hook, enabled: false } });
    const of = { svcOrganisationId, webhookId: id };
    const at = new Date();
    const sent = { ...of, type: hook.type, state: 'DELIVERED', attempts: 1, durationMs: 1 };
    const times = { firstAttemptAt: at, lastAttemptAt: at };
    await admin.prisma.webhookDelivery.createMany({
      data: [
        { ...sent, ...times, eventId: 'one', companyId, responseText: 'thanks' },
        { ...sent, ...times, eventId: 'two' },
      ],
    });
    const held = { ...of, key: companyId, position: 1n, attempts: 1, dueAt: at };
    await admin.prisma.webhookHold.create({ data: { ...held, companyId } });
    const store = await openLocalStore(testFileDir());
    const file = createFileKey(acme.organisationId, doomed.companyId);
    await whileLocked('audit_events', doomed, () => store.put(file, Readable.from([Buffer.from('late')])));
    expect(await store.has(file)).toBe(false);
    const deliveries = await admin.prisma.webhookDelivery.findMany({ where: of });
    expect(deliveries.map(({ eventId }) => eventId)).toEqual(['two']);
    expect(await admin.prisma.webhookHold.count({ where: of })).toBe(0);
  });

  test.each([
    ['refuses', 400],
    ['is broken', 503],
    ['does not answer', null],
  ])('does not depend on a platform that %s', async (_what, given) => {
    answer = given;
    const doomed = await acme.company('away');
    await connectXero(app, doomed, 'away');
    const { body } = await full.graphql(DELETE, { id: doomed.companyId });
    expect(body.data.deleteCompany.removed.connections[1].wasPlatformTold).toBe(false);
    expect(Object.values(await rowsOf(doomed.companyId)).every((count) => count === 0)).toBe(true);
  });

  test('lets nobody who was at it store anything afterwards', async () => {
    const doomed = await acme.company('raced');
    const batch = (platformId: string) =>
      storeRecords(app.database.sql(acme.scope), {
        definition: definitionOf('Account'),
        svcCompanyId: doomed.companyId,
        connectionId: doomed.connectionId,
        integrationType: 'SVC_SANDBOX',
        cause: { kind: 'sync', id: null },
        records: [
          {
            platformId,
            values: {},
            raw: { text: '{}', altered: false },
            dataHash: platformId,
            mapperVersion: 1,
          },
        ],
      });
    let stop = false;
    let batches = 0;
    const storing = Promise.all(
      [1, 2].map(async (writer) => {
        for (; !stop && batches < 10_000; batches += 1) await batch(`${writer}-${batches}`);
      }),
    ).catch((error: Error) => error.message);
    await until('batches of both', () => batches > 10);
    const { status } = await full.remove(`/v3/core/companies/${doomed.companyId}`);
    stop = true;
    expect({ status, stored: await storing }).toEqual({ status: 200, stored: 'there is no such connection' });
    expect(Object.values(await rowsOf(doomed.companyId)).every((count) => count === 0)).toBe(true);
  });

  test.each<[string, (companyId: number, linkId: string) => Promise<Answer>]>([
    [
      'a write',
      (company_id) =>
        full.post('/v3/accounting/contacts', {
          company_id,
          data: [{ name: 'Nora', contact_type: 'CUSTOMER' }],
        }),
    ],
    [
      'a change of its link',
      (_company, linkId) =>
        full.put(`/v3/core/invite_links/${linkId}`, {
          ...BOOKS,
          sync_config: [{ category: 'ACCOUNTING', data_model: 'ITEMS', enabled: false }],
        }),
    ],
    ['a link', (company_id) => full.post('/v3/core/invite_links', { company_id, ...BOOKS })],
    ['a new name', (companyId) => full.put(`/v3/core/companies/${companyId}`, { name: 'renamed' })],
  ])('makes %s that is asked for meanwhile a 404', async (_what, ask) => {
    const { companyId } = await acme.company('asked meanwhile');
    const link = (await full.post('/v3/core/invite_links', { company_id: companyId, ...BOOKS })).body.data;
    const answer = await withClient(databaseUrl, async (client: pg.Client) => {
      await client.query('BEGIN');
      await client.query('DELETE FROM invite_links WHERE svc_company_id = $1', [companyId]);
      await client.query('DELETE FROM activities WHERE svc_company_id = $1', [companyId]);
      await client.query('DELETE FROM connections WHERE svc_company_id = $1', [companyId]);
      await client.query('DELETE FROM companies WHERE svc_id = $1', [companyId]);
      const asked = ask(companyId, link.invite_link_id);
      await untilBlocked();
      await client.query('COMMIT');
      return asked;
    });
    expect(answer).toMatchObject({ status: 404, body: { error: { code: 'not-found' } } });
  });

  test('twice at once is one deletion', async () => {
    const doomed = await acme.company('twice');
    await fillCompany(app, doomed);
    const path = `/v3/core/companies/${doomed.companyId}`;
    const answers = await Promise.all([full.remove(path), full.remove(path)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404]);
  });
});

const DISCONNECT = `mutation ($id: SvcId!) { disconnectConnection(input: { connectionId: $id }) {
  wasPlatformTold connection { svcId status syncStatus syncResumeAt } userErrors { code field message } } }`;

describe('disconnectConnection', () => {
  test('ends the access and the syncs of a connection, and nothing else', async () => {
    const company = await acme.company('to disconnect');
    const { connectionId, syncId } = await fillCompany(app, company);
    const before = await rowsOf(company.companyId);
    const { body } = await full.graphql(DISCONNECT, { id: connectionId });
    expect(body.data.disconnectConnection).toEqual({
      wasPlatformTold: true,
      connection: { svcId: connectionId, status: 'DISCONNECTED', syncStatus: 'IDLE', syncResumeAt: null },
      userErrors: [],
    });
    expect(ended).toEqual([`/connections/of account of ${company.companyId}`]);
    expect(await rowsOf(company.companyId)).toEqual({
      ...before,
      connection_credentials: 0,
      // Of its sync.
      sync_seen: 0,
      activities: (before['activities'] ?? 0) + 1,
      // The end of its sync, and its own.
      service_events: (before['service_events'] ?? 0) + 2,
    });
    const { data } = (await full.get(`/v3/core/companies/${company.companyId}`)).body;
    expect(data).toMatchObject({
      status: 'DISCONNECTED',
      activity_log: [{ activity_type: 'CONNECTION_DISCONNECTED' }, {}],
    });
    const sync = await full.graphql(
      `{ sync(syncId: "${syncId}") { state error { code } jobs { nodes { state error { code } } } } }`,
    );
    expect(sync.body.data.sync).toEqual({
      state: 'FAILED',
      error: { code: 'CONNECTION_EXPIRED' },
      jobs: { nodes: [{ state: 'FAILED', error: { code: 'CONNECTION_EXPIRED' } }] },
    });

    const again = await full.graphql(DISCONNECT, { id: connectionId });
    expect(again.body.data.disconnectConnection).toMatchObject({ wasPlatformTold: false, userErrors: [] });
    expect((await rowsOf(company.companyId))['activities']).toBe((before['activities'] ?? 0) + 1);
  });

  test('is for the own organisation, companies and scope', async () => {
    const connectionId = await connectXero(app, acme, 'mine');
    const second = await acme.company('limited to');
    const limited = await createCaller(app, acme.organisationId, { companyIds: [second.companyId] });
    const nothing = {
      wasPlatformTold: false,
      connection: null,
      userErrors: [{ code: 'NOT_FOUND', field: ['connectionId'], message: 'there is no such connection' }],
    };
    for (const caller of [stranger, limited]) {
      const { body } = await caller.graphql(DISCONNECT, { id: connectionId });
      expect(body.data.disconnectConnection).toEqual(nothing);
    }
    expect((await full.graphql(DISCONNECT, { id: 4 })).body.data.disconnectConnection).toEqual(nothing);
    const refused = await reader.graphql(DISCONNECT, { id: connectionId });
    expect(refused.body.errors[0].extensions.code).toBe('forbidden');
    const own = await limited.graphql(DISCONNECT, { id: second.connectionId });
    expect(own.body.data.disconnectConnection.connection.status).toBe('DISCONNECTED');
  });
});

describe('a connection', () => {
  test('says what it can do, and counts only calls of windows that are running', async () => {
    const company = await acme.company('counted');
    const connectionId = await connectXero(app, company, 'counted');
    const before = (milliseconds: number) => new Date(Date.now() - milliseconds);
    await admin.prisma.connection.updateMany({
      where: { svcId: BigInt(connectionId) },
      data: {
        minuteCalls: 3,
        hourCalls: 40,
        dayCalls: 500,
        minuteResetAt: before(61_000),
        hourResetAt: before(61_000),
        dayResetAt: before(86_401_000),
        syncResumeAt: new Date('2026-12-01T00:00:00Z'),
      },
    });
    const { body } = await full.graphql(
      `query ($id: SvcId!) { company(svcId: $id) { connections { nodes {
        accountName syncResumeAt lastSyncedAt rateLimits { counters { minute hour day } }
        capabilities { dataModel pull incremental deletions push webhook } } } } }`,
      { id: company.companyId },
    );
    const connection = body.data.company.connections.nodes[1];
    expect(connection).toMatchObject({
      accountName: 'Books of counted',
      syncResumeAt: '2026-12-01T00:00:00.000Z',
      lastSyncedAt: null,
      rateLimits: { counters: { minute: 0, hour: 40, day: 0 } },
    });
    expect(connection.capabilities).toContainEqual({
      dataModel: 'INVOICES',
      pull: true,
      incremental: true,
      deletions: 'FULL_READ',
      push: true,
      webhook: true,
    });
    const kinds = body.data.company.connections.nodes[0].capabilities.map(
      (one: { deletions: string }) => one.deletions,
    );
    expect(kinds).toContain('SWEEP');
    const rest = (await full.get(`/v3/core/companies/${company.companyId}`)).body.data.connections[1];
    expect(rest).toMatchObject({
      sync_resume_at: '2026-12-01T00:00:00.000Z',
      rate_limits: { counters: { minute: 0, hour: 40, day: 0 } },
    });
    // A window that is over began anew, without a call.
    const { lastReset } = rest.rate_limits as { lastReset: Record<'minute' | 'day', string> };
    expect(Date.now() - Date.parse(lastReset.minute)).toBeLessThanOrEqual(60_000);
    expect(Date.now() - Date.parse(lastReset.day)).toBeLessThanOrEqual(86_400_000);
  });

  test('that is ended ends its syncs that are not over, whichever state they are in', async () => {
    const company = await acme.company('states');
    const connectionId = await connectXero(app, company, 'states');
    const open = await Promise.all(
      ['PENDING', 'RUNNING', 'SLEEPING', 'INTERRUPTED'].map((state) =>
        addSync(company, { connectionId, state }),
      ),
    );
    const over = await addSync(company, {
      connectionId,
      state: 'SUCCESS',
      jobs: [{ state: 'SUCCESS' }],
    });
    await full.graphql(DISCONNECT, { id: connectionId });
    const states = async (id: string) => (await full.get(`/v3/core/syncs/${id}`)).body.data.status;
    for (const { syncId } of open) expect(await states(syncId)).toBe('FAILED');
    expect(await states(over.syncId)).toBe('SUCCESS');
  });
});
