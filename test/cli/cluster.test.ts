import { afterAll, expect, test } from '@jest/globals';
import { databaseUrl } from '../support/database.js';
import { Folders, start } from './commands.js';

const folders = new Folders();
afterAll(() => folders.remove());

test.each([[[]], [['--dry-run']]])('cluster:distribute %j leaves plain PostgreSQL alone', async (options) => {
  const settings = { DATABASE_URL: databaseUrl };
  const { code, stdout, stderr } = await start(
    'dist/cli/cluster.js',
    ['distribute', ...options],
    settings,
    folders.make(),
  ).ended;
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toMatch(/^DATABASE_URL.*the extension citus is not in it/);
});
