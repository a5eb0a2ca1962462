import type { UnifiedRecord } from '../../../connectors/pull.js';
import type { DemoRecords } from '../demo-records.js';
import type { Random } from '../random.js';
import { DEMO_SIZE, type Size } from '../size.js';
import { createBalances, createCompanyInfo } from './company-info.js';
import { createShopCustomers, withCustomers } from './customers.js';
import { createFulfillments } from './fulfillments.js';
import { createInventories } from './inventories.js';
import { createShopOrders } from './orders.js';
import { createProducts } from './products.js';
import { createTransactions } from './transactions.js';

/**
 * The orders of one demo shop, with their transactions, customers, fulfillments, remaining stock and balance; a few
 * were later deleted on the platform.
 */
export function createShop(random: Random, name: string, size: Size = DEMO_SIZE): DemoRecords {
  const anonymous = createShopOrders(random, size);
  const transactions = createTransactions(random, anonymous);
  const customers = createShopCustomers(random, size);
  const orders = withCustomers(random, anonymous, customers);
  const fulfillments = createFulfillments(random, orders);
  const products = createProducts(random, size);
  return new Map<string, readonly UnifiedRecord[]>([
    ['ECOMMERCE_ORDERS', orders.map(({ record }) => record)],
    ['ECOMMERCE_TRANSACTIONS', transactions],
    ['ECOMMERCE_CUSTOMERS', customers],
    ['ECOMMERCE_FULFILLMENTS', fulfillments],
    ['ECOMMERCE_PRODUCTS', products],
    ['ECOMMERCE_INVENTORIES', createInventories(random, products, orders)],
    ['ECOMMERCE_BALANCES', createBalances(transactions)],
    ['ECOMMERCE_COMPANY_INFO', createCompanyInfo(name)],
  ]);
}
