import {
  type IdPage,
  type PlatformClient,
  type PlatformObject,
  type PulledPage,
  type PullOptions,
} from '../connector.js';
import { withContext } from '../platform-json.js';
import { arrayOf, objectOf, textOf } from '../platform-values.js';
import { OPEN_TO_KEYS } from './answers.js';
import { ask, unexpected } from './query.js';

/** As large as the Admin API gives unless the shop says otherwise. */
const TAKE = 100;
/** Databases of shops keep whole seconds, or milliseconds: what changed in the second of `since` is asked for again. */
const BLUR_MS = 1000;

/** Where a list goes on: after an instant, beyond as many as are known to have come at it. */
interface Place {
  readonly after: string | null;
  readonly skip: number;
}

/** A list of the Admin API, and what of its objects is read: `id` and `updatedAt` always. */
interface List {
  readonly name: string;
  readonly options: string;
  readonly filter: PlatformObject;
  readonly fields: string;
  /** Its objects have amounts: each is given how many decimals the shop's minor units have. */
  readonly hasAmounts: boolean;
}

/** Orders that were placed, and drafts; carts are left out. */
export const ordersWith = (fields: string): List => ({
  name: 'orders',
  options: 'OrderListOptions',
  filter: { active: { eq: false } },
  fields,
  hasAmounts: true,
});

export const customersWith = (fields: string): List => ({
  name: 'customers',
  options: 'CustomerListOptions',
  filter: {},
  fields,
  hasAmounts: false,
});

export const productsWith = (fields: string): List => ({
  name: 'products',
  options: 'ProductListOptions',
  filter: {},
  fields,
  hasAmounts: false,
});

export const variantsWith = (fields: string): List => ({
  name: 'productVariants',
  options: 'ProductVariantListOptions',
  filter: {},
  fields,
  hasAmounts: false,
});

const query = ({ name, options, fields }: List): string => `query ($options: ${options}!) {
  ${OPEN_TO_KEYS} { serverConfig { moneyStrategyPrecision } }
  ${name}(options: $options) { items { id updatedAt ${fields} } }
}`;

/**
 * A list by last change, oldest first. A page begins with the last instant of the one before, so that an object that
 * changes meanwhile, and goes to the end, takes no other one out of sight.
 */
async function* listPages(
  list: List,
  client: PlatformClient,
  { since, cursor }: PullOptions,
): AsyncGenerator<PulledPage> {
  const from = since === null ? null : new Date(since.getTime() - BLUR_MS).toISOString();
  let place = cursor === null ? { after: from, skip: 0 } : placeOf(cursor);
  for (;;) {
    const objects = await readPage(list, client, place);
    const next: Place | null = objects.length < TAKE ? null : placeAfter(objects, place);
    yield { objects, cursor: next && JSON.stringify(next) };
    if (next === null) return;
    place = next;
  }
}

async function readPage(
  list: List,
  client: PlatformClient,
  { after, skip }: Place,
): Promise<readonly PlatformObject[]> {
  const filter = { ...list.filter, ...(after === null ? {} : { updatedAt: { after } }) };
  const options = { take: TAKE, skip, sort: { updatedAt: 'ASC', id: 'ASC' }, filter };
  const data = await ask(client, query(list), { options });
  const context = list.hasAmounts ? { moneyPrecision: moneyPrecisionIn(data) } : {};
  const items = arrayOf(objectOf(data[list.name])?.['items']);
  if (!items) throw unexpected(`must answer a list of ${list.name}`);
  return items.map((item) => {
    const object = objectOf(item);
    if (!object) throw unexpected(`sent a list of ${list.name} with something in it that is no object`);
    return withContext(object, context);
  });
}

function moneyPrecisionIn(data: PlatformObject): number {
  const server = objectOf(objectOf(data[OPEN_TO_KEYS])?.['serverConfig']);
  const precision = server?.['moneyStrategyPrecision'];
  if (typeof precision !== 'number') throw unexpected('did not say how precise its amounts are');
  return precision;
}

/** The filter takes what is later than its instant: one millisecond before, it takes the instant itself. */
function placeAfter(objects: readonly PlatformObject[], { after, skip }: Place): Place {
  const last = Date.parse(textOf(objects.at(-1)?.['updatedAt']) ?? '');
  if (Number.isNaN(last)) throw unexpected('sent an object without updatedAt');
  const next = new Date(last - 1).toISOString();
  // A page of one instant: its other objects are found by their number only.
  return next === after ? { after, skip: skip + objects.length } : { after: next, skip: 0 };
}

function placeOf(cursor: string): Place {
  return JSON.parse(cursor) as Place;
}

/** Pages of what `split` makes of each object of a list. */
export async function* pagesOf(
  list: List,
  client: PlatformClient,
  options: PullOptions,
  split: (object: PlatformObject) => readonly PlatformObject[] = (object) => [object],
): AsyncGenerator<PulledPage> {
  for await (const { objects, cursor } of listPages(list, client, options)) {
    yield { objects: objects.flatMap(split), cursor };
  }
}

/** The ids of all objects of a list. */
export async function* idPages(
  list: List,
  client: PlatformClient,
  { cursor }: PullOptions,
): AsyncGenerator<IdPage> {
  for await (const page of listPages(list, client, { since: null, cursor })) {
    yield { platformIds: page.objects.map(requiredId), cursor: page.cursor };
  }
}

/** The one thing that a record cannot do without. */
export function requiredId(object: PlatformObject): string {
  const id = textOf(object['id']);
  if (id === null) throw unexpected('sent a record without id');
  return id;
}
