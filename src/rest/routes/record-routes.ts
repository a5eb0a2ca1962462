import type { Context } from '../../context.js';
import { AppError } from '../../errors.js';
import type { Executor } from '../../graphql/execute.js';
import type { Limits } from '../../limits.js';
import { toWirePath } from '../../base/names.js';
import type { RecordDefinition } from '../../records/define.js';
import { parseSvcId } from '../../base/values.js';
import { describeAll, describeList, describeRecord } from '../description/record-descriptions.js';
import { type AllParameters, parseAllBody } from '../request/all-body.js';
import { envelopeA, envelopeB, envelopeC } from '../envelopes.js';
import { listOperation, type ListParts, recordOperation, selectionText } from '../operation.js';
import {
  type ListParameters,
  parseListParameters,
  parseShown,
  SHOWN,
  type ShownParameters,
} from '../request/parameters.js';
import { readQuery } from '../request/query.js';
import { prepareOperation, type Renames } from '../prepared.js';
import { remember } from '../remember.js';
import { type RestRoute, UNCHANGED } from '../route.js';
import { recordShape, type ShapeOptions } from '../shape.js';
import { createListWriter, createWriter } from '../writer.js';

const V3_RENAMES: Renames = {
  after: 'next',
  before: 'prev',
  first: 'limit',
  last: 'limit',
  orderBy: 'sort',
  // Known only when a list is read: whether the organisation has mapped such a field.
  filter: ([place, ...names]) =>
    place === undefined
      ? ['filter']
      : [[...toWirePath([place]), ...names.map((name) => `[${name}]`)].join('')],
};
/** What `GET /v3/core/changes` continues from after this list. */
const CHANGE_POSITION = 'x-svc-change-position';
/**
 * Seconds by which a client that polls a cluster must overlap its polls: its nodes commit one after the other, a minute
 * apart if one was down in between (docs/scale.md).
 */
const POLL_OVERLAP = 'x-svc-poll-overlap';
const POLL_OVERLAP_SECONDS = '120';
/** What the operation of a cursor list follows from. */
type ListOptions = Pick<
  ListParameters,
  'expand' | 'select' | 'fields' | 'includeDeleted' | 'count' | 'changePosition'
>;
const ALL_RENAMES = { first: 'take', orderBy: 'orderBy' };

/** The reading paths of a record type: the cursor list, one record, and POST `.../all` (Reference 4.1, 4.3). */
export function recordRoutes(definition: RecordDefinition, executor: Executor, limits: Limits): RestRoute[] {
  const max = limits.expandedRecords;

  const createList = (options: ShapeOptions, parts: ListParts, renames: Renames) => {
    const shape = recordShape(definition, options);
    const cursors = options.style === 'v3';
    const document = listOperation(definition, selectionText(shape, max), { ...parts, cursors });
    const isCallers = (options.fields ?? null) !== null;
    const operation = prepareOperation(executor, document, renames, { isCallers });
    return { operation, write: createListWriter(shape, max) };
  };
  const createV3 = ({ expand, select, fields, includeDeleted, count, changePosition }: ListOptions) =>
    createList(
      { style: 'v3', expand, select, fields, includeDeleted },
      { count, changePosition },
      V3_RENAMES,
    );
  const listFor = remember(createV3);
  // A separate cache: there are enough of them to evict the others from a shared one.
  const narrowListFor = remember(createV3);
  const allFor = remember(({ changePosition, ...shown }: Omit<AllParameters, 'variables' | 'ignored'>) =>
    createList({ style: 'all', ...shown }, { count: true, changePosition }, ALL_RENAMES),
  );
  const recordFor = remember(({ expand, select, fields }: ShownParameters) => {
    const shape = recordShape(definition, { style: 'v3', expand, select, fields, includeDeleted: true });
    const document = recordOperation(definition, selectionText(shape, max));
    const operation = prepareOperation(executor, document, {}, { isCallers: fields !== null });
    return { operation, write: createWriter(shape, max) };
  });

  return [
    {
      method: 'GET',
      path: `/v3/${definition.path}`,
      describe: (to) => describeList(to, definition),
      query: 'own',
      answer: async ({ query, context }) => {
        const parameters = parseListParameters(definition, query, limits);
        const { operation, write } = (parameters.fields === null ? listFor : narrowListFor)({
          expand: parameters.expand,
          select: parameters.select,
          fields: parameters.fields,
          includeDeleted: parameters.includeDeleted,
          count: parameters.count,
          changePosition: parameters.changePosition,
        });
        if (await operation.isUnchanged(parameters.variables, context)) return UNCHANGED;
        const { page } = await operation.run(parameters.variables, context);
        const { nodes, pageInfo, totalCount } = page;
        const cursors = {
          next: pageInfo?.hasNextPage ? pageInfo.endCursor : null,
          prev: pageInfo?.hasPreviousPage ? pageInfo.startCursor : null,
        };
        const body = envelopeB({ data: write(nodes), ...cursors, totalCount: totalCount ?? null });
        return { body, headers: listHeaders(page, context), cursors, ignored: parameters.ignored };
      },
    },
    {
      method: 'GET',
      path: `/v3/${definition.path}/:svc_id`,
      describe: (to) => describeRecord(to, definition),
      query: SHOWN,
      answer: async ({ params, query, context }) => {
        const { operation, write } = recordFor(parseShown(definition, readQuery(query)));
        const svcId = recordId(params['svc_id'] ?? '');
        if (svcId !== null && (await operation.isUnchanged({ svcId }, context))) return UNCHANGED;
        const { record } = svcId === null ? { record: null } : await operation.run({ svcId }, context);
        if (!record) throw new AppError('not-found', 'there is no such record', 'svc_id');
        return { body: envelopeC(write(record)) };
      },
    },
    {
      method: 'POST',
      path: `/${definition.unversionedPath}/all`,
      describe: (to) => describeAll(to, definition),
      answer: async ({ body, context, ...received }) => {
        const { variables, ignored, ...options } = parseAllBody(definition, body, limits);
        const { operation, write } = allFor(options);
        const { page } = await operation.run(variables, context);
        const data = `{"data":${write(page.nodes)},"total_count":${page.totalCount ?? 0}}`;
        return { body: envelopeA(data, received), headers: listHeaders(page, context), ignored };
      },
    },
  ];
}

const listHeaders = (
  { changePosition }: { readonly changePosition?: string | null },
  { sql }: Context,
): Record<string, string> => ({
  ...(changePosition == null ? {} : { [CHANGE_POSITION]: changePosition }),
  ...(sql.isCluster ? { [POLL_OVERLAP]: POLL_OVERLAP_SECONDS } : {}),
});

/** Null for what cannot be a svc_id: it is answered like an absent record. */
function recordId(text: string): number | null {
  try {
    return parseSvcId(text, 'svc_id');
  } catch {
    return null;
  }
}
