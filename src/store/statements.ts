import type { TenantQuery } from '../db/tenant-sql.js';
import type { RecordDefinition } from '../records/define.js';
import { SQL_TYPE } from '../query/filters/kinds.js';
import { versionSql } from '../query/version.js';
import type { ChangesSql, ChangeValues, StoreTarget } from './change-log.js';
import { BATCH_COLUMNS, OLD_COLUMNS, oldSql, typedColumns } from './compare-statements.js';

/** The change to one record of a batch. Unchanged records are left out. */
export interface StoredRow {
  readonly svcId: number;
  readonly platformId: string;
  /** CREATE also for a deleted record that reappeared. */
  readonly operation: 'CREATE' | 'UPDATE' | 'DELETE';
  /** It was never stored before. */
  readonly isNew: boolean;
  /** It was stored by another writer since it was compared. */
  readonly isOvertaken: boolean;
}

const SHARED = [
  'platform_unique_id',
  'platform_version',
  'raw_data',
  'raw_data_altered',
  'data_hash',
  'mapper_version',
  'unresolved',
] as const;

/** Records to store: a JSON array, as `ReadyBatch` has it. */
interface BatchRows {
  readonly rows: string;
  readonly integrationType: string;
  readonly isRenewal: boolean;
  /** Their stored state, as `oldRowsSql` returns it; null if the storing statement reads it itself. */
  readonly old: string | null;
}

/**
 * Stores a batch. Unchanged records, and ones older than the stored ones, are left alone; with `isRenewal` also deleted
 * ones, and those that have changed since they were mapped.
 */
export function storeSql(
  query: TenantQuery,
  definition: RecordDefinition,
  change: ChangeValues,
  { rows, integrationType, isRenewal, old }: BatchRows,
): ChangesSql {
  const { company, connection, now } = change;
  const columns = Object.values(definition.own).map(({ wire }) => wire);
  const updated = columns.includes('updated_at');
  const integration = `${query.bind(integrationType)}::text`;
  const recordset = (json: string, types: string) =>
    `jsonb_to_recordset(${query.bind(json)}::jsonb) AS r (${types})`;
  const stored = [...columns, ...SHARED];
  const names = (alias: string, list: readonly string[]) => list.map((name) => `${alias}.${name}`).join(', ');
  const compared = columns.filter((name) => name !== 'updated_at');
  const isKnown = isRenewal
    ? 'o.svc_deleted_at IS NULL AND o.data_hash = i.data_hash AND'
    : 'o.svc_id IS NULL OR';
  // A retry of an unresolved record has resolved more of its codes.
  const isResolvable = isRenewal ? 'o.unresolved' : '(o.unresolved AND NOT i.unresolved)';
  // A cluster sends materialised rows to every node that might insert, and cannot plan the comparison in a subquery.
  const isOnce = old === null ? 'MATERIALIZED' : 'NOT MATERIALIZED';
  const oldRows =
    old === null
      ? `o.* FROM input i ${oldSql(query, definition, change)}`
      : `* FROM ${recordset(old, typedColumns(OLD_COLUMNS, definition))}`;

  const ctes = `
input AS ${isOnce} (
  SELECT row_number() OVER () AS place, r.* FROM ${recordset(rows, typedColumns(BATCH_COLUMNS, definition))}
), old AS ${isOnce} (
  SELECT ${oldRows}
), changed AS (
  SELECT i.* FROM input i LEFT JOIN old o USING (platform_id)
  WHERE ${isKnown}
     ((o.data_hash <> i.data_hash OR o.mapper_version <> i.mapper_version OR ${isResolvable}
       OR (o.svc_deleted_at IS NOT NULL) <> i.deleted)
      ${updated ? 'AND (o.updated_at IS NULL OR i.updated_at IS NULL OR i.updated_at >= o.updated_at)' : ''})
), stored AS (
  INSERT INTO ${definition.table} AS t (svc_organisation_id, svc_company_id, connection_id, svc_integration_type,
    svc_created_at, svc_updated_at, svc_deleted_at, platform_id, ${stored.join(', ')})
  SELECT $1, ${company}, ${connection}, ${integration}, ${now}, ${now},
    CASE WHEN i.deleted THEN ${now} END, i.platform_id, ${names('i', stored)} FROM changed i
  -- New records get their svc_ids in the order in which they came.
  ORDER BY i.place
  ON CONFLICT (svc_company_id, connection_id, platform_id) DO UPDATE SET
    ${stored.map((name) => `${name} = excluded.${name}`).join(', ')},
    svc_updated_at = excluded.svc_updated_at, revision = t.revision + 1,
    svc_deleted_at = CASE WHEN excluded.svc_deleted_at IS NULL THEN NULL
      ELSE COALESCE(t.svc_deleted_at, excluded.svc_deleted_at) END
  WHERE t.svc_organisation_id = $1
  RETURNING t.*
), compared AS MATERIALIZED (
  SELECT n.svc_id, n.platform_id, n.revision, ${versionSql(definition, 'n')} AS version, o.svc_id IS NULL AS is_new,
    n.revision <> COALESCE(o.revision, 0) + 1 AS is_overtaken,
    CASE WHEN n.svc_deleted_at IS NOT NULL AND o.svc_deleted_at IS NULL THEN 'DELETE'
         WHEN o.svc_id IS NULL OR (o.svc_deleted_at IS NOT NULL AND n.svc_deleted_at IS NULL) THEN 'CREATE'
         ELSE 'UPDATE' END AS operation,
    CASE WHEN o.svc_id IS NULL THEN NULL ELSE (
      SELECT jsonb_object_agg(key, jsonb_build_array(a.value, b.value))
      FROM jsonb_each(jsonb_build_object(${compared.map((name) => `'${name}', o.${name}`).join(', ')})) a
      JOIN jsonb_each(jsonb_build_object(${compared.map((name) => `'${name}', n.${name}`).join(', ')})) b USING (key)
      WHERE a.value IS DISTINCT FROM b.value) END AS changes
  FROM stored n LEFT JOIN old o ON o.svc_id = n.svc_id
), described AS (
  SELECT c.svc_id, c.platform_id, c.revision, c.operation, c.version, c.is_new, c.is_overtaken,
    CASE WHEN c.operation = 'UPDATE' THEN c.changes END AS changes FROM compared c
)`;
  return {
    ctes,
    from: 'described',
    columns: `d.svc_id AS "svcId", d.platform_id AS "platformId", d.operation, d.is_new AS "isNew",
      d.is_overtaken AS "isOvertaken"`,
  };
}

/** Marks records as deleted that were stored before a time, if one is given. */
export function deleteSql(
  query: TenantQuery,
  definition: RecordDefinition,
  { company, connection, now }: ChangeValues,
  which: { readonly platformIds: readonly string[]; readonly storedBefore: string | null },
): ChangesSql {
  const isOld =
    which.storedBefore === null
      ? ''
      : `AND t.svc_updated_at < ${query.bind(which.storedBefore)}::timestamptz`;
  const ctes = `
deleted AS (
  UPDATE ${definition.table} t SET svc_deleted_at = ${now}, svc_updated_at = ${now}, revision = t.revision + 1
  WHERE ${query.within('t')} AND t.svc_company_id = ${company} AND t.connection_id = ${connection}
    AND t.platform_id = ANY(${query.bind(which.platformIds)}::text[]) AND t.svc_deleted_at IS NULL ${isOld}
  RETURNING t.svc_id, 'DELETE' AS operation, NULL::jsonb AS changes, t.revision, NULL::text AS version
)`;
  return { ctes, from: 'deleted', columns: 'd.svc_id AS "svcId"' };
}

/**
 * Replaces the lines of some documents by `$rows`, keeping the svc_id of each continued line. A cluster binds
 * parameters after `ON CONFLICT` only if the insertion is part of a larger statement.
 */
export function storeLinesSql(
  query: TenantQuery,
  definition: RecordDefinition,
  target: StoreTarget,
  rows: string,
): string {
  const own = Object.values(definition.own);
  const columns = own.map(({ wire }) => wire);
  const types = [
    'svc_id bigint',
    'parent_svc_id bigint',
    'position int',
    'platform_id text',
    ...own.map(({ wire, kind }) => `${wire} ${SQL_TYPE[kind]}`),
  ];
  const company = `${query.bind(target.svcCompanyId)}::bigint`;
  const connection = `${query.bind(target.connectionId)}::bigint`;
  const stored = ['connection_id', 'parent_svc_id', 'position', 'platform_id', ...columns];
  return `
WITH input AS (
  SELECT * FROM jsonb_to_recordset(${query.bind(rows)}::jsonb) AS r (${types.join(', ')})
), stored AS (
  INSERT INTO ${definition.table} AS t (svc_organisation_id, svc_company_id, svc_id, ${stored.join(', ')})
  SELECT $1, ${company}, COALESCE(i.svc_id, nextval('svc_id_seq')), ${connection}, i.parent_svc_id, i.position,
    i.platform_id, ${columns.map((name) => `i.${name}`).join(', ')} FROM input i
  ON CONFLICT (svc_company_id, svc_id) DO UPDATE SET
    ${stored.map((name) => `${name} = excluded.${name}`).join(', ')}
  WHERE t.svc_organisation_id = $1
  RETURNING 1
)
SELECT count(*) FROM stored`;
}
