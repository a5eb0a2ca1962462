import { type PlatformClient, type PlatformObject } from '../platform.js';
import { type PulledPage, type PullOptions } from '../pull.js';
import { objectOf } from '../values/platform-values.js';
import { listOf, requiredText, unexpectedAnswer } from '../values/required-values.js';
import { changedAt } from './times.js';
import { ZOHO_TITLE } from './client.js';

/** A list of Zoho's API. */
export interface ZohoList {
  /** Below the API, such as `settings/taxes`. */
  readonly path: string;
  /** The name of the array in an answer, if it is not the end of the path. */
  readonly name?: string;
  readonly idName: string;
  /** A column by which objects keep their places, as far as the list can be sorted by such a one. */
  readonly sort?: string;
  readonly query?: Readonly<Record<string, string>>;
  /**
   * How changes since a time are found: by a filter of the list; from its newest change on, as far as it can be sorted
   * by that; or by the stamps of all its objects.
   */
  readonly changes?: 'filter' | 'newest first' | 'stamps';
}

/** Zoho's maximum. */
export const LARGEST = 200;
/** Objects of a page that the next page, or a look back at it, is recognised by. */
const KNOWN = 10;

/** Where to go on. */
type Place = {
  /** Of a list that is read twice if need be: whether it is to be, or is already. */
  readonly pass?: 'moved' | 'again' | undefined;
} & (
  | { readonly kind: 'page'; readonly page: number; readonly known: readonly string[] }
  /** Back at a page that was read: `known` were its last objects. Then on at `next`, whose page before ends with `after`. */
  | {
      readonly kind: 'back';
      readonly page: number;
      readonly known: readonly string[];
      readonly next: number | null;
      readonly after: readonly string[];
    }
);

/** How a list is read. */
export interface Reading {
  /** Objects in a page. */
  readonly size?: number;
  /** Where objects change their places while it is read, it is read once more: one that is not found counts as deleted. */
  readonly isToTheLast?: true;
}

interface Listing extends Reading {
  readonly list: ZohoList;
  readonly client: PlatformClient;
  readonly since: Date | null;
}

interface ListPage {
  readonly objects: readonly PlatformObject[];
  readonly next: Place | null;
}

/**
 * The objects of a list that changed since a time, or all, a page a call. Zoho's pages are numbered: if objects before
 * have left the list, those behind move up, and the next page misses some. So after each page a look back at the one
 * before finds what moved up into it; with an object of it again on the next page, nothing has. But something moved in
 * before it, which may be an object of a later page with a new name.
 */
export async function* listPages(
  list: ZohoList,
  client: PlatformClient,
  { since, cursor }: PullOptions,
  reading: Reading = {},
): AsyncGenerator<PulledPage> {
  const listing: Listing = { ...reading, list, client, since };
  for (let place = placeIn(cursor); ;) {
    const { objects, next }: ListPage =
      place.kind === 'page' ? await pageAt(listing, place) : await backAt(listing, place);
    const changed = since === null ? objects : objects.filter((object) => isChanged(object, since));
    yield { objects: changed, cursor: next && cursorOf(next) };
    if (next === null) return;
    place = next;
  }
}

/** The page after one that ends with `known`; at the end of a list in which objects have moved its first page, once. */
function pageAfter(pass: Place['pass'], page: number | null, known: readonly string[]): Place | null {
  if (page !== null) return { kind: 'page', page, known, pass };
  return pass === 'moved' ? { kind: 'page', page: 1, known: [], pass: 'again' } : null;
}

async function pageAt(
  listing: Listing,
  { page, known, pass }: Extract<Place, { kind: 'page' }>,
): Promise<ListPage> {
  const { list, since, isToTheLast } = listing;
  const { objects, hasMore } = await read(listing, page);
  const ids = objects.map((object) => idOf(list, object));
  const after = ids.slice(-KNOWN);
  if (page > 1 && after.length > 0 && after.join() === known.join()) {
    throw unexpectedAnswer(ZOHO_TITLE, `sent the same ${list.path} as page ${page - 1} and page ${page}`);
  }
  const isOver =
    !hasMore ||
    (list.changes === 'newest first' &&
      since !== null &&
      objects.some((object) => !isChanged(object, since)));
  const next = isOver ? null : page + 1;
  if (page === 1) return { objects, next: pageAfter(pass, next, after) };
  const isOverlapping = ids.some((id) => known.includes(id));
  if (!isOverlapping) return { objects, next: { kind: 'back', page: page - 1, known, next, after, pass } };
  return { objects, next: pageAfter(isToTheLast ? (pass ?? 'moved') : pass, next, after) };
}

/** What has moved up into a page since it was read. If none of what was known is left there, it is further up, too. */
async function backAt(listing: Listing, place: Extract<Place, { kind: 'back' }>): Promise<ListPage> {
  const { page, known, next, after, pass } = place;
  const { objects } = await read(listing, page);
  const last = objects.findLastIndex((object) => known.includes(idOf(listing.list, object)));
  const isFurther = last === -1 && page > 1;
  return {
    objects: objects.slice(last + 1),
    next: isFurther ? { ...place, page: page - 1 } : pageAfter(pass, next, after),
  };
}

interface ReadPage {
  readonly objects: readonly PlatformObject[];
  readonly hasMore: boolean;
}

async function read({ list, client, since, size = LARGEST }: Listing, page: number): Promise<ReadPage> {
  const query = {
    ...list.query,
    ...orderOf(list, since),
    ...(list.changes === 'filter' && since !== null ? { last_modified_time: stampOf(since) } : {}),
    page: String(page),
    per_page: String(size),
  };
  const answer = await client.get(`/${list.path}`, { query });
  const objects = listOf(ZOHO_TITLE, answer, list.name ?? list.path.split('/').at(-1) ?? '');
  const hasMore = objectOf(answer['page_context'])?.['has_more_page'] ?? objects.length >= size;
  if (typeof hasMore !== 'boolean') {
    throw unexpectedAnswer(ZOHO_TITLE, `must say whether ${list.path} has more pages`);
  }
  return { objects, hasMore };
}

function orderOf({ changes, sort }: ZohoList, since: Date | null): Readonly<Record<string, string>> {
  if (changes === 'newest first' && since !== null) {
    return { sort_column: 'last_modified_time', sort_order: 'D' };
  }
  return sort === undefined ? {} : { sort_column: sort, sort_order: 'A' };
}

/** The id, which an object must have. */
export const idOf = ({ idName }: Pick<ZohoList, 'idName'>, object: PlatformObject): string =>
  requiredText(ZOHO_TITLE, object, idName);

const SECOND_MS = 1000;
/** Stamps are in whole seconds. */
const secondOf = (time: Date): number => Math.floor(time.getTime() / SECOND_MS) * SECOND_MS;

/** Whether an object has changed since a time, or does not say. */
function isChanged(object: PlatformObject, since: Date): boolean {
  const instant = changedAt(object);
  return instant === null || Date.parse(instant) >= secondOf(since);
}

/** A time as filters have it, a second earlier: whether they include it is not documented everywhere. */
const stampOf = (since: Date): string =>
  `${new Date(secondOf(since) - SECOND_MS).toISOString().slice(0, 19)}+0000`;

/** `3 12,15` for a page, and `back 2 12,15 4 20,21` for a look back; with the pass before it, if there is one. */
function cursorOf(place: Place): string {
  const known = place.known.join(',');
  const pass = place.pass === undefined ? '' : `${place.pass} `;
  if (place.kind === 'page') return `${pass}${place.page} ${known}`;
  return `${pass}back ${place.page} ${known} ${place.next ?? 'end'} ${place.after.join(',')}`;
}

const PASS = /^(moved|again) (.*)$/;
const PAGE = /^([1-9]\d{0,8}) (\S*)$/;
const BACK = /^back ([1-9]\d{0,8}) (\S*) ([1-9]\d{0,8}|end) (\S*)$/;

function placeIn(cursor: string | null): Place {
  const [, given, own = cursor ?? ''] = PASS.exec(cursor ?? '') ?? [];
  const pass = given === 'moved' || given === 'again' ? given : undefined;
  const [, page, known = ''] = PAGE.exec(own) ?? [];
  if (page !== undefined) return { kind: 'page', page: Number(page), known: idsIn(known), pass };
  const [, back, before = '', next = 'end', after = ''] = BACK.exec(own) ?? [];
  if (back === undefined) return { kind: 'page', page: 1, known: [] };
  return {
    pass,
    kind: 'back',
    page: Number(back),
    known: idsIn(before),
    next: next === 'end' ? null : Number(next),
    after: idsIn(after),
  };
}

const idsIn = (text: string): readonly string[] => text.split(',').filter((id) => id !== '');
