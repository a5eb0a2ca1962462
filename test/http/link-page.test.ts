import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import type { App } from '../../src/app.js';
import { connectorFor } from '../../src/connectors/index.js';
import { approveConsent } from '../../src/demo/consent.js';
import { consentLines } from '../../src/http/connect/pages/consent.js';
import { clientSecretPlace } from '../../src/platforms/client-credentials.js';
import type { Sandbox } from '../../src/sandbox/index.js';
import type { SyncEngine } from '../../src/sync/engine.js';
import { startXeroIdentity, type XeroIdentity } from '../connectors/xero-fake/identity.js';
import { admin } from '../support/admin.js';
import { inBrowser, launchBrowser } from '../support/browser.js';
import {
  createSandboxTenant,
  engineOf,
  type SandboxTenant,
  startTestSandbox,
  testSecrets,
} from '../support/sandbox.js';
import { startApp } from '../support/service.js';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const BOOKS = 'SVC Sandbox Books';
const KEYED = 'SVC Sandbox Self-Hosted Shop';

let app: App;
let sandbox: Sandbox;
let xero: XeroIdentity;
let engine: SyncEngine;
let browser: Browser | null = null;
let tenant: SandboxTenant;
/** Its connection to Pay. */
let paid = 0;
let asking = 0;

beforeAll(async () => {
  sandbox = await startTestSandbox();
  xero = await startXeroIdentity();
  xero.offer([
    { id: 'connection-1', tenantId: 'tenant-1', tenantName: 'Harbour Street Pty' },
    { id: 'connection-2', tenantId: 'tenant-2', tenantName: 'Mill Lane Pty' },
  ]);
  app = await startApp({ SANDBOX_URL: sandbox.url, XERO_URL: xero.url, TRUST_PROXY: '1' });
  engine = engineOf(app, sandbox.url);
  browser = await launchBrowser();
  tenant = await createSandboxTenant(engine, sandbox, { records: 40 });
  const svcOrganisationId = BigInt(tenant.organisationId);
  await admin.prisma.integration.createMany({
    data: [
      { svcOrganisationId, integrationType: 'SVC_SANDBOX_SELF_HOSTED' },
      {
        svcOrganisationId,
        integrationType: 'XERO',
        clientId: 'an app',
        clientSecret: testSecrets.seal('its secret', clientSecretPlace('XERO', tenant.organisationId)),
      },
    ],
  });
  await admin.prisma.inviteLink.updateMany({
    where: { inviteLinkId: tenant.link.inviteLinkId },
    data: { integrations: [] },
  });
  ({ connectionId: paid } = await tenant.connect('PAYMENTS'));
  const { connectionId } = await tenant.connect('ECOMMERCE');
  await admin.prisma.connection.updateMany({
    where: { svcId: BigInt(connectionId) },
    data: { status: 'EXPIRED' },
  });
});
// Some tests connect and disconnect.
beforeEach(async () => {
  const own = { svcCompanyId: BigInt(tenant.companyId) };
  await admin.prisma.connection.deleteMany({ where: { ...own, category: 'ACCOUNTING' } });
  await admin.prisma.connection.updateMany({
    where: { ...own, category: 'PAYMENTS' },
    data: { status: 'HEALTHY' },
  });
});
afterAll(async () => {
  await browser?.close();
  await app.close();
  await sandbox.stop();
  await xero.stop();
});

const linkOf = () => `${app.url}/link/${tenant.link.inviteLinkId}`;
/** Pages are limited by address: each visit is from its own. */
const get = (path: string, init: RequestInit = {}) => {
  asking += 1;
  const headers = { 'x-forwarded-for': `192.0.2.${asking}` };
  return fetch(app.url + path, { redirect: 'manual', ...init, headers });
};
const keyed = () => `${linkOf()}?platform=SVC_SANDBOX_SELF_HOSTED:ECOMMERCE`;

async function openPage(options: Parameters<Browser['newContext']>[0] = {}): Promise<Page> {
  // Pages are limited by address: each visit is from its own.
  asking += 1;
  const extraHTTPHeaders = { 'x-forwarded-for': `192.0.2.${asking}` };
  return (await (browser as Browser).newContext({ ...options, extraHTTPHeaders })).newPage();
}

/** What axe-core finds wrong with a page, and how much it looked at. */
async function findings(page: Page): Promise<{ readonly wrong: string[]; readonly passed: number }> {
  await page.evaluate(AXE);
  return page.evaluate(async () => {
    const { axe } = globalThis as unknown as { axe: { run(): Promise<any> } };
    const { violations, incomplete, passes } = await axe.run();
    return {
      wrong: [...violations, ...incomplete].map(({ id, nodes }) => `${id}: ${nodes[0].html}`),
      passed: passes.length,
    };
  });
}

/** Shows a page of a link. */
type Show = (page: Page) => Promise<unknown>;

const PAGES: readonly (readonly [string, Show])[] = [
  ['with what is connected and what is not', (page) => page.goto(linkOf())],
  ['after a success', (page) => page.goto(`${linkOf()}?connected=${paid}`)],
  ['with the questions of a platform', (page) => page.goto(keyed())],
  [
    'with a wrong answer',
    async (page) => {
      await page.goto(keyed());
      await page.getByLabel('Address of the shop').fill('http://169.254.169.254');
      await page.getByLabel('API key').fill('x');
      await page.getByRole('button').click();
      await page.getByRole('alert').waitFor();
    },
  ],
  [
    'before a connection ends',
    async (page) => {
      await page.goto(linkOf());
      await page.getByRole('button', { name: /^Disconnect .* from SVC Sandbox Pay$/ }).click();
    },
  ],
  [
    'with several accounts to choose from',
    async (page) => {
      await page.goto(linkOf());
      await page.getByRole('button', { name: 'Connect Xero' }).click();
      await page.getByText('Harbour Street Pty').waitFor();
    },
  ],
  ['that only says something', (page) => page.goto(`${app.url}/link/0123456789abcdef0123456789abcdef`)],
];

describe.each(['light', 'dark'] as const)('in %s', (colorScheme) => {
  inBrowser.each(PAGES)('a page %s has nothing that axe-core finds', async (_what, show) => {
    const page = await openPage({ colorScheme });
    await show(page);
    const { wrong, passed } = await findings(page);
    expect(wrong).toEqual([]);
    expect(passed).toBeGreaterThan(10);
  });
});

describe('the page of a link', () => {
  inBrowser.each(PAGES)('%s fits into 320 pixels', async (_what, show) => {
    const page = await openPage({ viewport: { width: 320, height: 640 } });
    await show(page);
    const width = await page.evaluate('document.documentElement.scrollWidth');
    expect(width).toBeLessThanOrEqual(320);
  });

  inBrowser('has one button for each platform, by its own name', async () => {
    const page = await openPage();
    await page.goto(linkOf());
    const named = (name: string | RegExp) => page.getByRole('button', { name, exact: true }).count();
    expect(await named(`Connect ${BOOKS}`)).toBe(1);
    expect(await named(`Connect ${KEYED}`)).toBe(1);
    expect(await named(/^Reconnect .* at SVC Sandbox Pay$/)).toBe(1);
    expect(await named(/^Disconnect .* from SVC Sandbox Pay$/)).toBe(1);
    expect(await named('Connect SVC Sandbox Pay')).toBe(0);
  });

  inBrowser('shows the logo of a platform that has one, and the initials of every other', async () => {
    const page = await openPage();
    await page.goto(linkOf());
    const item = (title: string) =>
      page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: title, exact: true }) });
    const logo = item('Xero').locator('svg.mark');
    expect(await logo.locator('path').getAttribute('fill')).toBe('#13B5EA');
    expect(await logo.boundingBox()).toMatchObject({ width: 40, height: 40 });
    expect(await item(BOOKS).locator('.mark').innerText()).toBe('SB');
    // The name beside it says the same.
    expect(await page.locator('.mark:not([aria-hidden=true])').count()).toBe(0);
  });

  inBrowser('says before consent what is read and written, and how it ends', async () => {
    const page = await openPage();
    await page.goto(linkOf());
    const item = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: BOOKS }) });
    expect(await item.innerText()).toContain(`You can end it here at any time, or in ${BOOKS}.`);
    await item.getByText('What is read and written').click();
    const text = await item.innerText();
    expect(text).toMatch(/Read: .*tax rates, accounts,.*invoices/);
    expect(text).toMatch(/Written: .*journal entries/);
    const shop = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: KEYED }) });
    expect(await shop.innerText()).toContain('new ones written');
    const pay = connectorFor('SVC_SANDBOX', 'PAYMENTS');
    expect(consentLines({ connector: pay, access: new Map() }).text).toContain('nothing is written');
  });

  inBrowser('is used by keyboard alone, to the platform and back', async () => {
    const page = await openPage();
    await page.goto(linkOf());
    const focused = () => page.evaluate<string>('document.activeElement.innerText');
    for (
      let step = 0;
      step < 30 && !(await focused()).replace('\n', ' ').includes(`Connect ${BOOKS}`);
      step += 1
    ) {
      await page.keyboard.press('Tab');
    }
    const outline = await page.evaluate('getComputedStyle(document.activeElement).outlineWidth');
    expect(outline).toBe('3px');
    await page.keyboard.press('Enter');
    await page.waitForURL(`${sandbox.url}/accounting/oauth/authorize?**`);
    const callback = await approveConsent(page.url(), tenant.account);
    await page.goto(`${app.url}/oauth/callback?${callback.toString()}`);
    expect(await page.getByRole('status').innerText()).toContain('it is connected');
  });

  inBrowser('lets several accounts be chosen by keyboard alone', async () => {
    const page = await openPage();
    await page.goto(linkOf());
    await page.getByRole('button', { name: 'Connect Xero' }).click();
    const focused = () =>
      page.evaluate<string>('document.activeElement.closest("label, button")?.innerText ?? ""');
    const tabTo = async (name: string) => {
      for (let step = 0; step < 10 && !(await focused()).includes(name); step += 1) {
        await page.keyboard.press('Tab');
      }
      expect(await focused()).toContain(name);
      expect(await page.evaluate('getComputedStyle(document.activeElement).outlineWidth')).toBe('3px');
    };
    // The first one is chosen; none is a mistake that can be mended.
    await tabTo('Harbour Street Pty');
    await page.keyboard.press('Space');
    await tabTo('Connect');
    await page.keyboard.press('Enter');
    expect(await page.getByRole('alert').innerText()).toBe('Choose one account at least.');
    for (const name of ['Harbour Street Pty', 'Mill Lane Pty']) {
      await tabTo(name);
      if (!(await page.getByRole('checkbox', { name }).isChecked())) await page.keyboard.press('Space');
    }
    await tabTo('Connect');
    await page.keyboard.press('Enter');
    expect(await page.getByRole('status').innerText()).toContain('they are connected');
    for (const name of ['Harbour Street Pty', 'Mill Lane Pty']) {
      expect(await page.getByRole('button', { name: `Disconnect ${name} from Xero` }).count()).toBe(1);
    }
  });

  inBrowser('ends a connection after it has asked once more', async () => {
    const page = await openPage();
    const { connectionId } = await tenant.connect('PAYMENTS');
    await page.goto(linkOf());
    await page.getByRole('button', { name: /^Disconnect .* from SVC Sandbox Pay$/ }).click();
    expect(await page.getByRole('heading').innerText()).toBe('Disconnect SVC Sandbox Pay?');
    await page.getByRole('button', { name: 'Disconnect' }).click();
    expect(await page.getByRole('status').innerText()).toContain('It is disconnected');
    const row = await admin.prisma.connection.findFirstOrThrow({ where: { svcId: BigInt(connectionId) } });
    expect(row.status).toBe('DISCONNECTED');
    expect(await page.getByRole('button', { name: /^Disconnect .* from SVC Sandbox Pay$/ }).count()).toBe(0);
  });

  test.each([
    ['another site', { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }, 403],
    ['another site that hides its origin', { 'sec-fetch-site': 'cross-site', origin: 'null' }, 403],
    ['another site, in an old browser', { origin: 'https://evil.example' }, 403],
    ['no address', { origin: 'nonsense' }, 403],
    ['its own page', { 'sec-fetch-site': 'same-origin', origin: 'null' }, 303],
    [
      'its own page, behind a proxy that changes it',
      { 'sec-fetch-site': 'same-origin', origin: 'http://x' },
      303,
    ],
    ['another site that hides its origin, in an old browser', { origin: 'null' }, 403],
    ['the same address', { origin: () => app.url }, 303],
    ['no browser', {}, 303],
  ])('takes a form of %s as it should', async (_who, headers, status) => {
    const sent = Object.entries(headers).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : value(),
    ]);
    asking += 1;
    const answer = await fetch(linkOf(), {
      method: 'POST',
      body: new URLSearchParams({ platform: 'SVC_SANDBOX:ACCOUNTING' }),
      headers: { 'x-forwarded-for': `192.0.2.${asking}`, ...Object.fromEntries(sent) },
      redirect: 'manual',
    });
    expect(answer.status).toBe(status);
    expect(answer.headers.has('set-cookie')).toBe(status === 303);
    if (status === 403) {
      expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(await answer.text()).toContain(`sent by another website`);
    }
  });

  inBrowser('is not used by another website in the name of its customer', async () => {
    const page = await openPage();
    const evil = 'http://evil.example/';
    await page.route(evil, (route) =>
      route.fulfill({
        contentType: 'text/html',
        body: `<form method="post" action="${linkOf()}/disconnect">
          <input name="connection" value="${paid}" /><button>Win</button></form>`,
      }),
    );
    await page.goto(evil);
    const answer = page.waitForResponse((response) => response.url().startsWith(linkOf()));
    await page.getByRole('button').click();
    expect((await answer).status()).toBe(403);
    expect(await page.getByRole('alert').innerText()).toContain('nothing was done');
    const row = await admin.prisma.connection.findFirstOrThrow({ where: { svcId: BigInt(paid) } });
    expect(row.status).toBe('HEALTHY');
    await page.getByRole('link', { name: 'Open your link' }).click();
    expect(page.url()).toBe(linkOf());
  });

  inBrowser('reports what was done only while it is so', async () => {
    const fresh = await createSandboxTenant(engine, sandbox, { records: 40 });
    const page = await openPage();
    for (const query of ['connected=1', `connected=${paid}`, 'connected=', 'disconnected=1']) {
      await page.goto(`${app.url}/link/${fresh.link.inviteLinkId}?${query}`);
      expect(await page.getByRole('status').count()).toBe(0);
    }
    for (const query of ['disconnected=1', `disconnected=${paid}`, `connected=${paid}.1`]) {
      await page.goto(`${linkOf()}?${query}`);
      expect(await page.getByRole('status').count()).toBe(0);
    }
    await page.goto(`${linkOf()}?connected=${paid}`);
    expect(await page.getByRole('status').innerText()).toContain('it is connected');

    const other = await openPage();
    await other.goto(`${linkOf()}?disconnect=${paid}`);
    await other.getByRole('button', { name: 'Disconnect' }).click();
    expect(await other.getByRole('status').innerText()).toContain('It is disconnected');
    await page.reload();
    expect(await page.getByRole('status').count()).toBe(0);

    await tenant.connect('PAYMENTS');
    await other.reload();
    expect(await other.getByRole('status').count()).toBe(0);
  });

  test('is found with a slash at its end, as mail programs add one', async () => {
    const back = new URLSearchParams({ return_url: 'https://app.example.com/a?b=c' }).toString();
    for (const query of ['', `?${back}`]) {
      const answer = await get(`/link/${tenant.link.inviteLinkId}/${query}`);
      expect(answer.status).toBe(308);
      expect(answer.headers.get('location')).toBe(linkOf() + query);
    }
    expect((await get(`/link/${'%2F'.repeat(20)}/`)).headers.get('location')).toBe(
      `${app.url}/link/${'%2F'.repeat(20)}`,
    );
  });

  test.each(['/link', '/link/', '/link?a=b', '/link//', '/link/a/b', `/link/${'a'.repeat(32)}/disconnect`])(
    'is a page too where there is none: %s',
    async (path) => {
      const answer = await get(path, { redirect: 'follow' });
      expect(answer.status).toBe(404);
      expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'");
      expect(await answer.text()).toContain('There is no such link. Please check its address');
      const posted = await get(path, { method: 'POST', body: new URLSearchParams({ platform: 'XERO' }) });
      expect(posted.status).toBe(404);
      expect(await posted.text()).toContain('There is no such link. Please check its address');
    },
  );
});
