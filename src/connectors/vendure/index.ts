import { type Connector } from '../connector.js';
import { vendureAccess } from './access.js';
import { createVendureClient, createVendurePassthrough, VENDURE_TITLE } from './client.js';
import { vendurePushes } from './push.js';
import {
  companyInfo,
  customers,
  fulfillments,
  inventories,
  orders,
  products,
  transactions,
} from './resources.js';

/** Shops of Vendure, open-source commerce that its owner runs, by their Admin API (3.6 or later). */
export const vendure: Connector = {
  integrationType: 'VENDURE',
  category: 'ECOMMERCE',
  title: VENDURE_TITLE,
  access: vendureAccess,
  // The shop's own server: Vendure has no limits.
  limits: { perMinute: 300, perDay: null, concurrent: 4 },
  pulls: [orders, transactions, customers, fulfillments, products, inventories, companyInfo],
  push: vendurePushes,
  createClient: (access) => createVendureClient(access),
  createPassthrough: createVendurePassthrough,
};
