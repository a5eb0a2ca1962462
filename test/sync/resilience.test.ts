import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import type { App } from '../../src/app.js';
import type { Sandbox } from '../../src/sandbox/index.js';
import { LeaseLost } from '../../src/runs/lease.js';
import type { SyncEngine } from '../../src/sync/engine.js';
import { runSync } from '../../src/sync/run-sync.js';
import { claimRun } from '../../src/sync/state/run-state.js';
import { startOddPlatform } from '../support/platform.js';
import {
  control,
  createSandboxTenant,
  engineOf,
  type SandboxTenant,
  startTestSandbox,
} from '../support/sandbox.js';
import { startApp, testDatabaseUrl } from '../support/service.js';
import { collectLog } from '../support/log-lines.js';
import { until } from '../support/until.js';
import { admin } from '../support/admin.js';

let app: App;
let sandbox: Sandbox;
let engine: SyncEngine;
let tenant: SandboxTenant;

beforeAll(async () => {
  app = await startApp();
  sandbox = await startTestSandbox();
  engine = engineOf(app, sandbox.url);
});
afterEach(async () => {
  await control(sandbox, 'DELETE', '/faults');
  await control(sandbox, 'POST', '/limits', { platform: 'accounting', per_minute: 0, concurrent: 0 });
});
afterAll(async () => {
  await sandbox.stop();
  await app.close();
});

const runOf = (syncSvcId: number) =>
  admin.prisma.sync.findFirstOrThrow({
    where: { svcId: BigInt(syncSvcId) },
    include: { jobs: { orderBy: { position: 'asc' } } },
  });
const connectionOf = (connectionId: number) =>
  admin.prisma.connection.findFirstOrThrow({ where: { svcId: BigInt(connectionId) } });
const changesOf = (companyId: number) =>
  admin.prisma.recordChange.groupBy({
    by: ['svcId', 'operation'],
    where: { svcCompanyId: BigInt(companyId) },
    _count: { _all: true },
  });
/** A page of SVC Sandbox Pay. */
const EMPTY_LIST = '{"object":"list","data":[],"has_more":false}';
const faults = (...rules: object[]) => control(sandbox, 'POST', '/faults', { rules });
const dueNow = (connectionId: number) =>
  admin.prisma.connection.updateMany({
    where: { svcId: BigInt(connectionId) },
    data: { pausedUntil: null },
  });

describe('a worker that stops', () => {
  test('hands the run back after its current page, and the next worker continues there', async () => {
    tenant = await createSandboxTenant(engine, sandbox);
    const { syncSvcId, connectionId } = await tenant.connect('ACCOUNTING');
    let rounds = 0;
    for (; (await runOf(syncSvcId)).endedAt === null; rounds += 1) {
      const stop = new AbortController();
      stop.abort();
      await tenant.run(syncSvcId, stop.signal);
      const { state, jobs } = await runOf(syncSvcId);
      if (rounds === 0) {
        expect({ state, ended: jobs.filter((job) => job.endedAt !== null).length }).toEqual({
          state: 'INTERRUPTED',
          ended: 0,
        });
      }
      // One page or record type of progress a round at the least: two aborted rounds never stand still.
      await tenant.run(syncSvcId);
    }
    expect(await runOf(syncSvcId)).toMatchObject({ state: 'SUCCESS' });
    expect((await connectionOf(connectionId)).syncStatus).toBe('IDLE');
    // Nothing was announced twice.
    const repeated = (await changesOf(tenant.companyId)).filter(({ _count }) => _count._all > 1);
    expect(repeated).toEqual([]);
  });

  test('is fenced off when another worker has taken the run', async () => {
    tenant = await createSandboxTenant(engine, sandbox);
    const { syncSvcId } = await tenant.connect('PAYMENTS');
    const run = { organisationId: tenant.organisationId, svcCompanyId: tenant.companyId, syncSvcId };
    const platform = await startOddPlatform();
    try {
      let letGo: () => void = () => undefined;
      const claimed = new Promise<void>((resolve) => (letGo = resolve));
      platform.answer((_heard, response) => {
        void claimed.then(() => response.setHeader('content-type', 'application/json').end(EMPTY_LIST));
      });
      const slow = { ...engine, urls: { SVC_SANDBOX: platform.url } };
      const worker = { workerId: 'one', signal: new AbortController().signal };
      const fenced = expect(runSync(slow, run, worker)).rejects.toBeInstanceOf(LeaseLost);
      // While the first one waits for its platform, a second one claims the run.
      await until('the first call to the platform', () => platform.heard.length);
      await claimRun(app.database.sql(tenant.link.scope), run, 'another');
      letGo();
      await fenced;
    } finally {
      await platform.close();
    }
    const { state, jobs } = await runOf(syncSvcId);
    expect({ state, read: jobs.reduce((sum, job) => sum + job.recordsRead, 0) }).toEqual({
      state: 'RUNNING',
      read: 0,
    });
    await tenant.run(syncSvcId);
    expect(await runOf(syncSvcId)).toMatchObject({ state: 'SUCCESS' });
  });
});

describe('a platform', () => {
  test('that asks for a pause puts the run to sleep, which then continues and never exceeds the limit per minute', async () => {
    tenant = await createSandboxTenant(engine, sandbox);
    const { syncSvcId, connectionId } = await tenant.connect('ACCOUNTING');
    await admin.prisma.connection.updateMany({
      where: { svcId: BigInt(connectionId) },
      data: { maxPerMinute: 5, minuteCalls: 0, minuteResetAt: new Date() },
    });
    await tenant.run(syncSvcId);
    const asleep = await runOf(syncSvcId);
    expect(asleep).toMatchObject({ state: 'SLEEPING', resumeAt: expect.any(Date) });
    const connection = await connectionOf(connectionId);
    expect(connection).toMatchObject({
      syncStatus: 'SLEEPING',
      syncResumeAt: asleep.resumeAt,
      minuteCalls: 4,
    });
    const owner = new pg.Client({ connectionString: testDatabaseUrl() });
    await owner.connect();
    const { rows } = await owner.query('SELECT run_at FROM graphile_worker.jobs WHERE key = $1', [
      `sync:${syncSvcId}`,
    ]);
    await owner.end();
    expect(rows).toEqual([{ run_at: asleep.resumeAt }]);
    await admin.prisma.connection.updateMany({
      where: { svcId: BigInt(connectionId) },
      data: { maxPerMinute: 500 },
    });
    await tenant.run(syncSvcId);
    expect(await runOf(syncSvcId)).toMatchObject({ state: 'SUCCESS', resumeAt: null });
  });

  test('that is unavailable is retried later, and fails only the record type that it cannot return', async () => {
    const { log, saying } = collectLog();
    tenant = await createSandboxTenant({ ...engine, log }, sandbox);
    const { syncSvcId, connectionId } = await tenant.connect('ACCOUNTING');
    await faults({
      platform: 'accounting',
      account: tenant.account,
      path: '/accounting/api/2/Products',
      fault: '500',
      share: 1,
    });
    for (let round = 0; round < 4; round += 1) {
      await tenant.run(syncSvcId);
      if (round < 3)
        expect(await runOf(syncSvcId)).toMatchObject({
          state: 'SLEEPING',
          errorCode: 'platform-unavailable',
        });
      await dueNow(connectionId);
    }
    const run = await runOf(syncSvcId);
    expect(run.state).toBe('PARTIAL_SUCCESS');
    const { organisationId, companyId } = tenant;
    const of = { organisationId, companyId, connectionId, syncId: run.syncId };
    // Once, not for each try.
    expect(saying('a platform could not be read: it is tried again')).toMatchObject([
      { ...of, level: 40, integrationType: 'SVC_SANDBOX', dataModel: 'ITEMS', code: 'platform-unavailable' },
    ]);
    const failed = run.jobs.filter(({ state }) => state === 'FAILED');
    expect(failed).toMatchObject([{ dataModel: 'ITEMS', errorCode: 'platform-unavailable', retries: 3 }]);
    // Lines that name items by their SKU wait for them.
    await control(sandbox, 'DELETE', '/faults');
    const again = await tenant.sync({ connectionId } as never);
    expect(await runOf(again)).toMatchObject({ state: 'SUCCESS' });
    const { rows } = await admin.pool.query(
      `SELECT count(*)::int AS unresolved FROM invoices WHERE svc_company_id = $1 AND unresolved`,
      [tenant.companyId],
    );
    expect(rows).toEqual([{ unresolved: 0 }]);
  });

  test.each([
    ['fails to give one list is there for everything else', '500', null],
    ['is away behind its gateway is not called', 'html', expect.any(Date)],
  ])('that %s', async (_title, fault, pausedUntil) => {
    tenant = await createSandboxTenant(engine, sandbox);
    const { syncSvcId, connectionId } = await tenant.connect('ACCOUNTING');
    const path = '/accounting/api/2/Products';
    await faults({ platform: 'accounting', account: tenant.account, path, fault, share: 1 });
    await tenant.run(syncSvcId);
    expect(await runOf(syncSvcId)).toMatchObject({ state: 'SLEEPING', errorCode: 'platform-unavailable' });
    expect(await connectionOf(connectionId)).toMatchObject({ pausedUntil });
  });

  test('that is unavailable now and then during a long read does not end the run', async () => {
    tenant = await createSandboxTenant(engine, sandbox);
    const { syncSvcId, connectionId } = await tenant.connect('ACCOUNTING');
    const path = '/accounting/api/2/Journals';
    const of = { platform: 'accounting', account: tenant.account, path, fault: '500' };
    const jobs = async () =>
      (await runOf(syncSvcId)).jobs.filter(
        ({ dataModel, retries }) => dataModel === 'JOURNAL_ENTRIES' || retries > 0,
      );
    await faults({ ...of, share: 1 });
    for (let round = 1; round <= 3; round += 1) {
      await tenant.run(syncSvcId);
      expect(await jobs()).toMatchObject([{ state: 'RUNNING', retries: round, pages: 0 }]);
      await dueNow(connectionId);
    }
    await control(sandbox, 'DELETE', '/faults');
    await faults({ ...of, skip: 1, count: 10 });
    await tenant.run(syncSvcId);
    expect(await jobs()).toMatchObject([{ state: 'RUNNING', retries: 4, pages: 1 }]);
    await control(sandbox, 'DELETE', '/faults');
    await dueNow(connectionId);
    await tenant.run(syncSvcId);
    expect(await runOf(syncSvcId)).toMatchObject({ state: 'SUCCESS' });
  });

  test('that no longer accepts the credentials expires the connection and ends the run', async () => {
    tenant = await createSandboxTenant(engine, sandbox);
    const { syncSvcId, connectionId } = await tenant.connect('ECOMMERCE');
    await control(sandbox, 'POST', `/accounts/${tenant.account}/tokens`, { action: 'revoke' });
    await tenant.run(syncSvcId);
    const run = await runOf(syncSvcId);
    expect(run).toMatchObject({ state: 'FAILED', errorCode: 'connection-expired' });
    // Each of its record types says why, those too whose turn never came.
    const failed = run.jobs.map(() => ({ state: 'FAILED', errorCode: 'connection-expired' }));
    expect(failed.length).toBeGreaterThan(2);
    expect(run.jobs).toMatchObject(failed);
    expect(await connectionOf(connectionId)).toMatchObject({ status: 'EXPIRED', syncStatus: 'IDLE' });
    // The same link heals it.
    const again = await tenant.connect('ECOMMERCE');
    expect(again.connectionId).toBe(connectionId);
    await tenant.run(again.syncSvcId);
    expect(await runOf(again.syncSvcId)).toMatchObject({ state: 'SUCCESS' });
    expect(await connectionOf(connectionId)).toMatchObject({ status: 'HEALTHY' });
  });

  test('whose token expires during a run is called with a new one', async () => {
    tenant = await createSandboxTenant(engine, sandbox);
    const { syncSvcId } = await tenant.connect('ECOMMERCE');
    await control(sandbox, 'POST', `/accounts/${tenant.account}/tokens`, { action: 'expire' });
    await tenant.run(syncSvcId);
    expect(await runOf(syncSvcId)).toMatchObject({ state: 'SUCCESS' });
  });

  test('that lists too few records removes none', async () => {
    const own = engineOf(app, sandbox.url);
    tenant = await createSandboxTenant(own, sandbox);
    const { syncSvcId, connectionId } = await tenant.connect('ACCOUNTING');
    await tenant.run(syncSvcId);
    await control(sandbox, 'POST', '/mutate', {
      account: tenant.account,
      platform: 'accounting',
      kind: 'Partners',
      share: 0,
      deletes: 25,
      voids: 0,
      seed: 1,
    });
    const living = () =>
      admin.prisma.contact.count({
        where: { svcCompanyId: BigInt(tenant.companyId), svcDeletedAt: null },
      });
    const before = await living();
    const connected = { connectionId } as never;
    const refused = await tenant.sync(connected, { fullSync: true, dataModels: ['CONTACTS'] });
    expect((await runOf(refused)).jobs).toMatchObject([
      { state: 'FAILED', errorCode: 'too-many-deleted', deleted: 0 },
    ]);
    expect(await living()).toBe(before);
    const brave = engineOf(app, sandbox.url, { maxDeletedShare: 1 });
    Object.assign(own, brave);
    const allowed = await tenant.sync(connected, { fullSync: true, dataModels: ['CONTACTS'] });
    expect((await runOf(allowed)).jobs).toMatchObject([{ state: 'SUCCESS', deleted: 25 }]);
    expect(await living()).toBe(before - 25);
  });
});
