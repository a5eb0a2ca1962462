import { constants } from 'node:fs';
import { access, mkdtemp, rmdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { invalid } from '../errors.js';

/** Codes for a folder that lets nobody make one in it. Others, such as of a full disk, do not make it a wrong place. */
const REFUSALS: ReadonlySet<string | undefined> = new Set(['EACCES', 'ENOENT', 'EPERM', 'EROFS']);

/** Checks that files can be stored. Folders are created with the first file: most installations store none. */
export async function checkPlace(place: string, folders: readonly string[]): Promise<void> {
  for (const folder of folders) await checkFolder(join(place, folder), place);
}

/**
 * The folder must be writable, or if missing, its nearest parent. What cannot be checked now, such as an unavailable
 * disk, is not treated as a configuration error.
 */
async function checkFolder(folder: string, place: string, isParent = false): Promise<void> {
  const invalidPlace = (what: string) =>
    invalid('FILE_DIR', `is ${place}, ${folder === place ? 'which' : `but ${folder}`} ${what}`);
  const found = await stat(folder).catch(({ code, message }: NodeJS.ErrnoException) => {
    if (code === 'ENOENT' || code === 'ENOTDIR') return 'missing';
    if (code === 'EACCES') throw invalidPlace(`cannot be used: ${message}`);
    return 'away';
  });
  if (found === 'missing') return checkFolder(dirname(folder), place, true);
  if (found === 'away') return;
  if (!found.isDirectory()) throw invalidPlace('must be a folder');
  const isWritable = await access(folder, constants.W_OK | constants.X_OK).then(
    () => !isParent || holdsFolders(folder),
    () => false,
  );
  if (!isWritable) throw invalidPlace('must be a folder that this process may write to');
}

/** Whether a folder can be made in it. In `/proc` none can, but root may write there as far as `access` tells. */
async function holdsFolders(folder: string): Promise<boolean> {
  try {
    await rmdir(await mkdtemp(join(folder, '.svc-')));
    return true;
  } catch (error) {
    return !REFUSALS.has((error as NodeJS.ErrnoException).code);
  }
}
