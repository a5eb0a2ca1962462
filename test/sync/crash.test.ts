import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { App } from '../../src/app.js';
import { connectorFor } from '../../src/connectors/index.js';
import { packagePath } from '../../src/package-path.js';
import type { Sandbox } from '../../src/sandbox/index.js';
import { Random } from '../../src/sandbox/world/random.js';
import type { SyncEngine } from '../../src/sync/engine.js';
import { type Running, startProcess } from '../support/process.js';
import { createSandboxTenant, engineOf, type SandboxTenant, startTestSandbox } from '../support/sandbox.js';
import { startApp, TEST_SECRET_KEY, testDatabaseUrl } from '../support/service.js';
import { sleep, stretched } from '../support/time.js';
import { until } from '../support/until.js';
import { admin } from '../support/admin.js';

/** As many kills as the promise speaks of. */
const KILLS = Number(process.env['CRASH_KILLS'] ?? 20);
const RECORDS = 4000;
const MAX_SECONDS = 600;
const random = new Random(Number(process.env['CRASH_SEED'] ?? 1));

let app: App;
let sandbox: Sandbox;
let engine: SyncEngine;
/** By each id that a process shows in runs: it takes syncs under one and writes under another. */
const workers = new Map<string, Running>();

beforeAll(async () => {
  app = await startApp();
  sandbox = await startTestSandbox();
  engine = engineOf(app, sandbox.url);
  await Promise.all([startWorker(), startWorker()]);
});
afterAll(async () => {
  await sandbox.stop();
  await app.close();
});

/** A worker as a process of its own. */
async function startWorker(): Promise<void> {
  const worker = startProcess([packagePath('dist/main.js')], {
    env: {
      ...process.env,
      ROLE: 'worker',
      DATABASE_URL: testDatabaseUrl(),
      DEMO_DATA: 'false',
      SANDBOX_URL: sandbox.url,
      SECRET_KEYS: TEST_SECRET_KEY,
      LOG_LEVEL: 'info',
    },
    seconds: MAX_SECONDS,
  });
  const output = await worker.says('"workerId":"', 2);
  for (const [, id = ''] of output.matchAll(/"workerId":"([^"]+)"/g)) workers.set(id, worker);
}

/** No longer one of ours: it is about to end. */
function forget(worker: Running): void {
  for (const [id, one] of workers) if (one === worker) workers.delete(id);
}

const runOf = (syncSvcId: number) =>
  admin.prisma.sync.findFirstOrThrow({
    where: { svcId: BigInt(syncSvcId) },
    include: { jobs: true },
  });

const endOf = (syncSvcId: number) =>
  until('the end of the sync', async () => {
    const run = await runOf(syncSvcId);
    return run.endedAt !== null && run;
  });

/** Kills the worker that holds the run, somewhere in the middle; false when the run had ended before. */
async function killOnce(syncSvcId: number): Promise<number | null> {
  const pagesOf = async () => (await runOf(syncSvcId)).jobs.reduce((sum, { pages }) => sum + pages, 0);
  const start = await pagesOf();
  const page = async () => (await pagesOf()) > start || (await runOf(syncSvcId)).endedAt !== null;
  await until('a page of the sync', page, { everyMilliseconds: 10 });
  await sleep(random.integer(0, 120));
  const { workerId, endedAt, fence } = await runOf(syncSvcId);
  const worker = workers.get(workerId ?? '');
  if (endedAt !== null || !worker) return null;
  forget(worker);
  void worker.stop('SIGKILL');
  const killed = Date.now();
  void startWorker().catch(() => undefined);
  const run = await until('another worker to take the run', async () => {
    const now = await runOf(syncSvcId);
    return (now.fence > fence || now.endedAt !== null) && now;
  });
  // Or it ended before the signal arrived.
  return run.fence > fence ? Date.now() - killed : null;
}

/** What the platform has, by id in our form. */
async function platformObjects(tenant: SandboxTenant): Promise<Map<string, Record<string, unknown>>> {
  const answer = await fetch(`${sandbox.url}/_sandbox/objects?account=${tenant.account}&platform=accounting`);
  const lines = (await answer.text()).trim().split('\n');
  return new Map(lines.map((line) => JSON.parse(line)).map(({ id, object }) => [id, object]));
}

/** What we hold of it, by platform id, as it came, and of how many records: an account at a bank is two. */
async function storedObjects(tenant: SandboxTenant) {
  const found = new Map<string, Record<string, unknown>>();
  let records = 0;
  for (const { definition } of connectorFor('SVC_SANDBOX', 'ACCOUNTING').pulls) {
    const { rows } = await admin.pool.query<{ id: string; raw: Record<string, unknown> }>(
      `SELECT platform_id AS id, raw_data AS raw FROM ${definition.table}
       WHERE svc_company_id = $1 AND svc_deleted_at IS NULL`,
      [tenant.companyId],
    );
    for (const { id, raw } of rows) found.set(id, raw);
    records += rows.length;
  }
  return { stored: found, records };
}

test(
  `${KILLS} killed workers lose nothing, repeat nothing and hold nothing up`,
  async () => {
    const recoveries: number[] = [];
    for (let runs = 1; recoveries.length < KILLS; runs += 1) {
      // A run that ends before its kill is rare; when all do, nothing is being killed.
      expect(runs).toBeLessThan(KILLS + 5);
      const tenant = await createSandboxTenant(engine, sandbox, {
        records: RECORDS,
        platforms: ['accounting'],
      });
      const { syncSvcId } = await tenant.connect('ACCOUNTING');
      for (let took: number | null = 0; took !== null && recoveries.length < KILLS;) {
        took = await killOnce(syncSvcId);
        if (took !== null) recoveries.push(took);
      }
      const { state, jobs } = await endOf(syncSvcId);
      expect({ state, failed: jobs.filter((job) => job.state !== 'SUCCESS') }).toEqual({
        state: 'SUCCESS',
        failed: [],
      });

      const platform = await platformObjects(tenant);
      const { stored, records } = await storedObjects(tenant);
      const missing = [...platform.keys()].filter((id) => !stored.has(id));
      expect(missing).toEqual([]);
      for (const [id, object] of platform) {
        const { raw, ...same } = { raw: stored.get(id), ...object };
        expect(raw).toMatchObject(same);
      }
      // Announced once, whatever was killed; accounts are told again when the account above them has come.
      const changes = await admin.prisma.recordChange.findMany({
        where: { svcCompanyId: BigInt(tenant.companyId) },
      });
      const announced = changes.map(({ svcId, operation }) => `${operation} ${svcId}`);
      expect(announced.length - new Set(announced).size).toBe(0);
      const updates = changes.filter(({ operation }) => operation === 'UPDATE');
      const told = new Set(updates.flatMap((one) => Object.keys((one.changes ?? {}) as object)));
      expect([...told]).toEqual(updates.length > 0 ? ['parent_account_id'] : []);
      expect(changes.length - updates.length).toBe(records);
    }
    // A figure and no limit: it depends on the machine. That another worker takes over at all is what `killOnce` waits for.
    process.stdout.write(`recovered in ${Math.min(...recoveries)} to ${Math.max(...recoveries)} ms\n`);
  },
  stretched(MAX_SECONDS * 1000),
);

test('a worker that is told to stop hands its run back at once and ends well', async () => {
  await until('two workers', () => new Set(workers.values()).size === 2);
  const tenant = await createSandboxTenant(engine, sandbox, {
    records: RECORDS,
    platforms: ['accounting'],
  });
  const { syncSvcId } = await tenant.connect('ACCOUNTING');
  const began = async () => (await runOf(syncSvcId)).jobs.some(({ pages }) => pages > 0);
  await until('the first page of the sync', began, { everyMilliseconds: 10 });
  const { workerId, fence } = await runOf(syncSvcId);
  const worker = workers.get(workerId ?? '');
  if (!worker) throw new Error('the run is with no worker of ours');
  forget(worker);
  expect(await worker.stop()).toMatchObject({ code: 0 });
  const handedBack = await runOf(syncSvcId);
  expect(handedBack.fence > fence || handedBack.state === 'INTERRUPTED').toBe(true);
  expect(await endOf(syncSvcId)).toMatchObject({ state: 'SUCCESS' });
  expect([...(await platformObjects(tenant)).keys()].length).toBeLessThanOrEqual(
    (await storedObjects(tenant)).stored.size,
  );
  // The other test needs two, and may come later.
  await startWorker();
});
