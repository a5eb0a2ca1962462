import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { App } from '../../src/app.js';
import { createOrder } from '../../src/query/pages/order.js';
import { cursorsOf } from '../../src/query/pages/cursor.js';
import { account } from '../../src/records/index.js';
import { ACCOUNTS, storeBooks, TRANSACTIONS } from '../support/books.js';
import { createTenant, type Tenant } from '../support/seed.js';
import { type Caller, createCaller, startApp } from '../support/service.js';
import { statementsOf } from '../support/statements.js';

let app: App;
let acme: Tenant;
let shop: Tenant;
let caller: Caller;
const LIVE = ACCOUNTS.filter(({ deleted }) => !deleted).map(({ platformId }) => platformId);
const PATH = '/v3/accounting/accounts';

beforeAll(async () => {
  app = await startApp();
  acme = await createTenant(app, 'lists');
  await storeBooks(acme);
  shop = await acme.company('shop', 'ECOMMERCE');
  await shop.store('EcommerceTransaction', TRANSACTIONS);
  caller = await createCaller(app, acme.organisationId);
});
afterAll(() => app.close());

const ids = (body: { data: { platform_id: string }[] }) => body.data.map(({ platform_id }) => platform_id);

/** Follows `next` to the end, then `prev` back to the start. */
async function walk(path: string, asker = caller): Promise<{ forth: string[]; back: string[] }> {
  const separator = path.includes('?') ? '&' : '?';
  const forth: string[] = [];
  const back: string[] = [];
  let { body } = await asker.get(path);
  forth.push(...ids(body));
  for (let page = 0; body.next !== null && page < 50; page += 1) {
    ({ body } = await asker.get(`${path}${separator}next=${encodeURIComponent(body.next)}`));
    forth.push(...ids(body));
  }
  back.unshift(...ids(body));
  for (let page = 0; body.prev !== null && page < 50; page += 1) {
    ({ body } = await asker.get(`${path}${separator}prev=${encodeURIComponent(body.prev)}`));
    back.unshift(...ids(body));
  }
  return { forth, back };
}

describe('GET /v3/accounting/accounts', () => {
  test('answers envelope B: data, next, prev, total_count, all always there', async () => {
    const { status, body, headers } = await caller.get(PATH);
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(Object.keys(body)).toEqual(['data', 'next', 'prev', 'total_count']);
    expect(body).toMatchObject({ next: null, prev: null, total_count: null });
    expect(ids(body)).toEqual(LIVE);
  });

  test('shows each field of the reference in its JSON type', async () => {
    const { body } = await caller.get(`${PATH}?limit=2`);
    const [, second] = body.data;
    expect(second).toEqual({
      svc_id: expect.any(Number),
      svc_company_id: acme.companyId,
      svc_created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      svc_updated_at: expect.stringMatching(/Z$/),
      platform_id: 'account-1',
      name: 'Name 1',
      description: null,
      nominal_code: '1001',
      category: 'EXPENSE',
      sub_category: null,
      status: 'ACTIVE',
      current_balance: 10.1,
      currency_id: 'missing',
      parent_account_id: 'account-0',
      parent_account: expect.objectContaining({ platform_id: 'account-0', nominal_code: '1000' }),
      updated_at: '2026-01-19T00:00:00.000Z',
    });
    expect(body.data[0].parent_account).toEqual({});
  });

  test.each([
    ['the default order', 'limit=2'],
    ['the largest page but one', `limit=${LIVE.length - 1}`],
    ['newest first', 'limit=2&sort[svc_created_at]=DESC'],
    ['last changed first', 'limit=1&sort[svc_updated_at]=DESC'],
    ['a field with nulls, ascending', 'limit=2&sort[name]=ASC'],
    ['a field with nulls, descending', 'limit=2&sort[name]=DESC'],
    ['decimals with nulls', 'limit=3&sort[current_balance]=DESC'],
    ['two fields that go different ways', 'limit=2&sort[category]=ASC&sort[updated_at]=DESC'],
  ])('pages through the whole list and back in %s', async (_order, query) => {
    const whole = ids((await caller.get(`${PATH}?${query.replace(/limit=\d+&?/, '')}`)).body);
    expect([...whole].sort()).toEqual([...LIVE].sort());
    const { forth, back } = await walk(`${PATH}?${query}`);
    expect(forth).toEqual(whole);
    expect(back).toEqual(whole);
  });

  test('puts records without a value last in both directions', async () => {
    for (const direction of ['ASC', 'DESC']) {
      const { body } = await caller.get(`${PATH}?sort[name]=${direction}`);
      const names: (string | null)[] = body.data.map(({ name }: { name: string | null }) => name);
      const firstNull = names.indexOf(null);
      expect(names.slice(firstNull).every((name) => name === null)).toBe(true);
      const named = names.slice(0, firstNull) as string[];
      const sorted = [...named].sort();
      expect(named).toEqual(direction === 'ASC' ? sorted : sorted.reverse());
    }
  });

  test('counts when asked, the whole list and not the page', async () => {
    const { body } = await caller.get(`${PATH}?limit=2&return_count=true`);
    expect(body.total_count).toBe(LIVE.length);
    expect((await caller.get(`${PATH}?return_count=false`)).body.total_count).toBeNull();
  });

  test('narrows records to the fields that are named, in their own order', async () => {
    const { status, body } = await caller.get(`${PATH}?limit=2&fields=nominal_code,svc_id&return_count=true`);
    expect(status).toBe(200);
    expect(body.data.map((one: object) => Object.keys(one))).toEqual([
      ['svc_id', 'nominal_code'],
      ['svc_id', 'nominal_code'],
    ]);
    expect(body.total_count).toBe(9);
    const following = await caller.get(`${PATH}?limit=2&fields=nominal_code&next=${body.next}`);
    expect(following.body.data).toEqual([{ nominal_code: '1002' }, { nominal_code: '1004' }]);
  });

  test('narrows, and adds what select and expand name', async () => {
    const { body } = await caller.get(`${PATH}?limit=1&fields=name&select=data_hash&expand=currency`);
    expect(Object.keys(body.data[0])).toEqual(['data_hash', 'name', 'currency']);
    expect(Object.keys(body.data[0].currency).length).toBeGreaterThan(5);
  });

  test('narrows to whether a record was deleted', async () => {
    const { body } = await caller.get(`${PATH}?include_deleted_records=true&fields=svc_deleted_at`);
    expect(body.data.map((one: object) => Object.keys(one))).toEqual(Array(12).fill(['svc_deleted_at']));
    const living = await caller.get(`${PATH}?limit=1&fields=svc_deleted_at`);
    expect(living.body.data).toEqual([{ svc_deleted_at: null }]);
  });

  test('narrows one record, too', async () => {
    const [{ svc_id: id }] = (await caller.get(`${PATH}?limit=1&fields=svc_id`)).body.data;
    expect((await caller.get(`${PATH}/${id}?fields=nominal_code`)).body).toEqual({
      data: { nominal_code: '1000' },
    });
  });

  test('adds raw_data and data_hash on select only', async () => {
    const plain = (await caller.get(`${PATH}?limit=1`)).body.data[0];
    expect(plain).not.toHaveProperty('raw_data');
    expect(plain).not.toHaveProperty('data_hash');
    const selected = (await caller.get(`${PATH}?limit=1&select=raw_data,data_hash`)).body.data[0];
    expect(selected.raw_data).toMatchObject({ platformId: 'account-0' });
    expect(selected.data_hash).toMatch(/^[0-9a-f]{64}$/);
  });

  test('expands currency to the object itself, null where it is not here', async () => {
    const { body } = await caller.get(`${PATH}?limit=2&expand=currency`);
    expect(body.data[0].currency).toMatchObject({
      platform_id: 'aud',
      code: 'AUD',
      exchange_rate: 1,
      is_base_currency: true,
    });
    expect(body.data[1].currency).toBeNull();
    expect((await caller.get(`${PATH}?limit=1`)).body.data[0]).not.toHaveProperty('currency');
  });

  test('keeps to a company', async () => {
    const one = await createTenant(app, 'two books');
    await storeBooks(one);
    const other = await one.company('other books');
    await other.store('Account', [{ platformId: 'elsewhere', values: { name: 'Elsewhere' } }]);
    const owner = await createCaller(app, one.organisationId);
    expect(ids((await owner.get(`${PATH}?svc_company_id[eq]=${other.companyId}`)).body)).toEqual([
      'elsewhere',
    ]);
    expect(ids((await owner.get(`${PATH}?svc_company_id%5Beq%5D=${one.companyId}`)).body)).toEqual(LIVE);
    expect(
      ids((await owner.get(`${PATH}?svc_company_id[in]=${other.companyId},${one.companyId}`)).body),
    ).toHaveLength(LIVE.length + 1);
  });

  test.each([
    ['svc_updated_at[gte]=2000-01-01', LIVE.length],
    ['svc_updated_at[gte]=2999-01-01T00:00:00Z', 0],
    ['nominal_code[gte]=1008', 3],
    ['nominal_code[in]=1000,1001,1003', 2],
    ['name[in]=Name%201,Name%204', 2],
    // One name with a comma in it.
    ['name[in]=Name%201%5C,Name%204', 0],
    ['name[contains]=ame', 6],
    ['name[startsWith]=Name%204', 1],
    ['name[isNull]=true', 3],
    ['name[neq]=Name%201', 8],
    ['current_balance[gt]=10.1&current_balance[lte]=80.80', 4],
    ['category[eq]=ASSET&name[isNull]=false', 4],
  ])('filters by %s', async (query, count) => {
    const { status, body } = await caller.get(`${PATH}?svc_company_id[eq]=${acme.companyId}&${query}`);
    expect({ status, count: body.data?.length }).toEqual({ status: 200, count });
  });

  test('empty parameters and a literal null are absent', async () => {
    const { status, body } = await caller.get(
      `${PATH}?limit=null&next=&prev=null&expand=&select=&return_count=null&sort[svc_created_at]=&svc_company_id[eq]=${acme.companyId}`,
    );
    expect(status).toBe(200);
    expect(ids(body)).toEqual(LIVE);
  });

  test('a name that is no field is ignored, and said so in a header', async () => {
    const { status, headers } = await caller.get(`${PATH}?colour=red`);
    expect(status).toBe(200);
    expect(headers.get('x-svc-warning')).toBe('ignored: colour');
  });

  test.each(['company_id', 'svc_company_id', 'integration_type', 'where', 'sort', 'orderBy'])(
    'refuses %s, which looks like a filter or an order: ignoring it would return something else',
    async (name) => {
      const { status, body } = await caller.get(`${PATH}?${name}=1`);
      expect([status, body.error.code, body.error.field]).toEqual([400, 'invalid-params', name]);
    },
  );

  test('shows deleted records on demand, with the time of their deletion', async () => {
    const { body } = await caller.get(
      `${PATH}?include_deleted_records=true&svc_company_id[eq]=${acme.companyId}`,
    );
    expect(body.data).toHaveLength(ACCOUNTS.length);
    const deleted = body.data.filter((one: { svc_deleted_at: string | null }) => one.svc_deleted_at !== null);
    expect(deleted).toHaveLength(3);
  });

  test.each([
    ['limit=0', 'limit', 'limit must be between 1 and 1000, got 0'],
    ['limit=-5', 'limit', 'limit must be between 1 and 1000, got -5'],
    ['limit=99999999999999', 'limit', 'limit must be between 1 and 1000, got 99999999999999'],
    ['limit=ten', 'limit', 'limit must be a whole number between 1 and 1000, got ten'],
    ['limit=10.0', 'limit', 'limit must be a whole number between 1 and 1000, got 10.0'],
    ['limit=1e1', 'limit', 'limit must be a whole number between 1 and 1000, got 1e1'],
    ['limit=1&limit=2', 'limit', 'limit must be given once'],
    [
      'expand=currency&expand=child_accounts',
      'expand',
      'expand must be given once, with commas between its values',
    ],
    [
      'category[in]=BANK&category[in]=ASSET',
      'category[in]',
      'category[in] must be given once, with commas between its values',
    ],
    [
      'category[not_in]=BANK&category[not_in]=ASSET',
      'category[not_in]',
      'category[not_in] must be given once, with commas between its values',
    ],
    [
      'expand[]=currency&expand[]=child_accounts',
      'expand[]',
      'expand[] must be given once, as expand, with commas between its values',
    ],
    ['select[0]=raw_data', 'select[0]', 'select[0] must be given once, as select, with commas'],
    ['fields[]=name', 'fields[]', 'fields[] must be given once, as fields, with commas'],
    ['category[in][]=BANK', 'category[in][]', 'must be given once, as category[in], with commas'],
    [
      'category[not_in][1]=BANK',
      'category[not_in][1]',
      'must be given once, as category[not_in], with commas',
    ],
    ['fields[region][in][]=North', 'fields[region][in][]', 'must be given once, as fields[region][in], with'],
    ['status=[object Object]', 'status', 'status is an object as text: write status[eq]=value'],
    ['sort[]=name', 'sort[]', 'sort[] is not an order: write sort[field]=ASC'],
    ['limit[]=5', 'limit[]', 'limit[] takes no brackets: write limit=value'],
    ['sort=[object Object]', 'sort', 'sort is an object as text: write sort[field]=ASC'],
    ['filter=[object Object]', 'filter', 'filter is an object as text: write field[operator]=value'],
    ['next=a&prev=b', 'prev', 'prev cannot be used together with next'],
    ['next=rubbish', 'next', 'next is not a valid cursor'],
    ['expand=lines', 'expand', 'expand takes currency'],
    ['select=everything', 'select', 'select takes raw_data, data_hash, version'],
    [
      'fields=nope',
      'fields',
      'fields takes svc_id, svc_company_id, svc_created_at, svc_updated_at, platform_id',
    ],
    ['fields=name,', 'fields', 'got an empty name'],
    ['fields=raw_data', 'fields', 'fields takes'],
    ['status=ACTIVE', 'status', 'status needs an operator: write status[eq]=ACTIVE'],
    [
      'custom_fields[Region]=North',
      'custom_fields[Region]',
      'custom_fields[Region] needs an operator: write custom_fields[Region][eq]=North',
    ],
    [
      'fields[credit limit]=5',
      'fields[credit limit]',
      'fields[credit limit] needs an operator: write fields[credit limit][eq]=5',
    ],
    ['status[like]=A', 'status[like]', 'status[like] is not an operator: status takes eq'],
    [
      'status[ne]=ACTIVE&status[neq]=ARCHIVED',
      'status[neq]',
      'status[neq] is the operator ne again: name it once',
    ],
    [
      'fields[region][not_in]=a&fields[region][notIn]=b',
      'fields[region][notIn]',
      'fields[region][notIn] is the operator notIn again: name it once',
    ],
    [
      'fields[__proto__][eq]=x',
      'fields[__proto__]',
      'fields[__proto__] is not a mapped field of these records',
    ],
    ['custom_fields[__proto__][eq]=x', 'custom_fields[__proto__]', 'is not a filter: no platform has custom'],
    [
      'parent_account[isNull]=true',
      'parent_account[isNull]',
      'parent_account[isNull] is a record: filter by parent_account_id',
    ],
    [
      'child_accounts[isNull]=true',
      'child_accounts[isNull]',
      'child_accounts[isNull] is a list of records, by which lists cannot be filtered',
    ],
    ['sort[currency]=ASC', 'sort[currency]', 'sort[currency] is a record: sort by currency_id'],
    ['colour[eq]=red', 'colour[eq]', 'colour[eq] is not a filter: there is no field colour'],
    [
      'svc_company_id[eq]=9007199254740992',
      'svc_company_id[eq]',
      'svc_company_id[eq] must be a whole number',
    ],
    ['sort[svc_created_at]=up', 'sort[svc_created_at]', 'sort[svc_created_at] must be ASC or DESC, got up'],
    ['sort[__proto__]=ASC', 'sort[__proto__]', 'sort[__proto__] is not a field to sort by'],
    ['return_count=maybe', 'return_count', 'return_count must be true or false'],
    [
      'svc_updated_at[gte]=275760-09-13',
      'svc_updated_at[gte]',
      'svc_updated_at[gte] must be an ISO 8601 date-time',
    ],
    ['name[eq][ne]=1', 'name[eq][ne]', 'name[eq][ne] is not a filter: write field[operator]=value'],
    ['name[contains]=%ED%A0%80', 'name[contains]', 'name[contains] is not percent-encoded UTF-8'],
    ['name[contains]=100%', 'name[contains]', 'a % itself is written %25'],
    ['category[eq]=MONEY', 'category[eq]', 'category[eq] must be one of ASSET'],
    ['name[eq]=a%00b', 'name[eq]', 'name[eq] must not hold a NUL character'],
  ])('refuses ?%s and says what would be right', async (query, field, message) => {
    const { status, body } = await caller.get(`${PATH}?${query}`);
    expect(status).toBe(400);
    expect(body.error.field).toBe(field);
    expect(body.error.message).toContain(message);
    expect(['invalid-params', 'invalid-cursor']).toContain(body.error.code);
  });

  test.each([
    ['accounting/tax_rates', 'components', 'is a list of objects, by which lists cannot be'],
    ['accounting/items', 'bill_item', 'is an object, by which lists cannot be'],
    ['payments/customers', 'external_links', 'is a list of objects, by which lists cannot be'],
    ['payments/invoices', 'line_items', 'is a list of objects, by which lists cannot be'],
    ['accounting/invoices', 'sales_orders', 'is a list of records'],
  ])('says of %s why %s is not filtered or sorted by', async (path, name, message) => {
    for (const parameter of [`${name}[isNull]`, `sort[${name}]`]) {
      const { status, body } = await caller.get(`/v3/${path}?${parameter}=ASC`);
      expect([status, body.error.field]).toEqual([400, parameter]);
      expect(body.error.message).toContain(`${parameter} ${message}`);
    }
  });

  test('finds lists of texts by whether they are empty', async () => {
    const own = await createTenant(app, 'empty lists');
    await own.store('Invoice', [
      { platformId: 'none', values: {} },
      { platformId: 'empty', values: { salesOrderIds: [] } },
      { platformId: 'one', values: { salesOrderIds: ['so-1'] } },
    ]);
    const reader = await createCaller(app, own.organisationId);
    const found = async (filter: string) => ids((await reader.get(`/v3/accounting/invoices?${filter}`)).body);
    expect(await found('sales_order_ids[isNull]=true')).toEqual(['none', 'empty']);
    expect(await found('sales_order_ids[isNull]=false')).toEqual(['one']);
  });

  test('refuses a cursor of another list or another order', async () => {
    const { body } = await caller.get(`${PATH}?limit=1`);
    const other = await caller.get(`/v3/accounting/contacts?next=${body.next}`);
    expect(other.body.error).toMatchObject({ code: 'invalid-cursor', field: 'next' });
    const sorted = await caller.get(`${PATH}?sort[name]=ASC&next=${body.next}`);
    expect(sorted.body.error.message).toContain('next is a cursor of another order');
  });
});

describe('GET /v3/accounting/accounts/{svc_id}', () => {
  test('answers one record in envelope C', async () => {
    const { body } = await caller.get(`${PATH}?limit=1`);
    const [first] = body.data;
    const one = await caller.get(`${PATH}/${first.svc_id}`);
    expect(one.body).toEqual({ data: { ...first, svc_deleted_at: null } });
  });

  test('names parameters of lists that mean nothing here, and refuses filters', async () => {
    const { body } = await caller.get(`${PATH}?limit=1`);
    const path = `${PATH}/${body.data[0].svc_id}`;
    const { status, headers } = await caller.get(`${path}?limit=1&next=abc&select=version`);
    expect([status, headers.get('x-svc-warning')]).toEqual([200, 'ignored: limit, next']);
    for (const name of ['name[eq]', 'sort[name]', 'status']) {
      const { status: refused, body: answer } = await caller.get(`${path}?${name}=ASC`);
      expect([refused, answer.error]).toEqual([
        400,
        {
          code: 'invalid-params',
          field: name,
          message: `${name} is not a parameter of this path: it takes expand, select, fields`,
        },
      ]);
    }
  });

  test.each(['1', '99999999999999999999', 'abc', '-1'])('answers 404 for %s', async (svcId) => {
    const { status, body } = await caller.get(`${PATH}/${svcId}`);
    expect(status).toBe(404);
    expect(body.error).toMatchObject({ code: 'not-found', field: 'svc_id' });
  });
});

describe('GET /v3/accounting/currencies', () => {
  test('is sorted by a flag, page by page', async () => {
    const books = await acme.company('currencies');
    await books.store(
      'Currency',
      [false, null, true, false].map((isBaseCurrency, index) => ({
        platformId: `currency-${index}`,
        values: { code: `C${index}`, isBaseCurrency },
      })),
    );
    const list = `/v3/accounting/currencies?svc_company_id[eq]=${books.companyId}&limit=1&sort[is_base_currency]`;
    const order = { ASC: [0, 3, 2, 1], DESC: [2, 3, 0, 1] };
    for (const [way, places] of Object.entries(order)) {
      const wanted = places.map((place) => `currency-${place}`);
      expect(await walk(`${list}=${way}`)).toEqual({ forth: wanted, back: wanted });
    }
  });
});

describe('GET /v3/accounting/invoice_credit_notes', () => {
  const notes = '/v3/accounting/invoice_credit_notes';

  test('has no relation unless expanded', async () => {
    const [note] = (await caller.get(notes)).body.data;
    expect(note).toMatchObject({
      invoice_ids: ['invoice-3', 'invoice-1', 'not-here'],
      posted_date: '2026-02-28T00:00:00.000Z',
      memo: 'a "quoted" memo\nwith a 😀',
    });
    for (const relation of ['currency', 'line_items', 'contact', 'invoices'])
      expect(note).not.toHaveProperty(relation);
  });

  test('has lists of texts that equal what they contain', async () => {
    const found = async (condition: string) => ids((await caller.get(`${notes}?${condition}`)).body);
    expect(await found('invoice_ids[eq]=invoice-1')).toEqual(await found('invoice_ids[contains]=invoice-1'));
    expect(await found('invoice_ids[eq]=invoice-1')).toContain('note-1');
    expect(await found('invoice_ids[eq]=invoice')).toEqual([]);
    const filter = { invoice_ids: { eq: 'invoice-3' } };
    const { body } = await caller.post('/accounting/invoice_credit_notes/all', { filter });
    expect(ids(body.data)).toContain('note-1');
    const twice = await caller.get(`${notes}?invoice_ids[eq]=a&invoice_ids[contains]=b`);
    expect(twice.body.error).toMatchObject({ code: 'invalid-params', field: 'invoice_ids[contains]' });
  });

  test('expands currency, line_items, contact and invoices', async () => {
    const { body } = await caller.get(`${notes}?expand=currency,line_items,contact,invoices`);
    const [note, second] = body.data;
    expect(note.currency.code).toBe('AUD');
    expect(note.contact).toMatchObject({ platform_id: 'ann', name: 'Ann' });
    expect(note.line_items.map(({ description }: { description: string }) => description)).toEqual([
      'line 1',
      'line 2',
    ]);
    expect(note.line_items[0]).toEqual({
      svc_id: expect.any(Number),
      platform_id: 'note-1-line-1',
      line_item_type: 'INVOICE_CREDIT_NOTES',
      line_item_type_id: null,
      account_id: 'account-0',
      item_id: null,
      project_id: null,
      tax_id: null,
      description: 'line 1',
      quantity: 2,
      unit_amount: 5.5,
      sub_total: null,
      tax_amount: null,
      total_amount: null,
      total_discount: null,
      tracking_category_ids: [],
      updated_at: null,
    });
    expect(note.invoices.map(({ document_number }: { document_number: string }) => document_number)).toEqual([
      'INV-3',
      'INV-1',
    ]);
    expect(second.invoices).toEqual([]);
  });

  test('expands what lines lead to, behind the name of the lines', async () => {
    const plain = await caller.get(`${notes}?expand=line_items`);
    const { body } = await caller.get(`${notes}?expand=line_items.account,line_items.item,line_items.tax`);
    const [line] = body.data[0].line_items;
    const { account, item, tax, ...own } = line;
    expect(own).toEqual(plain.body.data[0].line_items[0]);
    expect(account).toMatchObject({ platform_id: 'account-0', nominal_code: '1000' });
    expect({ item, tax }).toEqual({ item: null, tax: null });
    expect(body.data[1].line_items[0].account.platform_id).toBe('account-0');
  });

  test('expands records with what they always have, which goes no further', async () => {
    const { body } = await caller.get(`${notes}?expand=line_items.account`);
    const { account } = body.data[0].line_items[0];
    const record = await caller.get(`/v3/accounting/accounts/${account.svc_id}`);
    const { svc_deleted_at: _deleted, ...shown } = record.body.data;
    expect(account).toEqual(shown);
    expect(account).toHaveProperty('parent_account');
    expect(account.parent_account).not.toHaveProperty('parent_account');
  });

  test('reads what lines lead to by one statement, however many lines there are', async () => {
    const read = async (limit: number, expand: string) => {
      const asked = () => caller.get(`${notes}?limit=${limit}&expand=${expand}`);
      return (await statementsOf(app, asked)).map(({ text }) => /FROM (\w+) t\b/.exec(text)?.[1]);
    };
    const lines = ['invoice_credit_notes', 'line_items'];
    expect(await read(1, 'line_items')).toEqual(lines);
    expect(await read(1, 'line_items.account')).toEqual([...lines, 'accounts']);
    expect(await read(2, 'line_items.account')).toEqual([...lines, 'accounts']);
  });

  test('one record expands what its lines lead to, too', async () => {
    const [{ svc_id }] = (await caller.get(notes)).body.data;
    const { body } = await caller.get(`${notes}/${svc_id}?expand=line_items.account`);
    expect(body.data.line_items[1].account.nominal_code).toBe('1000');
  });

  test('names what it expands where lines have no such relation', async () => {
    const { status, body } = await caller.get(`${notes}?expand=line_items.shop`);
    expect({ status, field: body.error.field }).toEqual({ status: 400, field: 'expand' });
    expect(body.error.message).toMatch(/^expand takes .*line_items\.item.*; got line_items\.shop$/);
  });

  test('writes a number as the decimal itself, every digit of it', async () => {
    const { text } = await caller.get(`${notes}?limit=1`);
    expect(text).toContain('"total_amount":12345678901234567.89,');
    expect(text).toContain('"remaining_credit":0.30,');
  });
});

describe('GET /v3/ecommerce/transactions', () => {
  const path = '/v3/ecommerce/transactions';

  test('writes amounts as text, and carries svc_deleted_at and platform_unique_id', async () => {
    const { body } = await caller.get(path);
    expect(ids(body)).toEqual(['sale-1', 'sale-3']);
    expect(body.data[0]).toMatchObject({
      amount: '19.90',
      fee: '0.00',
      type: 'SALE',
      svc_deleted_at: null,
      platform_unique_id: 'shop/sale-1',
    });
  });

  test('leaves deleted records out unless include_deleted_records is true', async () => {
    const { body } = await caller.get(`${path}?include_deleted_records=true`);
    expect(ids(body)).toEqual(['sale-1', 'sale-2', 'sale-3']);
    expect(body.data[1].svc_deleted_at).toMatch(/Z$/);
    expect(ids((await caller.get(`${path}?include_deleted_records=false`)).body)).toEqual([
      'sale-1',
      'sale-3',
    ]);
  });

  test('has nothing to expand, and says so', async () => {
    const { status, body } = await caller.get(`${path}?expand=currency`);
    expect(status).toBe(400);
    expect(body.error.message).toContain('expand takes nothing here');
  });
});

describe('sort values that fit into no address', () => {
  const long = (tail: string) => `${'Lorem ipsum '.repeat(1500)}${tail}`;
  // An organisation of its own: other tests here count all that theirs has.
  let reader: Caller;
  let company: Tenant;

  beforeAll(async () => {
    company = await createTenant(app, 'long names');
    reader = await createCaller(app, company.organisationId);
    await company.store(
      'Account',
      ['d', 'b', 'a', 'c'].map((tail) => ({
        platformId: tail,
        values: { name: long(tail), status: 'ACTIVE' },
      })),
    );
    await company.store('Account', [
      { platformId: 'none', values: { name: null } },
      { platformId: 'short', values: { name: 'Zebra' } },
    ]);
  });

  test.each([
    ['ASC', ['a', 'b', 'c', 'd', 'short', 'none']],
    ['DESC', ['short', 'd', 'c', 'b', 'a', 'none']],
  ])('are walked %s in both directions', async (way, expected) => {
    for (const limit of [1, 2, 3]) {
      expect(await walk(`${PATH}?limit=${limit}&sort[name]=${way}`, reader)).toEqual({
        forth: expected,
        back: expected,
      });
    }
  });

  test.each([
    ['forth', 'ASC', 'z', ['a', 'b', 'c', 'd']],
    ['forth', 'DESC', '!', ['d', 'c', 'b', 'a']],
    ['forth', 'DESC', null, ['d', 'c', 'b', 'a']],
    ['back', 'ASC', '!', ['a', 'b', 'c', 'd']],
    ['back', 'DESC', null, ['d', 'c', 'b', 'a']],
  ])('lose no record going %s %s when that of the cursor becomes %s', async (towards, way, tail, all) => {
    const store = (platformId: string, name: string) =>
      company.store('Account', [{ platformId, values: { name, status: 'ACTIVE' } }]);
    const list = `${PATH}?limit=1&name[contains]=ipsum&sort[name]=${way}`;
    const isBack = towards === 'back';
    const rest = isBack ? all.slice(0, -1) : all.slice(1);
    let { body } = await reader.get(list);
    while (isBack && body.next) ({ body } = await reader.get(`${list}&next=${body.next}`));
    const [changed = ''] = ids(body);
    await store(changed, tail === null ? 'an other ipsum' : long(tail));
    try {
      const seen = new Set<string>();
      // As the record may come again where it is now.
      for (let page = 0; page <= 2 * all.length && body[isBack ? 'prev' : 'next']; page += 1) {
        ({ body } = await reader.get(`${list}&${isBack ? `prev=${body.prev}` : `next=${body.next}`}`));
        ids(body).forEach((id) => seen.add(id));
      }
      expect([...seen]).toEqual(expect.arrayContaining(rest));
    } finally {
      await store(changed, long(changed));
    }
  });
});

describe('an empty page', () => {
  test('beyond the end leads back to the last one, and before the start to the first', async () => {
    const path = `${PATH}?svc_company_id[eq]=${acme.companyId}`;
    const last = await caller.get(`${path}&limit=100`);
    const [first] = last.body.data as { svc_id: number }[];
    const final = last.body.data.at(-1) as { svc_id: number };
    const cursor = (svcId: number) => cursorsOf('accounts', createOrder(account, null, 1)).encode([svcId]);
    const beyond = (await caller.get(`${path}&limit=2&next=${cursor(final.svc_id)}`)).body;
    expect(beyond).toMatchObject({ data: [], next: null, prev: expect.any(String) });
    const back = (await caller.get(`${path}&limit=2&prev=${beyond.prev}`)).body;
    expect(ids(back)).toEqual(LIVE.slice(-2));
    expect(back.next).toBeNull();
    const before = (await caller.get(`${path}&limit=2&prev=${cursor(first?.svc_id ?? 0)}`)).body;
    expect(before).toMatchObject({ data: [], prev: null, next: expect.any(String) });
    const forth = (await caller.get(`${path}&limit=2&next=${before.next}`)).body;
    expect(ids(forth)).toEqual(LIVE.slice(0, 2));
    expect(forth.prev).toBeNull();
  });
});

describe('a closed set of values', () => {
  test('is filtered by in any case', async () => {
    const upper = await caller.get(`${PATH}?category[eq]=ASSET`);
    const lower = await caller.get(`${PATH}?category[eq]=asset`);
    expect(ids(upper.body).length).toBeGreaterThan(0);
    expect(ids(lower.body)).toEqual(ids(upper.body));
    const all = await caller.post('/accounting/accounts/all', { filter: { category: { in: ['Asset'] } } });
    expect(all.body.data.total_count).toBe(ids(upper.body).length);
    expect((await caller.get(`${PATH}?category[eq]=assets`)).status).toBe(400);
  });
});

describe('an empty list of filters', () => {
  test('is met by nothing as `or`, and by everything as `and`', async () => {
    const count = async (filter: object) =>
      (await caller.post('/accounting/accounts/all', { filter })).body.data.total_count;
    const all = await count({});
    expect(await count({ or: [] })).toBe(0);
    expect(await count({ not: { or: [] } })).toBe(all);
    expect(await count({ and: [] })).toBe(all);
    const { body } = await caller.graphql(
      '{ none: accounts(filter: { or: [] }) { totalCount } all: accounts(filter: { and: [] }) { totalCount } }',
    );
    expect(body.data).toEqual({ none: { totalCount: 0 }, all: { totalCount: all } });
  });
});
