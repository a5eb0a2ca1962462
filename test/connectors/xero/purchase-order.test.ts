import { describe, expect, test } from '@jest/globals';

import { toPurchaseOrder } from '../../../src/connectors/xero/mappers/purchase-order.js';
import { lookups, nothingKnown, oddValues } from './lookups.js';

const order = {
  PurchaseOrderID: 'po-1',
  PurchaseOrderNumber: 'PO-0001',
  Reference: 'Spring',
  Contact: { ContactID: 'supplier' },
  DateString: '2026-03-14T00:00:00',
  DeliveryDateString: '2026-04-14T00:00:00',
  DeliveryAddress: '101 Grafton Road\nWellington',
  Status: 'AUTHORISED',
  LineAmountTypes: 'Exclusive',
  LineItems: [{ LineItemID: 'line-1', LineAmount: 100, TaxAmount: 15, AccountCode: '200' }],
  SubTotal: 100,
  TotalTax: 15,
  TotalDiscount: 5,
  Total: 115,
  CurrencyCode: 'USD',
  CurrencyRate: 0.625,
  UpdatedDateUTC: '/Date(1552595972920+0000)/',
};

describe('a Xero purchase order', () => {
  test('is read field by field', () => {
    expect(toPurchaseOrder(order, lookups)).toMatchObject({
      platformId: 'po-1',
      deleted: false,
      unresolved: false,
      values: {
        contactId: 'supplier',
        currencyId: 'USD',
        currencyCode: 'USD',
        currencyRate: '1.6',
        description: 'Spring',
        documentNumber: 'PO-0001',
        postedDate: '2026-03-14',
        deliveryDate: '2026-04-14',
        status: 'SUBMITTED',
        subTotal: '100',
        taxAmount: '15',
        totalDiscount: '5',
        totalAmount: '115',
        paymentMode: null,
        billIds: [],
        updatedAt: '2019-03-14T20:39:32.920Z',
      },
      lines: {
        lineItems: [
          { platformId: 'line-1', values: { lineItemType: 'PURCHASE_ORDERS', lineItemTypeId: 'po-1' } },
        ],
        addresses: [
          {
            platformId: null,
            values: {
              dataModel: 'PURCHASE_ORDERS',
              dataModelId: 'po-1',
              type: 'SHIPPING',
              street: '101 Grafton Road\nWellington',
            },
          },
        ],
      },
    });
  });

  test.each([
    ['DRAFT', 'DRAFT', false],
    ['SUBMITTED', 'SUBMITTED', false],
    ['BILLED', 'SUBMITTED', false],
    ['DELETED', 'VOID', true],
    [undefined, 'UNKNOWN', false],
  ])('in the state %s is %s', (Status, status, deleted) => {
    expect(toPurchaseOrder({ ...order, Status }, lookups)).toMatchObject({ deleted, values: { status } });
  });

  test('without a rate in the base currency is one to one', () => {
    const record = toPurchaseOrder({ ...order, CurrencyCode: 'NZD', CurrencyRate: undefined }, lookups);
    expect(record.values.currencyRate).toBe('1');
  });

  test('has no address where Xero has none', () => {
    const record = toPurchaseOrder({ ...order, DeliveryAddress: '' }, lookups);
    expect(record.lines?.['addresses']).toEqual([]);
  });

  test('is unresolved when a code is', () => {
    expect(toPurchaseOrder(order, nothingKnown).unresolved).toBe(true);
  });

  test.each(oddValues)('survives %p in every field but its id', (value) => {
    const odd = Object.fromEntries(Object.keys(order).map((name) => [name, value]));
    expect(toPurchaseOrder({ ...odd, PurchaseOrderID: 'po-1' }, lookups).platformId).toBe('po-1');
  });

  test('cannot do without its id', () => {
    expect(() => toPurchaseOrder({}, lookups)).toThrow('Xero sent a record without PurchaseOrderID');
  });
});
