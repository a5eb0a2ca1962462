import { describe, expect, test } from '@jest/globals';

import { type PlatformClient, type PlatformRequest } from '../../../src/connectors/platform.js';
import { classifyVendure } from '../../../src/connectors/vendure/answers.js';
import { vendure } from '../../../src/connectors/vendure/index.js';
import { companyInfo, inventories, orders, products } from '../../../src/connectors/vendure/resources.js';
import { progressing } from '../../../src/sync/reading/progressing.js';

interface Options {
  readonly skip?: number;
  readonly take: number;
  readonly sort: Readonly<Partial<Record<'id' | 'updatedAt', 'ASC'>>>;
  readonly filter: {
    readonly updatedAt?: {
      readonly after?: string;
      readonly between?: { readonly start: string; readonly end: string };
    };
  };
}
interface Listed {
  readonly id: string;
  updatedAt: string;
}

/** In milliseconds, with the microseconds that a database may store. */
const timeOf = (instant: string): number =>
  Date.parse(instant) + Number(/\.\d{3}(\d{3})Z$/.exec(instant)?.[1] ?? 0) / 1000;

/**
 * The list of a shop, as Vendure filters, sorts and cuts it; `meanwhile` happens after each page, `amid` between the two
 * queries of each: for the ids, and for those of the objects with these ids that the filter still lets through.
 */
function shopOf(
  listed: Listed[],
  meanwhile: () => void = () => undefined,
  amid: () => void = () => undefined,
): PlatformClient {
  const get = async (_path: string, request?: PlatformRequest) => {
    const { options } = request?.body?.['variables'] as { readonly options: Options };
    const { after = '1970-01-01', between } = options.filter.updatedAt ?? {};
    // SQLite has a whole second before its first millisecond.
    const isIn = (time: number) =>
      time > timeOf(after) && (!between || (time >= timeOf(between.start) && time <= timeOf(between.end)));
    // Of equal ones any may come first, and another one the next time.
    const turn = (options.skip ?? 0) % 7;
    const byId = (a: Listed, b: Listed) => Number(a.id) - Number(b.id);
    const byTime = (a: Listed, b: Listed) =>
      timeOf(a.updatedAt) - timeOf(b.updatedAt) || ((Number(a.id) + turn) % 7) - ((Number(b.id) + turn) % 7);
    const found = (among: readonly Listed[]) =>
      among
        .filter(({ updatedAt }) => isIn(timeOf(updatedAt)))
        // GraphQL orders fields by the schema: `id` is the first.
        .sort(options.sort.id ? byId : byTime);
    const chosen = found(listed).slice(options.skip ?? 0, (options.skip ?? 0) + options.take);
    amid();
    const items = found(chosen.filter((one) => listed.includes(one))).map((one) => ({
      ...one,
      updatedAt: new Date(one.updatedAt).toISOString(),
    }));
    meanwhile();
    const globalSettings = { serverConfig: { moneyStrategyPrecision: 2 }, trackInventory: false };
    const list = { items };
    return {
      data: { globalSettings, orders: list, customers: list, products: list, productVariants: list },
    };
  };
  const never = () => Promise.reject(new Error('pulls only read'));
  return { get, read: never, send: never, download: never };
}

const at = (index: number): string => new Date(Date.UTC(2026, 0, 1) + index * 1000).toISOString();
/** One of a millisecond that the shop shows without it. */
const microsecond = (millisecond: number, index: number): string =>
  at(0).replace('000Z', `${String(millisecond).padStart(3, '0')}${String(index).padStart(3, '0')}Z`);
const made = (count: number, instant = at): Listed[] =>
  Array.from({ length: count }, (_, index) => ({ id: String(index + 1), updatedAt: instant(index) }));

async function idsOf(client: PlatformClient, cursor: string | null = null) {
  const ids: unknown[] = [];
  const pages = products.pages(client, { since: null, cursor });
  for await (const { objects } of progressing(pages, { title: 'products', from: cursor })) {
    ids.push(...objects.map(({ id }) => id));
  }
  return ids;
}

describe('pulling a list of a shop', () => {
  const instants: readonly [string, (index: number) => string][] = [
    ['at their own instant each', at],
    ['three an instant', (index) => at(Math.floor(index / 3))],
    ['the latest first', (index) => at(1000 - index)],
    ['all at one instant', () => at(0)],
    ['most of them at one instant', (index) => at(index < 40 ? index : index < 260 ? 50 : index)],
  ];
  test.each(instants)('reads all of them, each once, that changed %s', async (_how, instant) => {
    const ids = await idsOf(shopOf(made(300, instant)));
    expect([ids.length, new Set(ids).size]).toEqual([300, 300]);
  });

  test('loses none where one of a page that was read changes', async () => {
    const listed = made(150);
    let changes = 0;
    const client = shopOf(listed, () => {
      const first = listed.find(({ id }) => id === '5');
      if (first && changes++ === 0) first.updatedAt = at(9000);
    });
    expect(new Set(await idsOf(client)).size).toBe(150);
  });

  test('loses none where some of one instant change and leave it', async () => {
    const listed = made(300, () => at(0));
    let changes = 0;
    const client = shopOf(listed, () => {
      changes += 1;
      for (const one of listed.slice(changes * 3, changes * 3 + 3)) one.updatedAt = at(9000 + changes);
    });
    expect(new Set(await idsOf(client)).size).toBe(300);
  });

  test.each([
    [60, 90],
    [1, 99],
    [1, 250],
    [99, 150],
  ])('gets past two neighbouring milliseconds that %i and %i changed in', async (count, others) => {
    const instant = (index: number) => {
      if (index < 20 || index >= 20 + count + others) return at(index - 20);
      return microsecond(index < 20 + count ? 99 : 100, index);
    };
    const listed = made(40 + count + others, instant);
    const ids = await idsOf(shopOf(listed));
    expect([ids.length, new Set(ids).size]).toEqual([listed.length, listed.length]);
  });

  const keyOf = ({ id, updatedAt }: Listed) => `${id} ${updatedAt}`;

  test.each([11, 50, 95, 250])(
    'loses none where %i of one instant change before its third page',
    async (count) => {
      const listed = made(400, () => at(0));
      let pages = 0;
      const client = shopOf(listed, () => {
        pages += 1;
        if (pages === 3) for (const one of listed.slice(0, count)) one.updatedAt = at(9000);
      });
      expect(new Set(await idsOf(client)).size).toBe(400);
    },
  );

  test('loses none where as many come to an instant as leave it', async () => {
    const listed = made(300, () => at(0));
    let pages = 0;
    const client = shopOf(listed, () => {
      pages += 1;
      if (pages !== 3) return;
      for (const one of listed.slice(0, 20)) one.updatedAt = at(9000);
      for (let id = 301; id <= 320; id += 1) listed.push({ id: String(id), updatedAt: at(0) });
    });
    expect(new Set(await idsOf(client)).size).toBe(320);
  });

  test('loses none where many of one instant changed since an older version stored the cursor', async () => {
    const listed = made(300, () => at(0));
    const seen = [...listed.slice(0, 100), ...listed.slice(90, 100)].map(keyOf);
    const cursor = JSON.stringify({ after: null, within: { instant: at(0), skip: 90 }, seen });
    for (const one of listed.slice(0, 50)) one.updatedAt = at(9000);
    const ids = new Set(await idsOf(shopOf(listed), cursor));
    expect(listed.slice(100).filter(({ id }) => !ids.has(id))).toEqual([]);
  });

  const changes: Readonly<Record<string, (listed: Listed[]) => void>> = {
    change: (listed) => listed.slice(0, 5).forEach((one) => (one.updatedAt = at(9000))),
    'are deleted': (listed) => listed.splice(0, 5),
  };
  test.each([
    ['change', 'by time', 1],
    ['are deleted', 'by time', 1],
    ['change', 'of one instant', 2],
    ['are deleted', 'of one instant', 2],
  ])('loses none where some %s during a page %s', async (what, order, page) => {
    const listed = made(300, order === 'by time' ? at : () => at(0));
    const others = listed.slice(5);
    let pages = 0;
    const amid = () => {
      pages += 1;
      if (pages === page) changes[what]?.(listed);
    };
    const ids = new Set(await idsOf(shopOf(listed, undefined, amid)));
    expect(others.filter(({ id }) => !ids.has(id)).length).toBe(0);
  });

  test('keeps its cursor short however many are of one instant', async () => {
    const lengths: number[] = [];
    const client = shopOf(made(6000, () => at(0)));
    for await (const { cursor } of products.pages(client, { since: null, cursor: null })) {
      lengths.push(cursor?.length ?? 0);
    }
    expect(lengths.length).toBeGreaterThan(60);
    expect(Math.max(...lengths)).toBeLessThan(8000);
  });

  test('goes on from its cursor', async () => {
    const client = shopOf(made(150));
    const pages = products.pages(client, { since: null, cursor: null })[Symbol.asyncIterator]();
    const { cursor } = (await pages.next()).value as { readonly cursor: string };
    const rest = await idsOf(client, cursor);
    expect(rest).toContain('101');
    expect(rest).not.toContain('100');
  });

  const lists = vendure.pulls.filter((resource) => resource.definition !== companyInfo.definition);
  test.each(lists.map((resource) => [resource.definition.dataModel, resource] as const))(
    'reads all of %s whatever their time of change, which some changes leave',
    async (_dataModel, resource) => {
      const asked: unknown[] = [];
      const client = shopOf(made(3));
      const get: PlatformClient['get'] = (path, request) => {
        asked.push(request?.body?.['variables']);
        return client.get(path, request);
      };
      for await (const _page of resource.pages({ ...client, get }, { since: new Date(), cursor: null }));
      expect(resource.incremental).toBe(false);
      expect(asked).toHaveLength(1);
      expect(asked).not.toMatchObject([{ options: { filter: { updatedAt: expect.anything() } } }]);
    },
  );

  test.each([
    [orders, 'serverConfig { moneyStrategyPrecision }', { moneyPrecision: 2 }],
    [inventories, 'trackInventory', { shopTracksInventory: false }],
  ])('gives each object of a page what the shop says of all', async (resource, asked, context) => {
    const queries: unknown[] = [];
    const client = shopOf(made(1));
    const get: PlatformClient['get'] = (path, request) => {
      queries.push(request?.body?.['query']);
      return client.get(path, request);
    };
    const given: unknown[] = [];
    for await (const { objects } of resource.pages({ ...client, get }, { since: null, cursor: null })) {
      given.push(...objects);
    }
    expect(queries).toEqual([expect.stringContaining(`globalSettings { ${asked} }`)]);
    expect(given).toMatchObject([context]);
  });

  test.each([
    ['__default_channel__', ['1']],
    ['a-seller', ['1', '2']],
  ])('in the channel %s has the orders %j', async (code, ids) => {
    const [whole, part] = made(2);
    const client = shopOf([{ ...whole, type: 'Aggregate' } as never, { ...part, type: 'Seller' } as never]);
    const get: PlatformClient['get'] = async (path, request) => {
      const { data } = await client.get(path, request);
      return { data: { ...(data as object), activeChannel: { code } } };
    };
    const given: unknown[] = [];
    for await (const { objects } of orders.pages({ ...client, get }, { since: null, cursor: null })) {
      given.push(...objects.map(({ id }) => id));
    }
    expect(given).toEqual(ids);
  });

  test('takes a shop that does not say whether it tracks its inventory for an error', async () => {
    const answer = { data: { globalSettings: {}, productVariants: { items: [] } } };
    const client = { ...shopOf([]), get: () => Promise.resolve(answer) };
    const reading = inventories.pages(client, { since: null, cursor: null })[Symbol.asyncIterator]().next();
    await expect(reading).rejects.toMatchObject({ code: 'platform-answer' });
  });

  test.each([
    ['no data', {}],
    ['no precision', { data: { orders: { items: [] } } }],
    ['no list', { data: { globalSettings: { serverConfig: { moneyStrategyPrecision: 2 } } } }],
  ])('takes %s for an error and not for an end', async (_what, answer) => {
    const client = { ...shopOf([]), get: () => Promise.resolve(answer) };
    const reading = orders.pages(client, { since: null, cursor: null })[Symbol.asyncIterator]().next();
    await expect(reading).rejects.toMatchObject({ code: 'platform-answer' });
  });
});

describe('an answer of Vendure', () => {
  const verdictOf = (...errors: object[]) =>
    classifyVendure({ method: 'POST', status: 200, headers: {}, body: { errors, data: null } });
  const forbidden = { message: 'You are not currently authorized', extensions: { code: 'FORBIDDEN' } };

  test('ends the access where it does not know who asks', () => {
    expect(verdictOf({ ...forbidden, path: ['globalSettings'] })).toEqual({
      kind: 'access ended',
      isToken: true,
    });
  });

  test('refuses where a right is missing, and says where', () => {
    const words = 'You are not currently authorized (orders)';
    expect(verdictOf({ ...forbidden, path: ['orders'] })).toEqual({ kind: 'refused', words });
  });

  test('may be tried again after a fault of the shop', () => {
    const fault = { message: 'no such table', extensions: { code: 'INTERNAL_SERVER_ERROR' } };
    expect(verdictOf(fault)).toEqual({ kind: 'again', retryAfterMs: null });
  });

  test.each(['INTERNAL_SERVER_ERROR', 'FORBIDDEN'])(
    'is a success where it has what was made, though not all of it could be read: %s',
    (code) => {
      const errors = [{ message: 'no', path: ['created', 'addresses'], extensions: { code } }];
      const body = { errors, data: { created: { id: '7', addresses: null } } };
      expect(classifyVendure({ method: 'POST', status: 200, headers: {}, body })).toBeNull();
    },
  );

  test('is what its status says where it has no errors', () => {
    expect(classifyVendure({ method: 'POST', status: 200, headers: {}, body: { data: {} } })).toBeNull();
  });
});
