import { type WriteErrorCode, writePath } from '../errors.js';
import { toErrorCode } from '../graphql/error-codes.js';
import type { Limits } from '../limits.js';
import type { RecordDefinition } from '../records/define.js';
import { stringifyJson } from '../base/raw-json.js';
import type { WriteProblemFragment, WriteRecordsMutation } from './__generated__/documents.js';
import { toPath } from './mutation.js';
import { selectionText } from './operation.js';
import { expandable, recordShape } from './shape.js';
import { createWriter, writeText, type Writer } from './writer.js';

/** How written records look: with their lines, whatever is expanded elsewhere (Reference 2.4). */
export interface WrittenShape {
  /** Selection of a record. */
  readonly record: string;
  readonly write: Writer;
  /** The record in the answer of a write of one. */
  readonly writeOne: Writer;
}

type Result = WriteRecordsMutation['result']['results'][number];

/** A result of a mutation or, without the planned request, an item of a write. */
export type SelectedItem = Omit<Result, 'request'> & Partial<Pick<Result, 'request'>>;

export function writtenShape(definition: RecordDefinition, limits: Limits, isRaw: boolean): WrittenShape {
  const expanded = new Set(expandable(definition).values());
  const lines = Object.entries(definition.relations)
    .filter(([name, { kind }]) => kind === 'lines' && expanded.has(name))
    .map(([name]) => name);
  const shape = recordShape(definition, {
    style: 'v3',
    expand: lines,
    select: isRaw ? ['rawData'] : [],
    includeDeleted: false,
  });
  const max = limits.expandedRecords;
  const write = createWriter(shape, max);
  return {
    record: `{ ... on ${definition.model} ${selectionText(shape, max)} }`,
    write,
    writeOne: definition.rest.isWrittenAsList ? (record) => `[${write(record)}]` : write,
  };
}

/** Reference 2.4: an item of a bulk-write result. */
export function writeItem(item: SelectedItem, write: Writer): string {
  const { jobId, error, warnings, request } = item;
  const response = item.record === null ? 'null' : write(item.record);
  const planned = item.state === 'PLANNED' ? `,"request":${stringifyJson(request)}` : '';
  const shownError = error && wireError(error);
  return `{"status":${writeText(itemStatus(item))},"job_id":${jobId === null ? 'null' : writeText(jobId)},"error":${JSON.stringify(
    shownError,
  )},"response":${response},"warnings":${JSON.stringify(warnings)}${planned}}`;
}

/** Reference G16. */
export const wireError = ({
  code,
  message,
  field,
  platformError,
  version,
  changedFields,
}: WriteProblemFragment) => ({
  code: toErrorCode(code) as WriteErrorCode,
  message,
  field: writePath(toPath(field)),
  platform_error: platformError,
  ...(version === null ? {} : { version, changed_fields: changedFields }),
});

/** The reference shows `success`; the others follow its style. States that may still change are pending. */
function itemStatus({ state, endedAt }: SelectedItem): string {
  if (state === 'SENDING' || (state === 'UNCERTAIN' && endedAt === null)) return 'pending';
  return state.toLowerCase();
}

/** The state of a write in the words of bulk-write results. */
export function uploadStatus(state: string): string {
  return state === 'RUNNING' || state === 'SLEEPING' ? 'PENDING' : state;
}
