import { describe, expect, test } from '@jest/globals';

import { type PlatformObject } from '../../../src/connectors/platform.js';
import { type UnifiedRecord } from '../../../src/connectors/pull.js';
import { toAccount } from '../../../src/connectors/zoho/mappers/account.js';
import { toContact } from '../../../src/connectors/zoho/mappers/contact.js';
import { toItem } from '../../../src/connectors/zoho/mappers/item.js';
import { toJournalEntry } from '../../../src/connectors/zoho/mappers/journal.js';
import { toCompanyInfo, toCurrency, toTaxRate } from '../../../src/connectors/zoho/mappers/settings.js';
import {
  toBill,
  toBillCreditNote,
  toExpense,
  toInvoice,
  toInvoiceCreditNote,
  toPurchaseOrder,
  toSalesOrder,
} from '../../../src/connectors/zoho/mappers/trade.js';
import { zoho } from '../../../src/connectors/zoho/index.js';
import { dayOf, instantIn } from '../../../src/connectors/zoho/times.js';
import { parsePlatformJson } from '../../../src/connectors/values/platform-json.js';

const NOTHING = { baseCurrency: null, platformIdOf: () => null };

/** An invoice with one line, changed. */
const invoiceWith = (more: PlatformObject, line: PlatformObject = {}) =>
  toInvoice({
    invoice_id: '1',
    status: 'sent',
    total: 100,
    balance: 100,
    discount_type: 'item_level',
    line_items: [{ line_item_id: '2', item_total: 100, rate: 100, quantity: 1, ...line }],
    ...more,
  });
const linesOf = (record: UnifiedRecord) =>
  (record.lines?.['lineItems'] ?? []).map(({ values }) => values as Readonly<Record<string, unknown>>);

describe('odd values', () => {
  const MAPPERS = [
    [toAccount, 'account_id'],
    [toContact, 'contact_id'],
    [toItem, 'item_id'],
    [toJournalEntry, 'journal_id'],
    [toCurrency, 'currency_id'],
    [toTaxRate, 'tax_id'],
    [toCompanyInfo, 'organization_id'],
    [toInvoice, 'invoice_id'],
    [toBill, 'bill_id'],
    [toInvoiceCreditNote, 'creditnote_id'],
    [toBillCreditNote, 'vendor_credit_id'],
    [toSalesOrder, 'salesorder_id'],
    [toPurchaseOrder, 'purchaseorder_id'],
    [toExpense, 'expense_id'],
  ] as const;

  test.each(MAPPERS)('cost %p no record, but a missing id does', (toUnified, idName) => {
    const odd = {
      [idName]: '12',
      line_items: ['text', null, { item_total: 'much', tags: 7, line_item_taxes: {} }],
      taxes: 'none',
      tags: {},
      total: {},
      balance: '',
      date: '31/12/2026',
      last_modified_time: 'yesterday',
      billing_address: [],
      contact_persons: 'nobody',
      custom_fields: '',
      status: 7,
    };
    expect(toUnified(odd).platformId).toBe('12');
    expect(toUnified({ [idName]: '12' }).platformId).toBe('12');
    expect(() => toUnified({})).toThrow(expect.objectContaining({ code: 'platform-answer' }));
    expect(() => toUnified({ [idName]: 12 })).toThrow(expect.objectContaining({ code: 'platform-answer' }));
  });

  test('of payments cost no record', () => {
    for (const resource of zoho.pulls) {
      if (!resource.definition.dataModel.endsWith('_PAYMENTS')) continue;
      const record = resource.toUnified({ payment_id: '88', invoices: 'x', bills: [{}] }, NOTHING);
      expect(record?.platformId).toBe('88');
    }
  });
});

describe('times', () => {
  test.each([
    ['2026-06-09T09:46:21-0400', '2026-06-09T13:46:21.000Z'],
    ['2013-11-18T02:17:40+0530', '2013-11-17T20:47:40.000Z'],
    ['2026-06-09T09:46:21Z', '2026-06-09T09:46:21.000Z'],
    ['2026-06-09T09:46:21', null],
    ['2026-02-30T09:46:21-0400', null],
    ['', null],
  ])('%s is %s', (stamp, instant) => expect(instantIn(stamp)).toBe(instant));

  test.each([
    ['2026-06-09', '2026-06-09'],
    ['2026-02-30', null],
    ['09 Jun 2026', null],
    ['', null],
  ])('the day of %s is %s', (text, day) => expect(dayOf(text)).toBe(day));
});

test('amounts keep all their digits', () => {
  const { value } = parsePlatformJson('{"account_id":"1","current_balance":12345678901234567.89}');
  expect(toAccount(value as PlatformObject).values.currentBalance).toBe('12345678901234567.89');
});

describe('the category of an account', () => {
  test.each([
    ['bank', 'BANK'],
    ['cash', 'ASSET'],
    ['right_to_use_asset', 'ASSET'],
    ['accounts_receivable', 'ASSET'],
    ['credit_card', 'LIABILITY'],
    ['loans_and_borrowing', 'LIABILITY'],
    ['long_term_liability', 'LIABILITY'],
    ['equity', 'EQUITY'],
    ['other_income', 'INCOME'],
    ['cost_of_goods_sold', 'EXPENSE'],
    ['depreciation_expense', 'EXPENSE'],
    ['something_new', 'UNKNOWN'],
    [undefined, 'UNKNOWN'],
  ])('of type %s is %s', (type, category) =>
    expect(toAccount({ account_id: '1', account_type: type }).values.category).toBe(category),
  );
});

describe('the status of an invoice', () => {
  test.each([
    ['draft', 100, 'DRAFT'],
    ['sent', 100, 'SUBMITTED'],
    ['viewed', 100, 'SUBMITTED'],
    ['overdue', 100, 'SUBMITTED'],
    ['overdue', 40, 'PARTIALLY_PAID'],
    ['partially_paid', 40, 'PARTIALLY_PAID'],
    ['paid', 0, 'PAID'],
    ['void', 0, 'VOID'],
    ['something_new', 100, 'UNKNOWN'],
  ])('that is %s with %i open is %s', (status, balance, expected) =>
    expect(invoiceWith({ status, balance }).values.status).toBe(expected),
  );

  test.each([
    ['draft', 'DRAFT'],
    ['open', 'SUBMITTED'],
    ['invoiced', 'SUBMITTED'],
    ['closed', 'SUBMITTED'],
    ['void', 'VOID'],
    ['something_new', 'UNKNOWN'],
  ])('and of an order that is %s, %s', (status, expected) =>
    expect(toSalesOrder({ salesorder_id: '1', status }).values.status).toBe(expected),
  );
});

describe('lines', () => {
  test('without a tax have none, and with one that is not told, an unknown one', () => {
    expect(linesOf(invoiceWith({}))[0]).toMatchObject({ taxAmount: '0', totalAmount: '100' });
    const [taxed] = linesOf(invoiceWith({}, { tax_id: '9', tax_percentage: 10 }));
    expect(taxed).toMatchObject({ taxId: '9', taxAmount: null, totalAmount: null });
    const told = { tax_id: '9', line_item_taxes: [{ tax_amount: 4 }, { tax_amount: 4.5 }] };
    expect(linesOf(invoiceWith({}, told))[0]).toMatchObject({ taxAmount: '8.5', totalAmount: '108.5' });
  });

  test('have the tax between their totals with and without it', () => {
    const line = { tax_id: '9', tax_percentage: 10, item_total_inclusive_of_tax: 110 };
    expect(linesOf(invoiceWith({}, line))[0]).toMatchObject({ taxAmount: '10', totalAmount: '110' });
    const untold = { ...line, item_total_inclusive_of_tax: 0 };
    expect(linesOf(invoiceWith({}, untold))[0]).toMatchObject({ taxAmount: null, totalAmount: null });
    const [discounted] = linesOf(invoiceWith({ discount_type: 'entity_level', discount_total: 5 }, line));
    expect(discounted).toMatchObject({ taxAmount: null });
  });

  test('exclude the tax that prices include', () => {
    const taxed = {
      rate: 110,
      item_total: 100,
      item_total_inclusive_of_tax: 110,
      tax_id: '9',
      line_item_taxes: [{ tax_amount: 10 }],
    };
    expect(linesOf(invoiceWith({ is_inclusive_tax: true }, taxed))[0]).toMatchObject({
      unitAmount: '100',
      subTotal: '100',
      taxAmount: '10',
      totalAmount: '110',
    });
  });

  test('have one for each amount beside them', () => {
    const lines = linesOf(
      invoiceWith({
        discount_type: 'entity_level',
        discount_total: 5,
        shipping_charge: 11,
        shipping_charge_exclusive_of_tax: 10,
        shipping_charge_tax: 1,
        adjustment: -0.5,
        adjustment_description: 'Goodwill',
        roundoff_value: 0.02,
      }),
    );
    expect(lines.slice(1).map(({ description, totalAmount }) => [description, totalAmount])).toEqual([
      ['Discount', '-5'],
      ['Shipping charge', '11'],
      ['Goodwill', '-0.5'],
      ['Rounding', '0.02'],
    ]);
  });

  test('have no discount of the whole where those of lines are told', () => {
    const invoice = invoiceWith({ discount_total: 3 }, { discount_amount: 3 });
    expect([linesOf(invoice).length, invoice.values.totalDiscount]).toEqual([1, '3']);
  });
});

describe('the tax of a document', () => {
  const taxed = { item_total: 100, tax_id: '9', tax_percentage: 10, item_total_inclusive_of_tax: 110 };
  test.each<[string, PlatformObject, string | null]>([
    ['that is told', { tax_total: 7, taxes: [{ tax_amount: 1 }], line_items: [taxed] }, '7'],
    ['by its taxes', { taxes: [{ tax_amount: 1 }, { tax_amount: 2.5 }], line_items: [taxed] }, '3.5'],
    ['that has none', { taxes: [], line_items: [] }, '0'],
    ['by its lines', { shipping_charge_tax: 2, line_items: [taxed, { item_total: 5 }] }, '12'],
    ['whose lines do not say it', { line_items: [{ item_total: 100, tax_id: '9' }] }, null],
    ['without lines', {}, null],
  ])('%s is %j: %p', (_what, document, tax) => {
    expect(toBillCreditNote({ vendor_credit_id: '1', ...document }).values.taxAmount).toBe(tax);
  });
});

test('a credit note names what it was applied to, in either form', () => {
  const [recorded, documented] = [
    { creditnote_id: '1', invoices_credited: [{ invoice_id: '5' }, { invoice_id: '5' }] },
    { creditnote_id: '1', invoices: [{ invoice_id: '6' }] },
  ];
  expect(toInvoiceCreditNote(recorded).values.invoiceIds).toEqual(['5']);
  expect(toInvoiceCreditNote(documented).values.invoiceIds).toEqual(['6']);
});

test('a currency is named without its code', () => {
  expect(toCurrency({ currency_id: '1', currency_name: 'AUD- Australian Dollar' }).values.name).toBe(
    'Australian Dollar',
  );
});

test('lines of documents and journals lead to their projects where they have one', () => {
  expect(linesOf(invoiceWith({}, { project_id: '77' }))[0]).toMatchObject({ projectId: '77' });
  expect(linesOf(invoiceWith({}, { project_id: '' }))[0]).toMatchObject({ projectId: null });
});

describe('an order to a vendor', () => {
  const order = (more: PlatformObject) => toPurchaseOrder({ purchaseorder_id: '1', ...more });

  test('is delivered on the day that is expected, where no other is told', () => {
    const expected_delivery_date = '2026-07-01';
    expect(order({ delivery_date: '', expected_delivery_date }).values.deliveryDate).toBe('2026-07-01');
    expect(order({ delivery_date: '2026-06-01', expected_delivery_date }).values.deliveryDate).toBe(
      '2026-06-01',
    );
  });

  test('to an address in either form', () => {
    const delivery_address = { address: '', address1: 'Pier 7', address2: 'Shed B', city: 'Leith' };
    const documented = order({ delivery_address });
    expect(documented.lines?.['addresses']?.map(({ values }) => values)).toEqual([
      expect.objectContaining({
        type: 'SHIPPING',
        street: 'Pier 7, Shed B',
        locality: 'Shed B',
        city: 'Leith',
      }),
    ]);
  });
});

test('a bill names its orders in each form', () => {
  const bill = { bill_id: '1', purchaseorder_ids: ['5', '6'], purchaseorders: [{ purchaseorder_id: '5' }] };
  expect(toBill(bill).values.purchaseOrderIds).toEqual(['5', '6']);
});

describe('the financial year of an organization', () => {
  const created = { account_created_date: '2024-02-15' };
  test.each<[PlatformObject, string | null]>([
    [{ ...created, fiscal_year_start_month: 0 }, '2024-01-01'],
    [{ ...created, fiscal_year_start_month: 3 }, '2023-04-01'],
    [{ ...created, fiscal_year_start_month: 'april' }, '2023-04-01'],
    [{ ...created, fiscal_year_start_month: 12 }, null],
    [{ ...created, fiscal_year_start_month: 1.5 }, null],
    [created, null],
    [{ fiscal_year_start_month: 3 }, null],
  ])('of %j begins %s', (object, start) => {
    expect(toCompanyInfo({ organization_id: '1', ...object }).values.fiscalStartAt).toBe(start);
  });

  test('and it was created on a day', () => {
    expect(toCompanyInfo({ organization_id: '1', ...created }).values.orgCreatedAt).toBe(
      '2024-02-15T00:00:00.000Z',
    );
  });
});
