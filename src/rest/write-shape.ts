import type { WriteErrorCode } from '../errors.js';
import type { Limits } from '../limits.js';
import type { RecordDefinition } from '../records/define.js';
import { stringifyJson } from '../raw-json.js';
import { selectionText } from './operation.js';
import { expandable, recordShape } from './shape.js';
import { createWriter, writeText, type Writer } from './writer.js';

/** How written records look: with their lines, whatever is expanded elsewhere (design section 5). */
export interface WrittenShape {
  /** What is selected of an item of an upload. */
  readonly selection: string;
  readonly write: Writer;
}

/** An item as the operations select it. */
export interface SelectedItem {
  readonly jobId: string | null;
  readonly status: 'PLANNED' | 'PENDING' | 'SENDING' | 'UNCERTAIN' | 'SUCCESS' | 'FAILED';
  readonly error: {
    readonly code: WriteErrorCode;
    readonly message: string;
    readonly field: string;
    readonly platformError: string | null;
  } | null;
  readonly warnings: readonly string[];
  readonly request: object | null;
  readonly endedAt: string | null;
  readonly record: unknown;
}

const ITEM = `jobId status error { code message field platformError } warnings request { method path body } endedAt`;

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
  return {
    selection: `${ITEM} record { ... on ${definition.model} ${selectionText(shape, most)} }`,
    write: createWriter(shape, most),
  };
}

/** Reference 2.4: an item of a bulk-write result. */
export function writeItem(item: SelectedItem, write: Writer): string {
  const { jobId, error, warnings, request } = item;
  const response = item.record === null ? 'null' : write(item.record);
  const planned = item.status === 'PLANNED' ? `,"request":${stringifyJson(request)}` : '';
  const shownError = error && {
    code: error.code,
    message: error.message,
    field: error.field,
    platform_error: error.platformError,
  };
  return `{"status":${writeText(itemStatus(item))},"job_id":${jobId === null ? 'null' : writeText(jobId)},"error":${JSON.stringify(
    shownError,
  )},"response":${response},"warnings":${JSON.stringify(warnings)}${planned}}`;
}

/** The reference shows `success`; the others follow it. What may still change is pending. */
function itemStatus({ status, endedAt }: SelectedItem): string {
  if (status === 'SENDING' || (status === 'UNCERTAIN' && endedAt === null)) return 'pending';
  return status.toLowerCase();
}

/** The state of an upload in the words of bulk-write results. */
export function uploadStatus(status: string): string {
  return status === 'RUNNING' || status === 'SLEEPING' ? 'PENDING' : status;
}
