import { describe, expect, test } from '@jest/globals';

import { toBalance, toCompanyInfo } from '../../../src/connectors/sandbox/shop/mappers/company-info.js';
import { toCustomer } from '../../../src/connectors/sandbox/shop/mappers/customer.js';
import { toFulfillment } from '../../../src/connectors/sandbox/shop/mappers/fulfillment.js';
import { toOrder } from '../../../src/connectors/sandbox/shop/mappers/order.js';
import { toInventory, toProduct } from '../../../src/connectors/sandbox/shop/mappers/product.js';
import { toTransaction } from '../../../src/connectors/sandbox/shop/mappers/transaction.js';
import {
  balance,
  customer,
  fulfillment,
  inventoryLevel,
  money,
  order,
  orderLine,
  product,
  shop,
  transaction,
} from './wire-shop.js';

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
        customerId: '310077',
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
      taxAmount: '0.30',
    });
    expect(lineValues({ tax_lines: [] })).toMatchObject({ taxId: null, taxAmount: '0' });
  });

  test.each(['4820931', 'gid://sandbox-shop/Order/', 'gid://sandbox-shop/Order/12/../13'])(
    'with the id %s is refused',
    (id) => {
      expect(() => toOrder({ ...order, id })).toThrow('is not a global id');
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
        fee: '7.30',
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

describe('a shop customer', () => {
  test('is read field by field', () => {
    expect(toCustomer(customer)).toEqual({
      platformId: '310077',
      platformUniqueId: 'gid://sandbox-shop/Customer/310077',
      values: {
        name: 'Hana Quinn',
        email: 'hana.quinn@mail.example',
        phone: '+61 491 570 156',
        currencyId: 'AUD',
        currencyCode: 'AUD',
        status: 'ACTIVE',
        addressType: 'BILLING',
        addressStreet: '12 Quay Street',
        addressLocality: 'The Rocks',
        addressCity: 'Sydney',
        addressState: 'NSW',
        addressPincode: '2000',
        addressCountry: 'Australia',
        createdAt: '2026-02-01T09:00:00.000Z',
        updatedAt: '2026-02-01T16:00:00.000Z',
      },
    });
  });

  test.each([
    ['Hana', null, 'Hana'],
    [null, 'Quinn', 'Quinn'],
    [null, null, null],
  ])('called %s and %s has the name %s', (first_name, last_name, name) => {
    expect(toCustomer({ ...customer, first_name, last_name }).values.name).toBe(name);
  });

  test.each([
    ['disabled', 'ARCHIVED'],
    ['invited', 'UNKNOWN'],
    [undefined, 'UNKNOWN'],
  ])('that is %s is %s', (state, status) => {
    expect(toCustomer({ ...customer, state }).values.status).toBe(status);
  });

  test('without an address has none of any type', () => {
    expect(toCustomer({ ...customer, default_address: null }).values).toMatchObject({
      addressType: null,
      addressCity: null,
    });
  });
});

describe('a shop fulfillment', () => {
  test('is read field by field', () => {
    expect(toFulfillment(fulfillment)).toEqual({
      platformId: '8810045',
      platformUniqueId: 'gid://sandbox-shop/Fulfillment/8810045',
      values: {
        carrierName: 'Kookaburra Post',
        trackingNumber: 'KP48205517AU',
        trackingLink: 'https://track.kookaburra.example/KP48205517AU',
        deliveryService: 'Express',
        orderId: '4820931',
        createdAt: '2026-03-02T09:00:00.000Z',
        updatedAt: '2026-03-03T22:30:00.000Z',
      },
    });
  });
});

describe('a shop product', () => {
  test('is read field by field', () => {
    expect(toProduct(product)).toEqual({
      platformId: '40112',
      platformUniqueId: 'gid://sandbox-shop/Product/40112',
      values: {
        name: 'Copper kettle',
        description: 'Copper kettle from Bendigo',
        status: 'ACTIVE',
        createdAt: '2026-01-05T09:00:00.000Z',
        updatedAt: '2026-01-05T16:00:00.000Z',
      },
    });
  });

  test.each([
    ['archived', 'ARCHIVED'],
    ['draft', 'UNKNOWN'],
    [undefined, 'UNKNOWN'],
  ])('that is %s is %s', (status, expected) => {
    expect(toProduct({ ...product, status }).values.status).toBe(expected);
  });
});

describe('a shop inventory level', () => {
  test('is read field by field', () => {
    expect(toInventory(inventoryLevel)).toEqual({
      platformId: '9050012',
      platformUniqueId: 'gid://sandbox-shop/InventoryLevel/9050012',
      values: {
        productId: '40112',
        description: 'Copper kettle, in stock',
        sku: 'SKU-40112',
        quantity: '31',
        createdAt: '2026-01-05T09:00:00.000Z',
        updatedAt: '2026-04-05T16:00:00.000Z',
      },
    });
  });
});

test('a balance of a shop is read field by field', () => {
  expect(toBalance(balance)).toEqual({
    platformId: '6021944',
    platformUniqueId: 'gid://sandbox-shop/Balance/6021944',
    values: { availableBalance: '8123.45', currencyId: 'AUD', currencyCode: 'AUD' },
  });
});

test('a shop itself is read field by field', () => {
  expect(toCompanyInfo(shop)).toEqual({
    platformId: '7012233',
    platformUniqueId: 'gid://sandbox-shop/Shop/7012233',
    values: {
      name: 'Copper Shop',
      website: 'https://copper-shop.example',
      email: 'hello@copper-shop.example',
      currencyId: 'AUD',
      currencyCode: 'AUD',
      createdAt: '2026-01-05T09:00:00.000Z',
      updatedAt: '2026-01-06T15:00:00.000Z',
    },
  });
});
