import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { expect, test } from '@jest/globals';
import { knownFlags } from '../../scripts/flags.js';
import { ROOT } from './commands.js';

const IMPORT = /^(?:import|export)(?! type\b)(?:\s[^;'"]*\sfrom)?\s+['"]([^'"]+)['"]/gm;

/** The packages that run before the first line of a module does. */
function packagesOf(file: string, seen = new Set<string>()): Set<string> {
  const packages = new Set<string>();
  if (seen.has(file)) return packages;
  seen.add(file);
  for (const [, name = ''] of readFileSync(file, 'utf8').matchAll(IMPORT)) {
    if (name.startsWith('.')) {
      const imported = resolve(dirname(file), name).replace(/\.js$/, '.ts');
      for (const one of packagesOf(imported, seen)) packages.add(one);
    } else if (!name.startsWith('node:')) packages.add(name);
  }
  return packages;
}

const commands = readdirSync(join(ROOT, 'src/cli'))
  .filter((name) => readFileSync(join(ROOT, 'src/cli', name), 'utf8').includes('void runProgram('))
  .map((name) => `cli/${name.replace(/\.ts$/, '')}`);

test('there are commands to look at', () => {
  expect(commands.length).toBeGreaterThan(14);
});

// The clients of the database and of platforms take long to load.
test.each([...commands, 'main'])('%s knows its arguments without them', (name) => {
  const light = ['commander', 'lossless-json'];
  expect([...packagesOf(join(ROOT, `src/${name}.ts`))].filter((one) => !light.includes(one))).toEqual([]);
});

test.each([...commands, 'main'])('%s runs from the one file of all modules', (name) => {
  expect(readFileSync(join(ROOT, `dist/${name}.js`), 'utf8')).toContain(`launch('${name}')`);
});

test.each([
  ['as commands are started', []],
  ['as npm start does', knownFlags()],
])('the code of that file is compiled for this Node, %s', (_, flags) => {
  const script = `
    import { readFileSync } from 'node:fs';
    import { cachedDataVersionTag } from 'node:v8';
    import { Script } from 'node:vm';
    const source = readFileSync('service.cjs', 'latin1');
    const cachedData = readFileSync(\`service-\${cachedDataVersionTag().toString(16).padStart(8, '0')}.cache\`);
    console.log(new Script(source, { cachedData }).cachedDataRejected);`;
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [...flags, '--input-type=module', '--eval', script],
    {
      cwd: join(ROOT, 'dist'),
      encoding: 'utf8',
    },
  );
  expect({ stdout, stderr }).toEqual({ stdout: 'false\n', stderr: '' });
});
