import type { UnifiedRecord } from '../connectors/connector.js';
import { AppError } from '../errors.js';
import type { TenantSql } from '../db/tenant-sql.js';
import { type Cause, deleteSql, type StoredRow, storeSql, type StoreTarget } from './statements.js';
import type { RecordDefinition } from '../records/define.js';
import { RawJson, stringifyJson } from '../raw-json.js';
import { definitionOf } from '../records/index.js';
import { type DocumentLines, storeLines } from './store-lines.js';
import { valuesRow } from './values-row.js';

/** A record to store: in our terms, with what the platform sent. */
export interface IncomingRecord extends UnifiedRecord {
  /** The platform's JSON as text, and whether characters in it had to be replaced (design 3.13). */
  readonly raw: { readonly text: string; readonly altered: boolean };
  /** SHA-256 of the canonical JSON of `raw`. */
  readonly dataHash: string;
  readonly mapperVersion: number;
}

export interface StoreBatch extends StoreTarget {
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

/** Records in one transaction: the organisation's other writers wait that long (design 3.15). */
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
  const { position, now } = await lockChangeHead(transaction, batch);
  const query = transaction.query();
  const text = storeSql(query, definition, batch, { rows, position, now, cause });
  const stored = await transaction.rows<StoredRow>(query, text);
  await moveChangeHead(transaction, position + stored.length);
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

export interface DeleteBatch extends StoreTarget {
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
  const { position, now } = await lockChangeHead(transaction, batch);
  const query = transaction.query();
  const text = deleteSql(query, batch.definition, batch, {
    platformIds: batch.platformIds,
    position,
    now,
    cause: batch.cause,
  });
  const deleted = await transaction.rows(query, text);
  await moveChangeHead(transaction, position + deleted.length);
  return deleted.length;
}

function batchRow(definition: RecordDefinition, record: IncomingRecord): Record<string, unknown> {
  return {
    ...valuesRow(definition, record.values),
    platform_id: record.platformId,
    platform_unique_id: record.platformUniqueId ?? null,
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

/** From here on the organisation has one writer; the time is taken after the lock. */
export async function lockChangeHead(
  sql: TenantSql,
  target: StoreTarget,
): Promise<{ position: number; now: string }> {
  const query = sql.query();
  const heads = await sql.rows<{ position: number }>(
    query,
    `INSERT INTO change_heads AS h (svc_organisation_id) VALUES ($1)
     ON CONFLICT (svc_organisation_id) DO UPDATE SET position = h.position
     WHERE h.svc_organisation_id = $1 RETURNING h.position`,
  );
  const connection = sql.query();
  const times = await sql.rows<{ now: string }>(
    connection,
    `SELECT clock_timestamp()::timestamptz(3) AS now FROM connections t WHERE ${connection.within('t')}
     AND t.svc_company_id = ${connection.bind(target.svcCompanyId)} AND t.svc_id = ${connection.bind(target.connectionId)}
     FOR KEY SHARE`,
  );
  if (!heads[0] || !times[0]) throw new AppError('not-found', 'there is no such connection', 'connection_id');
  return { position: heads[0].position, now: times[0].now };
}

export async function moveChangeHead(sql: TenantSql, position: number): Promise<void> {
  const query = sql.query();
  await sql.rows(
    query,
    `UPDATE change_heads h SET position = ${query.bind(position)} WHERE h.svc_organisation_id = $1`,
  );
}
