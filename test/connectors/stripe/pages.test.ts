import { describe, expect, test } from '@jest/globals';
import { AppError } from '../../../src/errors.js';
import { type PlatformObject } from '../../../src/connectors/platform.js';
import { stripe } from '../../../src/connectors/stripe/index.js';
import { answering, type AskedCall, deletionsOf, pull, resourceOf } from '../sandbox/answering.js';

const customers = resourceOf(stripe, 'PAYMENT_CUSTOMERS');
const payments = resourceOf(stripe, 'PAYMENT_PAYMENTS');

const list = (data: readonly object[], hasMore = false) => ({ object: 'list', data, has_more: hasMore });
const customer = (number: number) => ({ id: `cus_${number}`, object: 'customer', created: number });
const event = (number: number, type: string, object: object) => ({
  id: `evt_${number}`,
  type,
  data: { object },
});
const since = new Date(1_000_000);

const asked = ({ path, query: { limit: _, ...query } }: AskedCall) => [path, query];

describe('a list', () => {
  test.each([
    [{ object: 'list', has_more: false }, 'must answer with a list of data'],
    [{ object: 'list', data: [] }, 'must say whether /v1/customers has more'],
    [list([{ object: 'customer' }], true), 'sent a record without id'],
  ])('is not empty because of the answer %j', async (answer, message) => {
    const client = answering(() => answer);
    await expect(pull(client, customers)).rejects.toMatchObject({
      code: 'platform-answer',
      message: `Stripe ${message}`,
    });
  });

  test('goes on from the time of an object that was deleted since', async () => {
    const client = answering(({ query }) => {
      if (query['starting_after'] === 'cus_4') throw new AppError('platform-refused', 'No such customer');
      if (query['created[lte]'] === '4') return list([customer(3), customer(2)]);
      return list([customer(5), customer(4)], true);
    });
    const pages = await pull(client, customers);
    expect(pages.map(({ objects }) => objects.map(({ id }) => id))).toEqual([
      ['cus_5', 'cus_4'],
      ['cus_3', 'cus_2'],
    ]);
  });

  test('goes on from an id that the account chose, in one pull or the next', async () => {
    const products = [9, 8].map((number) => ({
      id: `sku: red ${number}`,
      object: 'product',
      created: number,
    }));
    const client = answering(({ path, query }) =>
      path !== '/v1/products' || query['starting_after'] !== undefined ? list([]) : list(products, true),
    );
    const items = resourceOf(stripe, 'PAYMENT_ITEMS');
    const startsOf = () => client.calls.splice(0).map(({ query }) => query['starting_after']);
    const [page] = await pull(client, items);
    expect(startsOf()).toEqual([undefined, 'sku: red 8']);
    await pull(client, items, { cursor: page?.cursor ?? null });
    expect(startsOf()).toEqual(['sku: red 8']);
  });

  test('that does not go on is an error', async () => {
    const client = answering(() => list([customer(5), customer(4)], true));
    await expect(pull(client, customers)).rejects.toMatchObject({ code: 'platform-answer' });
  });
});

describe('changes', () => {
  test('are read as they are now, each once, before what was created since', async () => {
    const events = [
      event(4, 'customer.updated', { ...customer(7), name: 'old' }),
      event(3, 'customer.tax_id.created', { id: 'txi_1', object: 'tax_id', customer: 'cus_8' }),
      event(2, 'customer.updated', { ...customer(7), name: 'older' }),
      event(1, 'customer.updated', { ...customer(1000), name: 'new anyway' }),
    ];
    const client = answering(({ path }) => {
      if (path === '/v1/events') return list(events);
      if (path === '/v1/customers/cus_7') return { ...customer(7), name: 'present' };
      if (path === '/v1/customers/cus_8') return { id: 'cus_8', object: 'customer', deleted: true };
      return list([customer(1000)]);
    });
    const pages = await pull(client, customers, { since });
    expect(pages).toEqual([
      { objects: [{ ...customer(7), name: 'present' }], cursor: 'customer:' },
      { objects: [customer(1000)], cursor: null },
    ]);
    expect(client.calls.map(asked)).toEqual([
      [
        '/v1/events',
        {
          'created[gte]': '1000',
          'types[0]': 'customer.updated',
          'types[1]': 'customer.tax_id.created',
          'types[2]': 'customer.tax_id.updated',
          'types[3]': 'customer.tax_id.deleted',
        },
      ],
      ['/v1/customers/cus_7', { 'expand[0]': 'tax_ids' }],
      ['/v1/customers/cus_8', { 'expand[0]': 'tax_ids' }],
      ['/v1/customers', { 'created[gte]': '1000', 'expand[0]': 'data.tax_ids' }],
    ]);
  });

  test('are read on from where they were left', async () => {
    const client = answering(({ path }) => (path === '/v1/events' ? list([]) : list([])));
    await pull(client, customers, { since, cursor: 'customer changed:evt_5' });
    expect(client.calls.map(({ path, query }) => [path, query['starting_after']])).toEqual([
      ['/v1/events', 'evt_5'],
      ['/v1/customers', undefined],
    ]);
    client.calls.length = 0;
    await pull(client, customers, { since, cursor: 'customer:cus_9 9' });
    expect(client.calls.map(({ path, query }) => [path, query['starting_after']])).toEqual([
      ['/v1/customers', 'cus_9'],
    ]);
  });

  test.each([
    ['invoice_payment.paid', { object: 'invoice_payment', id: 'inpay_1', invoice: 'in_1' }],
    ['credit_note.created', { object: 'credit_note', id: 'cn_1', invoice: 'in_1' }],
    ['credit_note.voided', { object: 'credit_note', id: 'cn_1', invoice: 'in_1' }],
    ['invoiceitem.created', { object: 'invoiceitem', id: 'ii_1', invoice: 'in_1' }],
    ['invoiceitem.deleted', { object: 'invoiceitem', id: 'ii_1', invoice: 'in_1' }],
    ['invoice.overpaid', { object: 'invoice', id: 'in_1', created: 1 }],
  ])('of an invoice are told by %s', async (type, object) => {
    const invoice = { id: 'in_1', object: 'invoice', created: 1, lines: list([]) };
    const client = answering(({ path, query }) => {
      if (path === '/v1/events')
        return list(Object.values(query).includes(type) ? [event(1, type, object)] : []);
      return path === '/v1/invoices' ? list([]) : invoice;
    });
    const pages = await pull(client, resourceOf(stripe, 'PAYMENT_INVOICES'), { since });
    expect(pages.flatMap(({ objects }) => objects)).toEqual([invoice]);
    const [events] = client.calls;
    expect(Object.keys(events?.query ?? {}).filter((name) => name.startsWith('types')).length).toBeLessThan(
      21,
    );
  });

  test('of which an event has no object are an error', async () => {
    const client = answering(() => list([{ id: 'evt_1', type: 'customer.updated', data: {} }]));
    await expect(pull(client, customers, { since })).rejects.toMatchObject({ code: 'platform-answer' });
  });

  test('are not asked for of the last day of which Stripe has events: these end while they are read', () => {
    const [feed] = customers.deletions ?? [];
    expect([customers.reachDays, feed?.reachDays]).toEqual([29, 29]);
  });

  test('include deletions', async () => {
    const client = answering(() => list([event(1, 'customer.deleted', customer(3))]));
    expect(await deletionsOf(client, customers, { since })).toEqual([
      { platformIds: ['cus_3'], cursor: null },
    ]);
  });
});

describe('the invoices of payments', () => {
  const intent = (number: number, more: PlatformObject = {}) => ({
    id: `pi_${number}`,
    object: 'payment_intent',
    created: number,
    customer: 'cus_1',
    ...more,
  });
  const paid = (number: number, payment: number, invoice: string, status = 'paid') => ({
    id: `inpay_${number}`,
    created: number,
    invoice,
    status,
    payment: { type: 'payment_intent', payment_intent: `pi_${payment}` },
  });
  const invoicesOf = (pages: Awaited<ReturnType<typeof pull>>) =>
    pages.flatMap(({ objects }) => objects.map((object) => [object['id'], object['svc_invoice']]));

  test('come from their list, which is read no further than the payments', async () => {
    const client = answering(({ path, query }) => {
      if (path === '/v1/charges') return list([]);
      if (path === '/v1/payment_intents')
        return query['starting_after'] === undefined
          ? list([intent(90000), intent(80000)], true)
          : list([intent(50000), intent(40000, { customer: null })]);
      return (
        {
          none: list(
            [paid(9, 50000, 'in_late'), { ...paid(8, 80000, 'in_off', 'canceled'), created: 89000 }],
            true,
          ),
          inpay_8: list([paid(7, 80000, 'in_1'), { ...paid(6, 1, 'in_0'), created: 70000 }], true),
          inpay_6: list([paid(5, 45000, 'in_2'), { ...paid(4, 2, 'in_0'), created: 30000 }], true),
        }[query['starting_after'] ?? 'none'] ?? list([])
      );
    });
    expect(invoicesOf(await pull(client, payments))).toEqual([
      ['pi_90000', null],
      ['pi_80000', 'in_1'],
      ['pi_50000', 'in_late'],
      ['pi_40000', null],
    ]);
    const read = client.calls.filter(({ path }) => path === '/v1/invoice_payments');
    expect(read.map(({ query }) => query['starting_after'])).toEqual([undefined, 'inpay_8', 'inpay_6']);
  });

  test('are unknown where the key may not read them, for which it is asked once', async () => {
    const told = [5, 6].map((number) => event(number, 'payment_intent.succeeded', intent(number)));
    const client = answering(({ path }) => {
      if (path === '/v1/invoice_payments') throw new AppError('platform-refused', 'no rak_invoice_read');
      if (path === '/v1/events') return list(told);
      const [, id] = /^\/v1\/payment_intents\/pi_(\d)$/.exec(path) ?? [];
      if (id !== undefined) return intent(Number(id));
      return list(path === '/v1/charges' ? [{ ...intent(8000), id: 'ch_1' }] : [intent(9000), intent(7000)]);
    });
    expect(invoicesOf(await pull(client, payments))).toEqual([
      ['pi_9000', null],
      ['pi_7000', null],
      ['ch_1', null],
    ]);
    await payments.read?.(client, 'pi_5');
    const paths = client.calls.map(({ path }) => path);
    expect(paths.filter((path) => path === '/v1/invoice_payments')).toHaveLength(1);
  });

  test('are not taken for unknown where a further page is refused', async () => {
    const client = answering(({ path, query }) => {
      if (path === '/v1/charges') return list([]);
      if (path === '/v1/payment_intents') return list([intent(9000), intent(7000)]);
      if (query['starting_after'] === undefined) return list([paid(9000, 9000, 'in_1')], true);
      throw new AppError('platform-refused', 'no such invoice payment');
    });
    await expect(pull(client, payments)).rejects.toMatchObject({ message: 'no such invoice payment' });
  });

  test('are asked for where one payment has changed', async () => {
    const told = event(1, 'invoice_payment.paid', {
      object: 'invoice_payment',
      payment: { type: 'payment_intent', payment_intent: 'pi_5' },
    });
    const client = answering(({ path, query }) => {
      if (path === '/v1/events') return list(query['types[0]']?.startsWith('payment_intent') ? [told] : []);
      if (path === '/v1/payment_intents/pi_5') return intent(5);
      return list(path === '/v1/invoice_payments' ? [paid(1, 5, 'in_5')] : []);
    });
    expect(invoicesOf(await pull(client, payments, { since }))).toEqual([['pi_5', 'in_5']]);
    expect(client.calls.map(asked)).toContainEqual([
      '/v1/invoice_payments',
      { 'payment[type]': 'payment_intent', 'payment[payment_intent]': 'pi_5' },
    ]);
  });
});

test.each([
  ['pi_1', '/v1/payment_intents/pi_1'],
  ['ch_1', '/v1/charges/ch_1'],
  ['py_1', '/v1/charges/py_1'],
])('a payment %s is asked for only where its id belongs', async (id, path) => {
  const client = answering(() => ({ id, deleted: true }));
  expect(await payments.read?.(client, id)).toBeNull();
  expect(client.calls.map((call) => call.path)).toEqual([path]);
});

test('lines that are cut off are read to their end', async () => {
  const line = (number: number) => ({ id: `il_${number}` });
  const client = answering(({ path, query }) => {
    if (path === '/v1/invoices')
      return list([{ id: 'in_1', object: 'invoice', created: 1, lines: list([line(1), line(2)], true) }]);
    return query['starting_after'] === 'il_2' ? list([line(3)], true) : list([line(4)]);
  });
  const [page] = await pull(client, resourceOf(stripe, 'PAYMENT_INVOICES'));
  expect(page?.objects).toEqual([
    { id: 'in_1', object: 'invoice', created: 1, lines: list([1, 2, 3, 4].map(line)) },
  ]);
  expect(client.calls.map(({ path }) => path)).toEqual([
    '/v1/invoices',
    '/v1/invoices/in_1/lines',
    '/v1/invoices/in_1/lines',
  ]);
});
