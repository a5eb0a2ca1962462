import { mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { checkFolder, checkKey } from './file-key.js';
import { type FileStore, putting } from './file-store.js';
import { openIncoming } from './incoming.js';
import { checkPlace } from './place.js';

/** Files in a folder of this machine, for its owner only. Throws if that is not writable. */
export async function openLocalStore(folder: string): Promise<FileStore> {
  await checkPlace(folder, ['incoming', 'kept']);
  const incoming = await openIncoming(join(folder, 'incoming'));
  const kept = join(folder, 'kept');
  const pathOf = (key: string) => join(kept, checkKey(key));
  /** Null for a file that is gone. Throws where the folder is not there either, as when its disk is not mounted. */
  const findKept = async <Found>(find: () => Promise<Found>): Promise<Found | null> => {
    const found = await orNull(find());
    if (found) return found;
    await stat(kept);
    // It may have just come back.
    return orNull(find());
  };
  const receive: FileStore['receive'] = async (content) => {
    const { path, ...file } = await incoming.receive(content);
    const keep = async (key: string) => {
      const place = pathOf(key);
      await mkdir(dirname(place), { recursive: true, mode: 0o700 });
      await rename(path, place);
    };
    return { ...file, keep };
  };
  return {
    receive,
    put: putting(receive),
    has: async (key) => (await findKept(() => stat(pathOf(key)))) !== null,
    read: async (key, range) => {
      const file = await findKept(() => open(pathOf(key), 'r'));
      if (!file) return null;
      return file.createReadStream(range ? { start: range.first, end: range.last } : {});
    },
    remove: (key) => rm(pathOf(key), { force: true }),
    removeFolder: (name) => rm(join(kept, checkFolder(name)), { recursive: true, force: true }),
  };
}

async function orNull<Value>(found: Promise<Value>): Promise<Value | null> {
  try {
    return await found;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return null;
    throw error;
  }
}
