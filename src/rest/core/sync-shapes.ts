import { TIMES } from './selections.js';

/** What a run's wire form stands on. */
const SYNC_FIELDS = `
  ${TIMES} svc_company_id: svcCompanyId start_time: startedAt end_time: endedAt integration_type: integrationType
  full_sync: fullSync sync_type: syncType config_mode: configMode sync_data_models: dataModels sync_id: syncId
  status counts { total success failed running pending }`;
export const SYNC = `{ ${SYNC_FIELDS} connection { svcId } }`;

interface SelectedSync {
  readonly counts: {
    readonly total: number;
    readonly success: number;
    readonly failed: number;
    readonly running: number;
    readonly pending: number;
  };
  readonly connection: unknown;
}

/** Contract section 3, Sync. The counts are of its jobs. */
export function wireSync(selected: unknown): object {
  const { counts, connection: _connection, ...sync } = selected as SelectedSync;
  return {
    ...sync,
    total_count: counts.total,
    success_count: counts.success,
    failed_count: counts.failed,
    running_count: counts.running,
    pending_count: counts.pending,
  };
}

/** What a job's wire form stands on. */
export const JOB = `{
  ${TIMES} svc_company_id: svcCompanyId job_id: jobId start_time: startedAt end_time: endedAt
  integration_type: integrationType status: state data_model: dataModel config_mode: configMode sync_id: syncId
  retry_count: retries error { code message } job_type: jobType response_length: recordsRead
  response_size: responseBytes rate_limit_sleep_time: sleptMs pages
}`;

interface SelectedJob {
  readonly error: { readonly code: string; readonly message: string } | null;
  readonly response_length: number;
  readonly pages: number;
}

/** Contract section 3, Job. What there is nothing of here is null. */
export function wireJob(selected: unknown): object {
  const { pages, ...job } = selected as SelectedJob;
  return {
    ...job,
    parent_job_id: null,
    priority: null,
    config_id: null,
    variables: { page: pages, skip: job.response_length, per_page: null },
  };
}

/** Contract section 3, Job of the unversioned interface. */
export function wireJobWithCode(selected: unknown): object {
  const { error } = selected as SelectedJob;
  return { ...wireJob(selected), error_code: error?.code ?? null };
}

/** What a run of the unversioned list has beyond. */
export const SYNC_WITH_MODELS = `{
  ${SYNC_FIELDS}
  connection { connection_status: status sync_status: syncStatus }
  jobs {
    data_model: dataModel status: state total_count: recordsRead created_count: created updated_count: updated
    deleted_count: deleted unchanged_count: unchanged failed_count: failed
  }
}`;

interface SelectedWithModels {
  readonly connection: { readonly connection_status: string; readonly sync_status: string } | null;
  readonly jobs: readonly unknown[];
}

/** A run with the counts of its record types and the states of its connection. */
export function wireSyncWithModels(selected: unknown): object {
  const { jobs, ...sync } = selected as SelectedWithModels;
  return {
    ...wireSync(sync),
    connection_status: sync.connection?.connection_status ?? null,
    sync_status: sync.connection?.sync_status ?? null,
    data_models: jobs,
  };
}
