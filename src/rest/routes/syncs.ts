import type { Context } from '../../context.js';
import { AppError, invalid } from '../../errors.js';
import type { Executor } from '../../graphql/execute.js';
import type { Limits } from '../../limits.js';
import { stringifyJson } from '../../raw-json.js';
import { recordTypeOf, records } from '../../records/index.js';
import { parseBoolean, parseDateTime, parseSvcId, parseText } from '../../values.js';
import { envelopeC } from '../envelopes.js';
import { ALL, prepareOperation } from '../prepared.js';
import type { RestRoute } from '../route.js';
import { type BodyFields, readBody, textList } from '../request/body.js';
import { prepareMutation } from '../mutation.js';
import { absent, ignoredIn, limitOf, one, parsed } from '../request/query.js';
import { PAGE, SYNC_CONFIG } from './selections.js';
import { ITEM_JOB, JOB, SYNC, UPLOAD, wireItemJob, wireJob, wireSync, wireUpload } from './sync-shapes.js';

interface SyncPage {
  readonly nodes: readonly unknown[];
  readonly pageInfo: {
    readonly hasNextPage: boolean;
    readonly hasPreviousPage: boolean;
    readonly startCursor: string | null;
    readonly endCursor: string | null;
  };
}

/** Runs of syncs and their jobs. Contract section 3. */
export function syncRoutes(executor: Executor, limits: Limits): RestRoute[] {
  const list = prepareOperation(
    executor,
    `query ($companyId: SvcId, $first: Int, $after: String, $last: Int, $before: String) {
      result: syncs(companyId: $companyId, first: $first, after: $after, last: $last, before: $before) {
        nodes ${SYNC} pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } }`,
    PAGE,
  );
  // An asynchronous write answers with a sync_id: it is asked for as a sync is.
  const sync = prepareOperation(
    executor,
    `query ($id: String!) { sync(syncId: $id) ${SYNC} write(writeId: $id) ${UPLOAD} }`,
    BY_ID,
  );
  const jobs = prepareOperation(
    executor,
    `query ($id: String!) {
      sync(syncId: $id) { jobs(first: ${ALL}) { nodes ${JOB} } }
      write(writeId: $id) { items(first: ${ALL}) { nodes ${ITEM_JOB} } } }`,
    BY_ID,
  );
  const job = prepareJob(executor);
  const settings = prepareOperation(
    executor,
    `query ($category: IntegrationCategory!, $companyId: SvcId) {
      result: syncSettings(category: $category, companyId: $companyId) ${SYNC_CONFIG} }`,
    { companyId: 'svc_company_id' },
  );
  const start = prepareSyncStart(executor);
  const retry = prepareMutation(executor, 'retrySync', `sync ${SYNC}`);

  return [
    {
      method: 'POST',
      path: '/v3/core/syncs',
      answer: async ({ body, context }) => {
        const fields = readBody(body, SYNC_NEEDS);
        const { started, connectionId } = await start(fields, context);
        const headers = connectionId === null ? {} : { 'x-svc-connection-id': String(connectionId) };
        return { body: envelopeC(stringifyJson(started)), headers, ignored: fields.ignored() };
      },
    },
    {
      method: 'GET',
      path: '/v3/core/syncs',
      answer: async ({ query, context }) => {
        const ignored = ignoredIn(query, ['limit', 'next', 'prev', 'svc_company_id', 'svc_company_id[eq]']);
        const size = limitOf(query, limits);
        const after = one(query, 'next');
        const before = one(query, 'prev');
        if (after !== null && before !== null) throw invalid('prev', 'next and prev cannot be used together');
        const companyId =
          parsed(query, 'svc_company_id', parseSvcId) ?? parsed(query, 'svc_company_id[eq]', parseSvcId);
        const page = before === null ? { first: size, after } : { last: size, before };
        const { result } = await list.run({ companyId, ...page }, context);
        const { nodes, pageInfo } = result as SyncPage;
        return {
          body: stringifyJson({
            data: nodes.map(wireSync),
            next: pageInfo.hasNextPage ? pageInfo.endCursor : null,
            prev: pageInfo.hasPreviousPage ? pageInfo.startCursor : null,
          }),
          ignored,
        };
      },
    },
    {
      method: 'GET',
      path: '/v3/core/syncs/config',
      answer: async ({ query, context }) => {
        const ignored = ignoredIn(query, ['category', 'svc_company_id']);
        const category = one(query, 'category')?.toUpperCase() ?? null;
        if (category === null) {
          const message = 'Missing required field: category. It is ACCOUNTING, PAYMENTS or ECOMMERCE';
          throw new AppError('missing-params', message, 'category');
        }
        const companyId = parsed(query, 'svc_company_id', parseSvcId);
        const { result } = await settings.run({ category, companyId }, context);
        return { body: `{"sync_config":${stringifyJson(result)}}`, ignored };
      },
    },
    {
      method: 'GET',
      path: '/v3/core/syncs/:sync_id',
      answer: async ({ params, context }) => {
        const found = await sync.run({ id: parseText(params['sync_id'], 'id') }, context);
        if (!found['sync'] && !found['write']) throw absent('sync');
        const wire = found['sync'] ? wireSync(found['sync']) : wireUpload(found['write']);
        return { body: envelopeC(stringifyJson(wire)) };
      },
    },
    {
      method: 'POST',
      path: '/v3/core/syncs/:sync_id/retry',
      answer: async ({ params, context }) => {
        const { sync: retried } = await retry.run({ syncId: params['sync_id'] }, context);
        return { body: envelopeC(stringifyJson(wireSync(retried))) };
      },
    },
    {
      method: 'GET',
      path: '/v3/core/syncs/:sync_id/jobs',
      answer: async ({ params, context }) => {
        const found = await jobs.run({ id: parseText(params['sync_id'], 'id') }, context);
        const run = found['sync'] as { jobs: { nodes: unknown[] } } | null;
        const upload = found['write'] as { items: { nodes: unknown[] } } | null;
        if (!run && !upload) throw absent('sync');
        const wire = run ? run.jobs.nodes.map(wireJob) : upload?.items.nodes.map(wireItemJob);
        return { body: `{"data":${stringifyJson(wire)},"next":null}` };
      },
    },
    ...['/v3/core/syncs/jobs/:job_id', '/v3/core/jobs/:job_id'].map((path): RestRoute => ({
      method: 'GET',
      path,
      answer: async ({ params, context }) => {
        const found = await job(parseText(params['job_id'], 'id'), context);
        return { body: envelopeC(stringifyJson(found)) };
      },
    })),
  ];
}

/** Finds a job of a sync or of a write by its id; throws `not-found`. */
export function prepareJob(executor: Executor) {
  const job = prepareOperation(
    executor,
    `query ($id: String!) { job: syncJob(jobId: $id) ${JOB} item: writeItem(jobId: $id) ${ITEM_JOB} }`,
    BY_ID,
  );
  return async (id: string, context: Context): Promise<object> => {
    const found = await job.run({ id }, context);
    if (found['job']) return wireJob(found['job']);
    if (found['item']) return wireItemJob(found['item']);
    throw absent('job');
  };
}

export const BY_ID = { syncId: 'id', jobId: 'id' };

/** Contract section 3. */
export const SYNC_NEEDS = ['company_id', 'integration_type', 'full_sync', 'data_models_to_sync'];

/** Starts a sync from a body; says through which connection. */
export function prepareSyncStart(executor: Executor) {
  const mutation = prepareMutation(executor, 'startSync', `sync ${SYNC}`);
  return async (fields: BodyFields, context: Parameters<typeof mutation.run>[1]) => {
    const input = {
      companyId: fields.required('company_id', parseSvcId),
      integrationType: fields.required('integration_type', parseText),
      fullSync: fields.required('full_sync', parseBoolean),
      dataModelsToSync: fields.required('data_models_to_sync', textList),
      connectionId: fields.optional('connection_id', parseSvcId),
      syncFrom: fields.optional('sync_from', parseDateTime),
    };
    const unknown = input.dataModelsToSync.find((dataModel) => !recordTypeOf(dataModel));
    if (unknown !== undefined) {
      const known = records.map(({ dataModel }) => dataModel).join(', ');
      const message = `data_models_to_sync must be of ${known}, got ${unknown.slice(0, 60)}`;
      throw invalid('data_models_to_sync', message);
    }
    const { sync } = await mutation.run(input, context);
    const { connection } = sync as { connection: { svcId: number } | null };
    return { started: wireSync(sync), connectionId: connection?.svcId ?? null };
  };
}
