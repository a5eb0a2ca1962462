import { describe } from '@jest/globals';

import { createStripeClient } from '../../src/connectors/stripe/client.js';
import { stripe } from '../../src/connectors/stripe/index.js';
import { describeConnector } from './conformance.js';
import { startStripePlatform } from './stripe-fake/platform.js';

describe('Stripe', () => {
  describeConnector({
    connector: stripe,
    createClient: createStripeClient,
    start: startStripePlatform,
    knows: ['no scope'],
    steps: ['archive', 'restore', 'delete'],
    manyCalls: ['PAYMENT_INVOICES', 'PAYMENT_PAYMENT_LINKS', 'PAYMENT_PAYMENTS'],
  });
});
