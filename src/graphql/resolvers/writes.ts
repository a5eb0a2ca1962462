import type { GraphQLFieldResolver, GraphQLResolveInfo } from 'graphql';
import type { Context } from '../../context.js';
import { afterStoring } from '../../db/database-error.js';
import type { TenantSql } from '../../db/tenant-sql.js';
import { invalid, writeProblemText, writeWarningText } from '../../errors.js';
import { upperFirst } from '../../base/names.js';
import { listPlatforms, writtenTypes } from '../../operations/integrations/capabilities.js';
import { requireScope } from '../../operations/keys/require-scope.js';
import { readRecord } from '../../operations/records/read-record.js';
import {
  type CountedItems,
  countItems,
  getItem,
  getUpload,
  listItems,
  type ListedItem,
  type ListedUpload,
  listUploads,
  type ShownItem,
} from '../../operations/writes/uploads.js';
import { writeRecords, type WriteResult } from '../../operations/writes/write-records.js';
import type { Row } from '../../query/columns.js';
import { pageOfAll } from '../../query/pages/complete-list.js';
import { type OwnedId, ownedIdOf, ownedKey } from '../../query/owned-ids.js';
import { referenceKey } from '../../query/references.js';
import type { RecordDefinition } from '../../records/define.js';
import { definitionOf, recordTypeOf, records } from '../../records/index.js';
import { parseText } from '../../base/values.js';
import type { WriteOperation } from '../../connectors/push.js';
import { retryUpload } from '../../writes/retry-upload.js';
import type {
  SchemaMutationResolvers,
  SchemaQueryResolvers,
  SchemaReadRecordPayloadResolvers,
  SchemaWriteErrorResolvers,
  SchemaWriteItemResolvers,
  SchemaWriteResolvers,
} from '../__generated__/resolvers.js';
import { toErrorCodeName } from '../error-codes.js';
import { recordNeed } from '../selection.js';
import { connectionOf } from './connections.js';
import { carryOut, toFieldList } from './mutation.js';
import { toWireItem } from './wire-item.js';

export const writeQueries: Pick<SchemaQueryResolvers, 'write' | 'writes' | 'writeItem' | 'capabilities'> = {
  write: (_source, { writeId }, context) => getUpload(context.sql, writeId),
  writes: (_source, args, context) => listUploads(context, args),
  writeItem: (_source, { jobId }, context) => getItem(context, jobId),
  capabilities: (_source, args, context) => listPlatforms(context, args),
};

/** Arguments of every way of writing. */
interface WriteInput {
  readonly clientMutationId?: string | null | undefined;
  readonly companyId: number;
  readonly data: readonly unknown[];
  readonly connectionId?: number | null | undefined;
  readonly integrationType?: string | null | undefined;
  readonly runAsync?: boolean | null | undefined;
  readonly dryRun?: boolean | null | undefined;
  readonly strict?: boolean | null | undefined;
  readonly idempotencyKey?: string | null | undefined;
}

const NOTHING = { write: null, connectionId: null, replayed: false, results: [] };

function write(
  context: Context,
  input: WriteInput,
  what: {
    readonly definition: RecordDefinition;
    readonly operation: WriteOperation;
    readonly items: readonly unknown[];
  },
) {
  return writeRecords(context, {
    ...what,
    companyId: input.companyId,
    connectionId: input.connectionId,
    integrationType: input.integrationType,
    runAsync: input.runAsync ?? false,
    dryRun: input.dryRun ?? false,
    strict: input.strict ?? false,
    idempotencyKey: input.idempotencyKey ?? (input.dryRun ? null : context.headerKey?.take()) ?? null,
  }).then((result) => afterStoring(payloadOf(context, result)));
}

async function payloadOf(context: Context, { upload, connectionId, isReplayed, planned }: WriteResult) {
  const results: ShownItem[] = planned ? [...planned] : upload ? await itemsOf(upload, context) : [];
  return { write: upload, connectionId, replayed: isReplayed, results };
}

export const writeMutations: Pick<SchemaMutationResolvers, 'writeRecords' | 'readRecord' | 'retryWrite'> = {
  retryWrite: (_source, { input }, context) =>
    carryOut(input, { write: null }, async () => {
      requireScope(context, 'write', 'retry writes');
      await retryUpload(context.sql, parseText(input.writeId, 'writeId'));
      return { write: await afterStoring(getUpload(context.sql, input.writeId)) };
    }),
  writeRecords: (_source, { input }, context) =>
    carryOut(input, NOTHING, () => {
      const definition = requireType(input.dataModel);
      return write(context, input, { definition, operation: input.operation ?? 'CREATE', items: input.data });
    }),
  readRecord: (_source, { input }, context) =>
    carryOut(input, { connectionId: null, record: null }, async () => {
      const definition = requireType(input.dataModel);
      const found = await readRecord(context, { ...input, definition });
      return { connectionId: found.connectionId, record: { ...found, __typename: definition.model } };
    }),
};

/** The payload has the record's key; what is selected of it is read here. */
export const readRecordPayloadFields: Pick<SchemaReadRecordPayloadResolvers, 'record'> = {
  record: ({ record }, _args, context, info) => {
    const key = record as (Row & RecordKey) | null | undefined;
    return key ? loadRecord(key, definitionOf(String(key['__typename'])), context, info) : null;
  },
};

function requireType(dataModel: string): RecordDefinition {
  const definition = recordTypeOf(dataModel);
  if (definition) return definition;
  const known = records.map((one) => one.dataModel).join(', ');
  throw invalid('dataModel', `must be one of ${known}, got ${dataModel.slice(0, 60)}`);
}

type Resolver = GraphQLFieldResolver<unknown, Context, { input: WriteInput }>;

/** `createInvoices` and its like, for every record type that can be written. */
export function typedWriteMutations(): Record<string, Resolver> {
  const resolvers: Record<string, Resolver> = {};
  for (const { definition, isUpdated } of writtenTypes()) {
    const many = upperFirst(definition.list);
    const resolver =
      (operation: WriteOperation): Resolver =>
      (_source, { input }, context) =>
        carryOut(input, NOTHING, () =>
          write(context, input, { definition, operation, items: input.data.map(toWireItem) }),
        );
    resolvers[`create${many}`] = resolver('CREATE');
    if (isUpdated) resolvers[`update${many}`] = resolver('UPDATE');
  }
  return resolvers;
}

/** Results of writes: of any type, and of one. */
export function writeResults(): Record<string, object> {
  const typed = Object.fromEntries(
    writtenTypes().map(({ definition }) => [
      `${definition.model}WriteResult`,
      {
        state: stateOf,
        warnings: warningsOf,
        record: (item: ShownItem, _args: object, context: Context, info: GraphQLResolveInfo) =>
          recordOf(item, definition, context, info),
      },
    ]),
  );
  const { state, warnings, record } = writeItemFields;
  return { ...typed, RecordWriteResult: { state, warnings, record } };
}

/** The state of what is stored; `status` is the word of its column's readers. */
const stateOf = ({ status }: ShownItem) => status;

const warningsOf = ({ warnings }: ShownItem, _args: object, { inCallersNames }: Context): string[] =>
  warnings.map(({ words, path }) => writeWarningText({ words, path: inCallersNames(path) }));

export const writeItemFields: Pick<SchemaWriteItemResolvers, 'state' | 'warnings' | 'writeId' | 'record'> = {
  state: stateOf,
  warnings: warningsOf,
  writeId: ({ uploadId }) => uploadId ?? '',
  record: (item, _args, context, info) => {
    const definition = recordTypeOf(item.dataModel);
    return definition && recordOf(item, definition, context, info);
  },
};

async function recordOf(
  { platformId, status, ...item }: ShownItem,
  definition: RecordDefinition,
  context: Context,
  info: GraphQLResolveInfo,
): Promise<Row | null> {
  if (platformId === null || status !== 'SUCCESS') return null;
  return loadRecord({ ...item, platformId }, definition, context, info);
}

interface RecordKey {
  readonly svcCompanyId: number;
  readonly connectionId: number;
  readonly platformId: string;
}

async function loadRecord(
  { svcCompanyId, connectionId, platformId }: RecordKey,
  definition: RecordDefinition,
  context: Context,
  info: GraphQLResolveInfo,
): Promise<Row | null> {
  const key = referenceKey(svcCompanyId, connectionId, platformId);
  const row = await context.loaders.reference(recordNeed(definition, info)).load(key);
  return row && { ...row, __typename: definition.model };
}

interface OfUpload {
  readonly uploadSvcId: number;
}

/** A loader of an upload's rows from `read`, with one statement for all uploads. */
const ofUpload = <Found extends OfUpload>(
  name: string,
  { loaders, sql }: Context,
  read: (sql: TenantSql, uploads: readonly OwnedId[]) => Promise<readonly Found[]>,
) =>
  loaders.of<Found[]>(name, async (keys) => {
    const uploads = keys.map(ownedIdOf);
    const found = new Map(uploads.map(({ svcId }): [number, Found[]] => [svcId, []]));
    for (const one of await read(sql, uploads)) found.get(one.uploadSvcId)?.push(one);
    return uploads.map(({ svcId }) => found.get(svcId) ?? []);
  });

/** The items of a write, in their order. */
const itemsOf = (upload: ListedUpload, context: Context): Promise<ListedItem[]> =>
  ofUpload('upload items', context, listItems).load(ownedKey(upload));

export const writeErrorFields: Pick<
  SchemaWriteErrorResolvers,
  'code' | 'message' | 'field' | 'version' | 'changedFields'
> = {
  code: ({ code }) => toErrorCodeName(code),
  message: (problem, _args, { inCallersNames }) =>
    writeProblemText({ ...problem, path: inCallersNames(problem.path) }),
  field: ({ path }, _args, { inCallersNames }) => toFieldList(inCallersNames(path)),
  version: ({ stale }) => stale?.version ?? null,
  changedFields: ({ stale }, _args, { inCallersNames }) =>
    stale?.changedFields?.map((name) => String(inCallersNames([name])[0])) ?? null,
};

export const writeFields: Pick<SchemaWriteResolvers, 'connection' | 'items' | 'counts' | 'writeId'> = {
  writeId: ({ uploadId }) => uploadId,
  connection: (write, _args, context) => connectionOf(write, context),
  items: async (upload, args, context) => {
    const items = (await itemsOf(upload, context)).map((node) => ({ id: String(node.position), node }));
    return pageOfAll('Write.items', items, args, { limits: context.limits, nested: true });
  },
  counts: async (upload, _args, context) => {
    const counted = await ofUpload('upload counts', context, countItems).load(ownedKey(upload));
    const count = (fits: (counted: CountedItems) => boolean) =>
      counted.reduce((sum, one) => (fits(one) ? sum + one.count : sum), 0);
    return {
      total: count(() => true),
      pending: count(({ state }) => state === 'PENDING'),
      running: count(({ state, isEnded }) => !isEnded && state !== 'PENDING'),
      success: count(({ state }) => state === 'SUCCESS'),
      failed: count(({ state, isEnded }) => isEnded && state !== 'SUCCESS'),
      uncertain: count(({ state, isEnded }) => isEnded && state === 'UNCERTAIN'),
    };
  },
};
