import { inOrder } from '../db/in-order.js';
import type { TenantQuery, TenantSql } from '../db/tenant-sql.js';
import type { RawJson } from '../raw-json.js';
import { noteProgress, type RunProblem } from '../runs/lease.js';
import { type JobState, mayBecomeSql } from '../runs/states.js';
import type { ClaimedRun } from './run-state.js';

type JobPhase = 'PULL' | 'SWEEP';

/** What a run does with one record type, as stored in the database. */
export interface JobRow {
  readonly svcId: number;
  readonly dataModel: string;
  readonly state: JobState;
  readonly phase: JobPhase;
  readonly cursor: string | null;
  readonly since: string | null;
  /** Null where it has not begun. */
  readonly plan: RawJson | null;
  /** Only these objects are read; null for all changes. */
  readonly platformIds: readonly string[] | null;
  readonly failed: number;
  readonly retries: number;
  readonly startedAt: string | null;
}

/** The jobs of a run, in their order. */
export async function listJobs(sql: TenantSql, run: ClaimedRun): Promise<JobRow[]> {
  const query = sql.query();
  return sql.rows<JobRow>(
    query,
    `SELECT t.svc_id AS "svcId", t.data_model AS "dataModel", t.state, t.phase, t.cursor, t.since, t.plan, t.platform_ids AS "platformIds", t.failed, t.retries,
       t.started_at AS "startedAt"
     FROM sync_jobs t WHERE ${query.rowsOf(run.svcCompanyId, 'sync_svc_id', run.svcId)} ORDER BY t.position`,
  );
}

/**
 * Begins a job, once: its range of changes, start time and search for deletions (`plan`, JSON) stay the same however
 * often it is resumed. Returns the start time.
 */
export async function beginJob(
  sql: TenantSql,
  run: ClaimedRun,
  svcId: number,
  { since, plan }: { readonly since: Date | null; readonly plan: string | null },
): Promise<string | null> {
  const query = sql.query();
  const [begun] = await sql.rows<{ startedAt: string }>(
    query,
    `UPDATE sync_jobs t SET state = 'RUNNING', since = ${query.bind(since)},
       plan = ${query.bind(plan)}::jsonb, started_at = now(), svc_updated_at = now()
     WHERE ${whichJob(query, run, svcId)} AND ${mayBecomeSql('job', 't.state', 'RUNNING')}
     RETURNING t.started_at AS "startedAt"`,
  );
  return begun?.startedAt ?? null;
}

/** What a page adds to a job. */
export interface JobProgress {
  /** At the end of a page: where the next one begins. */
  readonly checkpoint?: { readonly phase: JobPhase; readonly cursor: string | null };
  readonly read?: number;
  readonly created?: number;
  readonly updated?: number;
  readonly deleted?: number;
  readonly unchanged?: number;
  readonly failed?: number;
  /** Length of what the platform answered. */
  readonly bytes?: number;
  readonly problems?: readonly string[];
}

const MAX_PROBLEMS = 5;

/**
 * Adds to the counts and, at the end of a page, moves the checkpoint; in the transaction that stores what is counted.
 */
export async function checkpointJob(
  transaction: TenantSql,
  run: ClaimedRun,
  svcId: number,
  progress: JobProgress,
): Promise<void> {
  const { checkpoint } = progress;
  const query = transaction.query();
  const add = (column: string, count: number | undefined) =>
    `${column} = t.${column} + ${query.bind(count ?? 0)}`;
  const problems = query.bind(JSON.stringify(progress.problems ?? []));
  const moved = checkpoint
    ? `phase = ${query.bind(checkpoint.phase)}, cursor = ${query.bind(checkpoint.cursor)}, `
    : '';
  const counted = transaction.rows(
    query,
    `UPDATE sync_jobs t SET ${moved}${add('pages', checkpoint ? 1 : 0)}, ${add('records_read', progress.read)}, ${add('created', progress.created)},
       ${add('updated', progress.updated)}, ${add('deleted', progress.deleted)}, ${add('unchanged', progress.unchanged)},
       ${add('failed', progress.failed)}, ${add('response_bytes', progress.bytes)}, svc_updated_at = now(),
       problems = CASE WHEN jsonb_array_length(t.problems) >= ${MAX_PROBLEMS} THEN t.problems
         ELSE (SELECT COALESCE(jsonb_agg(p.value), '[]') FROM (
           SELECT value FROM jsonb_array_elements(t.problems || ${problems}::jsonb) LIMIT ${MAX_PROBLEMS}) p) END
     WHERE ${whichJob(query, run, svcId)}`,
  );
  await inOrder([counted, checkpoint && noteProgress(transaction, run)]);
}

/** The platform was down, or asked for a pause: the job continues later. */
export async function noteRetry(
  sql: TenantSql,
  run: ClaimedRun,
  svcId: number,
  { sleptMs, isFault }: { readonly sleptMs: number; readonly isFault: boolean },
): Promise<void> {
  const query = sql.query();
  await sql.rows(
    query,
    `UPDATE sync_jobs t SET slept_ms = t.slept_ms + ${query.bind(Math.max(0, Math.round(sleptMs)))},
       retries = t.retries + ${query.bind(isFault ? 1 : 0)}, svc_updated_at = now()
     WHERE ${whichJob(query, run, svcId)}`,
  );
}

/** What a job read of its record type: the next sync asks for changes since the job began. */
interface NewMarks {
  readonly swept: boolean;
  /** Everything requested was read. */
  readonly isAll: boolean;
  /** Everything was read. */
  readonly isWhole: boolean;
  /** If the platform's clock is this far behind, changes since then have an earlier time. */
  readonly behindMs: number;
}

export async function endJob(
  transaction: TenantSql,
  run: ClaimedRun,
  svcId: number,
  {
    problem,
    marks = null,
    hasSeen = true,
  }: {
    readonly problem: RunProblem | null;
    /** Null if it failed or skipped some changes. */
    readonly marks?: NewMarks | null;
    /** It may have remembered the ids it found. */
    readonly hasSeen?: boolean;
  },
): Promise<void> {
  const state: JobState = problem ? 'FAILED' : 'SUCCESS';
  const query = transaction.query();
  await transaction.rows(
    query,
    `UPDATE sync_jobs t SET state = ${query.bind(state)}, ended_at = now(), svc_updated_at = now(),
       error_code = ${query.bind(problem?.code ?? null)}, error_message = ${query.bind(problem?.message ?? null)}
     WHERE ${whichJob(query, run, svcId)} AND ${mayBecomeSql('job', 't.state', state)}`,
  );
  if (marks) await setMarks(transaction, run, svcId, marks);
  if (!hasSeen) return;
  const seen = transaction.query();
  await transaction.rows(
    seen,
    `DELETE FROM sync_seen t WHERE ${seen.rowsOf(run.svcCompanyId, 'sync_job_svc_id', svcId)}`,
  );
}

async function setMarks(
  sql: TenantSql,
  run: ClaimedRun,
  svcId: number,
  { swept, isAll, isWhole, behindMs }: NewMarks,
): Promise<void> {
  const query = sql.query();
  const startWhere = (holds: boolean, start = 't.started_at') =>
    `CASE WHEN ${query.bind(holds)}::boolean THEN ${start} END`;
  const platformStart = `t.started_at - ${query.bind(behindMs)}::float8 * interval '1 millisecond'`;
  await sql.rows(
    query,
    `INSERT INTO sync_marks AS m (svc_organisation_id, svc_company_id, connection_id, data_model, pulled_to, swept_at,
       complete_at, whole_at)
     SELECT t.svc_organisation_id, t.svc_company_id, ${query.bind(run.connectionId)}, t.data_model, ${platformStart}, ${startWhere(swept, platformStart)},
       ${startWhere(isAll)}, ${startWhere(isWhole)}
     FROM sync_jobs t WHERE ${whichJob(query, run, svcId)}
     ON CONFLICT (svc_company_id, connection_id, data_model) DO UPDATE SET pulled_to = excluded.pulled_to,
       swept_at = COALESCE(excluded.swept_at, m.swept_at), complete_at = COALESCE(excluded.complete_at, m.complete_at),
       whole_at = COALESCE(excluded.whole_at, m.whole_at)
     WHERE m.svc_organisation_id = $1`,
  );
}

export interface SyncMark {
  readonly pulledTo: string | null;
  readonly sweptAt: string | null;
  readonly completeAt: string | null;
}

/** Up to when each record type of the connection is in sync with its platform. */
export async function readMarks(sql: TenantSql, run: ClaimedRun): Promise<ReadonlyMap<string, SyncMark>> {
  const query = sql.query();
  const marks = await sql.rows<SyncMark & { readonly dataModel: string }>(
    query,
    `SELECT t.data_model AS "dataModel", t.pulled_to AS "pulledTo", t.swept_at AS "sweptAt", t.complete_at AS "completeAt"
     FROM sync_marks t WHERE ${query.rowsOf(run.svcCompanyId, 'connection_id', run.connectionId)}`,
  );
  return new Map(marks.map((mark) => [mark.dataModel, mark]));
}

/** A job's start time as a value in a statement about records, which may be on other nodes than their sync. */
export const startedAtSql = (query: TenantQuery, run: ClaimedRun, svcId: number): string =>
  `(SELECT t.started_at FROM sync_jobs t WHERE ${whichJob(query, run, svcId)})`;

const whichJob = (query: TenantQuery, run: ClaimedRun, svcId: number): string =>
  query.rowsOf(run.svcCompanyId, 'svc_id', svcId);
