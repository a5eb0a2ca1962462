/** Platforms that tests run against, fetched from the npm registry into a folder outside the project. */
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

export const run = promisify(execFile);

const projectRoot = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
export const CACHE = join(projectRoot, '.cache', 'platforms');

/** A caller's NODE_ENV or omit setting must not skip packages. */
export const INSTALL_FLAGS = [
  '--ignore-scripts',
  '--no-audit',
  '--no-fund',
  '--loglevel=error',
  '--include=prod',
];

/**
 * Creates `target` in a temporary folder and moves it into place when complete. An interrupted run leaves nothing
 * half done, and of two concurrent runs the first one wins. `make` returns the path of its result.
 */
export async function onceInto(target, make) {
  if (existsSync(target)) return;
  mkdirSync(CACHE, { recursive: true });
  const folder = mkdtempSync(join(CACHE, 'making-'));
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

export function npm(args, cwd) {
  return run('npm', args, { cwd, maxBuffer: 64 * 1024 * 1024, shell: process.platform === 'win32' });
}
