import { type ecommerceFulfillment } from '../../../records/index.js';
import { type PlatformObject } from '../../platform.js';
import { type UnifiedRecord } from '../../pull.js';
import { withContext } from '../../values/platform-json.js';
import { objectOf, objectsIn, textOf } from '../../values/platform-values.js';
import { requiredId } from '../pages.js';
import { instantOf } from '../../values/times.js';
import { isOfSeller } from './values.js';

/** Fields read by `fulfillmentsOf` and `toFulfillment`. */
export const FULFILLMENT_FIELDS =
  'type aggregateOrder { id } fulfillments { id createdAt updatedAt state method trackingCode }';

/** The parcels of an order, each with its order id: in the default channel, that of the aggregate order of all sellers. */
export function fulfillmentsOf(order: PlatformObject, isDefault: boolean): readonly PlatformObject[] {
  const whole = isDefault && isOfSeller(order) ? objectOf(order['aggregateOrder']) : null;
  const orderId = requiredId(whole ?? order);
  return objectsIn(order['fulfillments']).map((fulfillment) => withContext(fulfillment, { orderId }));
}

/** A parcel of an order. Vendure knows its shipping method but not its carrier. */
export function toFulfillment(fulfillment: PlatformObject): UnifiedRecord<typeof ecommerceFulfillment> {
  return {
    platformId: requiredId(fulfillment),
    // Vendure keeps cancelled parcels.
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
