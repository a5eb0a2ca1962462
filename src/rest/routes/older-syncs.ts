import { invalid } from '../../errors.js';
import type { Executor } from '../../graphql/execute.js';
import type { Limits } from '../../limits.js';
import { stringifyJson } from '../../base/raw-json.js';
import { parseSvcId, parseText } from '../../base/values.js';
import { envelopeA } from '../envelopes.js';
import { StartSyncDocument, SyncsWithModelsDocument, WriteRunsDocument } from '../__generated__/documents.js';
import { PAGE, prepareOperation } from '../prepared.js';
import type { RestRoute } from '../route.js';
import { readBody } from '../request/body.js';
import { offsetsAround, readQuery } from '../request/query.js';
import { withErrorCode, wireSyncWithModels, wireUploadWithModel } from './sync-shapes.js';
import { prepareJob, prepareSyncStart, SYNC_BODY, SYNC_NEEDS } from './syncs.js';
import { inEnvelopeA } from '../description/envelopes.js';
import { about, integer, arrayOf, object } from '../description/json-schema.js';
import { COMPANY, limitParameter, offsetParameter, wordParameter } from '../description/parameters.js';
import { CONNECTION_HEADER } from '../description/write-descriptions.js';
import {
  jobWithCodeSchema,
  syncSchema,
  syncWithModelsSchema,
  uploadWithModelSchema,
} from './sync-schemas.js';

/** Syncs and jobs of the unversioned interface, in envelope A. Reference G11. */
export function olderSyncRoutes(executor: Executor, limits: Limits): RestRoute[] {
  const list = prepareOperation(executor, SyncsWithModelsDocument, PAGE);
  const writes = prepareOperation(executor, WriteRunsDocument, PAGE);
  const job = prepareJob(executor);
  const start = prepareSyncStart(executor);

  return [
    {
      method: 'GET',
      path: '/sync',
      describe: (to) => ({
        id: 'listUnversionedSyncs',
        group: 'Syncs',
        summary: 'List syncs or writes, unversioned',
        documentation: 'Query.syncs',
        description: 'With `job_type=PUSH`, the requests to write records instead.',
        parameters: [
          limitParameter(limits),
          offsetParameter(limits),
          { ...COMPANY, name: 'company_id' },
          wordParameter('job_type', 'Whether to list reads or writes.', ['PULL', 'PUSH']),
        ],
        answer: inEnvelopeA(
          object({
            data: arrayOf({ anyOf: [syncWithModelsSchema(to), uploadWithModelSchema(to)] }),
            total_count: about('Total number.', integer),
          }),
        ),
      }),
      query: ['limit', 'offset', 'company_id', 'job_type'],
      answer: async ({ query, context, ...received }) => {
        const fields = readQuery(query);
        const jobType = fields.optional('job_type', parseText)?.toUpperCase() ?? 'PULL';
        if (jobType !== 'PULL' && jobType !== 'PUSH') {
          throw invalid('job_type', `must be PULL or PUSH, got ${jobType.slice(0, 40)}`);
        }
        const variables = {
          companyId: fields.optional('company_id', parseSvcId),
          first: fields.limit(limits),
          skip: fields.offset(limits),
        };
        const page = async () => {
          if (jobType === 'PULL') {
            const { result } = await list.run(variables, context);
            return { data: result.nodes.map(wireSyncWithModels), total_count: result.totalCount };
          }
          const { result } = await writes.run(variables, context);
          return { data: result.nodes.map(wireUploadWithModel), total_count: result.totalCount };
        };
        const data = await page();
        const hasNext = variables.skip + data.data.length < data.total_count;
        const cursors = offsetsAround(variables, hasNext);
        return { body: envelopeA(stringifyJson(data), received), cursors };
      },
    },
    {
      method: 'POST',
      path: '/sync',
      describe: (to) => ({
        id: 'startUnversionedSync',
        group: 'Syncs',
        summary: 'Start a sync, unversioned',
        documentation: 'Mutation.startSync',
        description:
          'Answers immediately: poll `GET /v3/core/syncs/{sync_id}`, or wait for the event SYNC_COMPLETED.',
        scope: 'write',
        body: to.input(StartSyncDocument, SYNC_BODY),
        answer: inEnvelopeA(syncSchema(to)),
        headers: CONNECTION_HEADER,
      }),
      answer: async ({ body, context, ...received }) => {
        const fields = readBody(body, SYNC_NEEDS);
        const { started, headers } = await start(fields, context);
        return { body: envelopeA(stringifyJson(started), received), headers, ignored: fields.ignored() };
      },
    },
    {
      method: 'GET',
      path: '/jobs/:job_id',
      describe: (to) => ({
        id: 'getUnversionedJob',
        group: 'Syncs',
        summary: 'Get a job of a sync or of a write, unversioned',
        documentation: 'Query.syncJob',
        description: 'The `job_id` of an item of a write gives the state of that item.',
        answer: inEnvelopeA(jobWithCodeSchema(to)),
      }),
      answer: async ({ params, context, ...received }) => {
        const found = await job(parseText(params['job_id'], 'id'), context);
        return { body: envelopeA(stringifyJson(withErrorCode(found)), received) };
      },
    },
  ];
}
