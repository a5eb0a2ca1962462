import { invalid } from '../../errors.js';
import type { Limits } from '../../limits.js';
import type { CursorForm, Position } from './position.js';

/** Relay's arguments and `skip`, as GraphQL gives them. */
export interface PageArguments {
  readonly first?: number | null | undefined;
  readonly after?: string | null | undefined;
  readonly last?: number | null | undefined;
  readonly before?: string | null | undefined;
  readonly skip?: number | null | undefined;
}

/** A request for one part of an ordered list. */
export interface PageRequest {
  readonly size: number;
  readonly skip: number;
  /** Read from the end towards the start (`last`, `before`). */
  readonly reversed: boolean;
  /** The cursor that the page begins beyond, in the direction of reading. */
  readonly from: Position | null;
  /** The cursor that the page ends before, if both were given. */
  readonly until: Position | null;
  /** The cursor text that `from` was decoded from. */
  readonly fromCursor?: string | null;
}

export interface Page<Item> {
  readonly items: readonly Item[];
  readonly hasNextPage: boolean;
  readonly hasPreviousPage: boolean;
  /** Beyond the last row: the page behind it is the list's last one, or first when read backwards. */
  readonly isBeyond: boolean;
  readonly reversed: boolean;
  /** The cursor that it was read from: reading continues there if the page is empty. */
  readonly fromCursor: string | null;
}

export interface PageOptions {
  readonly limits: Limits;
  /** A nested list has smaller pages by default. */
  readonly nested: boolean;
}

/** Checks the arguments of a list with such cursors. */
export function createPageRequest(
  input: PageArguments,
  cursors: CursorForm,
  { limits, nested }: PageOptions,
): PageRequest {
  const { first, after, last, before, skip } = input;
  if (first != null && last != null) throw invalid('last', 'cannot be used together with first');
  if (skip != null && (after ?? before) != null)
    throw invalid('skip', 'cannot be used together with a cursor');
  if (skip != null && !(skip >= 0 && skip <= limits.maxSkip)) {
    throw invalid('skip', `must be between 0 and ${limits.maxSkip}, got ${skip}; use cursors beyond it`);
  }
  const argument = first != null ? 'first' : 'last';
  const size = first ?? last ?? (nested ? limits.nestedPageSize : limits.pageSize);
  if (!(size >= 0 && size <= limits.maxPageSize)) {
    throw invalid(argument, `must be between 0 and ${limits.maxPageSize}, got ${size}`);
  }
  const position = (cursor: string | null | undefined, name: string) =>
    cursor == null ? null : cursors.decode(cursor, name);
  const start = position(after, 'after');
  const end = position(before, 'before');
  // Without a size, `before` alone means the page that ends at that cursor.
  const reversed = last != null || (first == null && start === null && end !== null);
  return {
    size,
    skip: skip ?? 0,
    reversed,
    from: reversed ? end : start,
    until: reversed ? start : end,
    fromCursor: (reversed ? before : after) ?? null,
  };
}

/** Makes a page from `size + 1` fetched rows: the extra one only shows that there is a next page. */
export function toPage<Item>(fetched: readonly Item[], request: PageRequest): Page<Item> {
  const more = fetched.length > request.size;
  const items = more ? fetched.slice(0, request.size) : fetched;
  // A cursor's own row counts as the page on its other side.
  const behind = Boolean(request.from?.length) || request.skip > 0;
  const ahead = more || Boolean(request.until?.length);
  const isBeyond = behind && !ahead && items.length === 0;
  const { reversed, fromCursor = null } = request;
  return reversed
    ? {
        items: [...items].reverse(),
        hasNextPage: behind,
        hasPreviousPage: ahead,
        isBeyond,
        reversed,
        fromCursor,
      }
    : { items, hasNextPage: ahead, hasPreviousPage: behind, isBeyond, reversed, fromCursor };
}
