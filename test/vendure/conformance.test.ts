import { describe } from '@jest/globals';

import { createVendureClient } from '../../src/connectors/vendure/client.js';
import { vendure } from '../../src/connectors/vendure/index.js';
import { describeConnector } from '../connectors/conformance.js';
import { startVendurePlatform } from './platform.js';

describe('Vendure', () => {
  describeConnector({
    connector: vendure,
    createClient: createVendureClient,
    start: startVendurePlatform,
    isReal: true,
    knows: ['no scope', 'fault with 200'],
    steps: ['archive', 'restore', 'delete'],
    manyCalls: [],
  });
});
