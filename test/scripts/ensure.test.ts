import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { Folders, ROOT, start } from '../cli/commands.js';
import { startCommand } from '../support/process.js';
import { until } from '../support/until.js';

const folders = new Folders();
afterAll(() => folders.remove());

/** What an image or a server has: the build and its dependencies. */
function deployed(more: readonly string[] = []): string {
  const folder = folders.make();
  for (const name of [
    'scripts/ensure.js',
    'scripts/flags.js',
    'scripts/lock.js',
    'package.json',
    'package-lock.json',
  ]) {
    cpSync(join(ROOT, name), join(folder, name));
  }
  for (const name of ['dist/main.js', 'node_modules/fastify/package.json', ...more]) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), '{}');
  }
  return folder;
}

/** No npm: what would install something fails. */
const ensure = (folder: string, ...args: string[]) =>
  start(join(folder, 'scripts/ensure.js'), args, { PATH: '' }, folder).ended;

describe('what npm start does first', () => {
  test('is nothing where the build is there and the tools to build are not', async () => {
    const folder = deployed();
    expect(await ensure(folder)).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(readdirSync(join(folder, 'node_modules'))).toEqual(['fastify']);
  });

  test('is to install what the lock file names where they are', async () => {
    const { code, stderr } = await ensure(deployed(['node_modules/typescript-7/package.json']));
    expect(code).toBe(1);
    expect(stderr).toContain('npm ci');
  });
});

describe('a step', () => {
  /** Installs nothing, and counts how often. */
  const NPM = '#!/bin/sh\necho >> npm-runs\n';

  test('runs again where its input holds something else, not where only its time is another', async () => {
    const folder = deployed(['node_modules/typescript-7/package.json']);
    writeFileSync(join(folder, 'npm'), NPM, { mode: 0o755 });
    const lock = join(folder, 'package-lock.json');
    const runs = async () => {
      const { code } = await start(
        join(folder, 'scripts/ensure.js'),
        ['--until', 'install'],
        { PATH: folder },
        folder,
      ).ended;
      expect(code).toBe(0);
      return readFileSync(join(folder, 'npm-runs'), 'utf8').length;
    };
    expect([await runs(), await runs()]).toEqual([1, 1]);
    utimesSync(lock, 1, 1);
    expect([await runs(), await runs()]).toEqual([1, 1]);
    const { size } = statSync(lock);
    writeFileSync(lock, '{}'.padEnd(size));
    expect([await runs(), await runs()]).toEqual([2, 2]);
  });
});

describe('two at once', () => {
  /** Fails while another one runs; the first goes on once `go` is there. */
  const NPM = `#!/bin/sh
mkdir busy || exit 1
while [ ! -e go ]; do sleep 0.05; done
echo >> npm-runs
rmdir busy
`;
  const PATH = '/bin:/usr/bin';
  const prepare = () => {
    const folder = deployed(['node_modules/typescript-7/package.json']);
    writeFileSync(join(folder, 'npm'), NPM, { mode: 0o755 });
    return folder;
  };
  const startIn = (folder: string) =>
    start(join(folder, 'scripts/ensure.js'), ['--until', 'install'], { PATH: `${folder}:${PATH}` }, folder);

  test('do the same work once, and the second one waits for it', async () => {
    const folder = prepare();
    const first = startIn(folder);
    await until('npm', () => existsSync(join(folder, 'busy')));
    const second = startIn(folder);
    await second.says(`waiting for process ${first.process.pid}`);
    writeFileSync(join(folder, 'go'), '');
    expect([(await first.ended).code, (await second.ended).code]).toEqual([0, 0]);
    expect(readFileSync(join(folder, 'npm-runs'), 'utf8')).toBe('\n');
    expect(readdirSync(join(folder, '.cache/ensure'))).toEqual([]);
  });

  test('do not wait for one that was killed', async () => {
    const folder = prepare();
    const killed = startIn(folder);
    await until('npm', () => existsSync(join(folder, 'busy')));
    await killed.stop('SIGKILL');
    writeFileSync(join(folder, 'go'), '');
    await until('the end of npm', () => !existsSync(join(folder, 'busy')));
    expect(await startIn(folder).ended).toEqual({ code: 0, stdout: '', stderr: 'install ...\n' });
  });
});

describe('npm start', () => {
  /** The command of package.json, on a service that prints what V8 was told. */
  const startIn = (folder: string) => {
    writeFileSync(join(folder, 'dist/main.js'), 'console.log(JSON.stringify(process.execArgv))');
    const { scripts } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
      scripts: { start: string };
    };
    // Node alone, without npm.
    const path = folders.make();
    symlinkSync(process.execPath, join(path, 'node'));
    const env = { PATH: path };
    return startCommand('/bin/sh', ['-c', scripts.start], { cwd: folder, env }).ended;
  };
  const flagsOf = (stdout: string) => JSON.parse(stdout) as string[];

  test('tells V8 what the benchmarks were measured with', async () => {
    const { code, stdout, stderr } = await startIn(deployed());
    expect([code, stderr]).toEqual([0, '']);
    expect(flagsOf(stdout)).toHaveLength(3);
  });

  test('starts with a V8 that does not know one of the flags, and says so', async () => {
    const folder = deployed();
    const flags = join(folder, 'scripts/flags.js');
    writeFileSync(flags, readFileSync(flags, 'utf8').replace('--heap-growing', '--no-such-growing'));
    const { code, stdout, stderr } = await startIn(folder);
    expect(code).toBe(0);
    expect(stderr).toMatch(
      /^Warning: V8 \S+ does not know --no-such-growing-percent=30: started without it\.\n$/,
    );
    expect(flagsOf(stdout)).toHaveLength(2);
  });

  test('starts nothing where the build failed', async () => {
    const { code, stdout } = await startIn(deployed(['node_modules/typescript-7/package.json']));
    expect([code, stdout]).toEqual([1, '']);
  });
});
