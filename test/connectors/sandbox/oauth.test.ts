import { createServer, type IncomingMessage, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';

import { afterEach, describe, expect, test } from '@jest/globals';

import { platformAgent } from '../../../src/connectors/client/platform-agent.js';
import type { OAuthAccess } from '../../../src/connectors/access.js';
import { sandboxBooks } from '../../../src/connectors/sandbox/books/index.js';
import { sandboxPay } from '../../../src/connectors/sandbox/pay/index.js';
import { sandboxShop } from '../../../src/connectors/sandbox/shop/index.js';

let server: Server | null = null;

afterEach(async () => {
  const running = server;
  server = null;
  running?.closeAllConnections();
  await new Promise((resolve) => (running ? running.close(resolve) : resolve(null)));
});

/** Answers by path and remembers what it was asked. */
async function sandboxOf(answers: Readonly<Record<string, unknown>>) {
  const seen: IncomingMessage[] = [];
  const started = createServer((request, response) => {
    seen.push(request);
    const answer = answers[request.url ?? ''];
    response.writeHead(answer === undefined ? 404 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(answer ?? {}));
  });
  server = started;
  await new Promise<void>((resolve) => started.listen(0, '127.0.0.1', resolve));
  return { baseUrl: `http://127.0.0.1:${(started.address() as AddressInfo).port}`, seen };
}

const plainReach = { settings: {}, dispatcher: platformAgent };
const account = { id: 'demo-1', name: 'Harbour Furniture' };

describe.each([
  [
    sandboxBooks,
    'accounting',
    '/accounting/api/2/Organisation',
    { Organisation: { Id: 'demo-1', Title: 'Harbour Furniture Pty', BaseCurrency: 'AUD' } },
  ],
  [
    sandboxPay,
    'payments',
    '/payments/v1/account',
    { id: 'demo-1', business_name: 'Harbour Furniture Pty', default_currency: 'aud' },
  ],
  [
    sandboxShop,
    'ecommerce',
    '/ecommerce/admin/2026-10/shop.json',
    { shop: { id: 'demo-1', name: 'Harbour Furniture Pty', currency: 'AUD' } },
  ],
] as const)('%#', (connector, platform, path, profile) => {
  const access = connector.access as OAuthAccess;

  test(`${connector.title} authorises below the root of the sandbox`, () => {
    const oauth = `http://sandbox.example/${platform}/oauth`;
    const endpoints = { authorize: `${oauth}/authorize`, token: `${oauth}/token`, revoke: `${oauth}/revoke` };
    expect(access.endpoints({ baseUrl: 'http://sandbox.example/', settings: {} })).toEqual(endpoints);
    expect(access.endpoints({ baseUrl: null, settings: {} }).token).toBe(
      `http://127.0.0.1:4100/${platform}/oauth/token`,
    );
    expect(access).toMatchObject({ scopes: ['read', 'write'], clientAuthentication: 'basic' });
  });

  test(`${connector.title} tells the account of a token`, async () => {
    const { baseUrl, seen } = await sandboxOf({
      [`/${platform}/oauth/whoami`]: { account },
      [path]: profile,
    });
    const accounts = await access.accounts({ ...plainReach, baseUrl, accessToken: 'sat_1' });
    expect(accounts).toEqual([
      { externalAccountId: 'demo-1', name: 'Harbour Furniture Pty', baseCurrency: 'AUD' },
    ]);
    expect(seen.map(({ headers }) => headers.authorization)).toEqual(['Bearer sat_1', 'Bearer sat_1']);
    expect(seen[1]?.headers['sandbox-company']).toBe(platform === 'accounting' ? 'demo-1' : undefined);
  });

  test(`${connector.title} falls back on the name that the token goes by`, async () => {
    const { baseUrl } = await sandboxOf({ [`/${platform}/oauth/whoami`]: { account }, [path]: {} });
    expect(await access.accounts({ ...plainReach, baseUrl, accessToken: 'sat_1' })).toEqual([
      { externalAccountId: 'demo-1', name: 'Harbour Furniture', baseCurrency: null },
    ]);
  });

  test(`${connector.title} refuses a token of no account`, async () => {
    const { baseUrl } = await sandboxOf({ [`/${platform}/oauth/whoami`]: {} });
    await expect(access.accounts({ ...plainReach, baseUrl, accessToken: 'sat_1' })).rejects.toMatchObject({
      code: 'platform-answer',
    });
  });
});
