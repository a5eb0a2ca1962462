import type { EcommerceProductModel } from '../../db/__generated__/models.js';
import { defineRecord } from '../define.js';
import { oneOf, text, timestamp } from '../fields.js';
import { many } from '../relations.js';
import { RECORD_STATUSES } from '../value-sets.js';

/** Reference G4, ecommerce products. */
export const ecommerceProduct = defineRecord<EcommerceProductModel>()({
  model: 'EcommerceProduct',
  table: 'ecommerce_products',
  list: 'ecommerceProducts',
  path: 'ecommerce/products',
  dataModel: 'ECOMMERCE_PRODUCTS',
  category: 'ECOMMERCE',
  fields: {
    name: text('name'),
    description: text('description'),
    status: oneOf('status', RECORD_STATUSES),
    createdAt: timestamp('created_at'),
    updatedAt: timestamp('updated_at'),
  },
  relations: { inventories: many('inventories', 'EcommerceInventory', 'productId') },
  rest: { expand: [] },
});
