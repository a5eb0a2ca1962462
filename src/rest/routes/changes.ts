import type { Executor } from '../../graphql/execute.js';
import { AppError } from '../../errors.js';
import { followLog } from '../../operations/changes/follow-changes.js';
import type { Limits } from '../../limits.js';
import { parseSvcId, parseText } from '../../base/values.js';
import type { ChangesQueryVariables } from '../__generated__/documents.js';
import { createChangeReader, type RestChanges, writeChange } from '../changes.js';
import { writeText } from '../writer.js';
import { type Query, readQuery } from '../request/query.js';
import type { RestRoute } from '../route.js';
import type { Describer } from '../description/describe.js';
import {
  about,
  flag,
  integer,
  type JsonSchema,
  arrayOf,
  nullable,
  object,
  svcId,
  text,
  time,
  word,
} from '../description/json-schema.js';
import { COMPANY_FILTER, limitParameter, listParameter, NEXT } from '../description/parameters.js';
import { recordSchema } from '../description/record-schemas.js';
import { records } from '../../records/index.js';

const DATA_MODELS = records.map(({ dataModel }) => dataModel);

const PARAMETERS = ['limit', 'next', 'svc_company_id[eq]', 'data_models', 'operations'];

/** The change log: what happened to records, in the order in which it became visible. */
export function changeRoutes(executor: Executor, limits: Limits): RestRoute[] {
  const readChanges = createChangeReader(executor, limits);
  return [
    {
      method: 'GET',
      path: '/v3/core/changes',
      describe: (to) => ({
        id: 'listChanges',
        group: 'Changes',
        summary: 'List changes of records after a position',
        description:
          'Changes of records, in the order in which they became visible. Continue with `next`, immediately while `has_more` is true: an answer may have fewer changes than `limit`, or none. With `Accept: text/event-stream`, streams changes as server-sent events.',
        parameters: [
          limitParameter(limits),
          NEXT,
          COMPANY_FILTER,
          listParameter('data_models', 'Record types, comma-separated.', DATA_MODELS),
          listParameter('operations', 'Operations, comma-separated.', ['CREATE', 'UPDATE', 'DELETE']),
        ],
        answer: object({
          data: arrayOf(changeSchema(to)),
          next: about('Position to continue from, even without changes.', text),
          has_more: about('Whether there are more changes already.', flag),
        }),
      }),
      query: PARAMETERS,
      answer: async ({ query, context }) => {
        const { changes, next, hasMore } = await readChanges(parse(query, limits), context);
        const data = changes.map(writeChange).join(',');
        return {
          body: `{"data":[${data}],"next":${writeText(next)},"has_more":${hasMore}}`,
          cursors: { next },
        };
      },
      follow: async function* ({ query, lastEventId, context }) {
        const { after = null, ...selection } = parse(query, limits);
        const pages = followLog(context, lastEventId ?? after, async (own, from) => {
          const read = readChanges({ ...selection, after: from }, own);
          const page = await (lastEventId === null ? read : read.catch(blameLastEventId));
          return { events: writeEvents(page), next: page.next, hasMore: page.hasMore };
        });
        for await (const page of pages) yield page.result.events;
      },
    },
  ];
}

/** The position was not sent as a parameter: names the header. */
function blameLastEventId(error: unknown): never {
  if (!(error instanceof AppError)) throw error;
  throw error.withNames((path) => (path[0] === 'next' ? ['Last-Event-ID'] : path));
}

/** An id alone is not an event: clients keep it, and so skip what their filter excludes. */
function writeEvents({ changes, next }: RestChanges): string {
  const events = changes.map((one) => `id: ${one.position}\ndata: ${writeChange(one)}\n\n`);
  return `${events.join('')}id: ${next}\n\n`;
}

function parse(query: Query, limits: Limits): ChangesQueryVariables {
  const fields = readQuery(query);
  const companyId = fields.optional('svc_company_id[eq]', parseSvcId);
  return {
    first: fields.limit(limits),
    after: fields.optional('next', parseText),
    companyIds: companyId === null ? null : [companyId],
    dataModels: fields.list('data_models'),
    // Unknown operations are refused with the GraphQL variables.
    operations: fields.list('operations'),
  };
}

const changeSchema = (to: Describer): JsonSchema =>
  to.component('Change', () =>
    object({
      position: about('Position in the log.', integer),
      operation: word('CREATE', 'UPDATE', 'DELETE'),
      data_model: word(...DATA_MODELS),
      svc_company_id: svcId,
      svc_id: svcId,
      connection_id: svcId,
      changes: about(
        'For updates: field name to the value before and after.',
        nullable({
          type: 'object',
          additionalProperties: { type: 'array', items: {}, minItems: 2, maxItems: 2 },
        }),
      ),
      data: about(
        'The current record; null if it is deleted.',
        nullable({ anyOf: records.map((definition) => recordSchema(to, definition)) }),
      ),
      cause: object({ type: text, id: nullable(text) }),
      changed_at: time,
    }),
  );
