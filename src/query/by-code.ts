import type { TenantSql } from '../db/tenant-sql.js';
import type { RecordDefinition } from '../records/define.js';
import { columnsSql, type Row } from './columns.js';

/** A code in a field of a company's records, across all of its connections. */
interface CodeKey {
  readonly svcCompanyId: number;
  readonly code: string;
}

/**
 * Living records by a code, in the order of the keys: null where the company has none, the first that was stored where
 * it has several. One statement.
 */
export async function readByCode(
  sql: TenantSql,
  definition: RecordDefinition,
  { columns, field }: { readonly columns: ReadonlySet<string>; readonly field: string },
  keys: readonly CodeKey[],
): Promise<(Row | null)[]> {
  const column = definition.fields[field]?.wire;
  if (column === undefined) throw new Error(`${definition.model} has no field ${field}`);
  const query = sql.query();
  const companies = query.bind(keys.map(({ svcCompanyId }) => svcCompanyId));
  const codes = query.bind(keys.map(({ code }) => code));
  const rows = await sql.quickRows<Row & { readonly place: number }>(
    query,
    `SELECT DISTINCT ON (k.place) k.place, ${columnsSql(definition, columns)}
     FROM unnest(${companies}::bigint[], ${codes}::text[]) WITH ORDINALITY AS k (company, code, place)
     JOIN ${definition.table} t ON t.svc_company_id = k.company AND t.${column} = k.code
     WHERE ${query.filtered('t')} AND t.svc_deleted_at IS NULL ORDER BY k.place, t.svc_id`,
  );
  const found = new Map(rows.map((row) => [row.place, row]));
  return keys.map((_, index) => found.get(index + 1) ?? null);
}
