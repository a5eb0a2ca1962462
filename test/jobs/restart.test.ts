import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { App } from '../../src/app.js';
import { organisationScope } from '../../src/db/scope.js';
import { addJob } from '../../src/jobs/add-job.js';
import type { TaskContext } from '../../src/jobs/tasks.js';
import { startWorker } from '../../src/jobs/worker.js';
import { createLog } from '../../src/telemetry/log.js';
import { admin } from '../support/admin.js';
import { type CuttingProxy, openCuttingProxy } from '../support/cutting-proxy.js';
import { createTenant, type Tenant } from '../support/seed.js';
import { startApp, testDatabaseUrl, testLogin } from '../support/service.js';
import { until } from '../support/until.js';

let app: App;
let tenant: Tenant;
let proxy: CuttingProxy;

beforeAll(async () => {
  app = await startApp();
  tenant = await createTenant(app, 'restart');
  proxy = await openCuttingProxy(testDatabaseUrl());
});
afterAll(async () => {
  proxy?.close();
  await app?.close();
});

const nothing = () => Promise.resolve();
const untilAborted = ({ signal }: TaskContext) =>
  new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });

/** One job for each lane of a worker. */
async function addJobs(): Promise<void> {
  const { organisationId, companyId: svcCompanyId } = tenant;
  const sql = app.database.sql(organisationScope(organisationId));
  const ids = { organisationId, svcCompanyId };
  await addJob(sql, { task: 'sync', payload: { ...ids, syncSvcId: 1 }, queue: 'a', key: 'a' });
  await addJob(sql, { task: 'write', payload: { ...ids, uploadSvcId: 1 }, queue: 'b', key: 'b' });
}

const jobsLeft = async (): Promise<number> => {
  const { rows } = await admin.pool.query(
    `SELECT count(*)::int AS count FROM graphile_worker.jobs WHERE key IN ('a', 'b')`,
  );
  return rows[0].count;
};

test('a job runs again whose end was lost while the worker that had it failed to start completely', async () => {
  const runs = { sync: 0, write: 0 };
  let isRestarting = false;
  const run = async (task: keyof typeof runs, context: TaskContext) => {
    runs[task] += 1;
    // The job of the lane that started; the other job has no lane yet.
    if (isRestarting) await untilAborted(context);
  };
  const worker = await startWorker({
    login: testLogin(proxy.url),
    concurrency: 1,
    log: createLog('silent'),
    tasks: {
      sync: (_payload, context) => run('sync', context),
      write: (_payload, context) => run('write', context),
      look: nothing,
    },
    everyMinute: nothing,
    onDeadWorkers: nothing,
    onReplacedWorkers: nothing,
    onTooSlow: nothing,
  });
  try {
    let starts = 0;
    let lostEnds = 0;
    proxy.guard(async (request) => {
      // The first request of each lane.
      if (request.includes('biggest_breaking_id') && (starts += 1) === 2) {
        isRestarting = true;
        await addJobs();
        await until('the job of the other lane', () => runs.sync + runs.write === 1);
        return false;
      }
      if (isRestarting && lostEnds === 0 && request.includes('complete_job_q')) {
        isRestarting = false;
        lostEnds += 1;
        return false;
      }
      return starts > 0 || !request.includes('get_job');
    });
    await until('both jobs to be done', async () => lostEnds === 1 && (await jobsLeft()) === 0);
    expect(runs.sync + runs.write).toBe(3);
  } finally {
    proxy.guard(() => true);
    await worker.stop();
  }
});
