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
  const openKept = async (key: string) => {
    const file = await orNull(open(pathOf(key), 'r'));
    if (file) return file;
    // Where a disk is not mounted there is no such folder: then the file is not gone. It may have just come back.
    await stat(kept);
    return orNull(open(pathOf(key), 'r'));
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
    has: async (key) => (await orNull(stat(pathOf(key)))) !== null,
    read: async (key, range) => {
      const file = await openKept(key);
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
