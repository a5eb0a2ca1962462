import { randomBytes } from 'node:crypto';
import {
  accessSync,
  chownSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';

import { codeOf } from '../../errors.js';
import { DataFolderError, errorMessage } from './data-folder-error.js';

export type DataFolder = {
  path: string;
  /** PostgreSQL's own folder. */
  cluster: string;
  password: string;
  /** For people: `psql "$(cat .data/url)"`. */
  url: string;
  log: string;
  lock: string;
};

export function dataFolder(dataDir: string): DataFolder {
  const path = resolve(dataDir);
  return {
    path,
    cluster: join(path, 'pg'),
    password: join(path, 'password'),
    url: join(path, 'url'),
    log: join(path, 'postgres.log'),
    lock: join(path, 'start.lock'),
  };
}

function makeFolder(path: string): void {
  try {
    mkdirSync(path, { recursive: true });
  } catch (error) {
    // Node's recursive mkdir also fails with ENOENT on a read-only disk.
    if (codeOf(error) !== 'ENOENT') throw error;
    mkdirSync(path);
  }
}

/** Creates the folder if missing, and refuses one that this user cannot use. */
export function openDataFolder(dataDir: string): DataFolder {
  const folder = dataFolder(dataDir);
  try {
    makeFolder(folder.path);
    accessSync(folder.path, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    throw unusable(folder, error);
  }
  const user = process.geteuid?.();
  if (user !== undefined && user !== 0 && existsSync(folder.cluster)) {
    const owner = statSync(folder.cluster).uid;
    // PostgreSQL itself insists on this.
    if (owner !== user) {
      throw unusable(folder, new Error(`it belongs to another user (uid ${owner}, this is uid ${user})`));
    }
  }
  return folder;
}

/** Removes leftovers of a killed start. Only for the holder of the start lock. */
export function removeLeftovers(folder: DataFolder): void {
  for (const name of readdirSync(folder.path).filter((entry) => /^(pg\.new|start\.lock)\./.test(entry))) {
    // Several tries: its initdb may still be writing.
    rmSync(join(folder.path, name), { recursive: true, force: true, maxRetries: 5 });
  }
}

/** The major version of the cluster in the folder, or null if there is none. */
export function clusterVersion(folder: DataFolder): string | null {
  const file = join(folder.cluster, 'PG_VERSION');
  if (existsSync(file)) return readFileSync(file, 'utf8').trim();
  if (!existsSync(folder.cluster) || readdirSync(folder.cluster).length === 0) return null;
  throw new DataFolderError(
    `${folder.cluster} is not a PostgreSQL folder (it has no PG_VERSION): move it away or set DATA_DIR to another folder`,
  );
}

export function createPassword(folder: DataFolder): string {
  if (!existsSync(folder.password)) writeSecret(folder, folder.password, randomBytes(24).toString('hex'));
  return readPassword(folder);
}

export function readPassword(folder: DataFolder): string {
  try {
    return readFileSync(folder.password, 'utf8').trim();
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw unusable(folder, error);
    throw new DataFolderError(
      `${folder.password} is missing, and the database in ${folder.cluster} cannot be opened without it: ` +
        'restore the file or set DATA_DIR to another folder',
    );
  }
}

/** Replaces the file atomically, so that no reader ever sees a partial file or wider permissions. */
export function writeSecret(folder: DataFolder, file: string, content: string): void {
  writeFileSync(`${file}.new`, `${content}\n`, { mode: 0o600 });
  giveToFolderOwner(folder, `${file}.new`);
  renameSync(`${file}.new`, file);
}

/** Root working in a user's folder must not leave files there that its owner cannot read. */
export function giveToFolderOwner(folder: DataFolder, file: string): void {
  if (process.geteuid?.() !== 0) return;
  const { uid, gid } = statSync(folder.path);
  chownSync(file, uid, gid);
}

function unusable(folder: DataFolder, error: unknown): DataFolderError {
  return new DataFolderError(
    `cannot use the data folder ${folder.path}: ${errorMessage(error)}. ` +
      'Set DATA_DIR to a folder that this user can write, or DATABASE_URL to a PostgreSQL server',
    { cause: error },
  );
}

/** Converts system errors of this kind; returns any other error unchanged. */
export function orUnusable(folder: DataFolder, error: unknown): unknown {
  return ['EACCES', 'EPERM', 'EROFS', 'ENOSPC'].includes(codeOf(error)) ? unusable(folder, error) : error;
}
