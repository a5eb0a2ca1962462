import { type ecommerceFulfillment } from '../../../../records/index.js';
import { type PlatformObject } from '../../../platform.js';
import { type UnifiedRecord } from '../../../pull.js';
import { textOf } from '../../../values/platform-values.js';
import { instantOf } from '../../../values/times.js';
import { numberOf } from '../../../values/gid.js';
import { gidOf } from '../gid.js';

/** A parcel of an order. */
export function toFulfillment(object: PlatformObject): UnifiedRecord<typeof ecommerceFulfillment> {
  return {
    ...gidOf(object),
    values: {
      carrierName: textOf(object['tracking_company']),
      trackingNumber: textOf(object['tracking_number']),
      trackingLink: textOf(object['tracking_url']),
      deliveryService: textOf(object['service']),
      orderId: numberOf(object['order_id']),
      createdAt: instantOf(object['created_at']),
      updatedAt: instantOf(object['updated_at']),
    },
  };
}
