import type { UnifiedRecord } from '../connectors/connector.js';
import type { TenantSql } from '../db/tenant-sql.js';
import { type Cause, changeRecords, lockChangeHead, type StoreTarget } from './change-log.js';
import { deleteSql, type StoredRow, storeSql, unchangedSql } from './statements.js';
import type { RecordDefinition } from '../records/define.js';
import { RawJson, stringifyJson } from '../raw-json.js';
import { definitionOf } from '../records/index.js';
import { type DocumentLines, storeLines } from './store-lines.js';
import { valuesRow } from './values-row.js';

/** A record to store: in our terms, with what the platform sent. */
export interface IncomingRecord extends UnifiedRecord {
  /** The platform's JSON as text, and whether characters in it had to be replaced. */
  readonly raw: { readonly text: string; readonly altered: boolean };
  /** SHA-256 of the canonical JSON of `raw`. */
  readonly dataHash: string;
  readonly mapperVersion: number;
}

interface StoreBatch extends StoreTarget {
  readonly definition: RecordDefinition;
  readonly records: readonly IncomingRecord[];
  readonly cause: Cause;
}

/** How many records a batch created, updated, found deleted, and left as they were. */
export interface StoreCounts {
  readonly created: number;
  readonly updated: number;
  readonly deleted: number;
  readonly unchanged: number;
}

/** Records in one transaction: the organisation's other writers wait that long. */
export const MOST_IN_BATCH = 1000;

/** Stores a batch in a transaction of its own: see `storeBatch`. */
export function storeRecords(sql: TenantSql, batch: StoreBatch): Promise<StoreCounts> {
  return sql.transaction((transaction) => storeBatch(transaction, batch));
}

/**
 * Stores a batch with its lines and its change log in the transaction given, which from here on holds the
 * organisation's change head. Of records that stand in it twice the last one counts. Throws when the connection is not
 * (or no longer) the scope's.
 */
export async function storeBatch(transaction: TenantSql, batch: StoreBatch): Promise<StoreCounts> {
  const { definition, cause } = batch;
  if (batch.records.length > MOST_IN_BATCH) {
    throw new Error(`a batch has at most ${MOST_IN_BATCH} records, got ${batch.records.length}`);
  }
  const records = new Map(batch.records.map((record) => [record.platformId, record]));
  const rows = stringifyJson([...records.values()].map((record) => batchRow(definition, record)));
  const head = await lockChangeHead(transaction, batch);
  const { integrationType } = batch;
  const stored = await changeRecords<StoredRow>(
    transaction,
    { head, target: batch, dataModel: definition.dataModel, cause },
    (query, change) => storeSql(query, definition, change, { rows, integrationType }),
  );
  for (const [name, relation] of Object.entries(definition.relations)) {
    if (relation.kind !== 'lines' && relation.kind !== 'linesOf') continue;
    const documents = stored.map((row) => documentLines(row, name, records));
    await storeLines(transaction, definitionOf(relation.target), batch, documents);
  }
  const count = (operation: StoredRow['operation']) =>
    stored.filter((row) => row.operation === operation).length;
  return {
    created: count('CREATE'),
    updated: count('UPDATE'),
    deleted: count('DELETE'),
    unchanged: records.size - stored.length,
  };
}

/**
 * As `storeBatch`, for records of which most are stored already: asks first, without the organisation's lock, which are as
 * they are stored, and leaves those out. What is stored meanwhile by another is as if it came after them.
 */
export async function storeChanged(transaction: TenantSql, batch: StoreBatch): Promise<StoreCounts> {
  const records = new Map(batch.records.map((record) => [record.platformId, record]));
  const query = transaction.query();
  const unchanged = await transaction.rows<{ platformId: string }>(
    query,
    unchangedSql(query, batch.definition, batch, [...records.values()]),
  );
  for (const { platformId } of unchanged) records.delete(platformId);
  const nothing: StoreCounts = { created: 0, updated: 0, deleted: 0, unchanged: 0 };
  const counts =
    records.size === 0
      ? nothing
      : await storeBatch(transaction, { ...batch, records: [...records.values()] });
  return { ...counts, unchanged: counts.unchanged + unchanged.length };
}

interface DeleteBatch extends StoreTarget {
  readonly definition: RecordDefinition;
  readonly platformIds: readonly string[];
  readonly cause: Cause;
}

/**
 * Marks records as deleted that are gone from their platform, with its change log, in the transaction given. Those that
 * are marked already or were never stored are left alone. Returns how many were marked.
 */
export async function deleteBatch(transaction: TenantSql, batch: DeleteBatch): Promise<number> {
  if (batch.platformIds.length === 0) return 0;
  const head = await lockChangeHead(transaction, batch);
  const { definition, cause, platformIds } = batch;
  const deleted = await changeRecords(
    transaction,
    { head, target: batch, dataModel: definition.dataModel, cause },
    (query, change) => deleteSql(query, definition, change, platformIds),
  );
  return deleted.length;
}

function batchRow(definition: RecordDefinition, record: IncomingRecord): Record<string, unknown> {
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

function documentLines(
  row: StoredRow,
  relation: string,
  records: ReadonlyMap<string, IncomingRecord>,
): DocumentLines {
  return {
    parentSvcId: row.svcId,
    parentPlatformId: row.platformId,
    hadLines: row.operation !== 'CREATE',
    lines: records.get(row.platformId)?.lines?.[relation] ?? [],
  };
}
