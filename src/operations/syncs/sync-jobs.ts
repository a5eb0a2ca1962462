import { databaseTime } from '../../db/clock.js';
import type { Context } from '../../context.js';
import type { TenantQuery, TenantSql } from '../../db/tenant-sql.js';
import type { CountedConnection } from '../../query/pages/connection.js';
import { ofOwnedIds, type OwnedId } from '../../query/owned-ids.js';
import type { RawJson } from '../../base/raw-json.js';
import type { JobState } from '../../runs/states.js';
import { parseText } from '../../base/values.js';

/** Error of a sync or job. */
export interface SyncError {
  readonly code: string;
  readonly message: string;
}

/** A sync's job for one record type. Reference G12, job. */
export interface ListedSyncJob {
  readonly svcId: number;
  readonly jobId: string;
  readonly syncId: string;
  readonly syncSvcId: number;
  readonly svcCompanyId: number;
  readonly integrationType: string;
  readonly dataModel: string;
  readonly state: JobState;
  readonly phase: 'PULL' | 'SWEEP';
  readonly since: string | null;
  readonly pages: number;
  readonly recordsRead: number;
  readonly created: number;
  readonly updated: number;
  readonly deleted: number;
  readonly unchanged: number;
  readonly failed: number;
  readonly problems: readonly string[];
  readonly error: SyncError | null;
  readonly retries: number;
  readonly responseBytes: number;
  readonly sleptMs: number;
  readonly startedAt: string | null;
  readonly endedAt: string | null;
  readonly durationMs: number | null;
  readonly svcCreatedAt: string;
  readonly svcUpdatedAt: string;
}

export type SyncJobConnection = CountedConnection<ListedSyncJob>;

type JobRow = Omit<ListedSyncJob, 'problems' | 'error' | 'durationMs'> & {
  readonly problems: RawJson;
  readonly errorCode: string | null;
  readonly errorMessage: string | null;
};

const COLUMNS = `t.svc_id AS "svcId", t.job_id AS "jobId", s.sync_id AS "syncId", t.sync_svc_id AS "syncSvcId",
  t.svc_company_id AS "svcCompanyId", s.integration_type AS "integrationType", t.data_model AS "dataModel", t.state,
  t.phase, t.since, t.pages, t.records_read AS "recordsRead", t.created, t.updated, t.deleted, t.unchanged, t.failed,
  t.problems, t.error_code AS "errorCode", t.error_message AS "errorMessage", t.retries,
  t.response_bytes AS "responseBytes", t.slept_ms AS "sleptMs", t.started_at AS "startedAt", t.ended_at AS "endedAt",
  t.svc_created_at AS "svcCreatedAt", t.svc_updated_at AS "svcUpdatedAt"`;

/** The jobs of some runs, in order per run; one statement. */
export function listSyncJobs(sql: TenantSql, syncs: readonly OwnedId[]): Promise<ListedSyncJob[]> {
  const query = sql.query();
  const ofSyncs = ofOwnedIds(query, 'sync_svc_id', syncs);
  return readJobs(sql, query, `${ofSyncs} ORDER BY t.sync_svc_id, t.position`);
}

/** One job by its id, or by its svc_id; null when the scope has none. */
export async function getSyncJob({ sql }: Context, id: string): Promise<ListedSyncJob | null> {
  const jobId = parseText(id, 'jobId');
  const svcId = /^\d{1,15}$/.test(jobId) ? Number(jobId) : null;
  const query = sql.query();
  const condition = `(t.job_id = ${query.bind(jobId)} OR t.svc_id = ${query.bind(svcId)}::bigint)`;
  // An id of only digits could be both: a job id takes precedence.
  const order = `ORDER BY t.job_id = ${query.bind(jobId)} DESC LIMIT 1`;
  const [job] = await readJobs(sql, query, `${condition} ${order}`);
  return job ?? null;
}

/** Jobs by their svc_ids. */
export function listSyncJobsById(sql: TenantSql, jobs: readonly OwnedId[]): Promise<ListedSyncJob[]> {
  const query = sql.query();
  return readJobs(sql, query, ofOwnedIds(query, 'svc_id', jobs));
}

async function readJobs(sql: TenantSql, query: TenantQuery, rest: string): Promise<ListedSyncJob[]> {
  const rows = await sql.rows<JobRow>(
    query,
    `SELECT ${COLUMNS} FROM sync_jobs t
     JOIN syncs s ON s.svc_company_id = t.svc_company_id AND s.svc_id = t.sync_svc_id
     WHERE ${query.within('t')} AND ${rest}`,
  );
  return rows.map(present);
}

function present({ problems, errorCode, errorMessage, ...row }: JobRow): ListedSyncJob {
  return {
    ...row,
    problems: JSON.parse(problems.text) as string[],
    error: errorOf(errorCode, errorMessage),
    durationMs: durationOf(row.startedAt, row.endedAt),
  };
}

export function errorOf(code: string | null, message: string | null): SyncError | null {
  return code === null ? null : { code, message: message ?? '' };
}

/** Milliseconds from start to end, or until now. */
export function durationOf(startedAt: string | null, endedAt: string | null): number | null {
  if (startedAt === null) return null;
  return Math.max(
    0,
    (endedAt === null ? databaseTime().getTime() : Date.parse(endedAt)) - Date.parse(startedAt),
  );
}
