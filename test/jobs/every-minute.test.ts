import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { App } from '../../src/app.js';
import { organisationScope } from '../../src/db/scope.js';
import { addJob } from '../../src/jobs/add-job.js';
import { startWorker, type Worker } from '../../src/jobs/worker.js';
import { createLog } from '../../src/telemetry/log.js';
import { admin } from '../support/admin.js';
import { createTenant, type Tenant } from '../support/seed.js';
import { startApp, testLogin } from '../support/service.js';
import { until } from '../support/until.js';

let app: App;
let tenant: Tenant;
let workers: Worker[] = [];
let runs = 0;
let looks = 0;
let mayEnd = false;

beforeAll(async () => {
  app = await startApp();
  tenant = await createTenant(app, 'every minute');
});
beforeEach(() => {
  runs = 0;
  looks = 0;
  mayEnd = false;
});
afterEach(async () => {
  mayEnd = true;
  await Promise.all(workers.map((worker) => worker.stop()));
  workers = [];
});
afterAll(() => app.close());

const nothing = () => Promise.resolve();
async function addWorker(): Promise<void> {
  const worker = await startWorker({
    login: testLogin(),
    concurrency: 4,
    log: createLog('silent'),
    tasks: { sync: nothing, write: nothing, look: () => Promise.resolve(void (looks += 1)) },
    everyMinute: async () => {
      runs += 1;
      await until('its end', () => mayEnd);
    },
    onDeadWorkers: nothing,
    onReplacedWorkers: nothing,
    onTooSlow: nothing,
  });
  workers.push(worker);
}

/** Adds the job as workers do from time to time, and makes it due. */
async function addDue(): Promise<void> {
  await app.database.pool.query('SELECT svc_add_every_minute()');
  await admin.pool.query(
    `UPDATE graphile_worker._private_jobs SET run_at = now() - interval '1 second'
     WHERE key = 'every_minute' AND locked_at IS NULL`,
  );
}

/** Until workers have had jobs that are due later than that of every minute. */
async function untilPassed(): Promise<void> {
  const { organisationId, companyId: svcCompanyId } = tenant;
  const before = looks;
  for (const itemSvcId of [1, 2, 3]) {
    await addJob(app.database.sql(organisationScope(organisationId)), {
      task: 'look',
      payload: { organisationId, svcCompanyId, itemSvcId, looks: 0 },
      queue: `look:${itemSvcId}`,
      key: `look:${itemSvcId}`,
    });
    const wanted = before + itemSvcId;
    await until('another job', () => looks === wanted);
  }
}

test('a run that lasts longer than a minute is not joined by the next one, which follows it', async () => {
  await addWorker();
  await addWorker();
  await addDue();
  await until('the first run', () => runs === 1);
  await addDue();
  await untilPassed();
  expect(runs).toBe(1);
  mayEnd = true;
  await until('the next run', () => runs > 1);
});

test('nor is it waited for when its process has died', async () => {
  await addDue();
  await admin.pool.query(
    `WITH dead AS (
       UPDATE graphile_worker._private_jobs SET locked_by = 'dead', locked_at = now() - interval '10 seconds'
       WHERE key = 'every_minute' RETURNING job_queue_id
     )
     UPDATE graphile_worker._private_job_queues q SET locked_by = 'dead', locked_at = now() - interval '10 seconds'
     FROM dead d WHERE q.id = d.job_queue_id`,
  );
  await addDue();
  await addWorker();
  await until('a run', () => runs === 1);
});
