import { afterAll, expect, test } from '@jest/globals';
import { createEmptyDatabase } from '../support/database.js';
import { Folders, freePort, start } from './commands.js';

const folders = new Folders();
afterAll(() => folders.remove());

const missing = Object.assign(new URL(await createEmptyDatabase()), { pathname: '/not_there' }).href;

test.each([
  [
    missing,
    `SANDBOX_DATABASE_URL: cannot use not_there at ${new URL(missing).host}: database "not_there" does not exist\n`,
  ],
  [
    'postgresql://a:b@127.0.0.1:1/c',
    'SANDBOX_DATABASE_URL: cannot use c at 127.0.0.1:1: connect ECONNREFUSED 127.0.0.1:1\n',
  ],
  [
    'localhost',
    'These settings cannot be used:\n  SANDBOX_DATABASE_URL must be postgresql://user:password@host:5432/database\n',
  ],
])('sandbox says what is wrong with SANDBOX_DATABASE_URL: %#', async (url, message) => {
  const settings = { SANDBOX_DATABASE_URL: url };
  const { code, stdout, stderr } = await start(
    'dist/cli/sandbox.js',
    ['--port', String(await freePort())],
    settings,
    folders.make(),
  ).ended;
  expect({ code, stdout, stderr }).toEqual({ code: 1, stdout: '', stderr: message });
});

test('sandbox runs on the PostgreSQL of SANDBOX_DATABASE_URL', async () => {
  const settings = { SANDBOX_DATABASE_URL: await createEmptyDatabase() };
  const running = start(
    'dist/cli/sandbox.js',
    ['--port', String(await freePort())],
    settings,
    folders.make(),
  );
  await running.says('The sandbox platforms are at http://127.0.0.1:');
  expect((await running.stop('SIGINT')).code).toBe(0);
});
