import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { invalid } from '../errors.js';

/** Checks that files can be stored. Folders are created with the first file: most installations store none. */
export async function checkPlace(place: string, folders: readonly string[]): Promise<void> {
  for (const folder of folders) await checkFolder(join(place, folder), place);
}

/**
 * The folder must be writable, or if missing, its nearest parent. What cannot be checked now, such as an unavailable
 * disk, is not treated as a configuration error.
 */
async function checkFolder(folder: string, place: string): Promise<void> {
  const invalidPlace = (what: string) =>
    invalid('FILE_DIR', `is ${place}, ${folder === place ? 'which' : `but ${folder}`} ${what}`);
  const found = await stat(folder).catch(({ code, message }: NodeJS.ErrnoException) => {
    if (code === 'ENOENT' || code === 'ENOTDIR') return 'missing';
    if (code === 'EACCES') throw invalidPlace(`cannot be used: ${message}`);
    return 'away';
  });
  if (found === 'missing') return checkFolder(dirname(folder), place);
  if (found === 'away') return;
  if (!found.isDirectory()) throw invalidPlace('must be a folder');
  await access(folder, constants.W_OK | constants.X_OK).catch(() => {
    throw invalidPlace('must be a folder that this process may write to');
  });
}
