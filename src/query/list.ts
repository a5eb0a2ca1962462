import type { TenantQuery, TenantSql } from '../db/tenant-sql.js';
import type { Limits } from '../limits.js';
import type { RecordDefinition } from '../records/define.js';
import { columnsSql, type Row } from './columns.js';
import { SUM_LENGTH } from './pages/cursor.js';
import type { LongText } from './pages/position.js';
import { filterSql, type FilterInput } from './filters/filter.js';
import type { MappedFilter } from './filters/mapped-filter.js';
import { betweenSql, orderSql, type Order } from './pages/order.js';
import { toPage, type Page, type PageRequest } from './pages/page.js';

/** The rows of a list, before paging. */
export interface ListSelection {
  readonly definition: RecordDefinition;
  /** One company's list; `joined` when the statement names the companies otherwise; null for all of the scope. */
  readonly companyId: number | 'joined' | null;
  readonly filter: FilterInput | null;
  /** The mapped fields that the filter may name. */
  readonly mapped?: MappedFilter | null;
  /** Conditions of the service's own: they do not count as the caller's. */
  readonly where?: FilterInput | null;
  readonly includeDeleted: boolean;
  /** Companies only: those with a connection that fits. */
  readonly connected?: ConnectedFilter | null;
}

/** One connection matches all given conditions. */
export interface ConnectedFilter {
  readonly integrationTypes?: readonly string[] | null;
  readonly categories?: readonly string[] | null;
  readonly statuses?: readonly string[] | null;
}

export interface ListRequest extends ListSelection {
  /** GraphQL names of the fields to read. */
  readonly columns: ReadonlySet<string>;
  readonly order: Order;
  readonly page: PageRequest;
}

interface SelectionUse {
  readonly limits: Limits;
  readonly use?: 'page' | 'count';
}

/** The conditions of a selection on rows `t`, scope first. */
export function selectionSql(
  query: TenantQuery,
  selection: ListSelection,
  { limits, use = 'page' }: SelectionUse,
): string {
  const { definition } = selection;
  const { companyId } = selection;
  // A count has no order whose index could tempt the planner, and an index of its own that begins with the organisation.
  const conditions =
    companyId === null || use === 'count'
      ? [query.within('t', definition.companyColumn)]
      : [query.filtered('t', definition.companyColumn)];
  if (typeof companyId === 'number') {
    conditions.push(`t.${definition.companyColumn} = ${query.bind(companyId)}`);
  }
  if (definition.role === 'record' && !selection.includeDeleted) conditions.push(`t.svc_deleted_at IS NULL`);
  const bind = (value: unknown) => query.bind(value);
  const options = { definition, limits, bind };
  if (selection.where) conditions.push(filterSql(selection.where, options));
  if (selection.connected) conditions.push(connectedSql(query, selection.connected));
  if (selection.filter)
    conditions.push(filterSql(selection.filter, { ...options, mapped: selection.mapped ?? null }));
  return conditions.join(' AND ');
}

function connectedSql(query: TenantQuery, connected: ConnectedFilter): string {
  const { integrationTypes, categories, statuses } = connected;
  const conditions = [query.filtered('c'), `c.svc_company_id = t.svc_id`];
  const among = (sql: string, values: readonly string[] | null | undefined) => {
    if (values) conditions.push(`${sql} = ANY(${query.bind(values)}::text[])`);
  };
  const status = `CASE c.sync_status WHEN 'SLEEPING' THEN 'SLEEPING' ELSE c.status END`;
  among('c.integration_type', integrationTypes);
  among('c.category', categories);
  among(status, statuses);
  const fitting = `EXISTS (SELECT 1 FROM connections c WHERE ${conditions.join(' AND ')})`;
  if (!statuses?.includes('PENDING') || integrationTypes || categories) return fitting;
  // A company is PENDING, too, while nothing is connected.
  const any = `${query.filtered('c')} AND c.svc_company_id = t.svc_id`;
  return `(${fitting} OR NOT EXISTS (SELECT 1 FROM connections c WHERE ${any}))`;
}

const LAST_CHARACTER = 0x10ffff;

/** The keyset condition of a page, with its `AND`; nothing on a first page. */
export function afterSql(
  query: TenantQuery,
  { definition, order, page }: Pick<ListRequest, 'definition' | 'order' | 'page'>,
): string {
  const bind = (value: unknown) => query.bind(value);
  // If the text has changed meanwhile, its place is known only to be among those of its old beginning: the next page begins
  // before them all, as rows may come again but none may be left out.
  const longText = (column: string, { start, sum, svcId }: LongText, ascending: boolean) => {
    const begins = `${bind(start)}::text`;
    return `COALESCE((SELECT x.${column} FROM ${definition.table} x WHERE ${query.within('x', definition.companyColumn)}
      AND x.svc_id = ${bind(svcId)}::bigint AND starts_with(x.${column}, ${begins})
      AND left(encode(sha256(convert_to(x.${column}, 'UTF8')), 'hex'), ${SUM_LENGTH}) = ${bind(sum)}::text),
      ${begins}${ascending ? '' : ` || chr(${LAST_CHARACTER})`})`;
  };
  return betweenSql(order, page, { bind, longText });
}

/** One page of a list, by one statement. A skipped page walks index keys only, then fetches its rows. */
export async function readPage(sql: TenantSql, request: ListRequest, limits: Limits): Promise<Page<Row>> {
  const query = sql.query();
  return toPage(await sql.rows<Row>(query, listSql(query, request, limits)), request.page);
}

/** The statement of `readPage`. */
function listSql(query: TenantQuery, request: ListRequest, limits: Limits): string {
  const { companyId, definition, order, page } = request;
  const where = selectionSql(query, request, { limits }) + afterSql(query, request);
  // The size is in the text: as a parameter, the planner would not know that only a few rows are needed.
  const limit = `LIMIT ${page.size + 1}`;
  const columns = columnsSql(definition, request.columns);
  if (page.skip === 0) {
    return `SELECT ${columns} FROM ${definition.table} t WHERE ${where} ORDER BY ${orderSql(order, page.reversed)} ${limit}`;
  }
  const keys = definition.role === 'company' ? ['svc_id'] : ['svc_company_id', 'svc_id'];
  // A cluster does not recognise that both belong to the same company.
  const ofCompany =
    typeof companyId === 'number' && definition.role !== 'company'
      ? `WHERE t.svc_company_id = ${query.bind(companyId)}`
      : '';
  return `SELECT ${columns} FROM (SELECT ${keys.map((key) => `t.${key}`).join(', ')} FROM ${definition.table} t
    WHERE ${where} ORDER BY ${orderSql(order, page.reversed)} ${limit} OFFSET ${query.bind(page.skip)}::bigint) k
    JOIN ${definition.table} t USING (${keys.join(', ')}) ${ofCompany} ORDER BY ${orderSql(order, page.reversed)}`;
}

/** How many rows the whole list has. */
export async function countRows(sql: TenantSql, selection: ListSelection, limits: Limits): Promise<number> {
  const query = sql.query();
  const where = selectionSql(query, selection, { limits, use: 'count' });
  const rows = await sql.rows<{ count: number }>(
    query,
    `SELECT count(*) AS count FROM ${selection.definition.table} t WHERE ${where}`,
  );
  return rows[0]?.count ?? 0;
}
