import type { TenantQuery } from '../db/tenant-sql.js';
import { SQL_TYPE } from '../query/filters/kinds.js';
import type { RecordDefinition } from '../records/define.js';
import type { ChangeValues, StoreTarget } from './change-log.js';

/** Columns of a batch that are not fields of the definition. */
export const BATCH_COLUMNS = {
  platform_id: 'text',
  platform_unique_id: 'text',
  platform_version: 'text',
  deleted: 'boolean',
  raw_data: 'jsonb',
  raw_data_altered: 'boolean',
  data_hash: 'text',
  mapper_version: 'int',
  unresolved: 'boolean',
} as const;

/** Columns compared with an incoming record, besides the record type's own. */
export const OLD_COLUMNS = {
  svc_id: 'bigint',
  platform_id: 'text',
  data_hash: 'text',
  mapper_version: 'int',
  unresolved: 'boolean',
  svc_deleted_at: 'timestamptz',
  revision: 'int',
} as const;

/** Columns with their types: those given, and the record type's own. */
export const typedColumns = (extra: Readonly<Record<string, string>>, definition: RecordDefinition): string =>
  [
    ...Object.entries(extra).map(([name, type]) => `${name} ${type}`),
    ...Object.values(definition.own).map(({ wire, kind }) => `${wire} ${SQL_TYPE[kind]}`),
  ].join(', ');

/** The stored rows of the platform ids in a table `i`. */
export const oldSql = (
  query: TenantQuery,
  { table }: RecordDefinition,
  { company, connection }: Pick<ChangeValues, 'company' | 'connection'>,
): string => `
  -- One probe of the unique index a row, whatever the planner knows of a table that has just grown.
  CROSS JOIN LATERAL (
    SELECT t.* FROM ${table} t
    WHERE ${query.within('t')} AND t.svc_company_id = ${company} AND t.connection_id = ${connection}
      AND t.platform_id = i.platform_id LIMIT 1) o`;

const placeOf = (query: TenantQuery, { svcCompanyId, connectionId }: StoreTarget) => ({
  company: `${query.bind(svcCompanyId)}::bigint`,
  connection: `${query.bind(connectionId)}::bigint`,
});

/**
 * The stored state of some records, as one JSON array: for a cluster, where a statement that compares and inserts would
 * go to every node.
 */
export function oldRowsSql(
  query: TenantQuery,
  definition: RecordDefinition,
  target: StoreTarget,
  platformIds: readonly string[],
): string {
  const columns = [...Object.keys(OLD_COLUMNS), ...Object.values(definition.own).map(({ wire }) => wire)];
  return `
SELECT COALESCE(jsonb_agg(to_jsonb(r)), '[]')::text AS old FROM (
  SELECT ${columns.map((name) => `o.${name}`).join(', ')}
  FROM unnest(${query.bind(platformIds)}::text[]) AS i (platform_id) ${oldSql(query, definition, placeOf(query, target))}
) r`;
}

/** Values that determine whether a record is unchanged. */
interface Comparable {
  readonly platformId: string;
  readonly dataHash: string;
  readonly mapperVersion: number;
  readonly unresolved?: boolean;
  readonly deleted?: boolean;
}

/** The platform ids of the records that `storeSql` would leave alone, as far as the stored state can tell. */
export function unchangedSql(
  query: TenantQuery,
  definition: RecordDefinition,
  target: StoreTarget,
  records: readonly Comparable[],
): string {
  const list = (type: string, of: (record: Comparable) => unknown) =>
    `${query.bind(records.map(of))}::${type}[]`;
  const lists = [
    list('text', ({ platformId }) => platformId),
    list('text', ({ dataHash }) => dataHash),
    list('int', ({ mapperVersion }) => mapperVersion),
    list('boolean', ({ unresolved }) => unresolved ?? false),
    list('boolean', ({ deleted }) => deleted ?? false),
  ];
  return `
SELECT i.platform_id AS "platformId"
FROM unnest(${lists.join(', ')}) AS i (platform_id, data_hash, mapper_version, unresolved, deleted)
${oldSql(query, definition, placeOf(query, target))}
WHERE o.data_hash = i.data_hash AND o.mapper_version = i.mapper_version AND (i.unresolved OR NOT o.unresolved)
  AND (o.svc_deleted_at IS NOT NULL) = i.deleted`;
}

/** The platform ids of the rows of a batch whose own values differ from the stored ones. */
export function differingSql(
  query: TenantQuery,
  definition: RecordDefinition,
  target: StoreTarget,
  rows: string,
): string {
  const columns = Object.values(definition.own).map(({ wire }) => wire);
  const values = (alias: string) => `ROW(${columns.map((name) => `${alias}.${name}`).join(', ')})`;
  return `
SELECT i.platform_id AS "platformId"
FROM jsonb_to_recordset(${query.bind(rows)}::jsonb) AS i (${typedColumns(BATCH_COLUMNS, definition)})
${oldSql(query, definition, placeOf(query, target))}
WHERE ${values('i')} IS DISTINCT FROM ${values('o')}`;
}
