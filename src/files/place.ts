import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { invalid } from '../errors.js';

/** Folders below the place are made when the first file comes: most that run the service keep none. */
export async function checkPlace(place: string, folders: readonly string[]): Promise<void> {
  for (const folder of folders) await checkFolder(join(place, folder), place);
}

/**
 * A folder has to be written to; in the place of one that is missing, the folder that it will be made in. What cannot be told
 * now, as of a disk that is away, is no mistake of the operator's.
 */
async function checkFolder(folder: string, place: string): Promise<void> {
  const refused = (what: string) =>
    invalid('FILE_DIR', `is ${place}, ${folder === place ? 'which' : `but ${folder}`} ${what}`);
  const found = await stat(folder).catch(({ code, message }: NodeJS.ErrnoException) => {
    if (code === 'ENOENT' || code === 'ENOTDIR') return 'missing';
    if (code === 'EACCES') throw refused(`cannot be used: ${message}`);
    return 'away';
  });
  if (found === 'missing') return checkFolder(dirname(folder), place);
  if (found === 'away') return;
  if (!found.isDirectory()) throw refused('must be a folder');
  await access(folder, constants.W_OK | constants.X_OK).catch(() => {
    throw refused('must be a folder that this process may write to');
  });
}
