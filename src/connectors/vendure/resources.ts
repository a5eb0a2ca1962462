import { ecommerceOrder, ecommerceTransaction } from '../../records/index.js';
import { type PullResource } from '../connector.js';
import { ORDER_FIELDS, toOrder } from './mappers/order.js';
import { MOVEMENT_FIELDS, movementsOf, toTransaction } from './mappers/transaction.js';
import { idPages, pagesOf } from './pages.js';

export const orders: PullResource<typeof ecommerceOrder> = {
  definition: ecommerceOrder,
  mapperVersion: 1,
  incremental: true,
  deletions: [{ kind: 'sweep', pages: idPages }],
  pages: (client, options) => pagesOf(ORDER_FIELDS, client, options),
  toUnified: toOrder,
};

/** Neither a payment nor a refund changes its order's time of change: all of them are read each time. */
export const transactions: PullResource<typeof ecommerceTransaction> = {
  definition: ecommerceTransaction,
  mapperVersion: 1,
  incremental: false,
  pages: (client, { cursor }) => pagesOf(MOVEMENT_FIELDS, client, { since: null, cursor }, movementsOf),
  toUnified: toTransaction,
};
