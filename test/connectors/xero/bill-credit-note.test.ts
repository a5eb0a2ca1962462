import { describe, expect, test } from '@jest/globals';

import { toBillCreditNote } from '../../../src/connectors/xero/mappers/bill-credit-note.js';
import { lookups, oddValues } from './lookups.js';

const creditNote = {
  Type: 'ACCPAYCREDIT',
  CreditNoteID: 'cn-1',
  CreditNoteNumber: 'SUP-CN-1',
  Contact: { ContactID: 'supplier' },
  Date: '/Date(1773446400000+0000)/',
  Status: 'PAID',
  LineAmountTypes: 'NoTax',
  LineItems: [{ LineAmount: 46 }],
  TotalTax: 0,
  Total: 46,
  RemainingCredit: 0,
  Allocations: [
    { Amount: 40, Invoice: { InvoiceID: 'bill-1' } },
    { Amount: 6, Invoice: { InvoiceID: 'bill-1' } },
  ],
  CurrencyCode: 'NZD',
  UpdatedDateUTC: '/Date(1552595972920+0000)/',
};

describe('a Xero credit note of a supplier', () => {
  test('is read field by field', () => {
    expect(toBillCreditNote(creditNote, lookups)).toMatchObject({
      platformId: 'cn-1',
      deleted: false,
      unresolved: false,
      values: {
        contactId: 'supplier',
        currencyId: 'NZD',
        currencyCode: 'NZD',
        documentNumber: 'SUP-CN-1',
        billIds: ['bill-1'],
        memo: null,
        postedDate: '2026-03-14',
        remainingCredit: '0',
        status: 'PAID',
        taxAmount: '0',
        totalAmount: '46',
        updatedAt: '2019-03-14T20:39:32.920Z',
      },
      lines: {
        lineItems: [
          { platformId: null, values: { lineItemType: 'BILL_CREDIT_NOTES', lineItemTypeId: 'cn-1' } },
        ],
      },
    });
  });

  test.each(['ACCRECCREDIT', undefined])('is not one of type %p', (Type) => {
    expect(toBillCreditNote({ ...creditNote, Type }, lookups)).toBeNull();
  });

  test('is deleted when Xero says so', () => {
    expect(toBillCreditNote({ ...creditNote, Status: 'DELETED' }, lookups)?.deleted).toBe(true);
  });

  test.each(oddValues)('survives %p in every field but type and id', (value) => {
    const odd = Object.fromEntries(Object.keys(creditNote).map((name) => [name, value]));
    const object = { ...odd, Type: 'ACCPAYCREDIT', CreditNoteID: 'cn-1' };
    expect(toBillCreditNote(object, lookups)?.platformId).toBe('cn-1');
  });
});
