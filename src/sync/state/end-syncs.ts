import type { TenantSql } from '../../db/tenant-sql.js';
import { fenceOff, type RunProblem } from '../../runs/lease.js';
import { isOpenSql, type JobState } from '../../runs/states.js';

const ENDED: JobState = 'FAILED';

/** Ends the unfinished syncs of some connections, with their jobs, in the given transaction. Returns their svc_ids. */
export async function endOpenSyncs(
  transaction: TenantSql,
  which: { readonly svcCompanyId: number; readonly connectionIds: readonly number[] },
  reason: RunProblem,
): Promise<number[]> {
  const ended = await fenceOff(transaction, which, reason);
  await endOpenJobs(transaction, which.svcCompanyId, ended, reason);
  return ended;
}

/** Ends the jobs of syncs that end before them, in the given transaction. */
export async function endOpenJobs(
  transaction: TenantSql,
  svcCompanyId: number,
  syncs: readonly number[],
  { code, message }: RunProblem,
): Promise<void> {
  const query = transaction.query();
  await transaction.rows(
    query,
    `UPDATE sync_jobs t SET state = '${ENDED}', ended_at = now(), svc_updated_at = now(),
       error_code = ${query.bind(code)}, error_message = ${query.bind(message)}
     WHERE ${query.within('t')} AND t.svc_company_id = ${query.bind(svcCompanyId)}
       AND t.sync_svc_id = ANY(${query.bind(syncs)}::bigint[]) AND ${isOpenSql('job', 't.state')}`,
  );
}

/** Deletes the ids that ended syncs have found, where their jobs did not end by themselves. */
export async function forgetSeen(
  sql: TenantSql,
  svcCompanyId: number,
  syncs: readonly number[],
): Promise<void> {
  if (syncs.length === 0) return;
  const ended = sql.query();
  const jobs = await sql.rows<{ svcId: number }>(
    ended,
    `SELECT t.svc_id AS "svcId" FROM sync_jobs t WHERE ${ended.within('t')}
       AND t.svc_company_id = ${ended.bind(svcCompanyId)} AND t.sync_svc_id = ANY(${ended.bind(syncs)}::bigint[])`,
  );
  const seen = sql.query();
  const ids = jobs.map(({ svcId }) => svcId);
  await sql.rows(
    seen,
    `DELETE FROM sync_seen t WHERE ${seen.within('t')} AND t.svc_company_id = ${seen.bind(svcCompanyId)}
       AND t.sync_job_svc_id = ANY(${seen.bind(ids)}::bigint[])`,
  );
}
