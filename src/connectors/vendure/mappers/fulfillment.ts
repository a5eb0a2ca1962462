import { type ecommerceFulfillment } from '../../../records/index.js';
import { type PlatformObject, type UnifiedRecord } from '../../connector.js';
import { withContext } from '../../platform-json.js';
import { objectOf, textOf } from '../../platform-values.js';
import { requiredId } from '../pages.js';
import { instantOf } from '../../times.js';
import { isOfSeller, objectsIn } from './values.js';

/** What `fulfillmentsOf` and `toFulfillment` read. */
export const FULFILLMENT_FIELDS =
  'type aggregateOrder { id } fulfillments { id createdAt updatedAt state method trackingCode }';

/** The parcels of an order, each with the order that it belongs to: in the default channel, the whole of what sellers send. */
export function fulfillmentsOf(order: PlatformObject, isDefault: boolean): readonly PlatformObject[] {
  const whole = isDefault && isOfSeller(order) ? objectOf(order['aggregateOrder']) : null;
  const orderId = requiredId(whole ?? order);
  return objectsIn(order['fulfillments']).map((fulfillment) => withContext(fulfillment, { orderId }));
}

/** A parcel of an order. Vendure knows how it is sent and not by whom. */
export function toFulfillment(fulfillment: PlatformObject): UnifiedRecord<typeof ecommerceFulfillment> {
  return {
    platformId: requiredId(fulfillment),
    // Vendure keeps what was not sent after all.
    deleted: fulfillment['state'] === 'Cancelled',
    values: {
      trackingNumber: textOf(fulfillment['trackingCode']),
      deliveryService: textOf(fulfillment['method']),
      orderId: textOf(fulfillment['orderId']),
      createdAt: instantOf(fulfillment['createdAt']),
      updatedAt: instantOf(fulfillment['updatedAt']),
    },
  };
}
