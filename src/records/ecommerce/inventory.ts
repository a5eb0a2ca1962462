import type { EcommerceInventoryModel } from '../../db/__generated__/models.js';
import { defineRecord } from '../define.js';
import { decimalText, text, timestamp } from '../fields.js';
import { GRAPHQL_ONLY, one } from '../relations.js';

/** Reference G4, ecommerce inventories. */
export const ecommerceInventory = defineRecord<EcommerceInventoryModel>()({
  model: 'EcommerceInventory',
  table: 'ecommerce_inventories',
  list: 'ecommerceInventories',
  path: 'ecommerce/inventories',
  dataModel: 'ECOMMERCE_INVENTORIES',
  category: 'ECOMMERCE',
  fields: {
    productId: text('product_id'),
    description: text('description'),
    sku: text('sku'),
    quantity: decimalText('quantity'),
    createdAt: timestamp('created_at'),
    updatedAt: timestamp('updated_at'),
  },
  relations: { product: one(GRAPHQL_ONLY, 'EcommerceProduct', 'productId') },
});
