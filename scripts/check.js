// The checks that must pass before a commit.
import { spawn } from 'node:child_process';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readArguments } from './read-arguments.js';

const HELP = `Runs all checks needed before a commit: generated files are current, lint, types, format, code that only tests use,
compatibility with the released GraphQL schema, tests. Skips checks whose prerequisite failed.

  npm run check             all checks
  npm run check -- --fast   without the tests
`;

const GENERATED = { name: 'generated files', args: ['scripts/codegen.js', '--check'] };
/** Two parallel lanes that take about as long as each other. */
const LANES = [
  [
    { name: 'lint', args: ['node_modules/oxlint/bin/oxlint', 'src', 'test', 'client/src'] },
    { name: 'layers and schema', args: ['node_modules/eslint/bin/eslint.js', 'src', 'schema.graphql'] },
  ],
  [
    { name: 'types', args: ['node_modules/typescript-7/bin/tsc', '-p', 'test/tsconfig.json'] },
    {
      name: 'format',
      args: ['node_modules/prettier/bin/prettier.cjs', '--check', '--log-level', 'warn', '.'],
    },
    { name: 'unused code', args: ['node_modules/knip/bin/knip.js', '--production'] },
    { name: 'released GraphQL schema', args: ['scripts/released.js'] },
  ],
];

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const options = readOptions();
if (options.help) process.stdout.write(HELP);
else process.exitCode = (await check()) ? 0 : 1;

async function check() {
  if (!(await step(GENERATED))) return false;
  const lanes = await Promise.all(LANES.map(runSteps));
  if (lanes.includes(false)) return false;
  if (options.fast) return true;
  const [command, args] = npm('test');
  return step({ name: 'tests', command, args, output: 'inherit' });
}

/** Runs all steps of a lane, even after a failure, to show everything that is wrong. */
async function runSteps(steps) {
  let isGood = true;
  for (const one of steps) isGood = (await step(one)) && isGood;
  return isGood;
}

/** Shows output only on failure, except for tests, which take long enough to show progress. */
async function step({ name, command = process.execPath, args, output = 'pipe' }) {
  const begin = performance.now();
  const { isGood, text } = await run(command, args, output);
  const seconds = ((performance.now() - begin) / 1000).toFixed(1).padStart(6);
  if (!isGood) process.stdout.write(text);
  process.stdout.write(`${isGood ? 'ok    ' : 'FAILED'} ${seconds} s  ${name}\n`);
  return isGood;
}

function run(command, args, output) {
  return new Promise((resolve) => {
    const shell = process.platform === 'win32' && command === 'npm';
    const child = spawn(command, args, { cwd: root, stdio: ['ignore', output, output], shell });
    let text = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (part) => (text += part));
    }
    child.once('error', (error) => resolve({ isGood: false, text: `${error.message}\n` }));
    child.once('close', (code) => resolve({ isGood: code === 0, text }));
  });
}

/** Runs the npm that started this script, if any. */
function npm(...args) {
  const cli = process.env.npm_execpath;
  return cli ? [process.execPath, [cli, ...args]] : ['npm', args];
}

function readOptions() {
  const flag = { type: 'boolean' };
  return readArguments({ options: { help: { ...flag, short: 'h' }, fast: flag } }, HELP).values;
}
