import { AppError, invalid } from '../../errors.js';
import type { Executor } from '../../graphql/execute.js';
import type { Limits } from '../../limits.js';
import { stringifyJson } from '../../raw-json.js';
import { parseBoolean, parseDateTime, parseSvcId, parseText } from '../../values.js';
import { envelopeC } from '../envelopes.js';
import { prepareOperation } from '../prepared.js';
import type { RestRoute } from '../route.js';
import { type BodyFields, readBody, textList } from './body.js';
import { prepareMutation } from './mutation.js';
import { absent, limitOf, one, parsed } from './query.js';
import { PAGE, SYNC_CONFIG } from './selections.js';
import { JOB, SYNC, wireJob, wireSync } from './sync-shapes.js';

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
  const sync = prepareOperation(
    executor,
    `query ($id: String!) { result: sync(syncId: $id) ${SYNC} }`,
    BY_ID,
  );
  const jobs = prepareOperation(
    executor,
    `query ($id: String!) { result: sync(syncId: $id) { jobs ${JOB} } }`,
    BY_ID,
  );
  const job = prepareOperation(
    executor,
    `query ($id: String!) { result: syncJob(jobId: $id) ${JOB} }`,
    BY_ID,
  );
  const settings = prepareOperation(
    executor,
    `query ($category: String!, $companyId: SvcId) {
      result: syncSettings(category: $category, companyId: $companyId) ${SYNC_CONFIG} }`,
    { companyId: 'svc_company_id' },
  );
  const start = prepareSyncStart(executor);

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
        };
      },
    },
    {
      method: 'GET',
      path: '/v3/core/syncs/config',
      answer: async ({ query, context }) => {
        const category = one(query, 'category');
        if (category === null) {
          const message = 'Missing required field: category. It is ACCOUNTING, PAYMENTS or ECOMMERCE';
          throw new AppError('missing-params', message, 'category');
        }
        const companyId = parsed(query, 'svc_company_id', parseSvcId);
        const { result } = await settings.run({ category, companyId }, context);
        return { body: `{"sync_config":${stringifyJson(result)}}` };
      },
    },
    {
      method: 'GET',
      path: '/v3/core/syncs/:sync_id',
      answer: async ({ params, context }) => {
        const { result } = await sync.run({ id: parseText(params['sync_id'], 'id') }, context);
        if (result === null) throw absent('sync');
        return { body: envelopeC(stringifyJson(wireSync(result))) };
      },
    },
    {
      method: 'GET',
      path: '/v3/core/syncs/:sync_id/jobs',
      answer: async ({ params, context }) => {
        const { result } = await jobs.run({ id: parseText(params['sync_id'], 'id') }, context);
        if (result === null) throw absent('sync');
        const { jobs: found } = result as { jobs: unknown[] };
        return { body: `{"data":${stringifyJson(found.map(wireJob))},"next":null}` };
      },
    },
    {
      method: 'GET',
      path: '/v3/core/syncs/jobs/:job_id',
      answer: async ({ params, context }) => {
        const { result } = await job.run({ id: parseText(params['job_id'], 'id') }, context);
        if (result === null) throw absent('job');
        return { body: envelopeC(stringifyJson(wireJob(result))) };
      },
    },
  ];
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
    const { sync } = await mutation.run(input, context);
    const { connection } = sync as { connection: { svcId: number } | null };
    return { started: wireSync(sync), connectionId: connection?.svcId ?? null };
  };
}
