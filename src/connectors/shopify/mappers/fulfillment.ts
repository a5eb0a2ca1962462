import { type ecommerceFulfillment } from '../../../records/index.js';
import { type PlatformObject } from '../../platform.js';
import { type UnifiedRecord } from '../../pull.js';
import { objectsIn, textOf } from '../../values/platform-values.js';
import { instantOf } from '../../values/times.js';
import { idsOf } from './values.js';

/** Fields read by `toFulfillment`. */
export const FULFILLMENT_FIELDS =
  'id status createdAt updatedAt trackingInfo(first: 1) { company number url }';

/** A parcel of an order, by the first of its tracking numbers. `orderId` and `deliveryService` are its order's. */
export function toFulfillment(fulfillment: PlatformObject): UnifiedRecord<typeof ecommerceFulfillment> {
  const [tracking] = objectsIn(fulfillment['trackingInfo']);
  return {
    ...idsOf(fulfillment),
    // Shopify keeps cancelled parcels.
    deleted: fulfillment['status'] === 'CANCELLED',
    values: {
      carrierName: textOf(tracking?.['company']),
      trackingNumber: textOf(tracking?.['number']),
      trackingLink: textOf(tracking?.['url']),
      deliveryService: textOf(fulfillment['deliveryService']),
      orderId: textOf(fulfillment['orderId']),
      createdAt: instantOf(fulfillment['createdAt']),
      updatedAt: instantOf(fulfillment['updatedAt']),
    },
  };
}
