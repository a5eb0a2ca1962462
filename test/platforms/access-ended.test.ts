import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { App } from '../../src/app.js';
import { connectorFor } from '../../src/connectors/index.js';
import { platformAgent } from '../../src/connectors/client/platform-agent.js';
import { openPlatform } from '../../src/platforms/access.js';
import { clientSecretPlace } from '../../src/platforms/client-credentials.js';
import { endAccess, storeTokens } from '../../src/platforms/credentials.js';
import type { Sandbox } from '../../src/sandbox/index.js';
import { runSync } from '../../src/sync/run-sync.js';
import { startDueSyncs } from '../../src/sync/schedule.js';
import { startSync } from '../../src/sync/start-sync.js';
import { runUpload } from '../../src/writes/upload-job.js';
import { admin } from '../support/admin.js';
import {
  createClock,
  createDelivering,
  type Delivering,
  type Receiver,
  startReceiver,
} from '../support/events.js';
import { type OddPlatform, startOddPlatform } from '../support/platform.js';
import {
  control,
  createSandboxTenant,
  engineOf,
  startTestSandbox,
  testSecrets,
  writeEngineOf,
} from '../support/sandbox.js';
import { createTenant, type Tenant } from '../support/seed.js';
import { type Caller, createCaller, startApp } from '../support/service.js';
import { untilBlocked } from '../support/until-blocked.js';
import { until } from '../support/until.js';

/** As Xero answers once the organisation was removed under "Connected apps". */
const DISCONNECTED = { Type: null, Title: 'Forbidden', Status: 403, Detail: 'AuthenticationUnsuccessful' };
/** As it answers for a scope that was not granted. */
const NO_SCOPE = { Type: null, Title: 'Unauthorized', Status: 401, Detail: 'AuthorizationUnsuccessful' };

let app: App;
let sandbox: Sandbox;
let platform: OddPlatform;
let receiver: Receiver;
let delivering: Delivering;
let tenant: Tenant;
let caller: Caller;

beforeAll(async () => {
  platform = await startOddPlatform();
  sandbox = await startTestSandbox();
  app = await startApp({ XERO_URL: platform.url, SANDBOX_URL: sandbox.url });
  receiver = await startReceiver();
  delivering = createDelivering(app, { clock: createClock() });
});
afterAll(async () => {
  await delivering?.close();
  await receiver?.close();
  await app?.close();
  await sandbox?.stop();
  await platform?.close();
});

/** A company that is connected to Xero, whose organisation hears of its connections. */
beforeEach(async () => {
  tenant = await createTenant(app, 'access');
  await admin.prisma.connection.updateMany({
    where: { svcId: BigInt(tenant.connectionId) },
    data: { integrationType: 'XERO' },
  });
  await app.database.client(tenant.scope).integration.create({
    data: {
      svcOrganisationId: BigInt(tenant.organisationId),
      integrationType: 'XERO',
      clientId: 'an app',
      clientSecret: testSecrets.seal('its secret', clientSecretPlace('XERO', tenant.organisationId)),
    },
  });
  await giveTokens('first');
  caller = await createCaller(app, tenant.organisationId);
  await caller.post('/v3/core/webhooks', {
    webhook: { name: 'connections', type: 'CONNECTION_CHANGED', url: receiver.url },
  });
  platform.heard.length = 0;
  receiver.taken.length = 0;
});

const session = () => ({
  sql: app.database.sql(tenant.scope),
  client: app.database.client(tenant.scope),
  secrets: testSecrets,
  reach: { baseUrl: platform.url, settings: {}, dispatcher: platformAgent },
  connector: connectorFor('XERO'),
  connection: { svcCompanyId: tenant.companyId, connectionId: tenant.connectionId },
});
const giveTokens = (accessToken: string) =>
  storeTokens(session(), { accessToken, refreshToken: 'renews', expiresAt: null });
const engine = () => ({ ...engineOf(app, sandbox.url), urls: { XERO: platform.url } });
const worker = { workerId: 'test', signal: new AbortController().signal };

const answer = (status: number, body: object) =>
  platform.answer((_heard, response) => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });

async function sync(dataModels: readonly string[]) {
  const { svcCompanyId, connectionId } = session().connection;
  const { syncSvcId } = await session().sql.transaction((transaction) =>
    startSync(transaction, {
      svcCompanyId,
      connectionId,
      syncType: 'MANUAL',
      fullSync: false,
      syncFrom: null,
      dataModels,
    }),
  );
  await runSync(engine(), { organisationId: tenant.organisationId, svcCompanyId, syncSvcId }, worker);
  return admin.prisma.sync.findFirstOrThrow({
    where: { svcId: BigInt(syncSvcId) },
    include: { jobs: { orderBy: { position: 'asc' } } },
  });
}

const status = async () =>
  (await admin.prisma.connection.findFirstOrThrow({ where: { svcId: BigInt(tenant.connectionId) } })).status;
const activities = () =>
  admin.prisma.activity.count({
    where: { svcCompanyId: BigInt(tenant.companyId), activityType: 'CONNECTION_EXPIRED' },
  });

/** When the statements that wait for another began, once there is one. */
async function waiting(): Promise<readonly string[]> {
  await untilBlocked();
  const { rows } = await admin.pool.query<{ began: string }>(
    `SELECT query_start::text AS began FROM pg_stat_activity
     WHERE datname = current_database() AND cardinality(pg_blocking_pids(pid)) > 0`,
  );
  return rows.map(({ began }) => began);
}

/** What the webhook is told of the connection, once it was told something. */
async function told(): Promise<object[]> {
  await until('an event', async () => {
    await delivering.settle();
    return receiver.taken.length > 0;
  });
  return receiver.taken.map(({ body }) => body as object);
}
const expiry = (connectionId = tenant.connectionId) =>
  expect.objectContaining({
    type: 'CONNECTION_CHANGED',
    connection_id: connectionId,
    status: 'EXPIRED',
    previous_status: 'HEALTHY',
  });

describe('an access that the platform has ended', () => {
  test('expires its connection when it is read, and a webhook is told; nothing more is asked', async () => {
    answer(403, DISCONNECTED);
    const run = await sync(['ACCOUNTS', 'ITEMS', 'CONTACTS']);
    expect(run).toMatchObject({ state: 'FAILED', errorCode: 'connection-expired' });
    expect(run.errorMessage).toContain('the company has to connect it again');
    expect(await status()).toBe('EXPIRED');
    expect(await activities()).toBe(1);
    expect(platform.heard).toHaveLength(1);
    expect(await told()).toEqual([expiry()]);
    await expect(sync(['ACCOUNTS'])).rejects.toMatchObject({ code: 'connection-expired' });
    expect(platform.heard).toHaveLength(1);
  });

  test('is told once, however many calls meet it', async () => {
    answer(403, DISCONNECTED);
    const open = () => openPlatform(session(), 'test', { use: 'sync', patienceMs: 1000 });
    const calls = [1, 2, 3, 4].map(() => open().get('/Accounts'));
    for (const { status: outcome } of await Promise.allSettled(calls)) expect(outcome).toBe('rejected');
    expect([await status(), await activities()]).toEqual(['EXPIRED', 1]);
    expect(await told()).toEqual([expiry()]);
  });

  test('fails what is to be written as denied, and only the first item is sent', async () => {
    answer(403, DISCONNECTED);
    const items = ['one', 'two', 'three'].map((name) => ({ name }));
    const { body } = await caller.post('/v3/accounting/contacts', {
      company_id: tenant.companyId,
      run_async: true,
      data: items,
    });
    const upload = await admin.prisma.upload.findFirstOrThrow({
      where: { svcCompanyId: BigInt(tenant.companyId) },
      include: { items: { orderBy: { svcId: 'asc' } } },
    });
    expect([body, upload.items.length]).toEqual([expect.anything(), 3]);
    const payload = {
      organisationId: tenant.organisationId,
      svcCompanyId: tenant.companyId,
      uploadSvcId: Number(upload.svcId),
    };
    await runUpload(writeEngineOf(engine(), undefined as never), payload, worker);
    const after = await admin.prisma.uploadItem.findMany({ where: { uploadSvcId: upload.svcId } });
    expect(after.map(({ state, errorCode }) => [state, errorCode])).toEqual(
      items.map(() => ['FAILED', 'operation-denied']),
    );
    expect(platform.heard.map(({ method }) => method)).toEqual(['PUT']);
    expect(await status()).toBe('EXPIRED');
    expect(await told()).toEqual([expiry()]);
  });

  test('is met by a passthrough, which has the answer as it came', async () => {
    answer(403, DISCONNECTED);
    const request = { company_id: tenant.companyId, data: { method: 'GET', path: '/Organisation' } };
    const { status: answered, body } = await caller.post('/v3/core/passthrough', request);
    expect([answered, body.data]).toEqual([200, expect.objectContaining({ Detail: DISCONNECTED.Detail })]);
    expect(await told()).toEqual([expiry()]);
    const again = await caller.post('/v3/core/passthrough', request);
    expect(again).toMatchObject({ status: 409, body: { error: { code: 'connection-expired' } } });
  });

  test('is noticed while a caller ends it, and neither fails for the other', async () => {
    const { connectionId } = tenant;
    const blocker = await admin.pool.connect();
    await blocker.query('BEGIN');
    await blocker.query('SELECT FROM connection_credentials WHERE connection_id = $1 FOR UPDATE', [
      connectionId,
    ]);
    const noticed = endAccess(session(), 'first');
    await untilBlocked();
    const ended = caller.graphql(
      `mutation ($id: SvcId!) { disconnectConnection(input: { connectionId: $id }) { connection { status } } }`,
      { id: connectionId },
    );
    await untilBlocked(2);
    await blocker.query('COMMIT');
    blocker.release();
    expect(await noticed).toBe(true);
    expect((await ended).body).toMatchObject({
      data: { disconnectConnection: { connection: { status: 'DISCONNECTED' } } },
    });
    await until('both events', async () => {
      await delivering.settle();
      return receiver.taken.length >= 2;
    });
    expect(receiver.taken.map(({ body }) => [body.previous_status, body.status])).toEqual([
      ['HEALTHY', 'EXPIRED'],
      ['EXPIRED', 'DISCONNECTED'],
    ]);
  });

  test('by a caller waits for a renewal in flight, however long its platform takes', async () => {
    const slow = await startApp({
      XERO_URL: platform.url,
      SANDBOX_URL: sandbox.url,
      LIMIT_STATEMENT_MILLISECONDS: '1000',
    });
    try {
      const { connectionId } = tenant;
      const own = await createCaller(slow, tenant.organisationId);
      await admin.prisma.connectionCredential.updateMany({
        where: { connectionId: BigInt(connectionId) },
        data: { expiresAt: new Date(0) },
      });
      let renew = (): void => undefined;
      platform.answer((_heard, response) => {
        renew = () => void response.writeHead(500).end();
      });
      const using = openPlatform(session(), 'test', { use: 'sync', patienceMs: 1000 }).get('/Accounts');
      void using.catch(() => undefined);
      await until('a renewal', () => platform.heard.length > 0);
      const ended = own.graphql(
        `mutation ($id: SvcId!) { disconnectConnection(input: { connectionId: $id }) { connection { status } } }`,
        { id: connectionId },
      );
      const [first] = await waiting();
      await until('a second try', async () => (await waiting())[0] !== first);
      renew();
      expect((await ended).body).toMatchObject({
        data: { disconnectConnection: { connection: { status: 'DISCONNECTED' } } },
      });
      await expect(using).rejects.toThrow();
      await told();
    } finally {
      await slow.close();
    }
  });

  test('says nothing of the one that the company has meanwhile given anew', async () => {
    // The company connects again while the platform's answer is on its way.
    platform.answer((_heard, response) => {
      void giveTokens('second').then(() =>
        response.writeHead(403, { 'content-type': 'application/json' }).end(JSON.stringify(DISCONNECTED)),
      );
    });
    const connection = openPlatform(session(), 'test', { use: 'sync', patienceMs: 1000 });
    await expect(connection.get('/Accounts')).rejects.toMatchObject({ code: 'connection-expired' });
    expect([await status(), await activities()]).toEqual(['HEALTHY', 0]);
    answer(200, { Accounts: [] });
    await expect(connection.get('/Accounts')).resolves.toEqual({ Accounts: [] });
    expect(platform.heard.at(-1)?.headers.authorization).toBe('Bearer second');
  });
});

test('a scope that was not granted fails its record type, and the connection goes on', async () => {
  platform.answer(({ url }, response) => {
    const isItems = url.startsWith('/Items');
    response
      .writeHead(isItems ? 401 : 200, { 'content-type': 'application/json' })
      .end(JSON.stringify(isItems ? NO_SCOPE : { Accounts: [] }));
  });
  const run = await sync(['ACCOUNTS', 'ITEMS']);
  expect(run.state).toBe('PARTIAL_SUCCESS');
  expect(run.jobs.map(({ dataModel, state, errorCode }) => [dataModel, state, errorCode])).toEqual([
    ['ACCOUNTS', 'SUCCESS', null],
    ['ITEMS', 'FAILED', 'platform-refused'],
  ]);
  expect([await status(), await activities()]).toEqual(['HEALTHY', 0]);
});

test('connecting again makes the connection healthy, and automatic syncs go on; until then there are none', async () => {
  const own = engineOf(app, sandbox.url);
  const company = await createSandboxTenant(own, sandbox);
  const connected = await company.connect('ECOMMERCE');
  await company.run(connected.syncSvcId);
  const other = await createCaller(app, company.organisationId);
  await other.post('/v3/core/webhooks', {
    webhook: { name: 'connections', type: 'CONNECTION_CHANGED', url: receiver.url },
  });
  const { connectionId } = connected;
  await control(sandbox, 'POST', `/accounts/${company.account}/tokens`, { action: 'revoke' });
  await company.sync(connected);
  const due = async () => {
    const before = await admin.prisma.sync.count({ where: { connectionId: BigInt(connectionId) } });
    await startDueSyncs(own, new Date(Date.now() + 25 * 3_600_000));
    return (await admin.prisma.sync.count({ where: { connectionId: BigInt(connectionId) } })) - before;
  };
  expect(await due()).toBe(0);
  const again = await company.connect('ECOMMERCE');
  expect(again.connectionId).toBe(connectionId);
  await company.run(again.syncSvcId);
  expect(await due()).toBe(1);
  await until('both events', async () => {
    await delivering.settle();
    return receiver.taken.length >= 2;
  });
  expect(receiver.taken.map(({ body }) => [body.connection_id, body.previous_status, body.status])).toEqual([
    [connectionId, 'HEALTHY', 'EXPIRED'],
    [connectionId, 'EXPIRED', 'HEALTHY'],
  ]);
});
