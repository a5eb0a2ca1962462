import type { TenantSql } from '../db/tenant-sql.js';
import { type Cause, changeRecords, lockChangeHead, type StoreTarget } from './change-log.js';
import { oldRowsSql, unchangedSql } from './compare-statements.js';
import { deleteSql, type StoredRow, storeSql } from './statements.js';
import type { RecordDefinition } from '../records/define.js';
import {
  type IncomingRecord,
  type ReadyBatch,
  type ReadyLines,
  readyBatch,
  readyWhere,
  type UnmappedObject,
} from './ready-batch.js';
import { type DocumentLines, storeLines } from './store-lines.js';

interface HowToStore extends StoreTarget {
  readonly cause: Cause;
  /**
   * Stored records are being remapped: nothing is stored for records that were deleted or newly arrived in the
   * meantime.
   */
  readonly isRenewal?: boolean;
}

interface StoreBatch extends HowToStore {
  readonly definition: RecordDefinition;
  readonly records: readonly IncomingRecord[];
}

interface StoreReadyBatch extends HowToStore {
  readonly ready: ReadyBatch;
}

/** How many records a batch created, updated, found deleted, and left as they were. */
export interface StoreCounts {
  readonly created: number;
  readonly updated: number;
  readonly deleted: number;
  readonly unchanged: number;
}

/** Stores a batch in a transaction of its own: see `storeBatch`. */
export function storeRecords(sql: TenantSql, batch: StoreBatch): Promise<StoreCounts> {
  return sql.transaction((transaction) => storeBatch(transaction, batch));
}

/** Stores a batch in the transaction given: see `storeReadyBatch`. */
export function storeBatch(
  transaction: TenantSql,
  { definition, records, ...batch }: StoreBatch,
): Promise<StoreCounts> {
  return storeReadyBatch(transaction, { ...batch, ready: readyBatch(definition, records) });
}

/**
 * Stores a batch with its lines and its change log in the transaction given, which from here on holds the
 * organisation's change head. Throws when the connection is not (or no longer) the scope's.
 */
export async function storeReadyBatch(transaction: TenantSql, batch: StoreReadyBatch): Promise<StoreCounts> {
  const { integrationType, cause, ready, isRenewal = false } = batch;
  const { definition, rows, lines } = ready;
  const head = await lockChangeHead(transaction, batch);
  const old = transaction.isCluster ? await readOld(transaction, batch) : null;
  const stored = await changeRecords<StoredRow>(
    transaction,
    { head, target: batch, dataModel: definition.dataModel, cause },
    (query, change) => storeSql(query, definition, change, { rows, integrationType, isRenewal, old }),
    (documents) =>
      lines.map((ofType) => storeLines(transaction, ofType.definition, batch, linesOf(documents, ofType))),
  );
  const count = (operation: StoredRow['operation']) =>
    stored.filter((row) => row.operation === operation).length;
  return {
    created: count('CREATE'),
    updated: count('UPDATE'),
    deleted: count('DELETE'),
    unchanged: ready.count - stored.length,
  };
}

const linesOf = (documents: readonly StoredRow[], { ofDocument }: ReadyLines): DocumentLines[] =>
  documents.map(({ svcId, platformId, isNew }) => ({
    parentSvcId: svcId,
    parentPlatformId: platformId,
    hadLines: !isNew,
    lines: ofDocument.get(platformId) ?? [],
  }));

async function readOld(transaction: TenantSql, { ready, ...target }: StoreReadyBatch): Promise<string> {
  const query = transaction.query();
  const [stored] = await transaction.rows<{ old: string }>(
    query,
    oldRowsSql(query, ready.definition, target, [...new Set(ready.platformIds)]),
  );
  return stored?.old ?? '[]';
}

/**
 * As `storeBatch`, for records of which most are already stored: first drops unchanged records, without the
 * organisation's lock. Concurrent writes count as later ones. Records that cannot be stored are dropped, too, and
 * reported.
 */
export async function storeChanged(
  transaction: TenantSql,
  batch: StoreBatch,
): Promise<StoreCounts & { readonly unmapped: readonly UnmappedObject[] }> {
  const records = new Map(batch.records.map((record) => [record.platformId, record]));
  const query = transaction.query();
  const unchanged = await transaction.rows<{ platformId: string }>(
    query,
    unchangedSql(query, batch.definition, batch, [...records.values()]),
  );
  for (const { platformId } of unchanged) records.delete(platformId);
  const nothing: StoreCounts = { created: 0, updated: 0, deleted: 0, unchanged: 0 };
  const { ready, unmapped } = readyWhere(batch.definition, [...records.values()]);
  const counts = ready.count === 0 ? nothing : await storeReadyBatch(transaction, { ...batch, ready });
  return { ...counts, unchanged: counts.unchanged + unchanged.length, unmapped };
}

interface DeleteBatch extends StoreTarget {
  readonly definition: RecordDefinition;
  readonly platformIds: readonly string[];
  /** Records stored since then live. */
  readonly storedBefore?: string | null;
  readonly cause: Cause;
}

/**
 * Marks records as deleted that are gone from their platform, with the change log, in the given transaction. Records
 * already marked or never stored are left alone. Returns how many were marked.
 */
export async function deleteBatch(transaction: TenantSql, batch: DeleteBatch): Promise<number> {
  if (batch.platformIds.length === 0) return 0;
  const head = await lockChangeHead(transaction, batch);
  const { definition, cause, platformIds, storedBefore = null } = batch;
  const deleted = await changeRecords(
    transaction,
    { head, target: batch, dataModel: definition.dataModel, cause },
    (query, change) => deleteSql(query, definition, change, { platformIds, storedBefore }),
  );
  return deleted.length;
}
