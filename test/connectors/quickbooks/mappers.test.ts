import { describe, expect, test } from '@jest/globals';

import { type PlatformObject } from '../../../src/connectors/platform.js';
import { type Lookups, type UnifiedRecord } from '../../../src/connectors/pull.js';
import { quickbooks } from '../../../src/connectors/quickbooks/index.js';
import { resourceOf } from '../sandbox/answering.js';
import { oddValues } from '../xero/lookups.js';

const USD: Lookups = { baseCurrency: 'USD', platformIdOf: () => null };

function map(dataModel: string, object: PlatformObject, lookups = USD): UnifiedRecord | null {
  return resourceOf(quickbooks, dataModel).toUnified({ Id: '1', ...object }, lookups);
}
const valuesOf = (dataModel: string, object: PlatformObject): any => map(dataModel, object)?.values;
const linesOf = (dataModel: string, object: PlatformObject, name = 'lineItems'): any[] =>
  (map(dataModel, object)?.lines?.[name] ?? []).map(({ values }) => values);

const sale = (Amount: number, detail: object = {}) => ({
  Amount,
  DetailType: 'SalesItemLineDetail',
  SalesItemLineDetail: { TaxCodeRef: { value: 'NON' }, ...detail },
});

describe('a document', () => {
  test.each([
    [{ TotalAmt: 50, Balance: 50 }, 'SUBMITTED'],
    [{ TotalAmt: 50, Balance: 20.5 }, 'PARTIALLY_PAID'],
    [{ TotalAmt: 50, Balance: 0 }, 'PAID'],
    [{ TotalAmt: 0, Balance: 0 }, 'PAID'],
    [{ TotalAmt: 0, Balance: 0, PrivateNote: 'Voided - by mistake' }, 'VOID'],
    [{ TotalAmt: 50, Balance: 50, PrivateNote: 'Voided the other one' }, 'SUBMITTED'],
    [{ TotalAmt: 50 }, 'UNKNOWN'],
  ])('of %j is %s', (object, status) => {
    expect(valuesOf('INVOICES', object).status).toBe(status);
    expect(valuesOf('BILLS', object).status).toBe(status);
  });

  test('with credit left counts that, not its balance', () => {
    const note = { TotalAmt: 50, Balance: 0, RemainingCredit: 30 };
    expect(valuesOf('INVOICE_CREDIT_NOTES', note)).toMatchObject({
      remainingCredit: '30',
      status: 'PARTIALLY_PAID',
    });
  });

  test('is in the home currency unless it says otherwise, at a rate to it', () => {
    expect(valuesOf('INVOICES', {})).toMatchObject({ currencyId: 'USD', currencyRate: '1' });
    const foreign = { CurrencyRef: { value: 'EUR' }, ExchangeRate: 1.0876 };
    expect(valuesOf('INVOICES', foreign)).toMatchObject({ currencyId: 'EUR', currencyRate: '1.0876' });
    expect(valuesOf('INVOICES', { CurrencyRef: { value: 'EUR' } }).currencyRate).toBeNull();
    expect(map('INVOICES', {}, { ...USD, baseCurrency: null })).toMatchObject({ unresolved: true });
  });

  test('has its times in UTC, and its days as they are', () => {
    const times = { MetaData: { LastUpdatedTime: '2026-11-27T22:00:00-08:00' }, TxnDate: '2026-11-27' };
    expect(valuesOf('INVOICES', times)).toMatchObject({
      updatedAt: '2026-11-28T06:00:00.000Z',
      postedDate: '2026-11-27',
    });
    expect(valuesOf('INVOICES', { TxnDate: '2026-02-30' }).postedDate).toBeNull();
  });

  test('takes its discount off in a line', () => {
    const object = {
      TotalAmt: 99,
      TxnTaxDetail: { TotalTax: 9 },
      Line: [
        sale(100, { TaxCodeRef: { value: 'TAX' } }),
        { Amount: 100, DetailType: 'SubTotalLineDetail', SubTotalLineDetail: {} },
        {
          Amount: 10,
          DetailType: 'DiscountLineDetail',
          DiscountLineDetail: { DiscountAccountRef: { value: '86' }, TaxCodeRef: { value: 'NON' } },
        },
      ],
    };
    expect(valuesOf('INVOICES', object)).toMatchObject({
      subTotal: '90',
      taxAmount: '9',
      totalDiscount: '10',
      totalAmount: '99',
    });
    expect(linesOf('INVOICES', object)).toMatchObject([
      // QuickBooks does not say how much of the tax is on a line.
      { subTotal: '100', taxAmount: null, totalAmount: null },
      { subTotal: '-10', taxAmount: '0', totalAmount: '-10', accountId: '86' },
    ]);
  });

  test('with prices that include tax has the tax of each line', () => {
    const [line] = linesOf('INVOICES', {
      GlobalTaxCalculation: 'TaxInclusive',
      TxnTaxDetail: { TotalTax: 16.67 },
      Line: [sale(83.33, { TaxInclusiveAmt: 100, TaxCodeRef: { value: '5' } })],
    });
    expect(line).toMatchObject({ subTotal: '83.33', taxAmount: '16.67', totalAmount: '100', taxId: '5' });
  });

  test('has what is in a bundle, and texts, in their places', () => {
    const lines = linesOf('INVOICES', {
      DepartmentRef: { value: '3' },
      ClassRef: { value: '8' },
      Line: [
        {
          Amount: 30,
          DetailType: 'GroupLineDetail',
          GroupLineDetail: {
            GroupItemRef: { value: '9' },
            Line: [sale(10, { ItemRef: { value: '4' } }), sale(20, { ClassRef: { value: '2' } })],
          },
        },
        { Description: 'Thank you', DetailType: 'DescriptionOnly', DescriptionLineDetail: {} },
        sale(5, { ItemRef: { value: 'SHIPPING_ITEM_ID' } }),
      ],
    });
    expect(lines).toMatchObject([
      { itemId: '4', subTotal: '10', trackingCategoryIds: ['class:8', 'department:3'] },
      { subTotal: '20', trackingCategoryIds: ['class:2', 'department:3'] },
      { description: 'Thank you', subTotal: null, totalAmount: null },
      { itemId: null, totalAmount: '5' },
    ]);
  });

  test('names what it is linked to, of itself and of its lines', () => {
    const LinkedTxn = [{ TxnType: 'PurchaseOrder', TxnId: '7' }];
    const Line = [{ Amount: 1, LinkedTxn: [{ TxnType: 'PurchaseOrder', TxnId: '8' }] }];
    expect(valuesOf('BILLS', { LinkedTxn, Line }).purchaseOrderIds).toEqual(['7', '8']);
    expect(valuesOf('PURCHASE_ORDERS', { LinkedTxn: [{ TxnType: 'Bill', TxnId: '9' }] }).billIds).toEqual([
      '9',
    ]);
  });
});

describe('a receipt', () => {
  const sold = {
    svc_entity: 'SalesReceipt',
    TxnDate: '2026-11-28',
    TotalAmt: 108,
    Balance: 0,
    TxnTaxDetail: { TotalTax: 8 },
    DepositToAccountRef: { value: '35' },
    PaymentRefNum: '10264',
    CurrencyRef: { value: 'EUR' },
    ExchangeRate: 1.1,
    Line: [sale(100)],
  };
  const refund = { ...sold, svc_entity: 'RefundReceipt', CustomerRef: { value: '7' } };

  test('of a sale is an invoice that is paid, and its payment', () => {
    expect(map('INVOICES', sold)).toMatchObject({
      platformId: 'salesreceipt:1',
      values: {
        contactId: null,
        subTotal: '100',
        taxAmount: '8',
        totalAmount: '108',
        amountDue: '0',
        status: 'PAID',
        postedDate: '2026-11-28',
        dueDate: '2026-11-28',
        currencyRate: '1.1',
      },
      lines: { lineItems: [{ values: { lineItemTypeId: 'salesreceipt:1', subTotal: '100' } }] },
    });
    expect(map('INVOICE_PAYMENTS', sold)).toMatchObject({
      platformId: 'salesreceipt:1',
      values: {
        paymentId: 'salesreceipt:1',
        invoiceId: 'salesreceipt:1',
        creditNoteId: null,
        amount: '108',
        accountId: '35',
        documentNumber: '10264',
        paymentDate: '2026-11-28',
        currencyId: 'EUR',
        currencyRate: '1.1',
      },
    });
  });

  test('of a refund is a credit note that is used up, and what was paid out of it', () => {
    expect(map('INVOICE_CREDIT_NOTES', refund)).toMatchObject({
      platformId: 'refundreceipt:1',
      values: { remainingCredit: '0', totalAmount: '108', status: 'PAID', contactId: 'customer:7' },
    });
    expect(map('INVOICE_PAYMENTS', refund)).toMatchObject({
      platformId: 'refundreceipt:1',
      values: { invoiceId: null, creditNoteId: 'refundreceipt:1', amount: '108', contactId: 'customer:7' },
    });
  });

  test('that is voided is void', () => {
    const voided = { TotalAmt: 0, Balance: 0, PrivateNote: 'Voided' };
    expect(valuesOf('INVOICES', { ...sold, ...voided })).toMatchObject({ status: 'VOID', amountDue: '0' });
    expect(valuesOf('INVOICE_CREDIT_NOTES', { ...refund, ...voided }).status).toBe('VOID');
  });

  test('has its files', () => {
    const ref = (type: string) => ({
      AttachableRef: [{ EntityRef: { type, value: '9' } }],
      FileName: 'a.pdf',
    });
    expect(valuesOf('DOCUMENTS', ref('SalesReceipt'))).toMatchObject({
      documentType: 'INVOICES',
      documentTypeId: 'salesreceipt:9',
    });
    expect(valuesOf('DOCUMENTS', ref('RefundReceipt'))).toMatchObject({
      documentType: 'INVOICE_CREDIT_NOTES',
      documentTypeId: 'refundreceipt:9',
    });
  });
});

describe('a purchase', () => {
  const refund = {
    Credit: true,
    TotalAmt: 20,
    PaymentType: 'CreditCard',
    AccountRef: { value: '41' },
    EntityRef: { value: '7', type: 'Vendor' },
    Line: [
      {
        Amount: 20,
        DetailType: 'AccountBasedExpenseLineDetail',
        AccountBasedExpenseLineDetail: { AccountRef: { value: '60' } },
      },
    ],
  };

  test('that was paid back is a negative expense, and money that came in', () => {
    expect(valuesOf('EXPENSES', refund)).toMatchObject({ totalAmount: '-20', contactId: 'vendor:7' });
    expect(linesOf('EXPENSES', refund)).toMatchObject([{ subTotal: '-20', accountId: '60' }]);
    const moved = { ...refund, svc_entity: 'Purchase' };
    expect(map('BANK_TRANSACTIONS', moved)).toMatchObject({
      platformId: 'purchase:1',
      values: { amount: '20', debitOrCredit: 'CREDIT', type: 'EXPENSE', status: null },
    });
  });

  test('that is void is no expense, and a void transaction', () => {
    const voided = { TotalAmt: 0, PrivateNote: 'Voided', svc_entity: 'Purchase' };
    expect(map('EXPENSES', voided)?.deleted).toBe(true);
    expect(valuesOf('BANK_TRANSACTIONS', voided).status).toBe('VOID');
  });

  test('is the only bank transaction that is an expense', () => {
    expect(map('EXPENSES', { TotalAmt: 20, svc_entity: 'Purchase' })?.platformId).toBe('1');
    expect(map('EXPENSES', { TotalAmt: 20, svc_entity: 'Deposit' })).toBeNull();
  });

  test('from an employee has no contact', () => {
    const object = { EntityRef: { value: '55', type: 'Employee' } };
    expect(valuesOf('EXPENSES', object).contactId).toBeNull();
  });
});

test.each(['Transfer', 'CreditCardPayment'])('a %s that is voided is void', (svc_entity) => {
  const statusOf = (object: object) => valuesOf('BANK_TRANSACTIONS', { svc_entity, ...object }).status;
  expect(statusOf({ Amount: 0, PrivateNote: 'Voided - by mistake' })).toBe('VOID');
  expect(statusOf({ Amount: 5, PrivateNote: 'Voided the other one' })).toBeNull();
});

test('a payment of a credit card moves money to it, in the home currency', () => {
  const paid = {
    svc_entity: 'CreditCardPayment',
    BankAccountRef: { value: '35' },
    CreditCardAccountRef: { value: '41' },
    CurrencyRef: { value: 'USD' },
    Amount: 10,
  };
  expect(map('BANK_TRANSACTIONS', paid)).toMatchObject({
    platformId: 'creditcardpayment:1',
    values: { fromAccountId: '35', toAccountId: '41', amount: '10', type: 'TRANSFER', currencyRate: '1' },
  });
});

describe('a payment', () => {
  test('pays what its part is linked to', () => {
    const paid = { CustomerRef: { value: '3' }, DepositToAccountRef: { value: '35' } };
    const part = (TxnType: string) => ({
      ...paid,
      Line: [{ Amount: 12.5, LinkedTxn: [{ TxnType, TxnId: '9' }] }],
    });
    expect(map('INVOICE_PAYMENTS', part('Invoice'))).toMatchObject({
      platformId: '1:invoice:9',
      values: {
        invoiceId: '9',
        creditNoteId: null,
        amount: '12.5',
        accountId: '35',
        contactId: 'customer:3',
      },
    });
    expect(valuesOf('INVOICE_PAYMENTS', part('CreditMemo'))).toMatchObject({
      invoiceId: null,
      creditNoteId: '9',
    });
    expect(valuesOf('BILL_PAYMENTS', part('Bill'))).toMatchObject({ billId: '9', creditNoteId: null });
    expect(valuesOf('BILL_PAYMENTS', part('JournalEntry'))).toMatchObject({
      billId: null,
      creditNoteId: null,
    });
  });

  test('that is not applied is what is left', () => {
    expect(map('INVOICE_PAYMENTS', { TotalAmt: 50, svc_left: '20', Line: [] })).toMatchObject({
      platformId: '1',
      values: { amount: '20', paymentId: '1' },
    });
  });
});

describe('an entry', () => {
  const line = (PostingType: string, Amount: number, detail: object = {}) => ({
    Amount,
    DetailType: 'JournalEntryLineDetail',
    JournalEntryLineDetail: { PostingType, ...detail },
  });

  test('is as large as its debits', () => {
    const Line = [line('Debit', 10), line('Debit', 5.5), line('Credit', 15.5)];
    expect(valuesOf('JOURNAL_ENTRIES', { Line }).amount).toBe('15.5');
  });

  test('has tax beside its lines only where these do not balance without it', () => {
    const Line = [line('Debit', 10, { TaxAmount: 2 }), line('Credit', 12)];
    expect(valuesOf('JOURNAL_ENTRIES', { Line, TxnTaxDetail: { TotalTax: 2 } }).amount).toBe('12');
  });

  test('names a contact by its kind', () => {
    const Entity = { Type: 'Vendor', EntityRef: { value: '7' } };
    const [one] = linesOf('JOURNAL_ENTRIES', { Line: [line('Debit', 1, { Entity })] }, 'journalLines');
    expect(one).toMatchObject({ contactId: 'vendor:7', type: 'DEBIT', netAmount: '1' });
  });
});

describe('settings', () => {
  test('a tax code is compounded of its rates, and of none if it has none', () => {
    const rate = (Id: string, RateValue: number) => {
      return { Id, Name: `Rate ${Id}`, RateValue, AgencyRef: { value: '4' }, svc_tax_agency: 'Revenue' };
    };
    const detail = (value: string, TaxTypeApplicable: string) => ({
      TaxRateRef: { value },
      TaxTypeApplicable,
    });
    const code = {
      Name: 'GST/PST',
      SalesTaxRateList: { TaxRateDetail: [detail('1', 'TaxOnAmount'), detail('2', 'TaxOnAmountPlusTax')] },
      svc_tax_rates: [rate('1', 5), rate('2', 10)],
    };
    expect(valuesOf('TAX_RATES', code)).toMatchObject({ totalTaxRate: '15', effectiveTaxRate: '15.5' });
    expect(linesOf('TAX_RATES', code, 'components')).toMatchObject([
      { name: 'Rate 1', rate: '5', taxAgency: 'Revenue', isCompound: false },
      { name: 'Rate 2', rate: '10', isCompound: true },
    ]);
    expect(valuesOf('TAX_RATES', { Id: 'TAX' })).toMatchObject({
      totalTaxRate: null,
      effectiveTaxRate: null,
    });
  });

  test('a category of items is none, and an account of a bank or a card is one of both', () => {
    expect(map('ITEMS', { Type: 'Category' })).toBeNull();
    const card = { AccountType: 'Credit Card', Classification: 'Liability', CurrentBalance: -12.5 };
    expect(valuesOf('ACCOUNTS', card)).toMatchObject({ category: 'LIABILITY', currentBalance: '-12.5' });
    expect(valuesOf('BANK_ACCOUNTS', card).balance).toBe('-12.5');
    expect(map('BANK_ACCOUNTS', { AccountType: 'Income' })).toBeNull();
  });

  test('a note without a file, and a file of nothing of ours, are no documents', () => {
    const ref = (type: string) => ({ AttachableRef: [{ EntityRef: { type, value: '9' } }] });
    expect(map('DOCUMENTS', { Note: 'call them', ...ref('Invoice') })).toBeNull();
    expect(map('DOCUMENTS', { FileName: 'a.pdf', ...ref('Customer') })).toBeNull();
    expect(valuesOf('DOCUMENTS', { FileName: 'a.pdf', Size: 12, ...ref('Purchase') })).toMatchObject({
      documentType: 'EXPENSES',
      documentTypeId: '9',
      fileSize: '12',
    });
  });
});

test.each(quickbooks.pulls.map(({ definition }) => definition.dataModel))(
  'odd values in an object of %s cost no record',
  (dataModel) => {
    const names = [
      'Line',
      'MetaData',
      'TxnTaxDetail',
      'LinkedTxn',
      'CurrencyRef',
      'TotalAmt',
      'EntityRef',
      'Name',
    ];
    const wanted = {
      Code: 'USD',
      FileName: 'a',
      AttachableRef: [{ EntityRef: { type: 'Bill', value: '1' } }],
    };
    for (const odd of oddValues) {
      const object = {
        ...Object.fromEntries(names.map((name) => [name, odd])),
        ...wanted,
        AccountType: 'Bank',
      };
      expect(map(dataModel, object)).not.toBeNull();
    }
  },
);
