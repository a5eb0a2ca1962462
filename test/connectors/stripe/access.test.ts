import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { plainAccess } from '../../../src/connectors/platform-access.js';
import { type PlatformCall } from '../../../src/connectors/platform.js';
import { platformAgent } from '../../../src/connectors/client/platform-agent.js';
import { stripe } from '../../../src/connectors/stripe/index.js';
import { stripeAccess } from '../../../src/connectors/stripe/access.js';
import { type OddPlatform, startOddPlatform } from '../../support/platform.js';

let platform: OddPlatform;
beforeAll(async () => {
  platform = await startOddPlatform();
});
afterAll(() => platform.close());

const answers = (status: number, body: object, headers: Record<string, string> = {}) =>
  platform.answer((_heard, response) =>
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body)),
  );

const open = (apiKey: string) =>
  stripeAccess.open({
    baseUrl: platform.url,
    settings: {},
    dispatcher: platformAgent,
    secrets: { api_key: apiKey },
  });

const ACCOUNT = {
  id: 'acct_1',
  object: 'account',
  business_profile: { name: null },
  settings: { dashboard: { display_name: 'Rocket Rides' } },
  default_currency: 'eur',
};

describe('a key', () => {
  test('opens its account', async () => {
    answers(200, ACCOUNT);
    expect(await open(' rk_live_abc ')).toEqual({
      accounts: [{ externalAccountId: 'acct_1', name: 'Rocket Rides', baseCurrency: 'EUR' }],
      tokens: { accessToken: 'rk_live_abc', refreshToken: null, expiresAt: null },
      settings: {},
    });
    expect(platform.heard.slice(-2)).toMatchObject(
      ['/v1/account', '/v1/events?limit=1'].map((url) => ({
        url,
        headers: { authorization: 'Bearer rk_live_abc', 'stripe-version': '2026-10-28.endive' },
      })),
    );
  });

  test('of test mode opens an account of its own', async () => {
    answers(200, { ...ACCOUNT, business_profile: { name: 'Rocket' } });
    const { accounts } = await open('sk_test_abc');
    expect(accounts).toEqual([
      { externalAccountId: 'acct_1 test', name: 'Rocket (test mode)', baseCurrency: 'EUR' },
    ]);
  });

  test.each(['', 'pk_live_abc', 'sk_org_live_abc', 'rk_live_', 'whsec_abc', 'rk_live_a\r\nb'])(
    'is not "%s"',
    async (apiKey) => {
      platform.heard.length = 0;
      await expect(open(apiKey)).rejects.toMatchObject({ code: 'invalid-params', field: ['api_key'] });
      expect(platform.heard).toEqual([]);
    },
  );

  test('that Stripe refuses is said to be wrong', async () => {
    answers(401, {
      error: { type: 'invalid_request_error', message: 'Invalid API Key provided: rk_live_***' },
    });
    await expect(open('rk_live_abc')).rejects.toMatchObject({
      code: 'invalid-params',
      field: ['api_key'],
      message: expect.stringContaining('a key that Stripe accepts'),
    });
  });

  test.each([
    ['the account', '/v1/account'],
    ['events', '/v1/events'],
  ])('that may not read %s is told what it lacks', async (what, path) => {
    const message = 'The provided key does not have the required permissions';
    platform.answer(({ url }, response) => {
      const isLacking = url.startsWith(path);
      const body = isLacking ? { error: { type: 'invalid_request_error', message } } : ACCOUNT;
      response
        .writeHead(isLacking ? 403 : 200, { 'content-type': 'application/json' })
        .end(JSON.stringify(body));
    });
    await expect(open('rk_live_abc')).rejects.toMatchObject({
      code: 'invalid-params',
      field: ['api_key'],
      message: expect.stringMatching(`must be allowed to read ${what}: .*${message}`),
    });
  });

  test('is not blamed for an outage', async () => {
    answers(429, { error: { message: 'Too many requests' } }, { 'retry-after': '30' });
    await expect(open('rk_live_abc')).rejects.toMatchObject({ code: 'platform-unavailable' });
  });
});

describe('a request of a caller', () => {
  const send = (more: Partial<PlatformCall>) => {
    const reach = plainAccess({
      baseUrl: platform.url,
      accessToken: 'rk_live_abc',
      externalAccountId: 'acct_1',
    });
    return (stripe.createPassthrough ?? stripe.createClient)(reach).send({
      method: 'POST',
      path: '/v1/customers',
      query: [],
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'name=Ada',
      timeoutMs: 5000,
      maxBytes: 1000,
      ...more,
    });
  };

  test('is a form of the account', async () => {
    answers(200, {});
    await send({});
    expect(platform.heard.at(-1)).toMatchObject({
      url: '/v1/customers',
      body: 'name=Ada',
      headers: { 'content-type': 'application/x-www-form-urlencoded', authorization: 'Bearer rk_live_abc' },
    });
  });

  test.each(['stripe-account', 'stripe-context'])('selects no other account by %s', async (name) => {
    platform.heard.length = 0;
    await expect(send({ headers: { [name]: 'acct_2' } })).rejects.toMatchObject({ code: 'invalid-params' });
    expect(platform.heard).toEqual([]);
  });
});
