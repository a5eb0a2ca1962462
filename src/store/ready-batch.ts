import type { UnifiedLine, UnifiedRecord } from '../connectors/pull.js';
import { toAppError } from '../errors.js';
import { RawJson, stringifyJson } from '../base/raw-json.js';
import type { RecordDefinition } from '../records/define.js';
import { definitionOf } from '../records/index.js';
import { checkId, valuesRow } from './values-row.js';

/** A record to store: in our terms, with what the platform sent. */
export interface IncomingRecord extends UnifiedRecord {
  /** The platform's JSON as text, and whether characters in it had to be replaced. */
  readonly raw: { readonly text: string; readonly altered: boolean };
  /** SHA-256 of the canonical JSON of `raw`. */
  readonly dataHash: string;
  readonly mapperVersion: number;
}

/** A platform object that could not be mapped, and why. */
export interface UnmappedObject {
  readonly raw: string;
  readonly dataHash: string;
  readonly message: string;
}

/** A line with its values by column. */
export interface ReadyLine {
  readonly platformId: string | null;
  readonly values: Readonly<Record<string, unknown>>;
}

/** Lines of one type, by the platform id of their document. */
export interface ReadyLines {
  readonly definition: RecordDefinition;
  readonly ofDocument: ReadonlyMap<string, readonly ReadyLine[]>;
}

/** Records of one type in the form of a batch, prepared before the batch blocks the organisation's other writers. */
export interface ReadyBatch {
  readonly definition: RecordDefinition;
  /** In order of arrival, and how many different ones there are. */
  readonly platformIds: readonly string[];
  readonly count: number;
  /** The records' own columns, a JSON array. */
  readonly rows: string;
  readonly lines: readonly ReadyLines[];
}

/** Maximum records in one transaction: the organisation's other writers wait for it. */
export const MAX_BATCH_SIZE = 1000;

/**
 * Makes a batch of records. Of duplicates the last one counts. Throws AppError naming the field for a value that its
 * kind does not accept.
 */
export function readyBatch(definition: RecordDefinition, incoming: readonly IncomingRecord[]): ReadyBatch {
  if (incoming.length > MAX_BATCH_SIZE) {
    throw new Error(`a batch has at most ${MAX_BATCH_SIZE} records, got ${incoming.length}`);
  }
  const records = new Map(incoming.map((record) => [record.platformId, record]));
  return {
    definition,
    platformIds: incoming.map(({ platformId }) => platformId),
    count: records.size,
    rows: stringifyJson(Array.from(records.values(), (record) => batchRow(definition, record))),
    lines: Object.entries(definition.relations).flatMap(([name, relation]) => {
      if (relation.kind !== 'lines' && relation.kind !== 'linesOf') return [];
      const target = definitionOf(relation.target);
      const ready = ({ platformId, values }: UnifiedLine): ReadyLine => ({
        platformId,
        values: valuesRow(target, values),
      });
      const ofDocument = new Map(
        Array.from(records, ([id, { lines }]) => [id, (lines?.[name] ?? []).map(ready)]),
      );
      return [{ definition: target, ofDocument }];
    }),
  };
}

/** Makes a batch of the records that can be stored: one that cannot does not block others. */
export function readyWhere(
  definition: RecordDefinition,
  incoming: readonly IncomingRecord[],
): { readonly ready: ReadyBatch; readonly unmapped: readonly UnmappedObject[] } {
  try {
    return { ready: readyBatch(definition, incoming), unmapped: [] };
  } catch {
    const good: IncomingRecord[] = [];
    const unmapped: UnmappedObject[] = [];
    for (const record of incoming) {
      const message = problemOf(definition, record);
      if (message === null) good.push(record);
      else unmapped.push({ raw: record.raw.text, dataHash: record.dataHash, message });
    }
    return { ready: readyBatch(definition, good), unmapped };
  }
}

function problemOf(definition: RecordDefinition, record: IncomingRecord): string | null {
  try {
    readyBatch(definition, [record]);
    return null;
  } catch (error) {
    return toAppError(error).message;
  }
}

/** Records in as few pieces as there are batches. */
export function batchesOf<Record>(records: readonly Record[]): (readonly Record[])[] {
  const count = Math.ceil(records.length / MAX_BATCH_SIZE);
  return Array.from({ length: count }, (_, index) =>
    records.slice(index * MAX_BATCH_SIZE, (index + 1) * MAX_BATCH_SIZE),
  );
}

function batchRow(definition: RecordDefinition, record: IncomingRecord): Record<string, unknown> {
  checkId(record.platformId, 'platformId');
  return {
    ...valuesRow(definition, record.values),
    platform_id: record.platformId,
    platform_unique_id: record.platformUniqueId ?? null,
    platform_version: record.version ?? null,
    deleted: record.deleted ?? false,
    raw_data: new RawJson(record.raw.text),
    raw_data_altered: record.raw.altered,
    data_hash: record.dataHash,
    mapper_version: record.mapperVersion,
    unresolved: record.unresolved ?? false,
  };
}
