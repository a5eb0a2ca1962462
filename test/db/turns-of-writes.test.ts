import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { App } from '../../src/app.js';
import { Login } from '../../src/db/pool/login.js';
import { createPool } from '../../src/db/pool/pool.js';
import { admin } from '../support/admin.js';
import { createTenant } from '../support/seed.js';
import { createCaller, startApp, testLogin } from '../support/service.js';
import { until } from '../support/until.js';

const HOOK = { name: 'hook', type: 'SYNC_COMPLETED', url: 'https://hooks.example.com' };
const PATH = '/v3/core/webhooks';

let app: App;
beforeAll(async () => {
  app = await startApp({ LIMIT_STATEMENT_MILLISECONDS: '6000', POOL_SIZE: '3' });
});
afterAll(() => app.close());

test('transactions see what was committed before their turn, whatever the database has as default', async () => {
  const url = new URL(testLogin().url);
  url.searchParams.set('options', '-c default_transaction_isolation=serializable');
  const login = new Login([url.href]);
  const pool = createPool({ login, size: 1, statementMilliseconds: 1000, onError: () => undefined });
  try {
    const { rows } = await pool.query('SHOW transaction_isolation');
    expect(rows).toEqual([{ transaction_isolation: 'read committed' }]);
  } finally {
    await pool.end();
  }
});

/** Takes the organisation's turn to create webhooks, until `release`. */
async function takeTurn(organisationId: number) {
  const client = await admin.pool.connect();
  await client.query('BEGIN');
  await client.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [
    `svc webhooks ${organisationId}`,
  ]);
  return {
    waiting: async (): Promise<number> => {
      const { rows } = await client.query(`SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted`);
      return rows.length;
    },
    release: async () => {
      await client.query('ROLLBACK');
      client.release();
    },
  };
}

test('who waits for another write of the same organisation gets its turn', async () => {
  const { organisationId } = await createTenant(app, 'patient');
  const caller = await createCaller(app, organisationId);
  const turn = await takeTurn(organisationId);
  const first = caller.post(PATH, { webhook: HOOK });
  await until('the first to wait', turn.waiting);
  // Prisma waits for two seconds by default.
  await sleep(2500);
  await turn.release();
  expect((await first).status).toBe(200);
});

test('who waits too long for it is told to try again, and nothing is stored', async () => {
  const { organisationId } = await createTenant(app, 'late');
  const caller = await createCaller(app, organisationId);
  const turn = await takeTurn(organisationId);
  try {
    const answers = await Promise.all(Array.from({ length: 4 }, () => caller.post(PATH, { webhook: HOOK })));
    for (const { status, body, headers } of answers) {
      expect([status, body]).toEqual([503, expect.anything()]);
      expect(headers.get('retry-after')).toMatch(/^\d+$/);
    }
  } finally {
    await turn.release();
  }
  expect((await caller.get(PATH)).body).toMatchObject({ data: [] });
});
