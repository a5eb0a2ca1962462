import type { Context } from '../../context.js';
import { AppError, invalid } from '../../errors.js';
import type { Executor } from '../../graphql/execute.js';
import type { Limits } from '../../limits.js';
import { stringifyJson } from '../../base/raw-json.js';
import { CATEGORIES } from '../../records/define.js';
import { parseBoolean, parseDateTime, parseSvcId, parseText } from '../../base/values.js';
import { isDataModel, meantBy, NAMES } from '../data-models.js';
import { envelopeC } from '../envelopes.js';
import {
  JobDocument,
  RetrySyncDocument,
  RunDocument,
  RunJobsDocument,
  StartSyncDocument,
  SyncsDocument,
  SyncSettingsDocument,
} from '../__generated__/documents.js';
import { PAGE, prepareOperation } from '../prepared.js';
import type { RestRoute } from '../route.js';
import { type BodyFields, readBody, textList } from '../request/body.js';
import { prepareMutation } from '../mutation.js';
import { absent } from '../request/path.js';
import { readQuery } from '../request/query.js';
import { LATEST_FIRST, latestFirstPage, latestFirstParameters, readLatestFirst } from './latest-first.js';
import { wireItemJob, wireJob, wireSync, wireUpload } from './sync-shapes.js';
import { inEnvelopeC, inLatestFirst, inList } from '../description/envelopes.js';
import { arrayOf, object, word } from '../description/json-schema.js';
import { COMPANY, wordParameter } from '../description/parameters.js';
import { CONNECTION_HEADER } from '../description/write-descriptions.js';
import { jobSchema, syncSchema, uploadRunSchema } from './sync-schemas.js';

/** Runs of syncs and their jobs. Reference G11. */
export function syncRoutes(executor: Executor, limits: Limits): RestRoute[] {
  const list = prepareOperation(executor, SyncsDocument, PAGE);
  const run = prepareOperation(executor, RunDocument, BY_ID);
  const jobs = prepareOperation(executor, RunJobsDocument, BY_ID);
  const job = prepareJob(executor);
  const settings = prepareOperation(executor, SyncSettingsDocument, { companyId: 'svc_company_id' });
  const start = prepareSyncStart(executor);
  const retry = prepareMutation(executor, RetrySyncDocument);

  return [
    {
      method: 'POST',
      path: '/v3/core/syncs',
      describe: (to) => ({
        id: 'startSync',
        group: 'Syncs',
        summary: 'Start a sync',
        documentation: 'Mutation.startSync',
        description:
          'Answers immediately: poll `GET /v3/core/syncs/{sync_id}`, or wait for the event SYNC_COMPLETED.',
        scope: 'write',
        body: to.input(StartSyncDocument, SYNC_BODY),
        answer: inEnvelopeC(syncSchema(to)),
        headers: CONNECTION_HEADER,
      }),
      answer: async ({ body, context }) => {
        const fields = readBody(body, SYNC_NEEDS);
        const { started, headers } = await start(fields, context);
        return { body: envelopeC(stringifyJson(started)), headers, ignored: fields.ignored() };
      },
    },
    {
      method: 'GET',
      path: '/v3/core/syncs',
      describe: (to) => ({
        id: 'listSyncs',
        group: 'Syncs',
        summary: 'List syncs, latest first',
        documentation: 'Query.syncs',
        parameters: latestFirstParameters(limits),
        answer: inLatestFirst(syncSchema(to)),
      }),
      query: LATEST_FIRST,
      answer: async ({ query, context }) => {
        const { result } = await list.run(readLatestFirst(query, limits), context);
        return latestFirstPage(result.nodes.map(wireSync), result.pageInfo);
      },
    },
    {
      method: 'GET',
      path: '/v3/core/syncs/config',
      describe: (to) => ({
        id: 'getSyncSettings',
        group: 'Syncs',
        summary: 'Get sync settings',
        documentation: 'Query.syncSettings',
        parameters: [
          { ...wordParameter('category', 'Category of platform.', CATEGORIES), isRequired: true },
          { ...COMPANY, about: 'The settings of this company.' },
        ],
        answer: object({ sync_config: arrayOf(to.selected(SyncSettingsDocument, 'result', 'nodes')) }),
      }),
      query: ['category', 'svc_company_id'],
      answer: async ({ query, context }) => {
        const fields = readQuery(query);
        const category = fields.optional('category', parseText)?.toUpperCase() ?? null;
        if (category === null) {
          const message = 'It is ACCOUNTING, PAYMENTS or ECOMMERCE';
          throw new AppError('missing-params', message, 'category');
        }
        const companyId = fields.optional('svc_company_id', parseSvcId);
        const { result } = await settings.run({ category, companyId }, context);
        return { body: `{"sync_config":${stringifyJson(result.nodes)}}` };
      },
    },
    {
      method: 'GET',
      path: '/v3/core/syncs/:sync_id',
      describe: (to) => ({
        id: 'getSync',
        group: 'Syncs',
        summary: 'Get a sync, or an asynchronous write',
        documentation: 'Query.sync',
        description: 'A `sync_id` that an asynchronous write returned gives the state of that write.',
        answer: inEnvelopeC({ anyOf: [syncSchema(to), uploadRunSchema(to)] }),
      }),
      answer: async ({ params, context }) => {
        const { sync, write } = await run.run({ id: parseText(params['sync_id'], 'id') }, context);
        const wire = sync ? wireSync(sync) : write && wireUpload(write);
        if (!wire) throw absent('sync');
        return { body: envelopeC(stringifyJson(wire)) };
      },
    },
    {
      method: 'POST',
      path: '/v3/core/syncs/:sync_id/retry',
      describe: (to) => ({
        id: 'retrySync',
        group: 'Syncs',
        summary: 'Resume a sync that was given up',
        documentation: 'Mutation.retrySync',
        description: 'Answers immediately: poll `GET /v3/core/syncs/{sync_id}`.',
        scope: 'write',
        answer: inEnvelopeC(syncSchema(to)),
      }),
      answer: async ({ params, context }) => {
        const input = { syncId: parseText(params['sync_id'], 'sync_id') };
        const { sync: retried } = await retry.run(input, context);
        if (!retried) throw absent('sync');
        return { body: envelopeC(stringifyJson(wireSync(retried))) };
      },
    },
    {
      method: 'GET',
      path: '/v3/core/syncs/:sync_id/jobs',
      describe: (to) => ({
        id: 'listSyncJobs',
        group: 'Syncs',
        summary: 'List the jobs of a sync or of an asynchronous write',
        documentation: 'Sync.jobs',
        description: 'Of a write, a job for each of its items. The complete list, in one answer.',
        answer: inList(jobSchema(to), { type: 'null' }),
      }),
      answer: async ({ params, context }) => {
        const { sync, write } = await jobs.run({ id: parseText(params['sync_id'], 'id') }, context);
        const wire = sync ? sync.jobs.nodes.map(wireJob) : write?.items.nodes.map(wireItemJob);
        if (!wire) throw absent('sync');
        return { body: `{"data":${stringifyJson(wire)},"next":null}` };
      },
    },
    ...['/v3/core/syncs/jobs/:job_id', '/v3/core/jobs/:job_id'].map((path): RestRoute => ({
      method: 'GET',
      path,
      describe: (to) => ({
        id: path.includes('syncs') ? 'getSyncJob' : 'getJob',
        group: 'Syncs',
        summary: 'Get a job of a sync or of a write',
        documentation: 'Query.syncJob',
        description: 'The `job_id` of an item of a write gives the state of that item.',
        answer: inEnvelopeC(jobSchema(to)),
      }),
      answer: async ({ params, context }) => {
        const found = await job(parseText(params['job_id'], 'id'), context);
        return { body: envelopeC(stringifyJson(found)) };
      },
    })),
  ];
}

/** Finds a job of a sync or of a write by its id; throws `not-found`. */
export function prepareJob(executor: Executor) {
  const operation = prepareOperation(executor, JobDocument, BY_ID);
  return async (id: string, context: Context) => {
    const { job, item } = await operation.run({ id }, context);
    if (job) return wireJob(job);
    if (item) return wireItemJob(item);
    throw absent('job');
  };
}

const BY_ID = { syncId: 'id', writeId: 'id', jobId: 'id' };

/** Reference G11, /v3/core/syncs. */
export const SYNC_NEEDS = ['company_id', 'integration_type', 'full_sync', 'data_models_to_sync'];

export const SYNC_BODY = {
  required: SYNC_NEEDS,
  own: { data_models_to_sync: arrayOf(word(...NAMES)) },
};

/** Starts a sync from a body; a header says through which connection. */
export function prepareSyncStart(executor: Executor) {
  const mutation = prepareMutation(executor, StartSyncDocument);
  return async (fields: BodyFields, context: Context) => {
    const companyId = fields.required('company_id', parseSvcId);
    const integrationType = fields.required('integration_type', parseText);
    const names = fields.required('data_models_to_sync', textList);
    const input = {
      companyId,
      integrationType,
      fullSync: fields.required('full_sync', parseBoolean),
      connectionId: fields.optional('connection_id', parseSvcId),
      syncFrom: fields.optional('sync_from', parseDateTime),
    };
    const unknown = names.find((name) => !isDataModel(name));
    if (unknown !== undefined) {
      throw invalid('data_models_to_sync', `must be of ${NAMES.join(', ')}, got ${unknown.slice(0, 60)}`);
    }
    const dataModelsToSync = meantBy(names, integrationType);
    const { sync: started } = await mutation.run({ ...input, dataModelsToSync }, context);
    if (!started) throw absent('sync');
    const { connection, ...sync } = started;
    const headers = connection ? { 'x-svc-connection-id': String(connection.svcId) } : {};
    return { started: wireSync(sync), headers };
  };
}
