import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { type App, createApp } from '../../src/app.js';
import { readConfig } from '../../src/config/config.js';
import { integrationTypes } from '../../src/connectors/index.js';
import { connectDatabase } from '../../src/db/database.js';
import { createLog } from '../../src/telemetry/log.js';
import { createSecretBox } from '../../src/secrets/secret-box.js';
import { inBrowser, launchBrowser, watch } from '../support/browser.js';
import { until } from '../support/until.js';
import { storeBooks } from '../support/books.js';
import { createTenant } from '../support/seed.js';
import { createCaller, startApp, TEST_SECRET_KEY, testDatabaseUrl, testLogin } from '../support/service.js';

let app: App;
let browser: Browser | null;

beforeAll(async () => {
  const plain = await startApp();
  const acme = await createTenant(plain, 'playground');
  await storeBooks(acme);
  const { key } = await createCaller(plain, acme.organisationId);
  await plain.close();
  const databaseUrl = testDatabaseUrl();
  const config = readConfig(
    { DATABASE_URL: databaseUrl, PORT: '0', SECRET_KEYS: TEST_SECRET_KEY },
    integrationTypes,
  );
  app = await createApp({
    config,
    database: await connectDatabase(testLogin(databaseUrl), config, { onError: () => undefined }),
    secrets: createSecretBox(config.secretKeys),
    urls: {},
    log: createLog('silent'),
    demoApiKey: key,
  });
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser?.close();
  await app.close();
});

describe('GET /graphql in a browser', () => {
  inBrowser(
    'shows GraphiQL from this server alone, runs its first query with the key filled in, and shows the answer',
    async () => {
      const page = await (browser as Browser).newPage();
      const { hosts, problems } = watch(page);
      await page.goto(`${app.url}/graphql`);
      await page.click('button.graphiql-execute-button');
      const answer = page.locator('.result-window');
      await answer.getByText('playground company').waitFor({ timeout: 20_000 });
      expect(await answer.innerText()).toContain('nominalCode');
      expect([...hosts]).toEqual([new URL(app.url).host]);
      expect(problems).toEqual([]);
      await page.close();
    },
  );

  inBrowser('GraphiQL follows a subscription, with the key of its headers', async () => {
    const page = await (browser as Browser).newPage();
    const query = 'subscription { changes(after: "0") { position record { ... on Account { name } } } }';
    await page.goto(`${app.url}/graphql`);
    await page.click('.graphiql-query-editor');
    await page.keyboard.press('Control+A');
    await page.keyboard.insertText(query);
    const answer = page.locator('.result-window');
    // GraphiQL reads what is typed a little later.
    await until('a change', async () => {
      await page.click('button.graphiql-execute-button');
      await answer
        .getByText(/position|errors/)
        .first()
        .waitFor({ timeout: 20_000 });
      return (await answer.innerText()).includes('"position"');
    });
    await page.close();
  });

  test('is a page without a key, but its queries need one', async () => {
    const page = await fetch(`${app.url}/graphql`, { headers: { accept: 'text/html' } });
    expect(page.status).toBe(200);
    expect(await page.text()).toContain('<div id="graphiql">');
    const query = await fetch(`${app.url}/graphql`, {
      method: 'POST',
      body: '{"query":"{ __typename }"}',
      headers: { 'content-type': 'application/json' },
    });
    expect(query.status).toBe(401);
  });

  test('is not there in production', async () => {
    const production = await startApp({ NODE_ENV: 'production' });
    try {
      const page = await fetch(`${production.url}/graphql`, { headers: { accept: 'text/html' } });
      expect(page.status).toBe(401);
      expect((await fetch(`${production.url}/playground/start.js`)).status).toBe(404);
    } finally {
      await production.close();
    }
  });
});
