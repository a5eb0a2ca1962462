import { afterAll, describe, expect, test } from '@jest/globals';
import { Folders, start } from './commands.js';

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
  ])('of %s %s tells how it is called, and does nothing else', async (script, args, usage) => {
    const { code, stdout, stderr } = await run(script, ...args, '--help');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain(usage);
  });
});

describe('wrong arguments', () => {
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
