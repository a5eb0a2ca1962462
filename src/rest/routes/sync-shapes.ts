import { toErrorCode } from '../../graphql/error-codes.js';
import type {
  SyncFragment,
  SyncJobFragment,
  SyncsWithModelsQuery,
  WriteJobFragment,
  WriteProblemFragment,
  WriteRunFragment,
  WriteRunsQuery,
} from '../__generated__/documents.js';
import { wireError } from '../write-shape.js';

/** Reference G12, sync. The counts are of its jobs. */
export function wireSync({ counts, ...sync }: SyncFragment) {
  return { ...sync, ...wireCounts(counts), status: STATUSES[sync.status], config_mode: 'READ' };
}

const wireCounts = (counts: SyncFragment['counts']) => ({
  total_count: counts.total,
  success_count: counts.success,
  failed_count: counts.failed,
  running_count: counts.running,
  pending_count: counts.pending,
});

/** Reference G12, job. Fields without a value here are null. */
export function wireJob({ pages, error, ...job }: SyncJobFragment) {
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

/** Reference G12, job of the unversioned interface, from a job's wire form. */
export const withErrorCode = <Job extends { readonly error: { readonly code: string } | null }>(
  job: Job,
) => ({
  ...job,
  error_code: job.error?.code ?? null,
});

/** A run with the counts of its record types and the states of its connection. */
export function wireSyncWithModels({
  jobs,
  connection,
  ...sync
}: SyncsWithModelsQuery['result']['nodes'][number]) {
  return {
    ...wireSync(sync),
    connection_status: connection?.connection_status ?? null,
    sync_status: connection?.sync_status ?? null,
    data_models: jobs.nodes,
  };
}

/** Reference G6 has four words for a state. */
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

/** Reference G12, sync, of an upload: an asynchronous write answers with a sync_id. */
export function wireUpload({ status, data_model: dataModel, counts, ...upload }: WriteRunFragment) {
  return {
    ...upload,
    full_sync: false,
    sync_type: 'MANUAL',
    sync_data_models: [dataModel],
    ...wireCounts(counts),
    status: STATUSES[status],
  };
}

/** The same with the counts of its record type, in the unversioned list. */
export function wireUploadWithModel({ connection, ...selected }: WriteRunsQuery['result']['nodes'][number]) {
  const { counts, data_model } = selected;
  const upload = wireUpload(selected);
  return {
    ...upload,
    connection_status: connection?.connection_status ?? null,
    sync_status: connection?.sync_status ?? null,
    data_models: [
      { data_model, status: upload.status, total_count: counts.total, failed_count: counts.failed },
    ],
  };
}

/** Clients declare the error of a job as an object of texts: it includes only texts. */
function textsOf(error: WriteProblemFragment) {
  const { platform_error: platformError, changed_fields: _changed, ...texts } = wireError(error);
  return { ...texts, ...(platformError === null ? {} : { platform_error: platformError }) };
}

/** Reference G12, job, of one record to write. */
export function wireItemJob({ attempts, status, end_time, error, ...job }: WriteJobFragment) {
  const isLost = status === 'UNCERTAIN' && end_time !== null;
  return {
    ...job,
    error: error && textsOf(error),
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
