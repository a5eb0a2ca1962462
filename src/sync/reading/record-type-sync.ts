import type { PlatformClient } from '../../connectors/platform.js';
import type { CuttableIdPage, Deletions, PullResource } from '../../connectors/pull.js';
import type { TenantSql } from '../../db/tenant-sql.js';
import type { SyncSettings } from '../engine.js';
import type { IdleJob, IdleJobs } from '../state/idle-jobs.js';
import type { JobRow, SyncMark } from '../state/job-state.js';
import type { ClaimedRun } from '../state/run-state.js';
import type { ReadNamed } from './named-objects.js';

/** One record type of a run. */
export interface RecordTypeSync {
  readonly sql: TenantSql;
  readonly platform: PlatformClient;
  readonly run: ClaimedRun;
  readonly job: JobRow;
  readonly idleJobs: IdleJobs;
  /** Where it was pulled with others. */
  readonly begun: StartedJob | null;
  readonly resource: PullResource;
  readonly settings: SyncSettings;
  readonly baseCurrency: string | null;
  /** From the company's settings: records older than this are not read. */
  readonly oldest: Date | null;
  /** Time up to which the record type is in sync; null if it was never read. */
  readonly mark: SyncMark | null;
  /** Total length of the platform's answers since the last query. */
  readonly takeBytes: () => number;
  /** Milliseconds that the platform's clock is behind the database's, as far as its answers tell. */
  readonly behindMs: () => number;
  readonly readNamed: ReadNamed;
  /** Between pages: throws where the worker is to stop, or the company no longer permits reading of the record type. */
  readonly checkIn: () => Promise<void>;
}

/** One way of finding deletions. */
export type Way =
  | { readonly kind: 'feed'; readonly feed: Deletions<CuttableIdPage>; readonly since: Date }
  | { readonly kind: 'sweep'; readonly sweep: Deletions<CuttableIdPage> }
  | { readonly kind: 'pull' };

/**
 * The range a job reads, and its ways of finding deletions. Decided when the job begins, and unchanged by resuming it.
 */
export interface Plan {
  readonly since: Date | null;
  /** No record of the type is stored yet. */
  readonly isFirst: boolean;
  /** Everything is read: records not found were deleted. */
  readonly isComplete: boolean;
  /** Ways of finding deletions, in order. */
  readonly ways: readonly Way[];
}

/** A job that has begun. */
export interface StartedJob {
  readonly job: JobRow;
  readonly plan: Plan;
  /** Null if it is stored that it has. */
  readonly idle: IdleJob | null;
}
