import { randomUUID } from 'node:crypto';
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

import { codeOf } from '../../errors.js';
import { DataFolderError } from './data-folder-error.js';
import type { DataFolder } from './data-folder.js';
import { isRunning, processIdentity } from './processes.js';

/** A first start on a slow machine takes some seconds, never this long. */
const PATIENCE_MS = 90_000;

/**
 * One start at a time on one folder, from looking for a server until it is owned.
 * A file, since on an empty folder there is no database yet that could hold a lock.
 */
export async function withStartLock<T>(folder: DataFolder, work: () => Promise<T>): Promise<T> {
  const deadline = Date.now() + PATIENCE_MS;
  while (!tryAcquire(folder.lock)) {
    const holder = readHolder(folder.lock);
    if (holder === null) continue;
    if (!isRunning(holder)) {
      removeStale(folder.lock);
      continue;
    }
    if (Date.now() > deadline) {
      throw new DataFolderError(
        `another start of the service (process ${Number.parseInt(holder, 10)}) has been starting on ${folder.path} ` +
          `for ${PATIENCE_MS / 1000} s; stop it or set DATA_DIR to another folder`,
      );
    }
    await sleep(50);
  }
  try {
    return await work();
  } finally {
    rmSync(folder.lock, { force: true });
  }
}

/** Linking a finished file makes the lock appear with its content: no one reads an empty one. */
function tryAcquire(lock: string): boolean {
  const own = `${lock}.${randomUUID()}`;
  writeFileSync(own, processIdentity(process.pid), { mode: 0o600 });
  try {
    linkSync(own, lock);
    return true;
  } catch (error) {
    // ENOENT: the lock's holder removed it as a leftover.
    if (codeOf(error) === 'EEXIST' || codeOf(error) === 'ENOENT') return false;
    throw error;
  } finally {
    rmSync(own, { force: true });
  }
}

function readHolder(lock: string): string | null {
  try {
    return readFileSync(lock, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw error;
  }
}

/** Renaming lets only one of several starts take the dead lock away. */
function removeStale(lock: string): void {
  const taken = `${lock}.${randomUUID()}`;
  try {
    renameSync(lock, taken);
    // Another start may have placed its own since the read: that one is put back.
    if (isRunning(readFileSync(taken, 'utf8'))) linkSync(taken, lock);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT' && codeOf(error) !== 'EEXIST') throw error;
  } finally {
    rmSync(taken, { force: true });
  }
}
