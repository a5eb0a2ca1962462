import {
  JobDocument,
  RunDocument,
  SyncsWithModelsDocument,
  WriteRunsDocument,
} from '../__generated__/documents.js';
import type { Describer } from '../description/describe.js';
import {
  about,
  changeFields,
  type Fields,
  flag,
  integer,
  type JsonSchema,
  arrayOf,
  nullable,
  object,
  text,
  word,
} from '../description/json-schema.js';

/** What the functions of `sync-shapes.ts` give, as schemas. Reference G12. */

const STATUS = about('Status.', word('CREATED', 'RUNNING', 'SUCCESS', 'FAILED'));
const COUNTS = {
  total_count: about('Number of jobs.', integer),
  success_count: about('Number of jobs that succeeded.', integer),
  failed_count: about('Number of jobs that failed.', integer),
  running_count: about('Number of running jobs.', integer),
  pending_count: about('Number of waiting jobs.', integer),
};

export const syncSchema = (to: Describer): JsonSchema => to.component('Sync', () => syncFields(to));

const syncFields = (to: Describer): JsonSchema =>
  changeFields(to.inline(RunDocument, 'sync'), {
    without: ['counts'],
    also: { ...COUNTS, status: STATUS, config_mode: word('READ') },
  });

/** An asynchronous write as a sync. */
export const uploadRunSchema = (to: Describer): JsonSchema =>
  to.component('WriteSync', () => uploadFields(to));

const uploadFields = (to: Describer): JsonSchema =>
  changeFields(to.inline(RunDocument, 'write'), {
    without: ['counts', 'data_model'],
    also: {
      ...COUNTS,
      full_sync: flag,
      sync_type: word('MANUAL'),
      sync_data_models: about('Record type of the write.', arrayOf(text)),
      status: STATUS,
    },
  });

const NOTHING: JsonSchema = { type: 'null' };

export const jobSchema = (to: Describer): JsonSchema =>
  to.component('Job', () => ({ anyOf: [pullJob(to, {}), pushJob(to, {})] }));

/** A job of the unversioned interface. */
export function jobWithCodeSchema(to: Describer): JsonSchema {
  const also = { error_code: about('Error code.', nullable(text)) };
  return to.component('UnversionedJob', () => ({ anyOf: [pullJob(to, also), pushJob(to, also)] }));
}

const pullJob = (to: Describer, also: Fields): JsonSchema =>
  changeFields(to.inline(JobDocument, 'job'), {
    without: ['pages'],
    also: {
      status: STATUS,
      config_mode: word('READ'),
      error: nullable(object({ code: text, message: text })),
      job_type: word('PULL'),
      parent_job_id: NOTHING,
      priority: NOTHING,
      config_id: NOTHING,
      variables: object({ page: integer, skip: integer, per_page: NOTHING }),
      ...also,
    },
  });

/** Texts alone, as clients declare it. */
const itemError = (to: Describer): JsonSchema =>
  to.component('JobError', () =>
    object(
      {
        code: about('Error code.', text),
        message: about('Error message.', text),
        field: about('Field at fault; empty if there is none.', text),
        platform_error: about("The platform's own message, if any.", text),
        version: about('With `conflict`: current version of the record.', text),
      },
      ['code', 'message', 'field'],
    ),
  );

const pushJob = (to: Describer, also: Fields): JsonSchema =>
  changeFields(to.inline(JobDocument, 'item'), {
    without: ['attempts'],
    also: {
      status: STATUS,
      error: nullable(itemError(to)),
      job_type: word('PUSH'),
      retry_count: about('Number of retries.', integer),
      parent_job_id: NOTHING,
      priority: NOTHING,
      config_id: NOTHING,
      variables: NOTHING,
      response_length: NOTHING,
      response_size: NOTHING,
      rate_limit_sleep_time: NOTHING,
      ...also,
    },
  });

const ofConnection = (fields: JsonSchema): Fields => {
  const { connection = {} } = fields['properties'] as Fields;
  const { connection_status: status = {}, sync_status: syncStatus = {} } = connection['properties'] as Fields;
  return { connection_status: nullable(status), sync_status: nullable(syncStatus) };
};

export const syncWithModelsSchema = (to: Describer): JsonSchema =>
  to.component('UnversionedSync', () => {
    const selected = to.inline(SyncsWithModelsDocument, 'result', 'nodes');
    const jobs = (selected['properties'] as Fields)['jobs'] ?? {};
    return changeFields(syncFields(to), { also: { ...ofConnection(selected), data_models: jobs } });
  });

export const uploadWithModelSchema = (to: Describer): JsonSchema =>
  to.component('UnversionedWriteSync', () => {
    const selected = to.inline(WriteRunsDocument, 'result', 'nodes');
    const model = object({ data_model: text, status: STATUS, total_count: integer, failed_count: integer });
    return changeFields(uploadFields(to), {
      also: { ...ofConnection(selected), data_models: arrayOf(model) },
    });
  });
