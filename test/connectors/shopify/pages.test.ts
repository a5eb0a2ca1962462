import { afterAll, afterEach, beforeEach, describe, expect, test } from '@jest/globals';

import { plainAccess } from '../../../src/connectors/platform-access.js';
import { type PlatformObject } from '../../../src/connectors/platform.js';
import { type PullResource } from '../../../src/connectors/pull.js';
import { PlatformPause } from '../../../src/connectors/client/platform-errors.js';
import { createShopifyClient } from '../../../src/connectors/shopify/client.js';
import {
  customers,
  fulfillments,
  orders,
  products,
  transactions,
} from '../../../src/connectors/shopify/resources.js';
import { startOddPlatform } from '../../support/platform.js';
import { firstOf, idsOf } from '../listed.js';
import { pagesOf } from '../pulls.js';
import { makeShop } from '../shopify-fake/makers.js';
import { livingIdsOf } from '../shopify-fake/models.js';
import { type ShopifyFake, startShopifyFake } from '../shopify-fake/server.js';
import { type ShopifyShop } from '../shopify-fake/shop.js';

let shop: ShopifyShop;
let fake: ShopifyFake;
beforeEach(async () => {
  shop = makeShop();
  fake = await startShopifyFake(shop);
});
afterEach(() => fake.stop());
const odd = await startOddPlatform();
afterAll(() => odd.close());

const clientAt = (baseUrl: string, accessToken: string, patienceMs = 90_000) =>
  createShopifyClient(plainAccess({ baseUrl, accessToken, externalAccountId: shop.domain, patienceMs }), {
    sleep: async () => undefined,
  });
const client = () => clientAt(fake.url, fake.identity.issue());
const sorted = (ids: readonly string[]) => [...ids].sort();

describe('pages', () => {
  test('are as long as their cost allows, and no query is refused for it', async () => {
    expect(idsOf(customers, await pagesOf(customers, client()))).toHaveLength(shop.customers.length);
    const sizes = fake.asked.map(({ variables }) => variables['first']);
    expect(sizes.slice(0, 2)).toEqual([150, 159]);
    await pagesOf(orders, client());
    expect(
      Math.max(...fake.asked.map(({ variables }) => Number(variables['first'] ?? 0))),
    ).toBeLessThanOrEqual(250);
  });

  test('that cost more than Shopify allows are read in shorter ones', async () => {
    const allowed = 3;
    const seen: unknown[] = [];
    odd.answer(({ body, headers, url }, response) => {
      const { variables } = JSON.parse(body) as { variables: { first?: number } };
      seen.push(variables.first);
      const isRefused = (variables.first ?? 0) > allowed;
      void fetch(fake.url + url, {
        method: 'POST',
        body,
        headers: { 'x-shopify-access-token': String(headers['x-shopify-access-token']) },
      })
        .then((answer) => answer.text())
        .then((text) => {
          const refusal = {
            errors: [{ message: 'Query cost is 1200.', extensions: { code: 'MAX_COST_EXCEEDED' } }],
          };
          response.writeHead(200, { 'content-type': 'application/json' });
          response.end(isRefused ? JSON.stringify(refusal) : text);
        });
    });
    const pages = await firstOf(
      orders.pages(clientAt(odd.url, fake.identity.issue()), { since: null, cursor: null }),
    );
    expect(pages.objects).toHaveLength(allowed);
    expect(seen.filter((size) => size !== undefined).slice(0, 2)).toEqual([10, allowed]);
  });

  test('lose nothing of an import of one second, however many objects it has', async () => {
    const instants = new Map<string, number>();
    for (const { updatedAt } of shop.customers) {
      const instant = updatedAt.toISOString();
      instants.set(instant, (instants.get(instant) ?? 0) + 1);
    }
    expect(Math.max(...instants.values())).toBeGreaterThan(250);
    const ids = idsOf(customers, await pagesOf(customers, client()));
    expect(sorted(ids)).toEqual(sorted(livingIdsOf(shop, 'ECOMMERCE_CUSTOMERS')));
  });

  test('hold drafts and archived products, too', async () => {
    expect(new Set(shop.products.map(({ status }) => status)).size).toBe(4);
    expect(idsOf(products, await pagesOf(products, client()))).toHaveLength(shop.products.length);
  });

  test('are refused without their list, and as a whole where a part is', async () => {
    const read = async (body: object, status = 200) => {
      odd.answer((_heard, response) =>
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body)),
      );
      return firstOf(orders.pages(clientAt(odd.url, 'token'), { since: null, cursor: null }));
    };
    const pageInfo = { hasNextPage: false, endCursor: null };
    for (const data of [null, {}, { orders: null }, { orders: { pageInfo } }, { orders: { nodes: [] } }]) {
      await expect(read({ data })).rejects.toMatchObject({ code: 'platform-answer' });
    }
    const half = { data: { orders: { nodes: [], pageInfo } } };
    const message = 'Access denied for customer field. Required access: `read_customers` access scope.';
    const errors = [
      { message, path: ['orders', 'nodes', 0, 'customer'], extensions: { code: 'ACCESS_DENIED' } },
    ];
    await expect(read({ ...half, errors })).rejects.toMatchObject({
      code: 'platform-refused',
      message: expect.stringContaining(message),
    });
    await expect(read({ ...half, errors: 'Unavailable Shop' })).rejects.toMatchObject({
      code: 'platform-refused',
      message: expect.stringContaining('Unavailable Shop'),
    });
    await expect(read({ errors: '[API] Invalid API key' }, 401)).rejects.toMatchObject({
      code: 'connection-expired',
    });
  });
});

describe('the points of a shop', () => {
  test('are waited for as long as they take to be there', async () => {
    fake.points = 0;
    const pull = firstOf(
      products.pages(clientAt(fake.url, fake.identity.issue(), 1000), { since: null, cursor: null }),
    );
    const pause = await pull.then(
      () => null,
      (error: unknown) => error,
    );
    expect(pause).toBeInstanceOf(PlatformPause);
    const seconds = ((pause as PlatformPause).resumeAt.getTime() - Date.now()) / 1000;
    // 252 points, at a hundred a second.
    expect(seconds).toBeGreaterThan(2);
    expect(seconds).toBeLessThan(3);
  });

  test('are reported with every answer', async () => {
    const outcomes: unknown[] = [];
    const access = {
      ...plainAccess({ baseUrl: fake.url, accessToken: fake.identity.issue(), externalAccountId: '' }),
      permit: async () => ({ done: async (outcome: unknown) => void outcomes.push(outcome) }),
    };
    fake.points = 1500;
    await pagesOf(products, createShopifyClient(access));
    expect(outcomes).toMatchObject([
      { status: 200, remaining: { points: { left: 1248, capacity: 2000, perSecond: 100 } } },
    ]);
  });
});

describe('the lists within an order', () => {
  const partsOf = (order: PlatformObject | undefined, name: string) =>
    (order?.[name] as { readonly nodes: readonly unknown[] }).nodes.length;

  test('are whole, also those that a page holds only the beginning of', async () => {
    const objects = (await pagesOf(orders, client())).flatMap((page) => page.objects);
    const large = objects.find((order) => partsOf(order, 'lineItems') > 100);
    expect([partsOf(large, 'lineItems'), partsOf(large, 'shippingLines')]).toEqual([130, 3]);
    for (const [resource, dataModel] of [
      [transactions, 'ECOMMERCE_TRANSACTIONS'],
      [fulfillments, 'ECOMMERCE_FULFILLMENTS'],
    ] as const) {
      const ids = idsOf(resource, await pagesOf(resource, client()));
      expect(sorted(ids)).toEqual(sorted(livingIdsOf(shop, dataModel)));
    }
  });

  test('name the orders that they are all of', async () => {
    const pages = await pagesOf(transactions, client());
    expect(pages.flatMap(({ wholes = [] }) => wholes)).toEqual(livingIdsOf(shop, 'ECOMMERCE_ORDERS'));
  });

  test('that go on at the same place for ever are an error', async () => {
    let asked = 0;
    odd.answer((_heard, response) => {
      asked += 1;
      const lists = (name: string) => ({
        [name]: { nodes: [], pageInfo: { hasNextPage: asked < 20, endCursor: 'same' } },
      });
      const order = { id: 'gid://shopify/Order/1', ...lists('lineItems'), ...lists('shippingLines') };
      const page = { nodes: [order], pageInfo: { hasNextPage: false, endCursor: null } };
      response.setHeader('content-type', 'application/json');
      return response.end(JSON.stringify({ data: asked === 1 ? { orders: page } : { node: order } }));
    });
    await expect(pagesOf(orders, clientAt(odd.url, 'token'))).rejects.toMatchObject({
      code: 'platform-answer',
    });
    expect(asked).toBe(2);
  });

  test('that is deleted meanwhile are left out with it', async () => {
    const [, , , large] = shop.orders;
    odd.answer(({ body, headers, url }, response) => {
      if (body.includes('node(') && shop.orders[3] === large) shop.orders.splice(3, 1);
      void fetch(fake.url + url, {
        method: 'POST',
        body,
        headers: { 'x-shopify-access-token': String(headers['x-shopify-access-token']) },
      })
        .then((answer) => answer.text())
        .then((text) => response.writeHead(200, { 'content-type': 'application/json' }).end(text));
    });
    const ids = idsOf(orders, await pagesOf(orders, clientAt(odd.url, fake.identity.issue())));
    expect(ids).not.toContain(String(large?.id));
    expect(sorted(ids)).toEqual(sorted(livingIdsOf(shop, 'ECOMMERCE_ORDERS')));
  });
});

describe('without the right to orders older than 60 days', () => {
  const sweeps = [orders, transactions, fulfillments] as readonly PullResource[];

  test('no order counts as deleted that is not shown', async () => {
    shop.scopes = shop.scopes.filter((scope) => scope !== 'read_all_orders');
    shop.advance(61 * 86_400);
    expect(idsOf(orders, await pagesOf(orders, client()))).toEqual([]);
    for (const { deletions = [] } of sweeps) {
      const pages = [];
      for await (const page of deletions[0]?.pages(client(), { since: null, cursor: null }) ?? [])
        pages.push(page);
      expect(pages).toEqual([{ platformIds: [], cursor: null, isPartial: true }]);
    }
  });

  test('with it, all are swept', async () => {
    const swept: string[] = [];
    for await (const page of orders.deletions?.[0]?.pages(client(), { since: null, cursor: null }) ?? []) {
      expect(page.isPartial).toBeUndefined();
      swept.push(...page.platformIds);
    }
    expect(swept).toEqual(livingIdsOf(shop, 'ECOMMERCE_ORDERS'));
  });
});

test('a record type without its scope says which', async () => {
  shop.scopes = ['read_products'];
  await expect(pagesOf(customers, client())).rejects.toMatchObject({
    code: 'platform-refused',
    message: expect.stringContaining('Required access: `read_customers` access scope. (ACCESS_DENIED)'),
  });
  expect(idsOf(products, await pagesOf(products, client()))).toHaveLength(shop.products.length);
});
