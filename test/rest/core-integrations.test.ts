import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { App } from '../../src/app.js';
import { createTenant } from '../support/seed.js';
import { type Caller, createCaller, startApp } from '../support/service.js';
import { admin } from '../support/admin.js';

let app: App;
let full: Caller;
let writer: Caller;
let limited: Caller;
let stranger: Caller;

beforeAll(async () => {
  app = await startApp();
});
// An organisation has at most one integration for each platform.
beforeEach(async () => {
  const acme = await createTenant(app, 'apps');
  const other = await createTenant(app, 'apps other');
  full = await createCaller(app, acme.organisationId);
  writer = await createCaller(app, acme.organisationId, { scopes: ['read', 'write'] });
  limited = await createCaller(app, acme.organisationId, { companyIds: [acme.companyId] });
  stranger = await createCaller(app, other.organisationId);
});
afterAll(() => app.close());

const XERO = { integration_type: 'XERO', client_id: 'an-id', client_secret: 'a very secret one' };

describe('POST /integrations', () => {
  test.each<[string, object, string, string]>([
    ['an unknown platform', { integration_type: 'XENO' }, 'invalid-params', 'integration_type'],
    ['NUL', { integration_type: '\0' }, 'invalid-params', 'integration_type'],
    ['no platform', { integration_type: null }, 'missing-params', 'integration_type'],
    ['no client id', { client_id: undefined }, 'missing-params', 'client_id'],
    ['no secret', { client_secret: undefined }, 'missing-params', 'client_secret'],
    ['an empty secret', { client_secret: ' ' }, 'invalid-params', 'client_secret'],
    ['a secret of two lines', { client_secret: 'a\nb' }, 'invalid-params', 'client_secret'],
    ['a long client id', { client_id: 'x'.repeat(2001) }, 'invalid-params', 'client_id'],
    ['a client id that is no text', { client_id: { a: 1 } }, 'invalid-params', 'client_id'],
    ['a scope of two words', { scopes: ['read write'] }, 'invalid-params', 'scopes[0]'],
    [
      'credentials where no app is needed',
      { integration_type: 'SVC_SANDBOX_SELF_HOSTED' },
      'invalid-params',
      'client_id',
    ],
    ['a flag that is none', { is_svc_identity: 'perhaps' }, 'invalid-params', 'is_svc_identity'],
  ])('refuses %s', async (_what, change, code, field) => {
    const { status, body } = await full.post('/integrations', { ...XERO, ...change });
    expect({ status, code: body.error.code, field: body.error.field }).toEqual({ status: 400, code, field });
  });

  test('needs the scope integrations:secrets and a key of the whole organisation', async () => {
    for (const caller of [writer, limited])
      expect((await caller.post('/integrations', XERO)).body.error.code).toBe('forbidden');
    expect((await full.get('/integrations')).body.data.data).toEqual([]);
  });

  test('adds one without credentials for a platform that needs no app, and switches it off', async () => {
    const type = 'SVC_SANDBOX_SELF_HOSTED';
    const { status, body } = await stranger.post('/integrations', { integration_type: type });
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ integration_type: type, client_id: null, client_secret: null });
    const path = `/integrations/${body.data.svc_id}`;
    const given = await stranger.put(path, { is_disabled: true, client_id: 'x', client_secret: 'y' });
    expect(given.body.error).toMatchObject({ code: 'invalid-params', field: 'client_id' });
    expect((await stranger.put(path, { is_disabled: true })).body.data.is_disabled).toBe(true);
  });

  test('adds one for each platform, its secret sealed', async () => {
    const { status, body, headers } = await full.post('/integrations', XERO);
    expect({ status, cache: headers.get('cache-control') }).toEqual({ status: 200, cache: 'no-store' });
    expect(body.data).toEqual({
      svc_id: expect.any(Number),
      svc_created_at: expect.stringMatching(/Z$/),
      svc_updated_at: expect.stringMatching(/Z$/),
      ...XERO,
      count: 0,
      is_disabled: false,
      is_svc_identity: false,
      hook_url: expect.stringMatching(/^http.*\/hooks\/[\w-]{20,}$/),
      metadata: {},
    });
    const row = await admin.prisma.integration.findUniqueOrThrow({
      where: { svcId: body.data.svc_id },
    });
    expect(row.clientSecret).toMatch(/^v1:/);
    const again = await full.post('/integrations', XERO);
    expect({ status: again.status, error: again.body.error }).toEqual({
      status: 409,
      error: {
        code: 'conflict',
        field: 'integration_type',
        message: expect.stringContaining('XERO already'),
      },
    });
    // Waiting does not help.
    expect(again.headers.get('retry-after')).toBeNull();
    expect((await stranger.post('/integrations', XERO)).status).toBe(200);
  });
});

describe('GET and PUT /integrations/{id}', () => {
  let id: number;
  const change = { is_disabled: true, client_id: 'another', client_secret: 'another secret' };

  beforeEach(async () => {
    id = (await full.post('/integrations', XERO)).body.data.svc_id;
  });

  test('show one, masked without the scope', async () => {
    const { body } = await full.get(`/integrations/${id}`);
    expect(Object.keys(body)).toEqual(['data', 'request_id', 'request_timestamp', 'response_timestamp']);
    expect(body.data).toMatchObject({ svc_id: id, ...XERO });
    expect((await writer.get(`/integrations/${id}`)).body.data.client_secret).toBe('********');
  });

  test('change one', async () => {
    const before = (await full.get(`/integrations/${id}`)).body.data;
    const { status, body } = await full.put(`/integrations/${id}`, change);
    expect({ status, data: body.data }).toEqual({
      status: 200,
      data: { ...before, ...change, svc_updated_at: expect.any(String) },
    });
    expect((await full.get('/integrations')).body.data.disabled_integrations).toBe(1);
  });

  test.each(['is_disabled', 'client_id', 'client_secret'])('PUT needs %s', async (field) => {
    const { body } = await full.put(`/integrations/${id}`, { ...change, [field]: undefined });
    expect(body.error).toMatchObject({ code: 'missing-params', field });
  });

  test('are for the own organisation and scope', async () => {
    for (const [caller, which] of [
      [stranger, id],
      [full, 9007199254740],
      [full, 'x'],
    ] as const) {
      for (const answer of [
        await caller.get(`/integrations/${which}`),
        await caller.put(`/integrations/${which}`, change),
      ]) {
        expect({ status: answer.status, error: answer.body.error }).toEqual({
          status: 404,
          error: { code: 'not-found', field: 'id', message: 'there is no such integration' },
        });
      }
    }
    for (const caller of [writer, limited])
      expect((await caller.put(`/integrations/${id}`, change)).status).toBe(403);
  });

  test('by GraphQL, the scope write is enough for what is no secret', async () => {
    const query = `mutation ($input: UpdateIntegrationInput!) { updateIntegration(input: $input) {
      clientMutationId integration { isDisabled clientId } userErrors { code field } } }`;
    const input = { clientMutationId: 'mine', svcId: id, isDisabled: false };
    const { body } = await writer.graphql(query, { input });
    expect(body.data.updateIntegration).toEqual({
      clientMutationId: 'mine',
      integration: { isDisabled: false, clientId: XERO.client_id },
      userErrors: [],
    });
    const refused = await writer.graphql(query, { input: { ...input, clientSecret: 'mine now' } });
    expect(refused.body.errors[0].extensions.code).toBe('forbidden');
    const absent = await writer.graphql(query, { input: { svcId: 9007199254740, isDisabled: true } });
    expect(absent.body.data.updateIntegration).toEqual({
      clientMutationId: null,
      integration: null,
      userErrors: [{ code: 'NOT_FOUND', field: ['svcId'] }],
    });
  });
});
