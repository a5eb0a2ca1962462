import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { App } from '../../src/app.js';
import type { Sandbox } from '../../src/sandbox/index.js';
import type { Category } from '../../src/records/define.js';
import type { ConnectedAccount } from '../../src/connect/store-connection.js';
import { LeaseLost } from '../../src/runs/lease.js';
import { claimRun } from '../../src/sync/state/run-state.js';
import { startSync } from '../../src/sync/start-sync.js';
import { admin } from '../support/admin.js';
import { type Heard, type OddPlatform, startOddPlatform } from '../support/platform.js';
import {
  control,
  createSandboxTenant,
  engineOf,
  type SandboxTenant,
  startTestSandbox,
} from '../support/sandbox.js';
import { startApp } from '../support/service.js';
import { statementsOf } from '../support/statements.js';

let app: App;
let sandbox: Sandbox;

beforeAll(async () => {
  app = await startApp();
  sandbox = await startTestSandbox();
});
afterAll(async () => {
  await sandbox.stop();
  await app.close();
});

const jobsOf = (syncSvcId: number) =>
  admin.prisma.syncJob.findMany({
    where: { syncSvcId: BigInt(syncSvcId) },
    orderBy: { position: 'asc' },
  });

async function synced(
  category: Category,
  engine = engineOf(app, sandbox.url),
): Promise<[SandboxTenant, ConnectedAccount]> {
  const tenant = await createSandboxTenant(engine, sandbox);
  const connected = await tenant.connect(category);
  await tenant.run(connected.syncSvcId);
  return [tenant, connected];
}

/** A sync that waits for its worker. */
const wanted = (tenant: SandboxTenant, { connectionId }: ConnectedAccount, dataModels: readonly string[]) =>
  app.database.sql(tenant.link.scope).transaction(async (transaction) => {
    const { syncSvcId } = await startSync(transaction, {
      svcCompanyId: tenant.companyId,
      connectionId,
      syncType: 'MANUAL',
      fullSync: false,
      syncFrom: null,
      dataModels,
    });
    return syncSvcId;
  });
const dueNow = ({ connectionId }: ConnectedAccount) =>
  admin.prisma.connection.updateMany({
    where: { svcId: BigInt(connectionId) },
    data: { pausedUntil: null },
  });

/** Before the sandbox: what `passing` does comes before its answer. */
async function startGate(passing: (heard: Heard) => unknown): Promise<OddPlatform> {
  const gate = await startOddPlatform();
  gate.answer((heard, response) => {
    void (async () => {
      await passing(heard);
      const { host: _host, connection: _connection, ...headers } = heard.headers;
      const answer = await fetch(sandbox.url + heard.url, { headers: headers as Record<string, string> });
      response.writeHead(answer.status, { 'content-type': 'application/json' });
      response.end(await answer.text());
    })();
  });
  return gate;
}

test.each(['ACCOUNTING', 'PAYMENTS', 'ECOMMERCE'] as const)(
  'an incremental sync of %s that finds nothing stores its jobs in one statement',
  async (category) => {
    const [tenant, connected] = await synced(category);
    let sync = 0;
    const statements = await statementsOf(app, async () => {
      sync = await tenant.sync(connected);
    });
    const jobs = await jobsOf(sync);
    expect(jobs.length).toBeGreaterThan(4);
    const texts = statements.map(({ text }) => text.trim());
    expect(texts.filter((text) => text.startsWith('UPDATE sync_jobs'))).toHaveLength(1);
    // To start and to end, along with its jobs.
    expect(texts.filter((text) => text === 'BEGIN')).toHaveLength(2);
    // Each has its own start, as far as milliseconds tell.
    expect(Number(jobs.at(-1)?.startedAt)).toBeGreaterThan(Number(jobs[0]?.startedAt));
    const marks = await admin.prisma.syncMark.findMany({
      where: { connectionId: BigInt(connected.connectionId) },
    });
    for (const { dataModel, state, phase, since, startedAt, endedAt, pages } of jobs) {
      expect({ dataModel, state, phase }).toEqual({ dataModel, state: 'SUCCESS', phase: 'SWEEP' });
      expect({ dataModel, pages: pages > 0 }).toEqual({ dataModel, pages: true });
      expect(Number(startedAt)).toBeGreaterThan(Number(since));
      expect(Number(startedAt)).toBeLessThanOrEqual(Number(endedAt));
      const mark = marks.find((one) => one.dataModel === dataModel);
      // The next one asks for what changed since; platforms tell whole seconds.
      expect(Number(startedAt) - Number(mark?.pulledTo)).toBeLessThan(2000);
    }
  },
);

test('begins a job whose first records come late before those are stored', async () => {
  const [tenant, connected] = await synced('PAYMENTS');
  const { deleted, changed } = await control(sandbox, 'POST', '/mutate', {
    account: tenant.account,
    platform: 'payments',
    share: 0.01,
    deletes: 2,
    voids: 0,
    seed: 3,
  });
  expect({ deleted: deleted.length > 0, changed: changed.length > 0 }).toEqual({
    deleted: true,
    changed: true,
  });
  let sync = 0;
  const statements = await statementsOf(app, async () => {
    sync = await tenant.sync(connected);
  });
  const jobs = await jobsOf(sync);
  expect(jobs.map(({ state }) => state)).toEqual(jobs.map(() => 'SUCCESS'));
  expect(jobs.reduce((sum, job) => sum + job.deleted, 0)).toBe(deleted.length);
  const found = jobs.filter((job) => job.recordsRead + job.deleted > 0);
  expect(found.length).toBeLessThan(jobs.length);
  const begun = statements.filter(({ text }) => text.startsWith("UPDATE sync_jobs t SET state = 'RUNNING'"));
  expect(begun).toHaveLength(found.length);
  // Pages before the one that it began with count, too.
  expect(new Set(jobs.map(({ pages }) => pages)).size).toBe(1);
});

test('record types that ended before a failure are not read again', async () => {
  const [tenant, connected] = await synced('ACCOUNTING');
  const path = '/accounting/api/2/Products';
  await control(sandbox, 'POST', '/faults', {
    rules: [{ platform: 'accounting', account: tenant.account, path, fault: '500', share: 1 }],
  });
  const sync = await tenant.sync(connected);
  await control(sandbox, 'DELETE', '/faults');
  const before = await jobsOf(sync);
  const failing = before.findIndex(({ dataModel }) => dataModel === 'ITEMS');
  expect(failing).toBeGreaterThan(0);
  expect(before.map(({ state }) => state)).toEqual(
    before.map((_job, place) => (place < failing ? 'SUCCESS' : 'CREATED')),
  );
  await dueNow(connected);
  await tenant.run(sync);
  const after = await jobsOf(sync);
  expect(after.map(({ state }) => state)).toEqual(after.map(() => 'SUCCESS'));
  expect(after.slice(0, failing)).toEqual(before.slice(0, failing));
});

test('a job that finds nothing on many pages does not begin anew after each pause', async () => {
  const engine = engineOf(app, sandbox.url);
  const [tenant, connected] = await synced('ACCOUNTING', engine);
  const platform = await startOddPlatform();
  const pageCount = 20;
  let left = 0;
  const read: number[] = [];
  platform.answer(({ url }, response) => {
    left -= 1;
    if (left < 0) return void response.writeHead(429, { 'retry-after': '60' }).end();
    const page = Number(new URL(url, platform.url).searchParams.get('page'));
    read.push(page);
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ SalesInvoices: [], Paging: { Page: page, PageCount: pageCount } }));
  });
  Object.assign(engine, { urls: { SVC_SANDBOX: platform.url } });
  try {
    const sync = await tenant.sync(connected, { dataModels: ['INVOICES'] });
    for (let rounds = 0; rounds < 3; rounds += 1) {
      left = 8;
      await dueNow(connected);
      await tenant.run(sync);
    }
    expect(read.at(-1)).toBe(pageCount);
    // Those read ahead when the pause came are read again.
    expect(read.length).toBeLessThan(pageCount + 3);
    expect(await jobsOf(sync)).toMatchObject([{ state: 'SUCCESS', pages: pageCount }]);
  } finally {
    await platform.close();
  }
});

test('stops a worker between two empty pages', async () => {
  const engine = engineOf(app, sandbox.url);
  const [tenant, connected] = await synced('ACCOUNTING', engine);
  const platform = await startOddPlatform();
  const stop = new AbortController();
  platform.answer(({ url }, response) => {
    stop.abort();
    const page = Number(new URL(url, platform.url).searchParams.get('page'));
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ SalesInvoices: [], Paging: { Page: page, PageCount: 5 } }));
  });
  try {
    const sync = await wanted(tenant, connected, ['INVOICES']);
    Object.assign(engine, { urls: { SVC_SANDBOX: platform.url } });
    await tenant.run(sync, stop.signal);
    expect(await admin.prisma.sync.findFirst({ where: { svcId: BigInt(sync) } })).toMatchObject({
      state: 'INTERRUPTED',
    });
    // And one that is read ahead.
    expect(platform.heard.length).toBeLessThanOrEqual(2);
  } finally {
    await platform.close();
  }
});

test('a worker that is to stop keeps the jobs that have ended', async () => {
  const engine = engineOf(app, sandbox.url);
  const [tenant, connected] = await synced('ACCOUNTING', engine);
  const stop = new AbortController();
  const gate = await startGate(({ url }) => {
    if (url.includes('/Products')) stop.abort();
  });
  try {
    const sync = await wanted(tenant, connected, ['TAX_RATES', 'ACCOUNTS', 'ITEMS', 'CONTACTS']);
    Object.assign(engine, { urls: { SVC_SANDBOX: gate.url } });
    await tenant.run(sync, stop.signal);
    expect((await jobsOf(sync)).map(({ state }) => state)).toEqual([
      'SUCCESS',
      'SUCCESS',
      'SUCCESS',
      'CREATED',
    ]);
  } finally {
    await gate.close();
  }
});

test('keeps jobs ended if the sync then fails to resolve codes', async () => {
  const [tenant, connected] = await synced('ACCOUNTING');
  const company = `svc_company_id = ${tenant.companyId}`;
  await admin.pool.query(`UPDATE invoices SET unresolved = true WHERE ${company}`);
  await admin.pool.query(
    `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
       IF new.${company} THEN RAISE 'refused'; END IF; RETURN new; END $$;
     CREATE TRIGGER refuse BEFORE UPDATE ON invoices FOR EACH ROW EXECUTE FUNCTION refuse()`,
  );
  const sync = await tenant.sync(connected);
  await admin.pool.query('DROP TRIGGER refuse ON invoices; DROP FUNCTION refuse()');
  expect(await admin.prisma.sync.findFirst({ where: { svcId: BigInt(sync) } })).toMatchObject({
    state: 'FAILED',
  });
  const jobs = await jobsOf(sync);
  expect(jobs.map(({ state }) => state)).toEqual(jobs.map(() => 'SUCCESS'));
});

test('begins no job of a run that its worker has lost', async () => {
  const engine = engineOf(app, sandbox.url);
  const [tenant, connected] = await synced('ACCOUNTING', engine);
  await control(sandbox, 'POST', '/mutate', {
    account: tenant.account,
    platform: 'accounting',
    kind: 'Partners',
    share: 0.1,
    deletes: 0,
    voids: 0,
    seed: 3,
  });
  const sync = await wanted(tenant, connected, ['CONTACTS']);
  let isTaken = false;
  const gate = await startGate(async () => {
    if (isTaken) return;
    isTaken = true;
    await claimRun(
      app.database.sql(tenant.link.scope),
      { svcCompanyId: tenant.companyId, syncSvcId: sync },
      'another',
    );
  });
  Object.assign(engine, { urls: { SVC_SANDBOX: gate.url } });
  try {
    await expect(tenant.run(sync)).rejects.toBeInstanceOf(LeaseLost);
    // Its start would be taken for the other worker's, which may have read before.
    expect(await jobsOf(sync)).toMatchObject([{ state: 'CREATED', startedAt: null }]);
    await tenant.run(sync);
    expect(await jobsOf(sync)).toMatchObject([{ state: 'SUCCESS', updated: expect.any(Number) }]);
  } finally {
    await gate.close();
  }
});

test('a job that fails before it finds anything has a start and an end', async () => {
  const [tenant, connected] = await synced('ACCOUNTING');
  const path = '/accounting/api/2/Products';
  await control(sandbox, 'POST', '/faults', {
    rules: [{ platform: 'accounting', account: tenant.account, path, fault: '400', share: 1 }],
  });
  const sync = await tenant.sync(connected);
  await control(sandbox, 'DELETE', '/faults');
  const failed = (await jobsOf(sync)).filter(({ state }) => state === 'FAILED');
  expect(failed).toMatchObject([
    { dataModel: 'ITEMS', startedAt: expect.any(Date), endedAt: expect.any(Date) },
  ]);
});
