import { inOrder } from '../../db/in-order.js';
import type { TenantQuery, TenantSql } from '../../db/tenant-sql.js';
import type { RawJson } from '../../base/raw-json.js';
import { noteProgress, type RunProblem } from '../../runs/lease.js';
import { type JobState, mayBecomeSql } from '../../runs/states.js';
import type { ClaimedRun } from './run-state.js';

type JobPhase = 'PULL' | 'SWEEP';

/** A run's job for one record type, as stored in the database. */
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
  /** Failures of the platform since the last page. */
  readonly faults: number;
  readonly startedAt: string | null;
}

/** The jobs of a run, in their order. */
export async function listJobs(sql: TenantSql, run: ClaimedRun): Promise<JobRow[]> {
  const query = sql.query();
  return sql.rows<JobRow>(
    query,
    `SELECT t.svc_id AS "svcId", t.data_model AS "dataModel", t.state, t.phase, t.cursor, t.since, t.plan, t.platform_ids AS "platformIds", t.failed, t.faults,
       t.started_at AS "startedAt"
     FROM sync_jobs t WHERE ${query.rowsOf(run.svcCompanyId, 'sync_svc_id', run.svcId)} ORDER BY t.position`,
  );
}

/** How a job begins. */
export interface JobStart {
  /** Start of the range of changes; null for everything. */
  readonly since: Date | null;
  /** Its search for deletions, JSON. */
  readonly plan: string | null;
  /** Absent: now. */
  readonly startedAt?: string;
  /** Pages and bytes that the job read before it was stored. */
  readonly pages?: number;
  readonly bytes?: number;
}

/** Begins a job, once: all this stays the same however often it is resumed. Returns the start time. */
export async function beginJob(
  sql: TenantSql,
  run: ClaimedRun,
  svcId: number,
  { since, plan, startedAt, pages = 0, bytes = 0 }: JobStart,
): Promise<string | null> {
  const query = sql.query();
  const [begun] = await sql.rows<{ startedAt: string }>(
    query,
    `UPDATE sync_jobs t SET state = 'RUNNING', since = ${query.bind(since)},
       plan = ${query.bind(plan)}::jsonb, started_at = COALESCE(${query.bind(startedAt ?? null)}::timestamptz, now()),
       pages = t.pages + ${query.bind(pages)}, response_bytes = t.response_bytes + ${query.bind(bytes)},
       svc_updated_at = now()
     WHERE ${whichJob(query, run, svcId)} AND ${mayBecomeSql('job', 't.state', 'RUNNING')}
     RETURNING t.started_at AS "startedAt"`,
  );
  return begun?.startedAt ?? null;
}

/** Progress of a job through one page. */
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
    ? `phase = ${query.bind(checkpoint.phase)}, cursor = ${query.bind(checkpoint.cursor)}, faults = 0, `
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
  const fault = query.bind(isFault ? 1 : 0);
  await sql.rows(
    query,
    `UPDATE sync_jobs t SET slept_ms = t.slept_ms + ${query.bind(Math.max(0, Math.round(sleptMs)))},
       retries = t.retries + ${fault}, faults = t.faults + ${fault}, svc_updated_at = now()
     WHERE ${whichJob(query, run, svcId)}`,
  );
}

/** Extent of a job's reading of its record type: the next sync asks for changes since the job began. */
export interface NewMarks {
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
    `UPDATE sync_jobs t SET state = ${query.bind(state)}, started_at = COALESCE(t.started_at, now()), ended_at = now(),
       svc_updated_at = now(), error_code = ${query.bind(problem?.code ?? null)},
       error_message = ${query.bind(problem?.message ?? null)}
     WHERE ${whichJob(query, run, svcId)} AND ${mayBecomeSql('job', 't.state', state)}`,
  );
  if (marks) await setMarks(transaction, run, [{ svcId, ...marks }]);
  if (!hasSeen) return;
  const seen = transaction.query();
  await transaction.rows(
    seen,
    `DELETE FROM sync_seen t WHERE ${seen.rowsOf(run.svcCompanyId, 'sync_job_svc_id', svcId)}`,
  );
}

/** A job that ends where it begins: it has found nothing to store. */
export interface IdleEnd extends Required<JobStart> {
  readonly svcId: number;
  /** Null if it skipped some changes. */
  readonly marks: NewMarks | null;
}

/** Ends jobs that have not begun in the database. */
export async function endIdleJobs(
  transaction: TenantSql,
  run: ClaimedRun,
  ended: readonly IdleEnd[],
): Promise<void> {
  const query = transaction.query();
  const state: JobState = 'SUCCESS';
  const phase: JobPhase = 'SWEEP';
  const ofRun = query.rowsOf(run.svcCompanyId, 'sync_svc_id', run.svcId);
  await transaction.rows(
    query,
    `UPDATE sync_jobs t SET state = '${state}', phase = '${phase}', since = e.since, plan = e.plan::jsonb,
       started_at = e."startedAt", pages = t.pages + e.pages, response_bytes = t.response_bytes + e.bytes,
       ended_at = now(), svc_updated_at = now()
     FROM jsonb_to_recordset(${query.bind(JSON.stringify(ended))}::jsonb) AS e ("svcId" bigint, since timestamptz,
       plan text, "startedAt" timestamptz, pages int, bytes bigint)
     WHERE ${ofRun} AND t.svc_id = e."svcId" AND ${mayBecomeSql('job', 't.state', state)}`,
  );
  const marked = ended.flatMap(({ svcId, marks }) => (marks ? [{ svcId, ...marks }] : []));
  if (marked.length > 0) await setMarks(transaction, run, marked);
  await noteProgress(transaction, run);
}

async function setMarks(
  sql: TenantSql,
  run: ClaimedRun,
  marks: readonly (NewMarks & { readonly svcId: number })[],
): Promise<void> {
  const query = sql.query();
  const ofRun = query.rowsOf(run.svcCompanyId, 'sync_svc_id', run.svcId);
  const platformStart = `t.started_at - n."behindMs" * interval '1 millisecond'`;
  await sql.rows(
    query,
    `INSERT INTO sync_marks AS m (svc_organisation_id, svc_company_id, connection_id, data_model, pulled_to, swept_at,
       complete_at, whole_at)
     SELECT t.svc_organisation_id, t.svc_company_id, ${query.bind(run.connectionId)}, t.data_model, ${platformStart},
       CASE WHEN n.swept THEN ${platformStart} END, CASE WHEN n."isAll" THEN t.started_at END,
       CASE WHEN n."isWhole" THEN t.started_at END
     FROM sync_jobs t, jsonb_to_recordset(${query.bind(JSON.stringify(marks))}::jsonb) AS n ("svcId" bigint,
       swept boolean, "isAll" boolean, "isWhole" boolean, "behindMs" float8)
     WHERE ${ofRun} AND t.svc_id = n."svcId"
     ON CONFLICT (svc_company_id, connection_id, data_model) DO UPDATE SET pulled_to = excluded.pulled_to,
       swept_at = COALESCE(excluded.swept_at, m.swept_at), complete_at = COALESCE(excluded.complete_at, m.complete_at),
       whole_at = COALESCE(excluded.whole_at, m.whole_at)
     -- A cluster inserts what it has made at its coordinator, and has no values there.
     WHERE m.svc_organisation_id = excluded.svc_organisation_id`,
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
