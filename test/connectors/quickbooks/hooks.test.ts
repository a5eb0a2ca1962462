import { describe, expect, test } from '@jest/globals';

import { quickbooks } from '../../../src/connectors/quickbooks/index.js';
import { notificationOf, type QuickbooksEvent } from '../quickbooks-fake/events.js';

const SECRET = 'verifier token';

const read = (events: readonly QuickbooksEvent[], secret = SECRET) => {
  const { body, headers } = notificationOf(events, SECRET);
  return quickbooks.hooks?.read({ headers, body: Buffer.from(body), secret });
};
const event = (entity: string, id: string, operation: QuickbooksEvent['operation'] = 'updated') => ({
  ...{ realmId: '1', entity, id, operation },
});

describe('a notification', () => {
  test('names objects of several companies', () => {
    const events = [event('Invoice', '12'), { ...event('Vendor', '7', 'created'), realmId: '2' }];
    expect(read(events)).toEqual([
      { externalAccountId: '1', dataModels: ['INVOICES'], platformId: '12' },
      { externalAccountId: '2', dataModels: ['CONTACTS'], platformId: 'vendor:7' },
    ]);
  });

  test('of an object that is two records names both', () => {
    expect(read([event('Purchase', '5')])).toEqual([
      { externalAccountId: '1', dataModels: ['EXPENSES'], platformId: '5' },
      { externalAccountId: '1', dataModels: ['BANK_TRANSACTIONS'], platformId: 'purchase:5' },
    ]);
  });

  test('of a receipt names a document that is none of the others', () => {
    expect(read([event('SalesReceipt', '5', 'created'), event('RefundReceipt', '6')])).toEqual([
      { externalAccountId: '1', dataModels: ['INVOICES'], platformId: 'salesreceipt:5' },
      { externalAccountId: '1', dataModels: ['INVOICE_PAYMENTS'], platformId: null },
      { externalAccountId: '1', dataModels: ['INVOICE_CREDIT_NOTES'], platformId: 'refundreceipt:6' },
      { externalAccountId: '1', dataModels: ['INVOICE_PAYMENTS'], platformId: null },
    ]);
  });

  test.each([
    ['Invoice', 'deleted'],
    ['Invoice', 'merged'],
    ['Payment', 'updated'],
    ['BillPayment', 'voided'],
  ] as const)('of a %s that is %s leads to its list', (entity, operation) => {
    expect(read([event(entity, '12', operation)])?.map(({ platformId }) => platformId)).toEqual([null]);
  });

  test('of something else is none', () => {
    expect(read([event('Estimate', '1'), event('constructor', '1')])).toEqual([]);
  });

  test('that is not signed with the app’s token is refused', () => {
    expect(read([event('Invoice', '12')], 'another token')).toBeNull();
    const { body } = notificationOf([event('Invoice', '12')], SECRET);
    expect(quickbooks.hooks?.read({ headers: {}, body: Buffer.from(body), secret: SECRET })).toBeNull();
  });

  test('covers nothing that is not read', () => {
    const types = quickbooks.pulls.map(({ definition }) => definition.dataModel);
    expect(quickbooks.hooks?.dataModels.filter((one) => !types.includes(one))).toEqual([]);
  });
});
