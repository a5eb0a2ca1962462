import { createHash, randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';

import type { FileSummary } from './file-store.js';

/** Age of leftovers of a dead process: older than any file still being received. */
const LEFT_MS = 60 * 60 * 1000;

/** Staging area for files: readers find a complete file or none. */
interface Incoming {
  /** Writes the content; throws and leaves nothing if it breaks off. */
  receive(content: AsyncIterable<Uint8Array>): Promise<IncomingFile>;
}

/** A complete file on this machine. */
interface IncomingFile extends FileSummary {
  readonly path: string;
  /** Removes it unless it was moved. */
  discard(): Promise<void>;
}

/** Removes leftovers there; and again, at most hourly, when a file is received: some may have been too young. */
export async function openIncoming(folder: string, now: () => number = Date.now): Promise<Incoming> {
  const sweep = async () => {
    swept = now();
    await removeLeft(folder, swept);
  };
  let swept: number;
  await sweep();
  return {
    receive: async (content) => {
      try {
        await mkdir(folder, { recursive: true, mode: 0o700 });
        if (now() - swept > LEFT_MS) await sweep();
      } catch (error) {
        // Whatever sends it is not left waiting.
        for await (const _chunk of content) break;
        throw error;
      }
      const path = join(folder, randomUUID());
      const discard = () => rm(path, { force: true });
      try {
        return { ...(await write(content, path)), path, discard };
      } catch (error) {
        await discard();
        throw error;
      }
    },
  };
}

async function write(content: AsyncIterable<Uint8Array>, path: string): Promise<FileSummary> {
  const hash = createHash('sha256');
  let size = 0;
  const measure = async function* (chunks: AsyncIterable<Uint8Array>) {
    for await (const chunk of chunks) {
      hash.update(chunk);
      size += chunk.byteLength;
      yield chunk;
    }
  };
  const file = createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true });
  try {
    await pipeline(content, measure, file);
  } catch (error) {
    // It may just be opening: removed before that, it would reappear.
    if (!file.closed) await new Promise<void>((resolve) => void file.once('close', resolve));
    throw error;
  }
  return { size, sha256: hash.digest('hex') };
}

/** Removes files left by processes that died while receiving them. */
async function removeLeft(folder: string, now: number): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  for (const name of names) {
    const path = join(folder, name);
    const found = await stat(path).catch(() => null);
    if (found && now - found.mtimeMs > LEFT_MS) await rm(path, { force: true }).catch(() => undefined);
  }
}
