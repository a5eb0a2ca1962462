import type { TenantQuery, TenantSql } from '../../db/tenant-sql.js';
import { AppError } from '../../errors.js';
import type { Limits } from '../../limits.js';
import { connectionOf, type CountedConnection } from './connection.js';
import { cursorsOf } from './cursor.js';
import type { CursorForm } from './position.js';
import { betweenSql, type Direction, type Order, orderOf, orderSql } from './order.js';
import { createPageRequest, type PageArguments, type PageRequest, toPage } from './page.js';

/** A list of objects other than records, always in the order of their svc_ids. */
interface SvcIdList {
  readonly table: string;
  readonly order: Order;
  readonly cursors: CursorForm;
}

const inOrder = (direction: Direction): Order =>
  orderOf([{ name: 'svcId', column: 'svc_id', sqlType: 'bigint', direction, nullable: false }]);

export function svcIdList(table: string, direction: Direction): SvcIdList {
  const order = inOrder(direction);
  return { table, order, cursors: cursorsOf(table, order) };
}

/** A list of runs, latest first, with cursors in the form that clients of REST know (Reference G10). */
export const runList = (table: string): SvcIdList => ({ table, order: inOrder('DESC'), cursors: runCursors });

const LATEST = 999_999_999_999_999;
const runCursor = (svcId: number): string => Buffer.from(`{"id": ${svcId}}`).toString('base64');

const runCursors: CursorForm = {
  encode: ([svcId]) => runCursor(Number(svcId)),
  encodeEnd: (reversed) => runCursor(reversed ? LATEST : 0),
  decode: (cursor, argument) => {
    const id = /^\{"id": ?(\d{1,15})\}$/.exec(Buffer.from(cursor, 'base64').toString('utf8'))?.[1];
    if (id !== undefined) return [Number(id)];
    throw new AppError('invalid-cursor', 'is not a valid cursor of this list', argument);
  },
};

/** Arguments for one part of a list, in the scope or in one company. */
export interface SvcIdListArguments extends PageArguments {
  readonly companyId?: number | null | undefined;
}

interface ListOptions {
  readonly limits: Limits;
  /** Additional conditions on a row under `t`. */
  readonly where?: (query: TenantQuery) => string;
}

interface ReadableList<Item> extends SvcIdList {
  /** Takes the conditions on `t` with all that follows them. */
  readonly read: (sql: TenantSql, query: TenantQuery, rest: string) => Promise<Item[]>;
}

/** A page of a list. */
export async function listBySvcId<Item extends { readonly svcId: number }>(
  sql: TenantSql,
  list: ReadableList<Item>,
  args: SvcIdListArguments,
  { limits, where }: ListOptions,
): Promise<CountedConnection<Item>> {
  const page = createPageRequest(args, list.cursors, { limits, nested: false });
  const conditions = (query: TenantQuery) =>
    [
      query.within('t'),
      ...(args.companyId == null ? [] : [`t.svc_company_id = ${query.bind(args.companyId)}`]),
      ...(where ? [where(query)] : []),
    ].join(' AND ');
  const query = sql.query();
  const found = await list.read(sql, query, `${conditions(query)}${pageSql(query, list, page)}`);
  return {
    ...connectionOf(toPage(found, page), { cursors: list.cursors, keyOf: keyOfSvcId }),
    count: async () => {
      const counting = sql.query();
      const [row] = await sql.rows<{ count: number }>(
        counting,
        `SELECT count(*) AS count FROM ${list.table} t WHERE ${conditions(counting)}`,
      );
      return row?.count ?? 0;
    },
  };
}

export const keyOfSvcId = ({ svcId }: { readonly svcId: number }): readonly number[] => [svcId];

/** The SQL after the conditions of a list under `t`: the page's position, order and size. */
export function pageSql(query: TenantQuery, { order }: Pick<SvcIdList, 'order'>, page: PageRequest): string {
  const bind = (value: unknown) => query.bind(value);
  const between = betweenSql(order, page, { bind, longText: (_column, { start }) => bind(start) });
  return `${between} ORDER BY ${orderSql(order, page.reversed)}
    LIMIT ${bind(page.size + 1)}::bigint OFFSET ${bind(page.skip)}::bigint`;
}
