import { wireError } from '../write-shape.js';
import { toErrorCode } from '../../graphql/error-codes.js';
import { ALL } from '../prepared.js';
import { TIMES } from './selections.js';

/**
 * What a run's wire form stands on. A `__typename` keeps the place of a field that is the same for all runs, since clients
 * may rely on the order of an answer's fields.
 */
const SYNC_FIELDS = `
  ${TIMES} svc_company_id: svcCompanyId start_time: startedAt end_time: endedAt integration_type: integrationType
  full_sync: fullSync sync_type: syncType config_mode: __typename sync_data_models: dataModels
  sync_id: syncId status: state counts { total success failed running pending }`;
export const SYNC = `{ ${SYNC_FIELDS} connection { svcId } }`;

interface SelectedSync {
  readonly status: string;
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
  const sync = selected as SelectedSync;
  return { ...withCounts(sync), status: STATUSES[sync.status], config_mode: 'READ' };
}

function withCounts({ counts, connection: _connection, ...sync }: Omit<SelectedSync, 'status'>): object {
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
  integration_type: integrationType status: state data_model: dataModel config_mode: __typename sync_id: syncId
  retry_count: retries error { code message } job_type: __typename response_length: recordsRead
  response_size: responseBytes rate_limit_sleep_time: sleptMs pages
}`;

interface SelectedJob {
  readonly error: { readonly code: string; readonly message: string } | null;
  readonly response_length: number;
  readonly pages: number;
}

/** Contract section 3, Job. What there is nothing of here is null. */
export function wireJob(selected: unknown): object {
  const { pages, error, ...job } = selected as SelectedJob;
  return {
    ...job,
    config_mode: 'READ',
    error: error && { ...error, code: toErrorCode(error.code) },
    job_type: 'PULL',
    parent_job_id: null,
    priority: null,
    config_id: null,
    variables: { page: pages, skip: job.response_length, per_page: null },
  };
}

/** Contract section 3, Job of the unversioned interface, from a job's wire form. */
export function withErrorCode(job: object): object {
  const { error } = job as SelectedJob;
  return { ...job, error_code: error?.code ?? null };
}

/** What a run of the unversioned list has beyond. */
export const SYNC_WITH_MODELS = `{
  ${SYNC_FIELDS}
  connection { connection_status: status sync_status: syncStatus }
  jobs(first: ${ALL}) {
    nodes {
      data_model: dataModel status: state total_count: recordsRead created_count: created updated_count: updated
      deleted_count: deleted unchanged_count: unchanged failed_count: failed
    }
  }
}`;

interface SelectedWithModels {
  readonly connection: { readonly connection_status: string; readonly sync_status: string } | null;
  readonly jobs: { readonly nodes: readonly unknown[] };
}

/** A run with the counts of its record types and the states of its connection. */
export function wireSyncWithModels(selected: unknown): object {
  const { jobs, ...sync } = selected as SelectedWithModels;
  return {
    ...wireSync(sync),
    connection_status: sync.connection?.connection_status ?? null,
    sync_status: sync.connection?.sync_status ?? null,
    data_models: jobs.nodes,
  };
}

/** What an upload's wire form as a sync stands on: an asynchronous write answers with a sync_id. */
export const UPLOAD = `{
  ${TIMES} svc_company_id: svcCompanyId start_time: startedAt end_time: endedAt integration_type: integrationType
  config_mode: operation data_model: dataModel sync_id: writeId status: state
  counts { total success failed running pending } connection { connection_status: status sync_status: syncStatus }
}`;

interface SelectedUpload extends SelectedSync {
  readonly data_model: string;
}

/** Contract section 4 knows four words for where something stands. */
const STATUSES: Readonly<Record<string, string>> = {
  PENDING: 'CREATED',
  SENDING: 'RUNNING',
  UNCERTAIN: 'RUNNING',
  RUNNING: 'RUNNING',
  SLEEPING: 'RUNNING',
  INTERRUPTED: 'RUNNING',
  SUCCESS: 'SUCCESS',
  PARTIAL_SUCCESS: 'FAILED',
  FAILED: 'FAILED',
  GIVEN_UP: 'FAILED',
};

/** Contract section 3, Sync, of an upload. */
export function wireUpload(selected: unknown): object {
  const { status, data_model: dataModel, ...upload } = selected as SelectedUpload;
  const sync = { ...upload, full_sync: false, sync_type: 'MANUAL', sync_data_models: [dataModel] };
  return { ...withCounts(sync), status: STATUSES[status] };
}

/** The same with the counts of its record type, in the unversioned list. */
export function wireUploadWithModel(selected: unknown): object {
  const { connection, counts, data_model } = selected as SelectedUpload & {
    readonly connection: { readonly connection_status: string; readonly sync_status: string } | null;
  };
  const upload = wireUpload(selected) as { readonly status: string };
  return {
    ...upload,
    connection_status: connection?.connection_status ?? null,
    sync_status: connection?.sync_status ?? null,
    data_models: [
      { data_model, status: upload.status, total_count: counts.total, failed_count: counts.failed },
    ],
  };
}

/** What an item's wire form as a job stands on. */
export const ITEM_JOB = `{
  ${TIMES} svc_company_id: svcCompanyId job_id: jobId start_time: startedAt end_time: endedAt
  integration_type: integrationType status: state data_model: dataModel config_mode: operation sync_id: writeId
  attempts error { code message field platformError }
}`;

/** Contract section 3, Job, of one record to write. */
export function wireItemJob(selected: unknown): object {
  const { attempts, status, end_time, error, ...job } = selected as {
    readonly attempts: number;
    readonly error: Parameters<typeof wireError>[0] | null;
    readonly status: string;
    readonly end_time: string | null;
  };
  const isLost = status === 'UNCERTAIN' && end_time !== null;
  return {
    ...job,
    error: error && wireError(error),
    end_time,
    status: isLost ? 'FAILED' : STATUSES[status],
    job_type: 'PUSH',
    retry_count: Math.max(0, attempts - 1),
    parent_job_id: null,
    priority: null,
    config_id: null,
    variables: null,
    response_length: null,
    response_size: null,
    rate_limit_sleep_time: null,
  };
}
