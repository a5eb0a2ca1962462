import { expect, test } from '@jest/globals';
import { testLogin } from '../support/service.js';
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
  const connections = new Connections(pool, { size: 3, perOrganisation: 2, mostWaiting: 10 });
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
