import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { request } from 'undici';
import type { App } from '../../src/app.js';
import { inBrowser, launchBrowser } from '../support/browser.js';
import { storeBooks } from '../support/books.js';
import { createTenant } from '../support/seed.js';
import { createCaller, startApp } from '../support/service.js';

const LIST = '/v3/accounting/accounts?limit=1';

/** A page of somebody else, in a browser. */
let page: Server;
let origin: string;
let app: App;
let closed: App;
let key: string;
let browser: Browser | null = null;

beforeAll(async () => {
  page = createServer((_request, response) => response.setHeader('content-type', 'text/html').end('<p>page'));
  await new Promise<void>((resolve) => page.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(page.address() as AddressInfo).port}`;
  app = await startApp({ CORS_ORIGINS: `https://app.example.com,${origin}` });
  closed = await startApp();
  const acme = await createTenant(app, 'cors');
  await storeBooks(acme);
  ({ key } = await createCaller(app, acme.organisationId));
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser?.close();
  await app.close();
  await closed.close();
  page.close();
});

async function ask(url: string, headers: Record<string, string>, method: 'GET' | 'OPTIONS' = 'GET') {
  const answer = await request(url, { method, headers });
  await answer.body.dump();
  const own = Object.entries(answer.headers).filter(([name]) => name.startsWith('access-control'));
  return { status: answer.statusCode, vary: answer.headers['vary'], cors: Object.fromEntries(own) };
}
const preflight = {
  'access-control-request-method': 'GET',
  'access-control-request-headers': 'api_key,content-type',
};

describe('a page of an origin of CORS_ORIGINS', () => {
  test('may ask whether it may send its key', async () => {
    const { status, cors, vary } = await ask(app.url + LIST, { origin, ...preflight }, 'OPTIONS');
    expect(status).toBe(204);
    expect(cors).toMatchObject({
      'access-control-allow-origin': origin,
      'access-control-allow-methods': 'GET, HEAD, POST, OPTIONS',
      'access-control-allow-headers': 'api_key,content-type',
      'access-control-max-age': '7200',
    });
    expect(cors).not.toHaveProperty('access-control-allow-credentials');
    expect(vary).toContain('Origin');
  });

  test('may read answers, refusals among them', async () => {
    for (const [headers, status] of [
      [{ api_key: key }, 200],
      [{}, 401],
    ] as const) {
      const answer = await ask(app.url + LIST, { origin, ...headers });
      expect(answer.status).toBe(status);
      expect(answer.cors['access-control-allow-origin']).toBe(origin);
      expect(answer.cors['access-control-expose-headers']).toBe('*');
    }
  });

  test('may ask for a path that is not there, whose 404 it would not be shown otherwise', async () => {
    const nowhere = `${app.url}/v3/accounting/accountz`;
    const { status, cors } = await ask(nowhere, { origin, ...preflight }, 'OPTIONS');
    expect(status).toBe(204);
    expect(cors).toMatchObject({
      'access-control-allow-methods': 'GET',
      'access-control-allow-headers': 'api_key,content-type',
    });
    const other = { origin: 'https://evil.example.com', ...preflight };
    expect(await ask(nowhere, other, 'OPTIONS')).toMatchObject({ status: 404, cors: {} });
    expect(await ask(nowhere, { origin }, 'OPTIONS')).toMatchObject({ status: 404 });
  });

  inBrowser('reads a list, errors, GraphQL and a header in a real browser', async () => {
    const tab = await (browser as Browser).newPage();
    await tab.goto(origin);
    const seen = await tab.evaluate(
      async ({ url, key }) => {
        const headers = { api_key: key, 'content-type': 'application/json' };
        const list = await fetch(`${url}/v3/accounting/accounts?limit=1`, { headers });
        const error = await fetch(`${url}/v3/accounting/accounts?limit=x`, { headers });
        const nowhere = await fetch(`${url}/v3/accounting/accountz`, { headers });
        const body = JSON.stringify({ query: '{ accounts(first: 1) { totalCount } }' });
        const graphql = await fetch(`${url}/graphql`, { method: 'POST', headers, body });
        return {
          records: ((await list.json()) as any).data.length,
          link: list.headers.get('link'),
          vary: list.headers.get('vary'),
          code: ((await error.json()) as any).error.code,
          unknown: ((await nowhere.json()) as any).error.code,
          count: ((await graphql.json()) as any).data.accounts.totalCount,
        };
      },
      { url: app.url, key },
    );
    expect(seen).toEqual({
      records: 1,
      link: expect.stringContaining('rel="next"'),
      vary: expect.stringContaining('Origin'),
      code: 'invalid-params',
      unknown: 'not-found',
      count: 9,
    });
    await tab.close();
  });
});

describe('a page of another origin', () => {
  test('is told nothing that lets a browser show it the answer', async () => {
    const other = { origin: 'https://evil.example.com' };
    for (const url of [app.url, closed.url]) {
      expect((await ask(url + LIST, { ...other, ...preflight }, 'OPTIONS')).cors).toEqual({});
      expect((await ask(url + LIST, { ...other, api_key: key })).cors).toEqual({});
    }
    expect((await ask(closed.url + LIST, { origin, api_key: key })).cors).toEqual({});
  });

  inBrowser('gets nothing in a real browser', async () => {
    const tab = await (browser as Browser).newPage();
    await tab.goto(origin);
    const failure = await tab.evaluate(
      ({ url, key }) =>
        fetch(url, { headers: { api_key: key } }).then(
          () => 'an answer',
          (error: Error) => error.name,
        ),
      { url: closed.url + LIST, key },
    );
    expect(failure).toBe('TypeError');
    await tab.close();
  });
});

test('CORS_ORIGINS=* lets every page ask', async () => {
  const open = await startApp({ CORS_ORIGINS: '*' });
  const { cors } = await ask(open.url + LIST, { origin: 'https://any.example.com', api_key: key });
  await open.close();
  expect(cors['access-control-allow-origin']).toBe('https://any.example.com');
});
