import { createServer } from 'node:http';
import { type AddressInfo } from 'node:net';

import { describe, expect, test } from '@jest/globals';

import {
  type PlatformClient,
  type PlatformObject,
  type PlatformRequest,
  type PulledPage,
} from '../../../src/connectors/connector.js';
import { xero } from '../../../src/connectors/xero/index.js';

interface Call extends PlatformRequest {
  readonly path: string;
}

/** A client that gives these answers in turn and remembers what it was asked. */
function answering(...answers: readonly PlatformObject[]): PlatformClient & { readonly calls: Call[] } {
  const calls: Call[] = [];
  return {
    calls,
    async get(path, request) {
      calls.push({ path, ...request });
      return answers[calls.length - 1] ?? {};
    },
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
  test('walks pages of 100 until one is short', async () => {
    const client = answering({ Contacts: contacts(0, 100) }, { Contacts: contacts(100, 3) });
    const pages = await pull(client, 'CONTACTS');
    expect(pages.map(({ objects, cursor }) => [objects.length, cursor])).toEqual([
      [100, '2'],
      [3, null],
    ]);
    expect(client.calls).toEqual(
      ['1', '2'].map((page) => ({
        path: '/Contacts',
        query: { includeArchived: 'true', page, pageSize: '100', order: 'ContactID ASC' },
        headers: {},
      })),
    );
  });

  test('stops at the page count, though the page is full', async () => {
    const client = answering({ pagination: { page: 1, pageCount: 1 }, Contacts: contacts(0, 100) });
    expect((await pull(client, 'CONTACTS')).map(({ cursor }) => cursor)).toEqual([null]);
  });

  test('stops at an empty page', async () => {
    const client = answering({ Contacts: contacts(0, 100) }, { Contacts: [] });
    expect(await pull(client, 'CONTACTS')).toHaveLength(2);
  });

  test.each([
    ['3', '3'],
    ['odd', '1'],
    ['0', '1'],
  ])('resumes the cursor %s at page %s', async (cursor, page) => {
    const client = answering({ Contacts: [] });
    await pull(client, 'CONTACTS', { cursor });
    expect(client.calls[0]?.query?.['page']).toBe(page);
  });

  test('asks for changes in UTC without fraction and zone', async () => {
    const client = answering({ Contacts: [] });
    await pull(client, 'CONTACTS', { since: new Date('2026-01-31T13:00:00.999+13:00') });
    expect(client.calls[0]?.headers).toEqual({ 'if-modified-since': '2026-01-31T00:00:00' });
  });

  test('gives up when a platform repeats its page', async () => {
    const client = answering({ Contacts: contacts(0, 100) }, { Contacts: contacts(0, 100) });
    await expect(pull(client, 'CONTACTS')).rejects.toThrow('sent the same Contacts as page 1 and page 2');
  });

  test.each([{}, { Contacts: null }, { Contacts: 'none' }, { Contacts: {} }])(
    'takes %j for an error and not for an empty list',
    async (answer) => {
      await expect(pull(answering(answer), 'CONTACTS')).rejects.toMatchObject({
        code: 'platform-answer',
        message: 'Xero must answer a list of Contacts',
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

describe('the Xero client', () => {
  test('asks for JSON with the token and the tenant', async () => {
    let seen: Readonly<Record<string, unknown>> = {};
    const server = createServer((request, response) => {
      seen = request.headers;
      response.end('{"Currencies":[]}');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const client = xero.createClient({ baseUrl, accessToken: 'token', externalAccountId: 'tenant' });
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
