import type { Context } from '../../context.js';
import type { TenantSql } from '../../db/tenant-sql.js';
import type { Need } from '../../loaders/loaders.js';
import { countChildren, type Parent, readChildren } from '../../query/children.js';
import { readChangePosition } from '../../query/changes/changes.js';
import type { Row } from '../../query/columns.js';
import { type Connection, connectionOf } from '../../query/pages/connection.js';
import { cursorsOf } from '../../query/pages/cursor.js';
import type { FilterInput } from '../../query/filters/filter.js';
import { fieldsForFilter } from '../fields/mapped-fields.js';
import { type ConnectedFilter, countRows, type ListRequest, readPage } from '../../query/list.js';
import { createOrder, type Order, type OrderInput } from '../../query/pages/order.js';
import { createPageRequest, type Page, type PageArguments } from '../../query/pages/page.js';
import { referenceKey } from '../../query/references.js';

export interface ListArguments extends PageArguments {
  readonly companyId?: number | null;
  readonly filter?: FilterInput | null;
  readonly orderBy?: readonly OrderInput[] | null;
  readonly includeDeleted?: boolean | null;
  readonly connected?: ConnectedFilter | null;
}

/** The parts of a connection that a query selects: only these are read and built. */
export interface ListNeed extends Need {
  readonly edges: boolean;
  readonly cursors: boolean;
  readonly pageInfo: boolean;
  readonly rows: boolean;
  readonly totalCount: boolean;
  readonly lastSyncedAt: boolean;
  readonly changePosition: boolean;
}

/** A Relay connection, complete: it needs no further resolver. */
export interface RecordConnection extends Connection<Row> {
  readonly totalCount: number | null;
  readonly lastSyncedAt: string | null;
  readonly changePosition: string | null;
}

/** A list of the organisation, or of one of its companies. A company outside the caller's scope has no records. */
export async function listRecords(
  context: Context,
  need: ListNeed,
  args: ListArguments,
): Promise<RecordConnection> {
  const { definition } = need;
  const list = definition.list;
  const companyId = args.companyId ?? null;
  const asked = fieldsForFilter(context, need, args.filter, companyId);
  const mapped = asked && (await asked);
  const request = { ...createListRequest(context, need, args, { list, companyId }), mapped };
  const sql = sqlOf(context, need);
  const [changePosition, page, totalCount, lastSyncedAt] = await Promise.all([
    need.changePosition ? readChangePosition(sql) : null,
    need.rows ? readPage(sql, request, context.limits) : EMPTY,
    need.totalCount ? countRows(readerOf(context, need), request, context.limits) : null,
    need.lastSyncedAt && args.companyId != null ? freshness(context, need, args.companyId) : null,
  ]);
  return { ...pageOf(need, list, request.order, page), totalCount, lastSyncedAt, changePosition };
}

/** The reader of a page; if its position is requested, it is read together with the page, after it. */
const sqlOf = (context: Context, need: ListNeed): TenantSql => {
  const sql = readerOf(context, need);
  return need.changePosition ? sql.inOneWrite() : sql;
};

/** Companies and their connections are not in the change log, so a replica's state of them is unknown. */
const readerOf = ({ sql, lists }: Context, { definition }: Need): TenantSql =>
  definition.role === 'company' ? sql : lists;

/** The parent of a nested list, and the field of the listed records that names it. */
interface NestedList {
  /** `Contact.invoices`: cursors of one nested list do not fit another. */
  readonly list: string;
  readonly parentColumn: string | null;
  /** Additional filter on its records. */
  readonly where?: FilterInput | null;
}

/** A list below a record or a company; all parents of one query part share a statement. */
export async function listChildren(
  context: Context,
  need: ListNeed,
  args: ListArguments,
  { parent, ...nested }: NestedList & { readonly parent: Parent },
): Promise<RecordConnection> {
  const name = `${nested.list} ${need.key} ${JSON.stringify(args)}`;
  const loader = context.loaders.of<RecordConnection>(name, async (keys) => {
    const parents = keys.map(parentOfKey);
    const request = {
      ...createListRequest(context, need, args, { list: nested.list, companyId: 'joined' }),
      where: nested.where ?? null,
      mapped: await fieldsForFilter(context, need, args.filter, null),
    };
    const { limits } = context;
    const sql = sqlOf(context, need);
    const { parentColumn } = nested;
    const [changePosition, pages, counts, freshnesses] = await Promise.all([
      need.changePosition ? readChangePosition(sql) : null,
      need.rows ? readChildren(sql, { parents, parentColumn }, request, limits) : [],
      need.totalCount
        ? countChildren(readerOf(context, need), { parents, parentColumn }, request, limits)
        : [],
      need.lastSyncedAt
        ? Promise.all(parents.map(({ svcCompanyId }) => freshness(context, need, svcCompanyId)))
        : [],
    ]);
    return keys.map((_, index) => ({
      ...pageOf(need, nested.list, request.order, pages[index] ?? EMPTY),
      totalCount: counts[index] ?? null,
      lastSyncedAt: freshnesses[index] ?? null,
      changePosition,
    }));
  });
  return loader.load(keyOfParent(parent));
}

const EMPTY: Page<Row> = {
  items: [],
  hasNextPage: false,
  hasPreviousPage: false,
  isBeyond: false,
  fromCursor: null,
  reversed: false,
};

function createListRequest(
  { limits }: Context,
  need: ListNeed,
  args: ListArguments,
  { list, companyId }: Pick<ListRequest, 'companyId'> & { readonly list: string },
): ListRequest {
  const { definition } = need;
  const order = createOrder(definition, args.orderBy, limits.orderFields);
  const page = createPageRequest(args, cursorsOf(list, order), { limits, nested: companyId === 'joined' });
  const cursors = need.cursors || need.pageInfo ? order.steps.map(({ name }) => name) : [];
  return {
    definition,
    companyId,
    filter: args.filter ?? null,
    includeDeleted: args.includeDeleted ?? false,
    connected: args.connected ?? null,
    columns: cursors.length > 0 ? new Set([...need.columns, ...cursors]) : need.columns,
    order,
    page,
  };
}

function pageOf(need: ListNeed, list: string, order: Order, page: Page<Row>): Connection<Row> {
  const keyOf = (row: Row) => order.steps.map(({ name }) => row[name] as string | number | null);
  return connectionOf(page, { cursors: cursorsOf(list, order), keyOf, parts: need });
}

/** The oldest `lastSyncedAt` of the company's connections of the list's category; null if one never was. */
export async function freshness(context: Context, need: ListNeed, companyId: number): Promise<string | null> {
  const { category } = need.definition;
  const connections = await context.loaders.connections().load(String(companyId));
  const times = connections.filter((one) => one.category === category).map((one) => one.lastSyncedAt);
  return times.reduce(
    (oldest, time) => (oldest === null || time === null || time < oldest ? time : oldest),
    times[0] ?? null,
  );
}

function keyOfParent({ svcCompanyId, reference }: Parent): string {
  return reference
    ? referenceKey(svcCompanyId, reference.connectionId, reference.platformId)
    : String(svcCompanyId);
}

function parentOfKey(key: string): Parent {
  const [company, connection, ...platformId] = key.split(':');
  return {
    svcCompanyId: Number(company),
    reference:
      connection === undefined
        ? null
        : { connectionId: Number(connection), platformId: platformId.join(':') },
  };
}
