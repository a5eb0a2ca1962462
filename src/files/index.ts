import type { Config } from '../config/config.js';
import { AppError } from '../errors.js';
import type { Logger } from '../telemetry/log.js';
import type { SecretBox } from '../secrets/secret-box.js';
import type { FileStore } from './file-store.js';
import { createFileLinks, type FileLinks, LINK_PURPOSE } from './links.js';
import { openLocalStore } from './local-store.js';
import { openS3Store } from './s3-store.js';

/** Stored files and their download links. */
export interface Files {
  readonly store: FileStore;
  readonly links: FileLinks;
}

interface FilesOptions {
  readonly config: Pick<Config, 'fileDir' | 's3' | 'limits'>;
  readonly secrets: SecretBox;
  readonly log: Logger;
  readonly now: () => Date;
}

/** Opens the configured store. Throws if it cannot be used. */
export async function openFiles({ config, secrets, log, now }: FilesOptions): Promise<Files> {
  const { fileDir, s3, limits } = config;
  const store = s3 ? await openS3Store(s3, fileDir) : await openLocalStore(fileDir);
  const signer = secrets.signer(LINK_PURPOSE);
  return {
    store: reportFailures(store, log),
    links: createFileLinks({ signer, seconds: limits.downloadSeconds, now }),
  };
}

/** Logs failures of the disk or bucket; callers get a temporary error. */
function reportFailures(store: FileStore, log: Logger): FileStore {
  const orUnavailable = async <Value>(work: Promise<Value>): Promise<Value> => {
    try {
      return await work;
    } catch (error) {
      if (error instanceof AppError) throw error;
      log.error({ err: error }, 'the file store failed');
      const message = 'the file store cannot be used at the moment, try again';
      throw new AppError('service-unavailable', message, [], { cause: error });
    }
  };
  return {
    receive: async (content) => {
      const file = await orUnavailable(store.receive(content));
      return { ...file, keep: (key) => orUnavailable(file.keep(key)) };
    },
    put: (key, content) => orUnavailable(store.put(key, content)),
    has: (key) => orUnavailable(store.has(key)),
    read: (key, range) => orUnavailable(store.read(key, range)),
    remove: (key, ending) => orUnavailable(store.remove(key, ending)),
    removeFolder: (folder) => orUnavailable(store.removeFolder(folder)),
  };
}
