import { type PlatformClient, type PlatformObject } from '../platform.js';
import { type PulledPage, type PullOptions } from '../pull.js';
import { withContext } from '../values/platform-json.js';
import { objectOf, objectsIn } from '../values/platform-values.js';
import { type ShopifyKind } from './kinds.js';
import { listPages } from './lists.js';
import { idsOf } from './mappers/values.js';

/** The payments and refunds of an order, each with what its record has of the order. */
export const transactionsOf = (order: PlatformObject): readonly PlatformObject[] =>
  objectsIn(order['transactions']).map((transaction) =>
    withContext(transaction, { orderId: idsOf(order).platformId, updatedAt: order['updatedAt'] }),
  );

/** The parcels of an order, in the same way. */
export const fulfillmentsOf = (order: PlatformObject): readonly PlatformObject[] =>
  objectsIn(order['fulfillments']).map((fulfillment) =>
    withContext(fulfillment, {
      orderId: idsOf(order).platformId,
      deliveryService: objectOf(order['shippingLine'])?.['title'] ?? null,
    }),
  );

/** Pages of the parts of orders: each order's are replaced as a set. */
export async function* partPages(
  kind: ShopifyKind,
  partsOf: (order: PlatformObject) => readonly PlatformObject[],
  client: PlatformClient,
  options: PullOptions,
): AsyncGenerator<PulledPage> {
  for await (const { objects, cursor } of listPages(kind, client, options)) {
    yield {
      objects: objects.flatMap(partsOf),
      cursor,
      wholes: objects.map((order) => idsOf(order).platformId),
    };
  }
}
