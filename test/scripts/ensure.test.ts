import { cpSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { Folders, ROOT, start } from '../cli/commands.js';

const folders = new Folders();
afterAll(() => folders.remove());

/** What an image or a server has: the build and its dependencies. */
function deployed(more: readonly string[] = []): string {
  const folder = folders.make();
  for (const name of ['scripts/ensure.js', 'package.json', 'package-lock.json']) {
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
