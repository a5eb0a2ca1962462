import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';

import { plainAccess } from '../../../src/connectors/platform-access.js';
import { type PlatformClient } from '../../../src/connectors/platform.js';
import { type PulledPage, type PullResource } from '../../../src/connectors/pull.js';
import { createZohoClient } from '../../../src/connectors/zoho/client.js';
import { zoho } from '../../../src/connectors/zoho/index.js';
import { type OddPlatform, startOddPlatform } from '../../support/platform.js';
import { firstOf, idsOf } from '../listed.js';
import { everything, pagesOf } from '../pulls.js';
import { type TradeDocument } from '../zoho-fake/domain.js';
import { makeOrganization } from '../zoho-fake/make.js';
import { startZohoFake, type ZohoFake } from '../zoho-fake/server.js';

const organization = makeOrganization();
let fake: ZohoFake;
let odd: OddPlatform;
let client: PlatformClient;
beforeAll(async () => {
  fake = await startZohoFake(organization);
  odd = await startOddPlatform();
  client = clientOf();
});
beforeEach(() => {
  fake.calls.splice(0);
  delete fake.limits.perDay;
  delete fake.limits.perMinute;
});
afterAll(async () => {
  await fake.stop();
  await odd.close();
});

const clientOf = (patienceMs = 90_000) =>
  createZohoClient(
    plainAccess({
      baseUrl: fake.url,
      accessToken: fake.identity.issue(),
      externalAccountId: organization.id,
      patienceMs,
    }),
    { sleep: async () => undefined },
  );
const oddClient = () =>
  createZohoClient(plainAccess({ baseUrl: odd.url, accessToken: 'token', externalAccountId: '1' }), {
    sleep: async () => undefined,
  });

function resourceOf(dataModel: string): PullResource {
  const found = zoho.pulls.find(({ definition }) => definition.dataModel === dataModel);
  if (!found) throw new Error(`there is no ${dataModel}`);
  return found;
}

const answers = (body: object, status = 200) =>
  odd.answer((_heard, response) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body)),
  );

const listsOf = (path: string) => fake.calls.filter((call) => call.startsWith(`/books/v3/${path}?`));

describe('a list', () => {
  test.each(['ITEMS', 'INVOICES', 'CURRENCIES', 'TAX_RATES'])(
    'of %s that is missing in an answer is an error',
    async (dataModel) => {
      answers({ code: 0, message: 'success', page_context: { has_more_page: false } });
      const pull = pagesOf(resourceOf(dataModel), oddClient());
      await expect(pull).rejects.toMatchObject({ code: 'platform-answer' });
    },
  );

  test('that is refused with status 200 is no empty page', async () => {
    answers({ code: 57, message: 'You are not authorized to perform this operation', items: [] });
    await expect(pagesOf(resourceOf('ITEMS'), oddClient())).rejects.toMatchObject({
      code: 'platform-refused',
    });
  });

  test('that is the same on each page is an error', async () => {
    answers({ code: 0, items: [{ item_id: '1' }], page_context: { has_more_page: true } });
    await expect(pagesOf(resourceOf('ITEMS'), oddClient())).rejects.toMatchObject({
      code: 'platform-answer',
      message: expect.stringContaining('the same items'),
    });
  });

  test('without an id in an object is an error', async () => {
    answers({ code: 0, items: [{ name: 'x' }], page_context: { has_more_page: false } });
    await expect(pagesOf(resourceOf('ITEMS'), oddClient())).rejects.toMatchObject({
      code: 'platform-answer',
    });
  });
});

describe('objects that leave a list while it is read', () => {
  test('hide no others from a pull, whose pages several processes read', async () => {
    const resource = resourceOf('INVOICES');
    const gone = organization.of('invoice').slice(0, 9);
    const pages: PulledPage[] = [];
    for (let cursor: string | null = null; ;) {
      const page: PulledPage = await firstOf(resource.pages(client, { since: null, cursor }));
      pages.push(page);
      if (cursor === null) gone.forEach((one) => organization.remove(one));
      cursor = page.cursor;
      if (cursor === null) break;
    }
    const found = idsOf(resource, pages);
    expect(organization.of('invoice').filter(({ id }) => !found.includes(id))).toEqual([]);
  });

  // Few; all that are known of a page; more than it holds; and those of several pages with all that are known.
  test.each([
    [3, 33],
    [390, 400],
    [100, 350],
    [150, 400],
    [0, 400],
  ])('hide no others from a sweep: from %i to %i', async (from, to) => {
    const sweep = resourceOf('CONTACTS').deletions?.[0];
    const [template] = organization.contacts;
    if (!sweep || !template) throw new Error('there is nothing to sweep');
    while (organization.contacts.length < 1000) {
      organization.contacts.push({ ...template, ...organization.kept() });
    }
    const ids: string[] = [];
    let read = 0;
    for await (const { platformIds } of sweep.pages(client, everything)) {
      ids.push(...platformIds);
      read += 1;
      // After the look back at the first page.
      if (read === 3) organization.contacts.splice(from, to - from);
    }
    expect(organization.contacts.filter(({ id }) => !ids.includes(id))).toEqual([]);
  });
});

describe('objects that move within a list while it is read', () => {
  /** All pages, each read by another process. */
  async function read<Page extends { readonly cursor: string | null }>(
    pagesFrom: (cursor: string | null) => AsyncIterable<Page>,
    afterPage: (count: number) => void,
  ): Promise<Page[]> {
    const pages: Page[] = [];
    for (let cursor: string | null = null; ;) {
      const page: Page = await firstOf(pagesFrom(cursor));
      pages.push(page);
      afterPage(pages.length);
      cursor = page.cursor;
      if (cursor === null) return pages;
    }
  }

  test('up into what was read are found by a complete pull, which would count them as deleted', async () => {
    const resource = resourceOf('ITEMS');
    const [template] = organization.items;
    if (!template) throw new Error('there is no item');
    while (organization.items.length < 500) {
      organization.items.push({
        ...template,
        ...organization.kept(),
        name: `Item ${1000 + organization.items.length}`,
      });
    }
    const renamed = organization.items.at(-1);
    const pages = await read(
      (cursor) => resource.pages(client, { since: null, cursor }),
      (count) => {
        if (count === 1 && renamed) organization.items.splice(-1, 1, { ...renamed, name: 'A new name' });
      },
    );
    const found = idsOf(resource, pages);
    expect(organization.items.filter(({ id }) => !found.includes(id))).toEqual([]);
    // A second time, but not a third.
    const first = listsOf('items').filter((call) => call.includes('page=1&'));
    expect(first.length).toBeLessThanOrEqual(3);
  });

  test('are found by the sweep of a list in the order of days', async () => {
    const sweep = resourceOf('BILL_PAYMENTS').deletions?.[0];
    const template = organization.payments.find(({ kind }) => kind === 'vendor');
    if (!sweep || !template) throw new Error('there is nothing to sweep');
    const more = Array.from({ length: 450 }, (_, index) => ({
      ...template,
      ...organization.kept(),
      date: `2026-05-${String(1 + (index % 28)).padStart(2, '0')}`,
    }));
    organization.payments.push(...more);
    const [moved] = more.filter(({ date }) => date === '2026-05-28');
    const pages = await read(
      (cursor) => sweep.pages(client, { since: null, cursor }),
      (count) => {
        if (count === 2 && moved) moved.date = '2020-01-01';
      },
    );
    const found = pages.flatMap(({ wholes = [] }) => wholes);
    expect(organization.payments.filter(({ id, kind }) => kind === 'vendor' && !found.includes(id))).toEqual(
      [],
    );
    more.forEach((payment) => organization.remove(payment));
  });

  test('cost one that is not read twice nothing: customers’ payments keep their places', async () => {
    await pagesOf(resourceOf('INVOICE_PAYMENTS'), client);
    expect(listsOf('customerpayments').every((call) => call.includes('sort_column=created_time'))).toBe(true);
  });
});

describe('changes', () => {
  const changed = (index = 0): TradeDocument => {
    organization.advance(3600);
    const [document] = organization.of('creditnote').slice(index);
    if (!document) throw new Error('there are no credit notes');
    organization.touch(document);
    return document;
  };

  test('of contacts are read from the newest on', async () => {
    organization.advance(3600);
    const since = organization.now;
    const [, contact] = organization.contacts;
    if (!contact) throw new Error('there are no contacts');
    organization.touch(contact);
    const pages = await pagesOf(resourceOf('CONTACTS'), client, { since, cursor: null });
    expect(idsOf(resourceOf('CONTACTS'), pages)).toEqual([contact.id]);
    expect(fake.calls).toHaveLength(2);
    expect(fake.calls[0]).toContain('sort_column=last_modified_time&sort_order=D');
  });

  test('of what has no filter are found by their stamps, and read alone', async () => {
    const since = organization.now;
    const { id } = changed();
    const resource = resourceOf('INVOICE_CREDIT_NOTES');
    const pages = await pagesOf(resource, client, { since, cursor: null });
    expect(idsOf(resource, pages)).toEqual([id]);
    expect(fake.calls).toHaveLength(2);
  });

  test('by a stamp of another name, as credit notes have in the documentation', async () => {
    const calls: string[] = [];
    odd.answer(({ url }, response) => {
      calls.push(url);
      response.setHeader('content-type', 'application/json');
      const old = { creditnote_id: '1', updated_time: '2026-06-01T10:00:00+0000' };
      const changed = { creditnote_id: '2', updated_time: '2026-06-03T10:00:00+0000' };
      const body = url.includes('/creditnotes?')
        ? { code: 0, creditnotes: [old, changed], page_context: { has_more_page: false } }
        : { code: 0, creditnote: changed };
      return response.end(JSON.stringify(body));
    });
    const resource = resourceOf('INVOICE_CREDIT_NOTES');
    const since = new Date('2026-06-02T00:00:00Z');
    const pages = await pagesOf(resource, oddClient(), { since, cursor: null });
    expect(idsOf(resource, pages)).toEqual(['2']);
    expect(calls.filter((url) => !url.includes('/creditnotes?'))).toHaveLength(1);
  });

  test('of the second of the time itself come, too', async () => {
    const since = new Date(organization.now.getTime() + 3_600_000 + 999);
    const { id } = changed(1);
    const resource = resourceOf('INVOICE_CREDIT_NOTES');
    expect(idsOf(resource, await pagesOf(resource, client, { since, cursor: null }))).toEqual([id]);
  });

  test('are asked for in the form of the documentation', async () => {
    const since = new Date('2030-02-03T04:05:06.789Z');
    await pagesOf(resourceOf('INVOICES'), client, { since, cursor: null });
    const query = new URL(fake.calls[0] ?? '', fake.url).searchParams;
    expect(query.get('last_modified_time')).toBe('2030-02-03T04:05:05+0000');
  });
});

describe('a document', () => {
  test('that is deleted between its list and its own call is left out', async () => {
    const [first] = organization.of('bill');
    if (!first) throw new Error('there are no bills');
    let listed = false;
    const deleting: PlatformClient = {
      ...client,
      get: async (path, request) => {
        const answer = await client.get(path, request);
        if (path === '/bills' && !listed) organization.remove(first);
        listed = true;
        return answer;
      },
    };
    const resource = resourceOf('BILLS');
    const ids = idsOf(resource, await pagesOf(resource, deleting));
    expect(ids).toEqual(organization.of('bill').map(({ id }) => id));
  });

  test('in place of which another one comes is an error', async () => {
    odd.answer(({ url }, response) => {
      response.setHeader('content-type', 'application/json');
      const isList = url.startsWith('/books/v3/bills?');
      const body = isList
        ? { code: 0, bills: [{ bill_id: '12' }], page_context: { has_more_page: false } }
        : { code: 0, bill: { bill_id: '13' } };
      return response.end(JSON.stringify(body));
    });
    await expect(pagesOf(resourceOf('BILLS'), oddClient())).rejects.toMatchObject({
      code: 'platform-answer',
    });
  });
});

describe('payments', () => {
  /** The records of one payment. */
  async function recordsOf(payment: object) {
    odd.answer(({ url }, response) => {
      response.setHeader('content-type', 'application/json');
      const body = url.includes('/customerpayments?')
        ? { code: 0, customerpayments: [{ payment_id: '88' }], page_context: { has_more_page: false } }
        : { code: 0, payment: { payment_id: '88', ...payment } };
      return response.end(JSON.stringify(body));
    });
    const resource = resourceOf('INVOICE_PAYMENTS');
    const pages = await pagesOf(resource, oddClient());
    const lookups = { baseCurrency: null, platformIdOf: () => null };
    const records = pages.flatMap(({ objects }) =>
      objects.map((object) => resource.toUnified(object, lookups)),
    );
    return {
      wholes: pages.flatMap(({ wholes = [] }) => wholes),
      amounts: records.map((one) => [
        one?.platformId,
        (one?.values as { amount?: unknown } | undefined)?.amount,
      ]),
    };
  }

  test('that failed are none, and what was stored of one goes', async () => {
    const failed = {
      status: 'failure',
      amount: 50,
      unused_amount: 0,
      invoices: [{ invoice_id: '5', amount_applied: 50 }],
    };
    expect(await recordsOf(failed)).toEqual({ wholes: ['88'], amounts: [] });
    expect((await recordsOf({ ...failed, status: 'success' })).amounts).toEqual([['88:invoice:5', '50']]);
  });

  test('that name an invoice twice have what they pay of it in all', async () => {
    const invoices = [
      { invoice_id: '5', amount_applied: 30.1 },
      { invoice_id: '6', amount_applied: 5 },
      { invoice_id: '5', amount_applied: 20.2 },
    ];
    const { amounts } = await recordsOf({ amount: 60, unused_amount: 4.7, invoices });
    expect(amounts).toEqual([
      ['88:invoice:5', '50.3'],
      ['88:invoice:6', '5'],
      ['88', '4.7'],
    ]);
  });

  test('that pay something else now lose what they paid before', async () => {
    const payment = organization.payments.find(({ applied }) => applied.length > 1);
    if (!payment) throw new Error('no payment pays several');
    const since = organization.now;
    organization.advance(3600);
    payment.applied = payment.applied.slice(1);
    organization.touch(payment);
    const resource = resourceOf('INVOICE_PAYMENTS');
    const pages = await pagesOf(resource, client, { since, cursor: null });
    expect(pages.flatMap(({ wholes = [] }) => wholes)).toEqual([payment.id]);
    expect(idsOf(resource, pages)).toEqual([
      ...payment.applied.map(({ id }) => `${payment.id}:invoice:${id}`),
      payment.id,
    ]);
  });

  test('are swept by their list alone', async () => {
    const sweep = resourceOf('BILL_PAYMENTS').deletions?.[0];
    const wholes: string[] = [];
    for await (const page of sweep?.pages(client, everything) ?? []) wholes.push(...(page.wholes ?? []));
    const own = organization.payments.filter(({ kind }) => kind === 'vendor');
    expect(wholes.sort()).toEqual(own.map(({ id }) => id).sort());
    expect(fake.calls).toHaveLength(listsOf('vendorpayments').length);
  });
});

describe('limits', () => {
  test('of the day end a pull with the time at which to go on', async () => {
    fake.limits.perDay = 3;
    const began = Date.now();
    const pull = pagesOf(resourceOf('BILLS'), client);
    await expect(pull).rejects.toMatchObject({ code: 'platform-unavailable' });
    const resumeAt = await pagesOf(resourceOf('BILLS'), client).catch(
      (error: { readonly resumeAt: Date }) => error.resumeAt,
    );
    expect((resumeAt as Date).getTime()).toBeGreaterThan(began + 7_000_000);
  });

  test('of a minute are waited for', async () => {
    fake.limits.perMinute = 2;
    const pull = pagesOf(resourceOf('CURRENCIES'), client);
    expect((await pull).flatMap(({ objects }) => objects)).toHaveLength(3);
  });
});
