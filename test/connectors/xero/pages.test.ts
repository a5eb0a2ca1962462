import { createServer } from 'node:http';
import { type AddressInfo } from 'node:net';

import { describe, expect, test } from '@jest/globals';

import { plainAccess } from '../../../src/connectors/platform-access.js';
import {
  type PlatformClient,
  type PlatformObject,
  type PlatformRequest,
} from '../../../src/connectors/platform.js';
import { type PulledPage } from '../../../src/connectors/pull.js';
import { AnswerTooLong } from '../../../src/connectors/client/platform-errors.js';
import { xero } from '../../../src/connectors/xero/index.js';
import { AppError } from '../../../src/errors.js';
import { makeOrganisation } from '../xero-fake/makers/organisation.js';
import { startXeroFake } from '../xero-fake/server.js';

interface Call extends PlatformRequest {
  readonly path: string;
}

/** A client that gives these answers in turn and remembers what it was asked. */
function answering(...answers: readonly PlatformObject[]): PlatformClient & { readonly calls: Call[] } {
  const calls: Call[] = [];
  const read = async (path: string, request?: PlatformRequest) => {
    calls.push({ path, ...request });
    return { body: answers[calls.length - 1] ?? {}, headers: {} };
  };
  return {
    calls,
    read,
    get: async (path, request) => (await read(path, request)).body,
    send: () => Promise.reject(new Error('pulls only read')),
    download: () => Promise.reject(new Error('pulls only read')),
  };
}

const contacts = (from: number, count: number): PlatformObject[] =>
  Array.from({ length: count }, (_, index) => ({ ContactID: `contact-${from + index}` }));

async function pull(
  client: PlatformClient,
  dataModel: string,
  { since = null, cursor = null }: { since?: Date | null; cursor?: string | null } = {},
): Promise<PulledPage[]> {
  const resource = xero.pulls.find(({ definition }) => definition.dataModel === dataModel);
  if (!resource) throw new Error(`${dataModel} is not pulled`);
  const pages: PulledPage[] = [];
  for await (const page of resource.pages(client, { since, cursor })) pages.push(page);
  return pages;
}

describe('pulling contacts', () => {
  test('walks pages of 1,000 until one is short', async () => {
    const client = answering({ Contacts: contacts(0, 1000) }, { Contacts: contacts(1000, 3) });
    const pages = await pull(client, 'CONTACTS');
    expect(pages.map(({ objects, cursor }) => [objects.length, cursor])).toEqual([
      [1000, '1000/2'],
      [3, null],
    ]);
    expect(client.calls).toEqual(
      ['1', '2'].map((page) => ({
        path: '/Contacts',
        query: { includeArchived: 'true', page, pageSize: '1000', order: 'ContactID ASC' },
        headers: {},
      })),
    );
  });

  test('stops at the page count, though the page is full', async () => {
    const client = answering({ pagination: { page: 1, pageCount: 1 }, Contacts: contacts(0, 1000) });
    expect((await pull(client, 'CONTACTS')).map(({ cursor }) => cursor)).toEqual([null]);
  });

  test('goes on to the page count, though Xero makes smaller pages than it was asked for', async () => {
    const client = answering(
      { pagination: { page: 1, pageCount: 2 }, Contacts: contacts(0, 250) },
      { pagination: { page: 2, pageCount: 2 }, Contacts: contacts(250, 7) },
    );
    expect((await pull(client, 'CONTACTS')).map(({ objects }) => objects.length)).toEqual([250, 7]);
  });

  test.each([
    ['too long to be read', new AnswerTooLong('it is too long')],
    ['too slow', new AppError('platform-timeout', 'it is too slow')],
  ])('reads a page that is %s in smaller ones, without missing or repeating any', async (_what, error) => {
    const all = contacts(0, 2150);
    const sizes: string[] = [];
    const client: PlatformClient = {
      ...answering(),
      get: async (_path, { query = {} } = {}) => {
        const { page = '', pageSize = '' } = query;
        sizes.push(pageSize);
        const [size, start] = [Number(pageSize), (Number(page) - 1) * Number(pageSize)];
        if (size === 1000 && start === 1000) throw error;
        return { Contacts: all.slice(start, start + size) };
      },
    };
    const pages = await pull(client, 'CONTACTS');
    expect(pages.flatMap(({ objects }) => objects)).toEqual(all);
    expect(pages.slice(0, 2).map(({ cursor }) => cursor)).toEqual(['1000/2', '100/12']);
    expect(sizes.slice(0, 4)).toEqual(['1000', '1000', '100', '100']);
    const resumed = await pull(client, 'CONTACTS', { cursor: '100/12' });
    expect(resumed.flatMap(({ objects }) => objects)).toEqual(all.slice(1100));
  });

  /** A list of so many contacts in pages of 100, from which `leave` takes some before the given call. */
  function shrinking(count: number, leave: Readonly<Record<number, (all: PlatformObject[]) => void>>) {
    const all = contacts(0, count);
    const pages: number[] = [];
    const client: PlatformClient = {
      ...answering(),
      get: async (_path, { query = {} } = {}) => {
        const page = Number(query['page']);
        pages.push(page);
        leave[pages.length]?.(all);
        const pagination = { page, pageCount: Math.ceil(all.length / 100), itemCount: all.length };
        return { pagination, Contacts: all.slice((page - 1) * 100, page * 100) };
      },
    };
    return { client, all, pages };
  }

  test.each([
    ['one', (all: PlatformObject[]) => void all.splice(5, 1), [1, 2, 1, 2, 3]],
    ['more than a page of them', (all: PlatformObject[]) => void all.splice(5, 120), [1, 2, 1, 2]],
  ])('reads again what has moved up where objects left the list: %s', async (_what, leave, asked) => {
    const { client, all, pages } = shrinking(300, { 2: leave });
    const pulled = await pull(client, 'CONTACTS', { cursor: '100/1' });
    const ids = new Set(pulled.flatMap(({ objects }) => objects.map(({ ContactID }) => ContactID)));
    expect(all.filter(({ ContactID }) => !ids.has(ContactID))).toEqual([]);
    expect(pages).toEqual(asked);
  });

  test('notices that when it is resumed', async () => {
    const { client, all } = shrinking(300, { 2: (left) => void left.splice(5, 1) });
    const [first] = await pull(client, 'CONTACTS', { cursor: '100/1' });
    expect(first?.cursor).toBe('100/2/300');
    const again = await pull(client, 'CONTACTS', { cursor: '100/2/300' });
    expect(again.flatMap(({ objects }) => objects)).toEqual(all);
  });

  test('reads a list to its end that shrinks all the time', async () => {
    const shrink = (all: PlatformObject[]) => void all.splice(0, 1);
    const always = new Proxy({}, { get: () => shrink });
    const { client, all } = shrinking(1000, always);
    const pulled = await pull(client, 'CONTACTS', { cursor: '100/1' });
    expect(pulled.at(-1)?.objects.at(-1)).toEqual(all.at(-1));
  });

  test('stops at an empty page', async () => {
    const client = answering({ Contacts: contacts(0, 1000) }, { Contacts: [] });
    expect(await pull(client, 'CONTACTS')).toHaveLength(2);
  });

  test.each([
    ['1000/3', '3', '1000'],
    ['100/3', '3', '100'],
    ['100/3/250', '3', '100'],
    // Of an earlier version.
    ['3', '3', '100'],
    ['odd', '1', '1000'],
    ['0', '1', '1000'],
    ['1000/0', '1', '1000'],
  ])('resumes the cursor %s at page %s of %s', async (cursor, page, pageSize) => {
    const client = answering({ Contacts: [] });
    await pull(client, 'CONTACTS', { cursor });
    expect(client.calls[0]?.query).toMatchObject({ page, pageSize });
  });

  test('asks for changes in UTC without fraction and zone', async () => {
    const client = answering({ Contacts: [] });
    await pull(client, 'CONTACTS', { since: new Date('2026-01-31T13:00:00.999+13:00') });
    expect(client.calls[0]?.headers).toEqual({ 'if-modified-since': '2026-01-31T00:00:00' });
  });

  test('gives up when a platform repeats its page', async () => {
    const client = answering({ Contacts: contacts(0, 1000) }, { Contacts: contacts(0, 1000) });
    await expect(pull(client, 'CONTACTS')).rejects.toThrow('sent the same Contacts as page 1 and page 2');
  });

  test.each([{}, { Contacts: null }, { Contacts: 'none' }, { Contacts: {} }])(
    'takes %j for an error and not for an empty list',
    async (answer) => {
      await expect(pull(answering(answer), 'CONTACTS')).rejects.toMatchObject({
        code: 'platform-answer',
        message: 'Xero must answer with a list of Contacts',
      });
    },
  );

  test('takes something that is no object for an error', async () => {
    const client = answering({ Contacts: [{ ContactID: 'acme' }, null] });
    await expect(pull(client, 'CONTACTS')).rejects.toMatchObject({ code: 'platform-answer' });
  });
});

describe('pulling what comes in one answer', () => {
  test('accounts are asked for by change, without pages', async () => {
    const client = answering({ Accounts: [{ AccountID: 'cash' }] });
    const pages = await pull(client, 'ACCOUNTS', { since: new Date('2026-01-31T00:00:00Z') });
    expect(pages).toEqual([{ objects: [{ AccountID: 'cash' }], cursor: null }]);
    const headers = { 'if-modified-since': '2026-01-31T00:00:00' };
    expect(client.calls).toEqual([{ path: '/Accounts', query: {}, headers }]);
  });

  test('currencies are always complete', async () => {
    const client = answering({ Currencies: [] });
    await pull(client, 'CURRENCIES', { since: new Date() });
    expect(client.calls).toEqual([{ path: '/Currencies', query: {}, headers: {} }]);
  });
});

describe('pulling one of two types that share a list', () => {
  test.each([
    ['INVOICES', '/Invoices', 'ACCREC'],
    ['BILLS', '/Invoices', 'ACCPAY'],
    ['INVOICE_CREDIT_NOTES', '/CreditNotes', 'ACCRECCREDIT'],
    ['BILL_CREDIT_NOTES', '/CreditNotes', 'ACCPAYCREDIT'],
  ])('%s asks %s for the type %s', async (dataModel, path, type) => {
    const client = answering({ Invoices: [], CreditNotes: [] });
    await pull(client, dataModel);
    expect(client.calls).toMatchObject([{ path, query: { where: `Type=="${type}"` } }]);
  });

  test.each(['INVOICE_PAYMENTS', 'BILL_PAYMENTS'])(
    '%s reads all payments and allocations',
    async (dataModel) => {
      const whole = { PrepaymentID: 'pre-1', Type: 'RECEIVE-PREPAYMENT', Total: 9 };
      const Allocations = [{ AllocationID: 'all-1' }, { AllocationID: 'all-2' }];
      const client = answering(
        { Payments: [] },
        {
          Prepayments: [
            { ...whole, Allocations },
            { PrepaymentID: 'pre-2', Allocations: [] },
          ],
        },
        { Overpayments: [] },
      );
      const pages = await pull(client, dataModel);
      expect(client.calls.map(({ path }) => path)).toEqual(['/Payments', '/Prepayments', '/Overpayments']);
      for (const { query } of client.calls) expect(query).not.toHaveProperty('where');
      const AllocationOf = { PrepaymentID: 'pre-1', Type: 'RECEIVE-PREPAYMENT' };
      expect(pages[1]).toEqual({
        objects: Allocations.map((allocation) => ({ ...allocation, AllocationOf })),
        wholes: ['pre-1', 'pre-2'],
        cursor: 'Overpayments:',
      });
    },
  );
});

describe('what Xero leaves out unless it is asked for it', () => {
  const archived = { InvoiceID: 'invoice-1', Type: 'ACCREC', Status: 'ARCHIVED' };
  const client: PlatformClient = {
    ...answering(),
    get: async (_path, { query = {} } = {}) => ({
      Invoices: query['includeArchived'] === 'true' ? [archived] : [],
    }),
  };

  test.each(['INVOICES', 'BILLS'])('is read of %s, too: those that are archived', async (dataModel) => {
    const pages = await pull(client, dataModel);
    expect(pages.flatMap(({ objects }) => objects)).toEqual([archived]);
  });

  test('is read by the ids that an event told', async () => {
    const { byIds } = xero.pulls.find(({ definition }) => definition.dataModel === 'INVOICES') ?? {};
    expect(await byIds?.read(client, ['invoice-1'])).toEqual(new Map([['invoice-1', archived]]));
  });
});

describe('unit prices', () => {
  const models = [
    'INVOICES',
    'BILLS',
    'INVOICE_CREDIT_NOTES',
    'BILL_CREDIT_NOTES',
    'ITEMS',
    'BANK_TRANSACTIONS',
  ];
  const nothing = { Invoices: [], CreditNotes: [], Items: [], BankTransactions: [] };

  test.each(models)('of %s are asked for in full, and not rounded to cents', async (dataModel) => {
    const client = answering(nothing, { BankTransfers: [] });
    await pull(client, dataModel);
    expect(client.calls[0]?.query).toMatchObject({ unitdp: '4' });
  });

  test.each(models)('of one of %s, too', async (dataModel) => {
    const client = answering(nothing);
    const { read } = xero.pulls.find(({ definition }) => definition.dataModel === dataModel) ?? {};
    expect(await read?.(client, 'a0a0a0a0-0000-4000-8000-000000000001')).toBeNull();
    expect(client.calls[0]?.query).toEqual({ unitdp: '4' });
  });
});

describe('pulling tracking categories', () => {
  const north = { TrackingOptionID: 'north', Name: 'North' };
  const region = { TrackingCategoryID: 'region', Name: 'Region', Options: [north, null] };

  test('gives each category as it is, and its options with the id of their category', async () => {
    const client = answering({ TrackingCategories: [region, { TrackingCategoryID: 'team' }] });
    const [page] = await pull(client, 'TRACKING_CATEGORIES', { since: new Date() });
    expect(page?.objects).toEqual([
      region,
      { ...north, TrackingCategoryID: 'region' },
      { TrackingCategoryID: 'team' },
    ]);
    expect(client.calls).toEqual([
      { path: '/TrackingCategories', query: { includeArchived: 'true' }, headers: {} },
    ]);
  });

  test('keeps an option without an id apart from its category', async () => {
    const client = answering({ TrackingCategories: [{ ...region, Options: [{ Name: 'South' }] }] });
    const [page] = await pull(client, 'TRACKING_CATEGORIES');
    expect(page?.objects[1]).toEqual({
      Name: 'South',
      TrackingCategoryID: 'region',
      TrackingOptionID: null,
    });
  });
});

describe('pulling bank transactions', () => {
  const full = Array.from({ length: 1000 }, (_, index) => ({ BankTransactionID: `tx-${index}` }));
  const transfers = { BankTransfers: [{ BankTransferID: 'tr-1' }] };

  test('reads the transfers after the transactions', async () => {
    const client = answering({ BankTransactions: full }, { BankTransactions: [] }, transfers);
    const since = new Date('2026-01-31T00:00:00Z');
    const pages = await pull(client, 'BANK_TRANSACTIONS', { since });
    expect(pages.map(({ objects, cursor }) => [objects.length, cursor])).toEqual([
      [1000, 'BankTransactions:1000/2'],
      [0, 'BankTransfers:'],
      [1, null],
    ]);
    expect(client.calls[2]).toEqual({
      path: '/BankTransfers',
      query: { includeDeleted: 'true' },
      headers: { 'if-modified-since': '2026-01-31T00:00:00' },
    });
  });

  test.each([
    ['BankTransactions:1000/2', '/BankTransactions', '2'],
    ['BankTransfers:', '/BankTransfers', undefined],
    ['odd', '/BankTransactions', '1'],
    ['odd:7', '/BankTransactions', '1'],
  ])('resumes the cursor %s at %s, page %s', async (cursor, path, page) => {
    const client = answering({ BankTransactions: [], BankTransfers: [] }, transfers);
    await pull(client, 'BANK_TRANSACTIONS', { cursor });
    expect(client.calls[0]?.path).toBe(path);
    expect(client.calls[0]?.query?.['page']).toBe(page);
  });
});

describe('pulling documents', () => {
  const since = new Date('2026-01-31T00:00:00Z');

  test('asks every live record that has attachments for them', async () => {
    const client = answering(
      {
        Invoices: [
          { Type: 'ACCREC', InvoiceID: 'inv 1', HasAttachments: true },
          { Type: 'ACCPAY', InvoiceID: 'bill-1', HasAttachments: false },
          { Type: 'ACCPAY', InvoiceID: 'bill-2', HasAttachments: true, Status: 'DELETED' },
          { Type: 'ARPREPAYMENT', InvoiceID: 'pre-1', HasAttachments: true },
          { Type: 'ACCREC', HasAttachments: true },
        ],
      },
      { Attachments: [{ AttachmentID: 'att-1' }, { AttachmentID: 'att-2' }] },
      { CreditNotes: [] },
      { PurchaseOrders: [] },
      { ManualJournals: [{ ManualJournalID: 'mj-1', HasAttachments: true }] },
      { Attachments: [{ AttachmentID: 'att-3' }] },
    );
    const pages = await pull(client, 'DOCUMENTS', { since });
    expect(client.calls.map(({ path }) => path)).toEqual([
      '/Invoices',
      '/Invoices/inv%201/Attachments',
      '/CreditNotes',
      '/PurchaseOrders',
      '/ManualJournals',
      '/ManualJournals/mj-1/Attachments',
    ]);
    expect(client.calls[0]?.headers).toEqual({ 'if-modified-since': '2026-01-31T00:00:00' });
    expect(pages).toEqual([
      {
        objects: [
          { AttachmentID: 'att-1', Invoice: { Type: 'ACCREC', InvoiceID: 'inv 1' } },
          { AttachmentID: 'att-2', Invoice: { Type: 'ACCREC', InvoiceID: 'inv 1' } },
        ],
        // Those without files once may have had some.
        wholes: ['bill-1', 'bill-2', 'pre-1', 'inv 1'],
        cursor: 'CreditNotes:',
      },
      { objects: [], wholes: [], cursor: 'PurchaseOrders:' },
      { objects: [], wholes: [], cursor: 'ManualJournals:' },
      {
        objects: [{ AttachmentID: 'att-3', ManualJournal: { ManualJournalID: 'mj-1' } }],
        wholes: ['mj-1'],
        cursor: null,
      },
    ]);
  });

  test('can be resumed after every ten records that were asked, and asks none of them again', async () => {
    const journals = Array.from({ length: 25 }, (_, index) => ({
      ManualJournalID: `mj-${index}`,
      HasAttachments: true,
    }));
    const asked: string[] = [];
    const client: PlatformClient = {
      ...answering(),
      get: async (path) => {
        if (path === '/ManualJournals') return { ManualJournals: journals };
        const id = path.split('/')[2] ?? '';
        asked.push(id);
        return { Attachments: [{ AttachmentID: `of ${id}` }] };
      },
    };
    const pages = await pull(client, 'DOCUMENTS', { cursor: 'ManualJournals:' });
    expect(pages.map(({ objects, cursor }) => [objects.length, cursor])).toEqual([
      [10, 'ManualJournals:100/1+mj-9'],
      [10, 'ManualJournals:100/1+mj-19'],
      [5, null],
    ]);
    asked.length = 0;
    const rest = await pull(client, 'DOCUMENTS', { cursor: 'ManualJournals:100/1+mj-9' });
    expect(rest).toEqual(pages.slice(1));
    expect(asked).toEqual(journals.slice(10).map(({ ManualJournalID }) => ManualJournalID));
    // The last one that was asked is no longer listed: all of its page are asked again.
    const again = await pull(client, 'DOCUMENTS', { cursor: 'ManualJournals:100/1+gone' });
    expect(again).toEqual(pages);
  });

  test('passes over a draft that turns into a credit note after it was listed, and has its files with those', async () => {
    const books = makeOrganisation();
    const draft = books.documents.find(
      ({ type, attachments }) => type === 'ACCREC' && attachments.length > 0,
    );
    const fake = await startXeroFake(books, () => new Date());
    const access = { baseUrl: `${fake.url}/api.xro/2.0`, accessToken: fake.issueToken() };
    const xeroClient = xero.createClient(plainAccess({ ...access, externalAccountId: books.tenantId }));
    const client: PlatformClient = {
      ...xeroClient,
      get: (path, request) => {
        if (path === `/Invoices/${draft?.id}/Attachments`)
          Object.assign(draft ?? {}, { type: 'ACCRECCREDIT' });
        return xeroClient.get(path, request);
      },
    };
    try {
      const pages = await pull(client, 'DOCUMENTS');
      const wholes = pages.map((page) => page.wholes?.includes(draft?.id ?? '') ?? false);
      const first = pages.findIndex(({ cursor }) => cursor === 'CreditNotes:');
      expect(wholes.indexOf(true)).toBeGreaterThan(first);
      expect(wholes.filter(Boolean)).toHaveLength(1);
      const ids = pages.flatMap(({ objects }) => objects.map((object) => object['AttachmentID']));
      for (const { id } of draft?.attachments ?? []) expect(ids.filter((one) => one === id)).toHaveLength(1);
      expect(draft?.type).toBe('ACCRECCREDIT');
    } finally {
      await fake.stop();
    }
  });

  test.each(['ManualJournals:4', 'ManualJournals:100/4'])('resumes at the page of %s', async (cursor) => {
    const client = answering({ ManualJournals: [] });
    await pull(client, 'DOCUMENTS', { cursor });
    const query = { page: '4', pageSize: '100' };
    expect(client.calls).toMatchObject([{ path: '/ManualJournals', query }]);
  });
});

describe('the Xero client', () => {
  test('asks for JSON with the token and the tenant', async () => {
    let seen: Readonly<Record<string, unknown>> = {};
    const server = createServer((request, response) => {
      seen = request.headers;
      response.end('{"Currencies":[]}');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const client = xero.createClient(
      plainAccess({ baseUrl, accessToken: 'token', externalAccountId: 'tenant' }),
    );
    await pull(client, 'CURRENCIES');
    expect(seen).toMatchObject({
      accept: 'application/json',
      authorization: 'Bearer token',
      'xero-tenant-id': 'tenant',
    });
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
});
