import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import type { App } from '../../src/app.js';
import { inBrowser, launchBrowser, watch } from '../support/browser.js';
import { startApp } from '../support/service.js';

let app: App;
let browser: Browser | null;

beforeAll(async () => {
  app = await startApp();
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser?.close();
  await app.close();
});

describe('GET /docs', () => {
  inBrowser('shows the operations in a browser, from this service alone', async () => {
    const page = await (browser as Browser).newPage();
    const { hosts, problems } = watch(page);
    await page.goto(`${app.url}/docs`);
    await page.getByRole('heading', { name: 'Unified Financial Data Service' }).first().waitFor();
    await page.getByText('Accounting', { exact: true }).first().click();
    await page.getByText('List accounts').first().waitFor();
    expect([...hosts]).toEqual([new URL(app.url).host]);
    expect(problems).toEqual([]);
    await page.close();
  });

  test('allows no other host', async () => {
    const { headers } = await fetch(`${app.url}/docs`);
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).toMatch(/^default-src 'none';/);
    expect(policy).not.toMatch(/https?:|\*/);
  });
});
