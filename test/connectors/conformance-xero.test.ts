import { describe } from '@jest/globals';

import { createXeroClient } from '../../src/connectors/xero/client.js';
import { xero } from '../../src/connectors/xero/index.js';
import { describeConnector } from './conformance.js';
import { startXeroPlatform } from './xero-fake/platform.js';

describe('Xero', () => {
  describeConnector({
    connector: xero,
    createClient: createXeroClient,
    start: startXeroPlatform,
    knows: ['disconnected', 'no scope'],
    steps: ['archive', 'restore', 'delete', 'changeType'],
    manyCalls: ['DOCUMENTS'],
  });
});
