import { describe, expect, test } from '@jest/globals';

import { sandboxShop } from '../../../src/connectors/sandbox/shop/index.js';
import { answering, deletionsOf, pull, resourceOf } from './answering.js';

const orders = resourceOf(sandboxShop, 'ECOMMERCE_ORDERS');
const since = new Date('2026-01-31T13:00:00+13:00');
const link = (pageInfo: string) => ({
  link: `<https://elsewhere.example/ecommerce/admin/2026-10/orders.json?limit=250&page_info=${pageInfo}>; rel="next"`,
});

describe('pulling orders', () => {
  test('follows the link to the next page, by its page_info and not its address', async () => {
    const client = answering(({ query }) =>
      query['page_info'] === undefined
        ? { body: { orders: [{ id: 'a' }] }, headers: link('p%2B2') }
        : { body: { orders: [{ id: 'b' }] }, headers: {} },
    );
    expect(await pull(client, orders, { since })).toEqual([
      { objects: [{ id: 'a' }], cursor: 'p+2' },
      { objects: [{ id: 'b' }], cursor: null },
    ]);
    expect(client.calls).toEqual([
      { path: '/orders.json', query: { limit: '250', updated_at_min: '2026-01-31T00:00:00.000Z' } },
      { path: '/orders.json', query: { limit: '250', page_info: 'p+2' } },
    ]);
  });

  test('goes on from its cursor without other parameters', async () => {
    const client = answering(() => ({ orders: [] }));
    await pull(client, orders, { since, cursor: 'p3' });
    expect(client.calls).toEqual([{ path: '/orders.json', query: { limit: '250', page_info: 'p3' } }]);
  });

  test('does not take another relation for the next page', async () => {
    const headers = { link: '<https://shop.example/orders.json?page_info=p0>; rel="previous"' };
    const client = answering(() => ({ body: { orders: [] }, headers }));
    expect(await pull(client, orders)).toEqual([{ objects: [], cursor: null }]);
  });

  test('finds the next page behind another relation', async () => {
    const previous = '<https://shop.example/orders.json?page_info=p0>; rel="previous"';
    const client = answering(({ query }) =>
      query['page_info'] === undefined
        ? { body: { orders: [] }, headers: { link: `${previous}, ${link('p2').link}` } }
        : { orders: [] },
    );
    expect((await pull(client, orders)).map(({ cursor }) => cursor)).toEqual(['p2', null]);
  });

  test.each([
    ['no list', {}],
    ['a list with something else', { orders: [7] }],
    [
      'a next page without page_info',
      { body: { orders: [] }, headers: { link: '</orders.json>; rel="next"' } },
    ],
    ['a page that follows itself', { body: { orders: [] }, headers: link('p1') }],
  ])('takes %s for an error and not for an end', async (_what, answer) => {
    await expect(
      pull(
        answering(() => answer),
        orders,
      ),
    ).rejects.toMatchObject({ code: 'platform-answer' });
  });
});

describe('deletions', () => {
  const deletions = [
    { subject_type: 'Order', subject_id: 'gid://sandbox-shop/Order/12' },
    { subject_type: 'OrderTransaction', subject_id: 'gid://sandbox-shop/OrderTransaction/34' },
    { subject_type: 'Customer', subject_id: 'gid://sandbox-shop/Customer/56' },
    { subject_type: 'Fulfillment', subject_id: 'gid://sandbox-shop/Fulfillment/78' },
    { subject_type: 'Product', subject_id: 'gid://sandbox-shop/Product/90' },
    { subject_type: 'InventoryLevel', subject_id: 'gid://sandbox-shop/InventoryLevel/91' },
  ];

  test.each([
    ['ECOMMERCE_ORDERS', '12'],
    ['ECOMMERCE_TRANSACTIONS', '34'],
    ['ECOMMERCE_CUSTOMERS', '56'],
    ['ECOMMERCE_FULFILLMENTS', '78'],
    ['ECOMMERCE_PRODUCTS', '90'],
    ['ECOMMERCE_INVENTORIES', '91'],
  ])('of %s are those of its kind', async (dataModel, id) => {
    const client = answering(() => ({ deletions }));
    const resource = resourceOf(sandboxShop, dataModel);
    expect(await deletionsOf(client, resource, { since })).toEqual([{ platformIds: [id], cursor: null }]);
    expect(client.calls).toEqual([
      { path: '/deletions.json', query: { limit: '250', since: '2026-01-31T00:00:00.000Z' } },
    ]);
    expect(resource.deletions?.map(({ kind }) => kind)).toEqual(['feed']);
  });
});
