import { describe, expect, test } from '@jest/globals';

import { type PlatformObject } from '../../../src/connectors/platform.js';
import { sandboxPay } from '../../../src/connectors/sandbox/pay/index.js';
import { answering, type AskedCall, deletionsOf, pull, resourceOf } from './answering.js';

const customers = resourceOf(sandboxPay, 'PAYMENT_CUSTOMERS');

interface Event {
  readonly id: string;
  readonly type: string;
  readonly created: number;
  readonly data: { readonly object: PlatformObject };
}

/** Customers and events as Pay lists them, newest first. */
function payOf(world: { customers?: readonly PlatformObject[]; events?: readonly Event[] }, size = 2) {
  const list = (all: readonly PlatformObject[], { query }: AskedCall) => {
    const { ending_before: before, starting_after: after } = query;
    const place = all.findIndex(({ id }) => id === (before ?? after));
    const end = before === undefined ? place + 1 + size : place;
    const start = before === undefined ? place + 1 : Math.max(0, place - size);
    const data = all.slice(start, end);
    return { object: 'list', has_more: before === undefined ? end < all.length : start > 0, data };
  };
  return answering((call) => {
    const since = Number(call.query['created[gte]'] ?? 0);
    const newest = <One extends PlatformObject>(all: readonly One[] = []) =>
      [...all].reverse().filter((one) => Number(one['created'] ?? 0) >= since);
    if (call.path === '/customers') return list(newest(world.customers), call);
    const type = call.query['types[]'];
    const events = newest<PlatformObject>(world.events as unknown as PlatformObject[]);
    return list(
      events.filter((event) => event['type'] === type),
      call,
    );
  });
}

const event = (number: number, id: string, version: number, change = 'updated'): Event => ({
  id: `evt_${number}`,
  type: `customer.${change}`,
  created: 1000 + number,
  data: { object: { id, version } },
});
const since = new Date(1_000_500);

describe('pulling all customers', () => {
  const world = { customers: [1, 2, 3, 4, 5].map((number) => ({ id: `cus_${number}` })) };

  test('walks the list by the last id of each page', async () => {
    const client = payOf(world);
    const pages = await pull(client, customers);
    expect(pages.map(({ objects, cursor }) => [objects.map(({ id }) => id), cursor])).toEqual([
      [['cus_5', 'cus_4'], 'cus_4'],
      [['cus_3', 'cus_2'], 'cus_2'],
      [['cus_1'], null],
    ]);
    expect(client.calls.map(({ query }) => query)).toEqual([
      { limit: '100' },
      { limit: '100', starting_after: 'cus_4' },
      { limit: '100', starting_after: 'cus_2' },
    ]);
  });

  test('goes on from its cursor', async () => {
    const pages = await pull(payOf(world), customers, { cursor: 'cus_2' });
    expect(pages.map(({ objects }) => objects)).toEqual([[{ id: 'cus_1' }]]);
  });

  test.each([
    ['no list', { has_more: false }],
    ['no word about more', { data: [] }],
    ['more than nothing', { has_more: true, data: [] }],
    ['something that is no object', { has_more: false, data: ['cus_1'] }],
  ])('takes %s for an error and not for an end', async (_what, answer) => {
    await expect(
      pull(
        answering(() => answer),
        customers,
      ),
    ).rejects.toMatchObject({ code: 'platform-answer' });
  });
});

describe('pulling customers that changed', () => {
  const states = (pages: readonly { readonly objects: readonly PlatformObject[] }[]) =>
    pages.map(({ objects }) => objects.map(({ id, version }) => `${String(id)} ${String(version)}`));

  test('reads the changes forward, so that the latest state comes last', async () => {
    const events = [event(1, 'a', 1), event(2, 'b', 1), event(3, 'a', 2), event(4, 'a', 3), event(5, 'b', 2)];
    const pages = await pull(payOf({ events }), customers, { since });
    expect(states(pages)).toEqual([['a 1'], ['b 1', 'a 2'], ['a 3', 'b 2'], []]);
    expect(pages.map(({ cursor }) => cursor)).toEqual(['updated:evt_1', 'updated:evt_3', 'created:', null]);
  });

  test('gives of several states on a page the latest', async () => {
    const events = [event(1, 'a', 1), event(2, 'a', 2)];
    expect(states(await pull(payOf({ events }), customers, { since }))).toEqual([['a 2'], []]);
  });

  test('asks only for what is not older, and counts a part of a second', async () => {
    const client = payOf({});
    await pull(client, customers, { since });
    expect(client.calls).toEqual([
      { path: '/events', query: { 'types[]': 'customer.updated', 'created[gte]': '1000', limit: '100' } },
      { path: '/customers', query: { 'created[gte]': '1000', limit: '100' } },
    ]);
  });

  test('finds what was created, which may have no event', async () => {
    const world = {
      customers: [
        { id: 'old', created: 900, version: 1 },
        { id: 'new', created: 1001, version: 1 },
      ],
    };
    expect(states(await pull(payOf(world), customers, { since }))).toEqual([[], ['new 1']]);
  });

  test('goes on from every cursor to the same end', async () => {
    const events = [1, 2, 3, 4, 5].map((number) => event(number, `c${number}`, number));
    const world = { events, customers: [1, 2, 3].map((id) => ({ id: `n${id}`, created: 1001, version: 1 })) };
    const whole = await pull(payOf(world), customers, { since });
    expect(whole).toHaveLength(5);
    for (const [index, { cursor }] of whole.entries()) {
      if (cursor === null) continue;
      expect(await pull(payOf(world), customers, { since, cursor })).toEqual(whole.slice(index + 1));
    }
  });

  test('leaves out what was deleted after its change', async () => {
    const events = [event(1, 'a', 1), event(2, 'b', 1), event(3, 'a', 0, 'deleted')];
    expect(states(await pull(payOf({ events }), customers, { since }))).toEqual([['b 1'], []]);
  });

  test('gives up when a platform repeats its events', async () => {
    const repeated = { has_more: true, data: [event(2, 'a', 2), event(1, 'a', 1)] };
    const first = { has_more: false, data: [event(1, 'a', 1)] };
    const client = answering(({ query }) => ('starting_after' in query ? first : repeated));
    await expect(pull(client, customers, { since })).rejects.toThrow('the same events');
  });

  test('refuses an event without its object', async () => {
    const client = answering(() => ({ has_more: false, data: [{ id: 'evt_1', data: {} }] }));
    await expect(pull(client, customers, { since })).rejects.toThrow('sent an event without its object');
  });
});

describe('deleted customers', () => {
  test('come from the feed, oldest first, with a cursor', async () => {
    const events = [1, 2, 3, 4].map((number) => event(number, `c${number}`, 0, 'deleted'));
    expect(await deletionsOf(payOf({ events }), customers, { since })).toEqual([
      { platformIds: ['c1', 'c2'], cursor: 'evt_2' },
      { platformIds: ['c3', 'c4'], cursor: null },
    ]);
    expect(await deletionsOf(payOf({ events }), customers, { since, cursor: 'evt_2' })).toHaveLength(1);
    expect(customers.deletions?.map(({ kind }) => kind)).toEqual(['feed']);
  });
});
