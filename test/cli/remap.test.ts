import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { App } from '../../src/app.js';
import { clientSecretPlace } from '../../src/platforms/client-credentials.js';
import { storeTokens } from '../../src/platforms/credentials.js';
import { renewLimits } from '../../src/platforms/renew-limits.js';
import { runSync } from '../../src/sync/run-sync.js';
import { startSync } from '../../src/sync/start-sync.js';
import type { Organisation } from '../connectors/xero-fake/domain.js';
import { makeOrganisation } from '../connectors/xero-fake/makers/organisation.js';
import { startXeroFake, type XeroFake } from '../connectors/xero-fake/server.js';
import { admin } from '../support/admin.js';
import { engineOf, testSecrets } from '../support/sandbox.js';
import { createTenant, type Tenant } from '../support/seed.js';
import { createCaller, startApp, testDatabaseUrl } from '../support/service.js';
import { Folders, start } from './commands.js';

const folders = new Folders();
let app: App;
let xero: XeroFake;
let books: Organisation;
let tenant: Tenant;

/** A company that is connected to Xero, whose base currency nobody has told us. */
beforeAll(async () => {
  books = makeOrganisation();
  xero = await startXeroFake(books, () => new Date());
  app = await startApp();
  tenant = await createTenant(app, 'remap');
  const { organisationId, companyId, connectionId } = tenant;
  await admin.prisma.company.updateMany({
    where: { svcId: BigInt(companyId) },
    data: { baseCurrencyCode: null },
  });
  await admin.prisma.connection.updateMany({
    where: { svcId: BigInt(connectionId) },
    data: { integrationType: 'XERO', externalAccountId: books.tenantId },
  });
  await renewLimits(admin.prisma);
  await app.database.client(tenant.scope).integration.create({
    data: {
      svcOrganisationId: BigInt(organisationId),
      integrationType: 'XERO',
      clientId: 'an app',
      clientSecret: testSecrets.seal('its secret', clientSecretPlace('XERO', organisationId)),
    },
  });
  const connection = { svcCompanyId: companyId, connectionId };
  const sql = app.database.sql(tenant.scope);
  await storeTokens(
    { sql, secrets: testSecrets, connection },
    { accessToken: xero.issueToken(), refreshToken: null, expiresAt: null },
  );
});
afterAll(async () => {
  await app?.close();
  await xero?.stop();
  folders.remove();
});

async function sync(): Promise<string> {
  const connection = { svcCompanyId: tenant.companyId, connectionId: tenant.connectionId };
  const { syncSvcId } = await app.database.sql(tenant.scope).transaction((transaction) =>
    startSync(transaction, {
      ...connection,
      syncType: 'MANUAL',
      fullSync: false,
      syncFrom: null,
      dataModels: ['CURRENCIES', 'ACCOUNTS', 'JOURNAL_ENTRIES'],
    }),
  );
  await runSync(
    { ...engineOf(app, ''), urls: { XERO: `${xero.url}/api.xro/2.0` } },
    { organisationId: tenant.organisationId, svcCompanyId: tenant.companyId, syncSvcId },
    { workerId: 'test', signal: new AbortController().signal },
  );
  return (await admin.prisma.sync.findFirstOrThrow({ where: { svcId: BigInt(syncSvcId) } })).state;
}

const remap = () => start('dist/cli/remap.js', [], { DATABASE_URL: testDatabaseUrl() }, folders.make()).ended;
const inTenant = () => ({ svcCompanyId: BigInt(tenant.companyId) });
const journals = () =>
  admin.prisma.journalEntry.findMany({ where: inTenant(), orderBy: { platformId: 'asc' } });
const byState = (status: string) => books.manualJournals.filter((one) => one.status === status).length;

test('the base currency is read where connecting did not tell it, and manual journals have it', async () => {
  expect(await sync()).toBe('SUCCESS');
  const company = await admin.prisma.company.findFirstOrThrow({
    where: { svcId: BigInt(tenant.companyId) },
  });
  const base = books.currencies.find(({ worth }) => worth === '1')?.id;
  expect(company.baseCurrencyCode).toBe(base);
  const stored = await journals();
  expect(stored.length).toBe(books.manualJournals.length);
  expect(new Set(stored.map(({ currencyId }) => currencyId))).toEqual(new Set([base]));
  const currencies = await admin.prisma.currency.findMany({ where: { ...inTenant(), isBaseCurrency: true } });
  expect(currencies.map(({ code }) => code)).toEqual([base]);
});

test('drafts, voided and archived journals are told apart, on REST and in GraphQL', async () => {
  const caller = await createCaller(app, tenant.organisationId);
  const { body } = await caller.get('/v3/accounting/journal_entries?limit=1000');
  const states = body.data.map(({ status }: { status: string }) => status);
  const counts = ['DRAFT', 'POSTED', 'VOID', 'ARCHIVED'].map(
    (status) => states.filter((one: string) => one === status).length,
  );
  expect(counts).toEqual(['DRAFT', 'POSTED', 'VOIDED', 'ARCHIVED'].map(byState));
  const filtered = await caller.get('/v3/accounting/journal_entries?limit=1000&status[eq]=posted');
  expect(filtered.body.data).toHaveLength(byState('POSTED'));
  const answer = await caller.graphql(
    '{ journalEntries(first: 500, filter: { status: { in: [DRAFT, ARCHIVED] } }) { totalCount } }',
  );
  expect(answer.body.data.journalEntries.totalCount).toBe(byState('DRAFT') + byState('ARCHIVED'));
});

test('npm run remap renews what an earlier version has stored, from its raw data, once', async () => {
  const before = await journals();
  await admin.prisma.journalEntry.updateMany({
    where: inTenant(),
    data: { mapperVersion: 1, status: null, currencyId: null, currencyCode: null },
  });
  const living = before.filter(({ svcDeletedAt }) => svcDeletedAt === null);
  const { code, stdout, stderr } = await remap();
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toMatch(
    new RegExp(`^XERO +${tenant.connectionId} +${tenant.companyId} +${living.length}$`, 'm'),
  );
  const plain = (rows: typeof before) =>
    rows
      .filter(({ svcDeletedAt }) => svcDeletedAt === null)
      .map(({ platformId, mapperVersion, status, currencyId, currencyCode }) => ({
        platformId,
        mapperVersion,
        status,
        currencyId,
        currencyCode,
      }));
  expect(plain(await journals())).toEqual(plain(before));
  const [changed] = await admin.prisma.recordChange.findMany({
    where: { ...inTenant(), dataModel: 'JOURNAL_ENTRIES' },
    orderBy: { position: 'desc' },
    take: 1,
  });
  expect(changed).toMatchObject({ operation: 'UPDATE' });
  expect((await remap()).stdout).toBe('Every record is up to date.\n');
});
