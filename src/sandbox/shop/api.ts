import type { PlatformApi } from '../gate/platform-api.js';
import { presentShopFailure } from './failures.js';
import { list, listDeletions, listPartsOfOrder, read, readShop } from './read.js';
import { create, update } from './write.js';

const BASE = '/admin/2026-10';

/** SVC Sandbox Shop. */
export const SHOP: PlatformApi = {
  platform: 'ecommerce',
  routes: [
    ['GET', `${BASE}/shop.json`, readShop],
    ['GET', `${BASE}/deletions.json`, listDeletions],
    ['GET', `${BASE}/:kind.json`, list],
    ['GET', `${BASE}/orders/:number/transactions.json`, listPartsOfOrder('transactions')],
    ['GET', `${BASE}/orders/:number/fulfillments.json`, listPartsOfOrder('fulfillments')],
    ['GET', `${BASE}/:kind/:number.json`, read],
    ['POST', `${BASE}/:kind.json`, create],
    ['PUT', `${BASE}/:kind/:number.json`, update],
  ],
  presentFailure: presentShopFailure,
};
