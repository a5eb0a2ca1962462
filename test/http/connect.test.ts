import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import type { App } from '../../src/app.js';
import { approveConsent } from '../../src/demo/consent.js';
import type { Sandbox } from '../../src/sandbox/index.js';
import type { SyncEngine } from '../../src/sync/engine.js';
import {
  control,
  createSandboxTenant,
  engineOf,
  type SandboxTenant,
  startTestSandbox,
} from '../support/sandbox.js';
import { inBrowser, launchBrowser } from '../support/browser.js';
import { createCaller, startApp } from '../support/service.js';
import { admin } from '../support/admin.js';
import { untilBlocked } from '../support/until-blocked.js';

const BOOKS = 'SVC Sandbox Books';
const UNKNOWN = '0123456789abcdef0123456789abcdef';

let app: App;
let sandbox: Sandbox;
let engine: SyncEngine;
let browser: Browser | null = null;
let browsers = 0;

beforeAll(async () => {
  sandbox = await startTestSandbox();
  app = await startApp({ SANDBOX_URL: sandbox.url, TRUST_PROXY: '1' });
  engine = engineOf(app, sandbox.url);
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser?.close();
  await app.close();
  await sandbox.stop();
});

/** A browser of its own: no cookie is shared. Pages are limited by address: each is at its own. */
async function openBrowser(): Promise<Page> {
  browsers += 1;
  const extraHTTPHeaders = { 'x-forwarded-for': `192.0.2.${browsers}` };
  const context = await (browser as Browser).newContext({ extraHTTPHeaders });
  return context.newPage();
}

const createTenant = () => createSandboxTenant(engine, sandbox, { records: 60 });
const linkOf = (tenant: SandboxTenant) => `${app.url}/link/${tenant.link.inviteLinkId}`;
const item = (page: Page) => page.getByRole('listitem').filter({ hasText: BOOKS });
const choose = (page: Page) =>
  item(page)
    .getByRole('button', { name: new RegExp(`^(Connect|Reconnect .*at) ${BOOKS}$`) })
    .click();
const connectionsOf = (tenant: SandboxTenant) =>
  admin.prisma.connection.findMany({
    where: { svcCompanyId: BigInt(tenant.companyId) },
    orderBy: { svcId: 'asc' },
  });

/** Number of accesses to the tenant's account that are valid at the platform. */
async function livingGrants(tenant: SandboxTenant): Promise<number> {
  const { rows } = await admin.pool.query(
    `SELECT FROM sandbox.grants JOIN sandbox.accounts ON accounts.key = grants.account
     WHERE accounts.id = $1 AND revoked_at IS NULL`,
    [tenant.account],
  );
  return rows.length;
}

/** From the link to the platform's consent page. */
async function leave(page: Page, tenant: SandboxTenant): Promise<void> {
  await page.goto(linkOf(tenant));
  await choose(page);
  await page.waitForURL(`${sandbox.url}/accounting/oauth/authorize?**`);
}

async function decide(page: Page, tenant: SandboxTenant, decision: 'Allow' | 'Refuse'): Promise<void> {
  await page.locator(`input[name=account][value="${tenant.account}"]`).check();
  await page.getByRole('button', { name: decision }).click();
  await page.waitForURL(`${app.url}/**`);
}

async function connect(page: Page, tenant: SandboxTenant): Promise<void> {
  await leave(page, tenant);
  await decide(page, tenant, 'Allow');
  await page.getByRole('status').waitFor();
}

/** What the platform sends back for an approval, to be opened by hand. */
async function callbackFor(page: Page, tenant: SandboxTenant): Promise<string> {
  await leave(page, tenant);
  return `${app.url}/oauth/callback?${(await approveConsent(page.url(), tenant.account)).toString()}`;
}

describe('connecting in a browser', () => {
  inBrowser('leads from the link over the platform and back, and the records arrive', async () => {
    const tenant = await createTenant();
    const page = await openBrowser();
    const problems: string[] = [];
    const hosts = new Set<string>();
    page.on('pageerror', (error) => problems.push(error.message));
    page.on('request', (request) => hosts.add(new URL(request.url()).origin));

    await page.goto(linkOf(tenant));
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe(
      `Connect Company ${tenant.account}`,
    );
    expect(await page.locator('main').innerText()).toContain(
      `Organisation ${tenant.account} asks for access`,
    );
    expect(await page.getByRole('listitem').count()).toBe(3);

    await choose(page);
    await page.waitForURL(`${sandbox.url}/accounting/oauth/authorize?**`);
    const [cookie] = await page.context().cookies(`${app.url}/oauth/callback`);
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Lax', path: '/oauth/callback' });
    await decide(page, tenant, 'Allow');

    expect(page.url()).toMatch(/\?connected=\d+$/);
    expect(await page.getByRole('status').innerText()).toContain('it is connected');
    expect(await item(page).innerText()).toContain('Connected');
    expect(await item(page).innerText()).toContain(`Company ${tenant.account}`);
    expect({ problems, hosts: [...hosts].sort() }).toEqual({
      problems: [],
      hosts: [app.url, sandbox.url].sort(),
    });

    const { syncs, ...connection } = await admin.prisma.connection.findFirstOrThrow({
      where: { svcCompanyId: BigInt(tenant.companyId) },
      include: { syncs: true },
    });
    expect(connection).toMatchObject({
      status: 'HEALTHY',
      category: 'ACCOUNTING',
      externalAccountId: tenant.account,
    });
    expect(syncs).toMatchObject([{ state: 'PENDING', syncType: 'MANUAL' }]);
    await tenant.run(Number(syncs[0]?.svcId));
    const caller = await createCaller(app, tenant.organisationId);
    const contacts = await caller.get('/v3/accounting/contacts?limit=1&return_count=true');
    expect(contacts.body.total_count).toBeGreaterThan(0);
    const companies = await caller.get('/v3/core/companies');
    expect(companies.body.data).toMatchObject([
      { status: 'HEALTHY', connections: [{ connection_status: 'HEALTHY', sync_status: 'IDLE' }] },
    ]);
  });

  inBrowser('says when the customer refused, and lets him try again from there', async () => {
    const tenant = await createTenant();
    const page = await openBrowser();
    await leave(page, tenant);
    await decide(page, tenant, 'Refuse');
    expect(await page.getByRole('alert').innerText()).toContain(`access to ${BOOKS} was not granted`);
    expect(await connectionsOf(tenant)).toEqual([]);

    await choose(page);
    await page.waitForURL(`${sandbox.url}/accounting/oauth/authorize?**`);
    await decide(page, tenant, 'Allow');
    expect(await page.getByRole('status').innerText()).toContain('it is connected');
    expect(await connectionsOf(tenant)).toMatchObject([{ status: 'HEALTHY' }]);
  });

  inBrowser('says when the platform fails, and offers the choices again', async () => {
    const tenant = await createTenant();
    const page = await openBrowser();
    const callback = await callbackFor(page, tenant);
    await control(sandbox, 'POST', '/faults', {
      rules: [{ platform: 'accounting', path: '/accounting/oauth/token', fault: '500', count: 1 }],
    });
    const answer = await page.goto(callback);
    await control(sandbox, 'DELETE', '/faults');
    expect(answer?.status()).toBeGreaterThanOrEqual(400);
    expect(await page.getByRole('alert').innerText()).toContain('It was not connected');
    expect((await page.goto(callback))?.status()).toBe(400);
    expect(await page.getByRole('alert').innerText()).toContain('was already used');
    await choose(page);
    await page.waitForURL(`${sandbox.url}/accounting/oauth/authorize?**`);
    expect(await connectionsOf(tenant)).toEqual([]);
  });

  inBrowser('uses an answer that is brought twice once, and leads to the same page', async () => {
    const tenant = await createTenant();
    const page = await openBrowser();
    const callback = await callbackFor(page, tenant);
    expect((await page.goto(callback))?.status()).toBe(200);
    const before = await connectionsOf(tenant);
    const address = page.url();
    expect((await page.goto(callback))?.status()).toBe(200);
    expect(page.url()).toBe(address);
    expect(await page.getByRole('status').innerText()).toContain('it is connected');
    expect(await connectionsOf(tenant)).toEqual(before);
    // What the first one gave lives on.
    const [sync, ...others] = await admin.prisma.sync.findMany({
      where: { svcCompanyId: BigInt(tenant.companyId) },
    });
    expect(others).toEqual([]);
    await tenant.run(Number(sync?.svcId));
    expect(await admin.prisma.sync.findMany({ where: { svcId: sync?.svcId ?? 0n } })).toMatchObject([
      { state: 'SUCCESS' },
    ]);
  });

  inBrowser('does not deny a connection to a customer who goes back and allows it again', async () => {
    const tenant = await createTenant();
    const page = await openBrowser();
    await connect(page, tenant);
    const address = page.url();
    await page.goBack();
    await page.waitForURL(`${sandbox.url}/accounting/oauth/authorize?**`);
    await decide(page, tenant, 'Allow');
    expect(page.url()).toBe(address);
    expect(await page.getByRole('alert').count()).toBe(0);
    expect(await page.getByRole('status').innerText()).toContain('it is connected');
    expect(await connectionsOf(tenant)).toHaveLength(1);
  });

  inBrowser('refuses an answer in another browser than the one that left', async () => {
    const tenant = await createTenant();
    const left = await openBrowser();
    const callback = await callbackFor(left, tenant);
    const other = await openBrowser();
    const refused = await other.goto(callback);
    expect(refused?.status()).toBe(400);
    expect(await other.getByRole('alert').innerText()).toContain('started in this browser');
    expect(await connectionsOf(tenant)).toEqual([]);
    // Nothing was used up by it.
    expect((await left.goto(callback))?.status()).toBe(200);
    expect(await connectionsOf(tenant)).toMatchObject([{ status: 'HEALTHY' }]);
  });

  inBrowser('connects again by the same link, and keeps the connection', async () => {
    const tenant = await createTenant();
    const page = await openBrowser();
    await connect(page, tenant);
    const [first] = await connectionsOf(tenant);
    await admin.prisma.connection.updateMany({
      where: { svcCompanyId: BigInt(tenant.companyId) },
      data: { status: 'EXPIRED' },
    });
    await page.goto(linkOf(tenant));
    expect(await item(page).innerText()).toContain('Needs to be connected again');
    const buttons = await item(page).getByRole('button').allInnerTexts();
    expect(buttons.map((text) => text.replace('\n', ' '))).toEqual([
      `Reconnect Company ${tenant.account} at ${BOOKS}`,
      `Disconnect Company ${tenant.account} from ${BOOKS}`,
      `Connect another account of ${BOOKS}`,
    ]);
    await connect(page, tenant);
    const after = await connectionsOf(tenant);
    expect(after).toMatchObject([{ svcId: first?.svcId, status: 'HEALTHY' }]);
  });

  inBrowser('shows names as they are, whatever they hold', async () => {
    const tenant = await createTenant();
    const name = `<b id="x">Bold</b> & "Co" <script>document.title = 'taken'</script>`;
    await admin.prisma.company.updateMany({
      where: { svcId: BigInt(tenant.companyId) },
      data: { name },
    });
    await admin.prisma.organisation.update({
      where: { svcId: BigInt(tenant.organisationId) },
      data: { name: `<i>${tenant.account}</i>` },
    });
    const page = await openBrowser();
    await page.goto(linkOf(tenant));
    expect(await page.title()).toBe(`Connect ${name}`);
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe(`Connect ${name}`);
    expect(await page.locator('main').innerText()).toContain(`<i>${tenant.account}</i> asks for access`);
    expect(await page.locator('b, i, script').count()).toBe(0);
  });
});

describe('a link that works no more', () => {
  const withdrawn = (tenant: SandboxTenant) =>
    `This link has been withdrawn. Please ask Organisation ${tenant.account} for a new one.`;

  test.each([
    ['expired', { expiresAt: new Date(Date.now() - 1000) }, 'has expired'],
    ['ended', { revokedAt: new Date() }, 'has been withdrawn'],
  ])('that has %s says so, and begins nothing', async (_why, data, text) => {
    const tenant = await createTenant();
    await admin.prisma.inviteLink.updateMany({
      where: { inviteLinkId: tenant.link.inviteLinkId },
      data,
    });
    const page = await fetch(linkOf(tenant));
    const begun = await fetch(linkOf(tenant), {
      method: 'POST',
      body: new URLSearchParams({ platform: 'SVC_SANDBOX:ACCOUNTING' }),
      redirect: 'manual',
    });
    for (const answer of [page, begun]) {
      expect(answer.status).toBe(404);
      const shown = await answer.text();
      expect(shown).toContain(text);
      expect(shown).toContain(`ask Organisation ${tenant.account} for a new one`);
      expect(shown).not.toContain('<form');
    }
    const which = { svcCompanyId: BigInt(tenant.companyId) };
    expect(await admin.prisma.authorization.count({ where: which })).toBe(0);
  });

  inBrowser('because it was ended while the customer was away connects nothing', async () => {
    const tenant = await createTenant();
    const page = await openBrowser();
    const callback = await callbackFor(page, tenant);
    await admin.prisma.inviteLink.updateMany({
      where: { inviteLinkId: tenant.link.inviteLinkId },
      data: { revokedAt: new Date() },
    });
    expect((await page.goto(callback))?.status()).toBe(404);
    expect(await page.getByRole('alert').innerText()).toBe(withdrawn(tenant));
    expect(await page.locator('form').count()).toBe(0);
    expect(await connectionsOf(tenant)).toEqual([]);
  });

  inBrowser(
    'because it is ended while the platform is asked connects nothing, and ends the access',
    async () => {
      const tenant = await createTenant();
      const page = await openBrowser();
      const callback = await callbackFor(page, tenant);
      const ending = await admin.pool.connect();
      try {
        await ending.query('BEGIN');
        await ending.query('UPDATE invite_links SET revoked_at = now() WHERE invite_link_id = $1', [
          tenant.link.inviteLinkId,
        ]);
        const shown = page.goto(callback);
        await untilBlocked();
        await ending.query('COMMIT');
        expect((await shown)?.status()).toBe(404);
      } finally {
        ending.release();
      }
      expect(await page.getByRole('alert').innerText()).toBe(withdrawn(tenant));
      expect(await page.locator('form').count()).toBe(0);
      expect(await connectionsOf(tenant)).toEqual([]);
      expect(await livingGrants(tenant)).toBe(0);
    },
  );

  test.each([UNKNOWN, 'short', '%00%00%00%00%00%00%00%00%00%00%00%00%00%00%00%00', "x' OR 1=1 --aaaaaaaa"])(
    'because there is none of that id (%s) is not there',
    async (id) => {
      const answer = await fetch(`${app.url}/link/${id}`);
      expect(answer.status).toBe(404);
      expect(await answer.text()).toContain('There is no such link');
    },
  );
});

describe('the pages', () => {
  const HEADERS = {
    'content-type': 'text/html; charset=utf-8',
    'referrer-policy': 'same-origin',
    'x-robots-tag': 'noindex',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  };

  test('send headers that keep everything else out', async () => {
    const tenant = await createTenant();
    for (const [path, status] of [
      [`/link/${tenant.link.inviteLinkId}`, 200],
      [`/link/${UNKNOWN}`, 404],
      ['/oauth/callback?code=x&state=y', 400],
      ['/oauth/callback', 400],
    ] as const) {
      const answer = await fetch(app.url + path);
      expect({ path, status: answer.status }).toEqual({ path, status });
      expect(Object.fromEntries(answer.headers)).toMatchObject(HEADERS);
      const policy = answer.headers.get('content-security-policy') ?? '';
      for (const part of ["default-src 'none'", "base-uri 'none'", "frame-ancestors 'none'"]) {
        expect(policy.split('; ')).toContain(part);
      }
    }
  });

  test.each(['', 'XERO:ACCOUNTING', 'SVC_SANDBOX:NONSENSE', 'SVC_SANDBOX'])(
    'refuse a platform that the link does not offer (%s)',
    async (platform) => {
      const tenant = await createTenant();
      const answer = await fetch(linkOf(tenant), {
        method: 'POST',
        body: new URLSearchParams({ platform }),
        redirect: 'manual',
      });
      const asked = await fetch(`${linkOf(tenant)}?${new URLSearchParams({ platform }).toString()}`);
      for (const one of [answer, asked]) {
        expect(one.status).toBe(400);
        const text = await one.text();
        expect(text).toMatch(
          /role="alert">\s*This link does not offer that platform\. Please choose one that/,
        );
        // It shows those that it offers.
        expect(text).toContain(BOOKS);
      }
    },
  );

  test('let an address ask sixty times a minute, and leave the rest of the service alone', async () => {
    const limited = await startApp({ SANDBOX_URL: sandbox.url });
    try {
      for (let asked = 0; asked < 60; asked += 1) {
        expect((await fetch(`${limited.url}/link/${UNKNOWN}`)).status).toBe(404);
      }
      const refused = await fetch(`${limited.url}/link/${UNKNOWN}`);
      expect(refused.status).toBe(429);
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(Object.fromEntries(refused.headers)).toMatchObject(HEADERS);
      expect(await refused.text()).toContain('>Too many requests from your address');
      expect((await fetch(`${limited.url}/health/live`)).status).toBe(200);
      expect((await fetch(`${limited.url}/v3/accounting/accounts`)).status).toBe(401);
    } finally {
      await limited.close();
    }
  });
});
