import { describe, expect, test } from '@jest/globals';

import { toItem } from '../../../src/connectors/xero/mappers/item.js';
import { lookups, nothingKnown, oddValues } from './lookups.js';

const guitar = {
  ItemID: 'guitar',
  Code: 'GTR',
  Name: 'Guitar',
  Description: 'A guitar',
  PurchaseDescription: 'A guitar, unstrung',
  PurchaseDetails: { UnitPrice: 2500, COGSAccountCode: '310', TaxType: 'INPUT2' },
  SalesDetails: { UnitPrice: '5000.0000', AccountCode: '200', TaxType: 'OUTPUT2' },
  IsTrackedAsInventory: true,
  QuantityOnHand: 10,
  IsSold: true,
  IsPurchased: true,
  UpdatedDateUTC: '/Date(1552595972920+0000)/',
};

describe('a Xero item', () => {
  test('is read field by field', () => {
    expect(toItem(guitar, lookups)).toEqual({
      platformId: 'guitar',
      unresolved: false,
      values: {
        name: 'Guitar',
        description: 'A guitar',
        code: 'GTR',
        status: 'ACTIVE',
        type: 'INVENTORY',
        quantityOnHand: '10',
        isBillItem: true,
        isInvoiceItem: true,
        billItemAccountId: 'cost-of-sales',
        billItemTaxId: 'INPUT2',
        billItemUnitPrice: '2500',
        billItemDescription: 'A guitar, unstrung',
        invoiceItemAccountId: 'sales',
        invoiceItemTaxId: 'OUTPUT2',
        invoiceItemUnitPrice: '5000.0000',
        invoiceItemDescription: 'A guitar',
        updatedAt: '2019-03-14T20:39:32.920Z',
      },
    });
  });

  test.each([false, undefined, 'true'])('tracked: %p may be goods or a service', (IsTrackedAsInventory) => {
    expect(toItem({ ...guitar, IsTrackedAsInventory }, lookups).values.type).toBe('UNKNOWN');
  });

  test.each([
    [{ PurchaseDetails: { AccountCode: '999' } }, true],
    [{ SalesDetails: { AccountCode: '999' } }, true],
    [{ SalesDetails: {}, PurchaseDetails: undefined }, false],
  ])('with %j is unresolved: %p', (changes, unresolved) => {
    expect(toItem({ ...guitar, ...changes }, lookups).unresolved).toBe(unresolved);
  });

  test('has no accounts as long as none are known', () => {
    expect(toItem(guitar, nothingKnown)).toMatchObject({
      unresolved: true,
      values: { billItemAccountId: null, invoiceItemAccountId: null, billItemTaxId: 'INPUT2' },
    });
  });

  test.each(oddValues)('survives %p in every field but its id', (value) => {
    const odd = Object.fromEntries(Object.keys(guitar).map((name) => [name, value]));
    expect(toItem({ ...odd, ItemID: 'guitar' }, lookups).platformId).toBe('guitar');
  });

  test('cannot do without its id', () => {
    expect(() => toItem({ Code: 'GTR' }, lookups)).toThrow('Xero sent a record without ItemID');
  });
});
