// Installs, generates and builds what is missing or out of date, so that `npm start` and `npm test` work on a fresh
// clone. Plain Node: it runs before anything is installed. With nothing to do it takes 0.1 s.
//   node scripts/ensure.js --until STEP   stops after that step
//   node scripts/ensure.js --flags        prints the flags to start Node with
//   node scripts/ensure.js --renew        also regenerates what looks current
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

import { keep, knownFlags } from './flags.js';
import { lockUntilExit } from './lock.js';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const stamps = join(root, 'node_modules/.cache/ensure');
// Not in node_modules, which `npm ci` empties.
const locks = join(root, '.cache/ensure');
let isLocked = false;
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`Node.js 20.19 or later is needed, this is ${process.versions.node}.`);
  process.exit(1);
}

const files = (path) => {
  const found = statSync(join(root, path), { throwIfNoEntry: false });
  if (!found) return [];
  return found.isDirectory() ? filesBelow(path) : [path];
};
const filesBelow = (folder) =>
  readdirSync(join(root, folder), { withFileTypes: true })
    .sort((left, right) => (left.name < right.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      return entry.isDirectory() ? filesBelow(path) : [path];
    });
const sumOf = (paths, describe) => {
  const sum = createHash('sha256').update(process.versions.node);
  for (const file of paths) sum.update(file).update(describe(join(root, file)));
  return sum.digest('hex');
};
const contentOf = (paths) => sumOf(paths, (path) => readFileSync(path));
/** Changes whenever the content does, unless somebody resets a file's time; also changes if only times do. */
const timesOf = (paths) =>
  sumOf(paths, (path) => {
    const { mtimeMs, ctimeMs, size } = statSync(path);
    return `${mtimeMs} ${ctimeMs} ${size}`;
  });
const node = (...args) => run(process.execPath, args);
const run = (command, args, env = {}) => {
  const { status, error, stdout, stderr } = spawnSync(command, args, {
    cwd: root,
    env: { ...process.env, ...env },
    // Only failures are worth reading.
    stdio: ['ignore', 'pipe', 'pipe'],
    encoding: 'utf8',
    shell: process.platform === 'win32' && command === 'npm',
    maxBuffer: 64 << 20,
  });
  if (!error && status === 0) return;
  console.error(`${stdout ?? ''}${stderr ?? ''}${error?.message ?? ''}\n${command} ${args.join(' ')} failed`);
  process.exit(status || 1);
};

// An image or a server has a build but no build tools. There is nothing to install, and `npm ci` would first empty
// node_modules, with no way to restore it offline or read-only.
const isDeployed =
  existsSync(join(root, 'dist/main.js')) &&
  existsSync(join(root, 'node_modules/fastify')) &&
  !existsSync(join(root, 'node_modules/typescript-7'));

const { values: options } = parseArgs({
  options: { until: { type: 'string' }, renew: { type: 'boolean' }, flags: { type: 'boolean' } },
});
const GENERATING = ['prisma generate', 'graphql codegen'];

/**
 * A stamp is removed before its step and written after it, so that an interrupted step runs again. It holds a hash of
 * the inputs' contents, which decides, and one of their times, which is faster to check. What has work to do waits for
 * other processes that have, and then looks again.
 */
const step = (name, inputs, present, work) => {
  const paths = inputs.flatMap(files);
  const stamp = join(stamps, name);
  const [content, times] =
    existsSync(join(root, present)) && existsSync(stamp) ? readFileSync(stamp, 'utf8').split('\n') : [];
  const isRenewed = options.renew && GENERATING.includes(name);
  const wantedTimes = timesOf(paths);
  if (isRenewed || times !== wantedTimes) {
    const wanted = contentOf(paths);
    if (isRenewed || content !== wanted) {
      if (!isLocked) {
        lockUntilExit(locks);
        isLocked = true;
        return step(name, inputs, present, work);
      }
      console.error(`${name} ...`);
      rmSync(stamp, { force: true });
      work();
    }
    keep(stamp, `${wanted}\n${wantedTimes}`);
  }
  if (name === options.until) process.exit(0);
};

if (isDeployed && !options.until && !options.renew) {
  if (options.flags) console.log(knownFlags().join(' '));
  process.exit(0);
}

// Not package.json: its scripts and description do not affect what is installed.
const LOCK = ['package-lock.json'];
step('install', LOCK, 'node_modules', () =>
  run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], {
    // Build tools are needed in any mode of the caller.
    NODE_ENV: 'development',
    npm_config_omit: '',
  }),
);
const MODELS = files('prisma').filter((file) => file.endsWith('.prisma'));
step('prisma generate', [...LOCK, ...MODELS], 'src/db/__generated__/client.ts', () =>
  // Any existing file keeps Prisma from downloading an engine that this project does not use.
  run(process.execPath, ['node_modules/prisma/build/index.js', 'generate'], {
    PRISMA_SCHEMA_ENGINE_BINARY: process.execPath,
  }),
);
step(
  'graphql codegen',
  [...LOCK, 'schema.graphql', 'codegen.yml', 'scripts/rest-schema.js', 'src/rest/documents'],
  'src/graphql/__generated__/resolvers.ts',
  () => node('node_modules/@graphql-codegen/cli/cjs/bin.js', '--config', 'codegen.yml'),
);
/** Run after the compiler; the second replaces entry modules with launchers. */
const PACKING = ['scripts/assets.js', 'scripts/bundle.js'];
const BUILT = [...LOCK, 'schema.graphql', 'src', 'tsconfig.json', ...PACKING, 'scripts/bundling.js'];
step('build', BUILT, 'dist/main.js', () => {
  rmSync(join(root, 'dist'), { recursive: true, force: true });
  // `npm run check` checks types, so that the first start need not wait for that.
  node('node_modules/typescript-7/bin/tsc', '-p', 'tsconfig.json', '--noCheck');
  for (const script of PACKING) node(script);
  // By which processes on several machines know that they run the same build.
  writeFileSync(join(root, 'dist/build-id'), contentOf(BUILT.flatMap(files)));
});
if (options.flags) console.log(knownFlags(join(stamps, 'flags')).join(' '));
