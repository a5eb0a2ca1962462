import { execFileSync } from 'node:child_process';
import { existsSync, lchownSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

import type { Binaries } from './binaries.js';
import { DataFolderError, errorMessage } from './data-folder-error.js';
import type { DataFolder } from './data-folder.js';

/** The user that runs PostgreSQL; `namespace` is root that PostgreSQL takes for another user. */
export type RunAs = { kind: 'self' } | { kind: 'user'; uid: number; gid: number } | { kind: 'namespace' };

type Account = { uid: number; gid: number };

const UNSHARE = ['--user', '--map-user=65534', '--map-group=65534'];

/**
 * PostgreSQL refuses root. Root therefore runs it as another user, and where no other user can reach
 * the binaries or the data (a clone below /root), in a user namespace.
 */
export function chooseRunAs(folder: DataFolder, binaries: Binaries): RunAs {
  if (process.geteuid?.() !== 0) return { kind: 'self' };
  const reachable = candidates(folder).find(
    (account) => canEnter(account, dirname(binaries.postgres)) && canEnter(account, folder.path),
  );
  if (reachable) return { kind: 'user', ...reachable };
  try {
    execFileSync('unshare', [...UNSHARE, 'true'], { stdio: ['ignore', 'ignore', 'pipe'] });
    return { kind: 'namespace' };
  } catch (error) {
    throw new DataFolderError(
      `PostgreSQL does not run as root, no other user can reach ${dirname(binaries.postgres)} and ${folder.path}, ` +
        `and this system refuses user namespaces (${errorMessage(error).trim()}). ` +
        'Move the clone to a folder that every user can enter, run the service as an ordinary user, or set DATABASE_URL',
      { cause: error },
    );
  }
}

/** How to spawn a PostgreSQL binary as the chosen user. */
export function commandAs(runAs: RunAs, binary: string, args: string[]) {
  // Drops the caller's PG* variables; runs in `/`, as the other user may not enter the caller's folder.
  const base = { cwd: '/', env: { PATH: process.env['PATH'] ?? '/usr/bin:/bin', LC_ALL: 'C' } };
  switch (runAs.kind) {
    case 'self':
      return { file: binary, args, options: base };
    case 'user':
      return { file: binary, args, options: { ...base, uid: runAs.uid, gid: runAs.gid } };
    case 'namespace':
      return { file: 'unshare', args: [...UNSHARE, binary, ...args], options: base };
  }
}

/** Hands a file or a whole folder over, where it is not yet the chosen user's: the clone may have moved. */
export function giveTo(runAs: RunAs, path: string): void {
  if (runAs.kind === 'self') return;
  const { uid, gid } = runAs.kind === 'user' ? runAs : { uid: 0, gid: 0 };
  const entry = statSync(path);
  if (entry.uid === uid) return;
  if (entry.isDirectory()) {
    for (const name of readdirSync(path, { recursive: true, encoding: 'utf8' }))
      lchownSync(join(path, name), uid, gid);
  }
  lchownSync(path, uid, gid);
}

function candidates(folder: DataFolder): Account[] {
  const accounts = ['postgres', 'nobody'].flatMap(systemAccount);
  if (!existsSync(folder.cluster)) return accounts;
  const { uid, gid } = statSync(folder.cluster);
  return uid === 0 ? accounts : [{ uid, gid }, ...accounts];
}

function systemAccount(name: string): Account[] {
  if (!existsSync('/etc/passwd')) return [];
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((row) => row.startsWith(`${name}:`));
  const [, , uid, gid] = line?.split(':').map(Number) ?? [];
  // macOS gives nobody the id -2.
  return uid !== undefined && gid !== undefined && uid > 0 && gid >= 0 ? [{ uid, gid }] : [];
}

/** May this user, without further groups, go down to this folder? */
function canEnter(account: Account, path: string): boolean {
  const real = realpathSync(path);
  const { uid, gid, mode } = statSync(real);
  const bit = uid === account.uid ? 0o100 : gid === account.gid ? 0o010 : 0o001;
  if ((mode & bit) === 0) return false;
  return dirname(real) === real || canEnter(account, dirname(real));
}
