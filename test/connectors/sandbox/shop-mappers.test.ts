import { describe, expect, test } from '@jest/globals';

import { toOrder } from '../../../src/connectors/sandbox/shop/mappers/order.js';
import { toTransaction } from '../../../src/connectors/sandbox/shop/mappers/transaction.js';
import { money, order, orderLine, transaction } from './wire-shop.js';

const lineValues = (changes: object) =>
  toOrder({ ...order, line_items: [{ ...orderLine, ...changes }] }).lines?.['lineItems']?.[0]?.values;

describe('a shop order', () => {
  test('is read field by field', () => {
    expect(toOrder(order)).toEqual({
      platformId: '4820931',
      platformUniqueId: 'gid://sandbox-shop/Order/4820931',
      values: {
        currencyId: 'AUD',
        currencyCode: 'AUD',
        reference: 'checkout-500200',
        orderName: '#1001',
        orderNumber: '1001',
        description: 'Copper kettle, Tea towel',
        orderStatus: 'FULFILLED',
        paymentStatus: 'PAID',
        subTotal: '258.00',
        taxAmount: '21.93',
        totalDiscount: '38.70',
        totalAmount: '241.23',
        amountDue: '0.00',
        createdAt: '2026-03-01T09:00:00.000Z',
        updatedAt: '2026-03-01T16:00:00.000Z',
      },
      lines: {
        lineItems: [
          {
            platformId: '9001',
            values: {
              lineItemType: 'ECOMMERCE_ORDERS',
              lineItemTypeId: '4820931',
              itemId: '40112',
              taxId: 'gst-10',
              description: 'Copper kettle',
              quantity: '2',
              unitAmount: '129.00',
              subTotal: '258.00',
              totalDiscount: '38.70',
              taxAmount: '21.93',
              totalAmount: '241.23',
            },
          },
        ],
      },
    });
  });

  test.each([
    [null, 'fulfilled', 'FULFILLED'],
    [null, null, 'OPEN'],
    ['2026-03-01T19:00:00+10:00', 'fulfilled', 'CANCELLED'],
    ['2026-03-01T19:00:00+10:00', null, 'CANCELLED'],
  ])('cancelled at %s and %s is %s', (cancelled_at, fulfillment_status, orderStatus) => {
    expect(toOrder({ ...order, cancelled_at, fulfillment_status }).values.orderStatus).toBe(orderStatus);
  });

  test.each([
    ['pending', 'PENDING'],
    ['partially_refunded', 'PARTIALLY_REFUNDED'],
    ['voided', 'VOIDED'],
  ])('that is %s is %s, and never deleted', (financial_status, paymentStatus) => {
    const record = toOrder({ ...order, financial_status });
    expect(record.values.paymentStatus).toBe(paymentStatus);
    expect(record.deleted).toBeUndefined();
  });

  test('adds up the taxes of a line, and names none where there are several', () => {
    const tax = (code: string, amount: string) => ({ code, price_set: money(amount) });
    expect(lineValues({ tax_lines: [tax('state', '0.10'), tax('city', '0.20')] })).toMatchObject({
      taxId: null,
      taxAmount: '0.3',
    });
    expect(lineValues({ tax_lines: [] })).toMatchObject({ taxId: null, taxAmount: '0' });
  });

  test.each(['4820931', 'gid://sandbox-shop/Order/', 'gid://sandbox-shop/Order/12/../13'])(
    'with the id %s is refused',
    (id) => {
      expect(() => toOrder({ ...order, id })).toThrow('is no global id');
    },
  );
});

describe('a shop transaction', () => {
  test('is read field by field', () => {
    expect(toTransaction(transaction)).toEqual({
      platformId: '7730012',
      platformUniqueId: 'gid://sandbox-shop/OrderTransaction/7730012',
      values: {
        amount: '241.23',
        fee: '7.3',
        type: 'SALE',
        paymentMethod: 'CREDIT_CARD',
        status: 'ACTIVE',
        description: 'Order #1001',
        currencyId: 'AUD',
        currencyCode: 'AUD',
        orderId: '4820931',
        createdAt: '2026-03-01T09:28:48.000Z',
        updatedAt: '2026-03-01T09:43:12.000Z',
      },
    });
  });

  test('without fees costs nothing', () => {
    expect(toTransaction({ ...transaction, fees: [] }).values.fee).toBe('0');
  });

  test.each([
    ['success', 'ACTIVE'],
    ['voided', 'ARCHIVED'],
    ['pending', 'PENDING'],
    ['failure', 'FAILURE'],
  ])('that is %s is %s', (status, unified) => {
    expect(toTransaction({ ...transaction, status }).values.status).toBe(unified);
  });
});
