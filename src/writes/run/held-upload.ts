import type { TenantSql } from '../../db/tenant-sql.js';
import { assertHeld, putOff } from '../../runs/lease.js';
import { startStopwatch } from '../results/stopwatch.js';
import { type ClaimedUpload, endIfDone, tellEnd } from '../upload-state.js';
import type { StoreContext } from '../results/store-results.js';

/** After this time, ownership of the upload is verified before the next item is sent. */
const STALE_MS = 1000;

/**
 * A request of a worker that lost the upload may still be in flight, and a live worker may start more until its proof
 * expires: only after this time is a look-up sure to see them.
 */
export const REST_MS = 2 * STALE_MS;

/** An upload with the proof that this worker holds it. */
export class HeldUpload {
  private sinceHeld = startStopwatch();

  constructor(
    readonly sql: TenantSql,
    readonly upload: ClaimedUpload,
  ) {}

  /** Runs `work` in a transaction in which the upload is this worker's; throws LeaseLost if it is not. */
  async transaction<Result>(work: (transaction: TenantSql) => Promise<Result>): Promise<Result> {
    // Started before the query: the result was true when asked, and may arrive late.
    const sinceAsked = startStopwatch();
    const result = await this.sql.transaction(async (transaction) => {
      await assertHeld(transaction, this.upload);
      return work(transaction);
    });
    this.sinceHeld = sinceAsked;
    return result;
  }

  /** A worker that hung may have lost the upload in the meantime: then this throws, and nothing more is sent. */
  readonly makeSure = async (): Promise<void> => {
    while (this.sinceHeld() >= STALE_MS) {
      const sinceAsked = startStopwatch();
      await assertHeld(this.sql, this.upload);
      this.sinceHeld = sinceAsked;
    }
  };

  /** Gives the upload back, to be continued at a time; at once if there is none. */
  async putOff(resumeAt: Date | null): Promise<void> {
    await this.sql.transaction((transaction) => putOff(transaction, this.upload, resumeAt));
  }

  /** Ends the upload if all its items have ended. */
  async end(log: StoreContext['log']): Promise<void> {
    const end = await this.sql.transaction((transaction) => endIfDone(transaction, this.upload));
    tellEnd(log, this.sql, this.upload, end);
  }
}
