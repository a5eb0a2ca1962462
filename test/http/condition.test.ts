import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { App } from '../../src/app.js';
import { createTenant, type Tenant } from '../support/seed.js';
import { createCaller, startApp } from '../support/service.js';

let app: App;
let acme: Tenant;
let key: string;
const ACCOUNTS = '/v3/accounting/accounts';

beforeAll(async () => {
  app = await startApp({ CORS_ORIGINS: 'https://page.example' });
  acme = await createTenant(app, 'condition');
  await acme.store(
    'Account',
    Array.from({ length: 40 }, (_, index) => ({
      platformId: `a${index}`,
      values: { name: `Account ${index}` },
    })),
  );
  ({ key } = await createCaller(app, acme.organisationId));
});
afterAll(() => app.close());

interface Asked {
  readonly known?: string | null;
  readonly by?: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

async function ask(path: string, { known, by = key, method = 'GET', headers = {} }: Asked = {}) {
  const condition: Record<string, string> = known == null ? {} : { 'if-none-match': known };
  const answer = await fetch(app.url + path, { method, headers: { api_key: by, ...condition, ...headers } });
  return {
    status: answer.status,
    headers: answer.headers,
    tag: answer.headers.get('etag'),
    text: await answer.text(),
  };
}

/** The tag of an answer, which has to have one. */
async function tagOf(path: string, asked: Asked = {}): Promise<string> {
  const { status, tag } = await ask(path, asked);
  expect(status).toBe(200);
  expect(tag).toMatch(/^W\/"[\w-]{27}"$/);
  return tag ?? '';
}

const store = (tenant: Tenant, model: string, name: string) =>
  tenant.store(model, [{ platformId: 'changing', values: { name } }]);
const graphql = (query: string, variables: object = {}) =>
  `/graphql?query=${encodeURIComponent(query)}&variables=${encodeURIComponent(JSON.stringify(variables))}`;

describe('GET of a list with If-None-Match', () => {
  test('answers 304 without a body while nothing has changed, and the list when something has', async () => {
    const known = await tagOf(ACCOUNTS);
    const { status, text, headers, tag } = await ask(ACCOUNTS, { known });
    expect([status, text, tag]).toEqual([304, '', known]);
    expect(headers.get('content-type')).toBeNull();
    expect(headers.get('cache-control')).toBe('private, no-cache');
    expect(headers.get('vary')).toContain('api_key');
    await store(acme, 'Account', 'Changed');
    const changed = await ask(ACCOUNTS, { known });
    expect(changed.status).toBe(200);
    expect(changed.tag).not.toBe(known);
    expect(changed.text).toContain('"Changed"');
    expect((await ask(ACCOUNTS, { known: changed.tag })).status).toBe(304);
  });

  test('leaves the tag as it is where the same records are stored again', async () => {
    await store(acme, 'Account', 'Same');
    const known = await tagOf(ACCOUNTS);
    await store(acme, 'Account', 'Same');
    expect((await ask(ACCOUNTS, { known })).status).toBe(304);
  });

  test.each([
    ['in a list of tags', (tag: string) => `"other", ${tag} , W/"another"`],
    ['as a strong tag, as the comparison is weak', (tag: string) => tag.slice(2)],
    ['as any tag at all', () => '*'],
  ])('finds the tag %s', async (_title, written) => {
    const known = await tagOf(ACCOUNTS);
    const { status, text, tag } = await ask(ACCOUNTS, { known: written(known) });
    expect([status, text, tag]).toEqual([304, '', known]);
  });

  test.each(['"other"', 'nothing', '', '""', 'W/"x'])('answers with the list to %j', async (known) => {
    const { status, text } = await ask(ACCOUNTS, { known });
    expect(status).toBe(200);
    expect(text).toContain('"data"');
  });

  test('takes * for no reason to be silent about what is wrong', async () => {
    expect((await ask(`${ACCOUNTS}/999999999`, { known: '*' })).status).toBe(404);
    expect((await ask(`${ACCOUNTS}?limit=0`, { known: '*' })).status).toBe(400);
    expect((await ask(ACCOUNTS, { known: '*', by: 'wrong' })).status).toBe(401);
  });

  test.each(['gzip', 'br', 'identity'])('has the same tag in the encoding %s', async (encoding) => {
    const headers = { 'accept-encoding': encoding };
    const known = await tagOf(ACCOUNTS);
    expect(await tagOf(ACCOUNTS, { headers })).toBe(known);
    const { status, headers: told } = await ask(ACCOUNTS, { headers, known });
    expect([status, told.get('content-encoding')]).toEqual([304, null]);
    const any = await ask(ACCOUNTS, { headers, known: '*' });
    expect([any.status, any.headers.get('content-encoding'), any.text]).toEqual([304, null, '']);
  });

  test('answers HEAD like GET', async () => {
    const known = await tagOf(ACCOUNTS);
    expect((await ask(ACCOUNTS, { method: 'HEAD' })).tag).toBe(known);
    const { status, headers } = await ask(ACCOUNTS, { method: 'HEAD', known });
    expect([status, headers.get('content-length')]).toEqual([304, null]);
  });

  test('shows the tag to pages of other origins', async () => {
    const { headers } = await ask(ACCOUNTS, { headers: { origin: 'https://page.example' } });
    expect(headers.get('access-control-expose-headers')).toBe('*');
  });

  test('tells apart requests, organisations and what keys may see', async () => {
    const known = await tagOf(ACCOUNTS);
    const limited = await createCaller(app, acme.organisationId, { companyIds: [acme.companyId] });
    const other = await createCaller(app, (await createTenant(app, 'other')).organisationId);
    const tags = await Promise.all([
      tagOf(`${ACCOUNTS}?limit=5`),
      tagOf(ACCOUNTS, { by: limited.key }),
      ask(ACCOUNTS, { by: other.key }).then(({ tag }) => tag),
    ]);
    expect(new Set([known, ...tags]).size).toBe(4);
    expect((await ask(ACCOUNTS, { known, by: limited.key })).status).toBe(200);
    expect((await ask(ACCOUNTS, { known, by: other.key })).status).toBe(200);
  });
});

describe('the tag of an answer', () => {
  test('stays where another company or another record type changes, if the company is named', async () => {
    const shop = await acme.company('shop');
    const path = `${ACCOUNTS}?svc_company_id[eq]=${acme.companyId}`;
    const limited = await createCaller(app, acme.organisationId, { companyIds: [acme.companyId] });
    const known = await tagOf(path);
    const ofLimited = await tagOf(ACCOUNTS, { by: limited.key });
    const ofAll = await tagOf(ACCOUNTS);
    await store(shop, 'Account', 'Elsewhere');
    await store(acme, 'Contact', 'Somebody');
    expect((await ask(path, { known })).status).toBe(304);
    expect((await ask(ACCOUNTS, { known: ofLimited, by: limited.key })).status).toBe(304);
    expect((await ask(ACCOUNTS, { known: ofAll })).status).toBe(200);
    await store(acme, 'Account', 'Here');
    expect((await ask(path, { known })).status).toBe(200);
    expect((await ask(ACCOUNTS, { known: ofLimited, by: limited.key })).status).toBe(200);
  });

  test('changes with records that are expanded', async () => {
    await acme.store('Invoice', [{ platformId: 'i1', values: { contactId: 'changing' } }]);
    const path = `/v3/accounting/invoices?svc_company_id[eq]=${acme.companyId}`;
    const plain = await tagOf(path);
    const expanded = await tagOf(`${path}&expand=contact`);
    await store(acme, 'Contact', 'Somebody else');
    expect((await ask(path, { known: plain })).status).toBe(304);
    const { status, text } = await ask(`${path}&expand=contact`, { known: expanded });
    expect(status).toBe(200);
    expect(text).toContain('Somebody else');
  });

  test('is of a single record, too', async () => {
    const { text } = await ask(`${ACCOUNTS}?limit=1`);
    const path = `${ACCOUNTS}/${(JSON.parse(text) as { data: [{ svc_id: number }] }).data[0].svc_id}`;
    const known = await tagOf(path);
    expect((await ask(path, { known })).status).toBe(304);
    await store(acme, 'Account', 'One more');
    expect((await ask(path, { known })).status).toBe(200);
  });

  test('follows the position of the log where that is asked for', async () => {
    const shop = await acme.company('shop');
    const path = `${ACCOUNTS}?svc_company_id[eq]=${acme.companyId}&return_position=true`;
    const known = await tagOf(path);
    expect((await ask(path, { known })).status).toBe(304);
    await store(shop, 'Account', 'A position further');
    expect((await ask(path, { known })).status).toBe(200);
  });

  test.each([
    '/v3/core/companies',
    '/v3/core/syncs',
    '/v3/core/changes',
    '/v3/core/field_mappings',
    '/v3/core/capabilities',
    '/schema.graphql',
  ])('is none of %s, which follows from more than records', async (path) => {
    const { status, tag } = await ask(path);
    expect([status, tag]).toEqual([200, null]);
    expect((await ask(path, { known: '"any"' })).status).toBe(200);
  });

  test('is none of an error', async () => {
    for (const path of [`${ACCOUNTS}?limit=0`, `${ACCOUNTS}/999999999`]) {
      expect((await ask(path)).tag).toBeNull();
      expect((await ask(path, { known: '"other"' })).tag).toBeNull();
    }
  });
});

describe('GET /graphql with If-None-Match', () => {
  const LIST =
    'query ($company: SvcId) { accounts(companyId: $company, first: 2) { nodes { name } totalCount } }';

  test('answers 304 to queries of records while they are the same', async () => {
    const path = graphql(LIST, { company: acme.companyId });
    const known = await tagOf(path);
    const { status, text } = await ask(path, { known });
    expect([status, text]).toEqual([304, '']);
    await store(await acme.company('shop'), 'Account', 'Elsewhere again');
    expect((await ask(path, { known })).status).toBe(304);
    await store(acme, 'Account', 'Here again');
    const changed = await ask(path, { known });
    expect([changed.status, changed.tag === known]).toEqual([200, false]);
    expect(JSON.parse(changed.text)).toMatchObject({ data: { accounts: { nodes: [{}, {}] } } });
  });

  test('follows every root field', async () => {
    const shop = await acme.company('shop');
    const two =
      'query ($one: SvcId, $other: SvcId) { accounts(companyId: $one) { totalCount } contacts(companyId: $other) { totalCount } }';
    const path = graphql(two, { one: acme.companyId, other: shop.companyId });
    for (const change of [() => store(acme, 'Account', 'first'), () => store(shop, 'Contact', 'second')]) {
      const known = await tagOf(path);
      expect((await ask(path, { known })).status).toBe(304);
      await change();
      expect((await ask(path, { known })).status).toBe(200);
    }
  });

  test.each([
    ['companies', '{ companies { nodes { name } } }'],
    ['a company of a record', '{ accounts(first: 1) { nodes { company { name } } } }'],
    ['a connection of a record', '{ accounts(first: 1) { nodes { connection { status } } } }'],
    ['how fresh a list is', `{ accounts(first: 1) { lastSyncedAt } }`],
    ['the history of a record', '{ accounts(first: 1) { nodes { history { nodes { operation } } } } }'],
    ['a node', '{ node(id: "x") { id } }'],
    ['the schema', '{ __schema { queryType { name } } }'],
    ['syncs beside records', '{ accounts(first: 1) { nodes { name } } syncs { nodes { svcId } } }'],
  ])('has no tag where a query asks for %s', async (_title, query) => {
    expect((await ask(graphql(query))).tag).toBeNull();
  });

  test('has no tag where a part of the answer failed, nor by POST', async () => {
    const failed = await ask(
      graphql('{ accounts(first: 1) { nodes { name } } contacts(after: "no cursor") { totalCount } }'),
    );
    expect(failed.text).toContain('"errors"');
    expect(failed.tag).toBeNull();
    const posted = await fetch(`${app.url}/graphql`, {
      method: 'POST',
      headers: { api_key: key, 'content-type': 'application/json', 'if-none-match': '*' },
      body: JSON.stringify({ query: '{ accounts { totalCount } }' }),
    });
    expect([posted.status, posted.headers.get('etag')]).toEqual([200, null]);
  });
});
