import type { CursorForm } from './position.js';
import type { Page } from './page.js';

/** A Relay connection without its counts. */
export interface Connection<Node> {
  readonly nodes: readonly Node[];
  readonly edges: readonly { readonly node: Node; readonly cursor: string }[];
  /** Null where it is not wanted. */
  readonly pageInfo: {
    readonly hasNextPage: boolean;
    readonly hasPreviousPage: boolean;
    readonly startCursor: string | null;
    readonly endCursor: string | null;
  } | null;
}

/** Which parts of a connection are selected: a long page need not build the others. */
interface Parts {
  readonly edges: boolean;
  readonly cursors: boolean;
  readonly pageInfo: boolean;
}

const EVERY_PART: Parts = { edges: true, cursors: true, pageInfo: true };

interface ConnectionOptions<Item> {
  readonly cursors: CursorForm;
  /** The values that a cursor names an item by. */
  readonly keyOf: (item: Item) => readonly (string | number | null)[];
  readonly parts?: Parts;
}

/** The connection of a page. */
export function connectionOf<Item>(
  page: Page<Item>,
  { cursors, keyOf, parts = EVERY_PART }: ConnectionOptions<Item>,
): Connection<Item> {
  const { items, hasNextPage, hasPreviousPage } = page;
  const cursorOf = (item: Item) => cursors.encode(keyOf(item));
  const [first] = items;
  const last = items[items.length - 1];
  // The previous page ends at the adjacent row; the next one gets rows added later.
  const back = page.isBeyond ? cursors.encodeEnd(page.reversed) : null;
  const on = page.isBeyond ? page.fromCursor : null;
  const [start, end] = page.reversed ? [on, back] : [back, on];
  return {
    nodes: items,
    edges: parts.edges ? items.map((node) => ({ node, cursor: parts.cursors ? cursorOf(node) : '' })) : [],
    pageInfo: parts.pageInfo
      ? {
          hasNextPage,
          hasPreviousPage,
          startCursor: first === undefined ? start : cursorOf(first),
          endCursor: last === undefined ? end : cursorOf(last),
        }
      : null,
  };
}

/** A connection of objects other than records; they are counted if the count is selected. */
export interface CountedConnection<Node> extends Connection<Node> {
  readonly count: () => number | Promise<number>;
}
