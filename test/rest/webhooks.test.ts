import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { ServerResponse } from 'node:http';
import type pg from 'pg';
import type { App } from '../../src/app.js';
import { isDataModel } from '../../src/rest/data-models.js';
import { databaseTime } from '../../src/db/clock.js';
import { receiverOf } from '../../src/events/parts.js';
import { webhookPlace } from '../../src/events/sealed-webhook.js';
import { admin } from '../support/admin.js';
import { databaseUrl } from '../support/database.js';
import { createDelivering, type Delivering, type Receiver, startReceiver } from '../support/events.js';
import { withClient } from '../support/nodes.js';
import { testSecrets } from '../support/sandbox.js';
import { createTenant, type Tenant } from '../support/seed.js';
import { type Caller, createCaller, startApp } from '../support/service.js';
import { untilBlocked } from '../support/until-blocked.js';

const PATH = '/v3/core/webhooks';
const FULL = {
  name: 'Invoices',
  type: 'DATA_MODEL_CHANGES',
  data_models: ['INVOICES', 'INVOICE_PAYMENTS'],
  operations: ['CREATE', 'UPDATE'],
  url: 'https://hooks.example.com/events',
  headers: { authorization: 'Bearer of the subscriber' },
};

let app: App;
let acme: Tenant;
let full: Caller;
let reader: Caller;
let stranger: Caller;

beforeAll(async () => {
  app = await startApp({ ALLOW_PRIVATE_ADDRESSES: 'false' });
  acme = await createTenant(app, 'webhooks');
  full = await createCaller(app, acme.organisationId);
  reader = await createCaller(app, acme.organisationId, { scopes: ['read', 'write'] });
  stranger = await createCaller(app, (await createTenant(app, 'strangers')).organisationId);
});
afterAll(() => app.close());

const make = async (changes: object = {}) => {
  const { status, body } = await full.post(PATH, { webhook: { ...FULL, ...changes } });
  expect({ status, body }).toMatchObject({ status: 200 });
  return body;
};
const listed = async (id: string, caller = full) => {
  const { headers, body } = await caller.get(PATH);
  // Its headers may hold keys.
  expect(headers.get('cache-control')).toBe('private, no-store');
  return body.data.find((one: any) => one.id === id);
};

describe('POST /v3/core/webhooks', () => {
  test('answers the webhook itself, with its secret this once', async () => {
    const { status, body, headers } = await full.post(PATH, {
      webhook: { ...FULL, companies: [acme.companyId] },
    });
    expect([status, headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect(body).toEqual({
      ...FULL,
      id: expect.stringMatching(/^[0-9a-f]{24}$/),
      companies: [acme.companyId],
      enabled: true,
      disabled_reason: null,
      org_id: acme.organisationId,
      created_at: expect.stringMatching(/Z$/),
      updated_at: expect.stringMatching(/Z$/),
      secret: expect.stringMatching(/^whsec_/),
    });
    const { secret, ...shown } = body;
    expect(await listed(body.id)).toEqual(shown);
    const row = await admin.prisma.webhook.findUniqueOrThrow({ where: { id: body.id } });
    expect([row.headers, row.secret].join()).not.toMatch(/of the subscriber|whsec_/);
    const place = webhookPlace(body.id, acme.organisationId, 'secret');
    expect(testSecrets.open(row.secret ?? '', place)).toBe(secret);
  });

  test('takes every data model of the reference, and watches the records that parts are of', async () => {
    const ACCOUNTING =
      'ACCOUNTS BANK_ACCOUNTS BILLS BILL_PAYMENTS COMPANY_INFO CONTACTS BILL_CREDIT_NOTES INVOICE_CREDIT_NOTES DOCUMENTS ' +
      'EXPENSES INVOICES INVOICE_PAYMENTS ITEMS LINE_ITEMS TAX_RATES JOURNAL_ENTRIES BANK_TRANSACTIONS JOURNAL_LINES ' +
      'PURCHASE_ORDERS SALES_ORDERS PHONE_NUMBERS ADDRESSES EXTERNAL_LINKS CONTACT_PERSONS INCOME_STATEMENT BALANCE_SHEET ' +
      'TRACKING_CATEGORIES CASH_FLOW_STATEMENT CURRENCIES';
    const PAYMENTS =
      'CUSTOMERS INVOICES LINE_ITEMS ITEMS ORDERS TAX_RATES DISPUTES PAYMENTS REFUNDS PAYMENT_LINKS PAYOUTS ADDRESSES ' +
      'PHONE_NUMBERS EXTERNAL_LINKS TRANSACTIONS BALANCES';
    const names = [
      ...ACCOUNTING.split(' '),
      ...PAYMENTS.split(' ').map((name) => `PAYMENT_${name}`),
      ...'ORDERS CUSTOMERS PRODUCTS LINE_ITEMS'.split(' ').map((name) => `ECOMMERCE_${name}`),
    ];
    for (const name of names) expect([name, isDataModel(name)]).toEqual([name, true]);
    const all = await full.post(PATH, { webhook: { ...FULL, data_models: names } });
    expect(all.status).toBe(200);
    const parts = ['JOURNAL_LINES', 'ECOMMERCE_LINE_ITEMS', 'CASH_FLOW_STATEMENT', 'CONTACT_PERSONS'];
    const { body } = await full.post(PATH, { webhook: { ...FULL, data_models: parts } });
    expect(body.data_models.sort()).toEqual(['ACCOUNTS', 'CONTACTS', 'ECOMMERCE_ORDERS', 'JOURNAL_ENTRIES']);
  });

  test('needs a name, a type and an address, and watches everything where nothing else is said', async () => {
    const { name, type, url } = FULL;
    const webhook = await full.post(PATH, { webhook: { name, type, url } });
    expect(webhook.body).toMatchObject({ data_models: [], operations: [], companies: [], headers: {} });
    const missing = await full.post(PATH, { webhook: { name, type } });
    expect(missing.body.error).toMatchObject({ code: 'missing-params', field: 'webhook.url' });
    expect((await full.post(PATH, FULL)).body.error).toMatchObject({ field: 'webhook' });
  });

  test.each([
    [{ url: 'http://hooks.example.com/' }, 'url', /must be a public address/],
    [{ url: 'https://127.0.0.1/' }, 'url', /must be a public address/],
    [{ url: 'https://0x7f.1/' }, 'url', /must be a public address/],
    [{ url: 'https://[::1]/' }, 'url', /must be a public address/],
    [{ url: 'https://169.254.169.254/latest/meta-data' }, 'url', /must be a public address/],
    [{ url: 'https://hooks.example.com:0/' }, 'url', /must not have the port 0/],
    [{ url: 'https://hooks.example.com/events#x' }, 'url', /must not have a fragment/],
    [{ type: 'ODD' }, 'type', /must be one of DATA_MODEL_CHANGES, CONNECTION_CHANGED, SYNC_COMPLETED, WRITE/],
    [{ operations: ['CREATE', 'MERGE'] }, 'operations[1]', /must be one of CREATE, UPDATE, DELETE/],
    [{ data_models: ['ODD'] }, 'data_models[0]', /must be one of/],
    [{ name: ' ' }, 'name', /one line of 1 to 200/],
    [{ enabled: 7 }, 'enabled', /true or false/],
    [{ headers: { 'Webhook-Id': 'mine' } }, 'headers', /cannot set Webhook-Id/],
    [{ headers: { host: 'other.example.com' } }, 'headers', /cannot set host/],
    [{ headers: { 'content-length': '1' } }, 'headers', /cannot set content-length/],
    [{ headers: { 'transfer-encoding': 'chunked' } }, 'headers', /cannot set/],
    [{ headers: { 'a b': '1' } }, 'headers', /letters, digits and hyphens/],
    [{ headers: { a: 'x\r\nhost: y' } }, 'headers', /ASCII/],
    [{ headers: { a: 1 } }, 'headers', /as text/],
    [{ headers: { a: 'x'.repeat(2001) } }, 'headers', /at most 2000/],
    [
      { headers: Object.fromEntries(Array.from({ length: 21 }, (_, n) => [`h${n}`, 'x'])) },
      'headers',
      /at most 20 headers, got 21/,
    ],
  ])('refuses %j as a 400 that names the field', async (changes, field, message) => {
    const { status, body } = await full.post(PATH, { webhook: { ...FULL, ...changes } });
    expect([status, body.error.code]).toEqual([400, 'invalid-params']);
    expect(body.error.field).toBe(`webhook.${field}`);
    expect(body.error.message).toMatch(message);
  });

  test("answers another organisation's company as one that is not there", async () => {
    const other = await createTenant(app, 'other');
    const { status, body } = await full.post(PATH, {
      webhook: { ...FULL, companies: [acme.companyId, other.companyId] },
    });
    expect([status, body.error.code, body.error.field]).toEqual([404, 'not-found', 'webhook.companies[1]']);
  });

  test('needs the scope, and a key of the whole organisation', async () => {
    expect((await reader.post(PATH, { webhook: FULL })).status).toBe(403);
    const limited = await createCaller(app, acme.organisationId, { companyIds: [acme.companyId] });
    expect((await limited.post(PATH, { webhook: FULL })).status).toBe(403);
  });
});

describe('GET /v3/core/webhooks/{id}', () => {
  test('answers {data} as the list has it, header values masked for keys that may not manage webhooks', async () => {
    const { secret: _secret, ...made } = await make({ headers: { one: 'first' } });
    const one = async (caller: Caller) => (await caller.get(`${PATH}/${made.id}`)).body;
    expect(await one(full)).toEqual({ data: made });
    expect(await one(reader)).toEqual({ data: await listed(made.id, reader) });
    const { status, body } = await full.get(`${PATH}/none`);
    expect([status, body.error.code, body.error.message]).toEqual([
      404,
      'not-found',
      'there is no such webhook',
    ]);
  });

  test('has none of other organisations', async () => {
    const { id } = await make();
    expect((await stranger.get(`${PATH}/${id}`)).status).toBe(404);
  });
});

describe('PUT /v3/core/webhooks/{id}', () => {
  test('changes what it is given and answers {data} without a secret', async () => {
    const { secret, ...made } = await make();
    expect(secret).toBeDefined();
    const { status, body } = await full.put(`${PATH}/${made.id}`, { enabled: false, operations: [] });
    expect(status).toBe(200);
    expect(body).toEqual({
      data: { ...made, enabled: false, operations: [], updated_at: expect.any(String) },
    });
    expect(await listed(made.id)).toEqual(body.data);
  });

  test('accepts the settings in webhook too, as POST does, but not in both places', async () => {
    const { id } = await make();
    const put = (body: object) => full.put(`${PATH}/${id}`, body);
    const changed = await put({ webhook: { name: 'Wrapped', enabled: false, colour: 'red' }, size: 1 });
    expect(changed.body.data).toMatchObject({ name: 'Wrapped', enabled: false });
    expect(changed.headers.get('x-svc-warning')).toBe('ignored: size, webhook.colour');
    const wrong = await put({ webhook: { name: 'Odd', url: 'odd' } });
    expect([wrong.status, wrong.body.error.field]).toEqual([400, 'webhook.url']);
    const list = await put({ webhook: ['name'] });
    expect([list.status, list.body.error.field]).toEqual([400, 'webhook']);
    const mixed = await put({ webhook: { name: 'Mixed' }, enabled: true });
    expect([mixed.status, mixed.body.error]).toEqual([
      400,
      {
        code: 'invalid-params',
        field: 'enabled',
        message: 'enabled must be in webhook: this body has settings in both places',
      },
    ]);
    expect(await listed(id)).toMatchObject({ name: 'Wrapped', enabled: false });
  });

  test('keeps the value of a header that is sent as it was masked', async () => {
    const { id } = await make({ headers: { one: 'first', two: 'second' } });
    const masked = await listed(id, reader);
    expect(masked.headers).toEqual({ one: '********', two: '********' });
    const headers = { one: '********', three: 'third' };
    expect((await full.put(`${PATH}/${id}`, { headers })).body.data.headers).toEqual({
      one: 'first',
      three: 'third',
    });
  });

  test('refuses what POST refuses, and changes nothing then', async () => {
    const { id, secret: _, ...made } = await make();
    for (const url of ['https://10.0.0.1/', 'https://hooks.example.com:0/', 'https://hooks.example.com/#x']) {
      const refused = await full.put(`${PATH}/${id}`, { name: 'Other', url });
      expect([refused.status, refused.body.error.field]).toEqual([400, 'url']);
    }
    expect(await listed(id)).toMatchObject(made);
    expect((await reader.put(`${PATH}/${id}`, { name: 'x' })).status).toBe(403);
    expect((await stranger.put(`${PATH}/${id}`, { name: 'x' })).status).toBe(404);
    expect((await full.put(`${PATH}/nothing`, { name: 'x' })).status).toBe(404);
  });

  describe('while another request', () => {
    /** What a change answers when the webhook is changed by that statement between its reading and its writing. */
    const meanwhile = (id: string, change: object, statement: string) =>
      withClient(databaseUrl, async (client: pg.Client) => {
        await client.query('BEGIN');
        await client.query(statement, [id]);
        const changing = full.put(`${PATH}/${id}`, change);
        await untilBlocked();
        await client.query('COMMIT');
        return changing;
      });

    test('deletes it, answers that there is none', async () => {
      const { id } = await make();
      const { status, body } = await meanwhile(id, { name: 'x' }, 'DELETE FROM webhooks WHERE id = $1');
      expect([status, body.error]).toMatchObject([404, { code: 'not-found', field: 'id' }]);
    });

    test('switches it off, gives no reason for one that is on', async () => {
      const { id } = await make();
      const off = `UPDATE webhooks SET enabled = false, disabled_reason = 'GONE' WHERE id = $1`;
      const { body } = await meanwhile(id, { enabled: true }, off);
      expect(body.data).toMatchObject({ enabled: true, disabled_reason: null });
    });
  });

  test('switches a webhook without a secret on only after it was given one', async () => {
    const { id } = await make();
    await admin.prisma.webhook.update({ where: { id }, data: { secret: null, enabled: false } });
    const refused = await full.put(`${PATH}/${id}`, { enabled: true });
    expect([refused.status, refused.body.error.field]).toEqual([400, 'enabled']);
    expect((await full.post(`${PATH}/${id}/rotate_secret`, {})).status).toBe(200);
    expect((await full.put(`${PATH}/${id}`, { enabled: true })).body.data.enabled).toBe(true);
  });
});

describe('POST /v3/core/webhooks/{id}/rotate_secret', () => {
  test('gives another secret and keeps the one before for a day', async () => {
    const { id, secret } = await make();
    const before = Date.now();
    const { status, body, headers } = await full.post(`${PATH}/${id}/rotate_secret`, {});
    expect([status, headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect(body.data).toMatchObject({ id, secret: expect.stringMatching(/^whsec_/) });
    expect(body.data.secret).not.toBe(secret);
    const row = await admin.prisma.webhook.findUniqueOrThrow({ where: { id } });
    const open = (sealed: string | null, column: 'secret' | 'old_secret') =>
      testSecrets.open(sealed ?? '', webhookPlace(id, acme.organisationId, column));
    expect(open(row.secret, 'secret')).toBe(body.data.secret);
    expect(open(row.oldSecret, 'old_secret')).toBe(secret);
    const kept = (row.oldSecretUntil?.getTime() ?? 0) - before;
    expect(kept).toBeGreaterThanOrEqual(24 * 3_600_000);
    expect(kept).toBeLessThan(24 * 3_600_000 + 600_000);
    expect(await listed(id)).not.toHaveProperty('secret');
  });

  test('keeps every one of that day, as its caller may not have heard of the latest', async () => {
    const { id, secret } = await make();
    const given = [secret];
    const old = async () => {
      const { body } = await full.post(`${PATH}/${id}/rotate_secret`, {});
      const row = await admin.prisma.webhook.findUniqueOrThrow({ where: { id } });
      const { secrets } = receiverOf(
        { secrets: testSecrets, now: databaseTime },
        { id, organisationId: acme.organisationId },
        row,
      );
      given.unshift(body.data.secret);
      return secrets;
    };
    expect(await old()).toEqual(given);
    expect(await old()).toEqual(given);
    for (const _more of [1, 2, 3, 4]) await old();
    expect(await old()).toEqual(given.slice(0, 6));
    await admin.prisma.webhook.update({ where: { id }, data: { oldSecretUntil: new Date(0) } });
    expect(await old()).toEqual(given.slice(0, 2));
  });

  test("is refused without the scope, and for another organisation's webhook", async () => {
    const { id } = await make();
    expect((await reader.post(`${PATH}/${id}/rotate_secret`, {})).status).toBe(403);
    expect((await stranger.post(`${PATH}/${id}/rotate_secret`, {})).status).toBe(404);
  });
});

test('GraphQL makes, changes and gives secrets with one payload each', async () => {
  const payload =
    '{ webhook { webhookId name enabled companyIds } secret userErrors { code field message } }';
  const created = await full.graphql(
    `mutation ($input: CreateWebhookInput!) { createWebhook(input: $input) ${payload} }`,
    { input: { name: 'By GraphQL', type: 'WRITE_COMPLETED', url: 'https://hooks.example.com/' } },
  );
  const { webhook, secret, userErrors } = created.body.data.createWebhook;
  expect(webhook).toEqual({
    webhookId: expect.any(String),
    name: 'By GraphQL',
    enabled: true,
    companyIds: [],
  });
  expect([secret.slice(0, 6), userErrors]).toEqual(['whsec_', []]);
  const refused = await full.graphql(
    'mutation ($input: UpdateWebhookInput!) { updateWebhook(input: $input) { webhook { name } userErrors { code field message } } }',
    { input: { webhookId: webhook.webhookId, url: 'https://localhost/' } },
  );
  expect(refused.body.data.updateWebhook).toEqual({
    webhook: null,
    userErrors: [
      {
        code: 'INVALID_PARAMS',
        field: ['url'],
        message: expect.stringContaining('must be a public address'),
      },
    ],
  });
  const rotated = await full.graphql(
    `mutation ($input: RotateWebhookSecretInput!) { rotateWebhookSecret(input: $input) ${payload} }`,
    { input: { webhookId: webhook.webhookId } },
  );
  expect(rotated.body.data.rotateWebhookSecret.secret).not.toBe(secret);
});

describe('deliveries', () => {
  let receiver: Receiver;
  let local: App;
  let caller: Caller;
  let tenant: Tenant;
  let delivering: Delivering;

  beforeAll(async () => {
    local = await startApp({ ALLOW_PRIVATE_ADDRESSES: 'true' });
    receiver = await startReceiver();
    tenant = await createTenant(local, 'delivered');
    caller = await createCaller(local, tenant.organisationId);
    delivering = createDelivering(local, { clock: { now: () => new Date(), forward: () => undefined } });
  });
  afterAll(async () => {
    await delivering.close();
    await receiver.close();
    await local.close();
  });

  /** The one webhook that is told. */
  const makeLocal = async () => {
    await admin.prisma.webhook.updateMany({ data: { enabled: false } });
    const { body } = await caller.post(PATH, { webhook: { ...FULL, data_models: [], url: receiver.url } });
    return body as { id: string; secret: string };
  };
  const store = (...names: string[]) =>
    tenant.store(
      'Account',
      names.map((name) => ({ platformId: name, values: { name } })),
    );

  test('are listed latest first, page by page, with the beginning of each answer', async () => {
    const { id } = await makeLocal();
    receiver.answer((_got, response) => void response.writeHead(200).end('thanks'.repeat(1000)));
    await store('one', 'two', 'three');
    await delivering.settle();
    const { status, body } = await caller.get(`${PATH}/${id}/deliveries`);
    expect(status).toBe(200);
    expect(body.data).toHaveLength(3);
    expect(body.data[0]).toEqual({
      id: expect.stringMatching(/^chg_\d+_\d$/),
      webhook_id: id,
      company_id: tenant.companyId,
      type: 'CREATE',
      data_model: 'ACCOUNTS',
      status: 'DELIVERED',
      attempts: 1,
      response_status: 200,
      response_text: 'thanks'.repeat(1000).slice(0, 1024),
      error: null,
      duration_ms: expect.any(Number),
      first_attempt_at: expect.stringMatching(/Z$/),
      last_attempt_at: expect.stringMatching(/Z$/),
    });
    const first = (await caller.get(`${PATH}/${id}/deliveries?limit=2`)).body;
    const second = (await caller.get(`${PATH}/${id}/deliveries?limit=2&next=${first.next}`)).body;
    expect([...first.data, ...second.data]).toEqual(body.data);
    expect(second.next).toBeNull();
    const { body: graphql } = await caller.graphql(
      `{ webhook(id: "${id}") { deliveries(first: 2) { totalCount nodes { id eventId state } } } }`,
    );
    const { totalCount, nodes } = graphql.data.webhook.deliveries;
    expect([totalCount, nodes[0].eventId]).toEqual([3, body.data[0].id]);
    const { body: again } = await caller.graphql(
      `{ node(id: "${nodes[0].id}") { ... on WebhookDelivery { eventId webhookId } } }`,
    );
    expect(again.data.node).toEqual({ eventId: body.data[0].id, webhookId: id });
  });

  test('are shown to managers of the organisation only', async () => {
    const { id } = await makeLocal();
    const reading = await createCaller(local, tenant.organisationId, { scopes: ['read'] });
    const elsewhere = await createCaller(local, (await createTenant(local, 'x')).organisationId);
    for (const path of ['test', 'redeliver', 'deliveries/chg_1_1/redeliver']) {
      expect((await reading.post(`${PATH}/${id}/${path}`, { since: '2026-01-01' })).status).toBe(403);
      expect((await elsewhere.post(`${PATH}/${id}/${path}`, { since: '2026-01-01' })).status).toBe(404);
    }
    expect((await reading.get(`${PATH}/${id}/deliveries`)).status).toBe(403);
    expect((await elsewhere.get(`${PATH}/${id}/deliveries`)).status).toBe(404);
    expect((await caller.get(`${PATH}/${id}/deliveries?type=CREATE`)).status).toBe(400);
  });

  test('a test is sent at once, signed, and is listed', async () => {
    const { id, secret } = await makeLocal();
    receiver.verifyWith(secret);
    receiver.answer(() => 204);
    const { status, body } = await caller.post(`${PATH}/${id}/test`, {});
    expect([status, body.data]).toMatchObject([
      200,
      { type: 'TEST', status: 'DELIVERED', response_status: 204, company_id: null },
    ]);
    expect(receiver.taken.at(-1)?.body).toMatchObject({
      type: 'TEST',
      event_id: body.data.id,
      webhook_id: id,
    });
    receiver.answer((_got, response) => void response.writeHead(503).end('busy'));
    expect((await caller.post(`${PATH}/${id}/test`, {})).body.data).toMatchObject({
      status: 'FAILED',
      response_status: 503,
      response_text: 'busy',
      error: 'the receiver answered 503',
    });
    receiver.verifyWith();
  });

  test('one event is sent again under its id, also one that nothing was tried with', async () => {
    await store('before the webhook');
    const { id } = await makeLocal();
    receiver.answer(() => 204);
    const head = Number((await admin.prisma.webhook.findUniqueOrThrow({ where: { id } })).position);
    const event = `chg_${tenant.organisationId}_${head}`;
    const path = `${PATH}/${id}/deliveries/${event}/redeliver`;
    expect((await caller.post(path, {})).body.data).toMatchObject({
      id: event,
      status: 'DELIVERED',
      attempts: 1,
    });
    expect((await caller.post(path, {})).body.data).toMatchObject({ id: event, attempts: 2 });
    expect(receiver.taken.slice(-2).map((one) => [one.id, one.body.data.name])).toEqual([
      [event, 'before the webhook'],
      [event, 'before the webhook'],
    ]);
    for (const wrong of ['odd', `chg_${tenant.organisationId}_999999`, `chg_1_${head}`, 'evt_1_1']) {
      const refused = await caller.post(`${PATH}/${id}/deliveries/${wrong}/redeliver`, {});
      expect([wrong, refused.status, refused.body.error?.field]).toEqual([wrong, 404, 'event_id']);
    }
  });

  test('an event whose company is deleted while it is sent again leaves nothing', async () => {
    const { id } = await makeLocal();
    const doomed = await tenant.company('doomed');
    await doomed.store('Account', [{ platformId: 'gone', values: { name: 'gone' } }]);
    const { position } = await admin.prisma.changeHead.findUniqueOrThrow({
      where: { svcOrganisationId: BigInt(tenant.organisationId) },
    });
    receiver.answer((_got, response) => {
      const deleting = caller.remove(`/v3/core/companies/${doomed.companyId}`);
      void deleting.then(() => response.writeHead(204).end());
    });
    const event = `chg_${tenant.organisationId}_${position}`;
    const { status, body } = await caller.post(`${PATH}/${id}/deliveries/${event}/redeliver`, {});
    expect([status, body.error?.code, body.error?.field]).toEqual([404, 'not-found', 'event_id']);
    expect((await caller.get(`${PATH}/${id}/deliveries`)).body.data).toEqual([]);
    await caller.put(`${PATH}/${id}`, { enabled: false });
  });

  test('an event that another receiver got meanwhile is still pending for the present one', async () => {
    const { id } = await makeLocal();
    await store('moved');
    const { position } = await admin.prisma.changeHead.findUniqueOrThrow({
      where: { svcOrganisationId: BigInt(tenant.organisationId) },
    });
    const event = `chg_${tenant.organisationId}_${position}`;
    const inFlight = new Promise<ServerResponse>((resolve) => {
      receiver.answer((_got, response) => resolve(response));
    });
    const asked = caller.post(`${PATH}/${id}/deliveries/${event}/redeliver`, {});
    const response = await inFlight;
    const present = await startReceiver();
    try {
      expect((await caller.put(`${PATH}/${id}`, { url: present.url })).status).toBe(200);
      response.writeHead(204).end();
      const { status, body, headers } = await asked;
      expect([status, body.error?.code]).toEqual([409, 'conflict']);
      expect(headers.get('retry-after')).toBe('1');
      expect((await caller.get(`${PATH}/${id}/deliveries`)).body.data).toEqual([]);
      await delivering.settle();
      expect(present.taken.map((one) => one.id)).toEqual([event]);
    } finally {
      await caller.put(`${PATH}/${id}`, { enabled: false });
      await present.close();
    }
  });

  test('all of a time is sent again behind what is new, under the same ids', async () => {
    const since = new Date();
    const { id } = await makeLocal();
    receiver.answer(() => 204);
    await store('r1', 'r2');
    await delivering.settle();
    const until = new Date();
    await store('r3');
    await delivering.settle();
    const sent = receiver.taken.slice(-3).map((one) => one.id);
    receiver.taken.length = 0;
    const asked = await caller.post(`${PATH}/${id}/redeliver`, { since, until });
    expect([asked.status, asked.body.data.id]).toEqual([200, id]);
    await store('r4');
    await delivering.settle();
    const ids = receiver.taken.map((one) => one.id);
    expect(ids.slice(1)).toEqual(sent.slice(0, 2));
    expect(receiver.taken[0]?.body.data.name).toBe('r4');
    const refusals: [object, string, string][] = [
      [{}, 'missing-params', 'since'],
      [{ since: 'odd' }, 'invalid-params', 'since'],
      [{ since: '2026-02-01', until: '2026-01-01' }, 'invalid-params', 'since'],
    ];
    for (const [body, code, field] of refusals) {
      const refused = await caller.post(`${PATH}/${id}/redeliver`, body);
      expect(refused.body.error).toMatchObject({ code, field });
    }
    await caller.put(`${PATH}/${id}`, { enabled: false });
    const off = await caller.post(`${PATH}/${id}/redeliver`, { since });
    expect([off.status, off.body.error.code]).toEqual([400, 'operation-denied']);
  });
});
