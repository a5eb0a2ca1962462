import {
  ecommerceCompanyInfo,
  ecommerceCustomer,
  ecommerceFulfillment,
  ecommerceInventory,
  ecommerceOrder,
  ecommerceProduct,
  ecommerceTransaction,
  type RecordDefinition,
} from '../../records/index.js';
import { type PlatformObject } from '../platform.js';
import { type PullResource } from '../pull.js';
import { byIdsOf, readOne } from './read.js';
import {
  customerKind,
  orderKind,
  paidKind,
  productKind,
  shippedKind,
  type ShopifyKind,
  variantKind,
} from './kinds.js';
import { listPages } from './lists.js';
import { toCompanyInfo } from './mappers/company-info.js';
import { toCustomer } from './mappers/customer.js';
import { toFulfillment } from './mappers/fulfillment.js';
import { toOrder } from './mappers/order.js';
import { toInventory, toProduct } from './mappers/product.js';
import { toTransaction } from './mappers/transaction.js';
import { fulfillmentsOf, partPages, transactionsOf } from './parts.js';
import { shopPage } from './company.js';
import { sweepOf, sweepOfOrders, sweepWithin } from './sweeps.js';

/** Shopify does not promise that every change of a mapped value changes the time of change. */
const WEEKLY = { everyHours: 7 * 24 } as const;

/** What all lists of changes have in common. */
function changing<Definition extends RecordDefinition>(
  kind: ShopifyKind,
  resource: Pick<PullResource<Definition>, 'definition' | 'toUnified'>,
) {
  const byIds = byIdsOf(kind);
  return {
    ...resource,
    mapperVersion: 1,
    incremental: true,
    unstamped: WEEKLY,
    pages: (client, options) => listPages(kind, client, options),
    byIds,
    read: readOne(byIds),
  } satisfies PullResource<Definition>;
}

export const orders: PullResource<typeof ecommerceOrder> = {
  ...changing(orderKind, { definition: ecommerceOrder, toUnified: toOrder }),
  deletions: [sweepOfOrders(orderKind)],
};

export const customers: PullResource<typeof ecommerceCustomer> = {
  ...changing(customerKind, { definition: ecommerceCustomer, toUnified: toCustomer }),
  deletions: [sweepOf(customerKind)],
};

export const products: PullResource<typeof ecommerceProduct> = {
  ...changing(productKind, { definition: ecommerceProduct, toUnified: toProduct }),
  deletions: [sweepOf(productKind)],
};

/** What all parts of orders have in common: a payment or a parcel changes its order. */
function withinOrders<Definition extends RecordDefinition>(
  kind: ShopifyKind,
  partsOf: (order: PlatformObject) => readonly PlatformObject[],
  resource: Pick<PullResource<Definition>, 'definition' | 'toUnified'>,
): PullResource<Definition> {
  return {
    ...resource,
    mapperVersion: 1,
    incremental: true,
    unstamped: WEEKLY,
    partOf: { field: 'orderId' },
    pages: (client, options) => partPages(kind, partsOf, client, options),
    deletions: [sweepWithin(kind, partsOf)],
  };
}

export const transactions = withinOrders(paidKind, transactionsOf, {
  definition: ecommerceTransaction,
  toUnified: toTransaction,
});

export const fulfillments = withinOrders(shippedKind, fulfillmentsOf, {
  definition: ecommerceFulfillment,
  toUnified: toFulfillment,
});

/** Not incremental: Shopify cannot order variants by change, nor does stock that moves change one. */
export const inventories: PullResource<typeof ecommerceInventory> = {
  definition: ecommerceInventory,
  mapperVersion: 1,
  incremental: false,
  pages: (client, { cursor }) => listPages(variantKind, client, { since: null, cursor }),
  read: readOne(byIdsOf(variantKind)),
  toUnified: toInventory,
};

export const companyInfo: PullResource<typeof ecommerceCompanyInfo> = {
  definition: ecommerceCompanyInfo,
  mapperVersion: 1,
  incremental: false,
  pages: (client) => shopPage(client),
  toUnified: toCompanyInfo,
};
