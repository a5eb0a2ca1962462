import type { Connector } from '../connectors/connector.js';
import type { Lookups, PullResource } from '../connectors/pull.js';
import { parsePlatformJson } from '../connectors/values/platform-json.js';
import { objectOf } from '../connectors/values/platform-values.js';
import type { TenantQuery, TenantSql } from '../db/tenant-sql.js';
import { recordTypeOf } from '../records/index.js';
import type { StoreTarget } from './change-log.js';
import type { RawJson } from '../base/raw-json.js';
import { differingRecords } from './differing-records.js';
import { loadLookups } from './lookups.js';
import { LOCAL_VERSION } from './local-version.js';
import { mapObjects } from './map-objects.js';
import { type IncomingRecord, readyWhere } from './ready-batch.js';
import { storeReadyBatch } from './store-records.js';

interface RemapOptions {
  readonly sql: TenantSql;
  readonly connector: Connector;
  readonly target: StoreTarget;
  /** The cause in the change log; null outside of syncs. */
  readonly syncId: string | null;
  /** Runs in every transaction; throws if the work is no longer ours. */
  hold(transaction: TenantSql): Promise<void>;
}

const BATCH = 500;

/** Selects records of a connection: a condition on `t`. */
type Which = (query: TenantQuery) => string;

/**
 * Remaps stored records with unresolved codes, from their raw data and without a platform call, if something that they
 * may refer to has changed since the last time, which was after `since`. Returns how many were renewed: a record gets
 * those of its codes that have become known.
 */
export async function remapUnresolved(options: RemapOptions, since: string | null): Promise<number> {
  const { pulls } = options.connector;
  const targets = new Set(pulls.flatMap(({ lookups = [] }) => lookups.map(({ dataModel }) => dataModel)));
  const changed = since === null ? targets : await changedSince(options, targets, since);
  let renewed = 0;
  for (const resource of pulls) {
    if (!resource.lookups?.some(({ dataModel }) => changed.has(dataModel))) continue;
    const which = () => 't.unresolved';
    renewed += await remapResource(options, resource, which, (mapped, stored) =>
      withMore(options, resource, mapped, stored),
    );
  }
  return renewed;
}

/** The record types of which something was stored since a time; what began a little earlier may be committed after it. */
async function changedSince(
  { sql, target }: RemapOptions,
  dataModels: ReadonlySet<string>,
  since: string,
): Promise<ReadonlySet<string>> {
  if (dataModels.size === 0) return dataModels;
  const query = sql.query();
  const which = `${query.within('l')} AND l.svc_company_id = ${query.bind(target.svcCompanyId)}
    AND l.connection_id = ${query.bind(target.connectionId)}
    AND l.svc_updated_at >= ${query.bind(since)}::timestamptz - interval '1 minute'`;
  const tables = Array.from(
    dataModels,
    (dataModel) =>
      `(SELECT '${dataModel}' AS "dataModel" FROM ${recordTypeOf(dataModel)?.table} l WHERE ${which} LIMIT 1)`,
  );
  const changed = await sql.rows<{ readonly dataModel: string }>(query, tables.join(' UNION ALL '));
  return new Set(changed.map(({ dataModel }) => dataModel));
}

/**
 * Remaps stored records made by another mapper version, from their raw data and without a platform call. Returns how
 * many were renewed.
 */
export async function remapOutdated(options: RemapOptions): Promise<number> {
  let renewed = 0;
  for (const resource of options.connector.pulls) {
    const { mapperVersion } = resource;
    const which = () => `t.mapper_version NOT IN (${LOCAL_VERSION}, ${mapperVersion})`;
    renewed += await remapResource(options, resource, which);
  }
  return renewed;
}

type StoredRecords = ReadonlyMap<string, StoredRecord>;

async function remapResource(
  options: RemapOptions,
  resource: PullResource,
  which: Which,
  choose = (mapped: IncomingRecord[], _stored: StoredRecords) => Promise.resolve(mapped),
): Promise<number> {
  const { sql, target } = options;
  let renewed = 0;
  let lookups: Lookups | null = null;
  for (let after = 0; ;) {
    const rows = await livingRows(sql, target, resource, { which, after });
    const last = rows[rows.length - 1];
    if (!last) return renewed;
    after = last.svcId;
    lookups ??= await loadLookups(sql, target, resource.lookups ?? [], await baseCurrencyOf(sql, target));
    const objects = rows
      .map(({ rawData }) => objectOf(parsePlatformJson(rawData.text).value))
      .filter((object) => object !== null);
    const stored = new Map(rows.map((row) => [row.platformId, row]));
    const records = await choose(
      mapObjects(resource, objects, lookups).records.map(asStored(stored)),
      stored,
    );
    // This version may map a record to values that cannot be stored: it stays unchanged.
    const { ready } = readyWhere(resource.definition, records);
    if (ready.count === 0) continue;
    renewed += await sql.transaction(async (transaction) => {
      const cause = { kind: 'sync', id: options.syncId } as const;
      const counts = await storeReadyBatch(transaction, { ...target, cause, ready, isRenewal: true });
      await options.hold(transaction);
      return counts.updated;
    });
  }
}

/** The unresolved records that are now resolved, or have more codes resolved than before. */
async function withMore(
  { sql, target }: RemapOptions,
  { definition }: PullResource,
  mapped: readonly IncomingRecord[],
  stored: StoredRecords,
): Promise<IncomingRecord[]> {
  const { ready } = readyWhere(
    definition,
    mapped.filter(({ unresolved }) => unresolved),
  );
  const differing = await differingRecords(sql, target, ready, (id) => stored.get(id)?.svcId);
  return mapped.filter(({ unresolved, platformId }) => !unresolved || differing.has(platformId));
}

interface StoredRecord {
  readonly svcId: number;
  readonly platformId: string;
  readonly dataHash: string;
  readonly rawData: RawJson;
  readonly isAltered: boolean;
}

/** Keeps the platform JSON as it was stored, not serialised again. */
const asStored =
  (stored: StoredRecords) =>
  (record: IncomingRecord): IncomingRecord => {
    const row = stored.get(record.platformId);
    return row
      ? { ...record, dataHash: row.dataHash, raw: { text: row.rawData.text, altered: row.isAltered } }
      : record;
  };

async function livingRows(
  sql: TenantSql,
  target: StoreTarget,
  { definition }: PullResource,
  { which, after }: { readonly which: Which; readonly after: number },
) {
  const query = sql.query();
  return sql.rows<StoredRecord>(
    query,
    `SELECT t.svc_id AS "svcId", t.platform_id AS "platformId", t.data_hash AS "dataHash", t.raw_data AS "rawData",
       t.raw_data_altered AS "isAltered" FROM ${definition.table} t
     WHERE ${query.rowsOf(target.svcCompanyId, 'connection_id', target.connectionId)}
       AND ${which(query)} AND t.svc_deleted_at IS NULL
       AND t.svc_id > ${query.bind(after)} ORDER BY t.svc_id LIMIT ${BATCH}`,
  );
}

async function baseCurrencyOf(sql: TenantSql, target: StoreTarget): Promise<string | null> {
  const query = sql.query();
  const [row] = await sql.rows<{ code: string | null }>(
    query,
    `SELECT t.base_currency_code AS code FROM connections t
     WHERE ${query.rowsOf(target.svcCompanyId, 'svc_id', target.connectionId)}`,
  );
  return row?.code ?? null;
}
