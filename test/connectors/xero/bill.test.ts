import { describe, expect, test } from '@jest/globals';

import { toBill } from '../../../src/connectors/xero/mappers/bill.js';
import { lookups, nothingKnown, oddValues } from './lookups.js';

const bill = {
  Type: 'ACCPAY',
  InvoiceID: 'bill-1',
  InvoiceNumber: 'SUP-77',
  Reference: '',
  Contact: { ContactID: 'supplier' },
  DateString: '2026-03-14T00:00:00',
  DueDate: '/Date(1776124800000+0000)/',
  Status: 'AUTHORISED',
  LineAmountTypes: 'Exclusive',
  LineItems: [
    { LineItemID: 'line-1', LineAmount: 100, TaxAmount: 15, AccountCode: '200', ItemCode: 'HOURS' },
  ],
  SubTotal: 100,
  TotalTax: 15,
  Total: 115,
  AmountDue: 75,
  AmountPaid: 40,
  CurrencyCode: 'USD',
  CurrencyRate: 0.625,
  UpdatedDateUTC: '/Date(1552595972920+0000)/',
};

describe('a Xero bill', () => {
  test('is read field by field', () => {
    expect(toBill(bill, lookups)).toMatchObject({
      platformId: 'bill-1',
      deleted: false,
      unresolved: false,
      values: {
        contactId: 'supplier',
        currencyId: 'USD',
        currencyCode: 'USD',
        currencyRate: '1.6',
        documentNumber: 'SUP-77',
        postedDate: '2026-03-14',
        dueDate: '2026-04-14',
        memo: null,
        status: 'PARTIALLY_PAID',
        subTotal: '100',
        taxAmount: '15',
        totalDiscount: null,
        totalAmount: '115',
        amountDue: '75',
        purchaseOrderIds: [],
        updatedAt: '2019-03-14T20:39:32.920Z',
      },
      lines: {
        lineItems: [
          {
            platformId: 'line-1',
            values: {
              lineItemType: 'BILLS',
              lineItemTypeId: 'bill-1',
              accountId: 'sales',
              itemId: 'hours',
              subTotal: '100',
              totalAmount: '115',
            },
          },
        ],
      },
    });
  });

  test.each(['ACCREC', 'APPREPAYMENT', undefined, null, 7])('is not one of type %p', (Type) => {
    expect(toBill({ ...bill, Type }, lookups)).toBeNull();
  });

  test('is deleted when Xero says so, and void', () => {
    expect(toBill({ ...bill, Status: 'DELETED' }, lookups)).toMatchObject({
      deleted: true,
      values: { status: 'VOID' },
    });
  });

  test('is unresolved when a code is', () => {
    expect(toBill(bill, nothingKnown)?.unresolved).toBe(true);
  });

  test.each(oddValues)('survives %p in every field but type and id', (value) => {
    const odd = Object.fromEntries(Object.keys(bill).map((name) => [name, value]));
    expect(toBill({ ...odd, Type: 'ACCPAY', InvoiceID: 'bill-1' }, lookups)?.platformId).toBe('bill-1');
  });

  test('cannot do without its id', () => {
    expect(() => toBill({ Type: 'ACCPAY' }, lookups)).toThrow('Xero sent a record without InvoiceID');
  });
});
