import type { TenantSql } from '../db/tenant-sql.js';
import type { RecordDefinition } from '../records/define.js';
import { columnsSql, type Row } from './columns.js';

/** Names a record the way records refer to each other: by platform id within company and connection. */
export type ReferenceKey = string;

export function referenceKey(companyId: number, connectionId: number, platformId: string): ReferenceKey {
  return `${companyId}:${connectionId}:${platformId}`;
}

/** The records of some references, soft-deleted ones included, by key. One statement. */
export async function readByReference(
  sql: TenantSql,
  definition: RecordDefinition,
  columns: ReadonlySet<string>,
  keys: readonly ReferenceKey[],
): Promise<Map<ReferenceKey, Row>> {
  const places = keys.map(splitKey);
  const [head] = places;
  const ofOne = places.every(
    ({ company, connection }) => company === head?.company && connection === head.connection,
  );
  return head && ofOne
    ? readOfConnection(sql, { definition, columns }, places, head)
    : readOfMany(sql, definition, columns, places);
}

/** The usual case: the records of one connection. Its ids are known and need not be read again with every row. */
async function readOfConnection(
  sql: TenantSql,
  { definition, columns }: { readonly definition: RecordDefinition; readonly columns: ReadonlySet<string> },
  places: readonly Place[],
  { company, connection }: Place,
): Promise<Map<ReferenceKey, Row>> {
  const query = sql.query();
  const within = query.filtered('t');
  const rows = await sql.quickRows<Row & { platformId: string }>(
    query,
    `SELECT ${columnsSql(definition, new Set([...columns, 'platformId']))} FROM ${definition.table} t
       WHERE ${within} AND t.svc_company_id = ${query.bind(company)}::bigint
         AND t.connection_id = ${query.bind(connection)}::bigint
         AND t.platform_id = ANY(${query.bind(places.map(({ platformId }) => platformId))}::text[])`,
  );
  return new Map(rows.map((row) => [`${company}:${connection}:${row.platformId}`, row]));
}

async function readOfMany(
  sql: TenantSql,
  definition: RecordDefinition,
  columns: ReadonlySet<string>,
  places: readonly Place[],
): Promise<Map<ReferenceKey, Row>> {
  const query = sql.query();
  const within = query.filtered('t');
  const select = columnsSql(definition, new Set([...columns, 'svcCompanyId', 'connectionId', 'platformId']));
  const rows = await sql.quickRows<Row & { svcCompanyId: number; connectionId: number; platformId: string }>(
    query,
    `SELECT ${select} FROM unnest(${query.bind(places.map(({ company }) => company))}::bigint[],
         ${query.bind(places.map(({ connection }) => connection))}::bigint[],
         ${query.bind(places.map(({ platformId }) => platformId))}::text[]) AS k (company, connection, platform_id)
       JOIN ${definition.table} t ON t.svc_company_id = k.company AND t.connection_id = k.connection
         AND t.platform_id = k.platform_id WHERE ${within}`,
  );
  return new Map(rows.map((row) => [referenceKey(row.svcCompanyId, row.connectionId, row.platformId), row]));
}

interface Place {
  readonly company: string;
  readonly connection: string;
  readonly platformId: string;
}

function splitKey(key: ReferenceKey): Place {
  const first = key.indexOf(':');
  const second = key.indexOf(':', first + 1);
  return {
    company: key.slice(0, first),
    connection: key.slice(first + 1, second),
    platformId: key.slice(second + 1),
  };
}
