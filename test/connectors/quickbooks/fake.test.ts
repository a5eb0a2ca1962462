import { createHmac } from 'node:crypto';

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';

import { imbalancesOf } from '../invariants.js';
import { type QuickbooksCompany } from '../quickbooks-fake/company.js';
import { notificationOf } from '../quickbooks-fake/events.js';
import { expectedOf } from '../quickbooks-fake/expected/index.js';
import { CLIENT } from '../quickbooks-fake/identity.js';
import { makeCompany } from '../quickbooks-fake/makers/company.js';
import { livingIdsOf, MODEL_NAMES } from '../quickbooks-fake/models.js';
import { type QuickbooksFake, startQuickbooksFake } from '../quickbooks-fake/server.js';

/** That the fake does as Intuit's documentation says, whatever the connector asks of it. */
let company: QuickbooksCompany;
let fake: QuickbooksFake;
let token: string;
beforeAll(async () => {
  company = makeCompany();
  fake = await startQuickbooksFake(company);
  token = fake.identity.issue();
});
afterAll(() => fake.stop());

type Body = Readonly<Record<string, unknown>>;

interface Got {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Body;
}

async function get(path: string, headers: Record<string, string> = {}): Promise<Got> {
  const response = await fetch(`${fake.url}/v3/company/${company.realmId}/${path}`, {
    headers: { authorization: `Bearer ${token}`, accept: 'application/json', ...headers },
  });
  return { status: response.status, headers: response.headers, body: (await response.json()) as Body };
}

const run = (query: string) => get(`query?minorversion=75&query=${encodeURIComponent(query)}`);
const found = async (query: string) => (await run(query)).body['QueryResponse'] as Body;
const ids = async (query: string, entity: string) =>
  ((await found(query))[entity] as readonly { Id: string }[]).map(({ Id }) => Id);

describe('a query', () => {
  test('has no more than what fits, from a position on', async () => {
    expect(await ids('select * from Class orderby Id startposition 2 maxresults 2', 'Class')).toEqual([
      '5000000000000007280',
      '5000000000000007281',
    ]);
    expect(await found('SELECT COUNT(*) FROM invoice')).toEqual({ totalCount: 1140 });
    expect(await found("select * from Bill where MetaData.LastUpdatedTime > '2026-01-01T00:00:00Z'")).toEqual(
      {},
    );
  });

  test('of payments of credit cards is answered under another name', async () => {
    expect(await found("select * from creditcardpayment where Id = '1'")).toEqual({});
    const { QueryResponse } = (await run('select * from creditcardpayment maxresults 1')).body;
    expect(QueryResponse).toMatchObject({ CreditCardPaymentTxn: [{ domain: 'QBO' }], maxResults: 1 });
  });

  test('has 100 objects without a number', async () => {
    expect(await found('select * from Invoice')).toMatchObject({ startPosition: 1, maxResults: 100 });
  });

  test('leaves out inactive entries of name lists unless it asks for them', async () => {
    expect(await ids('select * from Department orderby Id', 'Department')).toEqual(['1', '2', '3']);
    expect(
      await ids('select * from Department where Active in (true, false) orderby Id', 'Department'),
    ).toEqual(['1', '2', '3', '4']);
    expect(await ids('select * from Class where Active = false', 'Class')).toEqual(['5000000000000007284']);
  });

  test('compares times as such, and quotes within texts', async () => {
    const one = "select * from JournalEntry where Id = '1279'";
    const [entry] = (await found(one))['JournalEntry'] as readonly {
      MetaData: { LastUpdatedTime: string };
    }[];
    const at = new Date(entry?.MetaData.LastUpdatedTime ?? '').toISOString();
    expect(await ids(`${one} and Metadata.LastUpdatedTime >= '${at}'`, 'JournalEntry')).toEqual(['1279']);
    expect(await found(`${one} and MetaData.LastUpdatedTime > '${at}'`)).toEqual({});
    expect(
      await ids("select Id from Customer where DisplayName = 'Amy\\'s Bird Sanctuary'", 'Customer'),
    ).toEqual(['1']);
  });

  test.each([
    ["select * from Bill where Id = '1' or Id = '2'", '4000'],
    ["select * from Bill where Id != '1'", '4000'],
    ['select * from Bill maxresults 0', '4000'],
    ['select * from Bill maxresults 1001', '4001'],
    ["select * from Bill where Id > '1'", '4001'],
    ["select * from Bill where Line = '1'", '4001'],
    ["select * from Bill where Colour = 'red'", '4001'],
    ['select * from Bill orderby PrivateNote', '4001'],
    ['select * from Bills', '4001'],
  ])('%s is refused with %s', async (query, code) => {
    const { status, body, headers } = await run(query);
    expect(status).toBe(400);
    expect(body).toMatchObject({ Fault: { Error: [{ code }], type: 'ValidationFault' } });
    expect(headers.get('intuit_tid')).toEqual(expect.any(String));
  });
});

describe('changes', () => {
  test('tell of what was changed, and at the end of what was deleted', async () => {
    company.advance(60);
    const since = company.now.toISOString();
    const [kept, removed] = company.shelves.Transfer;
    if (!kept || !removed) throw new Error('there are no transfers');
    company.touch(kept);
    company.remove('Transfer', removed.id);
    const { body } = await get(`cdc?entities=Deposit,transfer&changedSince=${encodeURIComponent(since)}`);
    expect(body['CDCResponse']).toMatchObject([
      {
        QueryResponse: [
          {},
          {
            Transfer: [
              { Id: kept.id, Amount: expect.any(Number) },
              { Id: removed.id, status: 'Deleted', domain: 'QBO' },
            ],
            maxResults: 2,
          },
        ],
      },
    ]);
    expect((await get(`transfer/${removed.id}`)).body).toMatchObject({ Fault: { Error: [{ code: '610' }] } });
  });

  test.each(['TaxCode', 'TaxRate', 'TaxAgency', 'JournalCode', 'TimeActivity'])(
    'of %s are not told',
    async (name) => {
      expect((await get(`cdc?entities=${name}&changedSince=${company.now.toISOString()}`)).status).toBe(400);
    },
  );

  test('of more than thirty days are not told', async () => {
    expect((await get('cdc?entities=Bill&changedSince=2025-01-01')).status).toBe(400);
  });
});

describe('access', () => {
  test('needs a token of the company', async () => {
    expect(await get('invoice/1', { authorization: 'Bearer none' })).toMatchObject({
      status: 401,
      body: { fault: { error: [{ code: '3200' }], type: 'AUTHENTICATION' } },
    });
    const other = await fetch(`${fake.url}/v3/company/1/invoice/1`, {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(other.status).toBe(403);
  });

  test('comes of a consent; a refresh token works once', async () => {
    const asked = new URLSearchParams({
      client_id: CLIENT.id,
      response_type: 'code',
      scope: 'com.intuit.quickbooks.accounting',
      redirect_uri: 'http://localhost:1/back',
      state: 'a state',
    });
    const consent = await fetch(`${fake.url}/connect/oauth2?${asked.toString()}`, { redirect: 'manual' });
    const back = new URL(consent.headers.get('location') ?? '');
    expect(back.searchParams.get('state')).toBe('a state');
    expect(back.searchParams.get('realmId')).toBe(company.realmId);
    const code = back.searchParams.get('code') ?? '';
    const tokens = async (form: Record<string, string>) => {
      const response = await fetch(`${fake.url}/oauth2/v1/tokens/bearer`, {
        method: 'POST',
        headers: { authorization: `Basic ${btoa(`${CLIENT.id}:${CLIENT.secret}`)}` },
        body: new URLSearchParams(form),
      });
      return (await response.json()) as Readonly<Record<string, string>>;
    };
    const form = { grant_type: 'authorization_code', code, redirect_uri: 'http://localhost:1/back' };
    const first = await tokens(form);
    expect(await tokens(form)).toMatchObject({ error: 'invalid_grant' });
    const refresh = { grant_type: 'refresh_token', refresh_token: first['refresh_token'] ?? '' };
    const second = await tokens(refresh);
    expect(second).toMatchObject({ x_refresh_token_expires_in: 8_726_400, expires_in: 3600 });
    expect(await tokens(refresh)).toMatchObject({ error: 'invalid_grant' });
    expect((await get('preferences', { authorization: `Bearer ${second['access_token']}` })).status).toBe(
      200,
    );
  });
});

test('a file is where its address says, for who has no token', async () => {
  const [file] = company.shelves.Attachable;
  const answer = await fetch(`${fake.url}/v3/company/${company.realmId}/download/${file?.id}`, {
    headers: { authorization: `Bearer ${token}` },
  });
  const address = await answer.text();
  expect(await (await fetch(address)).text()).toBe(file?.content);
  expect((await fetch(address, { headers: { authorization: `Bearer ${token}` } })).status).toBe(400);
});

test('a notification is signed as a whole', () => {
  const { body, headers } = notificationOf(
    [{ realmId: company.realmId, entity: 'Invoice', operation: 'created', id: '7' }],
    'a verifier',
  );
  expect(headers['intuit-signature']).toBe(createHmac('sha256', 'a verifier').update(body).digest('base64'));
  expect(JSON.parse(body)).toMatchObject([
    { type: 'qbo.invoice.created.v1', intuitentityid: '7', intuitaccountid: company.realmId, data: {} },
  ]);
});

test.each(['US', 'GB'] as const)('what a connector must make of a company (%s) adds up', (edition) => {
  const own = makeCompany(edition);
  const expected = expectedOf(own);
  for (const dataModel of MODEL_NAMES) {
    const records = expected.of(dataModel);
    expect([dataModel, records.map(({ platformId }) => platformId).sort()]).toEqual([
      dataModel,
      [...livingIdsOf(own, dataModel)].sort(),
    ]);
    expect(records.flatMap((record) => imbalancesOf(dataModel, record))).toEqual([]);
  }
});
