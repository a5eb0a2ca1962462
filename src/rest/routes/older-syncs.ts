import { invalid } from '../../errors.js';
import type { Executor } from '../../graphql/execute.js';
import type { Limits } from '../../limits.js';
import { stringifyJson } from '../../raw-json.js';
import { parseSvcId, parseText } from '../../values.js';
import { envelopeA } from '../envelopes.js';
import { prepareOperation } from '../prepared.js';
import type { RestRoute } from '../route.js';
import { readBody } from '../request/body.js';
import { ignoredIn, limitOf, offsetOf, one, parsed } from '../request/query.js';
import { PAGE } from './selections.js';
import {
  SYNC_WITH_MODELS,
  UPLOAD,
  withErrorCode,
  wireSyncWithModels,
  wireUploadWithModel,
} from './sync-shapes.js';
import { prepareJob, prepareSyncStart, SYNC_NEEDS } from './syncs.js';

/** Syncs and jobs of the unversioned interface, in envelope A. Contract section 3. */
export function olderSyncRoutes(executor: Executor, limits: Limits): RestRoute[] {
  const list = prepareOperation(
    executor,
    `query ($companyId: SvcId, $first: Int, $skip: Int) {
      result: syncs(companyId: $companyId, first: $first, skip: $skip) { nodes ${SYNC_WITH_MODELS} totalCount } }`,
    PAGE,
  );
  const uploads = prepareOperation(
    executor,
    `query ($companyId: SvcId, $first: Int, $skip: Int) {
      result: writes(companyId: $companyId, first: $first, skip: $skip) { nodes ${UPLOAD} totalCount } }`,
    PAGE,
  );
  const job = prepareJob(executor);
  const start = prepareSyncStart(executor);

  return [
    {
      method: 'GET',
      path: '/sync',
      answer: async ({ query, context, ...received }) => {
        const ignored = ignoredIn(query, ['limit', 'offset', 'company_id', 'job_type']);
        const jobType = one(query, 'job_type')?.toUpperCase() ?? 'PULL';
        if (jobType !== 'PULL' && jobType !== 'PUSH') {
          throw invalid('job_type', `job_type must be PULL or PUSH, got ${jobType.slice(0, 40)}`);
        }
        const variables = {
          companyId: parsed(query, 'company_id', parseSvcId),
          first: limitOf(query, limits),
          skip: offsetOf(query, limits),
        };
        const isPush = jobType === 'PUSH';
        const { result } = await (isPush ? uploads : list).run(variables, context);
        const { nodes, totalCount } = result as { nodes: unknown[]; totalCount: number };
        const wire = nodes.map(isPush ? wireUploadWithModel : wireSyncWithModels);
        const data = { data: wire, total_count: totalCount };
        return { body: envelopeA(stringifyJson(data), received), ignored };
      },
    },
    {
      method: 'POST',
      path: '/sync',
      answer: async ({ body, context, ...received }) => {
        const fields = readBody(body, SYNC_NEEDS);
        const { started, connectionId } = await start(fields, context);
        const headers = connectionId === null ? {} : { 'x-svc-connection-id': String(connectionId) };
        return { body: envelopeA(stringifyJson(started), received), headers, ignored: fields.ignored() };
      },
    },
    {
      method: 'GET',
      path: '/jobs/:job_id',
      answer: async ({ params, context, ...received }) => {
        const found = await job(parseText(params['job_id'], 'id'), context);
        return { body: envelopeA(stringifyJson(withErrorCode(found)), received) };
      },
    },
  ];
}
