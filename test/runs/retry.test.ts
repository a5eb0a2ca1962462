import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { App } from '../../src/app.js';
import { countCrash, MAX_CRASHES } from '../../src/runs/crashes.js';
import { claim, noteProgress } from '../../src/runs/lease.js';
import { Folders, onDatabase, start } from '../cli/commands.js';
import { addSync, connectXero } from '../support/fill-company.js';
import { createTenant, type Tenant } from '../support/seed.js';
import { type Caller, createCaller, startApp, testDatabaseUrl } from '../support/service.js';
import { admin } from '../support/admin.js';

const folders = new Folders();
let app: App;
let acme: Tenant;
let connectionId: number;
let caller: Caller;
let reader: Caller;
let stranger: Caller;

beforeAll(async () => {
  app = await startApp();
  acme = await createTenant(app, 'retry');
  connectionId = await connectXero(app, acme, 'retried books');
  const other = await createTenant(app, 'retry other');
  caller = await createCaller(app, acme.organisationId);
  reader = await createCaller(app, acme.organisationId, { scopes: ['read'] });
  stranger = await createCaller(app, other.organisationId);
});
afterAll(async () => {
  folders.remove();
  await app.close();
});

interface Run {
  readonly svcId: number;
  readonly syncId: string;
}

const take = async ({ svcId }: Run, workerId: string) => {
  const key = { kind: 'sync', svcCompanyId: acme.companyId, svcId } as const;
  const lease = await claim(app.database.sql(acme.scope), key, { workerId, columns: 't.worker_id' });
  if (!lease) throw new Error('the sync cannot be claimed');
  return lease;
};

/** How many of these crashes gave the sync up. */
async function crash(run: Run, times: number): Promise<number> {
  let givenUp = 0;
  for (let count = 0; count < times; count += 1) {
    const workerId = `dies with ${run.syncId}`;
    await take(run, workerId);
    givenUp += await countCrash(app.database, { workerIds: [workerId] });
  }
  return givenUp;
}

async function waitingRun(): Promise<Run> {
  const { syncSvcId, syncId } = await addSync(acme, { connectionId, state: 'PENDING' });
  return { svcId: Number(syncSvcId), syncId };
}

async function givenUpRun(): Promise<Run> {
  const run = await waitingRun();
  expect(await crash(run, MAX_CRASHES)).toBe(1);
  return run;
}

const rowOf = ({ svcId }: Run) => admin.prisma.sync.findFirstOrThrow({ where: { svcId: BigInt(svcId) } });

/** It waits for a worker, with a job, as if it had never failed. */
async function expectRetried(run: Run): Promise<void> {
  const clean = { state: 'INTERRUPTED', crashes: 0, endedAt: null, errorCode: null, errorMessage: null };
  expect(await rowOf(run)).toMatchObject(clean);
  const jobs = await onDatabase(testDatabaseUrl(), (owner) =>
    owner.query('SELECT run_at <= now() AS due FROM graphile_worker.jobs WHERE key = $1', [
      `sync:${run.svcId}`,
    ]),
  );
  expect(jobs.rows).toEqual([{ due: true }]);
  await take(run, 'lives');
}

test('a sync is given up, and says so, after its last crash and not before', async () => {
  const run = await waitingRun();
  expect(await crash(run, MAX_CRASHES - 1)).toBe(0);
  expect(await rowOf(run)).toMatchObject({ state: 'INTERRUPTED', endedAt: null, errorCode: null });
  expect(await crash(run, 1)).toBe(1);
  expect(await rowOf(run)).toMatchObject({ state: 'GIVEN_UP', workerId: null, endedAt: expect.any(Date) });
  const { body } = await caller.get(`/v3/core/syncs/${run.syncId}`);
  expect(body.data.status).toBe('FAILED');
  const shown = await caller.graphql(`{ sync(syncId: "${run.syncId}") { state error { message } } }`);
  expect(shown.body.data.sync).toEqual({
    state: 'GIVEN_UP',
    error: { message: expect.stringContaining('given up') },
  });
  const connection = await admin.prisma.connection.findFirstOrThrow({
    where: { svcId: BigInt(connectionId) },
  });
  expect(connection.syncStatus).toBe('IDLE');
});

test('crashes count from the last progress on', async () => {
  const run = await waitingRun();
  await crash(run, MAX_CRASHES - 1);
  const lease = await take(run, 'stores something');
  expect(lease.crashes).toBe(MAX_CRASHES - 1);
  await noteProgress(app.database.sql(acme.scope), lease);
  expect(await crash(run, MAX_CRASHES - 1)).toBe(0);
  expect(await crash(run, 1)).toBe(1);
});

test('POST /v3/core/syncs/{id}/retry lets it go on', async () => {
  const run = await givenUpRun();
  const path = `/v3/core/syncs/${run.syncId}/retry`;
  expect((await reader.post(path, {})).status).toBe(403);
  expect((await stranger.post(path, {})).status).toBe(404);
  expect((await rowOf(run)).state).toBe('GIVEN_UP');
  const { status, body } = await caller.post(path, {});
  expect([status, body.data.sync_id, body.data.status]).toEqual([200, run.syncId, 'RUNNING']);
  const again = await caller.post(path, {});
  expect([again.status, again.body.error.code]).toEqual([409, 'conflict']);
  await expectRetried(run);
});

test('retrySync lets it go on', async () => {
  const run = await givenUpRun();
  const mutation = `mutation { retrySync(input: { syncId: "${run.syncId}" }) { sync { syncId state } } }`;
  const { body } = await caller.graphql(mutation);
  expect(body).toEqual({ data: { retrySync: { sync: { syncId: run.syncId, state: 'INTERRUPTED' } } } });
  await expectRetried(run);
});

test('npm run retry shows what was given up, and lets go on what is named', async () => {
  const [named, left] = [await givenUpRun(), await givenUpRun()];
  const retry = (...ids: string[]) =>
    start('dist/cli/retry.js', ids, { DATABASE_URL: testDatabaseUrl() }, folders.make()).ended;
  const listed = await retry();
  expect([listed.code, listed.stderr]).toEqual([0, '']);
  for (const { syncId } of [named, left]) {
    expect(listed.stdout).toMatch(new RegExp(`sync +${syncId} +${acme.organisationId} +${acme.companyId} `));
  }
  expect(await retry(named.syncId)).toMatchObject({ code: 0, stdout: '1 run again\n' });
  await expectRetried(named);
  expect((await rowOf(left)).state).toBe('GIVEN_UP');
  const unknown = await retry(named.syncId);
  expect([unknown.code, unknown.stderr]).toEqual([
    1,
    expect.stringContaining(`${named.syncId} was not given up`),
  ]);
  const more = await givenUpRun();
  const open = await admin.prisma.sync.count({ where: { state: 'GIVEN_UP' } });
  expect(await retry('--all')).toMatchObject({ code: 0, stdout: `${open} run again\n`, stderr: '' });
  for (const run of [left, more]) await expectRetried(run);
  expect((await retry('--all')).stdout).toBe('0 run again\n');
});
