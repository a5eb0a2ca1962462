import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { invalid } from '../errors.js';

/** Folders below the place are made when the first file comes: most that run the service keep none. */
export async function checkPlace(place: string, folders: readonly string[]): Promise<void> {
  for (const folder of folders) await checkFolder(join(place, folder), place);
}

/** A folder has to be written to; in the place of one that is missing, the folder that it will be made in. */
async function checkFolder(folder: string, place: string): Promise<void> {
  const refused = (what: string) =>
    invalid('FILE_DIR', `is ${place}, ${folder === place ? 'which' : `but ${folder}`} ${what}`);
  const found = await stat(folder).catch((error: unknown) => {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return null;
    throw refused(`cannot be used: ${message}`);
  });
  if (!found) return checkFolder(dirname(folder), place);
  if (!found.isDirectory()) throw refused('must be a folder');
  await access(folder, constants.W_OK | constants.X_OK).catch(() => {
    throw refused('must be a folder that this process may write to');
  });
}
