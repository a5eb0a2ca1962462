import type { EcommerceFulfillmentModel } from '../../db/__generated__/models.js';
import { defineRecord } from '../define.js';
import { graphqlOnly, text, timestamp } from '../fields.js';
import { GRAPHQL_ONLY, one } from '../relations.js';

/** Reference G4, ecommerce fulfillments. */
export const ecommerceFulfillment = defineRecord<EcommerceFulfillmentModel>()({
  model: 'EcommerceFulfillment',
  table: 'ecommerce_fulfillments',
  list: 'ecommerceFulfillments',
  path: 'ecommerce/fulfillments',
  dataModel: 'ECOMMERCE_FULFILLMENTS',
  category: 'ECOMMERCE',
  fields: {
    carrierName: text('carrier_name'),
    trackingNumber: text('tracking_number'),
    trackingLink: text('tracking_link'),
    deliveryService: text('delivery_service'),
    orderId: graphqlOnly(text('order_id')),
    createdAt: timestamp('created_at'),
    updatedAt: timestamp('updated_at'),
  },
  relations: { order: one(GRAPHQL_ONLY, 'EcommerceOrder', 'orderId') },
});
