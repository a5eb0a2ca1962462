import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { App } from '../../src/app.js';
import type { ConnectedAccount } from '../../src/connect/store-connection.js';
import type { Category } from '../../src/records/define.js';
import type { Sandbox } from '../../src/sandbox/index.js';
import { type OddPlatform, startOddPlatform } from '../support/platform.js';
import { createSandboxTenant, engineOf, type SandboxTenant, startTestSandbox } from '../support/sandbox.js';
import { startApp } from '../support/service.js';
import { admin } from '../support/admin.js';

/** Stands before the sandbox, and changes what it answers. */
interface Change {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

let app: App;
let sandbox: Sandbox;
let proxy: OddPlatform;
let change: (url: string, body: string) => Change = () => ({});

beforeAll(async () => {
  app = await startApp();
  sandbox = await startTestSandbox();
  proxy = await startOddPlatform();
  proxy.answer((heard, response) => {
    const pass = async () => {
      const { authorization = '', 'content-type': type, 'sandbox-company': company } = heard.headers;
      const headers = { authorization, ...(type && { 'content-type': type }) };
      const asked = await fetch(sandbox.url + heard.url, {
        method: heard.method,
        headers: { ...headers, ...(company && { 'sandbox-company': String(company) }) },
        redirect: 'manual',
        ...(heard.body && { body: heard.body }),
      });
      const own = [...asked.headers].filter(([name]) => !/^(content-(encoding|length)|transfer-)/.test(name));
      const text = await asked.text();
      const { status = asked.status, headers: more = {}, body = text } = change(heard.url, text);
      response.writeHead(status, { ...Object.fromEntries(own), ...more }).end(body);
    };
    pass().catch(() => response.destroy());
  });
});
beforeEach(() => {
  change = () => ({});
});
afterAll(async () => {
  await proxy?.close();
  await sandbox?.stop();
  await app?.close();
});

async function connected(category: Category) {
  const tenant = await createSandboxTenant(engineOf(app, proxy.url), sandbox);
  const connection = await tenant.connect(category);
  return { tenant, connection };
}

/** A sync of one record type: its end, and its job's. */
async function synced(tenant: SandboxTenant, connection: ConnectedAccount, dataModel: string) {
  const svcId = await tenant.sync(connection, { fullSync: true, dataModels: [dataModel] });
  return runOf(svcId);
}
const runOf = (svcId: number) =>
  admin.prisma.sync.findFirstOrThrow({ where: { svcId: BigInt(svcId) }, include: { jobs: true } });

test('stores the other objects of a page with one that is nested too deep', async () => {
  const { tenant, connection } = await connected('ACCOUNTING');
  change = (url, body) =>
    /\/Partners\?/.test(url)
      ? { body: body.replace('"Guid"', `"Odd":${'['.repeat(20_000)}${']'.repeat(20_000)},"Guid"`) }
      : {};
  const { state, jobs } = await synced(tenant, connection, 'CONTACTS');
  expect({ state, jobs }).toMatchObject({ state: 'SUCCESS', jobs: [{ failed: 0 }] });
  expect(jobs[0]?.created).toBeGreaterThan(10);
  const altered = { svcCompanyId: BigInt(tenant.companyId), rawDataAltered: true };
  expect(await admin.prisma.contact.count({ where: altered })).toBe(1);
});

test('removes no record that the same sync has read, whatever the list of all ids says', async () => {
  const { tenant, connection } = await connected('ACCOUNTING');
  await synced(tenant, connection, 'BANK_ACCOUNTS');
  change = (url) => (url.includes('/ids?') ? { body: '{"Ids":[],"Paging":{"Page":1,"PageCount":0}}' } : {});
  const { jobs } = await synced(tenant, connection, 'BANK_ACCOUNTS');
  expect(jobs).toMatchObject([{ state: 'SUCCESS', deleted: 0 }]);
  expect(jobs[0]?.recordsRead).toBeGreaterThan(0);
});

test('keeps a record that reappeared after its deletion', async () => {
  const { tenant, connection } = await connected('ECOMMERCE');
  const only = { dataModels: ['ECOMMERCE_CUSTOMERS'] };
  await tenant.sync(connection, only);
  const where = { svcCompanyId: BigInt(tenant.companyId) };
  const [kept, gone] = await admin.prisma.ecommerceCustomer.findMany({ where, orderBy: { svcId: 'asc' } });
  if (!kept || !gone) throw new Error('there are too few customers');
  const events = [kept, gone].map(({ platformId }) => ({
    subject_id: `gid://shop/Customer/${platformId}`,
    subject_type: 'Customer',
  }));
  change = (url) => {
    if (/\/deletions\.json/.test(url)) return { body: JSON.stringify({ deletions: events }) };
    if (!/\/customers\.json/.test(url)) return {};
    return { body: JSON.stringify({ customers: [{ ...Object(kept.rawData), note: 'is back' }] }) };
  };
  const { jobs } = await runOf(await tenant.sync(connection, only));
  expect(jobs).toMatchObject([{ state: 'SUCCESS', updated: 1, deleted: 1 }]);
  const living = await admin.prisma.ecommerceCustomer.findMany({ where: { ...where, svcDeletedAt: null } });
  expect(living.map(({ svcId }) => svcId)).toContain(kept.svcId);
  expect(living.map(({ svcId }) => svcId)).not.toContain(gone.svcId);
});

test('asks a platform whose clock is behind for changes since a time by that clock', async () => {
  const { tenant, connection } = await connected('ACCOUNTING');
  const behind = 10 * 60_000;
  change = () => ({ headers: { date: new Date(Date.now() - behind).toUTCString() } });
  const only = { dataModels: ['CONTACTS'] };
  await tenant.sync(connection, only);
  const [before, ended] = [proxy.heard.length, Date.now()];
  await tenant.sync(connection, only);
  const [since = ''] = proxy.heard
    .slice(before)
    .flatMap(({ url }) => new URL(url, sandbox.url).searchParams.get('modifiedSince') ?? []);
  expect(Date.parse(since)).toBeLessThanOrEqual(ended - behind);
});

describe('ends reading when pages link back to earlier ones', () => {
  const nextLink = (url: string) =>
    `<${sandbox.url}/?page_info=${url.includes('page_info=a') ? 'b' : 'a'}>; rel="next"`;

  test.each([
    [
      'one page after itself',
      'PAYMENTS',
      'PAYMENT_CUSTOMERS',
      (url: string, body: string) =>
        /\/customers\?/.test(url)
          ? { body: (first ??= body.replace('"has_more":false', '"has_more":true')) }
          : {},
    ],
    [
      'two pages in turn',
      'ECOMMERCE',
      'ECOMMERCE_CUSTOMERS',
      (url: string) =>
        /\/customers\.json/.test(url)
          ? { status: 200, headers: { link: nextLink(url) }, body: '{"customers":[]}' }
          : {},
    ],
    [
      'a feed of what was deleted',
      'ECOMMERCE',
      'ECOMMERCE_CUSTOMERS',
      (url: string) =>
        /\/deletions\.json/.test(url)
          ? { status: 200, headers: { link: nextLink(url) }, body: '{"deletions":[]}' }
          : {},
    ],
  ] as const)('%s', async (_title, category, dataModel, lead) => {
    first = null;
    const { tenant, connection } = await connected(category);
    if (/deleted/.test(_title)) await synced(tenant, connection, dataModel);
    const before = proxy.heard.length;
    // A platform that is never left is let go in the end, so that the test ends.
    change = (url, body) => (proxy.heard.length - before > 60 ? { status: 404 } : lead(url, body));
    expect(await synced(tenant, connection, dataModel)).toMatchObject({
      state: 'SLEEPING',
      errorCode: 'platform-answer',
      errorMessage: expect.stringContaining('lead back'),
    });
  });
  let first: string | null = null;
});
