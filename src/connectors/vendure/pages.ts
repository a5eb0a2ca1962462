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

const query = (fields: string): string => `query ($options: OrderListOptions!) {
  ${OPEN_TO_KEYS} { serverConfig { moneyStrategyPrecision } }
  orders(options: $options) { items { ${fields} } }
}`;

interface OrderPage {
  /** Each says how many decimals the shop's minor units have. */
  readonly orders: readonly PlatformObject[];
  readonly cursor: string | null;
}

/**
 * Orders that were placed, by last change, oldest first, `fields` of each. A page begins with the last instant of the
 * one before, so that an order that changes meanwhile, and goes to the end, takes no other one out of sight.
 */
export async function* orderPages(
  fields: string,
  client: PlatformClient,
  { since, cursor }: PullOptions,
): AsyncGenerator<OrderPage> {
  const from = since === null ? null : new Date(since.getTime() - BLUR_MS).toISOString();
  let place = cursor === null ? { after: from, skip: 0 } : placeOf(cursor);
  for (;;) {
    const orders = await readPage(fields, client, place);
    const next: Place | null = orders.length < TAKE ? null : placeAfter(orders, place);
    yield { orders, cursor: next && JSON.stringify(next) };
    if (next === null) return;
    place = next;
  }
}

async function readPage(
  fields: string,
  client: PlatformClient,
  { after, skip }: Place,
): Promise<readonly PlatformObject[]> {
  const filter = { active: { eq: false }, ...(after === null ? {} : { updatedAt: { after } }) };
  const options = { take: TAKE, skip, sort: { updatedAt: 'ASC', id: 'ASC' }, filter };
  const data = await ask(client, query(fields), { options });
  const server = objectOf(objectOf(data[OPEN_TO_KEYS])?.['serverConfig']);
  const moneyPrecision = server?.['moneyStrategyPrecision'];
  if (typeof moneyPrecision !== 'number') throw unexpected('did not say how precise its amounts are');
  const items = arrayOf(objectOf(data['orders'])?.['items']);
  if (!items) throw unexpected('must answer a list of orders');
  return items.map((item) => {
    const order = objectOf(item);
    if (!order) throw unexpected('sent a list of orders with something in it that is no object');
    return withContext(order, { moneyPrecision });
  });
}

/** The filter takes what is later than its instant: one millisecond before, it takes the instant itself. */
function placeAfter(orders: readonly PlatformObject[], { after, skip }: Place): Place {
  const last = Date.parse(textOf(orders.at(-1)?.['updatedAt']) ?? '');
  if (Number.isNaN(last)) throw unexpected('sent an order without updatedAt');
  const next = new Date(last - 1).toISOString();
  // A page of one instant: its other orders are found by their number only.
  return next === after ? { after, skip: skip + orders.length } : { after: next, skip: 0 };
}

function placeOf(cursor: string): Place {
  return JSON.parse(cursor) as Place;
}

/** Pages of what `split` makes of each order. */
export async function* pagesOf(
  fields: string,
  client: PlatformClient,
  options: PullOptions,
  split: (order: PlatformObject) => readonly PlatformObject[] = (order) => [order],
): AsyncGenerator<PulledPage> {
  for await (const { orders, cursor } of orderPages(fields, client, options)) {
    yield { objects: orders.flatMap(split), cursor };
  }
}

/** The ids of all orders that there are. */
export async function* idPages(client: PlatformClient, { cursor }: PullOptions): AsyncGenerator<IdPage> {
  for await (const page of orderPages('id updatedAt', client, { since: null, cursor })) {
    const platformIds = page.orders.map((order) => requiredId(order));
    yield { platformIds, cursor: page.cursor };
  }
}

/** The one thing that a record cannot do without. */
export function requiredId(object: PlatformObject): string {
  const id = textOf(object['id']);
  if (id === null) throw unexpected('sent a record without id');
  return id;
}
