import { once } from 'node:events';
import { createHmac } from 'node:crypto';
import { connect } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { App } from '../../src/app.js';
import { claimRun } from '../../src/sync/state/run-state.js';
import { admin } from '../support/admin.js';
import { connectXero } from '../support/fill-company.js';
import { createTenant, type Tenant } from '../support/seed.js';
import { createXeroHook, xeroEvent } from '../support/hooks.js';
import { type Caller, callerOf, createCaller, startApp } from '../support/service.js';
import { until } from '../support/until.js';
import { createXeroTenant } from '../support/xero.js';

const SECRET = 'the webhooks key';

let app: App;
let acme: Tenant;
let connectionId: number;
let account: string;
let caller: Caller;
let integration: { readonly svcId: number; readonly hookUrl: string; readonly hookSecret: string };

beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  acme = await createTenant(app, 'hooks');
  account = `tenant ${acme.companyId}`;
  connectionId = await connectXero(app, acme, account);
  caller = await createCaller(app, acme.organisationId);
  const integrationType = 'XERO';
  await admin.prisma.integration.createMany({
    data: { svcOrganisationId: BigInt(acme.organisationId), integrationType },
    skipDuplicates: true,
  });
  const { svcId } = await admin.prisma.integration.findFirstOrThrow({
    where: { svcOrganisationId: BigInt(acme.organisationId), integrationType },
  });
  integration = await change(Number(svcId), { hookSecret: SECRET });
});

/** Changes the integration as an integrator does. */
async function change(svcId: number, changes: object): Promise<typeof integration> {
  const query = `mutation ($input: UpdateIntegrationInput!) { updateIntegration(input: $input) {
    integration { svcId hookUrl hookSecret } userErrors { code message } } }`;
  const { body } = await caller.post('/graphql', { query, variables: { input: { svcId, ...changes } } });
  return body.data.updateIntegration.integration;
}

const event = (eventCategory: string, tenantId = account) => ({
  eventCategory,
  eventType: 'UPDATE',
  tenantId,
});

async function tell(
  events: readonly object[],
  { url = integration.hookUrl, secret = SECRET } = {},
): Promise<{ status: number; text: string }> {
  const body = JSON.stringify({ events, firstEventSequence: 1, lastEventSequence: 1, entropy: 'S0m3r4nd0m' });
  const signature = createHmac('sha256', secret).update(body).digest('base64');
  const headers = { 'content-type': 'application/json', 'x-xero-signature': signature };
  const answer = await fetch(`${app.url}${new URL(url).pathname}`, { method: 'POST', headers, body });
  return { status: answer.status, text: await answer.text() };
}

/** The syncs of the connection with what they read, oldest first. */
async function syncs(): Promise<{ svcId: number; state: string; dataModels: string[] }[]> {
  const where = { svcCompanyId: BigInt(acme.companyId), connectionId: BigInt(connectionId) };
  const rows = await admin.prisma.sync.findMany({ where, orderBy: { svcId: 'asc' } });
  return Promise.all(
    rows.map(async ({ svcId, state }) => {
      const jobs = await admin.prisma.syncJob.findMany({
        where: { svcCompanyId: BigInt(acme.companyId), syncSvcId: svcId },
        orderBy: { position: 'asc' },
      });
      return { svcId: Number(svcId), state, dataModels: jobs.map(({ dataModel }) => dataModel) };
    }),
  );
}

test('what is signed is answered 200 without events too, and nothing is read for it', async () => {
  expect(await tell([])).toEqual({ status: 200, text: '' });
  expect(await syncs()).toEqual([]);
});

test('a bad signature, an unknown token and an integration that is off answer alike', async () => {
  const refused = { status: 401, text: '' };
  expect(await tell([event('INVOICE')], { secret: 'another' })).toEqual(refused);
  const unknown = `${new URL(integration.hookUrl).origin}/hooks/${'0'.repeat(32)}`;
  expect(await tell([event('INVOICE')], { url: unknown })).toEqual(refused);
  await change(integration.svcId, { isDisabled: true });
  expect(await tell([event('INVOICE')])).toEqual(refused);
  expect(await syncs()).toEqual([]);
});

test('events of an account that is not connected, or is another organisation’s, lead to nothing', async () => {
  const other = await createTenant(app, 'hooks other');
  const theirs = await connectXero(app, other, 'theirs');
  expect((await tell([event('INVOICE', 'nobody'), event('INVOICE', 'theirs')])).status).toBe(200);
  expect(await syncs()).toEqual([]);
  expect(await admin.prisma.sync.count({ where: { connectionId: BigInt(theirs) } })).toBe(0);
});

test('many events, told at the same time and again, are one sync that waits and takes further record types', async () => {
  const many = Array.from({ length: 1000 }, () => event('INVOICE'));
  const answers = await Promise.all(Array.from({ length: 10 }, () => tell(many)));
  expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 200));
  expect(await syncs()).toMatchObject([{ dataModels: ['INVOICES', 'BILLS'] }]);
  await tell([event('CONTACT'), event('INVOICE')]);
  expect(await syncs()).toMatchObject([{ state: 'PENDING', dataModels: ['INVOICES', 'BILLS', 'CONTACTS'] }]);
});

test('an event while a sync runs leads to another after it', async () => {
  await tell([event('INVOICE')]);
  const [first] = await syncs();
  const key = { svcCompanyId: acme.companyId, syncSvcId: first?.svcId ?? 0 };
  expect(await claimRun(app.database.sql(acme.scope), key, 'a worker')).not.toBeNull();
  await tell([event('INVOICE')]);
  expect(await syncs()).toMatchObject([{ state: 'RUNNING' }, { state: 'PENDING' }]);
});

test('an event that was answered is read after the worker died that had begun to', async () => {
  const told = await createXeroTenant(app, 'hooks crash');
  try {
    const tellXero = await createXeroHook(told.organisationId);
    const [contact] = told.books.contacts;
    expect((await tellXero(app, [xeroEvent(told.books.tenantId, 'CONTACT', contact?.id)])).status).toBe(200);
    const where = { svcCompanyId: BigInt(told.companyId), toldByPlatform: true };
    const { svcId } = await admin.prisma.sync.findFirstOrThrow({ where });
    // Its job was stored with it: whichever worker is there takes it.
    const { rows } = await admin.pool.query('SELECT 1 FROM graphile_worker._private_jobs WHERE key = $1', [
      `sync:${svcId}`,
    ]);
    expect(rows).toHaveLength(1);
    const key = { svcCompanyId: told.companyId, syncSvcId: Number(svcId) };
    expect(await claimRun(app.database.sql(told.scope), key, 'a worker that dies')).not.toBeNull();
    expect(await told.run(Number(svcId))).toBe('SUCCESS');
    const stored = await admin.pool.query(
      'SELECT platform_id FROM contacts WHERE svc_company_id = $1 AND svc_deleted_at IS NULL',
      [told.companyId],
    );
    expect(stored.rows).toEqual([{ platform_id: contact?.id }]);
  } finally {
    await told.stop();
  }
});

test('a body that is too long is not read, and a platform that tells too much is told when to go on', async () => {
  const tellXero = await createXeroHook(acme.organisationId);
  const long = { ...xeroEvent(account, 'CONTACT'), padding: 'x'.repeat(1_000_000) };
  expect((await tellXero(app, [long])).status).toBe(413);
  const slow = await startApp({ LIMIT_HOOKS_PER_MINUTE: '2' });
  try {
    const statuses = [];
    for (let sent = 0; sent < 2; sent += 1) statuses.push((await tellXero(slow, [])).status);
    expect(statuses).toEqual([200, 200]);
    // Who has no secret uses nothing up.
    const answer = await tellXero(slow, []);
    expect(answer.status).toBe(429);
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    const { text } = await callerOf(slow, null).get('/metrics');
    const counted = (outcome: string) =>
      Number(
        new RegExp(`^platform_hooks_total\\{platform="XERO",outcome="${outcome}"\\} (\\d+)`, 'm').exec(
          text,
        )?.[1],
      );
    expect([counted('taken'), counted('limited')]).toEqual([expect.any(Number), 1]);
  } finally {
    await slow.close();
  }
});

test('what such a sync changes was caused by what the platform told', async () => {
  const told = await createXeroTenant(app, 'hooks told');
  try {
    caller = await createCaller(app, told.organisationId);
    const { svcId } = await admin.prisma.integration.findFirstOrThrow({
      where: { svcOrganisationId: BigInt(told.organisationId) },
    });
    const { hookUrl } = await change(Number(svcId), { hookSecret: SECRET });
    await told.sync(['ACCOUNTS']);
    const [begun] = (await changes()).slice(-1);
    expect(begun?.cause.type).toBe('SYNC');
    expect((await tell([event('CONTACT', told.books.tenantId)], { url: hookUrl })).status).toBe(200);
    const sync = await admin.prisma.sync.findFirstOrThrow({
      where: { svcCompanyId: BigInt(told.companyId), state: 'PENDING' },
    });
    expect(await told.run(Number(sync.svcId))).toBe('SUCCESS');
    const [last] = (await changes()).slice(-1);
    expect(last).toEqual({ dataModel: 'CONTACTS', cause: { type: 'PLATFORM_EVENT', id: sync.syncId } });
  } finally {
    await told.stop();
  }
});

/** What the caller's log has. */
async function changes(): Promise<{ dataModel: string; cause: { type: string; id: string } }[]> {
  const query = '{ changes(first: 500) { nodes { dataModel cause { type id } } } }';
  const { body } = await caller.post('/graphql', { query });
  return body.data.changes.nodes;
}

test('the secret is sealed, shown to keys that may see secrets, and masked for others', async () => {
  expect(integration.hookSecret).toBe(SECRET);
  const row = await admin.prisma.integration.findFirstOrThrow({
    where: { svcId: BigInt(integration.svcId) },
  });
  expect(row.hookSecret).not.toContain(SECRET);
  const reader = await createCaller(app, acme.organisationId, { scopes: ['read'] });
  const query = `{ integration(svcId: ${integration.svcId}) { hookSecret } }`;
  const { body } = await reader.post('/graphql', { query });
  expect(body.data.integration.hookSecret).not.toBe(SECRET);
});

test('bodies that are sent slowly are bounded, as nobody needs a key for them', async () => {
  const bounded = await startApp({ LIMIT_HELD_BODY_BYTES: '3000000' });
  const socket = connect(Number(new URL(bounded.url).port), '127.0.0.1').on('error', () => undefined);
  try {
    const head =
      'POST /hooks/any HTTP/1.1\r\nhost: x\r\ncontent-length: 999999\r\nexpect: 100-continue\r\n\r\n';
    socket.write(head);
    await once(socket, 'data');
    const post = async () => {
      const body = 'x'.repeat(900_000);
      return (await fetch(`${bounded.url}/hooks/any`, { method: 'POST', body })).status;
    };
    // What is only announced takes no room.
    expect(await post()).toBe(401);
    socket.write('x'.repeat(990_000));
    await until('no room', async () => (await post()) === 503);
    socket.destroy();
    await until('room again', async () => (await post()) === 401);
  } finally {
    socket.destroy();
    await bounded.close();
  }
});
