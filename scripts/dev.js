// Compiles on every change, and restarts the service after each compilation without errors.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, watchFile } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { readArguments } from './read-arguments.js';

const HELP = `Runs the service and restarts it on changes. Ctrl-C stops it and its database.

  npm run dev   watches src, .env, codegen.yml and the models in prisma

Uses the settings of npm start.
`;

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const below = (folder, end) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(end))
    .map((name) => join(root, folder, name));
const GENERATED_FROM = [
  ...below('src/graphql/schema', '.graphql'),
  ...below('prisma', '.prisma'),
  join(root, 'codegen.yml'),
];
/** The service itself waits up to 30 s for its requests. */
const PATIENCE = 35_000;

const COPY_MS = 2000;

/** Running child processes. */
const children = new Set();
let service = null;
let ending = false;
let endedAt = 0;
/** Restarts and generators, run one at a time. */
let queue = Promise.resolve();
let restartIsQueued = false;

readOptions();
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(name, end);
// Also if this script fails.
process.on('exit', () => children.forEach((child) => child.kill('SIGTERM')));
watch();

function watch() {
  const config = join(root, 'tsconfig.json');
  const show = (text) => process.stdout.write(text);
  const format = {
    getCanonicalFileName: (name) => name,
    getCurrentDirectory: () => root,
    getNewLine: () => '\n',
  };
  ts.createWatchProgram(
    ts.createWatchCompilerHost(
      config,
      { noEmitOnError: true },
      ts.sys,
      ts.createEmitAndSemanticDiagnosticsBuilderProgram,
      (diagnostic) => show(ts.formatDiagnostic(diagnostic, format)),
      (_status, _newLine, _options, errors) => {
        // Without a count, compilation has just started.
        if (errors === 0) enqueueRestart();
        else if (errors !== undefined)
          show(`${errors} ${errors === 1 ? 'error' : 'errors'}, waiting for a change\n`);
      },
    ),
  );
  for (const file of GENERATED_FROM) onChange(file, () => enqueue(generate));
  onChange(join(root, '.env'), enqueueRestart);
}

/** Compares contents, as an editor may save a file without changes. */
function onChange(file, act) {
  let known = content(file);
  watchFile(file, { interval: 300 }, () => {
    const found = content(file);
    if (found === known) return;
    known = found;
    act();
  });
}

function content(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}

function enqueue(work) {
  queue = queue.then(() => (ending ? undefined : work())).catch((error) => console.error(error));
}

function enqueueRestart() {
  if (restartIsQueued) return;
  restartIsQueued = true;
  enqueue(restart);
}

async function restart() {
  restartIsQueued = false;
  await stop(service);
  if (ending) return;
  const child = start(['--enable-source-maps', 'dist/main.js']);
  service = child;
  child.once('exit', (code) => {
    if (service !== child || ending) return;
    service = null;
    process.stdout.write(`The service ended (${code}), waiting for a change\n`);
  });
}

/**
 * Generated files under src are compiled, which restarts the service; schema.graphql is read by the service directly,
 * so restart for it.
 */
async function generate() {
  process.stdout.write('Generating ...\n');
  const child = start(['scripts/codegen.js', '--types']);
  const [code] = await once(child, 'exit');
  if (code === 0) enqueueRestart();
}

/** In its own process group, so that Ctrl-C reaches it once, through `end`. */
function start(args) {
  const child = spawn(process.execPath, args, {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    detached: true,
  });
  children.add(child);
  child.once('exit', () => children.delete(child));
  child.once('error', (error) => {
    children.delete(child);
    console.error(error.message);
  });
  return child;
}

async function stop(child) {
  if (!children.has(child)) return;
  if (child === service) service = null;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  const late = setTimeout(() => child.kill('SIGKILL'), PATIENCE);
  await ended;
  clearTimeout(late);
}

async function end() {
  if (ending) {
    // A second Ctrl-C goes through to the service, which then stops without waiting for requests. One right after the
    // first is a copy of it: npm received the first one, too, and forwards it.
    if (performance.now() - endedAt > COPY_MS) children.forEach((child) => child.kill('SIGTERM'));
    return;
  }
  ending = true;
  endedAt = performance.now();
  await Promise.all([...children].map(stop));
  process.exit(0);
}

function readOptions() {
  const { values } = readArguments({ options: { help: { type: 'boolean', short: 'h' } } }, HELP);
  if (!values.help) return;
  process.stdout.write(HELP);
  process.exit(0);
}
