import { ecommerceOrder, ecommerceTransaction } from '../../../records/index.js';
import { type PullResource } from '../../connector.js';
import { toOrder } from './mappers/order.js';
import { toTransaction } from './mappers/transaction.js';
import { deletionsOf, listPages } from './pages.js';

export const orders: PullResource<typeof ecommerceOrder> = {
  definition: ecommerceOrder,
  mapperVersion: 1,
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
