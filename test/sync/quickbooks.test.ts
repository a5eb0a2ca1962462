import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { App } from '../../src/app.js';
import { quickbooks } from '../../src/connectors/quickbooks/index.js';
import { runSync } from '../../src/sync/run-sync.js';
import { startSync } from '../../src/sync/start-sync.js';
import type { ConformancePlatform } from '../connectors/conformance.js';
import { resourceOf } from '../connectors/sandbox/answering.js';
import { makeCompany } from '../connectors/quickbooks-fake/makers/company.js';
import { startQuickbooksPlatform } from '../connectors/quickbooks-fake/platform.js';
import { admin } from '../support/admin.js';
import { createQuickbooksTenant } from '../support/quickbooks.js';
import { engineOf } from '../support/sandbox.js';
import type { Tenant } from '../support/seed.js';
import { createCaller, startApp } from '../support/service.js';

let app: App;
let platform: ConformancePlatform;
const company = makeCompany();
let tenant: Tenant;

beforeAll(async () => {
  app = await startApp();
  platform = await startQuickbooksPlatform(company);
  tenant = await createQuickbooksTenant(app, 'quickbooks', platform);
});
afterAll(async () => {
  await platform.stop();
  await app.close();
});

/** Runs a sync of all record types, or of some; returns how each record type ended, and what it counted. */
async function sync(fullSync = true, dataModels: readonly string[] | null = null) {
  const { organisationId, companyId: svcCompanyId, connectionId } = tenant;
  const { syncSvcId } = await app.database.sql(tenant.scope).transaction((transaction) =>
    startSync(transaction, {
      svcCompanyId,
      connectionId,
      syncType: 'MANUAL',
      fullSync,
      syncFrom: null,
      dataModels,
    }),
  );
  await runSync(
    { ...engineOf(app, ''), urls: { QUICKBOOKS: platform.baseUrl } },
    { organisationId, svcCompanyId, syncSvcId },
    { workerId: 'test', signal: new AbortController().signal },
  );
  const jobs = await admin.prisma.syncJob.findMany({ where: { syncSvcId: BigInt(syncSvcId) } });
  return Object.fromEntries(jobs.map(({ dataModel, state, failed }) => [dataModel, [state, failed]]));
}

/** The ids of what is stored of a record type. */
async function storedIds(dataModel: string): Promise<string[]> {
  const { definition } = resourceOf(quickbooks, dataModel);
  const { rows } = await admin.pool.query<{ platform_id: string }>(
    `SELECT platform_id FROM ${definition.table} WHERE connection_id = $1 AND svc_deleted_at IS NULL`,
    [tenant.connectionId],
  );
  return rows.map((row) => row.platform_id).sort();
}

const TYPES = quickbooks.pulls.map(({ definition }) => definition.dataModel);

test('all of an account is stored, within its limits', async () => {
  platform.reset();
  const ends = await sync();
  expect(ends).toEqual(Object.fromEntries(TYPES.map((dataModel) => [dataModel, ['SUCCESS', 0]])));
  for (const dataModel of TYPES) {
    expect([dataModel, await storedIds(dataModel)]).toEqual([
      dataModel,
      [...(await platform.livingIds(dataModel))].sort(),
    ]);
  }
});

/** The lists that were read since the proxy was reset, by their first page. */
const listed = () =>
  platform.calls
    .map(({ path }) => new URL(path, platform.baseUrl).searchParams.get('query') ?? '')
    .filter(
      (query) => / maxresults \d+$/.test(query) && !query.includes('startposition') && !query.includes('>='),
    )
    .flatMap((query) => /^select \* from (\w+)/.exec(query)?.[1] ?? []);

test('purchases are read once, as expenses and as bank transactions', () => {
  expect(listed().filter((entity) => ['Purchase', 'Deposit'].includes(entity))).toEqual([
    'Purchase',
    'Deposit',
  ]);
});

test('expenses alone are the same, and no other bank transactions are read', async () => {
  const count = { where: { svcCompanyId: BigInt(tenant.companyId) } };
  const before = await admin.prisma.recordChange.count(count);
  platform.reset();
  expect(await sync(true, ['EXPENSES'])).toEqual({ EXPENSES: ['SUCCESS', 0] });
  expect(listed()).toEqual(['Purchase']);
  expect(await admin.prisma.recordChange.count(count)).toBe(before);
});

test('another sync of everything changes nothing', async () => {
  const count = { where: { svcCompanyId: BigInt(tenant.companyId) } };
  const before = await admin.prisma.recordChange.count(count);
  const ends = await sync();
  expect(ends).toEqual(Object.fromEntries(TYPES.map((dataModel) => [dataModel, ['SUCCESS', 0]])));
  expect(await admin.prisma.recordChange.count(count)).toBe(before);
});

test('classes stay where they are refused, while a location that is gone is removed', async () => {
  const before = await storedIds('TRACKING_CATEGORIES');
  const { Department: locations } = company.shelves;
  const [gone] = locations.splice(-1);
  if (!gone) throw new Error('there is no location');
  platform.reset();
  platform.fail('no scope', { count: 1 });
  expect(await sync(true, ['TRACKING_CATEGORIES'])).toEqual({ TRACKING_CATEGORIES: ['SUCCESS', 0] });
  const asked = platform.calls.map(({ path }) => /from\+?(?:%20)?(\w+)/.exec(path)?.[1]);
  expect(asked).toEqual(['Class', 'Department']);
  const after = await storedIds('TRACKING_CATEGORIES');
  expect(after.some((id) => id.startsWith('class:'))).toBe(true);
  expect(after).toEqual(before.filter((id) => id !== `department:${gone.id}`));
  locations.push(gone);
  platform.reset();
  await sync(true, ['TRACKING_CATEGORIES']);
  expect(await storedIds('TRACKING_CATEGORIES')).toEqual(before);
});

test('its records lead to one another', async () => {
  const caller = await createCaller(app, tenant.organisationId);
  const { body } = await caller.graphql(`{
    invoices(first: 20) { nodes {
      contact { name } currency { code } lineItems { itemId item { name } taxId taxRate { name } } } }
    invoicePayments(first: 20) { nodes { invoiceId invoice { documentNumber } account { name } contact { name } } }
    expenses(first: 20) { nodes { account { name } } }
    documents(first: 20) { nodes { documentTypeId voucher { __typename } } }
    journalEntries(first: 20) { nodes { journalLines { account { name } } } }
  }`);
  expect(body.errors).toBeUndefined();
  const { invoices, invoicePayments, expenses, documents, journalEntries } = body.data;
  const lines = invoices.nodes.flatMap(({ lineItems }: any) => lineItems);
  expect(invoices.nodes.length).toBeGreaterThan(0);
  expect(invoices.nodes.filter((one: any) => one.contact === null || one.currency === null)).toEqual([]);
  expect(lines.filter((one: any) => one.itemId !== null && one.item === null)).toEqual([]);
  expect(lines.filter((one: any) => one.taxId !== null && one.taxRate === null)).toEqual([]);
  expect(invoicePayments.nodes.filter((one: any) => one.invoiceId !== null && one.invoice === null)).toEqual(
    [],
  );
  expect(expenses.nodes.filter((one: any) => one.account === null)).toEqual([]);
  expect(documents.nodes.filter((one: any) => one.voucher === null)).toEqual([]);
  const entries = journalEntries.nodes.flatMap(({ journalLines }: any) => journalLines);
  expect(entries.filter((one: any) => one.account === null)).toEqual([]);
});

test('what is changed, deleted, or paid otherwise is found by the next sync', async () => {
  const told = quickbooks.pulls.filter(({ deletions = [] }) => deletions.some(({ kind }) => kind === 'feed'));
  const types = told.map(({ definition }) => definition.dataModel);
  const deleted: string[] = [];
  for (const dataModel of types) {
    const mutation = await platform.mutate(dataModel);
    deleted.push(...mutation.deleted.map((id) => `${dataModel} ${id}`));
  }
  expect(deleted).toEqual(
    expect.arrayContaining([expect.stringMatching(/^INVOICE_PAYMENTS \d+:invoice:\d+$/)]),
  );
  const ends = await sync(false);
  expect(ends).toEqual(Object.fromEntries(TYPES.map((dataModel) => [dataModel, ['SUCCESS', 0]])));
  for (const dataModel of types) {
    expect([dataModel, await storedIds(dataModel)]).toEqual([
      dataModel,
      [...(await platform.livingIds(dataModel))].sort(),
    ]);
  }
});
