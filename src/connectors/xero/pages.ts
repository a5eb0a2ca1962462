import { type PlatformClient, type PlatformObject } from '../platform.js';
import { type PulledPage, type PullOptions, type ReadByIds } from '../pull.js';
import { absentOn404, isTooLarge } from '../client/platform-errors.js';
import { objectOf } from '../values/platform-values.js';
import { listOf } from '../values/required-values.js';
import { unexpectedAnswer } from './answer-error.js';
import { XERO_TITLE } from './client.js';
import { isGuid } from './guid.js';

/** Xero's maximum: some plans have as few as 1,000 calls a day. */
const PAGE_SIZE = 1000;
/** For long documents, whose larger pages would exceed a response; also the page size of older versions' cursors. */
export const SMALL_PAGE_SIZE = 100;

/** A list of Xero's API. */
export interface Listing {
  /** Path, and name of the array in the response: Xero uses the same word for both. */
  readonly name: string;
  /** Whether `If-Modified-Since` is supported; without it every pull is complete. */
  readonly incremental: boolean;
  readonly query?: Readonly<Record<string, string>>;
  /** The query for a single object. */
  readonly queryOfOne?: Readonly<Record<string, string>>;
}

export interface PagedListing extends Listing {
  /** The order of pages: in Xero's default order, an object that changes meanwhile moves and is missed. */
  readonly idName: string;
}

/** A listing that is sent in one response. */
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

/** A place and the size of the list when last read, 0 if unknown: `1000/3/2500`. */
interface Cursor extends Place {
  readonly count: number;
}

/** A list that keeps shrinking is read on regardless after that many returns. */
const MAX_RETURNS = 20;

/**
 * A listing in pages; the cursor is the place of the next one. If a page is too long to read or takes Xero too long, it
 * and all later ones are read as smaller pages. If objects have left the list meanwhile, later ones have moved up into
 * pages already read, and these are read again.
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
    // Otherwise a server that ignores `page` would be read forever.
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
 * One object of a listing by its id; null if there is none or it is of another kind. Only GUIDs are requested: some
 * paths also accept a number or a name.
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

/** More would make the URL too long. */
const MAX_IDS = 40;

/** Reads objects of a listing that supports several ids. Only pages contain complete objects. */
export const readByIds = (listing: PagedListing): ReadByIds => ({
  most: MAX_IDS,
  read: async (client, platformIds) => {
    const numbers = { page: '1', pageSize: String(SMALL_PAGE_SIZE) };
    const query = { ...listing.query, IDs: platformIds.join(','), ...numbers };
    const objects = objectsOf(await client.get(`/${listing.name}`, { query }), listing.name);
    return byId(listing, objects);
  },
});

/** Reads a single object of a listing without that support: more would cost one call each. */
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

/** Xero sends ids in lower case, the case in which we store them. */
const byId = ({ idName }: PagedListing, objects: readonly PlatformObject[]): Map<string, PlatformObject> =>
  new Map(objects.map((object) => [String(object[idName]), object]));

/** If Xero reports a page count, pages may be smaller than requested: a short one is then not the last. */
function isLastPage(answer: PlatformObject, { size, page }: Place, count: number): boolean {
  const pageCount = numberIn(answer, 'pageCount');
  return pageCount === null ? count < size : page >= pageCount;
}

function numberIn(answer: PlatformObject, name: 'pageCount' | 'itemCount'): number | null {
  const number = objectOf(answer['pagination'])?.[name];
  return typeof number === 'number' ? number : null;
}

export const objectsOf = (answer: PlatformObject, name: string): readonly PlatformObject[] =>
  listOf(XERO_TITLE, answer, name);

/** Xero reads the time as UTC, without fraction or zone; dropping the fraction makes it slightly earlier. */
function modifiedSince(listing: Listing, options: PullOptions): Readonly<Record<string, string>> {
  if (!listing.incremental || !options.since) return {};
  return { 'if-modified-since': options.since.toISOString().slice(0, 19) };
}

const cursorOf = ({ size, page, count }: Cursor): string =>
  count === 0 ? `${size}/${page}` : `${size}/${page}/${count}`;

/** Where a cursor resumes. A plain number is a page of an older version. */
function placeOf(cursor: string | null, largest: number): Cursor {
  const pattern =
    /^(?:(?<size>100|1000)\/(?<page>[1-9]\d{0,8})(?:\/(?<count>\d{1,9}))?|(?<old>[1-9]\d{0,8}))$/;
  const parts = pattern.exec(cursor ?? '')?.groups;
  if (!parts) return { size: largest, page: 1, count: 0 };
  const { size = SMALL_PAGE_SIZE, old, page = old, count = 0 } = parts;
  return { size: Number(size), page: Number(page), count: Number(count) };
}
