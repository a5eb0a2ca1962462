import { afterAll, describe, expect, test } from '@jest/globals';
import { join } from 'node:path';
import { databaseUrl } from '../support/database.js';
import { startCommand } from '../support/process.js';
import { Folders, ROOT, start } from './commands.js';

const folders = new Folders();
afterAll(() => folders.remove());

const run = (script: string, ...args: string[]) => start(script, args, {}, folders.make()).ended;

describe('--help', () => {
  test.each([
    ['dist/main.js', [], 'npm start'],
    ['dist/cli/keys.js', [], 'npm run keys -- [options] [command]'],
    ['dist/cli/keys.js', ['create'], 'npm run keys -- create'],
    ['dist/cli/keys.js', ['list'], 'npm run keys -- list'],
    ['dist/cli/keys.js', ['revoke'], 'npm run keys -- revoke'],
    ['dist/cli/organisations.js', [], 'npm run organisations -- [options] [command]'],
    ['dist/cli/organisations.js', ['create'], 'npm run organisations -- create'],
    ['dist/cli/organisations.js', ['list'], 'npm run organisations -- list'],
    ['dist/cli/organisations.js', ['revoke'], 'npm run organisations -- revoke'],
    ['dist/cli/db.js', ['migrate'], 'npm run db:migrate --'],
    ['dist/cli/db.js', ['status'], 'npm run db:status --'],
    ['dist/cli/db.js', ['diff'], 'npm run db:diff --'],
    ['dist/cli/db.js', ['reset'], 'npm run db:reset --'],
    ['dist/cli/cluster.js', ['distribute'], 'npm run cluster:distribute --'],
    ['dist/cli/studio.js', [], 'npm run studio --'],
    ['scripts/dev.js', [], 'npm run dev'],
    ['scripts/codegen.js', [], 'npm run codegen'],
    ['scripts/check.js', [], 'npm run check'],
    ['scripts/docs.js', [], 'npm run docs'],
    ['dist/cli/sandbox.js', [], 'npm run sandbox --'],
    ['dist/cli/listen.js', [], 'npm run listen --'],
    ['dist/cli/secrets.js', [], 'npm run secrets:rotate --'],
    ['dist/cli/remap.js', [], 'npm run remap --'],
    ['dist/cli/data-users.js', ['create'], 'npm run data-users -- create'],
    ['dist/cli/export.js', [], 'npm run export --'],
    ['dist/cli/mcp.js', [], 'Usage: node dist/cli/mcp.js [options]'],
  ])('of %s %s tells how it is called, and does nothing else', async (script, args, usage) => {
    const { code, stdout, stderr } = await run(script, ...args, '--help');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain(usage);
  });
});

describe('wrong arguments', () => {
  test.each<[string, string[], string | RegExp, Record<string, string>?]>([
    ['dist/cli/mcp.js', [], 'API_KEY must be a key of the service\n'],
    ['dist/cli/mcp.js', ['--url', 'nonsense'], 'there is no service at nonsense\n', { API_KEY: 'a' }],
    ['dist/cli/retry.js', ['nonsense'], 'nonsense was not given up: npm run retry shows what was\n'],
    ['dist/cli/export.js', ['--key', 'a', '--out', '/dev/null/a'], /^E[A-Z]+: .*'\/dev\/null\/a'\n$/],
    ['dist/main.js', [], 'HOST: this machine has no address nowhere.invalid\n', { HOST: 'nowhere.invalid' }],
    [
      'dist/main.js',
      [],
      'METRICS_ADDRESS: this machine has no address nowhere.invalid\n',
      { METRICS_ADDRESS: 'nowhere.invalid:9464', PORT: '0' },
    ],
  ])('make %s %s end with one line', async (script, args, line, more = {}) => {
    const settings = { DATABASE_URL: databaseUrl, ...more };
    const { code, stderr } = await start(script, args, settings, folders.make()).ended;
    expect(code).toBe(1);
    if (typeof line === 'string') expect(stderr).toBe(line);
    else expect(stderr).toMatch(line);
  });

  test.each([
    ['a start', 'dist/main.js', []],
    ['a command', 'dist/cli/organisations.js', ['create', 'Read only']],
  ])('%s says why it cannot work with the database', async (_what, script, args) => {
    const url = new URL(databaseUrl);
    url.searchParams.set('options', '-c default_transaction_read_only=on');
    const settings = { DATABASE_URL: url.href, DATABASE_WAIT_SECONDS: '0', PORT: '0' };
    const { code, stderr } = await start(script, args, settings, folders.make()).ended;
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringMatching(
        /^the database cannot be reached.*: cannot execute .* in a read-only.*\n$/,
      ),
    });
  });

  test('a command whose output cannot be written says so', async () => {
    const script = `'${process.execPath}' '${join(ROOT, 'dist/cli/keys.js')}' list >/dev/full`;
    const { PATH } = process.env;
    const env = { PATH, DATABASE_URL: databaseUrl };
    expect(await startCommand('sh', ['-c', script], { cwd: folders.make(), env }).ended).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^standard output cannot be written: ENOSPC.*\n$/),
    });
  });

  test.each(['dist/cli/keys.js', 'dist/cli/organisations.js', 'dist/cli/db.js'])(
    'make %s show what there is',
    async (script) => {
      const nothing = await run(script);
      expect(nothing).toMatchObject({ code: 1, stdout: '' });
      expect(nothing.stderr).toContain('Commands:');
      const unknown = await run(script, 'nonsense');
      expect(unknown).toMatchObject({ code: 1, stdout: '' });
      expect(unknown.stderr).toContain("unknown command 'nonsense'");
    },
  );

  test.each([
    'dist/cli/studio.js',
    'scripts/dev.js',
    'scripts/codegen.js',
    'scripts/check.js',
    'scripts/docs.js',
  ])('make %s end with 1', async (script) => {
    const { code, stderr } = await run(script, '--nonsense');
    expect(code).toBe(1);
    expect(stderr).toContain("nknown option '--nonsense'");
  });
});
