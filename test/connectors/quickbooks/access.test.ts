import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';

import { type OAuthAccess } from '../../../src/connectors/access.js';
import { plainAccess } from '../../../src/connectors/platform-access.js';
import { type PlatformCall } from '../../../src/connectors/platform.js';
import { platformAgent } from '../../../src/connectors/client/platform-agent.js';
import { quickbooks, quickbooksSandbox } from '../../../src/connectors/quickbooks/index.js';
import { createOAuthClient } from '../../../src/platforms/oauth.js';
import { type OddPlatform, startOddPlatform } from '../../support/platform.js';
import { CLIENT } from '../quickbooks-fake/identity.js';
import { makeCompany } from '../quickbooks-fake/makers/company.js';
import { type QuickbooksFake, startQuickbooksFake } from '../quickbooks-fake/server.js';

const company = makeCompany();
let fake: QuickbooksFake;
let odd: OddPlatform;
beforeAll(async () => {
  fake = await startQuickbooksFake(company);
  odd = await startOddPlatform();
});
beforeEach(() => void odd.heard.splice(0));
afterAll(async () => {
  await fake.stop();
  await odd.close();
});

const access = quickbooks.access as OAuthAccess;
const reachAt = (baseUrl: string | null, realmId?: string) => ({
  baseUrl,
  settings: realmId === undefined ? {} : { realm_id: realmId },
  dispatcher: platformAgent,
});
const credentials = { clientId: CLIENT.id, clientSecret: CLIENT.secret, scopes: [] };
const clientAt = (baseUrl: string) =>
  createOAuthClient({ title: 'QuickBooks', access, reach: reachAt(baseUrl), credentials });

const refuses = (status: number, body: object, headers: Record<string, string> = {}) =>
  odd.answer((_heard, response) =>
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body)),
  );

/** What the customer's browser brings back from Intuit. */
async function consent(): Promise<URLSearchParams> {
  const redirectUri = 'https://svc.example.com/oauth/callback';
  const url = await clientAt(fake.url).authorizationUrl({ redirectUri, state: 'known', codeVerifier: '' });
  const answer = await fetch(url, { redirect: 'manual' });
  return new URL(answer.headers.get('location') ?? '').searchParams;
}

const exchange = async (callback: URLSearchParams) =>
  (
    await clientAt(fake.url).exchange({
      callback,
      redirectUri: 'https://svc.example.com/oauth/callback',
      state: 'known',
      codeVerifier: '',
    })
  ).tokens;

describe('a consent', () => {
  test('is asked for at Intuit, for companies and sandbox companies alike', () => {
    for (const { access: one } of [quickbooks, quickbooksSandbox]) {
      expect((one as OAuthAccess).endpoints(reachAt(null))).toEqual({
        authorize: 'https://appcenter.intuit.com/connect/oauth2',
        token: 'https://oauth.platform.intuit.com/oauth2/v1/tokens/bearer',
        revoke: 'https://developer.api.intuit.com/v2/oauth2/tokens/revoke',
      });
    }
    expect(access.scopes).toEqual(['com.intuit.quickbooks.accounting']);
  });

  test('opens the company that the redirect names', async () => {
    const callback = await consent();
    const settings = access.readCallback?.(callback, credentials) ?? {};
    const { accessToken, refreshToken } = await exchange(callback);
    expect(refreshToken).not.toBeNull();
    const accounts = await access.accounts({ ...reachAt(fake.url), settings, accessToken });
    expect(accounts).toEqual([
      { externalAccountId: company.realmId, name: expect.any(String), baseCurrency: expect.any(String) },
    ]);
  });

  test('opens no company but the token’s, whatever the redirect names', async () => {
    const { accessToken } = await exchange(await consent());
    const other = access.accounts({ ...reachAt(fake.url, '123'), accessToken });
    await expect(other).rejects.toMatchObject({ code: 'invalid-params', field: ['realmId'] });
  });

  test.each(['', '12a', '../1', '1 ', '9'.repeat(31)])('with the company "%s" is none', (realmId) => {
    const callback = new URLSearchParams({ code: 'c', state: 's', realmId });
    expect(() => access.readCallback?.(callback, credentials)).toThrow(
      expect.objectContaining({ code: 'invalid-params', field: ['realmId'] }),
    );
  });

  test('is not said to be wrong in an outage', async () => {
    refuses(503, {});
    const accounts = access.accounts({ ...reachAt(odd.url, '123'), accessToken: 'token' });
    await expect(accounts).rejects.toMatchObject({ code: 'platform-unavailable' });
  });

  test('needs a company in the answer', async () => {
    refuses(200, { time: 'now' });
    const accounts = access.accounts({ ...reachAt(odd.url, '123'), accessToken: 'token' });
    await expect(accounts).rejects.toMatchObject({ code: 'platform-answer' });
  });

  test('ends with its token, which is sent as JSON', async () => {
    refuses(200, {});
    expect(await clientAt(odd.url).revoke('refresh', new AbortController().signal)).toBe(true);
    expect(odd.heard).toMatchObject([
      {
        method: 'POST',
        url: '/v2/oauth2/tokens/revoke',
        headers: { 'content-type': 'application/json', authorization: expect.stringMatching(/^Basic /) },
        body: '{"token":"refresh"}',
      },
    ]);
    const { refreshToken } = await exchange(await consent());
    expect(await clientAt(fake.url).revoke(refreshToken ?? '', new AbortController().signal)).toBe(true);
    await expect(clientAt(fake.url).refresh(refreshToken ?? '')).rejects.toMatchObject({
      code: 'connection-expired',
    });
  });
});

describe('a call', () => {
  const clientOf = (ended: string[] = []) =>
    quickbooks.createClient({
      ...plainAccess({ baseUrl: odd.url, accessToken: 'token', externalAccountId: '123' }),
      ended: async (token) => void ended.push(token),
    });
  const fault = (code: string, message: string, type = 'ValidationFault') => ({
    Fault: { Error: [{ Message: message, Detail: `${message} there`, code, element: 'Line' }], type },
    time: '2026-11-28T10:00:00.000-08:00',
  });
  const call = (path: string, query: readonly (readonly [string, string])[] = []): PlatformCall => ({
    ...{ method: 'GET', path, query, headers: {}, body: null, timeoutMs: 1000, maxBytes: 1000 },
  });

  test('is one of the company and of a version, also a caller’s own', async () => {
    refuses(200, {});
    await clientOf().get('/query', { query: { query: 'select * from Item' } });
    await clientOf().send(call('/invoice/12'));
    await clientOf().send(call('/invoice/12', [['minorversion', '70']]));
    expect(odd.heard.map(({ url }) => url)).toEqual([
      '/v3/company/123/query?minorversion=75&query=select%20*%20from%20Item',
      '/v3/company/123/invoice/12?minorversion=75',
      '/v3/company/123/invoice/12?minorversion=70',
    ]);
  });

  test('reaches no other company', async () => {
    refuses(200, {});
    const other = clientOf().send(call('/../456/invoice/12'));
    await expect(other).rejects.toMatchObject({ code: 'invalid-params' });
    expect(odd.heard).toEqual([]);
  });

  test.each([200, 400])('with a fault and status %i is refused in its words', async (status) => {
    refuses(status, fault('2020', 'Required param missing'), { intuit_tid: '1-abc' });
    await expect(clientOf().get('/query')).rejects.toMatchObject({
      code: 'platform-refused',
      message: expect.stringContaining(
        'Required param missing: Required param missing there (Line), code 2020; intuit_tid 1-abc',
      ),
    });
  });

  const gateway = (status: number, code: string, word: string) => ({
    fault: { error: [{ message: `message=${word}; errorCode=00${code}; statusCode=${status}`, code }] },
  });

  test.each([
    ['a token', 401, gateway(401, '3200', 'AuthenticationFailed')],
    ['a token, with 200', 200, gateway(401, '3200', 'AuthenticationFailed')],
    ['the app', 403, gateway(403, '3100', 'ApplicationAuthorizationFailed')],
  ])('that refuses %s ends the access', async (_what, status, body) => {
    refuses(status, body);
    const ended: string[] = [];
    await expect(clientOf(ended).get('/query')).rejects.toMatchObject({ code: 'connection-expired' });
    expect(ended).toEqual(['token']);
  });

  test('without a right is refused', async () => {
    refuses(403, gateway(403, '3100', 'AuthorizationFailed'));
    await expect(clientOf().get('/query')).rejects.toMatchObject({ code: 'platform-refused' });
  });

  test.each([
    ['003001', 429],
    ['3001', 200],
  ])('that is throttled with code %s and status %i waits', async (code, status) => {
    refuses(status, { fault: { error: [{ message: 'ThrottleExceeded', code }], type: 'SERVICE' } });
    const { verdict } = await clientOf().send(call('/query'));
    expect(verdict).toEqual({ kind: 'throttled', retryAfterMs: null });
  });

  test('that meets a fault of QuickBooks with 200 may succeed later', async () => {
    refuses(200, fault('10000', 'An application error has occurred', 'SystemFault'));
    expect((await clientOf().send(call('/query'))).verdict.kind).toBe('again');
  });
});

describe('a file', () => {
  test('comes from the address that its attachment has now', async () => {
    odd.answer(({ url }, response) => {
      if (url.startsWith('/v3')) {
        response.setHeader('content-type', 'application/json');
        const Attachable = [{ Id: '7', TempDownloadUri: `${odd.url}/signed` }];
        return response.end(JSON.stringify({ QueryResponse: { Attachable, maxResults: 1 } }));
      }
      return response.end('%PDF');
    });
    const client = quickbooks.createClient(
      plainAccess({ baseUrl: odd.url, accessToken: 'token', externalAccountId: '123' }),
    );
    const document = { platformId: '7', rawData: {}, fileType: null };
    const file = await quickbooks.files?.fetch(client, document, { timeoutMs: 1000, maxBytes: 1000 });
    const chunks: Uint8Array[] = [];
    for await (const chunk of file?.content ?? []) chunks.push(chunk);
    expect(Buffer.concat(chunks).toString()).toBe('%PDF');
    expect(odd.heard.map(({ url }) => url.slice(0, 24))).toEqual(['/v3/company/123/query?mi', '/signed']);
  });

  test('that is gone is none', async () => {
    refuses(200, { QueryResponse: {}, time: 'now' });
    const client = quickbooks.createClient(
      plainAccess({ baseUrl: odd.url, accessToken: 'token', externalAccountId: '123' }),
    );
    const document = { platformId: '7', rawData: {}, fileType: null };
    expect(await quickbooks.files?.fetch(client, document, { timeoutMs: 1000, maxBytes: 1000 })).toBeNull();
  });
});
