import { describe, expect, test } from '@jest/globals';
import { LosslessNumber } from 'lossless-json';

import { toBankTransaction } from '../../../src/connectors/sandbox/books/mappers/bank-transaction.js';
import {
  toBillCreditNote,
  toInvoiceCreditNote,
} from '../../../src/connectors/sandbox/books/mappers/credit-note.js';
import { toDocument } from '../../../src/connectors/sandbox/books/mappers/document.js';
import { toExpense } from '../../../src/connectors/sandbox/books/mappers/expense.js';
import { toGoodsReceiptNote } from '../../../src/connectors/sandbox/books/mappers/goods-receipt-note.js';
import { toBill, toInvoice } from '../../../src/connectors/sandbox/books/mappers/invoice.js';
import { toJournalEntry } from '../../../src/connectors/sandbox/books/mappers/journal-entry.js';
import { toPurchaseOrder, toSalesOrder } from '../../../src/connectors/sandbox/books/mappers/order.js';
import { toBillPayment, toInvoicePayment } from '../../../src/connectors/sandbox/books/mappers/payment.js';
import { allBut, lookups, nothingKnown } from './lookups.js';
import {
  attachment,
  aud,
  bill,
  CHANGED,
  creditNote,
  expense,
  goodsReceipt,
  invoice,
  journal,
  line,
  movement,
  purchaseOrder,
  receipt,
  salesOrder,
  supplierCredit,
} from './wire-books.js';

const unifiedLine = (lineItemType: string) => ({
  platformId: 'line-1',
  values: {
    lineItemType,
    lineItemTypeId: 'doc-1',
    accountId: 'ACCOUNTS 4100',
    accountCode: '4100',
    itemId: 'ITEMS CHR-01',
    itemCode: 'CHR-01',
    taxId: 'TAX_RATES AU-GST',
    projectId: 'refit',
    description: 'Office chair',
    quantity: '2',
    unitAmount: '289.50',
    subTotal: '579.00',
    totalDiscount: '57.90',
    taxAmount: '52.11',
    totalAmount: '573.21',
    trackingCategoryIds: ['victoria', 'sales'],
  },
});
const common = {
  contactId: 'cafe',
  currencyId: 'CURRENCIES AUD',
  currencyCode: 'AUD',
  documentNumber: 'DOC-0001',
  postedDate: '2026-01-09',
  taxAmount: '52.11',
  totalAmount: '573.21',
  updatedAt: CHANGED,
};
const totals = { currencyRate: '1', subTotal: '579.00', totalDiscount: '57.90' };
const demand = {
  ...common,
  ...totals,
  dueDate: '2026-02-08',
  memo: 'Thank you',
  status: 'PARTIALLY_PAID',
  amountDue: '100.00',
};
const order = { ...common, ...totals, description: 'Thank you', deliveryDate: '2026-01-20' };
const address = (dataModel: string, type: string) => ({
  platformId: null,
  values: {
    dataModel,
    dataModelId: 'doc-1',
    type,
    street: '12 Quay Street',
    locality: 'Old Town',
    city: 'Sydney',
    state: 'NSW',
    pincode: '2000',
    country: 'Australia',
  },
});

describe('documents are read field by field', () => {
  test('an invoice', () => {
    expect(toInvoice(invoice, lookups)).toEqual({
      platformId: 'doc-1',
      unresolved: false,
      values: { ...demand, salesOrderIds: ['so-1'] },
      lines: { lineItems: [unifiedLine('INVOICES')] },
    });
  });

  test('a bill', () => {
    expect(toBill(bill, lookups)).toEqual({
      platformId: 'doc-1',
      unresolved: false,
      values: { ...demand, purchaseOrderIds: ['po-1'] },
      lines: { lineItems: [unifiedLine('BILLS')] },
    });
  });

  test('a credit note to a customer names each invoice once', () => {
    expect(toInvoiceCreditNote(creditNote, lookups)).toEqual({
      platformId: 'doc-1',
      unresolved: false,
      values: {
        ...common,
        memo: 'Thank you',
        status: 'PARTIALLY_PAID',
        remainingCredit: '73.21',
        invoiceIds: ['inv-1'],
      },
      lines: { lineItems: [unifiedLine('INVOICE_CREDIT_NOTES')] },
    });
  });

  test('a credit note of a supplier', () => {
    expect(toBillCreditNote(supplierCredit, lookups)).toEqual({
      platformId: 'doc-1',
      unresolved: false,
      values: {
        ...common,
        memo: 'Thank you',
        status: 'SUBMITTED',
        remainingCredit: '473.21',
        billIds: ['bill-1'],
      },
      lines: { lineItems: [unifiedLine('BILL_CREDIT_NOTES')] },
    });
  });

  test('an order of a customer', () => {
    expect(toSalesOrder(salesOrder, lookups)).toEqual({
      platformId: 'doc-1',
      unresolved: false,
      values: { ...order, status: 'SUBMITTED', invoiceIds: ['inv-1', 'inv-2'] },
      lines: {
        lineItems: [unifiedLine('SALES_ORDERS')],
        addresses: [address('SALES_ORDERS', 'BILLING'), address('SALES_ORDERS', 'SHIPPING')],
      },
    });
  });

  test('an order to a supplier', () => {
    expect(toPurchaseOrder(purchaseOrder, lookups)).toEqual({
      platformId: 'doc-1',
      unresolved: false,
      values: { ...order, status: 'PAID', paymentMode: 'BANK_TRANSFER', billIds: ['bill-1'] },
      lines: {
        lineItems: [unifiedLine('PURCHASE_ORDERS')],
        addresses: [address('PURCHASE_ORDERS', 'SHIPPING')],
      },
    });
  });
});

test('an expense is read field by field, with the account it was paid from', () => {
  expect(toExpense(expense, lookups)).toEqual({
    platformId: 'doc-1',
    deleted: false,
    unresolved: false,
    values: {
      ...common,
      ...totals,
      accountId: 'ACCOUNTS 2400',
      paymentMode: 'CREDIT_CARD',
      memo: 'Thank you',
    },
    lines: { lineItems: [unifiedLine('EXPENSES')] },
  });
});

describe('the state of a document', () => {
  test.each([
    ['draft', 'DRAFT'],
    ['sent', 'SUBMITTED'],
    ['part-settled', 'PARTIALLY_PAID'],
    ['settled', 'PAID'],
    ['overdue', 'OVERDUE'],
    ['voided', 'VOID'],
    ['archived', 'UNKNOWN'],
    [null, 'UNKNOWN'],
  ])('%s of an invoice or bill is %s, and it is never deleted', (State, status) => {
    for (const record of [toInvoice({ ...invoice, State }, lookups), toBill({ ...bill, State }, lookups)]) {
      expect(record.values.status).toBe(status);
      expect(record.deleted).toBeUndefined();
    }
  });

  test.each([
    ['draft', 'DRAFT'],
    ['open', 'SUBMITTED'],
    ['part-used', 'PARTIALLY_PAID'],
    ['used', 'PAID'],
    ['voided', 'VOID'],
  ])('%s of a credit note is %s', (State, status) => {
    expect(toInvoiceCreditNote({ ...creditNote, State }, lookups).values.status).toBe(status);
    expect(toBillCreditNote({ ...supplierCredit, State }, lookups).values.status).toBe(status);
  });

  test.each([
    ['draft', 'DRAFT'],
    ['confirmed', 'SUBMITTED'],
    ['completed', 'PAID'],
    ['cancelled', 'VOID'],
  ])('%s of an order is %s', (State, status) => {
    expect(toSalesOrder({ ...salesOrder, State }, lookups).values.status).toBe(status);
    expect(toPurchaseOrder({ ...purchaseOrder, State }, lookups).values.status).toBe(status);
  });
});

describe('codes in a document', () => {
  test.each([
    ['4100', 'accountId'],
    ['CHR-01', 'itemId'],
    ['AU-GST', 'taxId'],
  ] as const)('that are not known yet, such as %s, are waited for', (code, field) => {
    const record = toInvoice(invoice, allBut(code));
    expect(record.unresolved).toBe(true);
    expect(record.lines?.['lineItems']?.[0]?.values).toMatchObject({ [field]: null, accountCode: '4100' });
  });

  test('that are absent are waited for by nothing', () => {
    const bare = { ...line, ProductSku: null, AccountNumber: null, TaxCode: null };
    const record = toInvoice({ ...invoice, Currency: null, Lines: [bare] }, nothingKnown);
    expect(record.unresolved).toBe(false);
  });
});

describe('amounts', () => {
  test('keep their digits, whether text or number', () => {
    const Lines = [
      { ...line, Quantity: new LosslessNumber('0.10000000000000000001'), UnitPrice: aud('1.10') },
    ];
    const record = toInvoice({ ...invoice, Lines }, lookups);
    expect(record.lines?.['lineItems']?.[0]?.values).toMatchObject({
      quantity: '0.10000000000000000001',
      unitAmount: '1.10',
    });
  });
});

describe('days', () => {
  test.each([
    ['31.12.2026', '2026-12-31'],
    ['29.02.2028', '2028-02-29'],
    ['29.02.2026', null],
    ['30.02.2026', null],
    ['00.01.2026', null],
    ['12.13.2026', null],
    ['2026-01-09', null],
    ['9.1.2026', null],
    ['01.01.0000', null],
    ['', null],
  ])('%p is %p', (Date, postedDate) => {
    expect(toInvoice({ ...invoice, Date }, lookups).values.postedDate).toBe(postedDate);
  });

  test.each([
    ['2026-01-06T10:00:00.000Z', '2026-01-06T10:00:00.000Z'],
    ['2026-01-06T10:00:00+10:00', '2026-01-06T00:00:00.000Z'],
    ['2026-01-06T10:00:00', null],
    ['2026-02-30T10:00:00Z', null],
    ['0000-01-01T00:00:00Z', null],
    ['yesterday', null],
  ])('the instant %p is %p', (ChangedOn, updatedAt) => {
    expect(toInvoice({ ...invoice, ChangedOn }, lookups).values.updatedAt).toBe(updatedAt);
  });
});

describe('a receipt', () => {
  const values = {
    creditNoteId: null,
    accountId: 'ACCOUNTS 1010',
    contactId: 'cafe',
    currencyId: 'CURRENCIES EUR',
    currencyCode: 'EUR',
    currencyRate: '1.6620',
    amount: '318.45',
    paymentMode: 'BANK_TRANSFER',
    documentNumber: 'REC-0001',
    memo: 'First half',
    paymentDate: '2026-01-12',
    updatedAt: CHANGED,
  };

  test('is read field by field', () => {
    expect(toInvoicePayment(receipt, lookups)).toEqual({
      platformId: 'rec-1',
      deleted: false,
      unresolved: false,
      values: { ...values, paymentId: 'receipt-90100', invoiceId: 'inv-1' },
    });
  });

  test('of a supplier payment is read alike', () => {
    const { ReceiptNo: RemittanceNo, Invoice: Bill, ...payment } = receipt;
    expect(toBillPayment({ ...payment, RemittanceNo, Bill }, lookups)).toEqual({
      platformId: 'rec-1',
      deleted: false,
      unresolved: false,
      values: { ...values, paymentId: 'receipt-90100', billId: 'inv-1' },
    });
  });

  test('that pays a credit note back names it and no invoice', () => {
    const record = toInvoicePayment({ ...receipt, Invoice: null, CreditNote: 'cn-1' }, lookups);
    expect(record.values).toMatchObject({ invoiceId: null, creditNoteId: 'cn-1' });
  });

  test.each([
    ['bank transfer', 'BANK_TRANSFER'],
    ['card', 'CREDIT_CARD'],
    ['cheque', 'CHEQUE'],
    ['cash', 'CASH'],
    ['credit', 'CREDIT_NOTE'],
    ['direct debit', 'DIRECT_DEBIT'],
    [null, null],
  ])('by %s is paid by %s', (PaymentMeans, paymentMode) => {
    expect(toInvoicePayment({ ...receipt, PaymentMeans }, lookups).values.paymentMode).toBe(paymentMode);
  });

  test('that is voided counts as deleted', () => {
    expect(toInvoicePayment({ ...receipt, State: 'voided' }, lookups).deleted).toBe(true);
  });

  test('into an account that is not known yet waits for it', () => {
    expect(toInvoicePayment(receipt, allBut('1010')).unresolved).toBe(true);
  });
});

describe('a bank movement', () => {
  test('is read field by field', () => {
    expect(toBankTransaction(movement, lookups)).toEqual({
      platformId: 'bnk-1',
      unresolved: false,
      values: {
        accountId: 'ACCOUNTS 1010',
        fromAccountId: 'ACCOUNTS 1010',
        toAccountId: 'ACCOUNTS 6100',
        contactId: 'timber',
        currencyId: 'CURRENCIES AUD',
        currencyCode: 'AUD',
        currencyRate: '1',
        amount: '2150.40',
        debitOrCredit: 'DEBIT',
        type: 'EXPENSE',
        status: 'CLEARED',
        transactionDate: '2026-01-07',
        updatedAt: CHANGED,
      },
    });
  });

  test.each([
    ['receive', 'CREDIT'],
    ['spend', 'DEBIT'],
    ['transfer', 'DEBIT'],
    ['swap', null],
  ])('of kind %s is a %s', (Kind, debitOrCredit) => {
    expect(toBankTransaction({ ...movement, Kind }, lookups).values.debitOrCredit).toBe(debitOrCredit);
  });

  test('that transfers money to the account of the statement is a CREDIT', () => {
    const transfer = { ...movement, Kind: 'transfer', StatementAccountNumber: '6100' };
    expect(toBankTransaction(transfer, lookups).values.debitOrCredit).toBe('CREDIT');
  });

  test.each([
    ['expense', 'EXPENSE'],
    ['deposit', 'DEPOSIT'],
    ['transfer', 'TRANSFER'],
    ['card', 'CREDIT_CARD'],
    ['fee', 'FEE'],
  ])('of nature %s is of type %s', (Nature, type) => {
    expect(toBankTransaction({ ...movement, Nature }, lookups).values.type).toBe(type);
  });

  test.each([
    ['pending', 'PENDING'],
    ['cleared', 'CLEARED'],
    ['voided', 'VOID'],
  ])('in the state %s is %s', (State, status) => {
    expect(toBankTransaction({ ...movement, State }, lookups).values.status).toBe(status);
  });

  test('without a partner has no contact', () => {
    expect(toBankTransaction({ ...movement, Partner: null }, lookups).values.contactId).toBeNull();
  });
});

describe('a journal', () => {
  test('is read field by field', () => {
    expect(toJournalEntry(journal, lookups)).toEqual({
      platformId: 'jnl-1',
      unresolved: false,
      values: {
        accountId: 'ACCOUNTS 6100',
        amount: '1100.00',
        currencyId: 'CURRENCIES AUD',
        currencyCode: 'AUD',
        currencyRate: '1',
        description: 'Rent not billed yet, 2026-01',
        documentNumber: 'JNL-0003',
        journalEntryType: 'ADJUSTING',
        postedDate: '2026-01-12',
        status: 'POSTED',
        updatedAt: CHANGED,
      },
      lines: {
        journalLines: [
          {
            platformId: 'jl-1',
            values: {
              journalEntryId: 'jnl-1',
              accountId: 'ACCOUNTS 6100',
              accountCode: '6100',
              contactId: 'timber',
              description: 'Rent not billed yet',
              type: 'DEBIT',
              netAmount: '1000.00',
              taxAmount: '100.00',
              taxId: 'TAX_RATES AU-GST',
              trackingCategoryIds: ['sales'],
            },
          },
          {
            platformId: 'jl-2',
            values: {
              journalEntryId: 'jnl-1',
              accountId: 'ACCOUNTS 2500',
              accountCode: '2500',
              contactId: null,
              description: null,
              type: 'CREDIT',
              netAmount: '1000.00',
              taxAmount: '0.00',
              taxId: null,
              trackingCategoryIds: [],
            },
          },
        ],
      },
    });
  });

  test.each([
    ['draft', 'DRAFT'],
    ['posted', 'POSTED'],
    ['voided', 'VOID'],
    ['odd', 'UNKNOWN'],
    [undefined, 'UNKNOWN'],
  ])('in the state %s has the status %s, and is there', (State, status) => {
    const record = toJournalEntry({ ...journal, State }, lookups);
    expect([record.values.status, record.deleted ?? false]).toEqual([status, false]);
  });

  test('with an account that is not known yet waits for it', () => {
    expect(toJournalEntry(journal, allBut('2500')).unresolved).toBe(true);
  });
});

describe('an attachment', () => {
  test('is read field by field', () => {
    expect(toDocument(attachment)).toEqual({
      platformId: 'file-1',
      values: {
        documentType: 'INVOICES',
        documentTypeId: 'inv-1',
        documentUploaded: false,
        fileName: 'INV-1.pdf',
        fileSize: '48211',
        fileType: 'application/pdf',
        updatedAt: CHANGED,
      },
    });
  });

  test.each([
    ['SalesInvoices', 'INVOICES'],
    ['PurchaseBills', 'BILLS'],
    ['SalesOrders', 'SALES_ORDERS'],
    ['PurchaseOrders', 'PURCHASE_ORDERS'],
    ['SalesCreditNotes', 'INVOICE_CREDIT_NOTES'],
    ['SupplierCredits', 'BILL_CREDIT_NOTES'],
    ['Expenses', 'EXPENSES'],
    ['Journals', 'JOURNAL_ENTRIES'],
  ])('of %s is one of %s', (Kind, documentType) => {
    const record = toDocument({ ...attachment, AttachedTo: { Kind, Guid: 'any' } });
    expect(record?.values).toMatchObject({ documentType, documentTypeId: 'any' });
  });

  test.each(['Partners', 'Products', undefined])('of %s is none of ours', (Kind) => {
    expect(toDocument({ ...attachment, AttachedTo: { Kind, Guid: 'any' } })).toBeNull();
  });
});

test('a goods receipt is read with its lines and the orders that it is for', () => {
  expect(toGoodsReceiptNote(goodsReceipt, lookups)).toEqual({
    platformId: 'doc-1',
    unresolved: false,
    values: {
      ...common,
      currencyRate: '1',
      subTotal: '579.00',
      totalDiscount: '57.90',
      description: 'Thank you',
      deliveryDate: '2026-01-12',
      paymentMode: 'BANK_TRANSFER',
      status: 'RECEIVED',
      purchaseOrderIds: ['order-1'],
    },
    lines: { lineItems: [unifiedLine('GOODS_RECEIPT_NOTES')] },
  });
});
