import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';

import { type OAuthAccess } from '../../../src/connectors/access.js';
import { plainAccess } from '../../../src/connectors/platform-access.js';
import { type PlatformCall } from '../../../src/connectors/platform.js';
import { platformAgent } from '../../../src/connectors/client/platform-agent.js';
import { zoho } from '../../../src/connectors/zoho/index.js';
import { createOAuthClient } from '../../../src/platforms/oauth.js';
import { type OddPlatform, startOddPlatform } from '../../support/platform.js';
import { CLIENT } from '../zoho-fake/identity.js';
import { makeOrganization } from '../zoho-fake/make.js';
import { startZohoFake, type ZohoFake } from '../zoho-fake/server.js';

const organization = makeOrganization();
const other = { organization_id: '77', name: 'Other Ltd', is_default_org: false, currency_code: 'EUR' };
let fake: ZohoFake;
let odd: OddPlatform;
beforeAll(async () => {
  fake = await startZohoFake(organization, { others: [other] });
  odd = await startOddPlatform();
});
beforeEach(() => void odd.heard.splice(0));
afterAll(async () => {
  await fake.stop();
  await odd.close();
});

const access = zoho.access as OAuthAccess;
const reachAt = (baseUrl: string | null, settings: Record<string, string> = {}) => ({
  baseUrl,
  settings,
  dispatcher: platformAgent,
});
const credentials = { clientId: CLIENT.id, clientSecret: CLIENT.secret, scopes: [] };
const clientAt = (baseUrl: string, own = credentials) =>
  createOAuthClient({ title: 'Zoho Books', access, reach: reachAt(baseUrl), credentials: own });
const redirectUri = 'https://svc.example.com/oauth/callback';

const refuses = (status: number, body: object, headers: Record<string, string> = {}) =>
  odd.answer((_heard, response) =>
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body)),
  );

/** What the customer's browser brings back from Zoho. */
async function consent(): Promise<URLSearchParams> {
  const url = await clientAt(fake.url).authorizationUrl({ redirectUri, state: 'known', codeVerifier: '' });
  const answer = await fetch(url, { redirect: 'manual' });
  return new URL(answer.headers.get('location') ?? '').searchParams;
}

const exchange = (callback: URLSearchParams, own = credentials) =>
  clientAt(fake.url, own).exchange({ callback, redirectUri, state: 'known', codeVerifier: '' });

describe('a consent', () => {
  test.each([
    [{}, 'https://accounts.zoho.com'],
    [{ data_center: 'eu' }, 'https://accounts.zoho.eu'],
    [{ data_center: 'in' }, 'https://accounts.zoho.in'],
    [{ data_center: 'com.au' }, 'https://accounts.zoho.com.au'],
    [{ data_center: 'jp' }, 'https://accounts.zoho.jp'],
    [{ data_center: 'ca' }, 'https://accounts.zohocloud.ca'],
    [{ data_center: 'uk' }, 'https://accounts.zoho.uk'],
    [{ data_center: 'sa' }, 'https://accounts.zoho.sa'],
    [{ data_center: 'com.cn' }, 'https://accounts.zoho.com.cn'],
  ])('of %j is asked for at %s', (settings, root) => {
    expect(access.endpoints(reachAt(null, settings))).toEqual({
      authorize: `${root}/oauth/v2/auth`,
      token: `${root}/oauth/v2/token`,
      revoke: `${root}/oauth/v2/token/revoke`,
    });
  });

  test('asks for a refresh token, and for reading and what is written alone', async () => {
    const url = await clientAt(fake.url).authorizationUrl({ redirectUri, state: 's', codeVerifier: '' });
    const { searchParams } = new URL(url);
    expect([searchParams.get('access_type'), searchParams.get('prompt')]).toEqual(['offline', 'consent']);
    expect(searchParams.get('scope')?.split(',')).toContain('ZohoBooks.invoices.READ');
    expect(access.scopes.filter((scope) => !scope.endsWith('.READ'))).toEqual([
      'ZohoBooks.settings.CREATE',
      'ZohoBooks.settings.UPDATE',
      'ZohoBooks.accountants.CREATE',
      'ZohoBooks.contacts.CREATE',
      'ZohoBooks.contacts.UPDATE',
      'ZohoBooks.invoices.CREATE',
      'ZohoBooks.invoices.UPDATE',
      'ZohoBooks.creditnotes.CREATE',
      'ZohoBooks.customerpayments.CREATE',
      'ZohoBooks.bills.CREATE',
      'ZohoBooks.bills.UPDATE',
      'ZohoBooks.debitnotes.CREATE',
      'ZohoBooks.vendorpayments.CREATE',
    ]);
  });

  test('goes on at the data center that the callback and the token name', async () => {
    const callback = await consent();
    expect(access.readCallback?.(callback, credentials)).toEqual({ data_center: 'eu' });
    const { answer } = await exchange(callback);
    expect(access.readTokenAnswer?.(answer)).toEqual({ api_data_center: 'eu' });
  });

  test('without such names stays where it was', () => {
    expect(access.readCallback?.(new URLSearchParams({ code: 'c' }), credentials)).toEqual({});
    expect(access.readTokenAnswer?.({ access_token: 't' })).toEqual({});
  });

  const EVIL = [
    'https://accounts.evil.example',
    'http://accounts.zoho.com',
    'https://accounts.zoho.com.evil.example',
    'https://accounts.zoho.com:8443',
    'https://user@accounts.zoho.com',
    'https://accounts.zoho.com/path',
    'https://www.zohoapis.com',
    'accounts.zoho.com',
    '',
  ];
  test.each(EVIL)('is not continued at %j', (server) => {
    const callback = new URLSearchParams({ code: 'c', 'accounts-server': server });
    expect(() => access.readCallback?.(callback, credentials)).toThrow(
      expect.objectContaining({ code: 'invalid-params', field: ['accounts-server'] }),
    );
    const answer = { api_domain: server.replace('accounts.zoho', 'www.zohoapis') || 'x' };
    if (server === 'https://www.zohoapis.com') answer.api_domain = 'https://accounts.zoho.com';
    expect(() => access.readTokenAnswer?.(answer)).toThrow(
      expect.objectContaining({ code: 'platform-answer' }),
    );
  });

  test('opens all organizations of the user, the usual one first', async () => {
    const { tokens } = await exchange(await consent());
    const accounts = await access.accounts({ ...reachAt(fake.url), accessToken: tokens.accessToken });
    expect(accounts).toEqual([
      { externalAccountId: organization.id, name: 'Zylker Trading', baseCurrency: 'USD' },
      { externalAccountId: '77', name: 'Other Ltd', baseCurrency: 'EUR' },
    ]);
  });

  test.each([
    [503, {}, 'platform-unavailable'],
    [200, { code: 57, message: 'You are not authorized to perform this operation' }, 'platform-answer'],
    [200, { code: 0, message: 'success' }, 'platform-answer'],
  ])('that is answered %i %j opens none', async (status, body, code) => {
    refuses(status, body);
    const accounts = access.accounts({ ...reachAt(odd.url), accessToken: 'token' });
    await expect(accounts).rejects.toMatchObject({ code });
  });
});

describe('tokens', () => {
  test('are renewed by a refresh token that stays', async () => {
    const { tokens } = await exchange(await consent());
    expect(tokens.refreshToken).not.toBeNull();
    for (let time = 1; time <= 2; time += 1) {
      const renewed = await clientAt(fake.url).refresh(tokens.refreshToken ?? '');
      expect(renewed.refreshToken).toBeNull();
      expect(fake.identity.opens(renewed.accessToken)).toBe(true);
    }
  });

  test('are refused with status 200', async () => {
    const twice = await consent();
    await exchange(twice);
    await expect(exchange(twice)).rejects.toMatchObject({
      code: 'invalid-params',
      message: expect.stringContaining('invalid_code'),
    });
    await expect(clientAt(fake.url).refresh('1000.gone')).rejects.toMatchObject({
      code: 'connection-expired',
    });
    const wrong = { ...credentials, clientId: 'wrong' };
    await expect(exchange(await consent(), wrong)).rejects.toMatchObject({ code: 'conflict' });
  });

  test('end with their refresh token', async () => {
    const { tokens } = await exchange(await consent());
    const signal = new AbortController().signal;
    expect(await clientAt(fake.url).revoke(tokens.refreshToken ?? '', signal)).toBe(true);
    expect(fake.identity.opens(tokens.accessToken)).toBe(false);
  });
});

describe('a call', () => {
  const clientOf = (ended: string[] = []) =>
    zoho.createClient({
      ...plainAccess({ baseUrl: odd.url, accessToken: 'token', externalAccountId: '10' }),
      ended: async (token) => void ended.push(token),
    });
  const call = (path: string, query: readonly (readonly [string, string])[] = []): PlatformCall => ({
    ...{ method: 'GET', path, query, headers: {}, body: null, timeoutMs: 1000, maxBytes: 1000 },
  });

  test('is one of the organization, also a caller’s own', async () => {
    refuses(200, { code: 0 });
    await clientOf().get('/items', { query: { page: '2' } });
    await clientOf().send(call('/items', [['organization_id', '77']]));
    expect(odd.heard.map(({ url }) => url)).toEqual([
      '/books/v3/items?page=2&organization_id=10',
      '/books/v3/items?organization_id=10',
    ]);
    expect(odd.heard[0]?.headers['authorization']).toBe('Zoho-oauthtoken token');
  });

  test('goes to the API of the data center', () => {
    const at = (settings: Record<string, string>) => () =>
      zoho.createClient({ ...plainAccess({ accessToken: 't', externalAccountId: '1' }), settings });
    expect(at({ data_center: 'eu', api_data_center: 'in' })).not.toThrow();
    expect(at({ data_center: 'evil.example' })).toThrow(expect.objectContaining({ code: 'invalid-params' }));
  });

  test.each([
    [200, 1002, 'Resource does not exist.'],
    [400, 15, 'Please ensure that the name has less than 100 characters.'],
    [401, 57, 'You are not authorized to perform this operation'],
  ])('that is answered %i with code %i is refused in its words', async (status, code, message) => {
    refuses(status, { code, message });
    await expect(clientOf().get('/items')).rejects.toMatchObject({
      code: 'platform-refused',
      message: expect.stringContaining(`${message}, code ${code}`),
    });
  });

  test.each([
    [401, 14, 'Invalid value passed for authtoken.'],
    [200, 14, 'Invalid value passed for authtoken.'],
    [401, 57, 'Invalid Access Token'],
    [401, 6041, 'This user is not associated with the CompanyID/CompanyName:10.'],
  ])('that is answered %i with code %i ends the access', async (status, code, message) => {
    refuses(status, { code, message });
    const ended: string[] = [];
    await expect(clientOf(ended).get('/items')).rejects.toMatchObject({ code: 'connection-expired' });
    expect(ended).toEqual(['token']);
  });

  test.each([
    [429, 44, {}, 60_000],
    [400, 43, {}, 60_000],
    [429, 45, { 'x-rate-limit-reset': '7200' }, 7_200_000],
    [400, 45, {}, 3_600_000],
    [200, 45, { 'x-rate-limit-reset': '999999' }, 86_400_000],
    [429, 1070, {}, null],
    [429, 44, { 'retry-after': '3' }, 3000],
  ])('that is answered %i with code %i and %j waits', async (status, code, headers, retryAfterMs) => {
    refuses(status, { code, message: 'too many' }, headers);
    const { verdict } = await clientOf().send(call('/items'));
    expect(verdict).toEqual({ kind: 'throttled', retryAfterMs });
  });

  test('that meets a fault of Zoho with 200 may succeed later', async () => {
    refuses(200, { code: 1000, message: 'Internal Error' });
    expect((await clientOf().send(call('/items'))).verdict.kind).toBe('again');
  });

  test('tells how many are left for the day', async () => {
    refuses(200, { code: 0 }, { 'x-rate-limit-remaining': '544', 'x-rate-limit-limit': '1000' });
    const outcomes: unknown[] = [];
    const client = zoho.createClient({
      ...plainAccess({ baseUrl: odd.url, accessToken: 'token', externalAccountId: '10' }),
      permit: async () => ({ done: async (outcome) => void outcomes.push(outcome) }),
    });
    await client.get('/items');
    expect(outcomes).toMatchObject([{ remaining: { minute: null, day: 544 } }]);
  });
});
