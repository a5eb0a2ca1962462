import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Stripe } from 'stripe';

import { type ConformancePlatform } from '../conformance.js';
import { startStripePlatform } from '../stripe-fake/platform.js';

describe("the fake Stripe, by Stripe's own client", () => {
  let platform: ConformancePlatform;
  let stripe: Stripe;

  const clientOf = (key: string): Stripe => {
    const { hostname: host, port } = new URL(platform.baseUrl);
    const httpClient = Stripe.createFetchHttpClient();
    return new Stripe(key, {
      host,
      port,
      protocol: 'http',
      httpClient,
      maxNetworkRetries: 0,
      telemetry: false,
    });
  };

  async function all<T>(list: AsyncIterable<T>): Promise<T[]> {
    const found: T[] = [];
    for await (const one of list) found.push(one);
    return found;
  }

  const idsOf = (list: readonly { readonly id: string }[]): string[] => list.map(({ id }) => id);

  beforeAll(async () => {
    platform = await startStripePlatform();
    stripe = clientOf(await platform.issueToken());
  });
  afterAll(() => platform.stop());

  test('is one account, with a balance of six currencies', async () => {
    expect((await stripe.accounts.retrieveCurrent()).id).toBe(platform.externalAccountId);
    const { available } = await stripe.balance.retrieve();
    expect(available.map(({ currency }) => currency)).toEqual(['usd', 'eur', 'jpy', 'kwd', 'isk', 'ugx']);
  });

  test('lists all of each type in pages, the newest first, also those of one second', async () => {
    const customers = await all(stripe.customers.list({ limit: 100 }));
    expect(idsOf(customers).sort()).toEqual([...(await platform.livingIds('PAYMENT_CUSTOMERS'))].sort());
    expect(customers.length).toBeGreaterThan(200);
    const times = customers.map(({ created }) => created);
    expect(times).toEqual([...times].sort((one, other) => other - one));
    expect([times[99] === times[100], times[199] === times[200]]).toEqual([true, true]);
    const lists = {
      PAYMENT_ITEMS: stripe.products.list(),
      PAYMENT_TAX_RATES: stripe.taxRates.list(),
      PAYMENT_INVOICES: stripe.invoices.list(),
      PAYMENT_REFUNDS: stripe.refunds.list(),
      PAYMENT_DISPUTES: stripe.disputes.list(),
      PAYMENT_PAYOUTS: stripe.payouts.list(),
      PAYMENT_TRANSACTIONS: stripe.balanceTransactions.list({ limit: 100 }),
      PAYMENT_PAYMENT_LINKS: stripe.paymentLinks.list(),
      PAYMENT_SUBSCRIPTIONS: stripe.subscriptions.list({ status: 'all' }),
    };
    for (const [dataModel, list] of Object.entries(lists)) {
      const living = [...(await platform.livingIds(dataModel))].sort();
      expect([dataModel, idsOf(await all<{ id: string }>(list)).sort()]).toEqual([dataModel, living]);
    }
  });

  test('lists canceled subscriptions only where they are asked for', async () => {
    const plain = await all(stripe.subscriptions.list());
    expect(plain.some(({ status }) => status === 'canceled')).toBe(false);
  });

  test('goes back with ending_before', async () => {
    const [, , third, fourth, fifth] = (await stripe.paymentIntents.list()).data;
    const page = await stripe.paymentIntents.list({ ending_before: fifth?.id ?? '', limit: 2 });
    expect([idsOf(page.data), page.has_more]).toEqual([[third?.id, fourth?.id], true]);
  });

  test('lists the events of thirty days by type and time, in the shapes of an older version', async () => {
    const events = await all(stripe.events.list({ limit: 100 }));
    const now = (platform.now?.() ?? new Date()).getTime() / 1000;
    expect(events.length).toBeGreaterThan(200);
    expect(Math.min(...events.map(({ created }) => created))).toBeGreaterThan(now - 31 * 86_400);
    const types = ['payment_intent.created', 'payment_intent.succeeded'];
    const ofIntents = await all(
      stripe.events.list({ types, limit: 100, created: { gte: now - 7 * 86_400 } }),
    );
    const wanted = events.filter(({ type, created }) => types.includes(type) && created >= now - 7 * 86_400);
    expect(idsOf(ofIntents)).toEqual(idsOf(wanted));
    expect(ofIntents.map(({ api_version }) => api_version)).toContain('2024-06-20');
    expect(ofIntents[0]?.data.object).toHaveProperty('invoice');
    const [ofSubscription] = (await stripe.events.list({ type: 'customer.subscription.created' })).data;
    expect(ofSubscription?.data.object).toHaveProperty('current_period_end');
    await expect(
      stripe.events.list({ types: Array<string>(21).fill('charge.updated') }),
    ).rejects.toBeInstanceOf(Stripe.errors.StripeInvalidRequestError);
  });

  test('has references as ids, and as objects where they are to be expanded', async () => {
    const [product] = (await stripe.products.list({ limit: 1 })).data;
    const plain = (await stripe.products.list({ limit: 100 })).data;
    expect(
      plain.every(({ default_price }) => default_price === null || typeof default_price === 'string'),
    ).toBe(true);
    const expanded = await stripe.products.list({ limit: 100, expand: ['data.default_price'] });
    const decimals = expanded.data.flatMap(({ default_price }) =>
      typeof default_price === 'object' && default_price ? String(default_price.unit_amount_decimal) : [],
    );
    expect(decimals).toContain('1.25');
    const id = product?.id ?? '';
    expect((await stripe.products.retrieve(id, { expand: ['default_price'] })).id).toBe(id);

    const [customer] = (await stripe.customers.list({ limit: 100, expand: ['data.tax_ids'] })).data.filter(
      ({ tax_ids }) => (tax_ids?.data.length ?? 0) > 1,
    );
    expect((await stripe.customers.retrieve(customer?.id ?? '')) as object).not.toHaveProperty('tax_ids');
    const { data: intents } = await stripe.paymentIntents.list({ limit: 20, expand: ['data.latest_charge'] });
    expect(intents.map(({ latest_charge }) => latest_charge)).toContainEqual(
      expect.objectContaining({ object: 'charge', payment_method_details: expect.anything() }),
    );
    await expect(stripe.customers.list({ expand: ['data.shoe_size'] })).rejects.toThrow('cannot be expanded');
  });

  test('embeds ten lines, and lists the rest', async () => {
    const { data: invoices } = await stripe.invoices.list({ limit: 100, expand: ['data.payments'] });
    const long = invoices.filter(({ lines }) => lines.has_more);
    const counts: number[] = [];
    for (const { id, lines } of long) {
      const rest = await all(stripe.invoices.listLineItems(id, { limit: 100 }));
      expect(idsOf(rest.slice(0, 10))).toEqual(idsOf(lines.data));
      counts.push(rest.length);
    }
    expect(Math.max(...counts)).toBe(120);
    const [paid] = invoices.flatMap(({ payments }) => payments?.data ?? []);
    expect(paid?.object).toBe('invoice_payment');
    const { data: links } = await stripe.paymentLinks.list({ limit: 100, expand: ['data.line_items'] });
    const [wide] = links.filter(({ line_items }) => line_items?.has_more);
    expect(await all(stripe.paymentLinks.listLineItems(wide?.id ?? ''))).toHaveLength(23);
  });

  test('finds the invoice that an intent pays', async () => {
    const paid = await all(stripe.invoicePayments.list({ status: 'paid' }));
    expect(paid.map(({ payment }) => payment.type)).toContain('charge');
    const [{ payment, invoice } = { payment: null, invoice: null }] = paid.filter(
      ({ payment }) => payment.type === 'payment_intent',
    );
    const payment_intent = payment?.payment_intent;
    if (typeof payment_intent !== 'string') throw new Error('it is not expanded');
    const found = await stripe.invoicePayments.list({ payment: { type: 'payment_intent', payment_intent } });
    expect(found.data.map((one) => one.invoice)).toEqual([invoice]);
  });

  test('refuses a key that it did not give', async () => {
    const refused = clientOf('rk_live_of_yesterday').customers.list();
    await expect(refused).rejects.toBeInstanceOf(Stripe.errors.StripeAuthenticationError);
  });

  test('refuses an unknown version, id and parameter', async () => {
    const older = stripe.customers.list({}, { apiVersion: '2024-06-20' });
    await expect(older).rejects.toMatchObject({ statusCode: 400, type: 'StripeInvalidRequestError' });
    const missing = { statusCode: 404, code: 'resource_missing' };
    await expect(stripe.customers.retrieve('cus_nobody')).rejects.toMatchObject(missing);
    const unknown = { statusCode: 400, code: 'parameter_unknown', param: 'created' };
    await expect(stripe.paymentLinks.list({ created: { gte: 1 } } as object)).rejects.toMatchObject(unknown);
  });

  test('answers for a deleted customer, and has no deleted product or draft', async () => {
    const delete_ = async (dataModel: string) => (await platform.steps?.delete?.(dataModel)) ?? '';
    const customer = await delete_('PAYMENT_CUSTOMERS');
    expect(await stripe.customers.retrieve(customer)).toEqual(
      expect.objectContaining({ id: customer, object: 'customer', deleted: true }),
    );
    expect(idsOf(await all(stripe.customers.list({ limit: 100 })))).not.toContain(customer);
    const missing = { statusCode: 404, code: 'resource_missing' };
    await expect(stripe.products.retrieve(await delete_('PAYMENT_ITEMS'))).rejects.toMatchObject(missing);
    await expect(stripe.invoices.retrieve(await delete_('PAYMENT_INVOICES'))).rejects.toMatchObject(missing);
    const { data } = await stripe.events.list({
      types: ['customer.deleted', 'product.deleted', 'invoice.deleted'],
    });
    expect(data.map(({ type }) => type)).toEqual(['invoice.deleted', 'product.deleted', 'customer.deleted']);
  });

  test('changes some of each type, and says so by events where it has any', async () => {
    const models = Object.keys(EVENTS);
    for (const dataModel of models) {
      const before = (platform.now?.() ?? new Date()).getTime() / 1000;
      const { changed, deleted } = await platform.mutate(dataModel);
      const living = await platform.livingIds(dataModel);
      expect([dataModel, changed.filter((id) => !living.includes(id))]).toEqual([dataModel, []]);
      expect(deleted.filter((id) => living.includes(id))).toEqual([]);
      const events = await all(stripe.events.list({ created: { gte: before }, limit: 100 }));
      const prefixes = EVENTS[dataModel] ?? [];
      expect([dataModel, events.some(({ type }) => prefixes.some((one) => type.startsWith(one)))]).toEqual([
        dataModel,
        prefixes.length > 0,
      ]);
    }
  });
});

/** By how the types of their events begin. */
const EVENTS: Readonly<Record<string, readonly string[]>> = {
  PAYMENT_CUSTOMERS: ['customer.updated', 'customer.tax_id.'],
  PAYMENT_ITEMS: ['product.', 'price.'],
  PAYMENT_TAX_RATES: ['tax_rate.'],
  PAYMENT_INVOICES: ['invoice.'],
  PAYMENT_PAYMENTS: ['payment_intent.', 'charge.', 'invoice_payment.'],
  PAYMENT_REFUNDS: ['refund.'],
  PAYMENT_DISPUTES: ['charge.dispute.'],
  PAYMENT_PAYOUTS: ['payout.'],
  PAYMENT_TRANSACTIONS: [],
  PAYMENT_BALANCES: [],
  PAYMENT_PAYMENT_LINKS: ['payment_link.'],
  PAYMENT_SUBSCRIPTIONS: ['customer.subscription.'],
};
