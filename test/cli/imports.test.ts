import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { expect, test } from '@jest/globals';
import { ROOT } from './commands.js';

const IMPORT = /^(?:import|export)(?:\s[^;'"]*\sfrom)?\s+['"]([^'"]+)['"]/gm;

/** The packages that Node loads before the first line of a built file runs. */
function packagesOf(file: string, seen = new Set<string>()): Set<string> {
  const packages = new Set<string>();
  if (seen.has(file)) return packages;
  seen.add(file);
  for (const [, name = ''] of readFileSync(file, 'utf8').matchAll(IMPORT)) {
    if (name.startsWith('.')) {
      for (const one of packagesOf(resolve(dirname(file), name), seen)) packages.add(one);
    } else if (!name.startsWith('node:')) packages.add(name);
  }
  return packages;
}

const commands = readdirSync(join(ROOT, 'dist/cli'))
  .filter((name) => name.endsWith('.js'))
  .map((name) => `dist/cli/${name}`)
  .filter((file) => readFileSync(join(ROOT, file), 'utf8').includes('await runProgram('));

test('there are commands to look at', () => {
  expect(commands.length).toBeGreaterThan(14);
});

// The clients of the database and of platforms take half a second to load.
test.each([...commands, 'dist/main.js'])('%s knows its arguments without them', (file) => {
  const light = ['commander', 'lossless-json'];
  expect([...packagesOf(join(ROOT, file))].filter((name) => !light.includes(name))).toEqual([]);
});
