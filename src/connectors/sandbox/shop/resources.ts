import {
  ecommerceCustomer,
  ecommerceFulfillment,
  ecommerceInventory,
  ecommerceOrder,
  ecommerceProduct,
  ecommerceTransaction,
} from '../../../records/index.js';
import { type PullResource } from '../../connector.js';
import { toCustomer } from './mappers/customer.js';
import { toFulfillment } from './mappers/fulfillment.js';
import { toOrder } from './mappers/order.js';
import { toInventory, toProduct } from './mappers/product.js';
import { toTransaction } from './mappers/transaction.js';
import { deletionsOf, listPages } from './pages.js';

export const orders: PullResource<typeof ecommerceOrder> = {
  definition: ecommerceOrder,
  mapperVersion: 2,
  incremental: true,
  deletions: deletionsOf('Order'),
  pages: (client, options) => listPages('orders', client, options),
  toUnified: toOrder,
};

export const transactions: PullResource<typeof ecommerceTransaction> = {
  definition: ecommerceTransaction,
  mapperVersion: 2,
  incremental: true,
  deletions: deletionsOf('OrderTransaction'),
  pages: (client, options) => listPages('transactions', client, options),
  toUnified: toTransaction,
};

export const customers: PullResource<typeof ecommerceCustomer> = {
  definition: ecommerceCustomer,
  mapperVersion: 1,
  incremental: true,
  deletions: deletionsOf('Customer'),
  pages: (client, options) => listPages('customers', client, options),
  toUnified: toCustomer,
};

export const fulfillments: PullResource<typeof ecommerceFulfillment> = {
  definition: ecommerceFulfillment,
  mapperVersion: 1,
  incremental: true,
  deletions: deletionsOf('Fulfillment'),
  pages: (client, options) => listPages('fulfillments', client, options),
  toUnified: toFulfillment,
};

export const products: PullResource<typeof ecommerceProduct> = {
  definition: ecommerceProduct,
  mapperVersion: 1,
  incremental: true,
  deletions: deletionsOf('Product'),
  pages: (client, options) => listPages('products', client, options),
  toUnified: toProduct,
};

export const inventories: PullResource<typeof ecommerceInventory> = {
  definition: ecommerceInventory,
  mapperVersion: 1,
  incremental: true,
  deletions: deletionsOf('InventoryLevel'),
  pages: (client, options) => listPages('inventory_levels', client, options),
  toUnified: toInventory,
};
