import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync, renameSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

import type { Binaries } from './binaries.js';
import { DataFolderError, errorMessage } from './data-folder-error.js';
import { type DataFolder, giveToFolderOwner } from './data-folder.js';
import { findPostmaster, type Postmaster, START_LIMIT_MS, stopPostmaster } from './postmaster.js';
import { commandAs, giveTo, type RunAs } from './run-as.js';

const SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  timezone: 'UTC',
  log_timezone: 'UTC',
  max_connections: '200',
  shared_buffers: '256MB',
  effective_cache_size: '1GB',
  work_mem: '8MB',
  maintenance_work_mem: '128MB',
  max_wal_size: '2GB',
  random_page_cost: '1.1',
  // Many short queries: JIT compilation and parallel workers cost more than they gain.
  jit: 'off',
  max_parallel_workers_per_gather: '0',
};

const LOG_LIMIT_BYTES = 10_000_000;

/** Starts a server on the folder, on any free port or that of a dead one, and waits until it accepts connections. */
export async function launch(
  folder: DataFolder,
  binaries: Binaries,
  runAs: RunAs,
  port: number | null,
): Promise<Postmaster> {
  giveTo(runAs, folder.cluster);
  if (existsSync(folder.log) && statSync(folder.log).size > LOG_LIMIT_BYTES)
    renameSync(folder.log, `${folder.log}.1`);
  for (let attempt = 1; ; attempt += 1) {
    const logStart = existsSync(folder.log) ? statSync(folder.log).size : 0;
    const server = start(folder, binaries, runAs, port ?? (await freePort()));
    const failure = await untilReady(folder, server);
    if (typeof failure !== 'string') return failure;
    const log = readFileSync(folder.log).subarray(logStart).toString('utf8').trim();
    // Another process took the port between the check and the bind.
    if (attempt < 3 && log.includes('could not bind')) continue;
    const lastLines = log.split('\n').slice(-12).join('\n');
    throw new DataFolderError(
      `PostgreSQL did not start on ${folder.path}: ${failure}. From ${folder.log}:\n${lastLines}`,
    );
  }
}

function start(folder: DataFolder, binaries: Binaries, runAs: RunAs, port: number): ChildProcess {
  const settings = Object.entries(SETTINGS).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const { file, args, options } = commandAs(runAs, binaries.postgres, [
    ...['-D', folder.cluster, '-p', String(port)],
    ...settings,
  ]);
  const log = openSync(folder.log, 'a', 0o600);
  try {
    giveToFolderOwner(folder, folder.log);
    // Detached: Ctrl-C reaches the whole process group, and the service has to drain before its database stops.
    // Output to a file: a pipe would break when node dies.
    const server = spawn(file, args, { ...options, detached: true, stdio: ['ignore', log, log] });
    server.unref();
    return server;
  } finally {
    closeSync(log);
  }
}

/** Waits until the server is ready or has failed. */
async function untilReady(folder: DataFolder, server: ChildProcess): Promise<Postmaster | string> {
  let end: string | undefined;
  server.once('error', (error) => (end = errorMessage(error)));
  server.once('exit', (code, signal) => (end = `it ended with ${signal ?? `exit code ${code}`}`));
  const deadline = Date.now() + START_LIMIT_MS;
  while (end === undefined) {
    const postmaster = findPostmaster(folder);
    if (postmaster?.pid === server.pid && postmaster?.status === 'ready') return postmaster;
    if (Date.now() > deadline) {
      if (postmaster) await stopPostmaster(folder, postmaster.pid);
      return `it was not ready after ${START_LIMIT_MS / 1000} s`;
    }
    await sleep(20);
  }
  return end;
}

async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((done, failed) => probe.once('error', failed).listen(0, '127.0.0.1', done));
  const address = probe.address();
  await new Promise((done) => probe.close(done));
  if (address === null || typeof address === 'string') throw new Error('no free port');
  return address.port;
}
