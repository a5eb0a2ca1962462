import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import type { App } from '../../src/app.js';
import { finishOrRepeat } from '../../src/connect/repeated.js';
import { approveConsent } from '../../src/demo/consent.js';
import { organisationScope } from '../../src/db/scope.js';
import { findOrCreateCompany } from '../../src/operations/companies/companies.js';
import { clientSecretPlace } from '../../src/platforms/client-credentials.js';
import { type Sandbox, SHARED_CLIENT } from '../../src/sandbox/index.js';
import type { SyncEngine } from '../../src/sync/engine.js';
import { startXeroIdentity, type XeroIdentity } from '../connectors/xero-fake/identity.js';
import { admin } from '../support/admin.js';
import { inBrowser, launchBrowser } from '../support/browser.js';
import { startOddPlatform } from '../support/platform.js';
import {
  control,
  createSandboxTenant,
  engineOf,
  type SandboxTenant,
  startTestSandbox,
  testSecrets,
} from '../support/sandbox.js';
import { createCaller, startApp } from '../support/service.js';
import { until } from '../support/until.js';
import { untilBlocked } from '../support/until-blocked.js';

const FORM = 'SVC_SANDBOX_SELF_HOSTED';
const PER_SHOP = 'SVC_SANDBOX_PER_SHOP';

let app: App;
let sandbox: Sandbox;
let xero: XeroIdentity;
let engine: SyncEngine;
let browser: Browser | null = null;
let tenant: SandboxTenant;
let asking = 0;

beforeAll(async () => {
  sandbox = await startTestSandbox();
  xero = await startXeroIdentity();
  app = await startApp({
    SANDBOX_URL: sandbox.url,
    SANDBOX_PER_SHOP_URL: sandbox.url,
    XERO_URL: xero.url,
    TRUST_PROXY: '1',
  });
  engine = engineOf(app, sandbox.url);
  engine = { ...engine, urls: { ...engine.urls, [PER_SHOP]: sandbox.url } };
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser?.close();
  await app.close();
  await sandbox.stop();
  await xero.stop();
});
beforeEach(async () => {
  asking += 1;
  tenant = await createSandboxTenant(engine, sandbox, { records: 40 });
  await admin.prisma.inviteLink.updateMany({
    where: { inviteLinkId: tenant.link.inviteLinkId },
    data: { integrations: [] },
  });
});

/** Pages are limited by address: each test asks from its own. */
const from = () => ({ 'x-forwarded-for': `192.0.2.${asking}` });
const show = (url: string, headers: Readonly<Record<string, string>> = {}) =>
  fetch(url, { headers: { ...from(), ...headers }, redirect: 'manual' });
const linkOf = () => `${app.url}/link/${tenant.link.inviteLinkId}`;
const connections = () =>
  admin.prisma.connection.findMany({
    where: { svcCompanyId: BigInt(tenant.companyId) },
    orderBy: { svcId: 'asc' },
  });
const newKey = async (): Promise<string> =>
  (await control(sandbox, 'POST', '/tokens', { platform: 'ecommerce', account: tenant.account }))
    .access_token;

/** An integration with an app of the sandbox's, or without one. */
const addIntegration = async (integrationType: string, app: { readonly scopes?: string[] } | null) =>
  admin.prisma.integration.create({
    data: {
      svcOrganisationId: BigInt(tenant.organisationId),
      integrationType,
      ...(app && {
        clientId: SHARED_CLIENT.clientId,
        clientSecret: testSecrets.seal(
          SHARED_CLIENT.clientSecret,
          clientSecretPlace(integrationType, tenant.organisationId),
        ),
        scopes: app.scopes ?? [],
      }),
    },
  });

const post = (url: string, form: Readonly<Record<string, string>> | (readonly string[])[], cookie = '') =>
  fetch(url, {
    method: 'POST',
    body: new URLSearchParams(form as Record<string, string>),
    redirect: 'manual',
    headers: { ...from(), cookie },
  });
const openForm = (typed: { readonly address: string; readonly key: string }, url = linkOf()) =>
  post(url, { platform: `${FORM}:ECOMMERCE`, 'given.address': typed.address, 'given.api_key': typed.key });
const cookieOf = (answer: Response) => (answer.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
const openPage = async (): Promise<Page> =>
  (await (browser as Browser).newContext({ extraHTTPHeaders: from() })).newPage();
const runLatest = async () => {
  const sync = await admin.prisma.sync.findFirstOrThrow({
    where: { svcCompanyId: BigInt(tenant.companyId) },
    orderBy: { svcId: 'desc' },
  });
  await tenant.run(Number(sync.svcId));
  return admin.prisma.sync.findFirstOrThrow({ where: { svcId: sync.svcId } });
};

describe('a form', () => {
  inBrowser('with an address and a key connects on the link page, and the records arrive', async () => {
    await addIntegration(FORM, null);
    const page = await openPage();
    await page.goto(linkOf());
    await page.getByRole('button', { name: 'Connect SVC Sandbox Self-Hosted Shop' }).click();
    await page.getByLabel('Address of the shop').fill(sandbox.url);
    await page.getByLabel('API key').fill('a wrong key');
    await page.getByRole('button', { name: 'Connect SVC Sandbox Self-Hosted Shop' }).click();
    const key = page.getByLabel('API key');
    expect(await page.getByRole('alert').innerText()).toBe('API key must be a key that this shop accepts');
    expect(await key.getAttribute('aria-invalid')).toBe('true');
    // What was no secret is still there.
    expect(await page.getByLabel('Address of the shop').inputValue()).toBe(sandbox.url);
    expect(await key.inputValue()).toBe('');
    expect(await connections()).toEqual([]);

    const secret = await newKey();
    await key.fill(secret);
    await page.getByRole('button', { name: 'Connect SVC Sandbox Self-Hosted Shop' }).click();
    expect(await page.getByRole('status').innerText()).toContain('it is connected');
    const { host } = new URL(sandbox.url);
    expect(await connections()).toMatchObject([
      {
        status: 'HEALTHY',
        externalAccountId: `${host} ${tenant.account}`,
        address: sandbox.url,
        settings: {},
      },
    ]);
    expect(await runLatest()).toMatchObject({ state: 'SUCCESS' });
    const caller = await createCaller(app, tenant.organisationId);
    const orders = await caller.get('/v3/ecommerce/transactions?limit=1&return_count=true');
    expect(orders.body.total_count).toBeGreaterThan(0);
  });

  test('whose key was withdrawn makes the connection EXPIRED, and a new key mends it', async () => {
    await addIntegration(FORM, null);
    expect((await openForm({ address: sandbox.url, key: await newKey() })).status).toBe(303);
    await control(sandbox, 'POST', `/accounts/${tenant.account}/tokens`, { action: 'revoke' });
    await runLatest();
    const [expired] = await connections();
    expect(expired).toMatchObject({ status: 'EXPIRED' });
    expect(await (await show(linkOf())).text()).toContain('Needs to be connected again');
    // Another spelling of the same address is the same shop.
    expect((await openForm({ address: `${sandbox.url}/`, key: await newKey() })).status).toBe(303);
    expect(await connections()).toMatchObject([{ svcId: expired?.svcId, status: 'HEALTHY' }]);
  });

  test.each([
    ['http://169.254.169.254', 'Address of the shop must be an address'],
    ['http://user:password@127.0.0.1', 'Address of the shop must be an address'],
    ['no address', 'Address of the shop must be an address'],
    ['http://127.0.0.1:1/?a=b', 'Address of the shop must be an address without a question mark'],
    ['', 'Address of the shop must be one line'],
  ])('does not call %s', async (address, words) => {
    await addIntegration(FORM, null);
    const answer = await openForm({ address, key: 'a key' });
    expect(answer.status).toBe(400);
    expect(await answer.text()).toContain(words);
    expect(await connections()).toEqual([]);
  });

  test('whose platform refuses it in a sentence shows that with one full stop', async () => {
    await addIntegration(FORM, null);
    const odd = await startOddPlatform();
    try {
      odd.answer(
        (_heard, response) => void response.writeHead(503).end('{"error":{"message":"Come later."}}'),
      );
      const answer = await openForm({ address: odd.url, key: 'a key' });
      expect(answer.status).toBe(502);
      expect(await answer.text()).toContain('refused the request with 503: Come later. You can try again.');
    } finally {
      await odd.close();
    }
  });

  test('does not lead into a private network, by its address or by a name, now or later', async () => {
    await addIntegration(FORM, null);
    expect((await openForm({ address: sandbox.url, key: await newKey() })).status).toBe(303);
    const strict = await startApp({ ALLOW_PRIVATE_ADDRESSES: 'false' });
    try {
      const link = `${strict.url}/link/${tenant.link.inviteLinkId}`;
      // What other tests had it do.
      xero.heard();
      for (const address of [xero.url, xero.url.replace('http:', 'https:'), 'https://localhost']) {
        expect((await openForm({ address, key: 'a key' }, link)).status).toBe(400);
      }
      expect(xero.heard()).toEqual([]);
      // What was typed in while it was allowed is called no more.
      const scopes = ['read', 'passthrough'] as const;
      const pass = async (at: App) => {
        const caller = await createCaller(at, tenant.organisationId, { scopes: [...scopes] });
        const data = { method: 'GET', path: '/shop.json' };
        return caller.post('/v3/core/passthrough', { company_id: tenant.companyId, data });
      };
      expect((await pass(app)).status).toBe(200);
      expect((await pass(strict)).body.error).toMatchObject({ code: 'platform-unreachable' });
    } finally {
      await strict.close();
    }
  });

  test('is offered only where its integration is there and switched on', async () => {
    expect(await (await show(linkOf())).text()).not.toContain('Self-Hosted');
    const { svcId } = await addIntegration(FORM, null);
    expect(await (await show(linkOf())).text()).toContain('Self-Hosted');
    await admin.prisma.integration.update({ where: { svcId }, data: { isDisabled: true } });
    expect((await openForm({ address: sandbox.url, key: await newKey() })).status).toBe(400);
    expect(await connections()).toEqual([]);
  });
});

describe('a shop by its name', () => {
  const begin = (shop: string) => post(linkOf(), { platform: `${PER_SHOP}:ECOMMERCE`, 'given.shop': shop });
  /** From the link to what the shop sends back. */
  const approved = async () => {
    const begun = await begin(tenant.account);
    const address = begun.headers.get('location') ?? '';
    return {
      address: new URL(address),
      cookie: cookieOf(begun),
      callback: await approveConsent(address, ''),
    };
  };
  const comeBack = (callback: URLSearchParams, cookie: string) =>
    show(`${app.url}/oauth/callback?${callback.toString()}`, { cookie });

  test('connects once, and says so each time, if its answer comes several times at once', async () => {
    await addIntegration(PER_SHOP, {});
    const { cookie, callback } = await approved();
    const answers = await Promise.all([1, 2, 3].map(() => comeBack(callback, cookie)));
    const [made, ...others] = await connections();
    expect(others).toEqual([]);
    for (const answer of answers) {
      expect(answer.status).toBe(303);
      expect(answer.headers.get('location')).toBe(`${linkOf()}?connected=${made?.svcId}`);
    }
    const syncs = await admin.prisma.sync.count({ where: { svcCompanyId: BigInt(tenant.companyId) } });
    expect(syncs).toBe(1);
    for (const other of ['', 'svc_state_0123456789abcdef0123456789abcdef=']) {
      expect((await comeBack(callback, other)).status).toBe(400);
    }
  });

  test('is asked for before the redirect, and the answer is checked and kept', async () => {
    await addIntegration(PER_SHOP, {});
    const { address, cookie, callback } = await approved();
    expect(address.pathname).toBe(`/ecommerce/shops/${tenant.account}/oauth/authorize`);
    expect(address.searchParams.get('scope')).toBe('read,write');
    expect(address.searchParams.has('code_challenge')).toBe(false);
    const back = await comeBack(callback, cookie);
    const [made] = await connections();
    expect(back.headers.get('location')).toBe(`${linkOf()}?connected=${made?.svcId}`);
    expect(await connections()).toMatchObject([
      {
        status: 'HEALTHY',
        externalAccountId: tenant.account,
        address: null,
        settings: { shop: tenant.account, host: callback.get('host'), scope: 'read write' },
      },
    ]);
    // Renewed at the shop's own address.
    await admin.prisma.connectionCredential.updateMany({
      where: { svcCompanyId: BigInt(tenant.companyId) },
      data: { expiresAt: new Date(Date.now() - 1000) },
    });
    expect(await runLatest()).toMatchObject({ state: 'SUCCESS' });
  });

  test.each([
    ['another shop', 'shop', 'another'],
    ['another signature', 'hmac', 'ab'.repeat(32)],
    ['no signature', 'hmac', null],
  ])('whose answer has %s connects nothing', async (_what, name, value) => {
    await addIntegration(PER_SHOP, {});
    const { cookie, callback } = await approved();
    if (value === null) callback.delete(name);
    else callback.set(name, value);
    const answer = await comeBack(callback, cookie);
    expect(answer.status).toBe(400);
    expect(await answer.text()).toContain('must be the signature');
    expect(await connections()).toEqual([]);
  });

  test.each(['evil.example/', 'a/../b', 'Shop', ''])('is no address of anybody else (%s)', async (shop) => {
    await addIntegration(PER_SHOP, {});
    const answer = await begin(shop);
    expect(answer.status).toBe(400);
    expect(await answer.text()).toContain('Name of the shop must be');
  });

  test('is asked for the scopes of the app, where it has its own', async () => {
    await addIntegration(PER_SHOP, { scopes: ['read'] });
    const begun = await begin(tenant.account);
    expect(new URL(begun.headers.get('location') ?? '').searchParams.get('scope')).toBe('read');
  });
});

describe('the way back to the product', () => {
  const UPDATE = `mutation ($origins: [String!]!) { updateReturnOrigins(input: { origins: $origins }) {
    returnOrigins userErrors { code field message } } }`;
  const PRODUCT = 'https://app.example.com';
  const back = `${PRODUCT}/settings?tab=books`;
  const there = (url: string) => `${linkOf()}?return_url=${encodeURIComponent(url)}`;
  const shown = async (url: string) =>
    (await (await show(there(url))).text()).includes('eturn to app.example.com');

  test('is shown for exact origins that the organisation allows, and for no other', async () => {
    expect(await shown(back)).toBe(false);
    const caller = await createCaller(app, tenant.organisationId);
    const { body } = await caller.graphql(UPDATE, { origins: [PRODUCT, 'http://localhost:3000'] });
    expect(body.data.updateReturnOrigins).toEqual({
      returnOrigins: ['http://localhost:3000', PRODUCT],
      userErrors: [],
    });
    expect(await shown(back)).toBe(true);
    for (const other of [
      'http://app.example.com/settings',
      'https://app.example.com:8443/settings',
      'https://app.example.com.evil.example/',
      'https://app.example.com@evil.example/',
      'https://somebody@app.example.com/',
      'javascript:alert(1)//https://app.example.com',
      `${back}&${'x'.repeat(1000)}`,
      '//app.example.com',
    ]) {
      expect({ other, shown: await shown(other) }).toEqual({ other, shown: false });
    }
    // Another organisation's are its own.
    tenant = await createSandboxTenant(engine, sandbox, { records: 40 });
    expect(await shown(back)).toBe(false);
  });

  test.each([
    'https://*.example.com',
    'https://app.example.com/',
    'https://app.example.com/path',
    'http://app.example.com',
    'app.example.com',
    'null',
    '',
  ])('is refused as an origin: %s', async (origin) => {
    const caller = await createCaller(app, tenant.organisationId);
    const { body } = await caller.graphql(UPDATE, { origins: [PRODUCT, origin] });
    expect(body.data.updateReturnOrigins).toMatchObject({
      returnOrigins: null,
      userErrors: [{ code: 'INVALID_PARAMS', field: ['origins', '1'] }],
    });
  });

  test('is changed by keys that may change integrations only', async () => {
    const caller = await createCaller(app, tenant.organisationId, { scopes: ['read', 'write'] });
    const { body } = await caller.graphql(UPDATE, { origins: [PRODUCT] });
    expect(body.errors).toMatchObject([{ extensions: { code: 'forbidden' } }]);
    const { body: read } = await caller.graphql('{ returnOrigins }');
    expect(read.data).toEqual({ returnOrigins: [] });
  });

  test('says that the customer declined, beside the parameters of the product as they are', async () => {
    expect(await (await show(linkOf())).text()).toContain('to decline, close this page');
    const caller = await createCaller(app, tenant.organisationId);
    await caller.graphql(UPDATE, { origins: [PRODUCT] });
    for (const [url, href] of [
      [`${PRODUCT}/`, `${PRODUCT}/?link_outcome=declined`],
      [`${PRODUCT}/?link_outcome=connected&a=b`, `${PRODUCT}/?a=b&#38;link_outcome=declined`],
      [`${PRODUCT}/a?flag&b=c%20d#e`, `${PRODUCT}/a?flag&#38;b=c%20d&#38;link_outcome=declined#e`],
    ] as const) {
      const text = await (await show(there(url))).text();
      expect(text).toContain(`href="${href}">Not now: return to app.example.com</a>`);
      expect(text).not.toContain('close this page');
    }
    const evil = await (await show(there('https://evil.example/'))).text();
    expect(evil).not.toContain('evil.example');
    expect(evil).not.toContain('link_outcome');
  });

  inBrowser('is known again after the platform, whatever came of it', async () => {
    const caller = await createCaller(app, tenant.organisationId);
    await caller.graphql(UPDATE, { origins: [PRODUCT] });
    const page = await openPage();
    const visit = async (decision: 'Allow' | 'Refuse') => {
      await page.getByRole('button', { name: /^Connect SVC Sandbox Books$/ }).click();
      await page.locator(`input[name=account][value="${tenant.account}"]`).check();
      await page.getByRole('button', { name: decision }).click();
      await page.waitForURL(`${app.url}/**`);
      return page.getByRole('link', { name: /return to app\.example\.com$/i });
    };
    await page.goto(there(back));
    const refused = await visit('Refuse');
    expect(await refused.innerText()).toBe('Not now: return to app.example.com');
    expect(await refused.getAttribute('href')).toBe(`${back}&link_outcome=declined`);
    expect(await page.getByRole('alert').innerText()).toContain('was not granted');
    const allowed = await visit('Allow');
    expect(await allowed.innerText()).toBe('Return to app.example.com');
    expect(await allowed.getAttribute('href')).toBe(`${back}&link_outcome=connected`);
    expect(await page.getByRole('status').innerText()).toContain('it is connected');
  });
});

/** Services that call `after` whenever an authorisation was read. */
function afterReads(services: SyncEngine, after: () => Promise<void>): SyncEngine {
  const database = Object.create(services.database, {
    client: {
      value: (...scope: Parameters<SyncEngine['database']['client']>) => {
        const client = services.database.client(...scope);
        const { authorization } = client;
        const findFirst = async (query: object) => {
          const row = await authorization.findFirst(query);
          await after();
          return row;
        };
        const updateMany = authorization.updateMany.bind(authorization);
        return Object.create(client, { authorization: { value: { findFirst, updateMany } } }) as object;
      },
    },
  }) as SyncEngine['database'];
  return { ...services, database };
}

describe('several accounts in one access', () => {
  beforeEach(async () => {
    xero.offer([
      { id: 'connection-1', tenantId: 'tenant-1', tenantName: 'First Pty' },
      { id: 'connection-2', tenantId: 'tenant-2', tenantName: 'Second Pty' },
      { id: 'connection-3', tenantId: 'tenant-3', tenantName: 'Third Pty' },
    ]);
    await addIntegration('XERO', {});
    xero.heard();
  });

  /** To the page where accounts are chosen. */
  async function offered() {
    const begun = await post(linkOf(), { platform: 'XERO:ACCOUNTING' });
    const state = new URL(begun.headers.get('location') ?? '').searchParams.get('state') ?? '';
    const cookie = cookieOf(begun);
    const page = await show(`${app.url}/oauth/callback?code=a-code&state=${state}`, { cookie });
    return { state, cookie, text: await page.text(), status: page.status };
  }
  const choose = (state: string, accounts: readonly string[], cookie: string) =>
    post(
      `${app.url}/oauth/callback`,
      [['state', state], ...accounts.map((one) => ['account', one] as [string, string])],
      cookie,
    );
  const connect = async (...accounts: readonly string[]) => {
    const { state, cookie } = await offered();
    const answer = await choose(state, accounts, cookie);
    xero.heard();
    const made = (await connections()).filter((one) => accounts.includes(one.externalAccountId));
    const ids = made.map(({ svcId }) => svcId).join('.');
    expect(answer.headers.get('location')).toBe(`${linkOf()}?connected=${ids}`);
    return connections();
  };
  const letTokensEnd = () =>
    admin.prisma.connectionCredential.updateMany({
      where: { svcCompanyId: BigInt(tenant.companyId) },
      data: { expiresAt: new Date(Date.now() - 1000) },
    });
  /** The name of the organisation that a connection reaches, or why it reaches none. */
  const reached = async ({ svcId }: { readonly svcId: bigint }) => {
    const caller = await createCaller(app, tenant.organisationId, { scopes: ['read', 'passthrough'] });
    const { body } = await caller.post('/v3/core/passthrough', {
      company_id: tenant.companyId,
      connection_id: Number(svcId),
      data: { method: 'GET', path: '/Organisation' },
    });
    return body.error?.code ?? body.data.Organisations[0].Name;
  };
  const renewals = () => xero.heard().filter((one) => one === 'POST /connect/token refresh_token').length;
  const disconnect = ({ svcId }: { readonly svcId: bigint }) =>
    post(`${linkOf()}/disconnect`, { connection: String(svcId) });

  test('are organisations: an accountant’s practice at Xero has no books', async () => {
    const organisation = { id: 'connection-1', tenantId: 'tenant-1', tenantName: 'First Pty' };
    const practice = { id: 'connection-2', tenantId: 'tenant-2', tenantName: 'Books & Co' };
    xero.offer([{ ...practice, tenantType: 'PRACTICE' }, organisation]);
    await offered();
    expect((await connections()).map(({ externalAccountId }) => externalAccountId)).toEqual(['tenant-1']);
  });

  test('are offered for choice, and those that are chosen are connected, once', async () => {
    const { state, cookie, text, status } = await offered();
    expect(status).toBe(200);
    for (const name of ['First Pty', 'Second Pty', 'Third Pty']) expect(text).toContain(name);
    expect(text).not.toContain('access 1');
    expect(await connections()).toEqual([]);
    // A reload of the choice.
    const reloaded = await show(`${app.url}/oauth/callback?code=a-code&state=${state}`, { cookie });
    expect(reloaded.status).toBe(200);
    expect(await reloaded.text()).toBe(text);
    expect((await choose(state, ['tenant-2'], '')).status).toBe(400);
    expect((await choose(state, ['tenant-2', 'tenant-4'], cookie)).status).toBe(400);
    const none = await choose(state, [], cookie);
    expect(none.status).toBe(400);
    expect(await none.text()).toContain('Choose one account at least.');
    expect(await connections()).toEqual([]);
    expect((await choose(state, ['tenant-3', 'tenant-1'], cookie)).status).toBe(303);
    const again = await choose(state, ['tenant-1', 'tenant-3'], cookie);
    const ids = (await connections()).map(({ svcId }) => svcId);
    expect(again.headers.get('location')).toBe(`${linkOf()}?connected=${ids.join('.')}`);
    for (const late of [['tenant-2'], ['tenant-1'], []]) {
      const answer = await choose(state, late, cookie);
      expect(answer.status).toBe(400);
      expect(await answer.text()).toContain('this choice was already made');
    }
    expect(await connections()).toMatchObject([
      { status: 'HEALTHY', externalAccountId: 'tenant-1', accountName: 'First Pty' },
      { status: 'HEALTHY', externalAccountId: 'tenant-3', accountName: 'Third Pty' },
    ]);
    const begun = await admin.prisma.sync.count({ where: { svcCompanyId: BigInt(tenant.companyId) } });
    expect(begun).toBe(2);
  });

  test.each([
    [1, 'connected'],
    [2, 'offered'],
  ])(
    'are no failure of a repeated callback after whose read %i they are chosen: %s',
    async (read, result) => {
      const { state, cookie } = await offered();
      let reads = 0;
      const services = afterReads(engine, async () => {
        reads += 1;
        if (reads === read) expect((await choose(state, ['tenant-1'], cookie)).status).toBe(303);
      });
      const repeated = await finishOrRepeat(
        services,
        tenant.link,
        new URLSearchParams({ state, code: 'a-code' }),
      );
      expect(await connections()).toHaveLength(1);
      expect(
        'accounts' in repeated ? ['offered', repeated.accounts.length] : ['connected', repeated.length],
      ).toEqual([result, result === 'offered' ? 3 : 1]);
    },
  );

  test('can still be chosen when they could not be stored', async () => {
    const { state, cookie } = await offered();
    await admin.pool.query(
      `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'no' USING ERRCODE = '40001'; END $$;
       CREATE TRIGGER refuse BEFORE INSERT ON connection_credentials FOR EACH ROW EXECUTE FUNCTION refuse()`,
    );
    try {
      expect((await choose(state, ['tenant-1'], cookie)).status).toBe(503);
    } finally {
      await admin.pool.query('DROP FUNCTION refuse() CASCADE');
    }
    expect(await connections()).toEqual([]);
    expect((await choose(state, ['tenant-1'], cookie)).status).toBe(303);
    expect(await connections()).toHaveLength(1);
  });

  test.each([
    [
      'link',
      `mutation ($link: String!) { deleteInviteLink(input: { inviteLinkId: $link }) { userErrors { message } } }`,
    ],
    [
      'company',
      `mutation ($company: SvcId!) { deleteCompany(input: { svcId: $company }) { userErrors { message } } }`,
    ],
  ])('end at Xero with their %s, if none was chosen', async (_what, ending) => {
    const { state, cookie } = await offered();
    const caller = await createCaller(app, tenant.organisationId);
    const { body } = await caller.graphql(ending, {
      link: tenant.link.inviteLinkId,
      company: tenant.companyId,
    });
    expect(body).toEqual({ data: { [Object.keys(body.data)[0] as string]: { userErrors: [] } } });
    expect(xero.living()).toEqual([]);
    expect((await choose(state, ['tenant-1'], cookie)).status).toBeGreaterThanOrEqual(400);
    expect(await connections()).toEqual([]);
  });

  test('end at Xero when their link is revoked as they are offered, but not those connected before', async () => {
    await connect('tenant-2');
    const ending = await admin.pool.connect();
    try {
      await ending.query('BEGIN');
      await ending.query('UPDATE invite_links SET revoked_at = now() WHERE invite_link_id = $1', [
        tenant.link.inviteLinkId,
      ]);
      const answer = offered();
      await untilBlocked();
      await ending.query('COMMIT');
      expect(await answer).toMatchObject({ status: 404, text: expect.stringContaining('withdrawn') });
    } finally {
      ending.release();
    }
    expect(xero.living().map(({ tenantId }) => tenantId)).toEqual(['tenant-2']);
  });

  test('are chosen beforehand where the company has connected them', async () => {
    const chosen = (text: string) =>
      [...text.matchAll(/value="(tenant-\d)"\s+(checked)?/g)].map(([, id, is]) => [id, is === 'checked']);
    expect(chosen((await offered()).text)).toEqual([
      ['tenant-1', true],
      ['tenant-2', false],
      ['tenant-3', false],
    ]);
    await connect('tenant-2', 'tenant-3');
    expect(chosen((await offered()).text)).toEqual([
      ['tenant-1', false],
      ['tenant-2', true],
      ['tenant-3', true],
    ]);
  });

  test('live on together when one of them renews the tokens', async () => {
    const [first, second, third] = await connect('tenant-1', 'tenant-2', 'tenant-3');
    if (!first || !second || !third) throw new Error('three were chosen');
    await letTokensEnd();
    expect(await Promise.all([first, second, third].map(reached))).toEqual([
      'First Pty',
      'Second Pty',
      'Third Pty',
    ]);
    expect(renewals()).toBe(1);
    // One alone renews; the next one has what came of it.
    for (const renewing of [second, first]) {
      await letTokensEnd();
      expect(await reached(renewing)).toBe(renewing.accountName);
      expect(renewals()).toBe(1);
      expect(await reached(third)).toBe('Third Pty');
      expect(renewals()).toBe(0);
    }
    expect((await connections()).map(({ status }) => status)).toEqual(['HEALTHY', 'HEALTHY', 'HEALTHY']);
  });

  test('have tokens of their own once one of them was connected again', async () => {
    const [first, second] = await connect('tenant-1', 'tenant-2');
    await connect('tenant-2');
    if (!first || !second) throw new Error('two were chosen');
    await letTokensEnd();
    expect(await Promise.all([first, second].map(reached))).toEqual(['First Pty', 'Second Pty']);
    expect(renewals()).toBe(2);
  });

  test('end one by one: the others of the same consent live on', async () => {
    const [first, second, third] = await connect('tenant-1', 'tenant-2', 'tenant-3');
    if (!first || !second || !third) throw new Error('three were chosen');
    const asked = await (await show(`${linkOf()}?disconnect=${first.svcId}`)).text();
    expect(asked).toContain('First Pty');
    expect((await disconnect(first)).headers.get('location')).toBe(`${linkOf()}?disconnected=${first.svcId}`);
    // Tokens that are over are renewed to tell it, for those too that keep them.
    await letTokensEnd();
    await disconnect(second);
    expect(await connections()).toMatchObject([
      { svcId: first.svcId, status: 'DISCONNECTED' },
      { svcId: second.svcId, status: 'DISCONNECTED' },
      { svcId: third.svcId, status: 'HEALTHY' },
    ]);
    expect(xero.living().map(({ tenantId }) => tenantId)).toEqual(['tenant-3']);
    const heard = xero.heard();
    expect(heard).not.toContain('POST /connect/revocation');
    expect(heard.filter((one) => one === 'POST /connect/token refresh_token')).toHaveLength(1);
    expect(await reached(third)).toBe('Third Pty');
    expect(renewals()).toBe(0);
    await letTokensEnd();
    expect(await reached(third)).toBe('Third Pty');
  });

  test('end at Xero with the last company that has connected them', async () => {
    const [own] = await connect('tenant-1');
    const scope = organisationScope(tenant.organisationId);
    const other = await findOrCreateCompany(app.database.client(scope), scope, {
      name: 'With the same books',
    });
    const copy = await admin.prisma.connection.create({
      data: {
        svcOrganisationId: BigInt(tenant.organisationId),
        svcCompanyId: BigInt(other.svcId),
        integrationType: 'XERO',
        category: 'ACCOUNTING',
        externalAccountId: 'tenant-1',
        status: 'HEALTHY',
      },
    });
    // A key that sees nothing of the other company.
    const caller = await createCaller(app, tenant.organisationId, { companyIds: [tenant.companyId] });
    const told = async (svcId: bigint | undefined) => {
      const { body } = await caller.graphql(
        `mutation ($id: SvcId!) { disconnectConnection(input: { connectionId: $id }) { wasPlatformTold } }`,
        { id: Number(svcId) },
      );
      return body.data?.disconnectConnection.wasPlatformTold;
    };
    expect(await told(own?.svcId)).toBe(false);
    expect(xero.living().map(({ tenantId }) => tenantId)).toContain('tenant-1');
    await admin.prisma.connection.updateMany({
      where: { svcId: copy.svcId },
      data: { status: 'DISCONNECTED' },
    });
    await connect('tenant-1');
    expect(await told(own?.svcId)).toBe(true);
    expect(xero.living().map(({ tenantId }) => tenantId)).not.toContain('tenant-1');
  });

  test('stay connected when they are connected again while Xero is slow to end them', async () => {
    const [own] = await connect('tenant-1');
    if (!own) throw new Error('one was chosen');
    const ending = xero.hold('GET /connections');
    expect((await disconnect(own)).headers.get('location')).toBe(`${linkOf()}?disconnected=${own.svcId}`);
    await connect('tenant-1');
    await until('nobody waits for the connections of Xero', () => ending.isLeft());
    ending.answer();
    expect(await reached(own)).toBe('First Pty');
    expect(xero.living().map(({ tenantId }) => tenantId)).toContain('tenant-1');
  });

  test('end all at their platform with their company, by one renewal', async () => {
    await connect('tenant-1', 'tenant-2', 'tenant-3');
    await letTokensEnd();
    const caller = await createCaller(app, tenant.organisationId);
    const answer = await caller.graphql(
      `mutation ($id: SvcId!) { deleteCompany(input: { svcId: $id }) { userErrors { message } } }`,
      { id: tenant.companyId },
    );
    expect(answer.body.data?.deleteCompany).toMatchObject({ userErrors: [] });
    expect(xero.living()).toEqual([]);
    expect(renewals()).toBe(1);
  });

  test('keep their grant at a platform that can end only all of it', async () => {
    const made = [await tenant.connect('ACCOUNTING'), await tenant.connect('PAYMENTS')];
    const which = { svcCompanyId: BigInt(tenant.companyId) };
    const grantOf = async () =>
      (await admin.prisma.connectionCredential.findFirstOrThrow({ where: which })).grantId;
    await admin.prisma.connectionCredential.updateMany({ where: which, data: { grantId: await grantOf() } });
    const caller = await createCaller(app, tenant.organisationId);
    const told = async (connectionId: number | undefined) => {
      const { body } = await caller.graphql(
        `mutation ($id: SvcId!) { disconnectConnection(input: { connectionId: $id }) { wasPlatformTold } }`,
        { id: connectionId },
      );
      return body.data?.disconnectConnection.wasPlatformTold;
    };
    expect(await told(made[0]?.connectionId)).toBe(false);
    expect(await told(made[1]?.connectionId)).toBe(true);
  });

  test('are reached at every API of the platform, each as itself', async () => {
    const [first] = await connect('tenant-1', 'tenant-2');
    const caller = await createCaller(app, tenant.organisationId, { scopes: ['read', 'passthrough'] });
    const pass = async (path: string, headers = {}) => {
      const { body } = await caller.post('/v3/core/passthrough', {
        company_id: tenant.companyId,
        connection_id: Number(first?.svcId),
        data: { method: 'GET', path, headers },
      });
      return body.data?.Organisations;
    };
    const others = { 'Xero-Tenant-Id': 'tenant-2', xero_tenant_id: 'tenant-2' };
    expect(await pass('/Organisation', others)).toEqual([{ Name: 'First Pty' }]);
    expect(await pass('/payroll.xro/1.0/Employees', others)).toEqual([{ Name: 'First Pty' }]);
    expect(xero.heard()).toEqual(['GET /Organisation', 'GET /payroll.xro/1.0/Employees']);
    const counted = await admin.prisma.connection.findFirstOrThrow({ where: { svcId: first?.svcId ?? 0n } });
    expect(counted.dayCalls).toBe(2);
  });

  test('of another company cannot be ended by this link', async () => {
    const [theirs] = await connect('tenant-1');
    if (!theirs) throw new Error('one was chosen');
    tenant = await createSandboxTenant(engine, sandbox, { records: 40 });
    expect((await disconnect(theirs)).status).toBe(404);
    expect(xero.living()).toHaveLength(3);
  });
});
