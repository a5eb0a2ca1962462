import { fromNow } from '../db/from-now.js';
import type { TenantSql } from '../db/tenant-sql.js';
import { traceHeaders } from '../traces.js';

/** What the job is about: the worker makes its scope from the organisation. */
export interface SyncJobPayload {
  readonly organisationId: number;
  readonly svcCompanyId: number;
  readonly syncSvcId: number;
}

export interface WriteJobPayload {
  readonly organisationId: number;
  readonly svcCompanyId: number;
  readonly uploadSvcId: number;
}

/** An item that was sent more than once, and whether the platform has it more than once. */
export interface LookJobPayload {
  readonly organisationId: number;
  readonly svcCompanyId: number;
  readonly itemSvcId: number;
  /** How often it was looked for. */
  readonly looks: number;
}

/** What a payload carries besides where its job is traced. */
export interface Caused {
  /** The W3C context of the work that added the job. */
  readonly traceparent?: string;
}

/** The tasks that workers know, and what their jobs carry. */
export interface TaskPayloads {
  readonly sync: SyncJobPayload;
  readonly write: WriteJobPayload;
  readonly look: LookJobPayload;
}

interface NewJob<Task extends keyof TaskPayloads> {
  readonly task: Task;
  readonly payload: TaskPayloads[Task];
  /** Jobs of one queue run one after the other. */
  readonly queue: string;
  /** A job of the same key is replaced. */
  readonly key: string;
  /** From now; absent: as soon as a worker takes it. */
  readonly runInMs?: number;
}

/** Adds a job in the transaction that `sql` is in: it exists exactly when what it is about does. */
export async function addJob<Task extends keyof TaskPayloads>(
  sql: TenantSql,
  job: NewJob<Task>,
): Promise<void> {
  const query = sql.query();
  const { traceparent } = traceHeaders();
  const payload: Caused = { ...job.payload, ...(traceparent === undefined ? {} : { traceparent }) };
  const values = [job.task, JSON.stringify(payload), job.queue, job.key];
  const [task, content, queue, key] = values.map((value) => query.bind(value));
  // The scope stands in every statement; an organisation always has its own row.
  await sql.rows(
    query,
    `SELECT svc_add_job(${task}, ${content}::json, ${queue}, ${fromNow(query, job.runInMs ?? null)}, ${key})
     FROM (SELECT $1::bigint AS svc_organisation_id) t WHERE t.svc_organisation_id = $1`,
  );
}
