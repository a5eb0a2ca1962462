import { describe, expect, test } from '@jest/globals';

import { sum } from '../../../src/connectors/decimals.js';
import { toOrder } from '../../../src/connectors/vendure/mappers/order.js';
import { movementsOf, toTransaction } from '../../../src/connectors/vendure/mappers/transaction.js';
import { order, paidOrder } from './wire.js';

const valuesOf = (changes: object) => toOrder({ ...order, ...changes })?.values;

describe('an order of Vendure', () => {
  test('is read field by field', () => {
    expect(toOrder(order)).toMatchObject({
      platformId: '7',
      values: {
        currencyId: 'USD',
        currencyCode: 'USD',
        orderName: 'UJ8Z5K2QW3N4R6T7',
        orderNumber: 'UJ8Z5K2QW3N4R6T7',
        orderStatus: 'PAYMENT_SETTLED',
        paymentStatus: 'PAID',
        subTotal: '262',
        taxAmount: '50',
        totalDiscount: '12',
        totalAmount: '300',
        amountDue: '0',
        createdAt: '2026-03-01T09:00:00.000Z',
        updatedAt: '2026-03-01T09:00:01.000Z',
      },
    });
  });

  test('has a line for what was bought, for shipping and for surcharges, which sum to its total', () => {
    const lines = toOrder(order)?.lines?.['lineItems'] ?? [];
    expect(lines.map(({ platformId, values }) => [platformId, values])).toMatchObject([
      [
        '11',
        {
          itemId: '2',
          quantity: '2',
          unitAmount: '120',
          subTotal: '240',
          totalDiscount: '12',
          taxAmount: '45.6',
        },
      ],
      ['shipping:5', { description: 'Standard Shipping', subTotal: '20', taxAmount: '4', totalAmount: '24' }],
      ['surcharge:1', { description: 'Gift box', subTotal: '2', taxAmount: '0.4', totalAmount: '2.4' }],
    ]);
    const total = lines.reduce<string | null>(
      (so, { values }) => sum(so, (values as { totalAmount: string | null }).totalAmount),
      '0',
    );
    expect(total).toBe('300');
  });

  test.each([
    ['a cart', { orderPlacedAt: null, active: true }],
    ['a draft', { orderPlacedAt: null, state: 'Draft' }],
  ])('is not %s', (_what, changes) => {
    expect(toOrder({ ...order, ...changes })).toBeNull();
  });

  test.each([
    ['no payment', [], { paymentStatus: 'PENDING', amountDue: '300' }],
    [
      'a declined one',
      [{ amount: 30000, state: 'Declined' }],
      { paymentStatus: 'PENDING', amountDue: '300' },
    ],
    [
      'an authorisation',
      [{ amount: 30000, state: 'Authorized' }],
      { paymentStatus: 'AUTHORIZED', amountDue: '300' },
    ],
    ['a part', [{ amount: 10000, state: 'Settled' }], { paymentStatus: 'PARTIALLY_PAID', amountDue: '200' }],
    ['too much', [{ amount: 30001, state: 'Settled' }], { paymentStatus: 'PAID', amountDue: '0' }],
  ])('with %s says what is due', (_what, payments, expected) => {
    expect(valuesOf({ payments })).toMatchObject(expected);
  });

  test('that was cancelled owes nothing', () => {
    const cancelled = valuesOf({ state: 'Cancelled', payments: [] });
    expect(cancelled).toMatchObject({ orderStatus: 'CANCELLED', paymentStatus: 'CANCELLED', amountDue: '0' });
  });

  test('has the decimals that the shop says, whatever the currency', () => {
    expect(valuesOf({ moneyPrecision: 3 })).toMatchObject({ totalAmount: '30', taxAmount: '5' });
    expect(valuesOf({ moneyPrecision: 0 })).toMatchObject({ totalAmount: '30000' });
  });
});

describe('the money of an order of Vendure', () => {
  test('is a transaction for each payment and each refund', () => {
    expect(movementsOf(paidOrder).map((movement) => toTransaction(movement))).toEqual([
      {
        platformId: 'payment:9',
        platformUniqueId: 'ch_1',
        values: {
          amount: '300',
          type: 'SALE',
          paymentMethod: 'CARD',
          status: 'ACTIVE',
          description: null,
          currencyId: 'USD',
          currencyCode: 'USD',
          orderId: '7',
          createdAt: '2026-03-01T09:00:00.000Z',
          updatedAt: '2026-03-01T09:00:02.000Z',
        },
      },
      {
        platformId: 'refund:9',
        platformUniqueId: 're_1',
        values: {
          amount: '150',
          type: 'REFUND',
          paymentMethod: 'CARD',
          status: 'ACTIVE',
          description: 'too heavy',
          currencyId: 'USD',
          currencyCode: 'USD',
          orderId: '7',
          createdAt: '2026-03-02T10:00:00.000Z',
          updatedAt: '2026-03-02T10:00:05.000Z',
        },
      },
    ]);
  });

  test.each([
    ['Authorized', 'AUTHORIZATION', 'ACTIVE'],
    ['Cancelled', 'SALE', 'ARCHIVED'],
    ['Declined', 'SALE', 'DECLINED'],
  ])('that is %s says so', (state, type, status) => {
    const [movement = {}] = movementsOf({ ...paidOrder, payments: [{ id: '1', amount: 1, state }] });
    expect(toTransaction(movement).values).toMatchObject({ type, status });
  });
});
