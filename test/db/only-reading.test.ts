import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import type { App } from '../../src/app.js';
import { AppError } from '../../src/errors.js';
import type { Worker } from '../../src/jobs/worker.js';
import { startPrimary } from '../support/standby.js';
import { makeTemplate } from '../support/template.js';
import { until } from '../support/until.js';

// The whole server is set to read only, which other tests' server must not be.
const primary = await startPrimary();
await makeTemplate(primary.url, `svc_test_${randomBytes(4).toString('hex')}`, [primary.url], 'svc');
const { callerOf, createCaller, startApp, testDatabaseUrl } = await import('../support/service.js');
const { createTenant } = await import('../support/seed.js');
const { startWorker } = await import('../support/writing.js');
const { startTestSandbox } = await import('../support/sandbox.js');

let app: App;
let worker: Worker;
let sandbox: Awaited<ReturnType<typeof startTestSandbox>>;
const operator = new pg.Client({ connectionString: primary.url });

beforeAll(async () => {
  await operator.connect();
  sandbox = await startTestSandbox();
  app = await startApp();
  worker = await startWorker(sandbox);
});
afterAll(async () => {
  await setReading(false);
  await worker?.stop();
  await app?.close();
  await sandbox?.stop();
  await operator.end();
  await primary.stop();
});

async function setReading(isReading: boolean): Promise<void> {
  await operator.query(`ALTER SYSTEM SET default_transaction_read_only = ${isReading ? 'on' : 'off'}`);
  await operator.query('SELECT pg_reload_conf()');
}

/** The sessions that the service keeps, by their process. */
async function sessions(): Promise<Map<number, string>> {
  const { rows } = await operator.query<{ pid: number; name: string }>(
    `SELECT pid, application_name AS name FROM pg_stat_activity
     WHERE datname = $1 AND usename <> current_user AND application_name IN ('svc events', 'svc wakes', 'svc worker')`,
    [new URL(testDatabaseUrl()).pathname.slice(1)],
  );
  return new Map(rows.map(({ pid, name }) => [pid, name]));
}

/** Whether it could write: false as long as the server only reads. */
async function writes(write: () => Promise<unknown>): Promise<boolean> {
  try {
    await write();
    return true;
  } catch (error) {
    if (error instanceof AppError && error.code === 'service-unavailable') return false;
    throw error;
  }
}

test('who is at a server that only reads leaves it, as another one has taken over', async () => {
  const acme = await createTenant(app, 'turned');
  const reader = await createCaller(app, acme.organisationId);
  const stop = new AbortController();
  const watch = app.database.wakes.watch(acme.organisationId, ['change_heads']);
  await watch.news(stop.signal);
  const WANTED = ['svc events', 'svc wakes', 'svc worker'];
  const list = () => reader.get('/v3/accounting/accounts');
  await until('all sessions', async () => {
    expect((await list()).status).toBe(200);
    const names = new Set((await sessions()).values());
    return WANTED.every((name) => names.has(name));
  });
  const before = await sessions();
  await setReading(true);
  try {
    await until('the sessions to be left', async () => {
      // Reads are answered all the time.
      expect((await list()).status).toBe(200);
      const now = await sessions();
      return [...before.keys()].every((pid) => !now.has(pid));
    });
  } finally {
    await setReading(false);
  }
  const heard = watch.news(stop.signal);
  // Each session of the server hears of the setting by itself, some of them later than others.
  await until('a write to be taken', () =>
    writes(() => acme.store('Account', [{ platformId: 'a', values: {} }])),
  );
  await heard;
  watch.end();
  expect((await callerOf(app, null).get('/health/ready')).status).toBe(200);
});
