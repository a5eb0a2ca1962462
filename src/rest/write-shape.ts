import type { WriteErrorCode } from '../errors.js';
import { toErrorCode } from '../graphql/error-codes.js';
import { toWireName } from '../graphql/names.js';
import type { Limits } from '../limits.js';
import type { RecordDefinition } from '../records/define.js';
import { stringifyJson } from '../raw-json.js';
import { selectionText } from './operation.js';
import { expandable, recordShape } from './shape.js';
import { createWriter, writeText, type Writer } from './writer.js';

/** How written records look: with their lines, whatever is expanded elsewhere (design section 5). */
export interface WrittenShape {
  /** What is selected of an item of a write. */
  readonly item: string;
  /** What is selected of a result of a mutation. */
  readonly result: string;
  readonly write: Writer;
}

/** An item as the operations select it. */
export interface SelectedItem {
  readonly jobId: string | null;
  readonly state: 'PLANNED' | 'PENDING' | 'SENDING' | 'UNCERTAIN' | 'SUCCESS' | 'FAILED';
  readonly error: {
    readonly code: string;
    readonly message: string;
    readonly field: readonly string[] | null;
    readonly platformError: string | null;
  } | null;
  readonly warnings: readonly string[];
  /** Of results only: what would be sent, where it is only planned. */
  readonly request?: object | null;
  readonly endedAt: string | null;
  readonly record: unknown;
}

const ITEM = 'jobId state error { code message field platformError } warnings endedAt';

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
  const most = limits.expandedRecords;
  const item = `${ITEM} record { ... on ${definition.model} ${selectionText(shape, most)} }`;
  return {
    item,
    result: `${item} request { method path body }`,
    write: createWriter(shape, most),
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

/** Contract section 1, error body of writes. */
export const wireError = ({ code, message, field, platformError }: NonNullable<SelectedItem['error']>) => ({
  code: toErrorCode(code) as WriteErrorCode,
  message,
  field: toWireName(field),
  platform_error: platformError,
});

/** The reference shows `success`; the others follow it. What may still change is pending. */
function itemStatus({ state, endedAt }: SelectedItem): string {
  if (state === 'SENDING' || (state === 'UNCERTAIN' && endedAt === null)) return 'pending';
  return state.toLowerCase();
}

/** The state of a write in the words of bulk-write results. */
export function uploadStatus(state: string): string {
  return state === 'RUNNING' || state === 'SLEEPING' ? 'PENDING' : state;
}
