import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { App } from '../../src/app.js';
import type { Worker } from '../../src/jobs/worker.js';
import type { Sandbox } from '../../src/sandbox/index.js';
import { openProxy } from '../../chaos/proxy.js';
import { admin } from '../support/admin.js';
import { startReceiver } from '../support/events.js';
import { startTestSandbox } from '../support/sandbox.js';
import { startApp, testDatabaseUrl } from '../support/service.js';
import { until } from '../support/until.js';
import { startWorkerProcess } from '../support/worker-process.js';
import { createWriting, startWorker, type Writing } from '../support/writing.js';

let proxy: Awaited<ReturnType<typeof openProxy>>;
let sandbox: Sandbox;
let app: App;
let worker: Worker;
let books: Writing;

beforeAll(async () => {
  proxy = await openProxy(testDatabaseUrl());
  sandbox = await startTestSandbox();
  app = await startApp({ SANDBOX_URL: sandbox.url, WRITE_WAIT_MS: '500' });
  books = await createWriting(app, sandbox);
});
beforeEach(async () => {
  worker = await startWorker(sandbox, { DATABASE_URL: proxy.url });
});
afterEach(() => worker.stop());
afterAll(async () => {
  await app?.close();
  await sandbox?.stop();
  proxy?.close();
});

/** Locks of worker pools: those that are held, and those that are waited for. */
async function locks(): Promise<{ pid: number; granted: boolean }[]> {
  const { rows } = await admin.pool.query(
    `SELECT l.pid, l.granted FROM pg_locks l JOIN pg_database d ON d.oid = l.database
     WHERE d.datname = current_database() AND l.locktype = 'advisory' AND l.classid = 7411203 AND l.objsubid = 2`,
  );
  return rows;
}

test('a network that swallows the sessions of a worker leaves no jobs and no sessions behind', async () => {
  const before = (await until('the locks', locks)).map(({ pid }) => pid);
  proxy.abandon();
  const answer = await books.write('/accounting/journal_entries', [books.journal(1)]);
  expect(answer.status).toBe(200);
  await until('locks of another session', async () => {
    const held = await locks();
    return held.length > 0 && held.every(({ pid, granted }) => granted && !before.includes(pid));
  });
  const ended = { svcCompanyId: BigInt(books.companyId), state: 'SUCCESS' };
  await until('the end of the write', () => admin.prisma.upload.count({ where: ended }));
});

test('nor does it send events of webhooks again and again, when its server has ended the session', async () => {
  const receiver = await startReceiver();
  const sessions = async () => {
    const { rows } = await admin.pool.query(
      `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'svc events'`,
    );
    return rows.map(({ pid }) => pid as number);
  };
  const before = await until('the session', async () => {
    const pids = await sessions();
    return pids.length > 0 && pids;
  });
  proxy.abandon();
  await admin.pool.query('SELECT pg_terminate_backend(pid) FROM unnest($1::int[]) AS s (pid)', [before]);
  await until('another session', async () => (await sessions()).some((pid) => !before.includes(pid)));
  await books.caller.post('/v3/core/webhooks', {
    webhook: {
      name: 'hook',
      type: 'DATA_MODEL_CHANGES',
      data_models: ['JOURNAL_ENTRIES'],
      url: receiver.url,
    },
  });
  // Long enough for others to take a webhook that is nobody's.
  receiver.answer((_one, response) => void setTimeout(() => response.writeHead(204).end(), 3000));
  expect((await books.write('/accounting/journal_entries', [books.journal(2)])).status).toBe(200);
  await until('the end of the delivery', () =>
    admin.prisma.webhookDelivery.count({ where: { state: 'DELIVERED' } }),
  );
  expect(receiver.got).toHaveLength(1);
  await receiver.close();
});

test('a worker that stands still leaves its jobs to others, and is one again when it goes on', async () => {
  await worker.stop();
  await until('no other worker', async () => (await locks()).length === 0);
  const standing = startWorkerProcess({ env: { SANDBOX_URL: sandbox.url } });
  // One that stands still in the middle of its start ends instead.
  await standing.says('Running jobs');
  const own = async () => (await locks())[0]?.pid;
  const before = await until('its lock', own);
  standing.process.kill('SIGSTOP');
  await until('the end of its session', async () => (await own()) === undefined);
  standing.process.kill('SIGCONT');
  const after = await until('its lock again', async () => {
    expect(standing.process.exitCode).toBe(null);
    return own();
  });
  expect(after).not.toBe(before);
  expect((await standing.stop()).code).toBe(0);
});
