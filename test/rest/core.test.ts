import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { App } from '../../src/app.js';
import { loadManagement } from '../../src/demo/management.js';
import { SHARED_CLIENT } from '../../src/sandbox/index.js';
import { createSecretBox } from '../../src/secrets/secret-box.js';
import { createTenant, type Tenant } from '../support/seed.js';
import { type Caller, createCaller, startApp, TEST_SECRET_KEY } from '../support/service.js';
import { admin } from '../support/admin.js';

let app: App;
let acme: Tenant;
let full: Caller;
let reader: Caller;
let stranger: Caller;
const secrets = createSecretBox([Buffer.from(TEST_SECRET_KEY, 'base64')]);
const TIMES = {
  svc_id: expect.any(Number),
  svc_created_at: expect.stringMatching(/Z$/),
  svc_updated_at: expect.stringMatching(/Z$/),
};
const RATE_LIMITS = {
  counters: { concurrent: 0, day: 190, hour: 41, minute: 3 },
  lastReset: {
    day: expect.stringMatching(/Z$/),
    hour: expect.stringMatching(/Z$/),
    minute: expect.stringMatching(/Z$/),
  },
  maxLimits: { concurrent_calls: 10, per_minute: 500 },
};

const SYNC_CONFIG = expect.arrayContaining([
  {
    category: 'ACCOUNTING',
    data_model: 'ACCOUNTS',
    enabled: true,
    frequency: 'DAILY',
    interval: 1,
    sync_from: null,
    custom_fields: [],
    scope_access: { READ: true, CREATE: true, UPDATE: false, DELETE: false },
  },
]);

beforeAll(async () => {
  app = await startApp();
  acme = await createTenant(app, 'core');
  await acme.company('second');
  await loadManagement(app.database, secrets, acme.organisationId, true);
  await seedLink();
  full = await createCaller(app, acme.organisationId);
  reader = await createCaller(app, acme.organisationId, { scopes: ['read'] });
  const other = await createTenant(app, 'core other');
  stranger = await createCaller(app, other.organisationId);
});
afterAll(() => app.close());

/** A link as connecting leaves one, with calls that are counted. */
async function seedLink(): Promise<void> {
  const owner = { svcOrganisationId: BigInt(acme.organisationId), svcCompanyId: BigInt(acme.companyId) };
  const { prisma } = admin;
  const choice = { integrations: ['SVC_SANDBOX'], integrationCategories: ['ACCOUNTING'] };
  await prisma.inviteLink.create({ data: { ...owner, ...choice, inviteLinkId: randomUUID() } });
  await prisma.connection.updateMany({
    where: { svcCompanyId: owner.svcCompanyId },
    data: { minuteCalls: 3, hourCalls: 41, dayCalls: 190 },
  });
  for (const activityType of ['COMPANY_CREATED', 'INVITE_LINK_CREATED', 'CONNECTION_CREATED']) {
    await prisma.activity.create({ data: { ...owner, activityType } });
  }
}

describe('GET /integrations', () => {
  test('answers envelope A with the integrations and counters', async () => {
    const { status, body, headers } = await full.get('/integrations');
    expect(status).toBe(200);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(body).toEqual({
      data: {
        data: [
          {
            ...TIMES,
            integration_type: 'SVC_SANDBOX',
            client_id: SHARED_CLIENT.clientId,
            client_secret: SHARED_CLIENT.clientSecret,
            count: 2,
            is_disabled: false,
            is_svc_identity: true,
            hook_url: expect.stringMatching(/^http.*\/hooks\/[\w-]{20,}$/),
            metadata: {},
          },
          expect.objectContaining({ integration_type: 'XERO', count: 0, is_disabled: true }),
        ],
        disabled_integrations: 1,
        enabled_integrations: 1,
      },
      request_id: expect.any(String),
      request_timestamp: expect.any(String),
      response_timestamp: expect.any(String),
    });
  });

  test.each([
    ['ALL', 2],
    ['DISABLED', 1],
    ['ENABLED', 1],
  ])('type=%s gives %d, the counters stay', async (type, count) => {
    const { body } = await full.get(`/integrations?type=${type}`);
    expect(body.data.data).toHaveLength(count);
    expect(body.data).toMatchObject({ disabled_integrations: 1, enabled_integrations: 1 });
  });

  test('masks the secret without the scope, in a value of the same type', async () => {
    const { body } = await reader.get('/integrations');
    expect(body.data.data.map((one: { client_secret: string }) => one.client_secret)).toEqual([
      '********',
      '********',
    ]);
    const { body: graphql } = await reader.graphql(
      '{ integrations(type: ENABLED) { nodes { clientSecret } } }',
    );
    expect(graphql.data.integrations.nodes).toEqual([{ clientSecret: '********' }]);
  });

  test('refuses another type', async () => {
    const { status, body } = await full.get('/integrations?type=SOME');
    expect({ status, message: body.error.message }).toEqual({
      status: 400,
      message: 'type must be ALL, DISABLED or ENABLED, got SOME',
    });
  });

  test('shows nothing of another organisation', async () => {
    expect((await stranger.get('/integrations')).body.data).toEqual({
      data: [],
      disabled_integrations: 0,
      enabled_integrations: 0,
    });
  });
});

describe('secrets', () => {
  test('are not in the database as they are', async () => {
    const { rows } = await admin.pool.query(
      'SELECT client_secret FROM integrations UNION ALL SELECT headers FROM webhooks',
    );
    expect(rows.length).toBeGreaterThan(0);
    expect(JSON.stringify(rows)).not.toMatch(/a demo (secret|token)/);
    expect(JSON.stringify(rows)).not.toContain(SHARED_CLIENT.clientSecret);
  });
});

describe('webhooks', () => {
  const WEBHOOK = {
    id: expect.any(String),
    name: 'New accounts',
    type: 'DATA_MODEL_CHANGES',
    data_models: ['ACCOUNTS'],
    operations: ['CREATE'],
    companies: [],
    url: 'http://127.0.0.1:4010/events',
    headers: { 'x-demo-token': 'a demo token' },
    enabled: false,
    disabled_reason: null,
    org_id: expect.any(Number),
    created_at: expect.stringMatching(/Z$/),
    updated_at: expect.stringMatching(/Z$/),
  };

  test('GET /webhooks answers envelope A, GET /v3/core/webhooks {data}', async () => {
    const old = await full.get('/webhooks');
    expect(Object.keys(old.body)).toEqual(['data', 'request_id', 'request_timestamp', 'response_timestamp']);
    expect(old.body.data[0]).toEqual({ ...WEBHOOK, org_id: acme.organisationId });
    const { body } = await full.get('/v3/core/webhooks');
    expect(body).toEqual({ data: old.body.data });
  });

  test('mask header values without the scope', async () => {
    const { body } = await reader.get('/v3/core/webhooks');
    expect(body.data[0].headers).toEqual({ 'x-demo-token': '********' });
  });

  test('are shown masked to a key of some companies, which may not remove them', async () => {
    const limited = await createCaller(app, acme.organisationId, { companyIds: [acme.companyId] });
    const { status, body } = await limited.get('/v3/core/webhooks');
    expect([status, body.data[0].headers]).toEqual([200, { 'x-demo-token': '********' }]);
    const refused = await limited.remove(`/v3/core/webhooks/${body.data[0].id}`);
    expect([refused.status, refused.body.error.message]).toEqual([
      403,
      'this key may not change webhooks: it is limited to some companies',
    ]);
    const integrations = await limited.get('/integrations');
    expect(integrations.status).toBe(200);
    expect(new Set(integrations.body.data.data.map((one: any) => one.client_secret))).toEqual(
      new Set(['********']),
    );
  });

  test('DELETE /v3/core/webhooks/{id} removes one, once, for its own organisation and with the scope', async () => {
    const { organisationId } = await createTenant(app, 'webhooks');
    await loadManagement(app.database, secrets, organisationId, true);
    const owner = await createCaller(app, organisationId);
    const ownReader = await createCaller(app, organisationId, { scopes: ['read'] });
    const [webhook] = (await owner.get('/webhooks')).body.data;
    const path = `/v3/core/webhooks/${webhook.id}`;
    expect((await ownReader.remove(path)).status).toBe(403);
    expect((await stranger.remove(path)).status).toBe(404);
    expect(await owner.remove(path)).toMatchObject({ status: 200, body: { status: 'success' } });
    expect((await owner.remove(path)).status).toBe(404);
    expect((await owner.get('/webhooks')).body.data).toHaveLength(1);
  });

  test('the GraphQL mutation says what was removed, or why nothing was', async () => {
    const mutation =
      'mutation ($id: String!) { deleteWebhook(input: { webhookId: $id }) { deletedWebhookId userErrors { code field message } } }';
    const { body } = await full.graphql(mutation, { id: 'nothing' });
    expect(body.data.deleteWebhook).toEqual({
      deletedWebhookId: null,
      userErrors: [{ code: 'NOT_FOUND', field: ['webhookId'], message: 'there is no such webhook' }],
    });
    const { status, body: refused } = await reader.graphql(mutation, { id: 'nothing' });
    expect({ status, code: refused.errors[0].extensions.code }).toEqual({ status: 403, code: 'forbidden' });
  });
});

describe('invite links', () => {
  test('GET /v3/core/invite_links/{id} answers the link with company, connections and counters', async () => {
    const list = await full.get('/v3/core/invite_links');
    expect(list.body.next).toBeNull();
    const [link] = list.body.data;
    const { body } = await full.get(`/v3/core/invite_links/${link.invite_link_id}`);
    expect(body).toEqual({ data: link });
    expect(link).toEqual({
      ...TIMES,
      company: { name: 'core company', ...TIMES, svc_id: acme.companyId },
      connections: [
        {
          ...TIMES,
          category: 'ACCOUNTING',
          integration_type: 'SVC_SANDBOX',
          status: 'HEALTHY',
          sync_status: 'IDLE',
          rate_limits: RATE_LIMITS,
          sync_config: SYNC_CONFIG,
        },
      ],
      integration_categories: ['ACCOUNTING'],
      integrations: ['SVC_SANDBOX'],
      invite_link_id: expect.any(String),
      invite_link: `${app.url}/link/${link.invite_link_id}`,
      expires_at: null,
    });
    expect((await stranger.get(`/v3/core/invite_links/${link.invite_link_id}`)).status).toBe(404);
    expect((await full.get('/v3/core/invite_links/nothing')).status).toBe(404);
  });

  test('GET /v3/core/invite_links pages by a number', async () => {
    const { organisationId, companyId } = await createTenant(app, 'links');
    const owner = { svcOrganisationId: BigInt(organisationId), svcCompanyId: BigInt(companyId) };
    await admin.prisma.inviteLink.createMany({
      data: ['one', 'two', 'three'].map((inviteLinkId) => ({
        ...owner,
        inviteLinkId: `${inviteLinkId} ${organisationId}`,
        integrations: [],
        integrationCategories: [],
      })),
    });
    const caller = await createCaller(app, organisationId);
    const first = await caller.get('/v3/core/invite_links?limit=2');
    expect(typeof first.body.next).toBe('number');
    const second = await caller.get(`/v3/core/invite_links?limit=2&next=${first.body.next}`);
    expect(second.body.next).toBeNull();
    const ids = [...first.body.data, ...second.body.data].map((link) => link.invite_link_id);
    expect(new Set(ids).size).toBe(3);
    expect((await caller.get('/v3/core/invite_links?next=rubbish')).body.error.field).toBe('next');
  });
});

describe('companies', () => {
  test('GET /v3/core/companies/{id} answers the company with connections, link and activity log', async () => {
    const { body } = await full.get(`/v3/core/companies/${acme.companyId}`);
    expect(body.data).toEqual({
      ...TIMES,
      svc_id: acme.companyId,
      name: 'core company',
      partner_id: null,
      status: 'HEALTHY',
      connections: [
        {
          ...TIMES,
          category: 'ACCOUNTING',
          integration_type: 'SVC_SANDBOX',
          connection_status: 'HEALTHY',
          sync_status: 'IDLE',
          last_synced: null,
          sync_resume_at: null,
          rate_limits: RATE_LIMITS,
          sync_config: SYNC_CONFIG,
        },
      ],
      invite_link: expect.objectContaining({ invite_link_id: expect.any(String) }),
      activity_log: ['CONNECTION_CREATED', 'INVITE_LINK_CREATED', 'COMPANY_CREATED'].map((activity_type) => ({
        ...TIMES,
        activity_type,
      })),
    });
    for (const id of ['1', 'abc', '99999999999999999999'])
      expect((await full.get(`/v3/core/companies/${id}`)).status).toBe(404);
    expect((await stranger.get(`/v3/core/companies/${acme.companyId}`)).status).toBe(404);
  });

  test('GET /v3/core/companies lists, pages and filters by connections', async () => {
    const books = await createTenant(app, 'books');
    await books.company('second');
    await books.company('shop', 'ECOMMERCE');
    const caller = await createCaller(app, books.organisationId);
    const names = async (query: string) =>
      (await caller.get(`/v3/core/companies?${query}`)).body.data.map((one: { name: string }) => one.name);
    expect(await names('')).toEqual(['books company', 'second', 'shop']);
    expect(await names('categories=ECOMMERCE')).toEqual(['shop']);
    expect(
      await names('categories=ECOMMERCE,ACCOUNTING&status=HEALTHY&integrations=SVC_SANDBOX'),
    ).toHaveLength(3);
    expect(await names('status=EXPIRED')).toEqual([]);
    expect(await names('integrations=XERO')).toEqual([]);
    expect(await names('integrations=XENO')).toEqual([]);
    expect(await names('categories=CRM')).toEqual([]);
    expect(await names('categories=CRM,ECOMMERCE')).toEqual(['shop']);
    expect(await names('status=DELETED')).toEqual([]);
    await admin.prisma.company.create({
      data: { svcOrganisationId: BigInt(books.organisationId), name: 'unconnected' },
    });
    expect(await names('status=PENDING')).toEqual(['unconnected']);
    expect(await names('status=PENDING&categories=ECOMMERCE')).toEqual([]);
    await admin.prisma.company.deleteMany({ where: { name: 'unconnected' } });
    expect((await caller.get('/v3/core/companies?status=WELL')).body.error.field).toBe('status');
    expect((await caller.get('/v3/core/companies?categories=accounting,nope')).body.error).toEqual({
      code: 'invalid-params',
      field: 'categories',
      message: 'categories must be of ACCOUNTING, PAYMENTS, ECOMMERCE, CRM, CUSTOM, got NOPE',
    });
    const first = await caller.get('/v3/core/companies?limit=2');
    const second = await caller.get(`/v3/core/companies?limit=2&next=${first.body.next}`);
    expect(second.body).toMatchObject({ data: [{ name: 'shop' }], next: null });
    const { body } = await caller.graphql('{ companies { nodes { name status } } }');
    expect(body.data.companies.nodes[0]).toEqual({ name: 'books company', status: 'HEALTHY' });
  });
});

describe('a list of the core', () => {
  test.each([
    ['/v3/core/companies?status[eq]=HEALTHY', 'status[eq]'],
    ['/v3/core/companies?svc_company_id=1', 'svc_company_id'],
    ['/v3/core/companies?name=[object Object]', 'name'],
    ['/v3/core/syncs?company_id=1', 'company_id'],
    ['/v3/core/syncs?status=FAILED', 'status'],
    ['/v3/core/syncs?svc_company_id[in]=1', 'svc_company_id[in]'],
    ['/v3/core/invite_links?company_id=1', 'company_id'],
    ['/v3/core/webhooks?type=DATA_MODEL_CHANGES', 'type'],
    ['/webhooks?data_model=ACCOUNTS', 'data_model'],
    ['/sync?svc_company_id=1', 'svc_company_id'],
    ['/invite_link?company_id=1', 'company_id'],
    ['/integrations?integration_type=XERO', 'integration_type'],
  ])('does not answer everything to a filter it has not: %s', async (path, field) => {
    const { status, body } = await full.get(path);
    expect({ status, error: body.error }).toEqual({
      status: 400,
      error: {
        code: 'invalid-params',
        field,
        message: expect.stringContaining('is not a parameter of this path'),
      },
    });
  });

  test.each([
    ['/v3/core/changes', 'data_models[]'],
    ['/v3/core/companies', 'expand[0]'],
    ['/v3/core/syncs', 'limit[]'],
  ])('of %s says how a parameter is written that comes as %s', async (path, field) => {
    const { status, body } = await full.get(`${path}?${field}=ACCOUNTS`);
    const name = field.replace(/\[.*/, '');
    expect({ status, error: body.error }).toEqual({
      status: 400,
      error: {
        code: 'invalid-params',
        field,
        message: `${field} takes no brackets: write ${name}=value; a list has commas between its values`,
      },
    });
  });

  test.each([
    ['/v3/core/companies', 'connections,activity_log', 'connections, invite_link, activity_log'],
    ['/v3/core/invite_links', 'connections', 'connections, company'],
  ])('%s refuses what it cannot expand', async (path, included, all) => {
    expect((await full.get(`${path}?expand=${included}`)).status).toBe(200);
    const { status, body } = await full.get(`${path}?expand=bogus`);
    expect([status, body.error]).toEqual([
      400,
      { code: 'invalid-params', field: 'expand', message: `expand takes ${all}; got bogus` },
    ]);
  });

  test.each([
    '/v3/core/companies',
    '/v3/core/syncs',
    '/v3/core/invite_links',
    '/webhooks',
    '/sync',
    '/integrations',
  ])('%s says which other parameters it ignores', async (path) => {
    const { status, headers } = await full.get(`${path}?colour=blue`);
    expect({ status, warning: headers.get('x-svc-warning') }).toEqual({
      status: 200,
      warning: 'ignored: colour',
    });
  });
});
