import type { UnifiedRecord } from '../../../connectors/pull.js';
import type { ecommerceFulfillment } from '../../../records/index.js';
import { shopTime } from '../objects.js';
import type { PartOfOrder, ShopNames } from './names.js';

export function toFulfillment(record: UnifiedRecord, names: ShopNames): PartOfOrder {
  const { values } = record as UnifiedRecord<typeof ecommerceFulfillment>;
  const own = {
    tracking_company: values.carrierName,
    tracking_number: values.trackingNumber,
    tracking_url: values.trackingLink,
    service: values.deliveryService,
  };
  return {
    id: names.id('fulfillments', record.platformId),
    order_id: names.id('orders', values.orderId ?? ''),
    created_at: shopTime(values.createdAt ?? ''),
    updated_at: shopTime(values.updatedAt ?? ''),
    ...own,
  };
}
