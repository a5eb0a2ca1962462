import { describe, expect, test } from '@jest/globals';
import { type PlatformObject } from '../../../src/connectors/platform.js';
import { type Lookups } from '../../../src/connectors/pull.js';
import { stripe } from '../../../src/connectors/stripe/index.js';
import { resourceOf } from '../sandbox/answering.js';

const NONE: Lookups = { platformIdOf: () => null, baseCurrency: null };
const map = (dataModel: string, object: PlatformObject) =>
  resourceOf(stripe, dataModel).toUnified(object, NONE);
const valuesOf = (dataModel: string, object: PlatformObject) =>
  map(dataModel, { id: 'id_1', ...object })?.values;

test.each([
  ['usd', 1099, '10.99'],
  ['usd', 5, '0.05'],
  ['usd', -1250, '-12.50'],
  ['jpy', 500, '500'],
  ['kwd', 1234, '1.234'],
  ['isk', 500, '5.00'],
  ['ugx', 10000, '100.00'],
  [null, 500, null],
])('an amount in %s of %p is %p', (currency, amount, expected) => {
  expect(valuesOf('PAYMENT_PAYOUTS', { currency, amount })).toMatchObject({ amount: expected });
});

test('a price keeps the fractions of its cents', () => {
  const price = { currency: 'usd', unit_amount: null, unit_amount_decimal: '1.25' };
  expect(valuesOf('PAYMENT_ITEMS', { default_price: price })).toMatchObject({ unitPrice: '0.0125' });
});

test('a balance is one of each currency', () => {
  expect(map('PAYMENT_BALANCES', { currency: 'jpy', available: '100', pending: '-20' })).toEqual({
    platformId: 'JPY',
    values: {
      totalBalance: '80',
      availableBalance: '100',
      pendingBalance: '-20',
      currencyId: 'JPY',
      currencyCode: 'JPY',
    },
  });
});

describe('a payment', () => {
  test.each([
    [{ object: 'payment_intent', status: 'succeeded', amount: 900, amount_received: 500 }, '5.00'],
    [{ object: 'payment_intent', status: 'requires_capture', amount: 900, amount_received: 0 }, '9.00'],
    [{ object: 'charge', status: 'succeeded', captured: true, amount: 900, amount_captured: 500 }, '5.00'],
    [{ object: 'charge', status: 'succeeded', captured: false, amount: 900, amount_captured: 0 }, '9.00'],
  ])('of %j has the amount %p', (object, amount) => {
    expect(valuesOf('PAYMENT_PAYMENTS', { currency: 'usd', ...object })).toMatchObject({ amount });
  });

  test('is no charge of an intent', () => {
    expect(map('PAYMENT_PAYMENTS', { id: 'ch_1', object: 'charge', payment_intent: 'pi_1' })).toBeNull();
  });

  test.each([
    [{ object: 'payment_intent', status: 'requires_payment_method', last_payment_error: null }, 'CREATED'],
    [
      {
        object: 'payment_intent',
        status: 'requires_payment_method',
        last_payment_error: { type: 'card_error' },
      },
      'ATTEMPTED',
    ],
    [{ object: 'payment_intent', status: 'succeeded', last_payment_error: { type: 'card_error' } }, 'PAID'],
    [{ object: 'payment_intent', status: 'of tomorrow' }, null],
    [{ object: 'charge', status: 'succeeded', captured: false }, 'ATTEMPTED'],
    [{ object: 'charge', status: 'succeeded', captured: true }, 'PAID'],
  ])('of %j is %p', (object, status) => {
    expect(valuesOf('PAYMENT_PAYMENTS', object)).toMatchObject({ status });
  });

  test.each([
    [{ type: 'card', card: { wallet: null } }, 'CARD'],
    [{ type: 'card', card: { wallet: { type: 'apple_pay' } } }, 'WALLET'],
    [{ type: 'card_present', card_present: {} }, 'CARD'],
    [{ type: 'card_present', card_present: { wallet: { type: 'google_pay' } } }, 'WALLET'],
    [{ type: 'interac_present' }, 'CARD'],
    [{ type: 'kakao_pay' }, 'WALLET'],
    [{ type: 'us_bank_account' }, null],
    [null, null],
  ])('by %j has the method %p', (payment_method_details, paymentMethod) => {
    const intent = { object: 'payment_intent', latest_charge: { payment_method_details } };
    expect(valuesOf('PAYMENT_PAYMENTS', intent)).toMatchObject({ paymentMethod });
  });
});

describe('an invoice', () => {
  test('whose lines are cut off is not mapped', () => {
    const cut = { id: 'in_1', lines: { data: [], has_more: true } };
    expect(() => map('PAYMENT_INVOICES', cut)).toThrow('Stripe cut off the lines of in_1');
  });

  test('has lines with what is added to them and what is in them', () => {
    const taxes = (...rates: [string, string, number][]) =>
      rates.map(([tax_rate, tax_behavior, amount]) => ({
        tax_behavior,
        amount,
        tax_rate_details: { tax_rate },
      }));
    const line = (id: string, more: object) => ({
      id,
      subtotal: 1000,
      discount_amounts: [{ amount: 100 }],
      ...more,
    });
    const data = [
      line('il_1', { taxes: taxes(['txr_1', 'exclusive', 190]) }),
      line('il_2', { taxes: taxes(['txr_1', 'inclusive', 144]) }),
      line('il_3', { taxes: taxes(['txr_1', 'exclusive', 190], ['txr_2', 'inclusive', 10]) }),
    ];
    const mapped = map('PAYMENT_INVOICES', { id: 'in_1', currency: 'eur', lines: { data, has_more: false } });
    expect(mapped?.lines?.['lineItems']?.map(({ values }) => values)).toMatchObject([
      { taxId: 'txr_1', totalDiscount: '1.00', taxAmount: '1.90', totalAmount: '10.90' },
      { taxId: 'txr_1', taxAmount: '1.44', totalAmount: '9.00' },
      { taxId: null, taxAmount: '2.00', totalAmount: '10.90' },
    ]);
  });

  test('has lines without what billing credits pay of them', () => {
    const pretax_credit_amounts = [
      { type: 'discount', amount: 100 },
      { type: 'credit_balance_transaction', amount: 250 },
    ];
    const data = [{ id: 'il_1', subtotal: 1000, discount_amounts: [{ amount: 100 }], pretax_credit_amounts }];
    const mapped = map('PAYMENT_INVOICES', { id: 'in_1', currency: 'eur', lines: { data, has_more: false } });
    expect(mapped?.lines?.['lineItems']?.map(({ values }) => values)).toMatchObject([
      { subTotal: '10.00', totalDiscount: '1.00', totalAmount: '6.50' },
    ]);
  });

  test.each([
    [{ status: 'open', amount_paid: 0 }, 'SUBMITTED'],
    [{ status: 'open', amount_paid: 100 }, 'PARTIALLY_PAID'],
    [{ status: 'uncollectible' }, 'UNKNOWN'],
    [{ status: null }, 'UNKNOWN'],
  ])('of %j is %p', (object, status) => {
    expect(valuesOf('PAYMENT_INVOICES', object)).toMatchObject({ status });
  });
});

test.each(
  stripe.pulls.map(({ definition }) => definition.dataModel).filter((one) => one !== 'PAYMENT_BALANCES'),
)('of %s an object with nothing but odd values is a record still', (dataModel) => {
  const odd = Object.fromEntries(
    [
      'amount',
      'currency',
      'created',
      'status',
      'customer',
      'lines',
      'line_items',
      'tax_ids',
      'metadata',
      'shipping',
    ]
      .concat('default_price', 'latest_charge', 'items', 'address', 'total_taxes', 'total_discount_amounts')
      .map((name) => [name, name === 'created' ? 'yesterday' : 17]),
  );
  expect(map(dataModel, { id: 'id_1', object: 'any', ...odd })?.platformId).toBe('id_1');
});
