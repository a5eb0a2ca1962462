import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type pg from 'pg';
import type { App } from '../../src/app.js';
import { createTenant, type Tenant } from '../support/seed.js';
import { type Caller, createCaller, startApp } from '../support/service.js';
import { admin } from '../support/admin.js';
import { databaseUrl } from '../support/database.js';
import { withClient } from '../support/nodes.js';
import { untilBlocked } from '../support/until-blocked.js';

let app: App;
let acme: Tenant;
let other: Tenant;
let full: Caller;
let reader: Caller;
let limited: Caller;
let stranger: Caller;

beforeAll(async () => {
  app = await startApp();
  acme = await createTenant(app, 'links');
  other = await createTenant(app, 'links other');
  const second = await acme.company('second');
  full = await createCaller(app, acme.organisationId);
  reader = await createCaller(app, acme.organisationId, { scopes: ['read'] });
  limited = await createCaller(app, acme.organisationId, { companyIds: [second.companyId] });
  stranger = await createCaller(app, other.organisationId);
});
afterAll(() => app.close());

const BOOKS = { integration_categories: ['ACCOUNTING'], integrations: ['XERO'] };
const make = async (caller: Caller, body: object = {}) =>
  caller.post('/v3/core/invite_links', { company_name: 'Made', ...BOOKS, ...body });

describe('POST /v3/core/invite_links', () => {
  test('makes a company and its link, with null for the connections that it has not', async () => {
    const { status, body } = await make(full, { company_name: '  Bloom & Co ' });
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        data: {
          svc_id: expect.any(Number),
          svc_created_at: expect.stringMatching(/Z$/),
          svc_updated_at: expect.stringMatching(/Z$/),
          company: expect.objectContaining({ name: 'Bloom & Co' }),
          connections: null,
          integration_categories: ['ACCOUNTING'],
          integrations: ['XERO'],
          invite_link_id: expect.stringMatching(/^[0-9a-f]{32}$/),
          invite_link: `${app.url}/link/${body.data.invite_link_id}`,
          expires_at: expect.stringMatching(/Z$/),
        },
      },
    });
    const days = (Date.parse(body.data.expires_at) - Date.now()) / 86_400_000;
    // From the database's clock, which may be a little ahead of this one.
    expect(days).toBeCloseTo(30, 1);
    const company = await full.get(`/v3/core/companies/${body.data.company.svc_id}`);
    expect(company.body.data).toMatchObject({
      name: 'Bloom & Co',
      status: 'PENDING',
      connections: [],
      invite_link: { invite_link_id: body.data.invite_link_id },
      activity_log: [{ activity_type: 'INVITE_LINK_CREATED' }, { activity_type: 'COMPANY_CREATED' }],
    });
    const { data } = (await full.get(`/v3/core/invite_links/${body.data.invite_link_id}`)).body;
    expect(data).toEqual(body.data);
  });

  test('gives every link an id of its own', async () => {
    const made = await Promise.all(Array.from({ length: 5 }, () => make(full)));
    expect(new Set(made.map(({ body }) => body.data.invite_link_id)).size).toBe(5);
  });

  test('makes a link for a company that there is, settings and all', async () => {
    const { status, body } = await full.post('/v3/core/invite_links', {
      ...BOOKS,
      company_id: acme.companyId,
      expires_at: '2099-01-01T00:00:00Z',
      sync_config: [
        { category: 'ACCOUNTING', data_model: 'INVOICES', enabled: false, frequency: 'WEEKLY', interval: 2 },
      ],
    });
    expect(status).toBe(200);
    expect(body.data).toMatchObject({
      company: { svc_id: acme.companyId },
      connections: [{ integration_type: 'SVC_SANDBOX' }],
      expires_at: '2099-01-01T00:00:00.000Z',
    });
    const settings = body.data.connections[0].sync_config;
    expect(settings.find((one: { data_model: string }) => one.data_model === 'INVOICES')).toMatchObject({
      enabled: false,
      frequency: 'WEEKLY',
      interval: 2,
    });
    expect(settings.find((one: { data_model: string }) => one.data_model === 'ACCOUNTS')).toMatchObject({
      enabled: true,
      frequency: 'DAILY',
    });
  });

  test('says what it did not understand', async () => {
    const { status, headers } = await make(full, { colour: 'red' });
    expect({ status, warning: headers.get('x-svc-warning') }).toEqual({
      status: 200,
      warning: 'ignored: colour',
    });
  });

  test('says that a repetition makes another one, whatever its idempotency key', async () => {
    const link = { company_name: 'Twice', integration_categories: ['ACCOUNTING'] };
    const send = () => full.post('/v3/core/invite_links', link, { 'idempotency-key': 'once' });
    const [first, second] = [await send(), await send()];
    expect(first.body.data.company.svc_id).not.toBe(second.body.data.company.svc_id);
    expect(second.headers.get('x-svc-warning')).toBe('ignored: Idempotency-Key');
  });

  test.each<[string, object, string, string]>([
    ['no categories', { integration_categories: undefined }, 'missing-params', 'integration_categories'],
    ['empty categories', { integration_categories: [] }, 'invalid-params', 'integration_categories'],
    [
      'an unknown category',
      { integration_categories: ['BOOKS'] },
      'invalid-params',
      'integration_categories[0]',
    ],
    ['an unknown platform', { integrations: ['XERO', 'XENO'] }, 'invalid-params', 'integrations[1]'],
    [
      'a platform of another kind',
      { integration_categories: ['PAYMENTS'] },
      'invalid-params',
      'integrations[0]',
    ],
    ['no company', { company_name: undefined }, 'missing-params', 'company_name'],
    ['an empty name', { company_name: ' ' }, 'invalid-params', 'company_name'],
    ['a long name', { company_name: 'x'.repeat(201) }, 'invalid-params', 'company_name'],
    ['NUL in the name', { company_name: 'a\0b' }, 'invalid-params', 'company_name'],
    ['a name that is none', { company_name: 5 }, 'invalid-params', 'company_name'],
    ['names and ids together', { company_id: 1 }, 'invalid-params', 'company_name'],
    ['platforms that are no list', { integrations: 'XERO' }, 'invalid-params', 'integrations'],
    ['a platform that is no text', { integrations: [1] }, 'invalid-params', 'integrations[0]'],
    ['NUL in a category', { integration_categories: ['\0'] }, 'invalid-params', 'integration_categories[0]'],
    ['a time that has passed', { expires_at: '2020-01-01' }, 'invalid-params', 'expires_at'],
    ['a time that is none', { expires_at: 'soon' }, 'invalid-params', 'expires_at'],
    ['settings that are no list', { sync_config: {} }, 'invalid-params', 'sync_config'],
    ['a setting that is none', { sync_config: [1] }, 'invalid-params', 'sync_config[0]'],
    [
      'a setting without a type',
      { sync_config: [{ category: 'ACCOUNTING' }] },
      'missing-params',
      'sync_config[0].data_model',
    ],
    [
      'a setting of an unknown type',
      { sync_config: [{ category: 'ACCOUNTING', data_model: 'CATS' }] },
      'invalid-params',
      'sync_config[0].data_model',
    ],
    [
      'a setting of an unknown kind',
      { sync_config: [{ category: 'CRM', data_model: 'ACCOUNTS' }] },
      'invalid-params',
      'sync_config[0].category',
    ],
    [
      'a wrong frequency',
      { sync_config: [{ category: 'ACCOUNTING', data_model: 'ACCOUNTS', frequency: 'OFTEN' }] },
      'invalid-params',
      'sync_config[0].frequency',
    ],
    [
      'a wrong interval',
      { sync_config: [{ category: 'ACCOUNTING', data_model: 'ACCOUNTS', interval: 0 }] },
      'invalid-params',
      'sync_config[0].interval',
    ],
    [
      'an interval that is no number',
      { sync_config: [{ category: 'ACCOUNTING', data_model: 'ACCOUNTS', interval: 'a' }] },
      'invalid-params',
      'sync_config[0].interval',
    ],
    [
      'NUL in a custom field',
      { sync_config: [{ category: 'ACCOUNTING', data_model: 'ACCOUNTS', custom_fields: ['\0'] }] },
      'invalid-params',
      'sync_config[0].custom_fields[0]',
    ],
  ])('refuses %s', async (_what, change, code, field) => {
    const before = await admin.prisma.company.count();
    const { status, body } = await make(full, change);
    expect({ status, error: body.error }).toEqual({
      status: 400,
      error: { code, field, message: expect.any(String) },
    });
    expect(body.error.message).not.toMatch(/syncConfig|companyName|dataModel/);
    expect(await admin.prisma.company.count()).toBe(before);
  });

  test('refuses a body that is no object', async () => {
    for (const body of ['[]', '"x"', '5', '']) {
      const answer = await full.post('/v3/core/invite_links', body);
      expect({ body, status: answer.status, field: answer.body.error.field }).toEqual({
        body,
        status: 400,
        field: 'body',
      });
    }
  });

  test('needs the scope write, and a key of the whole organisation for a new company', async () => {
    expect((await make(reader)).body.error.code).toBe('forbidden');
    const refused = await make(limited);
    expect({ status: refused.status, code: refused.body.error.code }).toEqual({
      status: 403,
      code: 'forbidden',
    });
  });

  test('answers another company as one that is not there', async () => {
    for (const [caller, company_id] of [
      [full, other.companyId],
      [full, 9007199254740000],
      [limited, acme.companyId],
    ] as const) {
      const { status, body } = await caller.post('/v3/core/invite_links', { ...BOOKS, company_id });
      expect({ status, error: body.error }).toEqual({
        status: 404,
        error: { code: 'not-found', field: 'company_id', message: 'there is no such company' },
      });
    }
  });
});

describe('PUT and DELETE /v3/core/invite_links/{id}', () => {
  let id: string;

  beforeEach(async () => {
    id = (await make(full, { company_name: 'Before' })).body.data.invite_link_id;
  });

  test('changes what is sent and keeps the rest', async () => {
    const before = (await full.get(`/v3/core/invite_links/${id}`)).body.data;
    const { status, body } = await full.put(`/v3/core/invite_links/${id}`, {
      company_name: 'After',
      integration_categories: ['ACCOUNTING', 'ACCOUNTING'],
    });
    expect(status).toBe(200);
    expect(body.data).toEqual({
      ...before,
      company: expect.objectContaining({ name: 'After', svc_id: before.company.svc_id }),
      svc_updated_at: expect.any(String),
    });
    expect((await full.get(`/v3/core/invite_links/${id}`)).body.data).toEqual(body.data);
    const missing = await full.put(`/v3/core/invite_links/${id}`, {});
    expect(missing.body.error).toMatchObject({ code: 'missing-params', field: 'integration_categories' });
    const wrong = await full.put(`/v3/core/invite_links/${id}`, { integration_categories: ['PAYMENTS'] });
    expect(wrong.body.error).toEqual({
      code: 'invalid-params',
      field: 'integration_categories',
      message:
        'integration_categories leaves out ACCOUNTING, the category of XERO in integrations of the link: name integrations, too',
    });
  });

  test('are for the own organisation, companies and scope', async () => {
    const change = { company_name: 'Stolen', integration_categories: ['ACCOUNTING'] };
    for (const link of [id, 'nothing', '%00']) {
      for (const caller of link === id ? [stranger, limited] : [full]) {
        for (const answer of [
          await caller.put(`/v3/core/invite_links/${link}`, change),
          await caller.remove(`/v3/core/invite_links/${link}`),
        ]) {
          const status = link === '%00' ? 400 : 404;
          expect({ link, status: answer.status, field: answer.body.error.field }).toEqual({
            link,
            status,
            field: 'id',
          });
        }
      }
    }
    expect((await reader.put(`/v3/core/invite_links/${id}`, change)).status).toBe(403);
    expect((await reader.remove(`/v3/core/invite_links/${id}`)).status).toBe(403);
    expect((await full.get(`/v3/core/invite_links/${id}`)).body.data.company.name).toBe('Before');
  });

  test('a link that another request removes meanwhile is there no more', async () => {
    const { status, body } = await withClient(databaseUrl, async (client: pg.Client) => {
      await client.query('BEGIN');
      await client.query('UPDATE invite_links SET revoked_at = now() WHERE invite_link_id = $1', [id]);
      const changing = full.put(`/v3/core/invite_links/${id}`, {
        integration_categories: ['ACCOUNTING'],
        integrations: [],
      });
      await untilBlocked();
      await client.query('COMMIT');
      return changing;
    });
    expect([status, body.error]).toMatchObject([404, { code: 'not-found', field: 'id' }]);
  });

  test('a link that is removed is there no more, its company is', async () => {
    const { company } = (await full.get(`/v3/core/invite_links/${id}`)).body.data;
    const removed = await full.remove(`/v3/core/invite_links/${id}`);
    expect({ status: removed.status, body: removed.body }).toEqual({
      status: 200,
      body: { status: 'success' },
    });
    expect((await full.get(`/v3/core/invite_links/${id}`)).status).toBe(404);
    expect((await full.remove(`/v3/core/invite_links/${id}`)).status).toBe(404);
    expect((await full.put(`/v3/core/invite_links/${id}`, BOOKS)).status).toBe(404);
    const listed = (await full.get('/v3/core/invite_links?limit=1000')).body.data;
    expect(listed.map((one: { invite_link_id: string }) => one.invite_link_id)).not.toContain(id);
    const kept = (await full.get(`/v3/core/companies/${company.svc_id}`)).body.data;
    expect(kept).toMatchObject({ name: 'Before', invite_link: null });
  });
});

describe('/invite_link', () => {
  test('makes, lists and shows links in envelope A', async () => {
    await make(full);
    const { status, body } = await full.post('/invite_link', {
      company_name: 'Older',
      integrations: ['XERO'],
    });
    expect(status).toBe(200);
    expect(body).toEqual({
      data: {
        invite_link: expect.stringContaining('/link/'),
        invite_link_data: expect.objectContaining({
          integrations: ['XERO'],
          integration_categories: ['ACCOUNTING'],
          connections: null,
        }),
        company_id: expect.any(Number),
      },
      request_id: expect.any(String),
      request_timestamp: expect.any(String),
      response_timestamp: expect.any(String),
    });
    const id = body.data.invite_link_data.invite_link_id;
    const one = await full.get(`/invite_link/${id}`);
    expect(one.body.data).toMatchObject({ invite_link_id: id, company: { svc_id: body.data.company_id } });
    const all = (await full.get('/invite_link?limit=1000')).body.data.data;
    expect((await full.get('/invite_link?limit=1&offset=1')).body.data.data).toEqual([all[1]]);
    expect((await full.get('/invite_link?offset=-1')).body.error.field).toBe('offset');
    expect((await stranger.get(`/invite_link/${id}`)).status).toBe(404);
    expect((await stranger.get('/invite_link')).body.data).toEqual({ data: [] });
    expect((await full.post('/invite_link', { integrations: ['XERO'] })).body.error).toMatchObject({
      code: 'missing-params',
      field: 'company_name',
    });
    expect((await reader.post('/invite_link', { company_name: 'x' })).status).toBe(403);
  });
});

test('a key that may not write sees links masked in lists, and one that may sees them', async () => {
  const { body } = await make(full, { company_name: 'Masked' });
  const { invite_link_id: id, company } = body.data;
  const query = `{ inviteLinks { inviteLinkId inviteLinkUrl } company(svcId: ${company.svc_id}) { inviteLink { inviteLinkId } } }`;
  const seenBy = async (caller: Caller) => {
    const rest = await caller.get('/v3/core/invite_links?limit=1000');
    const { data } = (await caller.graphql(query)).body;
    expect(rest.status).toBe(200);
    return JSON.stringify([rest.body, (await caller.get(`/v3/core/companies/${company.svc_id}`)).body, data]);
  };
  expect((await seenBy(full)).split(id).length).toBeGreaterThan(4);
  const masked = await seenBy(reader);
  expect(masked).not.toContain(id);
  expect(masked).toContain('"invite_link_id":"********"');
  // Whoever names it has it.
  expect((await reader.get(`/v3/core/invite_links/${id}`)).body.data.invite_link_id).toBe(id);
});
