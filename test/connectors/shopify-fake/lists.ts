import { type Kept } from './domain.js';

export interface Arguments {
  readonly first?: number | null;
  readonly after?: string | null;
  readonly query?: string | null;
  readonly sortKey?: string;
  readonly id?: string;
  readonly ids?: readonly string[];
}

interface Listed {
  readonly id: number;
}

/** A page of a list within an object, in its own order. */
export const connectionOf = <Object extends Listed, Shown>(
  all: readonly Object[],
  { first, after }: Arguments,
  show: (object: Object) => Shown,
) => {
  const start = after ? all.findIndex(({ id }) => id === idIn(after)) + 1 : 0;
  return pageOf(all.slice(start), first, { show, value: () => null });
};

/** A page of a list of the shop, as it is now: the cursor holds the value that it is sorted by, and the id. */
export function listOf<Object extends Kept, Shown>(
  all: readonly Object[],
  { first, after, query, sortKey }: Arguments,
  show: (object: Object) => Shown,
) {
  if (sortKey !== 'ID' && sortKey !== 'UPDATED_AT') throw new Error(`this shop does not sort by ${sortKey}`);
  const value = ({ updatedAt }: Object) => (sortKey === 'ID' ? null : updatedAt.toISOString());
  const place = (object: Object): readonly [string, number] => [value(object) ?? '', object.id];
  const found = all.filter(matching(query ?? '')).sort((one, other) => compare(place(one), place(other)));
  const from = after ? placeIn(after) : null;
  const rest = from ? found.filter((object) => compare(place(object), from) > 0) : found;
  return pageOf(rest, first, { show, value });
}

interface Showing<Object, Shown> {
  readonly show: (object: Object) => Shown;
  readonly value: (object: Object) => string | null;
}

function pageOf<Object extends Listed, Shown>(
  rest: readonly Object[],
  first: number | null | undefined,
  { show, value }: Showing<Object, Shown>,
) {
  if (!first || first < 1 || first > 250) throw new Error('you must provide one of first or last, up to 250');
  const page = rest.slice(0, first);
  const last = page.at(-1);
  const endCursor = last ? cursorOf(last.id, value(last)) : null;
  return { nodes: page.map(show), pageInfo: { hasNextPage: rest.length > first, endCursor } };
}

const cursorOf = (last_id: number, last_value: string | null): string =>
  Buffer.from(JSON.stringify({ last_id, last_value })).toString('base64');

function placeIn(cursor: string): readonly [string, number] {
  const { last_id, last_value } = JSON.parse(Buffer.from(cursor, 'base64').toString()) as {
    readonly last_id: number;
    readonly last_value: string | null;
  };
  return [last_value ?? '', last_id];
}

const idIn = (cursor: string): number => placeIn(cursor)[1];

function compare(
  [value, id]: readonly [string, number],
  [other, otherId]: readonly [string, number],
): number {
  if (value !== other) return value < other ? -1 : 1;
  return id - otherId;
}

/** Search terms, joined by AND. Products that are not active are found only by their status. */
function matching(query: string): (object: Kept) => boolean {
  const terms = query.split(' AND ').filter((term) => term !== '');
  const tests = terms.map((term) => {
    const since = /^updated_at:>='(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ)'$/.exec(term)?.[1];
    if (since !== undefined) return ({ updatedAt }: Kept) => updatedAt >= new Date(since);
    const statuses = /^status:([a-z,]+)$/.exec(term)?.[1]?.split(',');
    if (statuses) return (object: Kept) => statuses.includes(statusOf(object)?.toLowerCase() ?? '');
    throw new Error(`this shop does not understand ${term}`);
  });
  const isShown = (object: Kept): boolean =>
    query.includes('status:') || !('title' in object) || statusOf(object) === 'ACTIVE';
  return (object) => isShown(object) && tests.every((test) => test(object));
}

const statusOf = (object: Kept): string | undefined => (object as Kept & { status?: string }).status;
