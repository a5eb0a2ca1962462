import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';

import { type OAuthAccess } from '../../../src/connectors/access.js';
import { platformAgent } from '../../../src/connectors/client/platform-agent.js';
import { plainAccess } from '../../../src/connectors/platform-access.js';
import { shopify } from '../../../src/connectors/shopify/index.js';
import { createOAuthClient } from '../../../src/platforms/oauth.js';
import { type OddPlatform, startOddPlatform } from '../../support/platform.js';
import { CLIENT, signed } from '../shopify-fake/identity.js';
import { makeShop } from '../shopify-fake/makers.js';
import { type ShopifyFake, startShopifyFake } from '../shopify-fake/server.js';

const shop = makeShop();
let fake: ShopifyFake;
let odd: OddPlatform;
beforeAll(async () => {
  fake = await startShopifyFake(shop);
  odd = await startOddPlatform();
});
afterEach(() => void odd.heard.splice(0));
afterAll(async () => {
  await fake.stop();
  await odd.close();
});

const access = shopify.access as OAuthAccess;
const credentials = { clientId: CLIENT.id, clientSecret: CLIENT.secret, scopes: [] };
const redirectUri = 'https://svc.example.com/oauth/callback';
const reachAt = (baseUrl: string | null, name = 'harbour-furniture') => ({
  baseUrl,
  settings: { shop: name },
  dispatcher: platformAgent,
});
const clientAt = (baseUrl: string) =>
  createOAuthClient({ title: 'Shopify', access, reach: reachAt(baseUrl), credentials });

const answers = (status: number, body: object) =>
  odd.answer((_heard, response) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body)),
  );

/** What the customer's browser brings back from Shopify. */
async function consent(): Promise<URLSearchParams> {
  const url = await clientAt(fake.url).authorizationUrl({ redirectUri, state: 'known', codeVerifier: '' });
  expect(new URL(url).searchParams.get('scope')).toBe(
    'read_orders,read_products,read_customers,read_inventory',
  );
  const answer = await fetch(url, { redirect: 'manual' });
  return new URL(answer.headers.get('location') ?? '').searchParams;
}

const exchange = async (callback: URLSearchParams) =>
  (await clientAt(fake.url).exchange({ callback, redirectUri, state: 'known', codeVerifier: '' })).tokens;

describe('a shop', () => {
  test.each(['harbour-furniture', 'harbour-furniture.myshopify.com'])('%s is called at Shopify', (name) => {
    expect(access.endpoints(reachAt(null, name))).toEqual({
      authorize: 'https://harbour-furniture.myshopify.com/admin/oauth/authorize',
      token: 'https://harbour-furniture.myshopify.com/admin/oauth/access_token',
      revoke: null,
    });
  });

  test.each([
    '',
    'evil.example.com',
    'evil.example.com/.myshopify.com',
    'evil.example.com#.myshopify.com',
    'a@evil.example.com?.myshopify.com',
    'a.b.myshopify.com',
    'a.myshopify.com.example.com',
    '-a',
    'A shop',
    'a.myshopify.com\n',
    '127.0.0.1',
  ])('%j is none, in the form as in what is stored', (name) => {
    const [field] = access.fields;
    expect(field?.type === 'text' && field.pattern.test(name)).toBe(false);
    expect(() => access.endpoints(reachAt(null, name))).toThrow(
      expect.objectContaining({ code: 'invalid-params', field: ['shop'] }),
    );
    const isRefused = expect.objectContaining({ field: ['shop'] });
    const stored = plainAccess({ settings: { shop: name }, accessToken: 't', externalAccountId: '' });
    expect(() => shopify.createClient(stored)).toThrow(isRefused);
    const connected = plainAccess({ accessToken: 't', externalAccountId: name });
    expect(() => shopify.createClient(connected)).toThrow(isRefused);
  });
});

describe('a consent', () => {
  test('opens the shop, with tokens that expire and rotate', async () => {
    const callback = await consent();
    expect(access.readCallback?.(callback, credentials)).toEqual({});
    const { accessToken, refreshToken, expiresAt } = await exchange(callback);
    const minutes = ((expiresAt?.getTime() ?? 0) - Date.now()) / 60_000;
    expect(minutes).toBeGreaterThan(58);
    expect(minutes).toBeLessThan(62);
    expect(await access.accounts({ ...reachAt(fake.url), accessToken })).toEqual([
      { externalAccountId: shop.domain, name: 'Harbour Furniture', baseCurrency: 'EUR' },
    ]);
    const renewed = await clientAt(fake.url).refresh(refreshToken ?? '');
    expect(renewed.refreshToken).not.toBe(refreshToken);
    expect(renewed.accessToken).not.toBe(accessToken);
    await expect(clientAt(fake.url).refresh(refreshToken ?? '')).rejects.toMatchObject({
      code: 'connection-expired',
    });
  });

  test('of a callback that is not signed with the secret of the app is refused', async () => {
    const callback = await consent();
    const read = (changed: Readonly<Record<string, string>>, secret = CLIENT.secret) => {
      const parameters = new URLSearchParams(callback);
      for (const [name, value] of Object.entries(changed)) parameters.set(name, value);
      return () => access.readCallback?.(parameters, { clientSecret: secret });
    };
    const isRefused = expect.objectContaining({ code: 'invalid-params', field: ['hmac'] });
    expect(read({ shop: 'other.myshopify.com' })).toThrow(isRefused);
    expect(read({ hmac: '' })).toThrow(isRefused);
    expect(read({}, 'another secret')).toThrow(isRefused);
    // Which of two values is signed?
    const repeated = new URLSearchParams([['code', 'another'], ...callback]);
    expect(() => access.readCallback?.(repeated, credentials)).toThrow(isRefused);
    // One that holds its neighbour has the same text, but for what separates them.
    const [first = '', second = ''] = [...callback.keys()].filter((name) => name !== 'hmac').sort();
    const joined = new URLSearchParams(callback);
    joined.delete(second);
    joined.set(first, `${callback.get(first) ?? ''}&${second}=${callback.get(second) ?? ''}`);
    expect(() => access.readCallback?.(joined, credentials)).toThrow(isRefused);
  });

  test('of another host than a shop’s is refused, whoever signed it', () => {
    const callback = new URLSearchParams(signed({ code: 'c', shop: 'evil.example.com', state: 'known' }));
    expect(() => access.readCallback?.(callback, credentials)).toThrow(
      expect.objectContaining({ code: 'invalid-params', field: ['shop'] }),
    );
  });

  test('asks for tokens that expire, and of a refresh only for what it renews', async () => {
    answers(200, { access_token: 'a', refresh_token: 'r', expires_in: 3600 });
    const callback = new URLSearchParams({ code: 'c', state: 'known' });
    await clientAt(odd.url).exchange({ callback, redirectUri, state: 'known', codeVerifier: '' });
    await clientAt(odd.url).refresh('r');
    const forms = odd.heard.map(({ body }) => new URLSearchParams(body));
    expect(
      forms.map((form) => [form.get('grant_type'), form.get('expiring'), form.get('client_id')]),
    ).toEqual([
      ['authorization_code', '1', CLIENT.id],
      ['refresh_token', null, CLIENT.id],
    ]);
  });

  test('of a shop that gives no access says so, and an outage passes through', async () => {
    answers(402, { errors: 'Unavailable Shop' });
    const refused = access.accounts({ ...reachAt(odd.url), accessToken: 'token' });
    await expect(refused).rejects.toMatchObject({ code: 'invalid-params', field: ['shop'] });
    answers(502, {});
    const away = access.accounts({ ...reachAt(odd.url), accessToken: 'token' });
    await expect(away).rejects.toMatchObject({ code: 'platform-unavailable' });
    answers(200, { data: { shop: { name: 'A', myshopifyDomain: 'evil.example.com' } } });
    const unnamed = access.accounts({ ...reachAt(odd.url), accessToken: 'token' });
    await expect(unnamed).rejects.toMatchObject({ code: 'platform-answer' });
  });
});
