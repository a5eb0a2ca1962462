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

/** Shops on Vendure, self-hosted open-source commerce, through the Admin API (3.6 or later). */
export const vendure: Connector = {
  integrationType: 'VENDURE',
  category: 'ECOMMERCE',
  title: VENDURE_TITLE,
  access: vendureAccess,
  // Our own limits, to spare the shop's server: Vendure has none.
  limits: { perMinute: 300, perDay: null, concurrent: 4 },
  pulls: [orders, transactions, customers, fulfillments, products, inventories, companyInfo],
  push: vendurePushes,
  createClient: (access) => createVendureClient(access),
  createPassthrough: createVendurePassthrough,
};
