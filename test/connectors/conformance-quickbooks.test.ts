import { describe } from '@jest/globals';

import { createQuickBooksClient } from '../../src/connectors/quickbooks/client.js';
import { quickbooks } from '../../src/connectors/quickbooks/index.js';
import { describeConnector } from './conformance.js';
import { makeCompany } from './quickbooks-fake/makers/company.js';
import { startQuickbooksPlatform } from './quickbooks-fake/platform.js';

describe.each(['US', 'GB'] as const)('QuickBooks, with a company in %s', (country) => {
  describeConnector({
    connector: quickbooks,
    createClient: createQuickBooksClient,
    start: () => startQuickbooksPlatform(makeCompany(country)),
    knows: ['no scope', 'fault with 200'],
    steps: ['archive', 'restore', 'delete'],
    manyCalls: ['CURRENCIES', 'TAX_RATES', 'TRACKING_CATEGORIES', 'INVOICE_PAYMENTS'],
  });
});
