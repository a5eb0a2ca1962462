// What has to be green before a commit.
import { spawnSync } from 'node:child_process';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const HELP = `Checks everything that has to be in order before a commit, and stops at the first failure: generated files
are current, types, lint, format, the GraphQL schema's rules, tests.

  npm run check             all of it
  npm run check -- --fast   without the tests
`;

const STEPS = [
  { name: 'generated files', args: ['scripts/codegen.js', '--check'] },
  { name: 'types', args: ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.eslint.json'] },
  { name: 'lint', args: ['node_modules/eslint/bin/eslint.js', '.'] },
  { name: 'format', args: ['node_modules/prettier/bin/prettier.cjs', '--check', '--log-level', 'warn', '.'] },
  { name: 'GraphQL schema', args: ['node_modules/graphql-schema-linter/lib/cli.js'] },
];

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const options = readOptions();
if (options.help) process.stdout.write(HELP);
else {
  for (const { name, args } of STEPS) step(name, process.execPath, args, 'pipe');
  if (!options.fast) step('tests', ...npm('test'), 'inherit');
}

/** Only what goes wrong is worth reading; tests take long enough that one wants to see them go on. */
function step(name, command, args, output) {
  const begin = performance.now();
  const { status, error, stdout, stderr } = spawnSync(command, args, {
    cwd: root,
    stdio: ['ignore', output, output],
    encoding: 'utf8',
    shell: process.platform === 'win32' && command === 'npm',
    maxBuffer: 64 << 20,
  });
  const seconds = ((performance.now() - begin) / 1000).toFixed(1).padStart(6);
  const isGood = !error && status === 0;
  if (!isGood) process.stdout.write(`${stdout ?? ''}${stderr ?? ''}${error ? `${error.message}\n` : ''}`);
  process.stdout.write(`${isGood ? 'ok    ' : 'FAILED'} ${seconds} s  ${name}\n`);
  if (!isGood) process.exit(1);
}

/** The npm that runs this, where one does. */
function npm(...args) {
  const cli = process.env.npm_execpath;
  return cli ? [process.execPath, [cli, ...args]] : ['npm', args];
}

function readOptions() {
  try {
    const flag = { type: 'boolean' };
    return parseArgs({ options: { help: { ...flag, short: 'h' }, fast: flag } }).values;
  } catch (error) {
    process.stderr.write(`${error.message}\n\n${HELP}`);
    process.exit(1);
  }
}
