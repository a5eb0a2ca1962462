import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { allOfShop, dump, type PlatformCaller, startTestSandbox, type TestSandbox } from './support.js';

let sandbox: TestSandbox;
let shop: PlatformCaller;
beforeAll(async () => {
  sandbox = await startTestSandbox();
  shop = await sandbox.caller('ecommerce', 'demo-1');
});
afterAll(() => sandbox.remove());

const ids = (objects: any[]) => objects.map(({ id }) => id);
const all = (path: string) => allOfShop(shop, sandbox.send, path);
const numberOf = (id: string) => id.split('/').at(-1);

describe('GET /ecommerce/admin/2026-10/{kind}.json', () => {
  test.each(['orders', 'transactions', 'customers', 'fulfillments', 'products', 'inventory_levels', 'shops'])(
    'the links of %s lead through every object once',
    async (kind) => {
      const stored = await dump(sandbox, `account=demo-1&platform=ecommerce&kind=${kind}`);
      const listed = await all(`/${kind}.json?limit=7`);
      expect(ids(listed).sort()).toEqual(ids(stored).sort());
      const times = listed.map(({ updated_at }) => Date.parse(updated_at));
      expect(times).toEqual([...times].sort((one, other) => one - other));
      const [first] = listed;
      const { body } = await shop.get(`/${kind}/${numberOf(first.id)}.json`);
      expect(body).toEqual({ [kind.slice(0, -1)]: first });
    },
  );

  test('updated_at_min is inclusive and holds on the pages that follow', async () => {
    const orders = await all('/orders.json');
    const since = orders[20].updated_at;
    expect(since).toMatch(/\+10:00$/);
    const filtered = await all(`/orders.json?limit=3&updated_at_min=${encodeURIComponent(since)}`);
    expect(ids(filtered)).toEqual(ids(orders.slice(20)));
  });

  test.each(['transactions', 'fulfillments'])('an order tells its %s', async (kind) => {
    const parts = await all(`/${kind}.json`);
    const order = parts[0].order_id;
    const { body } = await shop.get(`/orders/${numberOf(order)}/${kind}.json`);
    expect(body[kind]).toEqual(parts.filter(({ order_id }) => order_id === order));
    const orders = ids(await all('/orders.json'));
    for (const { order_id } of parts) expect(orders).toContain(order_id);
  });

  test('an order that changes while the pages are read comes again at the end', async () => {
    const first = await shop.get('/orders.json?limit=5');
    const [early] = first.body.orders;
    await shop.send('PUT', `/orders/${numberOf(early.id)}.json`, { order: { note: 'changed' } });
    const link = /^<([^>]+)>/.exec(first.headers.get('link') ?? '')?.[1] ?? '';
    const { pathname, search } = new URL(link);
    const rest = await allOfShop(
      { ...shop, get: () => sandbox.send(pathname + search, auth()) },
      sandbox.send,
      '/orders.json',
    );
    expect(rest.at(-1)).toMatchObject({ id: early.id, note: 'changed' });
  });

  const auth = () => ({ headers: { authorization: `Bearer ${shop.token}` } });

  test('refuses other parameters beside page_info, and made-up ones', async () => {
    const { headers } = await shop.get('/orders.json?limit=2');
    const info = /page_info=([^>&]+)/.exec(headers.get('link') ?? '')?.[1];
    const both = await shop.get(`/orders.json?page_info=${info}&updated_at_min=2026-01-01T00:00:00Z`);
    expect([both.status, Object.keys(both.body.errors)]).toEqual([400, ['updated_at_min']]);
    expect((await shop.get('/orders.json?page_info=nonsense')).status).toBe(400);
    expect((await shop.get('/orders/1.json')).body).toEqual({ errors: 'Not Found' });
  });

  test('takes the token in its own header too', async () => {
    const headers = { 'sandbox-shop-access-token': shop.token };
    expect((await sandbox.send('/ecommerce/admin/2026-10/shop.json', { headers })).body.shop.id).toBe(
      'demo-1',
    );
  });

  test('says Retry-After with a decimal', async () => {
    const { status, headers } = await shop.get('/orders.json', { 'sandbox-fault': '429' });
    expect([status, headers.get('retry-after')]).toEqual([429, '1.0']);
  });
});

describe('writes and deletions', () => {
  test('customers are made, found by their tag and changed', async () => {
    const made = await shop.send('POST', '/customers.json', {
      customer: { first_name: 'Mia', email: 'mia@example.com', tags: 'mark-1, web' },
    });
    expect(made.status).toBe(201);
    expect((await shop.get('/customers.json?tag=mark-1')).body.customers).toEqual([made.body.customer]);
    const path = `/customers/${numberOf(made.body.customer.id)}.json`;
    const changed = await shop.send('PUT', path, { customer: { note: 'hello' } });
    expect(changed.body.customer).toMatchObject({ first_name: 'Mia', note: 'hello' });
    const bad = await shop.send('POST', '/customers.json', { customer: { email: 'no', colour: 1 } });
    expect([bad.status, Object.keys(bad.body.errors).sort()]).toEqual([
      422,
      ['customer.colour', 'customer.email'],
    ]);
  });

  test('what is deleted counts neither in the balance nor against stock', async () => {
    const balance = async () => (await all('/balances.json')).map(({ amount }) => amount);
    const moved = async () => {
      const amounts = (await all('/transactions.json')).flatMap(({ kind, amount_set, fees }) => [
        Number(amount_set.shop_money.amount) * (kind === 'refund' ? -1 : 1),
        ...fees.map((fee: any) => -Number(fee.amount_set.shop_money.amount)),
      ]);
      return [amounts.reduce((total, amount) => total + amount, 0).toFixed(2)];
    };
    const boxes = async () => {
      const levels = await all('/inventory_levels.json');
      const held = new Map(levels.map(({ product_id, available }) => [product_id, available]));
      for (const { fulfillment_status, line_items } of await all('/orders.json')) {
        for (const { product_id, quantity } of fulfillment_status === 'fulfilled' ? line_items : []) {
          held.set(product_id, held.get(product_id) + quantity);
        }
      }
      return Object.fromEntries(held);
    };
    const before = [await balance(), await boxes()];
    expect(before[0]).toEqual(await moved());
    const body = { account: 'demo-1', platform: 'ecommerce', kind: 'orders', deletes: 6, seed: 5 };
    expect((await sandbox.control('POST', '/mutate', body)).body.deleted).toHaveLength(6);
    expect(await balance()).toEqual(await moved());
    expect(await balance()).not.toEqual(before[0]);
    expect(await boxes()).toEqual(before[1]);
  });

  test('the feed of deletions tells of orders and their transactions', async () => {
    const before = new Date().toISOString();
    const { body } = await sandbox.control('POST', '/mutate', {
      account: 'demo-1',
      platform: 'ecommerce',
      deletes: 3,
    });
    expect(body.deleted).toHaveLength(3);
    const deletions = await all(`/deletions.json?limit=2&since=${before}`);
    const orders = deletions.filter(({ subject_type }) => subject_type === 'Order');
    expect(orders.map(({ subject_id }) => subject_id).sort()).toEqual(ids(body.deleted).sort());
    const live = ids(await all('/orders.json'));
    for (const { id } of body.deleted) expect(live).not.toContain(id);
    const transactions = await all('/transactions.json');
    expect(transactions.filter(({ order_id }) => !live.includes(order_id))).toEqual([]);
    const future = new Date(Date.now() + 60_000).toISOString();
    expect((await shop.get(`/deletions.json?since=${future}`)).body.deletions).toEqual([]);
  });
});
