import type { TenantQuery, TenantSql } from '../../db/tenant-sql.js';
import type { Limits } from '../../limits.js';
import { connectionOf, type CountedConnection } from './connection.js';
import type { CursorForm } from './position.js';
import type { Order } from './order.js';
import { createPageRequest, type PageArguments, toPage } from './page.js';
import { pageSql } from './svc-id-list.js';

/** A list that each owner has one of: the activities of a company, the deliveries of a webhook. */
interface OwnedList<Owner, Item> {
  readonly list: { readonly order: Order; readonly cursors: CursorForm };
  /** The values that a cursor names an item by, in the steps of the order. */
  readonly keyOf: (item: Item) => readonly (string | number | null)[];
  /**
   * The rows of all owners, each with the `place` of its owner, from 1, and in the order of the list. `rest` follows the
   * conditions on `t`, the rows of one owner.
   */
  readonly select: (query: TenantQuery, rest: string) => string;
  readonly count: (owner: Owner) => Promise<number>;
}

/** The same page of each owner's list, by one statement. */
export async function readOwnedPages<Owner, Item>(
  { sql, limits }: { readonly sql: TenantSql; readonly limits: Limits },
  owners: readonly Owner[],
  args: PageArguments,
  { list, keyOf, select, count }: OwnedList<Owner, Item>,
): Promise<CountedConnection<Item>[]> {
  const page = createPageRequest(args, list.cursors, { limits, nested: true });
  const query = sql.query();
  const rows = await sql.rows<Item & { readonly place: number }>(
    query,
    select(query, pageSql(query, list, page)),
  );
  const found = owners.map((): Item[] => []);
  for (const row of rows) found[row.place - 1]?.push(row);
  return owners.map((owner, index) => {
    return {
      ...connectionOf(toPage(found[index] ?? [], page), { cursors: list.cursors, keyOf }),
      count: () => count(owner),
    };
  });
}
