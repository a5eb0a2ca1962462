import { type PlatformClient, type PlatformObject } from '../platform.js';
import { type PulledPage } from '../pull.js';
import { withContext } from '../values/platform-json.js';
import { arrayOf, objectOf, textOf } from '../values/platform-values.js';
import { requiredText } from '../values/required-values.js';
import { OPEN_TO_KEYS } from './answers.js';
import { isDefaultChannel } from './channel.js';
import { VENDURE_TITLE } from './client.js';
import { ask, unexpected } from './query.js';
import { MONEY, NO_SETTINGS, type ShopSettings, TRACKING } from './settings.js';

/** The Admin API's default maximum. */
const TAKE = 100;

/**
 * Objects that the next page repeats, because some may have changed or left meanwhile, even between the two queries that
 * Vendure reads a page with: the page is then shorter, or ends with an object that has moved there from its beginning.
 */
const REPEATED = 10;

/** How far to go back if more have left: less than a page, so as not to jump over the last one. */
const BACK = TAKE / 2;

/** A place among the objects that changed at one instant, ordered by id. */
interface Within {
  readonly instant: string;
  readonly skip: number;
  /** The objects of the last page, by `keyOf`: the next page has some of them, or what is between is missing. */
  readonly last: readonly string[];
}

/** Where to resume a list. */
interface Place {
  /** After this instant, ordered by time of change. */
  readonly after: string | null;
  /** Before that, the remaining objects that changed at one instant. */
  readonly within: Within | null;
  /** Objects that will be listed again, by `keyOf`, in addition to those of the last page within an instant. */
  readonly seen: readonly string[];
}

/** A list of the Admin API and the fields to read, in addition to `id` and `updatedAt`. */
interface List {
  readonly name: string;
  readonly options: string;
  readonly filter: PlatformObject;
  readonly fields: string;
  readonly settings: ShopSettings;
}

/** Placed orders and drafts, without active carts. */
export const ordersWith = (fields: string): List => ({
  name: 'orders',
  options: 'OrderListOptions',
  filter: { active: { eq: false } },
  fields,
  settings: MONEY,
});

export const customersWith = (fields: string): List => ({
  name: 'customers',
  options: 'CustomerListOptions',
  filter: {},
  fields,
  settings: NO_SETTINGS,
});

export const productsWith = (fields: string): List => ({
  name: 'products',
  options: 'ProductListOptions',
  filter: {},
  fields,
  settings: NO_SETTINGS,
});

export const variantsWith = (fields: string): List => ({
  name: 'productVariants',
  options: 'ProductVariantListOptions',
  filter: {},
  fields,
  settings: TRACKING,
});

const query = ({ name, options, fields, settings }: List): string => `query ($options: ${options}!) {
  ${OPEN_TO_KEYS} { ${settings.fields} }
  activeChannel { code }
  ${name}(options: $options) { items { id updatedAt ${fields} } }
}`;

/** A page of a list, and whether it is from the default channel, which has the orders of all channels. */
interface ListPage extends PulledPage {
  readonly isDefault: boolean;
}

/**
 * A list by last change, oldest first. Each page starts at one of the last instants of the one before, so that an object
 * that changes meanwhile and moves to the end hides no other.
 */
async function* listPages(
  list: List,
  client: PlatformClient,
  cursor: string | null,
): AsyncGenerator<ListPage> {
  let place: Place = cursor === null ? { after: null, within: null, seen: [] } : placeOf(cursor);
  for (;;) {
    const { listed, isDefault } = await readPage(list, client, place);
    const seen = new Set([...place.seen, ...(place.within?.last ?? [])]);
    const next = placeAfter(listed, place);
    yield {
      objects: listed.filter((object) => !seen.has(keyOf(object))),
      cursor: next && JSON.stringify(next),
      isDefault,
    };
    if (next === null) return;
    place = next;
  }
}

async function readPage(
  list: List,
  client: PlatformClient,
  { after, within }: Place,
): Promise<{ readonly listed: readonly PlatformObject[]; readonly isDefault: boolean }> {
  // Only one sort field: with several, Vendure sorts by `id` first, whatever their order.
  const options = within
    ? {
        sort: { id: 'ASC' },
        skip: within.skip,
        filter: { ...list.filter, updatedAt: momentOf(within.instant, after) },
      }
    : { sort: { updatedAt: 'ASC' }, filter: { ...list.filter, ...(after && { updatedAt: { after } }) } };
  const data = await ask(client, query(list), { options: { take: TAKE, ...options } });
  const context = list.settings.contextOf(objectOf(data[OPEN_TO_KEYS]) ?? {});
  const items = arrayOf(objectOf(data[list.name])?.['items']);
  if (!items) throw unexpected(`must answer with a list of ${list.name}`);
  const listed = items.map((item) => {
    const object = objectOf(item);
    if (!object) throw unexpected(`sent a list of ${list.name} with an element that is not an object`);
    return withContext(object, context);
  });
  return { listed, isDefault: isDefaultChannel(objectOf(data['activeChannel']) ?? {}) };
}

/**
 * Databases may store microseconds, which responses lack, and SQLite compares text, which puts a whole second before
 * its first millisecond. What is not after `after` was read.
 */
function momentOf(instant: string, after: string | null) {
  const before = later(instant, -1);
  return { between: { start: after !== null && after > before ? after : before, end: later(instant, 1) } };
}

function placeAfter(listed: readonly PlatformObject[], { after, within, seen }: Place): Place | null {
  if (within) {
    const { instant, skip, last } = within;
    const keys = listed.map(keyOf);
    // More have left than are repeated. A count may not show it: others may have come to this instant meanwhile.
    if (skip > 0 && !keys.some((key) => last.includes(key))) {
      return { after, within: { ...within, skip: Math.max(0, skip - BACK) }, seen };
    }
    const repeated = last.slice(-REPEATED);
    if (keys.every((key) => repeated.includes(key))) {
      const end = later(instant, 1);
      return { after: end, within: null, seen: since(end, seen) };
    }
    const next = { instant, skip: skip + Math.max(0, keys.length - REPEATED), last: keys };
    return { after, within: next, seen };
  }
  const instants = listed.map(instantOf);
  const [first, marked] = [instants.at(0), instants.at(-1 - REPEATED)];
  if (marked === undefined || listed.length <= TAKE - REPEATED) return null;
  // Out of order, the marked one would not show what has been read, and the next page might be the same one again.
  if (instants.some((instant, index) => instant < (instants[index - 1] ?? instant))) {
    throw unexpected('must list objects in the order of their changes');
  }
  const next = later(marked, -1);
  const repeated = since(next, listed.map(keyOf));
  // With microseconds, a page may have all of its objects in the millisecond of `after` and the next one.
  return first === marked || (after !== null && next <= after)
    ? { after, within: { instant: marked, skip: 0, last: [] }, seen: [...since(next, seen), ...repeated] }
    : { after: next, within: null, seen: repeated };
}

const keyOf = (object: PlatformObject): string => `${requiredId(object)} ${instantOf(object)}`;

/** The keys of objects that did not change before this instant. */
const since = (instant: string, keys: readonly string[]): readonly string[] =>
  keys.filter((key) => key.slice(key.lastIndexOf(' ') + 1) >= instant);

function instantOf(object: PlatformObject): string {
  const instant = Date.parse(textOf(object['updatedAt']) ?? '');
  if (Number.isNaN(instant)) throw unexpected('sent an object without updatedAt');
  return new Date(instant).toISOString();
}

const later = (instant: string, milliseconds: number): string =>
  new Date(Date.parse(instant) + milliseconds).toISOString();

/** Where a cursor resumes. Those of older versions have some objects of the last page, at the end of `seen`. */
function placeOf(cursor: string): Place {
  const { within, ...place } = JSON.parse(cursor) as Place;
  return { ...place, within: within && { ...within, last: within.last ?? place.seen.slice(-REPEATED) } };
}

/** Pages of a list, each object split into several by `split`. */
export async function* pagesOf(
  list: List,
  client: PlatformClient,
  cursor: string | null,
  split: (object: PlatformObject, isDefault: boolean) => readonly PlatformObject[] = (object) => [object],
): AsyncGenerator<PulledPage> {
  for await (const page of listPages(list, client, cursor)) {
    yield { objects: page.objects.flatMap((object) => split(object, page.isDefault)), cursor: page.cursor };
  }
}

/** The id, which a record must have. */
export const requiredId = (object: PlatformObject): string => requiredText(VENDURE_TITLE, object, 'id');
