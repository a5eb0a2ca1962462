import type { Readable } from 'node:stream';

/** Size and hash of a stored file. */
export interface FileSummary {
  readonly size: number;
  /** Hexadecimal. */
  readonly sha256: string;
}

/** A complete file that has no key yet. */
export interface ReceivedFile extends FileSummary {
  /** Stores it, once. */
  keep(key: string): Promise<void>;
  /** Removes it unless it was stored. */
  discard(): Promise<void>;
}

/** Bytes from `first` to `last`, both included. */
export interface ByteRange {
  readonly first: number;
  readonly last: number;
}

/**
 * Stores files under keys made by `createFileKey`. A file is complete or absent, and never changes: a newer version has
 * another key.
 */
export interface FileStore {
  /** Reads the content to its end; throws if it breaks off. The caller discards the file at the end. */
  receive(content: AsyncIterable<Uint8Array>): Promise<ReceivedFile>;
  /** Reads the content to its end; throws and stores nothing if it breaks off. */
  put(key: string, content: AsyncIterable<Uint8Array>): Promise<FileSummary>;
  has(key: string): Promise<boolean>;
  /** All of it, or a range; null if there is no such file. */
  read(key: string, range?: ByteRange): Promise<Readable | null>;
  /** Succeeds if the file is already absent. A bucket that does not answer is given up when `ending` aborts. */
  remove(key: string, ending?: AbortSignal): Promise<void>;
  /** Removes every file whose key begins with this folder, even if it has no row. */
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
