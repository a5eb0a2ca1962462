import type { TenantSql } from '../db/tenant-sql.js';
import { addJob } from '../jobs/add-job.js';
import type { Category } from '../records/define.js';
import { FencedError, OPEN_STATES, type SyncKey, type SyncState } from './engine.js';
import { connectionQueue, syncJobKey } from './start-sync.js';

/** A run that this worker holds. */
export interface ClaimedRun extends SyncKey {
  readonly connectionId: number;
  readonly integrationType: string;
  readonly category: Category;
  readonly syncId: string;
  readonly fullSync: boolean;
  readonly syncFrom: string | null;
  /** What this worker writes must carry it: a later claim has a higher one. */
  readonly fence: number;
}

/** Takes a run over; null when it has ended or is gone. Whoever held it before is fenced off from now on. */
export async function claimRun(sql: TenantSql, key: SyncKey, workerId: string): Promise<ClaimedRun | null> {
  const query = sql.query();
  const [run] = await sql.rows<Omit<ClaimedRun, keyof SyncKey>>(
    query,
    `UPDATE syncs t SET fence = t.fence + 1, worker_id = ${query.bind(workerId)}, state = 'RUNNING', resume_at = NULL,
       started_at = COALESCE(t.started_at, now()), svc_updated_at = now()
     WHERE ${query.within('t')} AND t.svc_company_id = ${query.bind(key.svcCompanyId)}
       AND t.svc_id = ${query.bind(key.syncSvcId)} AND t.state = ANY(${query.bind(OPEN_STATES)}::text[])
     RETURNING t.connection_id AS "connectionId", t.integration_type AS "integrationType", t.category,
       t.sync_id AS "syncId", t.full_sync AS "fullSync", t.sync_from AS "syncFrom", t.fence`,
  );
  if (!run) return null;
  await showOnConnection(sql, { ...key, ...run }, 'RUNNING', null);
  return { ...key, ...run };
}

/** Throws FencedError unless the run is still this worker's; keeps it so until the transaction ends. */
export async function holdRun(transaction: TenantSql, run: ClaimedRun): Promise<void> {
  const query = transaction.query();
  const rows = await transaction.rows(
    query,
    `SELECT 1 FROM syncs t WHERE ${query.within('t')} AND t.svc_company_id = ${query.bind(run.svcCompanyId)}
     AND t.svc_id = ${query.bind(run.syncSvcId)} AND t.fence = ${query.bind(run.fence)} AND t.state = 'RUNNING' FOR UPDATE`,
  );
  if (rows.length === 0) throw new FencedError();
}

export interface RunProblem {
  readonly code: string;
  readonly message: string;
}

/** Ends the run. */
export async function endRun(
  sql: TenantSql,
  run: ClaimedRun,
  state: SyncState,
  problem: RunProblem | null,
): Promise<void> {
  await sql.transaction(async (transaction) => {
    await holdRun(transaction, run);
    await moveRun(transaction, run, { state, resumeAt: null, problem, ended: true });
    await showOnConnection(transaction, run, 'IDLE', null, state !== 'FAILED');
  });
}

/**
 * Hands the run back, to go on at `resumeAt` (SLEEPING) or as soon as a worker takes it (INTERRUPTED), and adds its job
 * in the same transaction.
 */
export async function putOffRun(
  sql: TenantSql,
  run: ClaimedRun,
  resumeAt: Date | null,
  problem: RunProblem | null,
): Promise<void> {
  await sql.transaction(async (transaction) => {
    await holdRun(transaction, run);
    const state = resumeAt === null ? 'INTERRUPTED' : 'SLEEPING';
    await moveRun(transaction, run, { state, resumeAt, problem, ended: false });
    await showOnConnection(transaction, run, resumeAt === null ? 'RUNNING' : 'SLEEPING', resumeAt);
    await addJob(transaction, {
      task: 'sync',
      payload: {
        organisationId: transaction.scope.organisationId,
        svcCompanyId: run.svcCompanyId,
        syncSvcId: run.syncSvcId,
      },
      queue: connectionQueue(run.connectionId),
      key: syncJobKey(run.syncSvcId),
      ...(resumeAt === null ? {} : { runAt: resumeAt }),
    });
  });
}

interface Move {
  readonly state: SyncState;
  readonly resumeAt: Date | null;
  readonly problem: RunProblem | null;
  readonly ended: boolean;
}

async function moveRun(sql: TenantSql, run: ClaimedRun, move: Move): Promise<void> {
  const query = sql.query();
  await sql.rows(
    query,
    `UPDATE syncs t SET state = ${query.bind(move.state)}, resume_at = ${query.bind(move.resumeAt)},
       error_code = ${query.bind(move.problem?.code ?? null)}, error_message = ${query.bind(move.problem?.message ?? null)},
       ended_at = CASE WHEN ${query.bind(move.ended)}::boolean THEN now() END, svc_updated_at = now()
     WHERE ${query.within('t')} AND t.svc_company_id = ${query.bind(run.svcCompanyId)}
       AND t.svc_id = ${query.bind(run.syncSvcId)}`,
  );
}

/** What the connection shows of its sync. Contract section 4, sync status of a connection. */
async function showOnConnection(
  sql: TenantSql,
  run: Pick<ClaimedRun, 'svcCompanyId' | 'connectionId'>,
  status: 'IDLE' | 'RUNNING' | 'SLEEPING',
  resumeAt: Date | null,
  isSynced = false,
): Promise<void> {
  const query = sql.query();
  await sql.rows(
    query,
    `UPDATE connections t SET sync_status = ${query.bind(status)}, sync_resume_at = ${query.bind(resumeAt)},
       last_synced_at = CASE WHEN ${query.bind(isSynced)}::boolean THEN now() ELSE t.last_synced_at END
     WHERE ${query.within('t')} AND t.svc_company_id = ${query.bind(run.svcCompanyId)}
       AND t.svc_id = ${query.bind(run.connectionId)}`,
  );
}
