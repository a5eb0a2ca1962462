import { expect, test } from '@jest/globals';
import { admin } from '../support/admin.js';
import { createTenant } from '../support/seed.js';
import { createCaller, startApp, testLogin } from '../support/service.js';
import { until } from '../support/until.js';
import { runDatabaseScript } from './database-script.js';

/** Reads twice on new connections and twice on those, and tells which of the four requests are still in memory. */
const READ = `
  import { setImmediate } from 'node:timers/promises';
  import { setFlagsFromString } from 'node:v8';
  import { runInNewContext } from 'node:vm';
  import { Connections } from './pool/connections.js';
  import { Login } from './pool/login.js';
  import { createPool } from './pool/pool.js';
  import { organisationScope } from './scope.js';

  setFlagsFromString('--expose-gc');
  const login = new Login([process.argv[1]]);
  const pool = createPool({ login, size: 3, statementMilliseconds: 60_000, onError: () => undefined });
  const connections = new Connections(pool, { size: 3, perOrganisation: 2, maxWaiting: 10 });
  const requests = [];
  async function read() {
    const held = { add: () => null, free: () => undefined };
    requests.push(new WeakRef(held));
    const { signal } = new AbortController();
    await connections.query({ text: 'SELECT 1', held }, organisationScope(1), signal);
  }
  await Promise.all([read(), read()]);
  await Promise.all([read(), read()]);
  // Until the end of a turn, what a WeakRef was made for stays.
  await setImmediate();
  runInNewContext('gc')();
  console.log(pool.idleCount, requests.map((one) => one.deref() !== undefined).join());
  await pool.end();
`;

test('a connection that is free keeps nothing of the requests that it was taken for', async () => {
  const { stdout } = await runDatabaseScript(READ, testLogin().url).ended;
  expect(stdout).toBe('2 false,false,false,false\n');
});

test('a session whose statements could not be prepared is used for nothing', async () => {
  const app = await startApp({ LIMIT_STATEMENT_MILLISECONDS: '3000' });
  const locking = await admin.pool.connect();
  try {
    const tenant = await createTenant(app, 'locked');
    const caller = await createCaller(app, tenant.organisationId);
    const list = async () => (await caller.get('/v3/accounting/accounts')).status;
    await locking.query('BEGIN');
    await locking.query('LOCK TABLE change_heads IN ACCESS EXCLUSIVE MODE');
    await locking.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE application_name = 'unified-financial-data-service' AND datname = current_database()`,
    );
    expect(await list()).toBeGreaterThanOrEqual(503);
    await locking.query('COMMIT');
    await until('the lists to be answered', async () => {
      const status = await list();
      expect(status).not.toBe(500);
      return status === 200;
    });
  } finally {
    locking.release(true);
    await app.close();
  }
});
