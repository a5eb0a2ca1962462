import {
  ecommerceCompanyInfo,
  ecommerceCustomer,
  ecommerceFulfillment,
  ecommerceInventory,
  ecommerceOrder,
  ecommerceProduct,
  ecommerceTransaction,
} from '../../records/index.js';
import { type PullResource } from '../pull.js';
import { channelPage } from './channel.js';
import { COMPANY_FIELDS, toCompanyInfo } from './mappers/company-info.js';
import { CUSTOMER_FIELDS, toCustomer } from './mappers/customer.js';
import { FULFILLMENT_FIELDS, fulfillmentsOf, toFulfillment } from './mappers/fulfillment.js';
import { ORDER_FIELDS, toOrder, wholesOf } from './mappers/order.js';
import { PRODUCT_FIELDS, toInventory, toProduct, VARIANT_FIELDS } from './mappers/product.js';
import { MOVEMENT_FIELDS, movementsOf, toTransaction } from './mappers/transaction.js';
import { customersWith, ordersWith, pagesOf, productsWith, variantsWith } from './pages.js';

/** Not incremental: parcels and refunds do not update their order's timestamp. */
export const orders: PullResource<typeof ecommerceOrder> = {
  definition: ecommerceOrder,
  mapperVersion: 3,
  incremental: false,
  pages: (client, { cursor }) => pagesOf(ordersWith(ORDER_FIELDS), client, cursor, wholesOf),
  toUnified: toOrder,
};

/** Not incremental: payments and refunds do not update their order's timestamp. */
export const transactions: PullResource<typeof ecommerceTransaction> = {
  definition: ecommerceTransaction,
  mapperVersion: 1,
  incremental: false,
  pages: (client, { cursor }) =>
    pagesOf(ordersWith(MOVEMENT_FIELDS), client, cursor, (order, isDefault) =>
      wholesOf(order, isDefault).flatMap(movementsOf),
    ),
  toUnified: toTransaction,
};

/** Not incremental: addresses do not update their customer's timestamp. */
export const customers: PullResource<typeof ecommerceCustomer> = {
  definition: ecommerceCustomer,
  mapperVersion: 1,
  incremental: false,
  pages: (client, { cursor }) => pagesOf(customersWith(CUSTOMER_FIELDS), client, cursor),
  toUnified: toCustomer,
};

/** Not incremental: tracking codes do not update the order's timestamp. */
export const fulfillments: PullResource<typeof ecommerceFulfillment> = {
  definition: ecommerceFulfillment,
  mapperVersion: 1,
  incremental: false,
  pages: (client, { cursor }) => pagesOf(ordersWith(FULFILLMENT_FIELDS), client, cursor, fulfillmentsOf),
  toUnified: toFulfillment,
};

/** Not incremental: assigning a product to a channel does not update its timestamp. */
export const products: PullResource<typeof ecommerceProduct> = {
  definition: ecommerceProduct,
  mapperVersion: 1,
  incremental: false,
  pages: (client, { cursor }) => pagesOf(productsWith(PRODUCT_FIELDS), client, cursor),
  toUnified: toProduct,
};

/** Not incremental: sales and stock counts do not update their variant's timestamp. */
export const inventories: PullResource<typeof ecommerceInventory> = {
  definition: ecommerceInventory,
  mapperVersion: 1,
  incremental: false,
  pages: (client, { cursor }) => pagesOf(variantsWith(VARIANT_FIELDS), client, cursor),
  toUnified: toInventory,
};

export const companyInfo: PullResource<typeof ecommerceCompanyInfo> = {
  definition: ecommerceCompanyInfo,
  mapperVersion: 1,
  incremental: false,
  pages: (client) => channelPage(client, COMPANY_FIELDS),
  toUnified: toCompanyInfo,
};
