import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { allOfPay, dump, type PlatformCaller, startTestSandbox, type TestSandbox } from './support.js';

let sandbox: TestSandbox;
let pay: PlatformCaller;
beforeAll(async () => {
  sandbox = await startTestSandbox();
  pay = await sandbox.caller('payments', 'demo-1');
});
afterAll(() => sandbox.remove());

const ids = (objects: any[]) => objects.map(({ id }) => id);

describe('GET /payments/v1/{kind}', () => {
  test.each([
    'customers',
    'invoices',
    'orders',
    'payment_links',
    'payments',
    'refunds',
    'balance_transactions',
  ])('walking %s gives every object once, newest first', async (kind) => {
    const stored = await dump(sandbox, `account=demo-1&platform=payments&kind=${kind}`);
    const listed = await allOfPay(pay, `/${kind}`, 7);
    expect(listed).toEqual(stored.map(({ object }) => object).reverse());
    const times = listed.map(({ created }) => created);
    expect(times).toEqual([...times].sort((one, other) => other - one));
    expect((await pay.get(`/${kind}/${listed[3].id}`)).body).toEqual(listed[3]);
  });

  test('ending_before walks back, created[gte] cuts off', async () => {
    const all = await allOfPay(pay, '/payments');
    const back = await pay.get(`/payments?limit=5&ending_before=${all[20].id}`);
    expect(ids(back.body.data)).toEqual(ids(all.slice(15, 20)));
    expect(back.body.has_more).toBe(true);
    const since = all[10].created;
    expect(ids(await allOfPay(pay, `/payments?created[gte]=${since}`, 4))).toEqual(
      ids(all.filter(({ created }) => created >= since)),
    );
  });

  test('amounts are whole minor units, and references lead to objects', async () => {
    const payments = await allOfPay(pay, '/payments');
    const customers = ids(await allOfPay(pay, '/customers'));
    const targets = [...ids(await allOfPay(pay, '/invoices')), ...ids(await allOfPay(pay, '/orders'))];
    for (const payment of payments) {
      expect(Number.isInteger(payment.amount)).toBe(true);
      expect(payment.id).toMatch(/^pay_\w{14}$/);
      expect(customers).toContain(payment.customer);
      expect(targets).toContain(payment.invoice ?? payment.order);
    }
  });

  test.each([
    ['limit=101', 'limit', 'parameter_invalid'],
    ['starting_after=pay_none', 'starting_after', 'invalid_cursor'],
    ['created[gte]=today', 'created[gte]', 'parameter_invalid'],
  ])('refuses ?%s by name', async (query, param, code) => {
    const { status, body } = await pay.get(`/payments?${query}`);
    expect([status, body.error.type, body.error.param, body.error.code]).toEqual([
      400,
      'invalid_request_error',
      param,
      code,
    ]);
  });
});

describe('writes and events', () => {
  test('tell of every creation, change and deletion, in order', async () => {
    await pay.send('POST', '/customers', { name: 'Somebody before' });
    const start = (await pay.get('/events?limit=1')).body.data[0].id;
    const made = await pay.send('POST', '/customers', {
      name: 'Test Person',
      email: 'test@example.com',
      metadata: { marker: 'mark-1' },
    });
    expect([made.status, made.body.object]).toEqual([200, 'customer']);
    const { id } = made.body;
    expect((await pay.get('/customers?metadata[marker]=mark-1')).body.data).toEqual([made.body]);
    const changed = await pay.send('POST', `/customers/${id}`, { name: 'Other Person' });
    expect(changed.body).toMatchObject({ id, name: 'Other Person', email: 'test@example.com' });
    const link = await pay.send('POST', '/payment_links', {
      currency: 'inr',
      line_items: [{ description: 'Seat', quantity: 3, unit_amount: 1250, tax_rate: 'txr_gst_18' }],
    });
    expect(link.body).toMatchObject({ amount_total: 4425, active: true });
    await pay.send('POST', `/payment_links/${link.body.id}`, { active: false });
    expect((await pay.send('DELETE', `/customers/${id}`)).body).toEqual({
      id,
      object: 'customer',
      deleted: true,
    });
    expect((await pay.get(`/customers/${id}`)).status).toBe(404);
    const forward: any[] = [];
    for (let before = start; ;) {
      const { body } = await pay.get(`/events?limit=2&ending_before=${before}`);
      forward.push(...[...body.data].reverse());
      if (!body.has_more) break;
      before = body.data[0].id;
    }
    expect((await allOfPay(pay, '/events', 2)).slice(0, 5)).toEqual([...forward].reverse());
    expect(forward.map(({ type, data }) => [type, data.object.id])).toEqual([
      ['customer.created', id],
      ['customer.updated', id],
      ['payment_link.created', link.body.id],
      ['payment_link.updated', link.body.id],
      ['customer.deleted', id],
    ]);
    expect(forward[1].data.object).toEqual(changed.body);
    const deleted = await pay.get('/events?types[]=customer.deleted');
    expect(deleted.body.data).toEqual([forward[4]]);
    expect((await pay.get(`/events/${forward[4].id}`)).body).toEqual(forward[4]);
  });

  test('name the parameter that is wrong', async () => {
    const missing = await pay.send('POST', '/customers', { email: 'a@b.example' });
    expect(missing.body.error).toMatchObject({ code: 'parameter_missing', param: 'name' });
    const unknown = await pay.send('POST', '/customers', { name: 'A', colour: 'red' });
    expect(unknown.body.error).toMatchObject({ code: 'parameter_unknown', param: 'colour' });
    const bad = await pay.send('POST', '/payment_links', {
      currency: 'aud',
      line_items: [{ quantity: 1, unit_amount: 1.5, item: 'x' }],
    });
    expect(bad.body.error).toMatchObject({ code: 'parameter_invalid', param: 'line_items.0.unit_amount' });
    expect((await pay.send('POST', '/payments', {})).status).toBe(405);
  });

  test('a reused key is an idempotency_error', async () => {
    const key = { 'idempotency-key': 'pay-key' };
    await pay.send('POST', '/customers', { name: 'One' }, key);
    const other = await pay.send('POST', '/customers', { name: 'Two' }, key);
    expect([other.status, other.body.error.type]).toEqual([400, 'idempotency_error']);
  });
});
