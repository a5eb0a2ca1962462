import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { codeOf } from '../../errors.js';
import { DataFolderError } from './data-folder-error.js';
import type { DataFolder } from './data-folder.js';
import { commandLine, hasProc, isAlive } from './processes.js';

export type Postmaster = { pid: number; port: number; status: string };

/** After this, an immediate stop replaces the graceful one; the next start recovers. */
const GRACE_MS = 25_000;
const LIMIT_MS = 30_000;
/** Recovery after a crash may read gigabytes. */
export const START_LIMIT_MS = 300_000;

/** The live server of the folder, in whatever state. */
export function findPostmaster(folder: DataFolder): Postmaster | null {
  const postmaster = readPidFile(folder);
  return postmaster && isPostmaster(folder, postmaster.pid) ? postmaster : null;
}

/** The server ready to accept connections, after waiting for one that is starting or stopping; null when none lives. */
export async function findReadyPostmaster(folder: DataFolder): Promise<Postmaster | null> {
  const deadline = Date.now() + START_LIMIT_MS;
  while (Date.now() < deadline) {
    const postmaster = findPostmaster(folder);
    if (!postmaster || postmaster.status === 'ready') return postmaster;
    await sleep(20);
  }
  throw new DataFolderError(
    `the database in ${folder.path} is neither ready nor gone after ${START_LIMIT_MS / 1000} s; see ${folder.log}`,
  );
}

/**
 * Leaves the folder fit for a new server. PostgreSQL itself deals with the file of a server that was killed,
 * except where the process id lives on as a zombie or as some other program.
 */
export async function clearDeadPostmaster(folder: DataFolder): Promise<void> {
  if (!readPidFile(folder)) return;
  // The file also guards against the dead server's sessions, which may still be writing.
  const deadline = Date.now() + 10_000;
  while (hasProc && processIds().some((pid) => isPostgres(pid) && livesIn(folder, pid))) {
    if (Date.now() > deadline) {
      throw new DataFolderError(
        `sessions of a dead server still work in ${folder.path}; end them and start again`,
      );
    }
    await sleep(20);
  }
  const dead = readPidFile(folder);
  if (dead && processExists(dead.pid)) rmSync(join(folder.cluster, 'postmaster.pid'), { force: true });
}

/** Ends every session, writes a checkpoint, and waits for the process to be gone. */
export async function stopPostmaster(folder: DataFolder, pid: number): Promise<void> {
  const begin = Date.now();
  let asked: NodeJS.Signals | undefined;
  while (isPostmaster(folder, pid)) {
    const waited = Date.now() - begin;
    if (waited > LIMIT_MS) {
      throw new DataFolderError(
        `the database in ${folder.path} (process ${pid}) does not stop; see ${folder.log}`,
      );
    }
    const signal = waited > GRACE_MS ? 'SIGQUIT' : 'SIGINT';
    if (signal !== asked) send(pid, signal);
    asked = signal;
    await sleep(10);
  }
}

/** A process that has just exited by itself is fine, too. */
function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (codeOf(error) !== 'ESRCH') throw error;
  }
}

function readPidFile(folder: DataFolder): Postmaster | null {
  try {
    const lines = readFileSync(join(folder.cluster, 'postmaster.pid'), 'utf8').split('\n');
    const [pid, port] = [Number(lines[0]), Number(lines[3])];
    return pid > 0 ? { pid, port, status: lines[7]?.trim() ?? 'starting' } : null;
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return null;
    throw error;
  }
}

function isPostmaster(folder: DataFolder, pid: number): boolean {
  if (!isAlive(pid)) return false;
  if (!hasProc) return true;
  // Another user's process may hide its folder, not its name.
  return livesIn(folder, pid) ?? isPostgres(pid);
}

/** Each of a server's processes runs in its data folder, even if that was moved; null if it may not be read. */
function livesIn(folder: DataFolder, pid: number): boolean | null {
  try {
    const place = statSync(`/proc/${pid}/cwd`);
    const cluster = statSync(folder.cluster);
    return place.dev === cluster.dev && place.ino === cluster.ino;
  } catch {
    return null;
  }
}

/** A server's first process shows its program, the others `postgres: checkpointer` and the like. */
function isPostgres(pid: number): boolean {
  return /(^|\/)postgres(:|$)/.test(commandLine(pid)[0] ?? '');
}

function processIds(): number[] {
  return readdirSync('/proc').map(Number).filter(Number.isInteger);
}

function processExists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
