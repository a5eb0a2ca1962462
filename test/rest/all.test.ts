import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { App } from '../../src/app.js';
import { ACCOUNTS, storeBooks } from '../support/books.js';
import { createTenant, type Tenant } from '../support/seed.js';
import { type Caller, createCaller, startApp } from '../support/service.js';

let app: App;
let acme: Tenant;
let caller: Caller & { readonly key: string };
const LIVE = ACCOUNTS.filter(({ deleted }) => !deleted).map(({ platformId }) => platformId);
const PATH = '/accounting/accounts/all';

beforeAll(async () => {
  app = await startApp();
  acme = await createTenant(app, 'all');
  await storeBooks(acme);
  caller = await createCaller(app, acme.organisationId);
});
afterAll(() => app.close());

const ids = (body: { data: { data: { platform_id: string }[] } }) =>
  body.data.data.map(({ platform_id }) => platform_id);

describe('POST /accounting/accounts/all', () => {
  test('answers envelope A around data and total_count', async () => {
    const { status, body, headers } = await caller.post(PATH, {});
    expect(status).toBe(200);
    expect(Object.keys(body)).toEqual(['data', 'request_id', 'request_timestamp', 'response_timestamp']);
    expect(body.request_id).toBe(headers.get('x-request-id'));
    expect(Date.parse(body.request_timestamp)).toBeLessThanOrEqual(Date.parse(body.response_timestamp));
    expect(body.data.total_count).toBe(LIVE.length);
    expect(ids(body)).toEqual(LIVE);
  });

  test('works without a body', async () => {
    const { status, body } = await caller.post(PATH, '');
    expect({ status, ids: ids(body) }).toEqual({ status: 200, ids: LIVE });
  });

  test('shows the platform, the organisation, and relations in {data}', async () => {
    const { body } = await caller.post(PATH, { take: 2 });
    const [first, second] = body.data.data;
    expect(first).toMatchObject({
      svc_integration_type: 'SVC_SANDBOX',
      svc_organisation_id: acme.organisationId,
      currency: { data: { code: 'AUD' } },
      parent_account: {},
    });
    expect(second.currency).toEqual({ data: null });
    expect(second.parent_account).toMatchObject({ platform_id: 'account-0' });
  });

  test('expands relations in {data}, and what lines lead to', async () => {
    const notes = '/accounting/invoice_credit_notes/all';
    const [plain] = (await caller.post(notes, {})).body.data.data;
    expect(plain).not.toHaveProperty('contact');
    expect(plain.line_items.data[0]).not.toHaveProperty('account');
    const { body } = await caller.post(notes, {
      expand: ['contact', 'line_items.account', 'line_items.tax'],
    });
    const { contact, ...note } = body.data.data[0];
    expect(contact.data.name).toBe('Ann');
    const { account, tax, ...line } = note.line_items.data[0];
    expect(account.data).toMatchObject({ platform_id: 'account-0', nominal_code: '1000' });
    expect(tax).toEqual({ data: null });
    expect(line).toEqual(plain.line_items.data[0]);
    expect({ ...note, line_items: plain.line_items }).toEqual(plain);
  });

  test('shows deleted records where they are asked for, and of all when', async () => {
    const { body } = await caller.post(PATH, { include_deleted_records: true });
    expect(ids(body)).toEqual(ACCOUNTS.map(({ platformId }) => platformId));
    expect(body.data.total_count).toBe(ACCOUNTS.length);
    const deleted = body.data.data.flatMap((one: { platform_id: string; svc_deleted_at: string | null }) =>
      one.svc_deleted_at === null ? [] : [one.platform_id],
    );
    expect(deleted).toEqual(ACCOUNTS.filter((one) => one.deleted).map(({ platformId }) => platformId));
    const same = await caller.post(PATH, { include_deleted_records: 'false' });
    expect(ids(same.body)).toEqual(LIVE);
    expect(same.body.data.data[0]).not.toHaveProperty('svc_deleted_at');
  });

  test('takes, skips, orders and filters', async () => {
    const { body } = await caller.post(PATH, {
      take: 2,
      skip: 1,
      orderBy: { nominal_code: 'desc' },
      filter: { category: { eq: 'ASSET' } },
    });
    expect(ids(body)).toEqual(['account-8', 'account-6']);
    expect(body.data.total_count).toBe(6);
  });

  test('nulls stand for absent', async () => {
    const { status, body } = await caller.post(PATH, { take: null, skip: null, orderBy: null, filter: null });
    expect({ status, ids: ids(body) }).toEqual({ status: 200, ids: LIVE });
  });

  test.each(['company_id', 'svc_company_id', 'filters', 'where'])(
    'refuses %s, which looks like a filter: ignoring it would return everything',
    async (name) => {
      const { status, body } = await caller.post(PATH, { [name]: 1 });
      expect([status, body.error.code, body.error.field]).toEqual([400, 'invalid-params', name]);
      expect((await caller.post(PATH, { [name]: null })).status).toBe(200);
    },
  );

  test('reads its body alone: a query is named in a header, and refused where it looks like a filter', async () => {
    const { status, headers } = await caller.post(`${PATH}?take=1`, { take: 0 });
    expect([status, headers.get('x-svc-warning')]).toEqual([200, 'ignored: take']);
    for (const name of ['category[eq]', 'status']) {
      const refused = await caller.post(`${PATH}?${name}=ASSET`, {});
      expect([refused.status, refused.body.error.field]).toEqual([400, name]);
    }
  });

  test.each([
    ['brackets and more', '"filter[ü] 5 %":1', 'ignored: filter[%C3%BC] 5 %25'],
    ['half a character', '"\\ud800":1', 'ignored: %EF%BF%BD'],
    ['a half at its cut', `"${'x'.repeat(39)}\ud83d\ude00":1`, `ignored: ${'x'.repeat(39)}%EF%BF%BD`],
    [
      'a thousand others',
      Array.from({ length: 1000 }, (_, index) => `"${'\u20ac'.repeat(60)}${index}":1`).join(','),
      `ignored: ${Array(20).fill('%E2%82%AC'.repeat(40)).join(', ')} and 980 more`,
    ],
  ])('names %s that it ignores in a header that can be sent', async (_, fields, warning) => {
    const { status, headers } = await caller.post(PATH, `{"take":0,${fields}}`);
    expect([status, headers.get('x-svc-warning')]).toEqual([200, warning]);
  });

  test('take 0 answers only the count', async () => {
    const { body } = await caller.post(PATH, { take: 0 });
    expect(body.data).toEqual({ data: [], total_count: LIVE.length });
  });

  test.each([
    [{ name: { eq: 'Name 1' } }, 1],
    [{ name: { eq: null } }, 3],
    [{ name: { ne: null } }, 6],
    [{ or: [{ nominal_code: { eq: '1000' } }, { nominal_code: { eq: '1002' } }] }, 2],
    [{ not: { category: { eq: 'ASSET' } } }, 3],
    [{ and: [{ category: { eq: 'ASSET' } }, { name: { isNull: true } }] }, 2],
    [{ current_balance: { gt: 50, lt: '80.80' } }, 1],
    [{ svc_company_id: { eq: 1 } }, 0],
    [{}, 9],
  ])('filter %j finds %d', async (filter, count) => {
    const { status, body } = await caller.post(PATH, { filter });
    expect({ status, count: body.data?.total_count }).toEqual({ status: 200, count });
  });

  test.each([
    [{ expand: ['shop'] }, 'expand', 'expand takes currency'],
    [{ expand: 'currency' }, 'expand', 'expand must be a list'],
    [{ include_deleted_records: 'x' }, 'include_deleted_records', 'must be true or false'],
    [{ take: -1 }, 'take', 'take must be between 0 and 500, got -1'],
    [{ take: '5' }, 'take', 'take must be a whole number or null'],
    [{ take: 1.5 }, 'take', 'take must be a whole number between 0 and 500, got 1.5'],
    [{ skip: -1 }, 'skip', 'skip must be between 0 and 1000000, got -1'],
    [{ orderBy: { name: 'up' } }, 'orderBy.name', 'orderBy.name must be asc or desc'],
    [{ orderBy: { currency: { code: 'asc' } } }, 'orderBy.currency', 'is a record: sort by currency_id'],
    [{ orderBy: { currency: 'asc' } }, 'orderBy.currency', 'is a record: sort by currency_id'],
    [
      { filter: { parent_account: { isNull: true } } },
      'filter.parent_account',
      'is a record: filter by parent_account_id',
    ],
    [{ orderBy: { colour: 'asc' } }, 'orderBy.colour', 'is not a field to sort by'],
    ['{"orderBy":{"__proto__":"asc"}}', 'orderBy.__proto__', 'is not a field to sort by'],
    [{ orderBy: ['name'] }, 'orderBy', 'orderBy must be a JSON object'],
    [{ filter: { colour: { eq: 1 } } }, 'filter.colour', 'is not a field to filter by'],
    [{ filter: { name: 'Cash' } }, 'filter.name', 'filter.name must be an object of operators'],
    [{ filter: { name: { eq: { ne: 1 } } } }, 'filter.name.eq', 'filter.name.eq must be a string'],
    [{ filter: { name: { like: 'x' } } }, 'filter.name.like', 'is not an operator: name takes eq'],
    [
      { filter: { or: [{ name: { ne: 'x', neq: 'y' } }] } },
      'filter.or.0.name.neq',
      'is the operator ne again: name it once',
    ],
    [
      { filter: { fields: { region: { is_null: true, isNull: false } } } },
      'filter.fields.region.isNull',
      'is the operator isNull again: name it once',
    ],
    [{ filter: { or: {} } }, 'filter.or', 'filter.or must be a list of filters'],
    [{ filter: { name: { in: 'x' } } }, 'filter.name.in', 'filter.name.in must be a list of values'],
    [{ filter: { name: { eq: 'a\0' } } }, 'filter.name.eq', 'must not hold a NUL character'],
    ['{"filter":{"name":{"eq":"\\ud800"}}}', 'filter.name.eq', 'half a surrogate pair'],
    [[1], 'body', 'body must be a JSON object'],
    ['{"take":', 'body', 'body is not valid JSON'],
  ])('refuses %j', async (body, field, message) => {
    const answer = await caller.post(PATH, body);
    expect(answer.status).toBe(400);
    expect(answer.body.error.message).toContain(message);
    expect(answer.body.error.field).toBe(field);
  });

  test('wants JSON in UTF-8', async () => {
    const send = (contentType: string) =>
      fetch(app.url + PATH, {
        method: 'POST',
        body: '{}',
        headers: { api_key: caller.key, 'content-type': contentType },
      });
    const refused = await send('text/plain');
    expect(refused.status).toBe(415);
    expect(await refused.json()).toMatchObject({
      error: { message: expect.stringContaining('application/json') },
    });
    expect((await send('application/json; charset=utf-16')).status).toBe(415);
    expect((await send('application/json; charset=utf-8')).status).toBe(200);
    expect((await send('application/json; charset=US-ASCII')).status).toBe(200);
  });
});
