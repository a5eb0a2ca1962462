import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { App } from '../../src/app.js';
import type { Organisation } from '../connectors/xero-fake/domain.js';
import { admin } from '../support/admin.js';
import { createCaller, startApp, testDatabaseUrl } from '../support/service.js';
import { createXeroTenant, type XeroTenant } from '../support/xero.js';
import { Folders, start } from './commands.js';

const folders = new Folders();
let app: App;
let books: Organisation;
let tenant: XeroTenant;

beforeAll(async () => {
  app = await startApp();
  tenant = await createXeroTenant(app, 'remap');
  ({ books } = tenant);
  expect(await tenant.sync(['CURRENCIES', 'ACCOUNTS', 'JOURNAL_ENTRIES'])).toBe('SUCCESS');
});
afterAll(async () => {
  await app?.close();
  await tenant?.stop();
  folders.remove();
});

const remap = () => start('dist/cli/remap.js', [], { DATABASE_URL: testDatabaseUrl() }, folders.make()).ended;
const inTenant = () => ({ svcCompanyId: BigInt(tenant.companyId) });
const journals = () =>
  admin.prisma.journalEntry.findMany({ where: inTenant(), orderBy: { platformId: 'asc' } });
const byState = (status: string) => books.manualJournals.filter((one) => one.status === status).length;

test('the base currency is read where connecting did not tell it, and manual journals have it', async () => {
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
    where: { ...inTenant(), svcDeletedAt: null },
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
