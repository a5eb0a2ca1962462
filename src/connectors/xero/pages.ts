import {
  type PlatformClient,
  type PlatformObject,
  type PulledPage,
  type PullOptions,
  type ReadByIds,
} from '../connector.js';
import { absentOn404, AnswerTooLong } from '../platform-errors.js';
import { AppError } from '../../errors.js';
import { arrayOf, objectOf } from '../platform-values.js';
import { unexpectedAnswer } from './answer-error.js';
import { isGuid } from './guid.js';

/** The largest that Xero takes: a plan has as little as 1,000 calls a day. */
const PAGE_SIZE = 1000;
/** For pages of long documents, which would be too much in one answer; and what earlier versions' cursors count. */
export const SMALL_PAGE_SIZE = 100;

/** Where a record type is read. */
export interface Listing {
  /** Path and name of the array in the answer: Xero uses one word for both. */
  readonly name: string;
  /** Whether `If-Modified-Since` is understood; without it every pull is complete. */
  readonly incremental: boolean;
  readonly query?: Readonly<Record<string, string>>;
  /** The same for one of its objects. */
  readonly queryOfOne?: Readonly<Record<string, string>>;
}

export interface PagedListing extends Listing {
  /** Pages are ordered by it: by Xero's own order an object that is changed meanwhile moves and is missed. */
  readonly idName: string;
}

/** A listing that comes in one answer. */
export async function* wholeListing(
  listing: Listing,
  client: PlatformClient,
  options: PullOptions,
): AsyncGenerator<PulledPage> {
  const request = { query: listing.query ?? {}, headers: modifiedSince(listing, options) };
  const answer = await client.get(`/${listing.name}`, request);
  yield { objects: objectsOf(answer, listing.name), cursor: null };
}

/** A page of a list, counted from 1. */
interface Place {
  readonly size: number;
  readonly page: number;
}

/** The same, and how many objects the list had when it was last read, 0 where Xero does not say: `1000/3/2500`. */
interface Cursor extends Place {
  readonly count: number;
}

/** A list that shrinks all the time is read on in the end. */
const MAX_RETURNS = 20;

/**
 * A listing in pages, whose cursor is the place of the next one. A page that is too long to be read, or that Xero takes
 * too long to make, is read in smaller ones, and so are those behind it. Where objects have left the list meanwhile, those
 * behind them have moved up into pages that were read: these are read again.
 */
export async function* pagedListing(
  listing: PagedListing,
  client: PlatformClient,
  options: PullOptions,
  largest = PAGE_SIZE,
): AsyncGenerator<PulledPage> {
  const headers = modifiedSince(listing, options);
  let firstIdBefore: unknown;
  let returns = 0;
  let { size, page, count: countBefore } = placeOf(options.cursor, largest);
  for (; ; page += 1) {
    const get = (place: Place) => {
      const numbers = { page: String(place.page), pageSize: String(place.size) };
      const query = { ...listing.query, ...numbers, order: `${listing.idName} ASC` };
      return client.get(`/${listing.name}`, { query, headers });
    };
    let answer;
    try {
      answer = await get({ size, page });
    } catch (error) {
      if (size === SMALL_PAGE_SIZE || !isTooLarge(error)) throw error;
      page = ((page - 1) * size) / SMALL_PAGE_SIZE + 1;
      size = SMALL_PAGE_SIZE;
      answer = await get({ size, page });
    }
    const objects = objectsOf(answer, listing.name);
    const count = numberIn(answer, 'itemCount') ?? countBefore;
    const gone = Math.max(0, countBefore - count);
    countBefore = count;
    if (gone > 0 && page > 1 && returns < MAX_RETURNS) {
      returns += 1;
      page = Math.max(0, page - Math.ceil(gone / size) - 1);
      firstIdBefore = undefined;
      continue;
    }
    const firstId = objects[0]?.[listing.idName];
    // A server that ignores `page` would otherwise be read for ever.
    if (firstId !== undefined && firstId === firstIdBefore) {
      throw unexpectedAnswer(`sent the same ${listing.name} as page ${page - 1} and page ${page}`);
    }
    firstIdBefore = firstId;
    const last = isLastPage(answer, { size, page }, objects.length);
    yield { objects, cursor: last ? null : cursorOf({ size, page: page + 1, count }) };
    if (last) return;
  }
}

/**
 * One object of a listing by its id; null where there is none, and where it is of another kind. Only ids are asked for:
 * Xero would answer some paths for a number or a name as well.
 */
export const readOne =
  (listing: Listing, isOfKind: (object: PlatformObject) => boolean = () => true) =>
  async (client: PlatformClient, platformId: string): Promise<PlatformObject | null> => {
    if (!isGuid(platformId)) return null;
    const query = listing.queryOfOne ?? {};
    const answer = await client.get(`/${listing.name}/${platformId}`, { query }).catch(absentOn404);
    const [object] = answer ? objectsOf(answer, listing.name) : [];
    return object && isOfKind(object) ? object : null;
  };

/** More would be too long for an address. */
const MAX_IDS = 40;

/** Objects of a listing that takes a list of ids. As pages they come whole. */
export const readByIds = (listing: PagedListing): ReadByIds => ({
  most: MAX_IDS,
  read: async (client, platformIds) => {
    const numbers = { page: '1', pageSize: String(SMALL_PAGE_SIZE) };
    const query = { ...listing.query, IDs: platformIds.join(','), ...numbers };
    const objects = objectsOf(await client.get(`/${listing.name}`, { query }), listing.name);
    return byId(listing, objects);
  },
});

/** The same of one that does not: each is a call, so that more are not worth it. */
export const readSingly = (listing: PagedListing): ReadByIds => ({
  most: 1,
  read: async (client, platformIds) => {
    const found = await Promise.all(platformIds.map((id) => readOne(listing)(client, id)));
    return byId(
      listing,
      found.filter((object) => object !== null),
    );
  },
});

/** Xero writes ids in lower case, as they are kept here. */
const byId = ({ idName }: PagedListing, objects: readonly PlatformObject[]): Map<string, PlatformObject> =>
  new Map(objects.map((object) => [String(object[idName]), object]));

/** One of several listings that make up one record type of ours. */
export interface Part {
  /** Stands in the cursor. */
  readonly name: string;
  pages(client: PlatformClient, options: PullOptions): AsyncIterable<PulledPage>;
}

/** Several listings, one after the other. The cursor is the name of the listing and its own cursor. */
export async function* inTurn(
  parts: readonly Part[],
  client: PlatformClient,
  options: PullOptions,
): AsyncGenerator<PulledPage> {
  const [name = '', cursor = ''] = options.cursor?.split(':', 2) ?? [];
  const resumed = parts.findIndex((part) => part.name === name);
  const remaining = parts.slice(Math.max(0, resumed));
  for (const [index, part] of remaining.entries()) {
    const resume = index === 0 && resumed >= 0 && cursor !== '' ? cursor : null;
    for await (const page of part.pages(client, { ...options, cursor: resume })) {
      const next = remaining[index + 1];
      const after = next ? `${next.name}:` : null;
      yield { ...page, cursor: page.cursor === null ? after : `${part.name}:${page.cursor}` };
    }
  }
}

/** Where Xero counts the pages, they may be smaller than was asked for: then a short one is not the last. */
function isLastPage(answer: PlatformObject, { size, page }: Place, count: number): boolean {
  const pageCount = numberIn(answer, 'pageCount');
  return pageCount === null ? count < size : page >= pageCount;
}

function numberIn(answer: PlatformObject, name: 'pageCount' | 'itemCount'): number | null {
  const number = objectOf(answer['pagination'])?.[name];
  return typeof number === 'number' ? number : null;
}

/**
 * An answer without its array is an error and not an empty one: after a complete pull, what was not in it
 * counts as deleted.
 */
export function objectsOf(answer: PlatformObject, name: string): readonly PlatformObject[] {
  const array = arrayOf(answer[name]);
  if (!array) throw unexpectedAnswer(`must answer a list of ${name}`);
  return array.map((element) => {
    const object = objectOf(element);
    if (!object) throw unexpectedAnswer(`sent a list of ${name} with something in it that is no object`);
    return object;
  });
}

/** Xero reads the time as UTC and wants neither fraction nor zone; without the fraction it is a little earlier. */
function modifiedSince(listing: Listing, options: PullOptions): Readonly<Record<string, string>> {
  if (!listing.incremental || !options.since) return {};
  return { 'if-modified-since': options.since.toISOString().slice(0, 19) };
}

const cursorOf = ({ size, page, count }: Cursor): string =>
  count === 0 ? `${size}/${page}` : `${size}/${page}/${count}`;

/** Where a cursor goes on. A number alone is a page of an earlier version. */
function placeOf(cursor: string | null, largest: number): Cursor {
  const pattern =
    /^(?:(?<size>100|1000)\/(?<page>[1-9]\d{0,8})(?:\/(?<count>\d{1,9}))?|(?<old>[1-9]\d{0,8}))$/;
  const parts = pattern.exec(cursor ?? '')?.groups;
  if (!parts) return { size: largest, page: 1, count: 0 };
  const { size = SMALL_PAGE_SIZE, old, page = old, count = 0 } = parts;
  return { size: Number(size), page: Number(page), count: Number(count) };
}

const isTooLarge = (error: unknown): boolean =>
  error instanceof AnswerTooLong || (error instanceof AppError && error.code === 'platform-timeout');
