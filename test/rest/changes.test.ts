import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { App } from '../../src/app.js';
import { createServiceContext } from '../../src/context.js';
import { openLocalStore } from '../../src/files/local-store.js';
import { createExecutor } from '../../src/graphql/execute.js';
import { createSchema } from '../../src/graphql/schema.js';
import { DEFAULT_LIMITS } from '../../src/limits.js';
import { createLog } from '../../src/telemetry/log.js';
import { records } from '../../src/records/index.js';
import { createChangeReader } from '../../src/rest/changes.js';
import { forgetOld } from '../../src/retention/forget.js';
import { admin } from '../support/admin.js';
import { createFollower } from '../support/follower.js';
import { testSecrets } from '../support/fill-company.js';
import { fullRecord } from '../support/full-record.js';
import { createTenant, type Tenant } from '../support/seed.js';
import { type Caller, createCaller, startApp, testDatabaseUrl, testFileDir } from '../support/service.js';
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

const LIST = '/v3/core/changes';
const account = (platformId: string, values: object = {}) => ({
  platformId,
  values: { name: platformId, ...values },
});
const listed = async (query = '') => (await caller.get(`${LIST}?${query}`)).body;
const positionsOf = (body: any): number[] => body.data.map(({ position }: { position: number }) => position);
const forget = async () =>
  forgetOld({
    database: app.database,
    ownerUrl: testDatabaseUrl(),
    files: await openLocalStore(testFileDir()),
    failed: new Set(),
    retention: { changes: 90, syncs: 0, uploads: 0, files: 0, audit: 0, deliveries: 0 },
  });

describe('GET /v3/core/changes', () => {
  test('tells what happened to a record, with the record as it is now', async () => {
    await acme.store('Account', [
      account('cash', { currentBalance: '10.50', updatedAt: '2026-05-01T08:00:00.000Z' }),
    ]);
    await acme.store('Account', [
      account('cash', { currentBalance: '12.00', updatedAt: '2026-05-02T08:00:00.500Z' }),
    ]);
    const { data, next, has_more } = await listed();
    const [record] = (await caller.get('/v3/accounting/accounts')).body.data;
    const change = {
      data_model: 'ACCOUNTS',
      svc_company_id: acme.companyId,
      svc_id: record.svc_id,
      connection_id: acme.connectionId,
      data: record,
      cause: { type: 'SYNC', id: null },
    };
    expect(data).toEqual([
      { position: 1, operation: 'CREATE', ...change, changes: null, changed_at: record.svc_created_at },
      {
        position: 2,
        operation: 'UPDATE',
        ...change,
        changes: { current_balance: [10.5, 12] },
        changed_at: record.svc_updated_at,
      },
    ]);
    expect({ next, has_more }).toEqual({ next: '2', has_more: false });
  });

  test('writes the values of changed fields as the record does, to the last digit', async () => {
    const line = (totalAmount: string, postedDate: string, ids: readonly string[]) => ({
      platformId: 'order',
      values: { totalAmount, postedDate, invoiceIds: ids },
    });
    await acme.store('SalesOrder', [line('0.10', '2026-05-01', [])]);
    await acme.store('SalesOrder', [line('12345678901234567890.10', '2026-05-02', ['a', 'b'])]);
    const { text } = await caller.get(`${LIST}?operations=UPDATE`);
    const shown = (await caller.get('/v3/accounting/sales_orders')).text;
    for (const part of ['"posted_date":', '"total_amount":']) {
      const [, now = ''] = new RegExp(`${part}([^,]+)`).exec(shown) ?? [];
      expect(text).toMatch(new RegExp(`${part}\\[[^\\]]+,${now.replaceAll('.', '\\.')}\\]`));
    }
    expect(text).toContain('12345678901234567890.10');
  });

  test('shows every record type as its own list does', async () => {
    const category = (name: string) => (name === 'ACCOUNTING' ? acme : acme.company('changes company', name));
    for (const definition of records) {
      const tenant = await category(definition.category);
      await tenant.store(definition.model, [fullRecord(definition, 'one')]);
    }
    const { data } = await listed('limit=1000');
    expect(data).toHaveLength(records.length);
    for (const { path, dataModel } of records) {
      const [record] = (await caller.get(`/v3/${path}`)).body.data;
      expect({ dataModel, data: data.find((one: any) => one.data_model === dataModel)?.data }).toEqual({
        dataModel,
        data: record,
      });
    }
  });

  test('a deleted record has no data, in all of its changes', async () => {
    await acme.store('Account', [account('gone')]);
    await acme.store('Account', [{ ...account('gone'), deleted: true }]);
    const { data } = await listed();
    expect(data.map(({ operation, data: record, changes }: any) => ({ operation, record, changes }))).toEqual(
      [
        { operation: 'CREATE', record: null, changes: null },
        { operation: 'DELETE', record: null, changes: null },
      ],
    );
  });

  test('a change of lines alone is an UPDATE without changed fields', async () => {
    const note = (description: string) => ({
      platformId: 'note',
      values: { memo: 'same' },
      lines: { lineItems: [{ platformId: '1', values: { description } }] },
    });
    await acme.store('InvoiceCreditNote', [note('a')]);
    await acme.store('InvoiceCreditNote', [note('b')]);
    expect((await listed('operations=UPDATE')).data).toMatchObject([{ changes: {} }]);
  });

  test('pages lead from one to the next, and the last one to what comes later', async () => {
    await acme.store(
      'Account',
      ['a', 'b', 'c', 'd', 'e'].map((id) => account(id)),
    );
    const first = await listed('limit=2');
    expect([positionsOf(first), first.next, first.has_more]).toEqual([[1, 2], '2', true]);
    const last = await listed(`limit=3&next=${first.next}`);
    expect([positionsOf(last), last.next, last.has_more]).toEqual([[3, 4, 5], '5', false]);
    const none = await listed(`next=${last.next}`);
    expect(none).toEqual({ data: [], next: '5', has_more: false });
    await acme.store('Account', [account('f')]);
    expect(positionsOf(await listed(`next=${none.next}`))).toEqual([6]);
  });

  test('filters by company, record type and operation, and moves on where nothing fits', async () => {
    const other = await acme.company('other');
    await acme.store('Account', [account('a')]);
    await acme.store('Item', [{ platformId: 'i', values: { name: 'I' } }]);
    await acme.store('Account', [account('a', { name: 'A' })]);
    await other.store('Account', [account('b')]);
    expect(positionsOf(await listed(`svc_company_id[eq]=${other.companyId}`))).toEqual([4]);
    expect(positionsOf(await listed('data_models=ITEMS,ACCOUNTS&operations=CREATE'))).toEqual([1, 2, 4]);
    expect(positionsOf(await listed('operations=UPDATE'))).toEqual([3]);
    expect(await listed('data_models=INVOICES')).toEqual({ data: [], next: '4', has_more: false });
  });

  test('an organisation without changes starts at 0', async () => {
    expect(await listed()).toEqual({ data: [], next: '0', has_more: false });
  });

  test.each([
    ['next=abc', 'invalid-cursor', 'next', 'next is not a valid cursor'],
    ['next=7', 'invalid-cursor', 'next', 'next is beyond the last position, 0'],
    ['limit=0', 'invalid-params', 'limit', 'limit must be between 1 and 1000, got 0'],
    [
      'data_models=WIDGETS',
      'invalid-params',
      'data_models[0]',
      expect.stringContaining('data_models[0] must be one of'),
    ],
    [
      'operations=MERGE',
      'invalid-params',
      'operations[0]',
      expect.stringContaining('CREATE, UPDATE, DELETE'),
    ],
    ['company_id=1', 'invalid-params', 'company_id', expect.stringContaining('svc_company_id[eq]')],
  ])('%s is a 400 %s', async (query, code, field, message) => {
    const { status, body } = await caller.get(`${LIST}?${query}`);
    expect({ status, error: body.error }).toEqual({ status: 400, error: { code, field, message } });
  });

  test('a key of some companies sees their changes alone, and nobody those of another organisation', async () => {
    const other = await acme.company('other');
    await acme.store('Account', [account('a')]);
    await other.store('Account', [account('b')]);
    const limited = await createCaller(app, acme.organisationId, { companyIds: [other.companyId] });
    const answer = (await limited.get(LIST)).body;
    expect([positionsOf(answer), answer.next]).toEqual([[2], '2']);
    expect((await limited.get(`${LIST}?svc_company_id[eq]=${acme.companyId}`)).body.data).toEqual([]);
    const stranger = await createCaller(app, (await createTenant(app, 'stranger')).organisationId);
    expect((await stranger.get(LIST)).body.data).toEqual([]);
    expect((await stranger.get(`${LIST}?svc_company_id[eq]=${acme.companyId}`)).body.data).toEqual([]);
  });

  test('costs one statement, and one for each record type of the page', async () => {
    await acme.store(
      'Account',
      ['a', 'b', 'c'].map((id) => account(id)),
    );
    await acme.store(
      'Currency',
      ['a', 'b', 'c'].map((id) => ({ platformId: id, values: { name: id } })),
    );
    await listed();
    const { length } = await statementsOf(app, () => listed());
    expect(length).toBe(3);
    const empty = await statementsOf(app, () => listed('next=6'));
    expect(empty).toHaveLength(1);
  });
});

describe('retention', () => {
  const age = (upTo: number) =>
    admin.pool.query(
      `UPDATE record_changes SET changed_at = now() - interval '200 days' WHERE svc_organisation_id = $1 AND position <= $2`,
      [acme.organisationId, upTo],
    );

  test('a position that it has passed is refused with the oldest one, and none starts there', async () => {
    await acme.store(
      'Account',
      ['a', 'b', 'c', 'd'].map((id) => account(id)),
    );
    await age(2);
    await forget();
    const { status, body } = await caller.get(`${LIST}?next=1`);
    expect({ status, error: body.error }).toEqual({
      status: 400,
      error: {
        code: 'position-expired',
        field: 'next',
        message:
          'next is past retention: changes after 1 were removed, the oldest position is 3; read the lists again and follow from there',
        oldest_position: 3,
      },
    });
    expect(positionsOf(await listed('next=2'))).toEqual([3, 4]);
    expect(positionsOf(await listed())).toEqual([3, 4]);
    const answer = await caller.graphql('{ changes(after: "1") { nodes { position } } }');
    expect(answer.body.errors[0].extensions).toEqual({
      code: 'position-expired',
      field: ['after'],
      oldestPosition: 3,
    });
  });

  test('a log that it has emptied expires what has not read to its end', async () => {
    await acme.store('Account', [account('a'), account('b')]);
    await age(2);
    await forget();
    expect((await caller.get(`${LIST}?next=1`)).body.error.oldest_position).toBe(3);
    expect(await listed('next=2')).toEqual({ data: [], next: '2', has_more: false });
    expect(await listed()).toEqual({ data: [], next: '2', has_more: false });
  });

  test('a month that is dropped as a whole counts as well', async () => {
    await acme.store('Account', [account('a'), account('b')]);
    await admin.pool.query(
      `CREATE TABLE record_changes_y2019m01 PARTITION OF record_changes
       FOR VALUES FROM ('2019-01-01 00:00:00+00') TO ('2019-02-01 00:00:00+00')`,
    );
    await admin.pool.query(
      `UPDATE record_changes SET changed_at = '2019-01-15' WHERE svc_organisation_id = $1 AND position = 1`,
      [acme.organisationId],
    );
    await forget();
    expect((await caller.get(`${LIST}?next=0`)).body.error.oldest_position).toBe(2);
    expect(positionsOf(await listed())).toEqual([2]);
  });

  test('what a removed company leaves out of the log expires nothing', async () => {
    const other = await acme.company('other');
    await other.store('Account', [account('a')]);
    await acme.store('Account', [account('b')]);
    await caller.remove(`/v3/core/companies/${other.companyId}`);
    expect(positionsOf(await listed('next=0'))).toEqual([2]);
  });
});

describe('read all, then follow', () => {
  test('return_position adds the header to a list, and only then', async () => {
    await acme.store('Account', [account('a'), account('b')]);
    const path = '/v3/accounting/accounts?limit=1';
    const header = async (query: string) =>
      (await caller.get(path + query)).headers.get('x-svc-change-position');
    expect([await header(''), await header('&return_position=true')]).toEqual([null, '2']);
    const all = async (body: object) =>
      (await caller.post('/accounting/accounts/all', body)).headers.get('x-svc-change-position');
    expect([await all({ take: 1 }), await all({ take: 1, return_position: true })]).toEqual([null, '2']);
  });

  test('the position costs no further connection, and is read before the page in the same write', async () => {
    await acme.store('Account', [account('a')]);
    const read = (query: string) => caller.get(`/v3/accounting/accounts?limit=1${query}`);
    for (const query of ['', '&return_position=true']) await read(query);
    expect(await statementsOf(app, () => read(''))).toHaveLength(1);
    let connections = 0;
    const count = () => (connections += 1);
    app.database.pool.on('acquire', count);
    const statements = await statementsOf(app, () => read('&return_position=true'));
    app.database.pool.off('acquire', count);
    expect(statements.map(({ text }) => /FROM (\w+)/.exec(text)?.[1])).toEqual(['change_heads', 'accounts']);
    expect(connections).toBe(1);
  });

  test('loses nothing of what is stored while the pages are read', async () => {
    const ids = Array.from({ length: 30 }, (_, index) => `account ${index}`);
    await acme.store(
      'Account',
      ids.map((id) => account(id)),
    );
    let from: string | null = null;
    const copy = new Map<string, unknown>();
    for (let path: string | null = '/v3/accounting/accounts?limit=10&return_position=true'; path;) {
      const { body, headers }: Awaited<ReturnType<Caller['get']>> = await caller.get(path);
      from ??= headers.get('x-svc-change-position');
      for (const one of body.data) copy.set(`ACCOUNTS ${one.svc_id}`, one);
      // Before, in and behind the page, and a new one.
      await acme.store(
        'Account',
        ['account 1', 'account 15', 'account 29', `new ${copy.size}`].map((id) =>
          account(id, { name: `${id} ${copy.size}` }),
        ),
      );
      await acme.store('Account', [{ ...account(`account ${copy.size / 2}`), deleted: true }]);
      path = body.next && `/v3/accounting/accounts?limit=10&return_position=true&next=${body.next}`;
    }
    const follower = createFollower(caller, { from, copy });
    await follower.catchUp();
    const now = (await caller.get('/v3/accounting/accounts?limit=1000')).body.data;
    expect(new Map([...copy].sort())).toEqual(
      new Map(now.map((one: any) => [`ACCOUNTS ${one.svc_id}`, one]).sort()),
    );
  });
});

describe('the reader for what sends changes on', () => {
  test('gives the same changes to the service itself', async () => {
    await acme.store('Account', [account('a'), account('b')]);
    await acme.store('Item', [{ platformId: 'i', values: { name: 'I' } }]);
    const readChanges = createChangeReader(createExecutor(createSchema(), { jit: true }), DEFAULT_LIMITS);
    const surroundings = {
      database: app.database,
      secrets: testSecrets,
      urls: {},
      files: undefined as never,
      outbound: undefined as never,
      readChanges: undefined as never,
      limits: DEFAULT_LIMITS,
      stopping: new AbortController().signal,
      publicUrl: () => app.url,
    };
    const context = createServiceContext(surroundings, {
      organisationId: acme.organisationId,
      requestId: 'delivery',
      log: createLog('silent'),
    });
    const page = await readChanges({ after: '1', first: 10, dataModels: ['ACCOUNTS'] }, context);
    const [{ data }] = (await listed('next=1&limit=1')).data;
    expect(page).toMatchObject({
      next: '3',
      hasMore: false,
      changes: [{ position: 2, operation: 'CREATE' }],
    });
    expect(JSON.parse(page.changes[0]?.data ?? '')).toEqual(data);
  });
});
