import { describe, expect, test } from '@jest/globals';

import { sum } from '../../../src/connectors/values/decimals.js';
import { toCompanyInfo } from '../../../src/connectors/vendure/mappers/company-info.js';
import { toCustomer } from '../../../src/connectors/vendure/mappers/customer.js';
import { fulfillmentsOf, toFulfillment } from '../../../src/connectors/vendure/mappers/fulfillment.js';
import { toOrder, wholesOf } from '../../../src/connectors/vendure/mappers/order.js';
import { toInventory, toProduct } from '../../../src/connectors/vendure/mappers/product.js';
import { classifyVendure } from '../../../src/connectors/vendure/answers.js';
import { movementsOf, toTransaction } from '../../../src/connectors/vendure/mappers/transaction.js';
import { vendurePushes } from '../../../src/connectors/vendure/push.js';
import { channel, customer, order, paidOrder, product, sentOrder, variant } from './wire.js';

/** Paid in full, and this much of it paid back. */
const paidBack = (total: number, state = 'Settled') =>
  order.payments.map((payment) => ({ ...payment, refunds: [{ total, state }] }));

const valuesOf = (changes: object) => toOrder({ ...order, ...changes })?.values;

describe('an order of Vendure', () => {
  test.each(['2026-02-30T09:00:00.000Z', '0000-06-01T09:00:00.000Z', '0001-01-01T00:30:00+01:00'])(
    'has no time %s, and is a record all the same',
    (orderPlacedAt) => {
      const record = toOrder({ ...order, orderPlacedAt });
      expect(record).toMatchObject({ platformId: '7', values: { createdAt: null, totalAmount: '300' } });
    },
  );

  test('is read field by field', () => {
    expect(toOrder(order)).toMatchObject({
      platformId: '7',
      values: {
        currencyId: 'USD',
        currencyCode: 'USD',
        customerId: '3',
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
          itemId: '1',
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

  test('has shipping in whole cents where the prices of the shop include tax', () => {
    const price = 416.6666666666667;
    const shipping = { ...order.shippingLines[0], price, discountedPrice: 417, discountedPriceWithTax: 500 };
    const { lines, values } = toOrder({ ...order, shippingLines: [shipping] }) ?? {};
    expect(lines?.['lineItems']?.[1]?.values).toMatchObject({
      unitAmount: '4.17',
      subTotal: '4.17',
      totalDiscount: '0',
      taxAmount: '0.83',
      totalAmount: '5',
    });
    expect(values).toMatchObject({ subTotal: '246.17', totalDiscount: '12' });
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
    ['a refund of a part', paidBack(9000), { paymentStatus: 'PARTIALLY_REFUNDED', amountDue: '0' }],
    ['a refund of all', paidBack(30000), { paymentStatus: 'REFUNDED', amountDue: '0' }],
    ['a refund on its way', paidBack(9000, 'Pending'), { paymentStatus: 'PAID', amountDue: '0' }],
  ])('with %s says what is due', (_what, payments, expected) => {
    expect(valuesOf({ payments })).toMatchObject(expected);
  });

  test.each(['Modifying', 'ArrangingAdditionalPayment'])(
    'that is %s owes again what was paid back',
    (state) => {
      expect(valuesOf({ state, payments: paidBack(9000) })).toMatchObject({
        paymentStatus: 'PARTIALLY_PAID',
        amountDue: '90',
      });
      expect(valuesOf({ state, payments: paidBack(30000) })).toMatchObject({
        paymentStatus: 'PENDING',
        amountDue: '300',
      });
      expect(valuesOf({ state, totalWithTax: 21000, payments: paidBack(9000) })).toMatchObject({
        paymentStatus: 'PARTIALLY_REFUNDED',
        amountDue: '0',
      });
    },
  );

  test.each([
    ['nothing was paid', [], 'CANCELLED'],
    ['it was authorised', [{ amount: 30000, state: 'Cancelled' }], 'CANCELLED'],
    ['the money is still with the shop', order.payments, 'PAID'],
    ['a part went back', paidBack(9000), 'PARTIALLY_REFUNDED'],
    ['all went back', paidBack(30000), 'REFUNDED'],
  ])('that was cancelled owes nothing, where %s', (_what, payments, paymentStatus) => {
    // Its lines have the quantity 0, and shipping may be kept.
    for (const totalWithTax of [0, 2400]) {
      const cancelled = valuesOf({ state: 'Cancelled', totalWithTax, payments });
      expect(cancelled).toMatchObject({ orderStatus: 'CANCELLED', paymentStatus, amountDue: '0' });
    }
  });

  test('has the decimals that the shop says, whatever the currency', () => {
    expect(valuesOf({ moneyPrecision: 3 })).toMatchObject({ totalAmount: '30', taxAmount: '5' });
    expect(valuesOf({ moneyPrecision: 0 })).toMatchObject({ totalAmount: '30000' });
  });
});

describe("a seller's part of an order of Vendure", () => {
  const part = { ...sentOrder, type: 'Seller', aggregateOrder: { id: '6' } };

  test('is no order of the default channel, which has the whole of it', () => {
    expect(wholesOf(part, true)).toEqual([]);
    expect(wholesOf(part, false)).toEqual([part]);
    expect(wholesOf({ ...order, type: 'Aggregate' }, true)).toHaveLength(1);
  });

  test('is sent in parcels of the whole there', () => {
    const orderOf = (isDefault: boolean) =>
      fulfillmentsOf(part, isDefault).map((one) => toFulfillment(one).values.orderId);
    expect(orderOf(true)).toEqual(['6', '6']);
    expect(orderOf(false)).toEqual(['7', '7']);
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

describe('a customer of Vendure', () => {
  test('is read field by field, with the address that bills go to', () => {
    expect(toCustomer(customer)).toEqual({
      platformId: '3',
      values: {
        name: 'Hayden Zieme',
        email: 'hayden@example.com',
        phone: '029 1203 1336',
        status: 'ACTIVE',
        addressType: 'BILLING',
        addressStreet: '2 Bill Street',
        addressLocality: 'Flat 3',
        addressCity: 'Leeds',
        addressState: 'West Yorkshire',
        addressPincode: 'LS1 1AA',
        addressCountry: 'GB',
        createdAt: '2026-02-01T09:00:00.000Z',
        updatedAt: '2026-02-02T09:00:00.000Z',
      },
    });
  });

  test('without such an address has the one that parcels go to', () => {
    const addresses = customer.addresses.filter(({ defaultBillingAddress }) => !defaultBillingAddress);
    expect(toCustomer({ ...customer, addresses }).values).toMatchObject({
      addressType: 'SHIPPING',
      addressStreet: '1 Parcel Road',
    });
    expect(toCustomer({ ...customer, addresses: [] }).values).toMatchObject({ addressType: null });
  });
});

describe('a parcel of Vendure', () => {
  test('is read field by field, with its order', () => {
    expect(fulfillmentsOf(sentOrder, true).map(toFulfillment)[0]).toEqual({
      platformId: '4',
      deleted: false,
      values: {
        trackingNumber: 'GB-123',
        deliveryService: 'Standard Shipping',
        orderId: '7',
        createdAt: '2026-03-03T09:00:00.000Z',
        updatedAt: '2026-03-03T09:00:01.000Z',
      },
    });
  });

  test('that was not sent after all is gone', () => {
    expect(fulfillmentsOf(sentOrder, true).map((one) => toFulfillment(one).deleted)).toEqual([false, true]);
  });
});

describe('what a shop of Vendure sells', () => {
  test('is a product, read field by field', () => {
    expect(toProduct(product)).toEqual({
      platformId: '1',
      values: {
        name: 'Laptop',
        description: '<p>Light.</p>',
        status: 'ACTIVE',
        createdAt: '2026-01-01T09:00:00.000Z',
        updatedAt: '2026-01-02T09:00:00.000Z',
      },
    });
    expect(toProduct({ ...product, enabled: false }).values).toMatchObject({ status: 'ARCHIVED' });
  });

  test('is counted by variant: what lies in all places and is not promised', () => {
    expect(toInventory(variant)).toEqual({
      platformId: '2',
      values: {
        productId: '1',
        description: 'Laptop 13 inch 8GB',
        sku: 'L2201308',
        quantity: '97',
        createdAt: '2026-01-01T09:00:00.000Z',
        updatedAt: '2026-03-01T09:00:01.000Z',
      },
    });
  });

  test.each([
    ['FALSE', true, null],
    ['INHERIT', true, '97'],
    ['INHERIT', false, null],
    ['TRUE', false, '97'],
  ])('that is tracked %s in a shop where it is %s has the quantity %s', (own, shops, quantity) => {
    const changes = { trackInventory: own, shopTracksInventory: shops };
    expect(toInventory({ ...variant, ...changes }).values).toMatchObject({ quantity });
  });
});

describe('a channel of Vendure', () => {
  test('is the shop, read field by field', () => {
    expect(toCompanyInfo(channel)).toEqual({
      platformId: '2',
      values: {
        name: 'uk-shop',
        currencyId: 'GBP',
        currencyCode: 'GBP',
        createdAt: '2026-01-01T09:00:00.000Z',
        updatedAt: '2026-01-02T09:00:00.000Z',
      },
    });
  });

  test('has the name of its seller where it is the default one', () => {
    const nameOf = (changes: object) =>
      toCompanyInfo({ ...channel, code: '__default_channel__', ...changes }).values.name;
    expect(nameOf({})).toBe('Parcel & Co');
    expect(nameOf({ seller: null })).toBeNull();
  });
});

describe('a write to Vendure', () => {
  const [customers, products] = vendurePushes.resources;
  const tools = {
    references: { valueOf: () => null, rawValueOf: () => null },
    marker: 'svc-1',
    current: null,
  };
  const inputOf = (resource: typeof customers, item: object) =>
    resource?.create?.toRequest(resource.create.input.parse(item), tools).body?.['variables'];

  test('of a customer has a name in two parts, and what the caller knows of Vendure', () => {
    const item = {
      name: ' Mary  Ann Smith',
      email: 'mary@example.com',
      phone: null,
      raw_data: { title: 'Dr' },
    };
    expect(inputOf(customers, item)).toEqual({
      input: {
        title: 'Dr',
        emailAddress: 'mary@example.com',
        firstName: 'Mary Ann',
        lastName: 'Smith',
      },
    });
    expect(inputOf(customers, { email: 'cher@example.com', name: 'Cher' })).toMatchObject({
      input: { firstName: 'Cher', lastName: '' },
    });
  });

  test('of a product is in the language that the caller names', () => {
    const translation = { languageCode: 'en', name: 'Oak spoon', slug: 'Oak spoon', description: '' };
    expect(inputOf(products, { name: 'Oak spoon', status: 'archived' })).toEqual({
      input: { enabled: false, translations: [translation] },
    });
    expect(
      inputOf(products, { name: 'Oak spoon', raw_data: { languageCode: 'de', assetIds: ['1'] } }),
    ).toEqual({
      input: { assetIds: ['1'], enabled: true, translations: [{ ...translation, languageCode: 'de' }] },
    });
  });

  test('of a customer has of raw_data what the item does not say', () => {
    const raw_data = { firstName: 'Mary', lastName: 'Smith', phoneNumber: '1' };
    const email = 'mary@example.com';
    expect(inputOf(customers, { email, raw_data })).toEqual({ input: { emailAddress: email, ...raw_data } });
    expect(inputOf(customers, { email, name: 'Ann Lee', phone: '2', raw_data })).toEqual({
      input: { emailAddress: email, firstName: 'Ann', lastName: 'Lee', phoneNumber: '2' },
    });
  });

  test('of a product has of raw_data what the item does not say', () => {
    const german = { languageCode: 'de', name: 'Löffel', slug: 'loeffel', description: 'Aus Eiche' };
    const english = { languageCode: 'en', name: 'Spoon', slug: 'spoon', description: 'Of oak' };
    const raw_data = { enabled: false, translations: [german, english] };
    expect(inputOf(products, { name: 'Oak spoon', raw_data })).toEqual({
      input: { enabled: false, translations: [{ ...english, name: 'Oak spoon' }, german] },
    });
    expect(inputOf(products, { name: 'Oak spoon', status: 'active', raw_data })).toMatchObject({
      input: { enabled: true },
    });
  });

  test('that finds the address taken is refused, under 200 too', () => {
    const created = {
      errorCode: 'EMAIL_ADDRESS_CONFLICT_ERROR',
      message: 'The email address is not available.',
    };
    const body = { data: { created } };
    expect(classifyVendure({ method: 'POST', status: 200, headers: {}, body })).toEqual({
      kind: 'refused',
      words: 'The email address is not available.',
    });
    expect(customers?.refusal({ status: 200, body, text: '' })).toMatchObject({
      code: 'record-already-exists',
      path: ['email'],
    });
  });

  test('that the key may not is denied', () => {
    const errors = [{ message: 'You are not currently authorized', extensions: { code: 'FORBIDDEN' } }];
    expect(customers?.refusal({ status: 200, body: { errors, data: null }, text: '' })).toMatchObject({
      code: 'operation-denied',
      words: 'Operation Denied: You are not currently authorized',
    });
  });
});
