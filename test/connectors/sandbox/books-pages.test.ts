import { describe, expect, test } from '@jest/globals';

import { sandboxBooks } from '../../../src/connectors/sandbox/books/index.js';
import { answering, deletionsOf, pull, resourceOf } from './answering.js';

const contacts = resourceOf(sandboxBooks, 'CONTACTS');
const page = (Page: number, PageCount: number, ...guids: string[]) => ({
  Paging: { Page, PageSize: 200, PageCount, ItemCount: 1 },
  Partners: guids.map((Guid) => ({ Guid })),
});

describe('pulling partners', () => {
  test('goes on until the page is the page count, also over empty pages', async () => {
    const answers = [page(1, 3, 'a', 'b'), page(2, 3), page(3, 3, 'c')];
    const client = answering(() => answers.shift() ?? {});
    expect(await pull(client, contacts)).toEqual([
      { objects: [{ Guid: 'a' }, { Guid: 'b' }], cursor: '2' },
      { objects: [], cursor: '3' },
      { objects: [{ Guid: 'c' }], cursor: null },
    ]);
    expect(client.calls).toEqual(
      ['1', '2', '3'].map((number) => ({ path: '/Partners', query: { page: number, pageSize: '200' } })),
    );
  });

  test('of a company that has none ends at once', async () => {
    expect(
      await pull(
        answering(() => page(1, 0)),
        contacts,
      ),
    ).toEqual([{ objects: [], cursor: null }]);
  });

  test.each([
    ['3', '3'],
    ['odd', '1'],
    ['0', '1'],
  ])('resumes the cursor %s at page %s', async (cursor, number) => {
    const client = answering(() => page(Number(number), Number(number)));
    await pull(client, contacts, { cursor });
    expect(client.calls[0]?.query['page']).toBe(number);
  });

  test('asks for changes in UTC', async () => {
    const client = answering(() => page(1, 1));
    await pull(client, contacts, { since: new Date('2026-01-31T13:00:00.999+13:00') });
    expect(client.calls[0]?.query).toEqual({
      page: '1',
      pageSize: '200',
      modifiedSince: '2026-01-31T00:00:00.999Z',
    });
  });

  test.each([
    ['no list', { Paging: { Page: 1, PageCount: 1 } }],
    ['a list of something else', { ...page(1, 1), Partners: [null] }],
    ['no page count', { Paging: { Page: 1 }, Partners: [] }],
    ['another page', page(2, 2)],
    ['nothing', {}],
  ])('takes %s for an error and not for an end', async (_what, answer) => {
    await expect(
      pull(
        answering(() => answer),
        contacts,
      ),
    ).rejects.toMatchObject({
      code: 'platform-answer',
      message: expect.stringMatching(/^SVC Sandbox Books (must answer|sent)/),
    });
  });
});

describe('sweeping partners', () => {
  const ids = (Page: number, PageCount: number, ...Ids: unknown[]) => ({ Paging: { Page, PageCount }, Ids });

  test('walks the ids of all that there are', async () => {
    const answers = [ids(1, 2, 'a'), ids(2, 2, 'b')];
    const client = answering(() => answers.shift() ?? {});
    expect(await deletionsOf(client, contacts)).toEqual([
      { platformIds: ['a'], cursor: '2' },
      { platformIds: ['b'], cursor: null },
    ]);
    expect(client.calls[0]).toEqual({ path: '/Partners/ids', query: { page: '1', pageSize: '1000' } });
    expect(contacts.deletions?.map(({ kind }) => kind)).toEqual(['sweep']);
  });

  test('goes on from its cursor', async () => {
    const client = answering(() => ids(2, 2, 'b'));
    expect(await deletionsOf(client, contacts, { cursor: '2' })).toHaveLength(1);
  });

  test.each([[ids(1, 1, 7)], [{ Paging: { Page: 1, PageCount: 1 } }]])('refuses %j', async (answer) => {
    await expect(
      deletionsOf(
        answering(() => answer),
        contacts,
      ),
    ).rejects.toMatchObject({
      code: 'platform-answer',
    });
  });
});

test('pulling dimensions gives each option after its dimension', async () => {
  const Dimensions = [{ Guid: 'region', Options: [{ OptionGuid: 'north', Parent: null }] }];
  const client = answering(() => ({ Paging: { Page: 1, PageCount: 1 }, Dimensions }));
  const [first] = await pull(client, resourceOf(sandboxBooks, 'TRACKING_CATEGORIES'));
  expect(first?.objects).toEqual([
    Dimensions[0],
    { OptionGuid: 'north', Parent: null, Dimension: 'region', HasOptions: false },
  ]);
});

test('what can vanish is swept, and nothing else', () => {
  const swept = sandboxBooks.pulls
    .filter(({ deletions }) => deletions)
    .map((one) => one.definition.dataModel);
  expect(swept).toEqual([
    'ACCOUNTS',
    'ITEMS',
    'CONTACTS',
    'SALES_ORDERS',
    'PURCHASE_ORDERS',
    'INVOICES',
    'BILLS',
    'INVOICE_CREDIT_NOTES',
    'BILL_CREDIT_NOTES',
    'EXPENSES',
    'BANK_TRANSACTIONS',
    'JOURNAL_ENTRIES',
    'DOCUMENTS',
    'BANK_ACCOUNTS',
  ]);
});
