import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createClient } from 'graphql-ws';
import type { Browser } from 'playwright-core';
import { WebSocket } from 'ws';
import type { App } from '../../src/app.js';
import { prefixOf, withoutPrefix } from '../../src/http/prefix.js';
import { inBrowser, launchBrowser } from '../support/browser.js';
import { storeBooks } from '../support/books.js';
import { freePort, hasNginx, type Nginx, startNginx } from '../support/nginx.js';
import { createTenant } from '../support/seed.js';
import { createCaller, startApp } from '../support/service.js';

if (!hasNginx && process.env['CI']) throw new Error('there is no nginx');
const withNginx = hasNginx ? describe : describe.skip;

const UPGRADE = `proxy_http_version 1.1; proxy_set_header Upgrade $http_upgrade; proxy_set_header Connection upgrade;
  proxy_set_header Host $http_host;`;

withNginx.each([
  ['keeps', ''],
  ['takes away', '/'],
])('behind an nginx that %s the path of PUBLIC_URL', (_how, end) => {
  let app: App;
  let key: string;
  let nginx: Nginx;
  let base: string;
  let browser: Browser | null = null;

  beforeAll(async () => {
    const port = await freePort();
    nginx = await startNginx({
      server: `location /books/ { proxy_pass http://127.0.0.1:${port}${end}; ${UPGRADE} }`,
    });
    base = `${nginx.url}/books`;
    app = await startApp({ PUBLIC_URL: base, PORT: String(port) });
    const acme = await createTenant(app, 'prefixed');
    await storeBooks(acme);
    ({ key } = await createCaller(app, acme.organisationId));
    browser = await launchBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await app.close();
    await nginx.stop();
  });

  const get = async (path: string) => fetch(base + path, { headers: { authorization: `Bearer ${key}` } });

  test('REST answers, and its Link leads to the next page', async () => {
    const first = await get('/v3/accounting/accounts?limit=4');
    expect(first.status).toBe(200);
    const [, next = ''] = /<([^>]+)>; rel="next"/.exec(first.headers.get('link') ?? '') ?? [];
    expect(next).toMatch(/^\/books\/v3\/accounting\/accounts\?/);
    const { data } = (await (await get(next.slice('/books'.length))).json()) as any;
    expect(data.map((one: any) => one.nominal_code)).toEqual(['1005', '1006', '1008', '1009']);
  });

  test('health answers, and the home page leads on', async () => {
    expect((await get('/health/ready')).status).toBe(200);
    const about = (await (await get('/')).json()) as any;
    expect(about).toMatchObject({
      graphql: '/books/graphql',
      health: ['/books/health/live', '/books/health/ready'],
    });
    const page = await (await fetch(`${base}/`, { headers: { accept: 'text/html' } })).text();
    expect(page).toContain('href="/books/graphql"');
  });

  test('subscriptions over WebSocket open', async () => {
    const client = createClient({
      url: `${base.replace('http', 'ws')}/graphql`,
      webSocketImpl: WebSocket,
      connectionParams: { api_key: key },
      retryAttempts: 0,
    });
    // After the first change, of those that there are.
    const { next } = (await (await get('/v3/core/changes?limit=1')).json()) as any;
    const events = client.iterate({ query: `subscription { changes(after: "${next}") { id } }` });
    expect((await events.next()).value.data.changes.id).toEqual(expect.any(String));
    await events.return?.();
    await client.dispose();
  });

  inBrowser('the playground loads and asks', async () => {
    const tab = await (browser as Browser).newPage();
    const failed: string[] = [];
    tab.on('response', (response) => {
      if (response.status() >= 400 && response.status() !== 401) failed.push(response.url());
    });
    await tab.goto(`${base}/graphql`);
    const asked = tab.waitForResponse((response) => response.request().method() === 'POST');
    await tab.locator('button.graphiql-execute-button').waitFor();
    expect(new URL((await asked).url()).pathname).toBe('/books/graphql');
    expect(failed).toEqual([]);
    await tab.close();
  });
});

test.each([
  [null, ''],
  ['https://data.example.com', ''],
  ['https://data.example.com/', ''],
  ['https://data.example.com/books', '/books'],
])('the prefix of %s is %s', (publicUrl, prefix) => {
  expect(prefixOf(publicUrl)).toBe(prefix);
});

test.each([
  ['/books/v3/x?y=1', '/v3/x?y=1'],
  ['/books', '/'],
  ['/books?x', '/?x'],
  ['/bookshop', '/bookshop'],
  ['/v3/books/x', '/v3/books/x'],
])('%s without /books is %s', (url, rest) => {
  expect(withoutPrefix(url, '/books')).toBe(rest);
});

test.each(['/docs', '/v3', '/accounting/accounts', '/graphql/'])(
  'a service is not started below %s, where paths of its own begin',
  async (path) => {
    const starting = startApp({ PUBLIC_URL: `https://data.example.com${path}` });
    await expect(starting).rejects.toThrow(`PUBLIC_URL may not have the path ${path.replace(/\/$/, '')}: /`);
  },
);

test.each(['/doc', '/books/v3', '/accounting/books'])('one is below %s', async (path) => {
  const app = await startApp({ PUBLIC_URL: `https://data.example.com${path}` });
  const { status } = await fetch(`${app.url}${path}/health/ready`);
  await app.close();
  expect(status).toBe(200);
});
