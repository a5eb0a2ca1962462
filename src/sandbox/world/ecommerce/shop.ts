import type { UnifiedRecord } from '../../../connectors/connector.js';
import type { DemoRecords } from '../demo-records.js';
import type { Random } from '../random.js';
import { DEMO_SIZE, type Size } from '../size.js';
import { createShopOrders } from './orders.js';
import { createTransactions } from './transactions.js';

/** The orders of one demo shop, and the sales and refunds they led to; a few were deleted on the platform since. */
export function createShop(random: Random, size: Size = DEMO_SIZE): DemoRecords {
  const orders = createShopOrders(random, size);
  return new Map<string, readonly UnifiedRecord[]>([
    ['ECOMMERCE_ORDERS', orders.map(({ record }) => record)],
    ['ECOMMERCE_TRANSACTIONS', createTransactions(random, orders)],
  ]);
}
