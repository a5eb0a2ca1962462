import type { TenantSql } from '../../db/tenant-sql.js';
import { assertHeld } from '../../runs/lease.js';
import { beginJob, endIdleJobs, type IdleEnd, type JobStart, type NewMarks } from './job-state.js';
import { type ClaimedRun, timeOf } from './run-state.js';

/**
 * A job that has found nothing to store so far; most jobs of incremental syncs never do. It begins in the database with
 * the first page that has something; otherwise it only ends there, together with others. A worker that dies before that
 * has lost nothing but requests.
 */
export interface IdleJob {
  /** Start of the job by the database's clock, ISO 8601. */
  readonly startedAt: string;
  /** Counts a page that has nothing, instead of storing it. False once the job has begun, or is to. */
  skips(bytes: number): boolean;
  /** Begins the job, unless it has begun. */
  begin(): Promise<void>;
  /** Ends the job. False if it has begun: then the caller does. */
  ends(marks: NewMarks | null): boolean;
}

/** A job that has skipped this many pages begins all the same: a pause then costs it no more than these. */
const MAX_SKIPPED = 5;

/** The idle jobs of a run. */
export class IdleJobs {
  private ended: IdleEnd[] = [];

  constructor(
    private readonly sql: TenantSql,
    private readonly run: ClaimedRun,
  ) {}

  /** Begins a job here only. */
  open(svcId: number, plan: Pick<JobStart, 'since' | 'plan'>): IdleJob {
    const startedAt = timeOf(this.run).toISOString();
    let idle: Required<JobStart> | null = { ...plan, startedAt, pages: 0, bytes: 0 };
    return {
      startedAt,
      skips(bytes) {
        if (!idle || idle.pages >= MAX_SKIPPED) return false;
        idle = { ...idle, pages: idle.pages + 1, bytes: idle.bytes + bytes };
        return true;
      },
      begin: async () => {
        const start = idle;
        if (!start) return;
        await this.store((transaction) => beginJob(transaction, this.run, svcId, start));
        idle = null;
      },
      ends: (marks) => {
        if (idle) this.ended.push({ svcId, ...idle, marks });
        return idle !== null;
      },
    };
  }

  /** Ends these jobs in the given transaction, in which this worker holds the run. */
  async endIn(transaction: TenantSql): Promise<void> {
    if (this.ended.length > 0) await endIdleJobs(transaction, this.run, this.ended);
  }

  /** Stores the jobs that have ended. */
  async flush(): Promise<void> {
    if (this.ended.length > 0) await this.store();
  }

  /** The same, and what comes next, while this worker holds the run. */
  private async store(next?: (transaction: TenantSql) => Promise<unknown>): Promise<void> {
    await this.sql.transaction(async (transaction) => {
      await assertHeld(transaction, this.run);
      await this.endIn(transaction);
      await next?.(transaction);
    });
    this.ended = [];
  }
}
