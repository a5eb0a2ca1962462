import { Agent, request } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { App } from '../../src/app.js';
import type { Sandbox } from '../../src/sandbox/index.js';
import type { Worker } from '../../src/jobs/worker.js';
import { startTestSandbox } from '../support/sandbox.js';
import { callerOf, startApp } from '../support/service.js';
import { until } from '../support/until.js';
import { createWriting, startWorker, type Writing } from '../support/writing.js';
import { admin } from '../support/admin.js';

let sandbox: Sandbox;
let app: App;
let worker: Worker;
let books: Writing;

beforeAll(async () => {
  sandbox = await startTestSandbox();
  app = await startApp({ SANDBOX_URL: sandbox.url });
  worker = await startWorker(sandbox);
  books = await createWriting(app, sandbox);
  // From now on nobody takes up writes.
  await worker.stop();
});
afterAll(async () => {
  await app?.close();
  await sandbox?.stop();
});

describe('an app that stops', () => {
  test('is not ready while it drains, and answers as before', async () => {
    const one = await startApp();
    const caller = callerOf(one, books.caller.key);
    expect((await caller.get('/health/ready')).status).toBe(200);
    one.drain();
    expect(await caller.get('/health/ready')).toMatchObject({ status: 503, body: { status: 'stopping' } });
    expect((await caller.get('/health/live')).status).toBe(200);
    expect((await caller.get('/v3/accounting/accounts?limit=1')).status).toBe(200);
    await one.close();
  });

  test('tells callers who wait for their write that it is pending, and ends', async () => {
    const one = await startApp({ SANDBOX_URL: sandbox.url });
    const caller = callerOf(one, books.caller.key);
    const body = { company_id: books.companyId, data: [books.journal(5)] };
    const bulk = caller.post('/accounting/journal_entries', body);
    const single = caller.post('/v3/accounting/journal_entries', body);
    await until('both writes to be noted', async () => {
      const { rows } = await admin.pool.query<{ count: number }>(
        `SELECT count(*)::int AS count FROM uploads WHERE svc_company_id = $1`,
        [books.companyId],
      );
      return rows[0]?.count === 2;
    });
    const began = performance.now();
    await one.close();
    // Far below WRITE_WAIT_MS, which is 25 s.
    expect(performance.now() - began).toBeLessThan(12_000);
    expect(await bulk).toMatchObject({ status: 200, body: { data: { status: 'PENDING' } } });
    expect(await single).toMatchObject({ status: 200, body: { sync_id: expect.any(String) } });
  });

  test('answers what arrives over an open connection, and asks to close it', async () => {
    const one = await startApp({ SANDBOX_URL: sandbox.url });
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const ask = (path: string) =>
      new Promise<{ status: number; connection: string | undefined }>((resolve, reject) => {
        const headers = { api_key: books.caller.key };
        request(one.url + path, { agent, headers }, (answer) => {
          answer
            .resume()
            .on('end', () =>
              resolve({ status: answer.statusCode ?? 0, connection: answer.headers.connection }),
            );
        })
          .on('error', reject)
          .end();
      });
    expect(await ask('/v3/accounting/accounts?limit=1')).toEqual({ status: 200, connection: 'keep-alive' });
    one.drain();
    expect(await ask('/v3/accounting/accounts?limit=1')).toEqual({ status: 200, connection: 'keep-alive' });
    const closing = one.close();
    expect(await ask('/v3/accounting/accounts?limit=1')).toEqual({ status: 200, connection: 'close' });
    await closing;
    agent.destroy();
  });
});
