import { fromNow } from '../../db/from-now.js';
import type { TenantSql } from '../../db/tenant-sql.js';
import {
  type Along,
  claim,
  end,
  assertHeld,
  type RunLease,
  putOff,
  type RunProblem,
} from '../../runs/lease.js';
import { noteEnds } from '../../runs/note-ends.js';
import type { SyncState } from '../../runs/states.js';
import type { Cause } from '../../store/change-log.js';

/** A sync that this worker holds. */
export interface ClaimedRun extends RunLease<'sync'> {
  readonly syncId: string;
  readonly fullSync: boolean;
  readonly syncFrom: string | null;
  readonly toldByPlatform: boolean;
  /** When it was begun for the first time. */
  readonly startedAt: string;
  /** When this worker claimed it, by the database's clock. */
  readonly claimedAt: string;
  /** The same or a little later, by this process's monotonic clock. */
  readonly claimedTick: number;
  /** When the connection's last sync before it began that ended well. */
  readonly lastStartedAt: string | null;
}

type Columns = Omit<ClaimedRun, keyof RunLease | 'claimedTick'>;
const COLUMNS = `t.sync_id AS "syncId", t.full_sync AS "fullSync", t.sync_from AS "syncFrom",
  t.told_by_platform AS "toldByPlatform", t.started_at AS "startedAt",
  t.svc_updated_at AS "claimedAt",
  (SELECT o.started_at FROM syncs o WHERE o.svc_organisation_id = t.svc_organisation_id
     AND o.svc_company_id = t.svc_company_id AND o.connection_id = t.connection_id AND o.svc_id < t.svc_id
     AND o.state = 'SUCCESS' ORDER BY o.svc_id DESC LIMIT 1) AS "lastStartedAt"`;

/** Cause logged for the changes of a sync. */
export const causeOf = ({ syncId, toldByPlatform }: Pick<Columns, 'syncId' | 'toldByPlatform'>): Cause => ({
  kind: toldByPlatform ? 'platform_event' : 'sync',
  id: syncId,
});

/** The time by the database's clock, or a little earlier. */
export const timeOf = ({ claimedAt, claimedTick }: ClaimedRun): Date =>
  new Date(Date.parse(claimedAt) + performance.now() - claimedTick);

/** Takes a sync over; null when it has ended or is gone. */
export async function claimRun(
  sql: TenantSql,
  key: { readonly svcCompanyId: number; readonly syncSvcId: number },
  workerId: string,
): Promise<ClaimedRun | null> {
  const which = { kind: 'sync', svcCompanyId: key.svcCompanyId, svcId: key.syncSvcId } as const;
  // Ending the sync in between would leave a connection that shows it as running.
  const along = showOnConnection(key.svcCompanyId, { status: 'RUNNING' });
  const run = await claim<'sync', Columns>(sql, which, { workerId, columns: COLUMNS, along });
  return run && { ...run, claimedTick: performance.now() };
}

/** How a run ends. */
export interface Outcome {
  readonly state: SyncState;
  readonly problem: RunProblem | null;
}

/** Ends the run as `outcomeOf` tells in the same transaction. */
export async function endRun(
  sql: TenantSql,
  run: ClaimedRun,
  outcomeOf: (transaction: TenantSql) => Promise<Outcome>,
): Promise<Outcome> {
  return sql.transaction(async (transaction) => {
    await assertHeld(transaction, run);
    const outcome = await outcomeOf(transaction);
    const { state, problem } = outcome;
    const isSynced = state !== 'FAILED';
    const along = showOnConnection(run.svcCompanyId, { status: 'IDLE', isSynced });
    await end(transaction, run, state, { problem, along });
    await noteEnds(transaction, 'sync', [run]);
    return outcome;
  });
}

/** Hands the run back, to continue at `resumeAt` or, without one, as soon as a worker claims it. */
export async function putOffRun(
  sql: TenantSql,
  run: ClaimedRun,
  resumeAt: Date | null,
  problem: RunProblem | null,
): Promise<void> {
  const status = resumeAt === null ? 'RUNNING' : 'SLEEPING';
  const along = showOnConnection(run.svcCompanyId, { status });
  await sql.transaction((transaction) => putOff(transaction, run, resumeAt, { problem, along }));
}

interface Shown {
  readonly status: 'IDLE' | 'RUNNING' | 'SLEEPING';
  readonly isSynced?: boolean;
}

/** An accompanying statement that shows the state of a `run` on its connection. Reference G6, sync_status. */
const showOnConnection =
  (svcCompanyId: number, { status, isSynced = false }: Shown): Along =>
  (query, resumeInMs) =>
    `UPDATE connections t SET sync_status = ${query.bind(status)}, sync_resume_at = ${fromNow(query, resumeInMs)},
       last_synced_at = CASE WHEN ${query.bind(isSynced)}::boolean THEN now() ELSE t.last_synced_at END
     FROM run r
     WHERE ${query.within('t')} AND t.svc_company_id = ${query.bind(svcCompanyId)} AND t.svc_id = r."connectionId"`;
