import { fromNow, millisecondsUntil } from '../db/from-now.js';
import type { TenantQuery, TenantSql } from '../db/tenant-sql.js';
import { addJob } from '../jobs/add-job.js';
import type { Category } from '../records/define.js';
import { type AnyState, isOpenSql, mayBecomeSql, type StateOf } from './states.js';

/** Work that outlives its worker, done by one worker at a time. */
export type RunKind = 'sync' | 'upload';

/** The differences between the kinds of runs. */
export const KINDS = {
  sync: {
    table: 'syncs',
    id: 'sync_id',
    /** The state of a run that waits for another worker. */
    handedBack: 'INTERRUPTED',
    addJob: (transaction: TenantSql, { svcCompanyId, svcId, connectionId }: QueuedRun, when: JobTime) =>
      addJob(transaction, {
        task: 'sync',
        payload: { ...organisationOf(transaction), svcCompanyId, syncSvcId: svcId },
        queue: `connection:${connectionId}`,
        key: `sync:${svcId}`,
        ...when,
      }),
  },
  upload: {
    table: 'uploads',
    id: 'upload_id',
    handedBack: 'PENDING',
    addJob: (transaction: TenantSql, { svcCompanyId, svcId, connectionId }: QueuedRun, when: JobTime) =>
      addJob(transaction, {
        task: 'write',
        payload: { ...organisationOf(transaction), svcCompanyId, uploadSvcId: svcId },
        queue: `write:${connectionId}`,
        key: `write:${svcId}`,
        ...when,
      }),
  },
} as const;

type JobTime = { readonly runInMs?: number };
const organisationOf = ({ scope }: TenantSql) => ({ organisationId: scope.organisationId });

export interface RunKey {
  readonly svcCompanyId: number;
  readonly svcId: number;
}

/** A run with the connection whose queue its jobs use: a slow platform delays no other connection. */
export interface QueuedRun extends RunKey {
  readonly connectionId: number;
}

/** A run that this worker holds. */
export interface RunLease<K extends RunKind = RunKind> extends QueuedRun {
  readonly kind: K;
  readonly integrationType: string;
  readonly category: Category;
  /** Every write of this worker must carry it: a later claim has a higher one. */
  readonly fence: number;
  readonly workerId: string;
  /** Workers that died while running it since its last progress. */
  readonly crashes: number;
}

export interface RunProblem {
  readonly code: string;
  readonly message: string;
}

/**
 * A statement that goes along with a change of a run, in one statement with it, and reads the changed run's
 * `connectionId` from `run`. The time is that until the run continues; null where it does not wait.
 */
export type Along = (query: TenantQuery, resumeInMs: number | null) => string;

const withAlong = (change: string, along: string | undefined): string =>
  along === undefined ? change : `WITH run AS (${change}), along AS (${along}) SELECT * FROM run`;

/** Another worker has taken the run over, or it is gone: nothing more may be sent or stored. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost';
}

/** Adds a run's job in the transaction that `transaction` is in; of one connection they run one after the other. */
export function queueRun(
  transaction: TenantSql,
  kind: RunKind,
  run: QueuedRun,
  runInMs: number | null = null,
): Promise<void> {
  return KINDS[kind].addJob(transaction, run, runInMs === null ? {} : { runInMs });
}

/**
 * Claims a run, returning also its `columns`; null when it has ended or is gone. The worker that held it before is
 * fenced off from now on.
 */
export async function claim<K extends RunKind, Columns>(
  sql: TenantSql,
  key: RunKey & { readonly kind: K },
  {
    workerId,
    columns,
    along,
  }: { readonly workerId: string; readonly columns: string; readonly along?: Along },
): Promise<(RunLease<K> & Columns) | null> {
  const query = sql.query();
  const [run] = await sql.rows<Omit<RunLease, 'kind' | keyof RunKey> & Columns>(
    query,
    withAlong(
      `UPDATE ${KINDS[key.kind].table} t SET fence = t.fence + 1, worker_id = ${query.bind(workerId)}, state = 'RUNNING',
       resume_at = NULL, started_at = COALESCE(t.started_at, now()), svc_updated_at = now()
     WHERE ${isRun(query, key)} AND ${mayBecomeSql(key.kind, 't.state', 'RUNNING')}
     RETURNING t.connection_id AS "connectionId", t.integration_type AS "integrationType", t.category, t.fence,
       t.worker_id AS "workerId", t.crashes, ${columns}`,
      along?.(query, null),
    ),
  );
  return run ? { ...key, ...run } : null;
}

/** Throws LeaseLost unless this worker still holds the run; within a transaction, it does until the end. */
export async function assertHeld(sql: TenantSql, lease: RunLease): Promise<void> {
  const query = sql.query();
  const rows = await sql.rows(
    query,
    `SELECT 1 FROM ${KINDS[lease.kind].table} t WHERE ${isRun(query, lease)} AND t.fence = ${query.bind(lease.fence)}
       AND t.state = 'RUNNING' FOR NO KEY UPDATE`,
  );
  if (rows.length > 0) return;
  throw new LeaseLost(`another worker has taken this ${lease.kind} over, or it was removed`);
}

/**
 * Hands a run back in the given transaction, to continue at `resumeAt` or, without one, as soon as a worker claims it,
 * and adds its job.
 */
export async function putOff(
  transaction: TenantSql,
  lease: RunLease,
  resumeAt: Date | null,
  { problem, along }: MoveOptions = {},
): Promise<void> {
  await assertHeld(transaction, lease);
  const state = resumeAt === null ? KINDS[lease.kind].handedBack : 'SLEEPING';
  const resumeInMs = millisecondsUntil(resumeAt);
  await move(transaction, lease, { state, resumeInMs, isEnd: false, problem, along });
  await queueRun(transaction, lease.kind, lease, resumeInMs);
}

/** Records progress, in the given transaction: earlier crashes were not the run's fault. */
export async function noteProgress(transaction: TenantSql, lease: RunLease): Promise<void> {
  if (lease.crashes === 0) return;
  const query = transaction.query();
  await transaction.rows(
    query,
    `UPDATE ${KINDS[lease.kind].table} t SET crashes = 0 WHERE ${isRun(query, lease)}`,
  );
}

/** Ends a run in the given transaction: one that is held there, or not claimed yet. */
export function end<K extends RunKind>(
  transaction: TenantSql,
  run: RunKey & { readonly kind: K },
  state: StateOf<K>,
  { problem, along }: MoveOptions = {},
): Promise<void> {
  return move(transaction, run, { state: state as AnyState, resumeInMs: null, isEnd: true, problem, along });
}

interface MoveOptions {
  /** Undefined: the kind keeps none. */
  readonly problem?: RunProblem | null | undefined;
  readonly along?: Along | undefined;
}

interface Move extends MoveOptions {
  readonly state: AnyState;
  readonly resumeInMs: number | null;
  readonly isEnd: boolean;
}

async function move(
  transaction: TenantSql,
  run: RunKey & { readonly kind: RunKind },
  { state, resumeInMs, isEnd, problem, along }: Move,
): Promise<void> {
  const query = transaction.query();
  const noted =
    problem === undefined
      ? ''
      : `, error_code = ${query.bind(problem?.code ?? null)}, error_message = ${query.bind(problem?.message ?? null)}`;
  const moved = await transaction.rows(
    query,
    withAlong(
      `UPDATE ${KINDS[run.kind].table} t SET state = ${query.bind(state)}, resume_at = ${fromNow(query, resumeInMs)},
         ${isEnd ? 'ended_at = now(), ' : ''}svc_updated_at = now()${noted}
       WHERE ${isRun(query, run)} AND ${mayBecomeSql(run.kind, 't.state', state)}
       RETURNING t.connection_id AS "connectionId"`,
      along?.(query, resumeInMs),
    ),
  );
  if (moved.length === 0) throw new Error(`a ${run.kind} cannot become ${state} from what it is`);
}

/**
 * Ends the unfinished syncs of some connections, whichever worker runs them: that worker can store nothing more, and
 * queued syncs never start. Returns their svc_ids.
 */
export async function fenceOff(
  transaction: TenantSql,
  {
    svcCompanyId,
    connectionIds,
  }: { readonly svcCompanyId: number; readonly connectionIds: readonly number[] },
  problem: RunProblem,
): Promise<number[]> {
  const query = transaction.query();
  const rows = await transaction.rows<Pick<RunKey, 'svcId'>>(
    query,
    `UPDATE syncs t SET state = 'FAILED', fence = t.fence + 1, resume_at = NULL, ended_at = now(),
       svc_updated_at = now(), error_code = ${query.bind(problem.code)}, error_message = ${query.bind(problem.message)}
     WHERE ${query.within('t')} AND t.svc_company_id = ${query.bind(svcCompanyId)}
       AND t.connection_id = ANY(${query.bind(connectionIds)}::bigint[]) AND ${isOpenSql('sync', 't.state')}
     RETURNING t.svc_id AS "svcId"`,
  );
  return rows.map(({ svcId }) => svcId);
}

/**
 * Takes the running uploads of some connections back from their workers, which can send and store nothing more: who
 * claims them next learns what has become of the connection.
 */
export async function takeBackUploads(
  transaction: TenantSql,
  which: { readonly svcCompanyId: number; readonly connectionIds: readonly number[] },
): Promise<void> {
  const query = transaction.query();
  await transaction.rows(
    query,
    `UPDATE uploads t SET state = '${KINDS.upload.handedBack}', worker_id = NULL, svc_updated_at = now()
     WHERE ${query.within('t')} AND t.svc_company_id = ${query.bind(which.svcCompanyId)}
       AND t.connection_id = ANY(${query.bind(which.connectionIds)}::bigint[]) AND t.state = 'RUNNING'`,
  );
}

const isRun = (query: TenantQuery, { svcCompanyId, svcId }: RunKey): string =>
  query.rowsOf(svcCompanyId, 'svc_id', svcId);
