import { describe } from '@jest/globals';

import { createZohoClient } from '../../src/connectors/zoho/client.js';
import { zoho } from '../../src/connectors/zoho/index.js';
import { describeConnector } from './conformance.js';
import { startZohoPlatform } from './zoho-fake/platform.js';

describe('Zoho Books', () => {
  describeConnector({
    connector: zoho,
    createClient: createZohoClient,
    start: () => startZohoPlatform(),
    knows: ['disconnected', 'no scope', 'fault with 200', 'throttled with 200'],
    steps: ['archive', 'restore', 'delete'],
    manyCalls: [
      'TAX_RATES',
      'CONTACTS',
      'SALES_ORDERS',
      'PURCHASE_ORDERS',
      'INVOICES',
      'BILLS',
      'INVOICE_CREDIT_NOTES',
      'BILL_CREDIT_NOTES',
      'INVOICE_PAYMENTS',
      'BILL_PAYMENTS',
      'EXPENSES',
      'JOURNAL_ENTRIES',
    ],
  });
});
