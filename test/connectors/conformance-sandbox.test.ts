import { describe } from '@jest/globals';

import { createBooksClient } from '../../src/connectors/sandbox/books/client.js';
import { sandboxBooks } from '../../src/connectors/sandbox/books/index.js';
import { createPayClient } from '../../src/connectors/sandbox/pay/client.js';
import { sandboxPay } from '../../src/connectors/sandbox/pay/index.js';
import { createShopClient } from '../../src/connectors/sandbox/shop/client.js';
import { sandboxShop } from '../../src/connectors/sandbox/shop/index.js';
import { describeConnector } from './conformance.js';
import { startSandboxPlatform } from './sandbox/platform.js';

describe('SVC Sandbox Books', () => {
  describeConnector({
    connector: sandboxBooks,
    createClient: createBooksClient,
    start: () => startSandboxPlatform('accounting'),
    steps: ['delete'],
    manyCalls: [],
  });
});

describe('SVC Sandbox Pay', () => {
  describeConnector({
    connector: sandboxPay,
    createClient: createPayClient,
    start: () => startSandboxPlatform('payments'),
    steps: ['delete'],
    manyCalls: [],
  });
});

describe('SVC Sandbox Shop', () => {
  describeConnector({
    connector: sandboxShop,
    createClient: createShopClient,
    start: () => startSandboxPlatform('ecommerce'),
    steps: ['delete'],
    manyCalls: [],
  });
});
