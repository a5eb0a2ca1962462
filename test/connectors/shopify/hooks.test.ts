import { createHmac } from 'node:crypto';

import { describe, expect, test } from '@jest/globals';

import { shopify } from '../../../src/connectors/shopify/index.js';

const SECRET = 'shpss_secret';
const SHOP = 'harbour-furniture.myshopify.com';

function read(topic: string, body: string, { secret = SECRET, shop = SHOP } = {}) {
  const headers = {
    'x-shopify-topic': topic,
    'x-shopify-shop-domain': shop,
    'x-shopify-hmac-sha256': createHmac('sha256', SECRET).update(body).digest('base64'),
  };
  return shopify.hooks?.read({ headers, body: Buffer.from(body), secret });
}

const event = (dataModel: string, platformId: string | null = null) => ({
  externalAccountId: SHOP,
  dataModels: [dataModel],
  platformId,
});

describe('a webhook', () => {
  test.each([
    ['orders/updated', { id: 5_400_000_032_768 }, '5400000032768'],
    ['orders/delete', { id: 5_400_000_032_768 }, null],
    ['order_transactions/create', { id: 1, order_id: 77 }, '77'],
    ['refunds/create', { id: 2, order_id: 78 }, '78'],
    ['fulfillments/update', { id: 3, order_id: 79 }, '79'],
  ])('of %s is about the order and its parts', (topic, body, platformId) => {
    expect(read(topic, JSON.stringify(body))).toEqual([
      event('ECOMMERCE_ORDERS', platformId),
      event('ECOMMERCE_TRANSACTIONS'),
      event('ECOMMERCE_FULFILLMENTS'),
    ]);
  });

  test('keeps ids that are longer than a double is exact', () => {
    expect(read('customers/update', '{"id":90071992547409931}')).toEqual([
      event('ECOMMERCE_CUSTOMERS', '90071992547409931'),
    ]);
  });

  test('of a product is about its variants, too, and of stock about those alone', () => {
    expect(read('products/create', '{"id":12}')).toEqual([
      event('ECOMMERCE_PRODUCTS', '12'),
      event('ECOMMERCE_INVENTORIES'),
    ]);
    expect(read('inventory_levels/update', '{"inventory_item_id":12}')).toEqual([
      event('ECOMMERCE_INVENTORIES'),
    ]);
  });

  test.each([
    'customers/data_request',
    'customers/redact',
    'shop/redact',
    'carts/update',
    'constructor/x',
    '',
  ])('of %j is none of ours', (topic) => {
    expect(read(topic, '{"id":1,"customer":{"id":2}}')).toEqual([]);
  });

  test('with an unreadable body leads to the lists', () => {
    expect(read('shop/update', 'no JSON')).toEqual([event('ECOMMERCE_COMPANY_INFO')]);
    expect(read('products/update', '[]')?.map(({ platformId }) => platformId)).toEqual([null, null]);
  });

  test('that is not signed with the app’s secret is refused', () => {
    expect(read('orders/updated', '{"id":1}', { secret: 'another' })).toBeNull();
    const body = Buffer.from('{"id":1}');
    expect(shopify.hooks?.read({ headers: {}, body, secret: SECRET })).toBeNull();
  });

  test('of another host than a shop’s is none of ours', () => {
    expect(read('orders/updated', '{"id":1}', { shop: 'evil.example.com' })).toEqual([]);
  });

  test('covers exactly what is read', () => {
    const types = shopify.pulls.map(({ definition }) => definition.dataModel);
    expect([...(shopify.hooks?.dataModels ?? [])].sort()).toEqual([...types].sort());
  });
});
