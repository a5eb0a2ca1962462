import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { packagePath } from '../../src/package-path.js';
import { startProcess } from '../support/process.js';

/** What the skeleton is made of and what its suite needs. */
const PARTS = [
  'src',
  'scripts',
  'test/connectors',
  'test/support',
  'package.json',
  'jest.config.js',
  'tsconfig.json',
  'test/tsconfig.json',
];

/** Of connectors no test needs a database. */
const JEST_CONFIG = `import base from './jest.config.js';
export default { ...base, globalSetup: undefined, globalTeardown: undefined };
`;

let copy: string;
const run = (...args: string[]) => startProcess(args, { cwd: copy }).ended;
const make = (...args: string[]) => run('scripts/new-connector.js', ...args);

beforeAll(() => {
  copy = mkdtempSync(join(tmpdir(), 'svc-skeleton-'));
  for (const part of PARTS) cpSync(packagePath(part), join(copy, part), { recursive: true });
  symlinkSync(packagePath('node_modules'), join(copy, 'node_modules'));
});
afterAll(() => rmSync(copy, { recursive: true, force: true }));

describe('npm run new:connector', () => {
  test('writes a connector that compiles and passes the suite of connectors', async () => {
    const made = await make('acme-books');
    expect(made).toMatchObject({ code: 0, stderr: '' });
    const own = 'test/connectors/conformance-acme-books.test.ts';
    expect(made.stdout).toContain(own);
    writeFileSync(join(copy, 'jest.own.config.js'), JEST_CONFIG);
    writeFileSync(
      join(copy, 'tsconfig.own.json'),
      JSON.stringify({
        extends: './test/tsconfig.json',
        include: [],
        files: ['src/connectors/index.ts', own],
      }),
    );
    expect(await run('node_modules/typescript-7/bin/tsc', '-p', 'tsconfig.own.json')).toMatchObject({
      code: 0,
      stdout: '',
    });
    expect(await run('node_modules/typescript-7/bin/tsc', '-p', 'tsconfig.json', '--noCheck')).toMatchObject({
      code: 0,
    });
    const suite = await run(
      '--experimental-vm-modules',
      'node_modules/jest/bin/jest.js',
      ...['-c', 'jest.own.config.js', '-i', own],
    );
    expect(suite.stderr).toContain('Acme Books');
    expect(suite).toMatchObject({ code: 0 });
    // All of it ran.
    expect(suite.stderr).toMatch(/Tests: +2\d passed, 2\d total/);
  });

  test('leaves what is there alone', async () => {
    const answer = await make('vendure');
    expect(answer).toMatchObject({ code: 1, stdout: '' });
    expect(answer.stderr).toContain('src/connectors/vendure/index.ts already exists');
  });

  test.each([
    ['no name', [], 'one name is needed'],
    ['a name that is no folder', ['Acme Books'], 'one name is needed'],
    ['an unknown category', ['acme', '--category', 'BANKING'], 'there is no category BANKING'],
  ])('refuses %s', async (_what, args, words) => {
    const answer = await make(...args);
    expect(answer).toMatchObject({ code: 1, stdout: '' });
    expect(answer.stderr).toContain(words);
  });

  test('tells how it is called', async () => {
    expect(await make('--help')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('npm run new:connector'),
    });
  });
});
