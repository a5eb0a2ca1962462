import type { TenantQuery, TenantSql } from '../db/tenant-sql.js';
import type { Limits } from '../limits.js';
import { readByCompany } from './by-company.js';
import { columnsSql, type Row } from './columns.js';
import { afterSql, selectionSql, type ListRequest, type ListSelection } from './list.js';
import { orderSql } from './pages/order.js';
import { toPage, type Page } from './pages/page.js';

/** A parent of a nested list: a company, or a record that others refer to. */
export interface Parent {
  readonly svcCompanyId: number;
  /** Null for a company's own lists. */
  readonly reference: { readonly connectionId: number; readonly platformId: string } | null;
}

/** The parents of lists that one statement reads. */
interface Parents {
  readonly parents: readonly Parent[];
  /** The table's column that names the parent; null for a company's own lists. */
  readonly parentColumn: string | null;
}

/** One page for each of some parents, in their order, by one lateral statement. */
export function readChildren(
  sql: TenantSql,
  { parents, parentColumn }: Parents,
  request: ListRequest,
  limits: Limits,
): Promise<Page<Row>[]> {
  return readByCompany(sql, parents, (some) =>
    readTogether(sql, { parents: some, parentColumn }, request, limits),
  );
}

async function readTogether(
  sql: TenantSql,
  { parents, parentColumn }: Parents,
  request: ListRequest,
  limits: Limits,
): Promise<Page<Row>[]> {
  const query = sql.query();
  const { definition, order, page } = request;
  const keys = keysSql(parents, query.bind.bind(query));
  const where =
    selectionSql(query, request, { limits }) +
    afterSql(query, request) +
    joinSql(query, parents, parentColumn);
  const skip = page.skip === 0 ? '' : ` OFFSET ${query.bind(page.skip)}::bigint`;
  const text = `SELECT k.place, r.* FROM ${keys} CROSS JOIN LATERAL (
    SELECT ${columnsSql(definition, request.columns)} FROM ${definition.table} t WHERE ${where}
    ORDER BY ${orderSql(order, page.reversed)} LIMIT ${page.size + 1}${skip}) r ORDER BY k.place`;
  const groups: Row[][] = parents.map(() => []);
  for (const row of await sql.rows<Row & { place: number }>(query, text)) groups[row.place - 1]?.push(row);
  return groups.map((rows) => toPage(rows, page));
}

/** How many rows each parent's whole list has. */
export function countChildren(
  sql: TenantSql,
  { parents, parentColumn }: Parents,
  selection: ListSelection,
  limits: Limits,
): Promise<number[]> {
  return readByCompany(sql, parents, (some) =>
    countTogether(sql, { parents: some, parentColumn }, selection, limits),
  );
}

async function countTogether(
  sql: TenantSql,
  { parents, parentColumn }: Parents,
  selection: ListSelection,
  limits: Limits,
): Promise<number[]> {
  const query = sql.query();
  const keys = keysSql(parents, query.bind.bind(query));
  const where = selectionSql(query, selection, { limits }) + joinSql(query, parents, parentColumn);
  const rows = await sql.rows<{ place: number; count: number }>(
    query,
    `SELECT k.place, r.count FROM ${keys} CROSS JOIN LATERAL (
      SELECT count(*) AS count FROM ${selection.definition.table} t WHERE ${where}) r`,
  );
  const counts = parents.map(() => 0);
  for (const { place, count } of rows) counts[place - 1] = count;
  return counts;
}

function keysSql(parents: readonly Parent[], bind: (value: unknown) => string): string {
  const companies = bind(parents.map(({ svcCompanyId }) => svcCompanyId));
  const connections = bind(parents.map(({ reference }) => reference?.connectionId ?? 0));
  const platformIds = bind(parents.map(({ reference }) => reference?.platformId ?? ''));
  return `unnest(${companies}::bigint[], ${connections}::bigint[], ${platformIds}::text[])
    WITH ORDINALITY AS k (company, connection, platform_id, place)`;
}

/**
 * The companies, in addition to the join; but not for rows of several companies that are also found by a reference.
 * PostgreSQL would count the company's selectivity twice, prefer any index with the connection, and read all of its
 * rows.
 */
function joinSql(
  query: TenantQuery,
  parents: readonly Parent[],
  parentColumn: Parents['parentColumn'],
): string {
  const ids = new Set(parents.map(({ svcCompanyId }) => svcCompanyId));
  const join = ' AND t.svc_company_id = k.company';
  const company =
    parentColumn === null || ids.size === 1 ? `${join} AND ${query.ofCompanies([...ids])}` : join;
  return parentColumn === null
    ? company
    : `${company} AND t.connection_id = k.connection AND t.${parentColumn} = k.platform_id`;
}
