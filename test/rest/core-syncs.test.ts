import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { App } from '../../src/app.js';
import { addSync, connectXero } from '../support/fill-company.js';
import { createTenant, type Tenant } from '../support/seed.js';
import { type Caller, createCaller, startApp } from '../support/service.js';
import { admin } from '../support/admin.js';

let app: App;
let acme: Tenant;
let second: Tenant;
let other: Tenant;
let full: Caller;
let reader: Caller;
let limited: Caller;
let stranger: Caller;
let connectionId: number;
const ABSENT = 9007199254740000;

beforeAll(async () => {
  app = await startApp();
  acme = await createTenant(app, 'syncs');
  second = await acme.company('second');
  other = await createTenant(app, 'syncs other');
  connectionId = await connectXero(app, acme, 'books');
  full = await createCaller(app, acme.organisationId);
  reader = await createCaller(app, acme.organisationId, { scopes: ['read'] });
  limited = await createCaller(app, acme.organisationId, { companyIds: [second.companyId] });
  stranger = await createCaller(app, other.organisationId);
});
afterAll(() => app.close());

const wanted = () => ({
  company_id: acme.companyId,
  integration_type: 'XERO',
  full_sync: true,
  data_models_to_sync: ['INVOICES', 'ACCOUNTS'],
});

const SYNC = {
  svc_id: expect.any(Number),
  svc_created_at: expect.stringMatching(/Z$/),
  svc_updated_at: expect.stringMatching(/Z$/),
  integration_type: 'XERO',
  sync_type: 'MANUAL',
  config_mode: 'READ',
  sync_id: expect.stringMatching(/^[0-9A-Za-z]{15}$/),
};

describe('POST /v3/core/syncs', () => {
  test('starts a run with a job for each record type, in the order they are read', async () => {
    const { status, body, headers } = await full.post('/v3/core/syncs', wanted());
    expect({ status, connection: headers.get('x-svc-connection-id') }).toEqual({
      status: 200,
      connection: String(connectionId),
    });
    expect(body).toEqual({
      data: {
        ...SYNC,
        svc_company_id: acme.companyId,
        start_time: null,
        end_time: null,
        full_sync: true,
        sync_data_models: ['ACCOUNTS', 'INVOICES'],
        total_count: 2,
        success_count: 0,
        failed_count: 0,
        running_count: 0,
        pending_count: 2,
        status: 'CREATED',
      },
    });
    const { rows } = await admin.pool.query<{ count: number }>(
      `SELECT count(*)::int AS count FROM syncs WHERE sync_id = $1 AND state = 'PENDING'`,
      [body.data.sync_id],
    );
    expect(rows).toEqual([{ count: 1 }]);
    expect((await full.get(`/v3/core/syncs/${body.data.sync_id}`)).body).toEqual(body);
  });

  test('with no record types named, takes those that the settings enable', async () => {
    const company = await acme.company('settings');
    await connectXero(app, company, 'settings');
    const settings = ['ACCOUNTS', 'CURRENCIES'].map((data_model) => ({
      category: 'ACCOUNTING',
      data_model,
      enabled: false,
    }));
    await full.put(`/v3/core/companies/${company.companyId}`, { sync_config: settings });
    const { body } = await full.graphql(
      `mutation ($input: StartSyncInput!) { startSync(input: $input) { sync { dataModels counts { total } } } }`,
      { input: { companyId: company.companyId, integrationType: wanted().integration_type } },
    );
    const { dataModels, counts } = body.data.startSync.sync;
    expect(dataModels).toContain('INVOICES');
    expect(dataModels).not.toContain('ACCOUNTS');
    expect(counts.total).toBe(dataModels.length);
  });

  test('takes the connection that is named, or the first healthy one', async () => {
    const company = await acme.company('several');
    const expired = await connectXero(app, company, 'expired');
    const healthy = await connectXero(app, company, 'healthy');
    const later = await connectXero(app, company, 'later');
    await admin.prisma.connection.updateMany({
      where: { svcId: BigInt(expired) },
      data: { status: 'EXPIRED' },
    });
    const request = { ...wanted(), company_id: company.companyId };
    const through = async (body: object) =>
      Number((await full.post('/v3/core/syncs', body)).headers.get('x-svc-connection-id'));
    expect(await through(request)).toBe(healthy);
    expect(await through({ ...request, connection_id: later })).toBe(later);
    const refused = await full.post('/v3/core/syncs', { ...request, connection_id: expired });
    expect({ status: refused.status, error: refused.body.error }).toEqual({
      status: 409,
      error: {
        code: 'connection-expired',
        field: 'connection_id',
        message: expect.stringContaining('connect XERO again'),
      },
    });
    const foreign = await full.post('/v3/core/syncs', { ...request, connection_id: connectionId });
    expect(foreign.body.error).toMatchObject({ code: 'not-found', field: 'connection_id' });
  });

  test('of several kinds of a platform, takes the one that has the record types', async () => {
    const company = await acme.company('kinds');
    const shop = await admin.prisma.connection.create({
      data: {
        svcOrganisationId: BigInt(acme.organisationId),
        svcCompanyId: BigInt(company.companyId),
        integrationType: 'SVC_SANDBOX',
        category: 'ECOMMERCE',
        externalAccountId: 'shop',
        status: 'HEALTHY',
      },
    });
    const start = (data_models_to_sync: string[]) =>
      full.post('/v3/core/syncs', {
        ...wanted(),
        company_id: company.companyId,
        integration_type: 'SVC_SANDBOX',
        data_models_to_sync,
      });
    const through = async (models: string[]) =>
      Number((await start(models)).headers.get('x-svc-connection-id'));
    expect(await through(['INVOICES'])).toBe(company.connectionId);
    expect(await through(['ECOMMERCE_ORDERS'])).toBe(Number(shop.svcId));
    const { body } = await start(['INVOICES', 'ECOMMERCE_ORDERS']);
    expect(body.error).toMatchObject({ code: 'invalid-params', field: 'data_models_to_sync' });
    expect(body.error.message).toContain('ECOMMERCE_ORDERS');
  });

  test('reads the records that lines and statements are of, where those are named', async () => {
    const started = async (...data_models_to_sync: string[]) =>
      (await full.post('/v3/core/syncs', { ...wanted(), data_models_to_sync })).body.data.sync_data_models;
    expect(await started('BALANCE_SHEET', 'INCOME_STATEMENT', 'ACCOUNTS')).toEqual([
      'ACCOUNTS',
      'JOURNAL_ENTRIES',
    ]);
    expect(await started('LINE_ITEMS', 'PHONE_NUMBERS')).toEqual([
      'CONTACTS',
      'INVOICES',
      'BILLS',
      'INVOICE_CREDIT_NOTES',
      'BILL_CREDIT_NOTES',
      'PURCHASE_ORDERS',
    ]);
    const { status, body } = await full.post('/v3/core/syncs', {
      ...wanted(),
      data_models_to_sync: ['PAYMENT_LINE_ITEMS'],
    });
    expect([status, body.error.field]).toEqual([400, 'data_models_to_sync']);
    expect(body.error.message).toMatch(/must be record types of Xero/);
  });

  test.each<[string, object, number, string, string]>([
    ['no company', { company_id: undefined }, 400, 'missing-params', 'company_id'],
    ['no platform', { integration_type: null }, 400, 'missing-params', 'integration_type'],
    ['no full_sync', { full_sync: undefined }, 400, 'missing-params', 'full_sync'],
    ['no record types', { data_models_to_sync: undefined }, 400, 'missing-params', 'data_models_to_sync'],
    [
      'an unknown record type',
      { data_models_to_sync: ['CATS'] },
      400,
      'invalid-params',
      'data_models_to_sync',
    ],
    ['an empty list', { data_models_to_sync: [] }, 400, 'invalid-params', 'data_models_to_sync'],
    ['NUL', { data_models_to_sync: ['\0'] }, 400, 'invalid-params', 'data_models_to_sync[0]'],
    [
      'record types that are no list',
      { data_models_to_sync: 'ACCOUNTS' },
      400,
      'invalid-params',
      'data_models_to_sync',
    ],
    ['an unknown platform', { integration_type: 'XENO' }, 400, 'invalid-params', 'integration_type'],
    [
      'a platform that is not connected',
      { integration_type: 'SVC_SANDBOX', company_id: 'own' },
      404,
      'not-found',
      'integration_type',
    ],
    ['a company that is no id', { company_id: 'x' }, 400, 'invalid-params', 'company_id'],
    ['a flag that is none', { full_sync: 'perhaps' }, 400, 'invalid-params', 'full_sync'],
    ['a date with full_sync', { sync_from: '2026-01-01' }, 400, 'invalid-params', 'sync_from'],
    ['a date to come', { sync_from: '2099-01-01', full_sync: false }, 400, 'invalid-params', 'sync_from'],
    ['a date that is none', { sync_from: 'x', full_sync: false }, 400, 'invalid-params', 'sync_from'],
    ['an unknown company', { company_id: ABSENT }, 404, 'not-found', 'company_id'],
  ])('refuses %s', async (_what, change, status, code, field) => {
    let body = { ...wanted(), ...change };
    if ((body.company_id as unknown) === 'own') {
      const made = await full.post('/v3/core/invite_links', {
        company_name: 'unconnected',
        integration_categories: ['ACCOUNTING'],
      });
      body = { ...body, company_id: made.body.data.company.svc_id };
    }
    const answer = await full.post('/v3/core/syncs', body);
    expect({ status: answer.status, code: answer.body.error.code, field: answer.body.error.field }).toEqual({
      status,
      code,
      field,
    });
  });

  test('is refused where the integration is disabled', async () => {
    const integration = await admin.prisma.integration.create({
      data: { svcOrganisationId: BigInt(acme.organisationId), integrationType: 'XERO', isDisabled: true },
    });
    const { status, body } = await full.post('/v3/core/syncs', wanted());
    await admin.prisma.integration.delete({ where: { svcId: integration.svcId } });
    expect([status, body.error.code, body.error.field]).toEqual([409, 'conflict', 'integration_type']);
  });

  test('is for the own organisation, companies and scope', async () => {
    const absent = await full.post('/v3/core/syncs', { ...wanted(), company_id: ABSENT });
    for (const caller of [stranger, limited]) {
      const answer = await caller.post('/v3/core/syncs', wanted());
      expect({ status: answer.status, error: answer.body.error }).toEqual({
        status: 404,
        error: absent.body.error,
      });
    }
    expect((await reader.post('/v3/core/syncs', wanted())).status).toBe(403);
  });

  test('works with a key that is limited to the company', async () => {
    await connectXero(app, second, 'limited');
    const { status, body } = await limited.post('/v3/core/syncs', {
      ...wanted(),
      company_id: second.companyId,
      full_sync: false,
      sync_from: '2026-01-01',
    });
    expect({ status, error: body.error }).toEqual({ status: 200, error: undefined });
    expect(body.data.svc_company_id).toBe(second.companyId);
  });
});

describe('reading syncs', () => {
  let company: Tenant;
  let made: Awaited<ReturnType<typeof addSync>>[];

  beforeAll(async () => {
    company = await acme.company('read');
    const connection = await connectXero(app, company, 'read');
    const [begin, end] = [new Date('2026-05-01T10:00:00Z'), new Date('2026-05-01T10:01:00Z')];
    made = [];
    for (const state of [
      'SUCCESS',
      'PARTIAL_SUCCESS',
      'FAILED',
      'SLEEPING',
      'INTERRUPTED',
      'RUNNING',
      'PENDING',
    ]) {
      made.push(
        await addSync(company, {
          connectionId: connection,
          state,
          sync: { startedAt: begin, endedAt: end },
          jobs: [
            {
              dataModel: 'ACCOUNTS',
              state: 'SUCCESS',
              pages: 2,
              recordsRead: 150,
              created: 100,
              updated: 20,
              unchanged: 27,
              failed: 3,
              problems: ['no currency'],
              responseBytes: 5000n,
              sleptMs: 1500n,
              startedAt: begin,
              endedAt: end,
            },
            {
              dataModel: 'ITEMS',
              state: 'FAILED',
              errorCode: 'platform-refused',
              errorMessage: 'no',
              retries: 3,
            },
            { dataModel: 'BILLS', state: 'RUNNING', phase: 'SWEEP' },
            { dataModel: 'INVOICES', state: 'CREATED' },
          ],
        }),
      );
    }
  });

  test('shows the states that clients know', async () => {
    const states = await Promise.all(
      made.map(async ({ syncId }) => (await full.get(`/v3/core/syncs/${syncId}`)).body.data.status),
    );
    expect(states).toEqual(['SUCCESS', 'FAILED', 'FAILED', 'RUNNING', 'RUNNING', 'RUNNING', 'CREATED']);
  });

  test('GET /v3/core/syncs/{sync_id} counts its jobs', async () => {
    const { body } = await full.get(`/v3/core/syncs/${made[1]?.syncId}`);
    expect(body.data).toEqual({
      ...SYNC,
      svc_company_id: company.companyId,
      start_time: '2026-05-01T10:00:00.000Z',
      end_time: '2026-05-01T10:01:00.000Z',
      full_sync: true,
      sync_data_models: ['ACCOUNTS', 'ITEMS', 'BILLS', 'INVOICES'],
      total_count: 4,
      success_count: 1,
      failed_count: 1,
      running_count: 1,
      pending_count: 1,
      status: 'FAILED',
    });
  });

  test('GET /v3/core/syncs/{sync_id}/jobs and .../jobs/{job_id} show its jobs', async () => {
    const { body } = await full.get(`/v3/core/syncs/${made[1]?.syncId}/jobs`);
    expect(body.next).toBeNull();
    expect(body.data.map((job: { data_model: string }) => job.data_model)).toEqual([
      'ACCOUNTS',
      'ITEMS',
      'BILLS',
      'INVOICES',
    ]);
    expect(body.data[0]).toEqual({
      svc_id: expect.any(Number),
      svc_created_at: expect.stringMatching(/Z$/),
      svc_updated_at: expect.stringMatching(/Z$/),
      svc_company_id: company.companyId,
      job_id: made[1]?.jobIds[0],
      start_time: '2026-05-01T10:00:00.000Z',
      end_time: '2026-05-01T10:01:00.000Z',
      integration_type: 'XERO',
      status: 'SUCCESS',
      data_model: 'ACCOUNTS',
      config_mode: 'READ',
      sync_id: made[1]?.syncId,
      parent_job_id: null,
      retry_count: 0,
      priority: null,
      variables: { page: 2, skip: 150, per_page: null },
      error: null,
      config_id: null,
      job_type: 'PULL',
      response_length: 150,
      response_size: 5000,
      rate_limit_sleep_time: 1500,
    });
    expect(body.data[1]).toMatchObject({
      status: 'FAILED',
      retry_count: 3,
      error: { code: 'platform-refused', message: 'no' },
    });
    const [, failed] = body.data;
    for (const id of [failed.job_id, failed.svc_id]) {
      expect((await full.get(`/v3/core/syncs/jobs/${id}`)).body).toEqual({ data: failed });
      expect((await full.get(`/jobs/${id}`)).body).toEqual({
        data: { ...failed, error_code: 'platform-refused' },
        request_id: expect.any(String),
        request_timestamp: expect.any(String),
        response_timestamp: expect.any(String),
      });
    }
  });

  test('GET /v3/core/syncs pages both ways, latest first', async () => {
    const ids = (body: { data: { sync_id: string }[] }) => body.data.map((one) => one.sync_id);
    const path = `/v3/core/syncs?svc_company_id=${company.companyId}`;
    const latest = made.map(({ syncId }) => syncId).reverse();
    const all = (await full.get(path)).body;
    expect({ ids: ids(all), next: all.next, prev: all.prev }).toEqual({
      ids: latest,
      next: null,
      prev: null,
    });
    const first = (await full.get(`${path}&limit=3`)).body;
    expect({ ids: ids(first), prev: first.prev }).toEqual({ ids: latest.slice(0, 3), prev: null });
    expect(JSON.parse(Buffer.from(first.next, 'base64').toString())).toEqual({ id: first.data[2].svc_id });
    const next = encodeURIComponent(first.next);
    const middle = (await full.get(`${path}&limit=3&next=${next}`)).body;
    expect(ids(middle)).toEqual(latest.slice(3, 6));
    const last = (await full.get(`${path}&limit=3&next=${encodeURIComponent(middle.next)}`)).body;
    expect({ ids: ids(last), next: last.next }).toEqual({ ids: latest.slice(6), next: null });
    const back = (await full.get(`${path}&limit=3&prev=${encodeURIComponent(middle.prev)}`)).body;
    expect({ ids: ids(back), prev: back.prev }).toEqual({ ids: latest.slice(0, 3), prev: null });
    expect(ids((await full.get(`/v3/core/syncs?svc_company_id[eq]=${company.companyId}`)).body)).toEqual(
      latest,
    );
  });

  test.each([
    ['limit=0', 'limit'],
    ['limit=1001', 'limit'],
    ['next=rubbish', 'next'],
    ['prev=rubbish', 'prev'],
    ['next=eyJpZCI6IDF9&prev=eyJpZCI6IDF9', 'prev'],
    ['svc_company_id=x', 'svc_company_id'],
  ])('GET /v3/core/syncs?%s is refused', async (query, field) => {
    const { status, body } = await full.get(`/v3/core/syncs?${query}`);
    expect({ status, field: body.error.field }).toEqual({ status: 400, field });
  });

  test('GET /sync lists in envelope A, with what became of each record type', async () => {
    const { body } = await full.get(`/sync?company_id=${company.companyId}&limit=1&offset=6`);
    expect(body.data.total_count).toBe(7);
    expect(body.data.data).toEqual([
      {
        ...SYNC,
        svc_company_id: company.companyId,
        start_time: expect.any(String),
        end_time: expect.any(String),
        full_sync: true,
        sync_data_models: ['ACCOUNTS', 'ITEMS', 'BILLS', 'INVOICES'],
        total_count: 4,
        success_count: 1,
        failed_count: 1,
        running_count: 1,
        pending_count: 1,
        status: 'SUCCESS',
        connection_status: 'HEALTHY',
        sync_status: 'IDLE',
        data_models: expect.arrayContaining([
          {
            data_model: 'ACCOUNTS',
            status: 'SUCCESS',
            total_count: 150,
            created_count: 100,
            updated_count: 20,
            deleted_count: 0,
            unchanged_count: 27,
            failed_count: 3,
          },
        ]),
      },
    ]);
    expect((await full.get('/sync?job_type=PUSH')).body.data).toEqual({ data: [], total_count: 0 });
    expect((await full.get('/sync?job_type=PUT')).body.error.field).toBe('job_type');
    const started = await full.post('/sync', wanted());
    expect(started.body.data).toMatchObject({
      sync_data_models: ['ACCOUNTS', 'INVOICES'],
      status: 'CREATED',
    });
  });

  test('shows nothing of another organisation or company', async () => {
    const [one] = made;
    for (const caller of [stranger, limited]) {
      for (const path of [
        `/v3/core/syncs/${one?.syncId}`,
        `/v3/core/syncs/${one?.syncId}/jobs`,
        `/v3/core/syncs/jobs/${one?.jobIds[0]}`,
        `/jobs/${one?.jobIds[0]}`,
      ]) {
        const { status, body } = await caller.get(path);
        expect({ path, status, field: body.error.field }).toEqual({ path, status: 404, field: 'id' });
      }
      const path = `/v3/core/syncs?svc_company_id=${company.companyId}`;
      expect((await caller.get(path)).body).toEqual({ data: [], next: null, prev: null });
      expect((await caller.get(`/sync?company_id=${company.companyId}`)).body.data.total_count).toBe(0);
    }
    expect((await stranger.get('/v3/core/syncs')).body.data).toEqual([]);
    for (const path of ['/v3/core/syncs/nothing', '/v3/core/syncs/jobs/99999999999999999', '/jobs/nothing'])
      expect((await full.get(path)).status).toBe(404);
    expect((await full.get('/v3/core/syncs/%00')).status).toBe(400);
  });
});

describe('GET /v3/core/syncs/config', () => {
  test('answers the settings of a category, usual or of a company', async () => {
    const { body } = await full.get('/v3/core/syncs/config?category=ACCOUNTING');
    expect(Object.keys(body)).toEqual(['sync_config']);
    expect(body.sync_config).toContainEqual({
      category: 'ACCOUNTING',
      data_model: 'ACCOUNTS',
      enabled: true,
      frequency: 'DAILY',
      interval: 1,
      sync_from: null,
      custom_fields: [],
      scope_access: { READ: true, CREATE: true, UPDATE: false, DELETE: false },
    });
    const company = await acme.company('own settings');
    await full.put(`/v3/core/companies/${company.companyId}`, {
      sync_config: [{ category: 'ACCOUNTING', data_model: 'ACCOUNTS', enabled: false }],
    });
    const own = await full.get(
      `/v3/core/syncs/config?category=ACCOUNTING&svc_company_id=${company.companyId}`,
    );
    expect(own.body.sync_config).toContainEqual(
      expect.objectContaining({ data_model: 'ACCOUNTS', enabled: false }),
    );
    for (const id of [other.companyId, ABSENT]) {
      const { status, body: refused } = await full.get(
        `/v3/core/syncs/config?category=ACCOUNTING&svc_company_id=${id}`,
      );
      expect({ status, error: refused.error }).toEqual({
        status: 404,
        error: { code: 'not-found', field: 'svc_company_id', message: 'there is no such company' },
      });
    }
  });

  test('needs a category that there is', async () => {
    expect((await full.get('/v3/core/syncs/config')).body.error).toMatchObject({
      code: 'missing-params',
      field: 'category',
    });
    const { status, body } = await full.get('/v3/core/syncs/config?category=BOOKS');
    expect({ status, error: body.error }).toEqual({
      status: 400,
      error: {
        code: 'invalid-params',
        field: 'category',
        message: expect.stringContaining('category must be one of ACCOUNTING'),
      },
    });
  });
});
