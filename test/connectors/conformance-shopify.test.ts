import { describe } from '@jest/globals';

import { createShopifyClient } from '../../src/connectors/shopify/client.js';
import { shopify } from '../../src/connectors/shopify/index.js';
import { describeConnector } from './conformance.js';
import { startShopifyPlatform } from './shopify-fake/platform.js';

describe('Shopify', () => {
  describeConnector({
    connector: shopify,
    createClient: createShopifyClient,
    start: () => startShopifyPlatform(),
    knows: ['no scope', 'fault with 200', 'throttled with 200'],
    steps: ['archive', 'restore', 'delete'],
    manyCalls: ['ECOMMERCE_ORDERS', 'ECOMMERCE_TRANSACTIONS', 'ECOMMERCE_FULFILLMENTS'],
  });
});
