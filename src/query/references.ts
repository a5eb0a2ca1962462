import type { TenantSql } from '../db/tenant-sql.js';
import type { RecordDefinition } from '../records/define.js';
import { columnsSql, type Row } from './columns.js';

/** Names a record the way records refer to each other: by platform id within company and connection. */
export type ReferenceKey = string;

export function referenceKey(companyId: number, connectionId: number, platformId: string): ReferenceKey {
  return `${companyId}:${connectionId}:${platformId}`;
}

/** Columns that put fetched rows back in the order of their keys. */
const KEY_COLUMNS = ['svcCompanyId', 'connectionId', 'platformId'];

/** The records of some references, soft-deleted ones included (design 3.6), by key. One statement. */
export async function readByReference(
  sql: TenantSql,
  definition: RecordDefinition,
  columns: ReadonlySet<string>,
  keys: readonly ReferenceKey[],
): Promise<Map<ReferenceKey, Row>> {
  const parts = keys.map(splitKey);
  const select = columnsSql(definition, new Set([...columns, ...KEY_COLUMNS]), 't');
  const query = sql.query();
  const within = query.filtered('t');
  const [head] = parts;
  const oneAccount = parts.every(
    ({ company, connection }) => company === head?.company && connection === head.connection,
  );
  const text = oneAccount
    ? `SELECT ${select} FROM ${definition.table} t WHERE ${within}
         AND t.svc_company_id = ${query.bind(head?.company)}::bigint
         AND t.connection_id = ${query.bind(head?.connection)}::bigint
         AND t.platform_id = ANY(${query.bind(parts.map(({ platformId }) => platformId))}::text[])`
    : `SELECT ${select} FROM unnest(${query.bind(parts.map(({ company }) => company))}::bigint[],
         ${query.bind(parts.map(({ connection }) => connection))}::bigint[],
         ${query.bind(parts.map(({ platformId }) => platformId))}::text[]) AS k (company, connection, platform_id)
         JOIN ${definition.table} t ON t.svc_company_id = k.company AND t.connection_id = k.connection
         AND t.platform_id = k.platform_id WHERE ${within}`;
  const found = new Map<ReferenceKey, Row>();
  for (const row of await sql.rows<Row & { svcCompanyId: number; connectionId: number; platformId: string }>(
    query,
    text,
  )) {
    found.set(referenceKey(row.svcCompanyId, row.connectionId, row.platformId), row);
  }
  return found;
}

function splitKey(key: ReferenceKey): { company: string; connection: string; platformId: string } {
  const first = key.indexOf(':');
  const second = key.indexOf(':', first + 1);
  return {
    company: key.slice(0, first),
    connection: key.slice(first + 1, second),
    platformId: key.slice(second + 1),
  };
}
