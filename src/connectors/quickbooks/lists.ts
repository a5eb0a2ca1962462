import { type PlatformClient, type PlatformObject } from '../platform.js';
import { type PulledPage, type PullOptions } from '../pull.js';
import { isTooLarge } from '../client/platform-errors.js';
import { withContext } from '../values/platform-json.js';
import { objectOf } from '../values/platform-values.js';
import { instantOf } from '../values/times.js';
import { existing, ENTITY, type QuickBooksKind } from './kinds.js';
import {
  beginning,
  createPageCounter,
  numberedPage,
  type NumberedPlace,
  placeIn,
  placeText,
} from './numbered.js';
import { ask, quoted, where } from './query.js';

/** Where to go on in a list. */
type Place =
  /** By last change, from this second on, inclusive; null from the beginning. */
  | { readonly by: 'change'; readonly from: string | null }
  /** By Id, within this second, in which more objects changed than a page holds. */
  | { readonly by: 'second'; readonly second: string; readonly at: NumberedPlace }
  /** All by Id: the order of changes was not kept. */
  | { readonly by: 'Id'; readonly at: NumberedPlace };

interface ListPage {
  readonly objects: readonly PlatformObject[];
  readonly next: Place | null;
}

/** Smaller pages could not be continued. */
const LEAST = 2;

/**
 * The objects of a kind that changed since a time, or all, the oldest change first. Pages continue from a time: an object
 * that changes meanwhile moves to the end, and is read again. The last second of a full page may have more objects, so
 * the next page begins with it; more than a page of them are ordered by Id. Objects in another order may have been left
 * out: then all are read again by Id. A page that is too long or takes too long is read in smaller ones.
 */
export async function* listPages(
  kind: QuickBooksKind,
  client: PlatformClient,
  { since, cursor }: PullOptions,
): AsyncGenerator<PulledPage> {
  const start = since === null ? null : secondOf(since.getTime());
  let place = cursor === null ? beginningOf(start) : placeOf(cursor);
  let size = kind.pageSize;
  let count = createPageCounter(kind.entity);
  for (;;) {
    if (place.by !== 'change') {
      if (place.at === beginning) count = createPageCounter(kind.entity);
      count(place.at, size);
    }
    let page;
    try {
      page = await pageAt({ kind, client, start, size }, place);
    } catch (error) {
      if (size === LEAST || !isTooLarge(error)) throw error;
      size = Math.max(LEAST, Math.ceil(size / 10));
      continue;
    }
    const { objects, next } = page;
    const listed = kind.isMarked
      ? objects.map((object) => withContext(object, { [ENTITY]: kind.entity }))
      : objects;
    yield { objects: listed, cursor: next && cursorOf(next) };
    if (next === null) return;
    place = next;
  }
}

const beginningOf = (start: string | null): Place => ({ by: 'change', from: start });

/** The second, with the place within it; or `Id` with that in the whole list. */
function cursorOf(place: Place): string {
  switch (place.by) {
    case 'change':
      return place.from ?? '';
    case 'second':
      return `${place.second} ${placeText(place.at)}`;
    case 'Id':
      return `Id ${placeText(place.at)}`;
    default:
      return place satisfies never;
  }
}

function placeOf(cursor: string): Place {
  const [second = '', ...rest] = cursor.split(' ');
  const at = placeIn(rest.join(' '));
  if (at === null) return { by: 'change', from: second };
  return second === 'Id' ? { by: 'Id', at } : { by: 'second', second, at };
}

interface Listing {
  readonly kind: QuickBooksKind;
  readonly client: PlatformClient;
  /** Only what changed since then; null for everything. */
  readonly start: string | null;
  readonly size: number;
}

const STAMP = 'MetaData.LastUpdatedTime';

async function pageAt(listing: Listing, place: Place): Promise<ListPage> {
  const { kind, client, start, size } = listing;
  const since = (from: string | null) => [
    ...existing(kind),
    ...(from === null ? [] : [`${STAMP} >= ${quoted(from)}`]),
  ];
  switch (place.by) {
    case 'change': {
      const clauses = [...where(since(place.from)), `orderby ${STAMP}, Id maxresults ${size}`];
      const objects = await ask(client, kind.entity, clauses);
      // It is all that there is, in whichever order.
      if (place.from === start && objects.length < size) return { objects, next: null };
      return upToLastSecond(objects, size);
    }
    case 'second': {
      const end = secondAfter(place.second);
      const conditions = [...since(place.second), `${STAMP} < ${quoted(end)}`];
      const { objects, next } = await numberedPage(client, kind.entity, { conditions, size }, place.at);
      return { objects, next: next ? { ...place, at: next } : { by: 'change', from: end } };
    }
    case 'Id': {
      const conditions = since(start);
      const { objects, next } = await numberedPage(client, kind.entity, { conditions, size }, place.at);
      return { objects, next: next && { ...place, at: next } };
    }
    default:
      return place satisfies never;
  }
}

function upToLastSecond(objects: readonly PlatformObject[], size: number): ListPage {
  const seconds = objects.map(changedAt);
  const isOrdered = seconds.every(
    (second, index) => second !== null && second >= (seconds[index - 1] ?? second),
  );
  if (!isOrdered) return { objects: [], next: { by: 'Id', at: beginning } };
  const last = seconds.at(-1) ?? null;
  if (objects.length < size || last === null) return { objects, next: null };
  const before = objects.slice(0, seconds.indexOf(last));
  return before.length === 0
    ? { objects: [], next: { by: 'second', second: last, at: beginning } }
    : { objects: before, next: { by: 'change', from: last } };
}

/** The second of the last change, in UTC. */
function changedAt(object: PlatformObject): string | null {
  const instant = instantOf(objectOf(object['MetaData'])?.['LastUpdatedTime']);
  return instant && secondOf(Date.parse(instant));
}

/** A time in whole seconds, as queries have it. */
export const secondOf = (milliseconds: number): string =>
  `${new Date(milliseconds).toISOString().slice(0, 19)}Z`;

const secondAfter = (second: string): string => secondOf(Date.parse(second) + 1000);
