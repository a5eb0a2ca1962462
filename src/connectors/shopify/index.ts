import { type Connector } from '../connector.js';
import { createShopifyClient, SHOPIFY_TITLE } from './client.js';
import { shopifyHooks } from './hooks.js';
import { shopifyMark } from './mark.js';
import { shopifyAccess } from './oauth.js';
import {
  companyInfo,
  customers,
  fulfillments,
  inventories,
  orders,
  products,
  transactions,
} from './resources.js';

/** Shops at Shopify, GraphQL Admin API 2026-10. */
export const shopify: Connector = {
  integrationType: 'SHOPIFY',
  category: 'ECOMMERCE',
  title: SHOPIFY_TITLE,
  mark: shopifyMark,
  access: shopifyAccess,
  // The points are those of the smallest plan; larger ones say so in their answers.
  limits: {
    perMinute: 600,
    perDay: null,
    concurrent: 4,
    points: { capacity: 2000, perSecond: 100, mostPerCall: 1000 },
  },
  pulls: [orders, transactions, customers, fulfillments, products, inventories, companyInfo],
  hooks: shopifyHooks,
  createClient: (access) => createShopifyClient(access),
};
