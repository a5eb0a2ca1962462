import type { PlatformClient, PlatformObject } from '../../connectors/platform.js';
import type { PullResource } from '../../connectors/pull.js';
import type { TenantSql } from '../../db/tenant-sql.js';
import type { StaleRecord, WriteProblem } from '../../errors.js';
import { fromWirePath } from '../../base/names.js';
import { versionOf, versionSql } from '../../query/version.js';
import type { RawJson } from '../../base/raw-json.js';
import type { StoreTarget } from '../../store/change-log.js';
import { lookupsFor } from '../../store/lookups.js';
import { mapObjects } from '../../store/map-objects.js';
import type { IncomingRecord } from '../../store/ready-batch.js';
import { storeRecords } from '../../store/store-records.js';

/** Options for comparing a record with its expected version. */
export interface CompareOptions {
  readonly sql: TenantSql;
  readonly platform: PlatformClient;
  readonly target: StoreTarget;
  /** How the written record type is read. */
  readonly resource: PullResource;
  readonly baseCurrency: string | null;
  readonly uploadId: string;
  /** Title of the platform, for messages. */
  readonly title: string;
}

/** A record as its platform has it now, or the stored one if the platform cannot return single records. */
interface CurrentRecord {
  readonly version: string;
  /** Null where it was not read. */
  readonly read: { readonly object: PlatformObject; readonly record: IncomingRecord } | null;
}

/** Null if there is no such record, or it cannot be read: the platform's answer to the write says more. */
export async function readCurrent(
  comparing: CompareOptions,
  platformId: string,
): Promise<CurrentRecord | null> {
  const { platform, resource, sql, target, baseCurrency } = comparing;
  if (!resource.read) {
    const stored = await findStored(comparing, platformId);
    return stored && { version: stored.version, read: null };
  }
  const object = await resource.read(platform, platformId);
  if (!object) return null;
  const lookups = await lookupsFor(sql, target, { resource, objects: [object] }, baseCurrency);
  const [record] = mapObjects(resource, [object], lookups).records;
  return record ? { version: versionOf(record), read: { object, record } } : null;
}

/** Stores a record that differs from what a write is based on, and returns the differences. */
export async function staleRecord(
  comparing: CompareOptions,
  platformId: string,
  { expected, current }: { readonly expected: string; readonly current: CurrentRecord },
): Promise<StaleRecord> {
  const { sql, target, resource } = comparing;
  const before = await findStored(comparing, platformId);
  if (current.read) {
    const records = [current.read.record];
    const cause = { kind: 'write', id: comparing.uploadId } as const;
    await storeRecords(sql, { ...target, definition: resource.definition, cause, records });
  }
  const { version } = current;
  if (!before) return { version, changedFields: null };
  const since = before.version === expected ? before.position : null;
  return { version, changedFields: await changedSince(comparing, before.svcId, { expected, since }) };
}

interface StoredVersion {
  readonly svcId: number;
  readonly version: string;
  /** Position of its last change in the log; 0 if that was removed. */
  readonly position: number;
}

async function findStored(
  { sql, target, resource: { definition } }: CompareOptions,
  platformId: string,
): Promise<StoredVersion | null> {
  const query = sql.query();
  const [row] = await sql.rows<Omit<StoredVersion, 'position'>>(
    query,
    `SELECT t.svc_id AS "svcId", ${versionSql(definition, 't')} AS version
     FROM ${definition.table} t WHERE ${query.rowsOf(target.svcCompanyId, 'connection_id', target.connectionId)}
       AND t.platform_id = ${query.bind(platformId)}`,
  );
  if (!row) return null;
  // On a cluster, the log is on another node than the record.
  const log = sql.query();
  const [last] = await sql.rows<{ position: number }>(
    log,
    `SELECT COALESCE(max(c.position), 0) AS position FROM record_changes c WHERE ${log.within('c')}
       AND c.svc_company_id = ${log.bind(target.svcCompanyId)} AND c.svc_id = ${log.bind(row.svcId)}`,
  );
  return { ...row, position: last?.position ?? 0 };
}

/** The fields that changed after a position, or else after the change that led to the expected version. */
async function changedSince(
  { sql, target }: CompareOptions,
  svcId: number,
  { expected, since }: { readonly expected: string; readonly since: number | null },
): Promise<readonly string[] | null> {
  const query = sql.query();
  const ofRecord = query.rowsOf(target.svcCompanyId, 'svc_id', svcId);
  const from =
    since === null
      ? `(SELECT max(t.position) FROM record_changes t WHERE ${ofRecord} AND t.version = ${query.bind(expected)}::text)`
      : `${query.bind(since)}::bigint`;
  const [row] = await sql.rows<{ isKnown: boolean; names: RawJson }>(
    query,
    `SELECT ${from} IS NOT NULL AS "isKnown", to_jsonb(ARRAY(
       SELECT DISTINCT k.name FROM record_changes t CROSS JOIN LATERAL jsonb_object_keys(t.changes) AS k (name)
       WHERE ${ofRecord} AND t.position > ${from} ORDER BY 1)) AS names`,
  );
  if (!row?.isKnown) return null;
  return (JSON.parse(row.names.text) as string[]).map((name) => String(fromWirePath([name])[0]));
}

/** Nothing was sent: the record differs from what its caller saw. */
export const conflictWith = (stale: StaleRecord, title: string): WriteProblem => ({
  code: 'conflict',
  words: `the record was changed at ${title} since the expected version: read it again`,
  path: [],
  platformError: null,
  stale,
});
