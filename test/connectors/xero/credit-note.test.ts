import { describe, expect, test } from '@jest/globals';

import { toInvoiceCreditNote } from '../../../src/connectors/xero/mappers/credit-note.js';
import { lookups, nothingKnown, oddValues } from './lookups.js';

const creditNote = {
  Type: 'ACCRECCREDIT',
  CreditNoteID: 'cn-1',
  CreditNoteNumber: 'CN-0001',
  Reference: 'Broken on arrival',
  Contact: { ContactID: 'acme' },
  DateString: '2026-03-14T00:00:00',
  Status: 'AUTHORISED',
  LineAmountTypes: 'Inclusive',
  LineItems: [{ LineItemID: 'line-1', LineAmount: 115, TaxAmount: 15, AccountCode: '200' }],
  TotalTax: 15,
  Total: 115,
  RemainingCredit: 32.5,
  Allocations: [
    { Amount: 40, Invoice: { InvoiceID: 'inv-2' } },
    { Amount: 30, Invoice: { InvoiceID: 'inv-1' } },
    { Amount: 12.5, Invoice: { InvoiceID: 'inv-2' } },
    { Amount: 15, Invoice: { InvoiceID: 'inv-3' }, IsDeleted: true },
    { Amount: 1 },
    null,
  ],
  CurrencyCode: 'NZD',
  UpdatedDateUTC: '/Date(1552595972920+0000)/',
};

describe('a Xero credit note', () => {
  test('is read field by field', () => {
    expect(toInvoiceCreditNote(creditNote, lookups)).toMatchObject({
      platformId: 'cn-1',
      deleted: false,
      unresolved: false,
      values: {
        contactId: 'acme',
        currencyId: 'NZD',
        currencyCode: 'NZD',
        documentNumber: 'CN-0001',
        invoiceIds: ['inv-2', 'inv-1'],
        memo: 'Broken on arrival',
        postedDate: '2026-03-14',
        remainingCredit: '32.5',
        status: 'PARTIALLY_PAID',
        taxAmount: '15',
        totalAmount: '115',
        updatedAt: '2019-03-14T20:39:32.920Z',
      },
      lines: {
        lineItems: [
          {
            platformId: 'line-1',
            values: {
              lineItemType: 'INVOICE_CREDIT_NOTES',
              lineItemTypeId: 'cn-1',
              accountId: 'sales',
              subTotal: '100',
              totalAmount: '115',
            },
          },
        ],
      },
    });
  });

  test.each(['ACCPAYCREDIT', undefined])('is not one of type %p', (Type) => {
    expect(toInvoiceCreditNote({ ...creditNote, Type }, lookups)).toBeNull();
  });

  test.each([
    ['PAID', 'PAID', false],
    ['VOIDED', 'VOID', false],
    ['DELETED', 'VOID', true],
    ['NEWSTATE', 'UNKNOWN', false],
  ])('in the state %s is %s', (Status, status, deleted) => {
    expect(toInvoiceCreditNote({ ...creditNote, Status }, lookups)).toMatchObject({
      deleted,
      values: { status },
    });
  });

  test.each([
    [115, 'SUBMITTED'],
    [114.99, 'PARTIALLY_PAID'],
    [0.01, 'PARTIALLY_PAID'],
    [0, 'SUBMITTED'],
    [undefined, 'SUBMITTED'],
  ])('of 115 that is approved and has %p left is %s', (RemainingCredit, status) => {
    expect(toInvoiceCreditNote({ ...creditNote, RemainingCredit }, lookups)?.values.status).toBe(status);
  });

  test('is unresolved when an account code is', () => {
    expect(toInvoiceCreditNote(creditNote, nothingKnown)?.unresolved).toBe(true);
  });

  test.each(oddValues)('survives %p in every field but type and id', (value) => {
    const odd = Object.fromEntries(Object.keys(creditNote).map((name) => [name, value]));
    const object = { ...odd, Type: 'ACCRECCREDIT', CreditNoteID: 'cn-1' };
    expect(toInvoiceCreditNote(object, lookups)?.platformId).toBe('cn-1');
  });

  test('cannot do without its id', () => {
    expect(() => toInvoiceCreditNote({ Type: 'ACCRECCREDIT' }, lookups)).toThrow(
      'Xero sent a record without CreditNoteID',
    );
  });
});
