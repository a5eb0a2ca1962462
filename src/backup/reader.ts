import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { AppError } from '../errors.js';

const LINE_END = 10;

export const unreadable = (cause: unknown): AppError =>
  new AppError('invalid-params', `the backup cannot be read: ${(cause as Error).message}`, [], { cause });

export const noBackup = (cause?: unknown): AppError =>
  new AppError(
    'invalid-params',
    'this file is not a backup of the service, made by `npm run backup`: a file of pg_dump is loaded by pg_restore, or by psql if it is text',
    [],
    { cause },
  );

/** zlib's message for a file that is not compressed. */
const NOT_GZIP = 'incorrect header check';

/** Reads a backup line by line, and its rows in chunks: there may be gigabytes of them. */
export class BackupReader {
  readonly #chunks: AsyncIterator<Buffer>;
  /** Bytes read but not consumed yet. */
  #rest: Buffer = Buffer.alloc(0);
  #isOver = false;

  constructor(file: Readable) {
    const gunzip = createGunzip();
    file.once('error', (error) => gunzip.destroy(error));
    this.#chunks = file.pipe(gunzip)[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  }

  /** The next line without its end; null when nothing is left. */
  async line(): Promise<string | null> {
    for (;;) {
      const end = this.#rest.indexOf(LINE_END);
      if (end >= 0) {
        const line = this.#rest.toString('utf8', 0, end);
        this.#rest = this.#rest.subarray(end + 1);
        return line;
      }
      if (!(await this.#more())) return null;
    }
  }

  /** Whole lines up to the given one, which is consumed but not returned. Throws if it is missing. */
  async *linesUntil(last: string): AsyncGenerator<Buffer> {
    const mark = Buffer.from(`\n${last}\n`);
    // The first line counts as preceded by a line end.
    let isLineStart = true;
    for (;;) {
      if (isLineStart && this.#rest.length >= mark.length - 1 && this.#rest.indexOf(mark.subarray(1)) === 0) {
        this.#rest = this.#rest.subarray(mark.length - 1);
        return;
      }
      const at = this.#rest.indexOf(mark);
      if (at >= 0) {
        yield this.#rest.subarray(0, at + 1);
        this.#rest = this.#rest.subarray(at + mark.length);
        return;
      }
      // The marker may have arrived only in part.
      const sure = this.#rest.length - mark.length;
      if (sure > 0) {
        yield this.#rest.subarray(0, sure);
        isLineStart = this.#rest[sure - 1] === LINE_END;
        this.#rest = this.#rest.subarray(sure);
      }
      if (!(await this.#more())) throw unreadable(new Error('the file ends in the middle of a table'));
    }
  }

  async #more(): Promise<boolean> {
    if (this.#isOver) return false;
    const next = await this.#chunks.next().catch((error: unknown) => {
      throw (error as Error).message === NOT_GZIP ? noBackup(error) : unreadable(error);
    });
    if (next.done) this.#isOver = true;
    else this.#rest = Buffer.concat([this.#rest, next.value]);
    return !next.done;
  }
}
