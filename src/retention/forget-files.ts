import type pg from 'pg';

import type { Database } from '../db/database.js';
import { organisationScope } from '../db/scope.js';
import type { FileStore } from '../files/file-store.js';
import { isRefusal } from '../files/refusal.js';
import { inRounds, TOGETHER } from './rounds.js';

export interface ForgetFilesOptions {
  readonly database: Database;
  readonly files: FileStore;
  /** Keys of files that could not be removed, from run to run: they are tried after all others. */
  readonly failed: Set<string>;
  /** Time for removals that fail: due syncs wait for them. */
  readonly patienceMs?: number;
}

const PATIENCE_MS = 10_000;
/** Files that are refused one after the other, after which a run tries no more. */
const MAX_REFUSED = 20;
/** Keys to remember; then all are tried in their order again. */
const MAX_REMEMBERED = 10_000;

interface ExpiredFile {
  readonly svc_organisation_id: string;
  readonly svc_company_id: string;
  readonly document_svc_id: string;
  readonly store_key: string;
}

/**
 * Removes files that expired. One that is refused keeps its row, and others behind it go nevertheless; where the store
 * is away, the rest waits for the next run. The first failure is thrown at the end.
 */
export async function forgetFiles(
  owner: pg.Client,
  days: number,
  options: ForgetFilesOptions,
): Promise<number> {
  const { failed } = options;
  if (failed.size >= MAX_REMEMBERED) failed.clear();
  const read = async (): Promise<ExpiredFile[]> => {
    const values = [days, TOGETHER + failed.size];
    return (await owner.query<ExpiredFile>('SELECT * FROM svc_files_to_forget($1, $2)', values)).rows;
  };
  const earlier = [...failed];
  const removal = new Removal(options);
  let isWhole = false;
  await inRounds(days, async () => {
    const others = (await read()).filter(({ store_key: key }) => !failed.has(key));
    for (const file of others) await removal.remove(file);
    isWhole = others.length < TOGETHER;
    return others.length;
  });
  if (earlier.length > 0) {
    const left = new Map((await read()).map((file) => [file.store_key, file]));
    for (const key of earlier) {
      const file = left.get(key);
      if (file) await removal.remove(file);
      // After the most that one run removes, it may be further behind.
      else if (isWhole) failed.delete(key);
    }
  }
  return removal.end();
}

/** The removals of one run. */
class Removal {
  private removed = 0;
  private refused = 0;
  private failingMs = 0;
  private readonly failures: unknown[] = [];
  private readonly patienceMs: number;

  constructor(private readonly options: ForgetFilesOptions) {
    this.patienceMs = options.patienceMs ?? PATIENCE_MS;
  }

  /** Removes a file, or notes that it was refused; throws where no other can be removed either. */
  async remove(file: ExpiredFile): Promise<void> {
    const { failed } = this.options;
    const { store_key: key } = file;
    const began = performance.now();
    failed.delete(key);
    try {
      await forgetFile(file, this.options, AbortSignal.timeout(Math.ceil(this.patienceMs - this.failingMs)));
      this.removed += 1;
      this.refused = 0;
    } catch (error) {
      failed.add(key);
      this.failures.push(error);
      this.refused += 1;
      this.failingMs += performance.now() - began;
      const isOver = this.refused >= MAX_REFUSED || this.failingMs >= this.patienceMs;
      if (isOver || !isRefusal(error)) this.end();
    }
  }

  /** The number of removed files; throws the first failure. */
  end(): number {
    if (this.failures.length > 0) throw this.failures[0];
    return this.removed;
  }
}

/** Deletes the file first: a row without it is found again, and until then the file is fetched anew when asked for. */
async function forgetFile(
  row: ExpiredFile,
  { database, files }: Pick<ForgetFilesOptions, 'database' | 'files'>,
  ending: AbortSignal,
): Promise<void> {
  await files.remove(row.store_key, ending);
  const client = database.client(organisationScope(Number(row.svc_organisation_id)));
  await client.documentFile.deleteMany({
    where: {
      svcCompanyId: BigInt(row.svc_company_id),
      documentSvcId: BigInt(row.document_svc_id),
      storeKey: row.store_key,
    },
  });
}
