import { describe, expect, test } from '@jest/globals';

import { toCompanyInfo } from '../../../src/connectors/shopify/mappers/company-info.js';
import { toCustomer } from '../../../src/connectors/shopify/mappers/customer.js';
import { toFulfillment } from '../../../src/connectors/shopify/mappers/fulfillment.js';
import { toOrder } from '../../../src/connectors/shopify/mappers/order.js';
import { toInventory, toProduct } from '../../../src/connectors/shopify/mappers/product.js';
import { toTransaction } from '../../../src/connectors/shopify/mappers/transaction.js';
import { imbalancesOf } from '../invariants.js';

const money = (amount: unknown, currencyCode = 'EUR') => ({
  shopMoney: { amount, currencyCode },
  presentmentMoney: { amount: '999.0', currencyCode: 'JPY' },
});
const taxes = (...amounts: string[]) => amounts.map((amount) => ({ title: 'VAT', priceSet: money(amount) }));
const discounts = (...amounts: string[]) => amounts.map((amount) => ({ allocatedAmountSet: money(amount) }));

const line = {
  id: 'gid://shopify/LineItem/11',
  name: 'Chair - Oak',
  quantity: 3,
  product: { id: 'gid://shopify/Product/7' },
  originalUnitPriceSet: money('20.1'),
  discountAllocations: discounts('1.1', '0.2'),
  taxLines: taxes('10.0', '1.18'),
};
const shipping = {
  id: 'gid://shopify/ShippingLine/12',
  title: 'Standard',
  originalPriceSet: money('5.0'),
  discountAllocations: discounts('5.0'),
  taxLines: [],
};
const order = {
  id: 'gid://shopify/Order/5400000032768',
  name: '#1001',
  number: 1001,
  note: 'Ring twice',
  poNumber: 'PO-7',
  createdAt: '2026-02-03T04:05:06Z',
  updatedAt: '2026-02-04T04:05:06+02:00',
  cancelledAt: null,
  closed: false,
  currencyCode: 'EUR',
  taxesIncluded: false,
  displayFinancialStatus: 'PARTIALLY_PAID',
  customer: { id: 'gid://shopify/Customer/9' },
  totalPriceSet: money('70.18'),
  totalTaxSet: money('11.18'),
  totalDiscountsSet: money('6.3'),
  totalOutstandingSet: money('20.0'),
  lineItems: { nodes: [line] },
  shippingLines: { nodes: [shipping] },
};

describe('an order', () => {
  test('has exact amounts of the shop’s currency, and lines that add up to it', () => {
    const record = toOrder(order);
    expect(record).toEqual({
      platformId: '5400000032768',
      platformUniqueId: 'gid://shopify/Order/5400000032768',
      values: {
        currencyId: 'EUR',
        currencyCode: 'EUR',
        customerId: '9',
        reference: 'PO-7',
        orderName: '#1001',
        orderNumber: '1001',
        description: 'Ring twice',
        orderStatus: 'OPEN',
        paymentStatus: 'PARTIALLY_PAID',
        subTotal: '65.3',
        taxAmount: '11.18',
        totalDiscount: '6.3',
        totalAmount: '70.18',
        amountDue: '20.0',
        createdAt: '2026-02-03T04:05:06.000Z',
        updatedAt: '2026-02-04T02:05:06.000Z',
      },
      lines: {
        lineItems: [
          {
            platformId: '11',
            values: {
              lineItemType: 'ECOMMERCE_ORDERS',
              lineItemTypeId: '5400000032768',
              itemId: '7',
              description: 'Chair - Oak',
              quantity: '3',
              unitAmount: '20.1',
              subTotal: '60.3',
              totalDiscount: '1.3',
              taxAmount: '11.18',
              totalAmount: '70.18',
            },
          },
          {
            platformId: 'shipping:12',
            values: {
              lineItemType: 'ECOMMERCE_ORDERS',
              lineItemTypeId: '5400000032768',
              description: 'Standard',
              quantity: '1',
              unitAmount: '5.0',
              subTotal: '5.0',
              totalDiscount: '5',
              taxAmount: '0',
              totalAmount: '0',
            },
          },
        ],
      },
    });
    expect(imbalancesOf('ECOMMERCE_ORDERS', record)).toEqual([]);
  });

  test('whose prices include tax has lines without it', () => {
    const record = toOrder({ ...order, taxesIncluded: true, totalPriceSet: money('59.0') });
    expect(record.values).toMatchObject({ subTotal: '54.12', taxAmount: '11.18', totalAmount: '59.0' });
    expect(record.lines?.['lineItems']?.[0]?.values).toMatchObject({
      unitAmount: '20.1',
      subTotal: '49.12',
      taxAmount: '11.18',
      totalAmount: '59',
    });
    expect(imbalancesOf('ECOMMERCE_ORDERS', record)).toEqual([]);
  });

  test('has a line for what no other line tells, also where it is negative', () => {
    for (const [total, rest] of [
      ['75.18', '5'],
      ['60.18', '-10'],
    ]) {
      const record = toOrder({ ...order, totalPriceSet: money(total) });
      expect(record.lines?.['lineItems']?.at(-1)).toMatchObject({
        platformId: 'rest:5400000032768',
        values: { unitAmount: rest, totalAmount: rest },
      });
      expect(imbalancesOf('ECOMMERCE_ORDERS', record)).toEqual([]);
    }
  });

  test.each([
    [{ cancelledAt: '2026-02-05T00:00:00Z', closed: true }, 'CANCELLED', '0'],
    [{ closed: true, totalOutstandingSet: money('-4.0') }, 'CLOSED', '0'],
    [{}, 'OPEN', '20.0'],
  ])('of %j is %s, and %s is due', (changed, orderStatus, amountDue) => {
    expect(toOrder({ ...order, ...changed }).values).toMatchObject({ orderStatus, amountDue });
  });

  test('with amounts that cannot be read has none, and no line of a rest', () => {
    const odd = { ...order, totalPriceSet: null, totalTaxSet: money('a lot'), customer: null, number: null };
    const record = toOrder({ ...odd, lineItems: { nodes: [{ ...line, taxLines: null, quantity: 'x' }] } });
    expect(record.values).toMatchObject({
      totalAmount: null,
      taxAmount: null,
      subTotal: null,
      customerId: null,
    });
    expect(record.lines?.['lineItems']?.map(({ platformId }) => platformId)).toEqual(['11', 'shipping:12']);
    expect(record.lines?.['lineItems']?.[0]?.values).toMatchObject({ taxAmount: null, totalAmount: null });
  });

  test('without a global id is an error', () => {
    expect(() => toOrder({ ...order, id: '5400000032768' })).toThrow(
      expect.objectContaining({ code: 'platform-answer' }),
    );
  });
});

const transaction = {
  id: 'gid://shopify/OrderTransaction/31',
  kind: 'SALE',
  status: 'SUCCESS',
  gateway: 'shopify_payments',
  errorCode: null,
  createdAt: '2026-02-03T04:05:06Z',
  amountSet: money('70.18'),
  fees: [
    { amount: { amount: '1.33', currencyCode: 'EUR' } },
    { amount: { amount: '0.25', currencyCode: 'EUR' } },
  ],
  paymentDetails: { __typename: 'CardPaymentDetails' },
  orderId: '77',
  updatedAt: '2026-02-04T04:05:06Z',
};

describe('a transaction', () => {
  test('has the fees of Shopify Payments and the order’s time of change', () => {
    expect(toTransaction(transaction)).toEqual({
      platformId: '31',
      platformUniqueId: 'gid://shopify/OrderTransaction/31',
      values: {
        amount: '70.18',
        fee: '1.58',
        type: 'SALE',
        paymentMethod: 'CREDIT_CARD',
        status: 'ACTIVE',
        description: null,
        currencyId: 'EUR',
        currencyCode: 'EUR',
        orderId: '77',
        createdAt: '2026-02-03T04:05:06.000Z',
        updatedAt: '2026-02-04T04:05:06.000Z',
      },
    });
  });

  test.each([
    [
      { paymentDetails: null, gateway: 'paypal', fees: [] },
      { paymentMethod: 'PAYPAL', fee: '0' },
    ],
    [
      { status: 'FAILURE', errorCode: 'CARD_DECLINED' },
      { status: 'FAILURE', description: 'CARD_DECLINED' },
    ],
    [{ fees: [{ amount: { amount: '1.0', currencyCode: 'USD' } }] }, { fee: null }],
    [{ amountSet: null }, { amount: null, currencyCode: null }],
  ])('with %j has %j', (changed, values) => {
    expect(toTransaction({ ...transaction, ...changed })?.values).toMatchObject(values);
  });

  test('that Shopify only suggests is none', () => {
    expect(toTransaction({ ...transaction, kind: 'SUGGESTED_REFUND' })).toBeNull();
  });
});

const parcel = {
  id: 'gid://shopify/Fulfillment/41',
  status: 'SUCCESS',
  createdAt: '2026-02-03T04:05:06Z',
  updatedAt: '2026-02-03T05:05:06Z',
  trackingInfo: [{ company: 'DHL', number: 'JD01', url: 'https://track.example.com/JD01' }],
  orderId: '77',
  deliveryService: 'Standard',
};

test('a parcel is deleted once it is cancelled, and may be without a number', () => {
  const values = {
    carrierName: 'DHL',
    trackingNumber: 'JD01',
    trackingLink: 'https://track.example.com/JD01',
    deliveryService: 'Standard',
    orderId: '77',
  };
  expect(toFulfillment(parcel)).toMatchObject({ platformId: '41', deleted: false, values });
  expect(toFulfillment({ ...parcel, status: 'CANCELLED', trackingInfo: [] })).toMatchObject({
    deleted: true,
    values: { carrierName: null, trackingNumber: null, trackingLink: null },
  });
});

describe('a customer', () => {
  const customer = {
    id: 'gid://shopify/Customer/9',
    firstName: 'Ada',
    lastName: null,
    createdAt: '2026-02-03T04:05:06Z',
    updatedAt: '2026-02-03T04:05:06Z',
    defaultEmailAddress: null,
    defaultPhoneNumber: null,
    amountSpent: { currencyCode: 'EUR' },
    defaultAddress: { address1: 'Quay 1', city: 'Hamburg', countryCodeV2: 'DE', phone: '+49' },
  };

  test('has the phone of the address where there is no other', () => {
    expect(toCustomer(customer).values).toMatchObject({
      name: 'Ada',
      email: null,
      phone: '+49',
      status: 'ACTIVE',
      addressType: 'SHIPPING',
      addressCountry: 'DE',
    });
  });

  test('without an address has none', () => {
    expect(toCustomer({ ...customer, firstName: null, defaultAddress: null }).values).toMatchObject({
      name: null,
      phone: null,
      addressType: null,
      addressStreet: null,
    });
  });
});

test.each([
  ['ACTIVE', 'ACTIVE'],
  ['UNLISTED', 'ACTIVE'],
  ['ARCHIVED', 'ARCHIVED'],
  ['DRAFT', 'UNKNOWN'],
  ['NEW_WORD', 'UNKNOWN'],
])('a product that is %s is %s', (status, ours) => {
  expect(toProduct({ id: 'gid://shopify/Product/7', title: 'Chair', status }).values.status).toBe(ours);
});

test('stock that is not tracked is unknown, and may be less than nothing', () => {
  const variant = { id: 'gid://shopify/ProductVariant/8', inventoryQuantity: -4 };
  expect(toInventory({ ...variant, inventoryItem: { tracked: true } }).values.quantity).toBe('-4');
  expect(toInventory({ ...variant, inventoryItem: { tracked: false } }).values.quantity).toBeNull();
});

test('the shop is a company info', () => {
  const shop = {
    id: 'gid://shopify/Shop/1',
    name: 'Harbour',
    url: 'https://a.example.com',
    currencyCode: 'EUR',
  };
  expect(toCompanyInfo(shop)).toMatchObject({
    platformId: '1',
    values: { name: 'Harbour', website: 'https://a.example.com', email: null, currencyId: 'EUR' },
  });
});
