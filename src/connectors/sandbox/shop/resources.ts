import {
  ecommerceBalance,
  ecommerceCompanyInfo,
  ecommerceCustomer,
  ecommerceFulfillment,
  ecommerceInventory,
  ecommerceOrder,
  ecommerceProduct,
  ecommerceTransaction,
  type RecordDefinition,
} from '../../../records/index.js';
import { type PullResource } from '../../pull.js';
import { toBalance, toCompanyInfo } from './mappers/company-info.js';
import { toCustomer } from './mappers/customer.js';
import { toFulfillment } from './mappers/fulfillment.js';
import { toOrder } from './mappers/order.js';
import { toInventory, toProduct } from './mappers/product.js';
import { toTransaction } from './mappers/transaction.js';
import { deletionsOf, listPages, readOne } from './pages.js';

/** A kind of Shop: its list, the type in its global ids, and the mapper of its objects. */
interface Kind<Definition extends RecordDefinition> {
  readonly list: string;
  readonly type: string;
  readonly toUnified: PullResource<Definition>['toUnified'];
  readonly mapperVersion?: number;
}

/** Reads one kind by last change, its deletions from the feed, and single objects by number. */
const resourceOf = <Definition extends RecordDefinition>(
  definition: Definition,
  { list, type, toUnified, mapperVersion = 1 }: Kind<Definition>,
): PullResource<Definition> => ({
  definition,
  mapperVersion,
  incremental: true,
  deletions: deletionsOf(type),
  pages: (client, options) => listPages(list, client, options),
  read: readOne(list),
  toUnified,
});

export const orders = resourceOf(ecommerceOrder, {
  list: 'orders',
  type: 'Order',
  toUnified: toOrder,
  mapperVersion: 3,
});
export const transactions = resourceOf(ecommerceTransaction, {
  list: 'transactions',
  type: 'OrderTransaction',
  toUnified: toTransaction,
  mapperVersion: 3,
});
export const customers = resourceOf(ecommerceCustomer, {
  list: 'customers',
  type: 'Customer',
  toUnified: toCustomer,
});
export const fulfillments = resourceOf(ecommerceFulfillment, {
  list: 'fulfillments',
  type: 'Fulfillment',
  toUnified: toFulfillment,
});
export const products = resourceOf(ecommerceProduct, {
  list: 'products',
  type: 'Product',
  toUnified: toProduct,
});
export const inventories = resourceOf(ecommerceInventory, {
  list: 'inventory_levels',
  type: 'InventoryLevel',
  toUnified: toInventory,
});
export const balances = resourceOf(ecommerceBalance, {
  list: 'balances',
  type: 'Balance',
  toUnified: toBalance,
});
export const companyInfo = resourceOf(ecommerceCompanyInfo, {
  list: 'shops',
  type: 'Shop',
  toUnified: toCompanyInfo,
});
