import type { Readable } from 'node:stream';

/** What a kept file is. */
export interface FileSummary {
  readonly size: number;
  /** Hexadecimal. */
  readonly sha256: string;
}

/** A complete file that has no key yet. */
export interface ReceivedFile extends FileSummary {
  /** Keeps it, once. */
  keep(key: string): Promise<void>;
  /** Removes it where it was not kept. */
  discard(): Promise<void>;
}

/** Bytes from `first` to `last`, both included. */
export interface ByteRange {
  readonly first: number;
  readonly last: number;
}

/**
 * Keeps files under keys that `createFileKey` makes. A file is there as a whole or not at all, and never changes: what
 * is newer has another key.
 */
export interface FileStore {
  /** Reads the content to its end; what breaks it off is thrown. The receiver of a file discards it in the end. */
  receive(content: AsyncIterable<Uint8Array>): Promise<ReceivedFile>;
  /** Reads the content to its end; what breaks it off is thrown, and nothing is kept. */
  put(key: string, content: AsyncIterable<Uint8Array>): Promise<FileSummary>;
  has(key: string): Promise<boolean>;
  /** All of it, or a part; null where there is no such file. */
  read(key: string, range?: ByteRange): Promise<Readable | null>;
  /** One that is not there is as good as removed. */
  remove(key: string): Promise<void>;
  /** Removes every file whose key begins with this folder, those too that nothing else knows of. */
  removeFolder(folder: string): Promise<void>;
}

/** `put` of a store that receives files first. */
export const putting =
  (receive: FileStore['receive']): FileStore['put'] =>
  async (key, content) => {
    const file = await receive(content);
    try {
      await file.keep(key);
      return { size: file.size, sha256: file.sha256 };
    } finally {
      await file.discard();
    }
  };
