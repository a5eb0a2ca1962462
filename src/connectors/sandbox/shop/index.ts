import { type Connector } from '../../connector.js';
import { sandboxHooks } from '../hooks.js';
import { createShopClient, SHOP_TITLE } from './client.js';
import { shopOAuth } from './oauth.js';
import { shopPushes } from './push/index.js';
import {
  balances,
  companyInfo,
  customers,
  fulfillments,
  inventories,
  orders,
  products,
  transactions,
} from './resources.js';

/** The ecommerce platform of the sandbox. */
export const sandboxShop: Connector = {
  integrationType: 'SVC_SANDBOX',
  category: 'ECOMMERCE',
  title: SHOP_TITLE,
  access: shopOAuth,
  limits: { perMinute: 600, perDay: null, concurrent: 10 },
  pulls: [orders, transactions, customers, fulfillments, products, inventories, balances, companyInfo],
  push: shopPushes,
  hooks: sandboxHooks({
    orders,
    transactions,
    customers,
    fulfillments,
    products,
    inventory_levels: inventories,
    balances,
    shops: companyInfo,
  }),
  createClient: (access) => createShopClient(access),
};
