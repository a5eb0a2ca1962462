import { describe, expect, test } from '@jest/globals';

import { type PlatformObject } from '../../../src/connectors/platform.js';
import * as bills from '../../../src/connectors/xero/mappers/bill-payment.js';
import * as invoices from '../../../src/connectors/xero/mappers/invoice-payment.js';
import { lookups, nothingKnown, oddValues } from './lookups.js';

const toInvoicePayment = (object: PlatformObject) => invoices.toInvoicePayment(object, lookups);
const toBillPayment = (object: PlatformObject) => bills.toBillPayment(object, lookups);

const payment = {
  PaymentID: 'pay-1',
  PaymentType: 'ACCRECPAYMENT',
  Status: 'AUTHORISED',
  Date: '/Date(1773446400000+0000)/',
  Amount: 46,
  BankAmount: 73.6,
  CurrencyRate: 0.625,
  Reference: 'Cheque 12',
  Account: { AccountID: 'bank', Code: '090' },
  Invoice: { Type: 'ACCREC', InvoiceID: 'inv-1', Contact: { ContactID: 'acme' }, CurrencyCode: 'USD' },
  UpdatedDateUTC: '/Date(1552595972920+0000)/',
};
const values = {
  paymentId: 'pay-1',
  creditNoteId: null,
  accountId: 'bank',
  contactId: 'acme',
  currencyId: 'USD',
  currencyCode: 'USD',
  currencyRate: '1.6',
  amount: '46',
  paymentMode: null,
  documentNumber: 'Cheque 12',
  memo: 'Cheque 12',
  paymentDate: '2026-03-14',
  updatedAt: '2019-03-14T20:39:32.920Z',
};

describe('a Xero payment', () => {
  test('of an invoice is read field by field', () => {
    expect(toInvoicePayment(payment)).toEqual({
      platformId: 'pay-1',
      deleted: false,
      values: { ...values, invoiceId: 'inv-1' },
    });
  });

  test('of a bill is read field by field', () => {
    expect(toBillPayment({ ...payment, PaymentType: 'ACCPAYPAYMENT' })).toEqual({
      platformId: 'pay-1',
      deleted: false,
      values: { ...values, billId: 'inv-1' },
    });
  });

  test.each(['ACCRECPAYMENT', 'ARCREDITPAYMENT', 'AROVERPAYMENTPAYMENT', 'ARPREPAYMENTPAYMENT'])(
    'of type %s is a customer’s',
    (PaymentType) => {
      expect(toInvoicePayment({ ...payment, PaymentType })?.platformId).toBe('pay-1');
      expect(toBillPayment({ ...payment, PaymentType })).toBeNull();
    },
  );

  test.each(['ACCPAYPAYMENT', 'APCREDITPAYMENT', 'APOVERPAYMENTPAYMENT', 'APPREPAYMENTPAYMENT'])(
    'of type %s is a supplier’s',
    (PaymentType) => {
      expect(toBillPayment({ ...payment, PaymentType })?.platformId).toBe('pay-1');
      expect(toInvoicePayment({ ...payment, PaymentType })).toBeNull();
    },
  );

  test.each(['NEWPAYMENT', undefined, null, 7, {}])('of type %p is neither', (PaymentType) => {
    expect(toInvoicePayment({ ...payment, PaymentType })).toBeNull();
    expect(toBillPayment({ ...payment, PaymentType })).toBeNull();
  });

  test.each([
    [{ Invoice: { Type: 'ACCRECCREDIT', InvoiceID: 'cn-1' } }],
    [{ Invoice: undefined, CreditNote: { CreditNoteID: 'cn-1' } }],
  ])('that pays a credit note back names it: %j', (changes) => {
    const creditPayment = { ...payment, ...changes };
    expect(toInvoicePayment({ ...creditPayment, PaymentType: 'ARCREDITPAYMENT' })?.values).toMatchObject({
      invoiceId: null,
      creditNoteId: 'cn-1',
    });
    expect(toBillPayment({ ...creditPayment, PaymentType: 'APCREDITPAYMENT' })?.values).toMatchObject({
      billId: null,
      creditNoteId: 'cn-1',
    });
  });

  test('that pays a prepayment back names no invoice, but its contact and currency', () => {
    const Prepayment = { PrepaymentID: 'pre-1', Contact: { ContactID: 'acme' }, CurrencyCode: 'EUR' };
    const record = { ...payment, PaymentType: 'ARPREPAYMENTPAYMENT', Invoice: undefined, Prepayment };
    expect(toInvoicePayment(record)?.values).toMatchObject({
      invoiceId: null,
      creditNoteId: null,
      contactId: 'acme',
      currencyId: 'EUR',
    });
  });

  test.each(['OVERPAYMENTPAYMENT', 'PREPAYMENTPAYMENT'])(
    'of the type %s is money that went back, below zero',
    (type) => {
      expect(toInvoicePayment({ ...payment, PaymentType: `AR${type}` })?.values.amount).toBe('-46');
      expect(toBillPayment({ ...payment, PaymentType: `AP${type}` })?.values.amount).toBe('-46');
    },
  );

  test.each([
    ['NZD', '1'],
    ['USD', null],
  ])('without a rate in %s has the rate %p', (CurrencyCode, rate) => {
    const plain = { ...payment, CurrencyRate: undefined, Invoice: { ...payment.Invoice, CurrencyCode } };
    expect(toInvoicePayment(plain)?.values.currencyRate).toBe(rate);
    expect(toBillPayment({ ...plain, PaymentType: 'ACCPAYPAYMENT' })?.values.currencyRate).toBe(rate);
  });

  test('is deleted when Xero says so', () => {
    expect(toInvoicePayment({ ...payment, Status: 'DELETED' })?.deleted).toBe(true);
  });

  test.each(oddValues)('survives %p in every field but type and id', (value) => {
    const odd = Object.fromEntries(Object.keys(payment).map((name) => [name, value]));
    const receipt = { ...odd, PaymentType: 'ARCREDITPAYMENT', PaymentID: 'pay-1' };
    expect(toInvoicePayment(receipt)?.platformId).toBe('pay-1');
    expect(toBillPayment({ ...receipt, PaymentType: 'APCREDITPAYMENT' })?.platformId).toBe('pay-1');
  });

  test('cannot do without its id', () => {
    expect(() => toInvoicePayment({ PaymentType: 'ACCRECPAYMENT' })).toThrow(
      'Xero sent a record without PaymentID',
    );
    expect(() => toBillPayment({ PaymentType: 'ACCPAYPAYMENT' })).toThrow(
      'Xero sent a record without PaymentID',
    );
  });
});

describe('an allocation of what was paid before', () => {
  const allocation = {
    AllocationID: 'all-1',
    Amount: 30,
    Date: '/Date(1773446400000+0000)/',
    Invoice: { InvoiceID: 'inv-1' },
    IsDeleted: false,
    AllocationOf: {
      PrepaymentID: 'pre-1',
      Type: 'RECEIVE-PREPAYMENT',
      Contact: { ContactID: 'acme' },
      CurrencyCode: 'USD',
      CurrencyRate: 0.625,
      Reference: 'Cheque 12',
      UpdatedDateUTC: '/Date(1552595972920+0000)/',
    },
  };
  const ofType = (Type: string) => ({ ...allocation, AllocationOf: { ...allocation.AllocationOf, Type } });

  test('pays an invoice, without an account: the money was there', () => {
    expect(toInvoicePayment(allocation)).toEqual({
      platformId: 'all-1',
      deleted: false,
      values: { ...values, paymentId: 'all-1', accountId: null, amount: '30', invoiceId: 'inv-1' },
    });
    expect(toInvoicePayment({ ...allocation, IsDeleted: true })?.deleted).toBe(true);
  });

  test.each([
    ['NZD', lookups, '1'],
    ['USD', lookups, null],
    ['NZD', nothingKnown, null],
  ])('without a rate in %s has one where that is the base currency', (CurrencyCode, known, rate) => {
    const AllocationOf = { ...allocation.AllocationOf, CurrencyCode, CurrencyRate: undefined };
    const paid = invoices.toInvoicePayment({ ...allocation, AllocationOf }, known);
    expect(paid?.values.currencyRate).toBe(rate);
  });

  test.each([
    ['RECEIVE-OVERPAYMENT', 'SPEND-OVERPAYMENT'],
    ['ARPREPAYMENT', 'APPREPAYMENT'],
    ['AROVERPAYMENT', 'APOVERPAYMENT'],
  ])('%s is a customer’s, %s a supplier’s', (customers, suppliers) => {
    expect([toInvoicePayment(ofType(customers))?.platformId, toBillPayment(ofType(customers))]).toEqual([
      'all-1',
      null,
    ]);
    expect([toInvoicePayment(ofType(suppliers)), toBillPayment(ofType(suppliers))?.values.billId]).toEqual([
      null,
      'inv-1',
    ]);
  });
});
