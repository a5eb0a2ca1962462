import { fromNow } from '../db/from-now.js';
import type { TenantSql } from '../db/tenant-sql.js';
import { traceHeaders } from '../telemetry/traces.js';

/** Subject of the job: the worker derives its scope from the organisation. */
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

/** Checks whether an item that was sent more than once is a duplicate at the platform. */
export interface LookJobPayload {
  readonly organisationId: number;
  readonly svcCompanyId: number;
  readonly itemSvcId: number;
  /** Number of checks so far. */
  readonly looks: number;
}

/** Trace context added to a job's payload. */
export interface Caused {
  /** The W3C context of the work that added the job. */
  readonly traceparent?: string;
}

/** The workers' tasks and their payloads. */
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
  /** Replaces a job with the same key. */
  readonly key: string;
  /** Delay from now; absent: as soon as a worker is free. */
  readonly runInMs?: number;
}

/** Adds a job in the transaction that `sql` is in: the job exists exactly if its subject does. */
export async function addJob<Task extends keyof TaskPayloads>(
  sql: TenantSql,
  job: NewJob<Task>,
): Promise<void> {
  const query = sql.query();
  const { traceparent } = traceHeaders();
  const payload: Caused = { ...job.payload, ...(traceparent === undefined ? {} : { traceparent }) };
  const values = [job.task, JSON.stringify(payload), job.queue, job.key];
  const [task, content, queue, key] = values.map((value) => query.bind(value));
  // Every statement needs the scope; an organisation always has its own row.
  await sql.rows(
    query,
    `SELECT svc_add_job(${task}, ${content}::json, ${queue}, ${fromNow(query, job.runInMs ?? null)}, ${key})
     FROM (SELECT $1::bigint AS svc_organisation_id) t WHERE t.svc_organisation_id = $1`,
  );
}
