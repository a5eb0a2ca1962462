import type { Context } from '../context.js';
import type { Executor } from '../graphql/execute.js';
import type { Limits } from '../limits.js';
import { records, type RecordDefinition } from '../records/index.js';
import { ChangesDocument, type ChangesQuery, type ChangesQueryVariables } from './__generated__/documents.js';
import { selectionText, withRecord } from './operation.js';
import { PAGE, prepareOperation } from './prepared.js';
import { lazily } from './remember.js';
import { recordShape, type Shape } from './shape.js';
import { createWriter, valueWriter, type Writer, writeText } from './writer.js';

/** A change of a record, its parts in REST's names and values. */
interface RestChange {
  readonly position: number;
  readonly operation: string;
  readonly dataModel: string;
  readonly svcCompanyId: number;
  readonly svcId: number;
  readonly connectionId: number;
  /** JSON text: field name to its value before and after; `null` unless the operation is UPDATE. */
  readonly changes: string;
  /** JSON text: the record as it is now, as `GET /v3/...` shows it; `null` when it is deleted. */
  readonly data: string;
  readonly cause: { readonly type: string; readonly id: string | null };
  readonly changedAt: string;
}

export interface RestChanges {
  readonly changes: readonly RestChange[];
  /** Where to continue, with changes or without. */
  readonly next: string;
  readonly hasMore: boolean;
}

/** Reads changes of the context's organisation after a position: for the REST list, and for webhooks and streams. */
export type ChangeReader = (selection: ChangesQueryVariables, context: Context) => Promise<RestChanges>;

/** A record type in the one operation that selects all of them. */
interface RecordType {
  readonly selection: string;
  readonly writeRecord: Writer;
  readonly writeChanges: Writer;
}

/** The reader of changes, each with its record in the documented shape of its type. */
export function createChangeReader(executor: Executor, limits: Limits): ChangeReader {
  const prepare = lazily(() => {
    const types = new Map(records.map((one) => [one.dataModel, recordType(one, limits.expandedRecords)]));
    const selection = `{ ${[...types.values()].map((one) => one.selection).join(' ')} }`;
    const renames = { ...PAGE, companyIds: 'svc_company_id[eq]' };
    return { types, operation: prepareOperation(executor, withRecord(ChangesDocument, selection), renames) };
  });
  const present = (type: RecordType | undefined, { record, changes, ...change }: Node): RestChange => ({
    ...change,
    cause: { type: change.cause.type, id: change.cause.id ?? null },
    changes: type && changes ? type.writeChanges(changes) : 'null',
    data: type && record ? type.writeRecord(record) : 'null',
  });
  return async (variables, context) => {
    const { types, operation } = prepare();
    const { nodes, pageInfo } = (await operation.run(variables, context)).result;
    const changes = nodes.map((node) => present(types.get(node.dataModel), node));
    return { changes, next: pageInfo.endCursor ?? '', hasMore: pageInfo.hasNextPage };
  };
}

type Node = ChangesQuery['result']['nodes'][number];

function recordType(definition: RecordDefinition, maxExpanded: number): RecordType {
  const { model } = definition;
  const shape = recordShape(definition, { style: 'v3', expand: [], select: [], includeDeleted: false });
  // A name may differ in meaning between record types: one operation selects each type's fields under separate aliases.
  const prefix = `${model}_`;
  return {
    selection: `... on ${model} ${selectionText(shape, maxExpanded, prefix)}`,
    writeRecord: createWriter(shape, maxExpanded, prefix),
    writeChanges: changesWriter(definition, shape),
  };
}

/**
 * Writer of changes to the record's own visible fields and to parts of its nested objects, such as `item_account_id`.
 */
function changesWriter({ own }: RecordDefinition, shape: Shape): Writer {
  const shown = new Set(shape.map(({ graphql }) => graphql));
  const fields = Object.entries(own).flatMap(([name, { wire, kind, shown: where }]) =>
    shown.has(name) || where === 'nowhere' ? [{ name, key: writeText(wire), write: valueWriter(kind) }] : [],
  );
  return (changes) => {
    const given = changes as Readonly<Record<string, readonly [unknown, unknown]>>;
    const parts = fields.flatMap(({ name, key, write }) => {
      const change = given[name];
      return change ? [`${key}:[${write(change[0])},${write(change[1])}]`] : [];
    });
    return `{${parts.join(',')}}`;
  };
}

/** A change as the list shows it. */
export function writeChange(change: RestChange): string {
  const { position, operation, dataModel, svcCompanyId, svcId, connectionId, changes, data, cause } = change;
  return (
    `{"position":${position},"operation":"${operation}","data_model":"${dataModel}",` +
    `"svc_company_id":${svcCompanyId},"svc_id":${svcId},"connection_id":${connectionId},` +
    `"changes":${changes},"data":${data},"cause":${JSON.stringify(cause)},"changed_at":"${change.changedAt}"}`
  );
}
