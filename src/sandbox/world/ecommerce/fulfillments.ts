import type { UnifiedRecord } from '../../../connectors/pull.js';
import type { ecommerceFulfillment } from '../../../records/index.js';
import type { Random } from '../random.js';
import { instant } from '../time.js';
import type { DemoShopOrder } from './orders.js';

/** Carrier, service, and tracking site. */
const CARRIERS = [
  ['Kookaburra Post', 'Standard', 'https://track.kookaburra.example'],
  ['Kookaburra Post', 'Express', 'https://track.kookaburra.example'],
  ['Southern Freight', 'Bulky goods', 'https://southern-freight.example/parcels'],
] as const;
/** Every 6th order is sent in two parcels. */
const SPLIT = 6;

/** The parcels of shipped orders, in the order in which they were sent. */
export function createFulfillments(
  random: Random,
  orders: readonly DemoShopOrder[],
): UnifiedRecord<typeof ecommerceFulfillment>[] {
  return orders
    .filter(({ record }) => record.values.orderStatus === 'FULFILLED')
    .flatMap((order, index) => {
      const parcels = index % SPLIT === SPLIT - 1 ? [0.3, 1.3] : [0.3];
      return parcels.map((later) => ({ order, at: order.created + later + random.integer(0, 20) / 48 }));
    })
    .sort((one, other) => one.at - other.at)
    .map(({ order, at }, index) => {
      const platformId = String(800_015 + index * 5);
      const [carrierName, deliveryService, site] = random.pick(CARRIERS);
      const trackingNumber = `KP${random.integer(10_000_000, 99_999_999)}AU`;
      return {
        platformId,
        platformUniqueId: `shop/fulfillments/${platformId}`,
        values: {
          carrierName,
          deliveryService,
          trackingNumber,
          trackingLink: `${site}/${trackingNumber}`,
          orderId: order.record.platformId,
          createdAt: instant(at),
          updatedAt: instant(at + random.integer(24, 96) / 24),
        },
      };
    });
}
