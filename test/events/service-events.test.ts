import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type pg from 'pg';
import type { App } from '../../src/app.js';
import type { Worker } from '../../src/jobs/worker.js';
import { countCrash, MAX_CRASHES } from '../../src/runs/crashes.js';
import type { Sandbox } from '../../src/sandbox/index.js';
import { admin } from '../support/admin.js';
import { databaseUrl } from '../support/database.js';
import {
  createClock,
  createDelivering,
  type Delivering,
  type Receiver,
  startReceiver,
} from '../support/events.js';
import { addSync } from '../support/fill-company.js';
import { withClient } from '../support/nodes.js';
import { control, startTestSandbox } from '../support/sandbox.js';
import { createTenant } from '../support/seed.js';
import { callerOf, createCaller, startApp } from '../support/service.js';
import { createWriting, startWorker, type Writing } from '../support/writing.js';
import { until } from '../support/until.js';
import { untilBlocked } from '../support/until-blocked.js';

const CHANGED = 'CONNECTION_CHANGED';

let app: App;
let sandbox: Sandbox;
let worker: Worker;
let writing: Writing;
let receiver: Receiver;
let delivering: Delivering;

beforeAll(async () => {
  sandbox = await startTestSandbox();
  app = await startApp({ SANDBOX_URL: sandbox.url });
  worker = await startWorker(sandbox);
  writing = await createWriting(app, sandbox);
  // Its end must not come in the middle of a test.
  await until('the first sync to have ended', async () => {
    const ofMine = { svcCompanyId: BigInt(writing.companyId) };
    const ended = await admin.prisma.sync.count({ where: { ...ofMine, endedAt: { not: null } } });
    return ended > 0 && (await admin.prisma.sync.count({ where: { ...ofMine, endedAt: null } })) === 0;
  });
  receiver = await startReceiver();
  delivering = createDelivering(app, { clock: createClock() });
  for (const type of ['SYNC_COMPLETED', 'WRITE_COMPLETED', 'CONNECTION_CHANGED']) {
    const { status } = await writing.caller.post('/v3/core/webhooks', {
      webhook: { name: type, type, url: receiver.url },
    });
    expect(status).toBe(200);
  }
});
afterAll(async () => {
  await delivering?.close();
  await worker?.stop();
  await receiver?.close();
  await app?.close();
  await sandbox?.stop();
});

/** The next `count` events that webhooks are told of; of one type, while others may still be under way. */
async function told(count: number, work: () => Promise<unknown>, type?: string): Promise<any[]> {
  const before = new Set(receiver.taken.map(({ id }) => id));
  // Whoever sends one may be in the midst of it when another one does: an event may arrive again, later.
  const arrived = () =>
    new Map(receiver.taken.filter(({ id }) => !before.has(id)).map((one) => [one.id, one.body]));
  const bodies = () => [...arrived().values()].filter((body) => type === undefined || body.type === type);
  await work();
  // This file's worker sends too.
  await until(`${count} events`, async () => {
    await delivering.settle();
    return bodies().length >= count;
  });
  return bodies().sort((one, other) => (one.type < other.type ? -1 : 1));
}

const common = () => ({
  company_id: writing.companyId,
  integration_type: 'SVC_SANDBOX',
  created_at: expect.stringMatching(/^20\d\d-.*Z$/),
});

test('the end of a sync is told with what succeeded and what failed', async () => {
  const { tenant, connected } = writing;
  const [body] = await told(1, () => tenant.sync(connected, { dataModels: ['ACCOUNTS', 'ITEMS'] }));
  expect(body).toEqual({
    ...common(),
    type: 'SYNC_COMPLETED',
    sync_id: expect.stringMatching(/^\w{15}$/),
    status: 'SUCCESS',
    succeeded: expect.arrayContaining(['ACCOUNTS', 'ITEMS']),
    failed: [],
  });
});

test('reports the end of an asynchronous write as a sync and as a write, and of a synchronous one as a write only', async () => {
  const path = '/v3/accounting/journal_entries';
  const { caller, companyId } = writing;
  const write = (runAsync: boolean) =>
    caller.post(path, { company_id: companyId, run_async: runAsync, data: [writing.journal(7)] });
  const both = await told(2, () => write(true));
  expect(both).toEqual([
    {
      ...common(),
      type: 'SYNC_COMPLETED',
      sync_id: expect.any(String),
      status: 'SUCCESS',
      succeeded: ['JOURNAL_ENTRIES'],
      failed: [],
    },
    {
      ...common(),
      type: 'WRITE_COMPLETED',
      upload_id: both[0].sync_id,
      data_model: 'JOURNAL_ENTRIES',
      operation: 'CREATE',
      status: 'SUCCESS',
      succeeded: 1,
      failed: 0,
      uncertain: 0,
    },
  ]);
  expect((await told(1, () => write(false))).map(({ type }) => type)).toEqual(['WRITE_COMPLETED']);
});

test('the end of a write is told as a sync, too, where a stopping server answered its caller early', async () => {
  const path = '/accounting/api/2/Journals';
  const rules = [{ path, method: 'POST', fault: '500', count: 3 }];
  await control(sandbox, 'POST', '/faults', { rules });
  const other = await startApp({ SANDBOX_URL: sandbox.url, WRITE_WAIT_MS: '60000' });
  const caller = await createCaller(other, writing.tenant.organisationId);
  const open = { svcCompanyId: BigInt(writing.companyId), endedAt: null };
  const both = await told(2, async () => {
    const asked = caller.post('/v3/accounting/journal_entries', {
      company_id: writing.companyId,
      data: [writing.journal(8)],
    });
    await until('the write', async () => (await admin.prisma.upload.count({ where: open })) > 0);
    await other.close();
    expect((await asked).body.sync_id).toEqual(expect.any(String));
  });
  expect(both.map(({ type }) => type)).toEqual(['SYNC_COMPLETED', 'WRITE_COMPLETED']);
});

test('a run that is given up has failed', async () => {
  const tenant = await createTenant(app, 'given up');
  const caller = await createCaller(app, tenant.organisationId);
  await caller.post('/v3/core/webhooks', {
    webhook: { name: 'ends', type: 'SYNC_COMPLETED', url: receiver.url },
  });
  const [body] = await told(1, async () => {
    const { connectionId } = tenant;
    const { syncSvcId } = await addSync(tenant, {
      connectionId,
      sync: { workerId: 'dead', crashes: MAX_CRASHES - 1 },
    });
    await countCrash(app.database, { workerIds: ['dead'] });
    const { state } = await admin.prisma.sync.findFirstOrThrow({ where: { svcId: syncSvcId } });
    expect(state).toBe('GIVEN_UP');
  });
  expect(body).toMatchObject({
    company_id: tenant.companyId,
    status: 'FAILED',
    succeeded: [],
    failed: ['ACCOUNTS'],
  });
});

test('reports the end of a write as a sync as well if its caller stopped waiting', async () => {
  const impatient = await startApp({ SANDBOX_URL: sandbox.url, WRITE_WAIT_MS: '1' });
  const both = await told(2, async () => {
    const { status } = await callerOf(impatient, writing.caller.key).post('/v3/accounting/journal_entries', {
      company_id: writing.companyId,
      data: [writing.journal(8)],
    });
    expect(status).toBe(200);
  });
  await impatient.close();
  expect(both.map(({ type }) => type)).toEqual(['SYNC_COMPLETED', 'WRITE_COMPLETED']);
  expect(both[0].sync_id).toBe(both[1].upload_id);
});

test('does not count items of an abandoned write as failed if the platform may have them', async () => {
  const tenant = await createTenant(app, 'write given up');
  const caller = await createCaller(app, tenant.organisationId);
  await caller.post('/v3/core/webhooks', {
    webhook: { name: 'ends', type: 'WRITE_COMPLETED', url: receiver.url },
  });
  const owner = {
    svcOrganisationId: BigInt(tenant.organisationId),
    svcCompanyId: BigInt(tenant.companyId),
  };
  const [body] = await told(1, async () => {
    const { svcId } = await admin.prisma.upload.create({
      data: {
        ...owner,
        uploadId: 'given-up',
        connectionId: BigInt(tenant.connectionId),
        integrationType: 'SVC_SANDBOX',
        category: 'ACCOUNTING',
        dataModel: 'CONTACTS',
        operation: 'CREATE',
        state: 'RUNNING',
        workerId: 'dead too',
        crashes: MAX_CRASHES - 1,
        answerBy: new Date(),
      },
    });
    const item = (position: number, state: string, endedAt: Date | null) => ({
      ...owner,
      jobId: `given-up-${position}`,
      uploadSvcId: svcId,
      position,
      state,
      input: {},
      endedAt,
    });
    await admin.prisma.uploadItem.createMany({
      data: [
        item(0, 'SUCCESS', new Date()),
        item(1, 'FAILED', new Date()),
        item(2, 'UNCERTAIN', new Date()),
        item(3, 'SENDING', null),
        item(4, 'PENDING', null),
      ],
    });
    await countCrash(app.database, { workerIds: ['dead too'] });
  });
  expect(body).toMatchObject({ status: 'GIVEN_UP', succeeded: 1, failed: 1, uncertain: 3 });
  const { data } = (await caller.get('/v3/core/uploads/given-up')).body.data;
  expect(data.map(({ status }: { status: string }) => status)).toEqual([
    'success',
    'failed',
    'uncertain',
    'pending',
    'pending',
  ]);
});

test('a connection that is made, expires or is ended is told with its status before', async () => {
  const { tenant, caller, companyId } = writing;
  // With the end of its first sync, which must not come in the middle of another test.
  const connect = async () =>
    (await told(2, () => tenant.connect('PAYMENTS'))).filter(({ type }) => type === CHANGED);
  const made = await connect();
  const connection = await admin.prisma.connection.findFirstOrThrow({
    where: { svcCompanyId: BigInt(companyId), category: 'PAYMENTS' },
  });
  const changed = { ...common(), type: CHANGED, connection_id: Number(connection.svcId) };
  expect(made).toEqual([{ ...changed, status: 'HEALTHY', previous_status: null }]);
  const disconnect = () =>
    caller.graphql(
      `mutation { disconnectConnection(input: { connectionId: ${connection.svcId} }) { userErrors { message } } }`,
    );
  const ended = await told(1, disconnect, CHANGED);
  expect(ended).toEqual([{ ...changed, status: 'DISCONNECTED', previous_status: 'HEALTHY' }]);
  expect(await connect()).toEqual([{ ...changed, status: 'HEALTHY', previous_status: 'DISCONNECTED' }]);
});

test('has an event for exactly what happened, with gapless positions', async () => {
  const { tenant, connected, caller, companyId } = writing;
  await told(1, () => tenant.sync(connected, { dataModels: ['ACCOUNTS'] }), 'SYNC_COMPLETED');
  const written = { company_id: companyId, run_async: true, data: [writing.journal(9)] };
  await told(2, () => caller.post('/v3/accounting/journal_entries', written));
  const mine = { svcOrganisationId: BigInt(tenant.organisationId) };
  await until('all to have ended', async () => {
    const open = { where: { ...mine, endedAt: null } };
    return (await admin.prisma.sync.count(open)) + (await admin.prisma.upload.count(open)) === 0;
  });
  const rows = await admin.prisma.serviceEvent.findMany({ where: mine, orderBy: { position: 'asc' } });
  expect(rows.map(({ position }) => Number(position))).toEqual(rows.map((_, index) => index + 1));
  const head = await admin.prisma.eventHead.findFirstOrThrow({ where: mine });
  expect(Number(head.position)).toBe(rows.length);
  const idsOf = (type: string, field: string) =>
    rows.filter((row) => row.type === type).map(({ body }) => (body as Record<string, string>)[field]);
  const uploads = (await admin.prisma.upload.findMany({ where: mine })).map(({ uploadId }) => uploadId);
  const syncs = (await admin.prisma.sync.findMany({ where: mine })).map(({ syncId }) => syncId);
  expect(idsOf('WRITE_COMPLETED', 'upload_id').sort()).toEqual(uploads.sort());
  // An asynchronous write is a sync, too.
  const ended = idsOf('SYNC_COMPLETED', 'sync_id');
  expect(ended.filter((id) => !uploads.some((one) => one === id)).sort()).toEqual(syncs.sort());
  expect(new Set(ended).size).toBe(ended.length);
  expect(ended.length).toBeGreaterThan(syncs.length);
});

test("reports the end of a deleted company's connections while its data is being removed", async () => {
  const { caller, companyId, tenant } = await createWriting(app, sandbox);
  const webhook = { name: CHANGED, type: CHANGED, url: receiver.url };
  expect((await caller.post('/v3/core/webhooks', { webhook })).status).toBe(200);
  await withClient(databaseUrl, async (client: pg.Client) => {
    await client.query('BEGIN');
    // Another writer of the organisation: its records are removed after that.
    await client.query('SELECT FROM change_heads WHERE svc_organisation_id = $1 FOR UPDATE', [
      tenant.organisationId,
    ]);
    const deleting = caller.remove(`/v3/core/companies/${companyId}`);
    const [body] = await told(1, () => untilBlocked(), CHANGED);
    expect(body).toMatchObject({ company_id: companyId, status: 'DISCONNECTED', previous_status: 'HEALTHY' });
    await client.query('COMMIT');
    expect((await deleting).status).toBe(200);
  });
  expect(await admin.prisma.serviceEvent.count({ where: { svcCompanyId: BigInt(companyId) } })).toBe(0);
});
