import { describe, expect, test } from '@jest/globals';
import { LosslessNumber } from 'lossless-json';

import { toInvoice } from '../../../src/connectors/xero/mappers/invoice.js';
import { lookups, nothingKnown, oddValues } from './lookups.js';

const line = {
  LineItemID: 'line-1',
  Description: 'Consulting',
  Quantity: 2,
  UnitAmount: 50,
  TaxType: 'OUTPUT2',
  TaxAmount: 15,
  LineAmount: 100,
  AccountCode: '200',
  ItemCode: 'HOURS',
  Tracking: [
    { TrackingCategoryID: 'region', TrackingOptionID: 'north' },
    { TrackingCategoryID: 'team' },
    { Name: 'Nothing' },
  ],
};
const invoice = {
  Type: 'ACCREC',
  InvoiceID: 'inv-1',
  InvoiceNumber: 'INV-0001',
  Reference: 'Spring',
  Contact: { ContactID: 'acme', Name: 'Acme Limited' },
  DateString: '2026-03-14T00:00:00',
  Date: '/Date(1773446400000+0000)/',
  DueDateString: '2026-04-14T00:00:00',
  DueDate: '/Date(1776124800000+0000)/',
  Status: 'AUTHORISED',
  LineAmountTypes: 'Exclusive',
  LineItems: [line],
  SubTotal: 100,
  TotalTax: 15,
  TotalDiscount: 5,
  Total: 115,
  AmountDue: 115,
  AmountPaid: 0,
  AmountCredited: 0,
  CurrencyCode: 'USD',
  CurrencyRate: 0.625,
  UpdatedDateUTC: '/Date(1552595972920+0000)/',
};

const values = (changes: object) => toInvoice({ ...invoice, ...changes }, lookups)?.values;
const lineValues = (changes: object, document: object = {}) =>
  toInvoice({ ...invoice, LineItems: [{ ...line, ...changes }], ...document }, lookups)?.lines?.[
    'lineItems'
  ]?.[0]?.values;

describe('a Xero invoice', () => {
  test('is read field by field', () => {
    expect(toInvoice(invoice, lookups)).toEqual({
      platformId: 'inv-1',
      deleted: false,
      unresolved: false,
      values: {
        contactId: 'acme',
        currencyId: 'USD',
        currencyCode: 'USD',
        currencyRate: '1.6',
        documentNumber: 'INV-0001',
        postedDate: '2026-03-14',
        dueDate: '2026-04-14',
        memo: 'Spring',
        status: 'SUBMITTED',
        subTotal: '100',
        taxAmount: '15',
        totalDiscount: '5',
        totalAmount: '115',
        amountDue: '115',
        salesOrderIds: [],
        updatedAt: '2019-03-14T20:39:32.920Z',
      },
      lines: {
        lineItems: [
          {
            platformId: 'line-1',
            values: {
              lineItemType: 'INVOICES',
              lineItemTypeId: 'inv-1',
              accountId: 'sales',
              accountCode: '200',
              itemId: 'hours',
              itemCode: 'HOURS',
              taxId: 'OUTPUT2',
              description: 'Consulting',
              quantity: '2',
              unitAmount: '50',
              subTotal: '100',
              taxAmount: '15',
              totalAmount: '115',
              totalDiscount: null,
              trackingCategoryIds: ['north', 'team'],
            },
          },
        ],
      },
    });
  });

  test.each(['ACCPAY', 'ARPREPAYMENT', undefined, null, 7])('is not one of type %p', (Type) => {
    expect(toInvoice({ ...invoice, Type }, lookups)).toBeNull();
  });

  test.each([
    ['DRAFT', 'DRAFT'],
    ['SUBMITTED', 'SUBMITTED'],
    ['AUTHORISED', 'SUBMITTED'],
    ['PAID', 'PAID'],
    ['VOIDED', 'VOID'],
    ['DELETED', 'VOID'],
    ['NEWSTATE', 'UNKNOWN'],
    [undefined, 'UNKNOWN'],
  ])('in the state %s is %s', (Status, status) => {
    const record = toInvoice({ ...invoice, Status }, lookups);
    expect(record).toMatchObject({ deleted: Status === 'DELETED', values: { status } });
  });

  test.each([
    [40, 0, 75, 'PARTIALLY_PAID'],
    [0, '40.00', 75, 'PARTIALLY_PAID'],
    [115, 0, 0, 'SUBMITTED'],
    [undefined, null, 115, 'SUBMITTED'],
  ])('with %p paid, %p credited and %p due is %s', (AmountPaid, AmountCredited, AmountDue, status) => {
    expect(values({ AmountPaid, AmountCredited, AmountDue })?.status).toBe(status);
  });

  test.each([
    [1, '1'],
    ['1.000000', '1'],
    [0.0000125, '80000'],
    [3, '0.333333333333333'],
    [0, null],
    [undefined, null],
    ['odd', null],
  ])('with the rate %p has ours as %p', (CurrencyRate, rate) => {
    expect(values({ CurrencyRate })?.currencyRate).toBe(rate);
  });

  test('without a rate in the base currency is one to one', () => {
    expect(values({ CurrencyCode: 'NZD', CurrencyRate: undefined })?.currencyRate).toBe('1');
  });

  test('keeps amounts that no double holds', () => {
    const Total = new LosslessNumber('12345678901234567.89');
    expect(values({ Total })?.totalAmount).toBe('12345678901234567.89');
  });

  test('takes its days from the dates when there is no text', () => {
    expect(values({ DateString: undefined, DueDateString: null })).toMatchObject({
      postedDate: '2026-03-14',
      dueDate: '2026-04-14',
    });
  });

  test.each(oddValues)('survives %p in every field but type and id', (value) => {
    const odd = Object.fromEntries(Object.keys(invoice).map((name) => [name, value]));
    expect(toInvoice({ ...odd, Type: 'ACCREC', InvoiceID: 'inv-1' }, lookups)?.platformId).toBe('inv-1');
  });

  test('cannot do without its id', () => {
    expect(() => toInvoice({ Type: 'ACCREC' }, lookups)).toThrow('Xero sent a record without InvoiceID');
  });
});

describe('a line of a Xero invoice', () => {
  test.each([
    ['Exclusive', '100', '115'],
    ['NoTax', '100', '115'],
    ['Inclusive', '85', '100'],
    [undefined, '100', '115'],
    ['NewWay', null, null],
  ])(
    'of 100 with 15 tax when amounts are %s has %s without and %s with it',
    (types, subTotal, totalAmount) => {
      expect(lineValues({}, { LineAmountTypes: types })).toMatchObject({ subTotal, totalAmount });
    },
  );

  test.each([
    ['Exclusive', '100', null],
    ['NoTax', '100', '100'],
    ['Inclusive', null, '100'],
  ])('with unknown tax when amounts are %s has %s and %s', (types, subTotal, totalAmount) => {
    const without = lineValues({ TaxAmount: null }, { LineAmountTypes: types });
    expect(without).toMatchObject({ subTotal, totalAmount, taxAmount: null });
  });

  test('adds without the errors of doubles', () => {
    expect(lineValues({ LineAmount: 0.1, TaxAmount: 0.2 })?.totalAmount).toBe('0.3');
  });

  test.each([
    [{ DiscountAmount: 12.5, DiscountRate: 10 }, '12.5'],
    [{ DiscountRate: 10, LineAmount: 90 }, '10'],
    [{ DiscountAmount: 0, DiscountRate: 10, LineAmount: 90 }, '10'],
    [{ DiscountAmount: 0, DiscountRate: 0, LineAmount: 99.99 }, '0'],
    [{ DiscountAmount: 12.5, DiscountRate: 0 }, '12.5'],
    [{ DiscountAmount: 0 }, '0'],
    // Of the rate 1.995, of which Xero has rounded what is left.
    [{ DiscountRate: 10, Quantity: 1, UnitAmount: 19.95, LineAmount: 17.96 }, '1.99'],
    [{ DiscountRate: 0, Quantity: 3, UnitAmount: 0.3333, LineAmount: 1 }, '0'],
    [{ DiscountRate: '0.0000', LineAmount: 99.99 }, '0'],
    [{ DiscountRate: 10, Quantity: null }, null],
    [{ DiscountRate: 10, LineAmount: null }, null],
    [{}, null],
  ])('with %j has the discount %p', (changes, discount) => {
    expect(lineValues(changes)?.totalDiscount).toBe(discount);
  });

  test.each([
    [
      { UnitAmount: 115, LineAmount: 230, TaxAmount: 30 },
      { unitAmount: '100', totalDiscount: null },
    ],
    [
      { UnitAmount: 115, LineAmount: 207, TaxAmount: 27, DiscountRate: 10 },
      { unitAmount: '100', totalDiscount: '20', subTotal: '180' },
    ],
    // 2 * 4.347826 is what the line has without tax, as far as it goes.
    [
      { UnitAmount: 5, LineAmount: 10, TaxAmount: 1.3 },
      { unitAmount: '4.35', subTotal: '8.7' },
    ],
    [{ Quantity: 3, UnitAmount: 1, LineAmount: 3, TaxAmount: 0.39 }, { unitAmount: '0.87' }],
    [{ UnitAmount: 0.1, LineAmount: 0.7, TaxAmount: 0.09 }, { unitAmount: '0.087143' }],
    [{ UnitAmount: 0, LineAmount: 0, TaxAmount: 0 }, { unitAmount: '0' }],
    // All is taken off: what the tax would have been no line says.
    [
      { UnitAmount: 50, LineAmount: 0, TaxAmount: 0, DiscountRate: 100 },
      { unitAmount: null, totalDiscount: null },
    ],
    [
      { TaxType: 'NONE', UnitAmount: 50, LineAmount: 0, TaxAmount: 0, DiscountRate: 100 },
      { unitAmount: '50', totalDiscount: '100', subTotal: '0' },
    ],
    [{ TaxAmount: null }, { unitAmount: null }],
  ])('whose amounts are with tax has ours without it: %j', (changes, expected) => {
    expect(lineValues(changes, { LineAmountTypes: 'Inclusive' })).toMatchObject(expected);
  });

  test.each([
    [[{ DiscountAmount: 11.5, LineAmount: 103.5, TaxAmount: 13.5 }, {}], '10'],
    [[{ DiscountRate: 100, LineAmount: 0, TaxAmount: 0 }, {}], '85'],
    [[{ DiscountRate: 100, LineAmount: 0, TaxAmount: 0 }, { TaxType: 'OTHER' }], null],
  ])('gives the discount of its document without tax, too: %j', (changes, totalDiscount) => {
    const LineItems = changes.map((change) => ({ ...line, ...change }));
    const document = { LineAmountTypes: 'Inclusive', TotalDiscount: 11.5, LineItems };
    expect(values(document)?.totalDiscount).toBe(totalDiscount);
    expect(values({ ...document, TotalDiscount: undefined })?.totalDiscount).toBeNull();
    expect(values({ ...document, LineAmountTypes: 'Exclusive' })?.totalDiscount).toBe('11.5');
  });

  test.each([
    [
      { UnitAmount: 57.5, LineAmount: 0, TaxAmount: 0, DiscountRate: 100 },
      { unitAmount: '50', totalDiscount: '100', subTotal: '0' },
    ],
    [
      { UnitAmount: 57.5, LineAmount: 0, TaxAmount: 0, DiscountAmount: 115 },
      { unitAmount: '50', totalDiscount: '100', subTotal: '0' },
    ],
    [
      { Quantity: 0, UnitAmount: 57.5, LineAmount: 0, TaxAmount: 0 },
      { unitAmount: '50', totalDiscount: null, subTotal: '0' },
    ],
  ])('of nothing has its price without tax as lines with the same tax say it: %j', (changes, expected) => {
    // 13 % of tax is what the cents of the small ones say.
    const others = [
      { LineAmount: 0.08, TaxAmount: 0.01 },
      { LineAmount: -230, TaxAmount: -30 },
      { LineAmount: 1000, TaxAmount: 0, TaxType: 'ZERORATEDOUTPUT' },
    ];
    const LineItems = [changes, ...others].map((change) => ({ ...line, ...change }));
    const read = toInvoice({ ...invoice, LineAmountTypes: 'Inclusive', LineItems }, lookups);
    expect(read?.lines?.['lineItems']?.[0]?.values).toMatchObject(expected);
  });

  test.each([
    ['of 11.00 with 1.00 of tax', { UnitAmount: 11, LineAmount: 11, TaxAmount: 1 }, '10'],
    [
      'with a discount of nothing',
      { UnitAmount: 11, LineAmount: 11, TaxAmount: 1, DiscountRate: 0, DiscountAmount: 0 },
      '10',
    ],
    ['of nothing that says no tax', { UnitAmount: 110, LineAmount: 0, TaxAmount: null }, '100.000455'],
  ])('%s has its price without tax beside a larger one', (_, change, unitAmount) => {
    const larger = { LineAmount: 220.01, TaxAmount: 20 };
    const LineItems = [{ Quantity: 1, ...change }, larger].map((one) => ({ ...line, ...one }));
    const read = toInvoice({ ...invoice, LineAmountTypes: 'Inclusive', LineItems }, lookups);
    expect(read?.lines?.['lineItems']?.[0]?.values).toMatchObject({ unitAmount });
  });

  const dear = { TaxType: 'OUTPUT', LineAmount: 1200, TaxAmount: 200 };
  const cheap = { Quantity: 1, UnitAmount: 1000, DiscountRate: 99, LineAmount: 10, TaxAmount: 1.67 };
  test.each([
    [
      'as a larger line with the same tax says it',
      { ...cheap, TaxType: 'OUTPUT' },
      { unitAmount: '833.333333', totalDiscount: '825', subTotal: '8.33', taxAmount: '1.67' },
    ],
    ['as it says itself if its tax was changed by hand', { ...cheap, TaxAmount: 1 }, { unitAmount: '900' }],
    [
      'as it says itself if no larger line has its tax',
      { ...cheap, TaxType: 'OTHER' },
      { unitAmount: '833' },
    ],
    [
      'as a larger line says it for part of a unit',
      { Quantity: 0.0011, UnitAmount: 60, LineAmount: 0.07, TaxAmount: 0.01 },
      { unitAmount: '50', subTotal: '0.06' },
    ],
    [
      'as a larger line says it for part of a unit that is given back',
      { Quantity: -0.0011, UnitAmount: 60, LineAmount: -0.07, TaxAmount: -0.01 },
      { unitAmount: '50', subTotal: '-0.06' },
    ],
    [
      'as it says itself for a whole unit',
      { Quantity: 1, UnitAmount: 0.06, LineAmount: 0.06, TaxAmount: 0.02 },
      { unitAmount: '0.04' },
    ],
  ])('with a discount or of less than a unit has its price without tax %s', (_, change, expected) => {
    const LineItems = [change, dear].map((one) => ({ ...line, TaxType: 'OUTPUT', ...one }));
    const read = toInvoice({ ...invoice, LineAmountTypes: 'Inclusive', LineItems }, lookups);
    expect(read?.lines?.['lineItems']?.[0]?.values).toMatchObject(expected);
  });

  test('prefers the account id to its code', () => {
    const LineItems = [{ ...line, AccountID: 'other', ItemCode: '' }];
    const record = toInvoice({ ...invoice, LineItems }, nothingKnown);
    expect(record).toMatchObject({
      unresolved: false,
      lines: { lineItems: [{ values: { accountId: 'other', accountCode: '200' } }] },
    });
  });

  test.each([
    [{ AccountCode: '999' }, { accountId: null, accountCode: '999' }],
    [{ ItemCode: 'DAYS' }, { itemId: null, itemCode: 'DAYS' }],
  ])('keeps %j, which stands for nothing known, and makes the record unresolved', (changes, values) => {
    expect(toInvoice({ ...invoice, LineItems: [{ ...line, ...changes }] }, lookups)).toMatchObject({
      unresolved: true,
      lines: { lineItems: [{ values }] },
    });
  });

  test('is not unresolved for empty codes', () => {
    const LineItems = [{ ...line, AccountCode: '', ItemCode: '' }];
    expect(toInvoice({ ...invoice, LineItems }, nothingKnown)).toMatchObject({
      unresolved: false,
      lines: { lineItems: [{ values: { accountId: null, itemId: null } }] },
    });
  });

  test('has the item id where Xero gives the item', () => {
    expect(lineValues({ Item: { ItemID: 'days', Code: 'HOURS' } })?.itemId).toBe('days');
  });

  test('may be a mere description', () => {
    const LineItems = [{ Description: 'Thank you' }];
    expect(toInvoice({ ...invoice, LineItems }, lookups)?.lines?.['lineItems']).toMatchObject([
      { platformId: null, values: { description: 'Thank you', subTotal: null, totalAmount: null } },
    ]);
  });

  test.each(oddValues)('survives %p in every field', (value) => {
    const odd = Object.fromEntries(Object.keys(line).map((name) => [name, value]));
    const record = toInvoice({ ...invoice, LineItems: [odd, null, 'odd', line] }, lookups);
    expect(record?.lines?.['lineItems']).toHaveLength(2);
  });
});
