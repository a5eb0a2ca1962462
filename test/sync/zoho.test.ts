import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { App } from '../../src/app.js';
import { zoho } from '../../src/connectors/zoho/index.js';
import { clientSecretPlace } from '../../src/platforms/client-credentials.js';
import { renewLimits } from '../../src/platforms/renew-limits.js';
import { runSync } from '../../src/sync/run-sync.js';
import { startSync } from '../../src/sync/start-sync.js';
import type { ConformancePlatform } from '../connectors/conformance.js';
import { resourceOf } from '../connectors/sandbox/answering.js';
import { CLIENT } from '../connectors/zoho-fake/identity.js';
import { makeOrganization } from '../connectors/zoho-fake/make.js';
import { startZohoPlatform } from '../connectors/zoho-fake/platform.js';
import { admin } from '../support/admin.js';
import { engineOf, testSecrets } from '../support/sandbox.js';
import { giveToken } from '../support/platform.js';
import { createTenant, type Tenant } from '../support/seed.js';
import { createCaller, startApp } from '../support/service.js';

const organization = makeOrganization();
let app: App;
let platform: ConformancePlatform;
let tenant: Tenant;

beforeAll(async () => {
  app = await startApp();
  platform = await startZohoPlatform(organization);
  tenant = await createTenant(app, 'zoho', 'ACCOUNTING');
  await admin.prisma.connection.updateMany({
    where: { svcId: BigInt(tenant.connectionId) },
    data: { integrationType: 'ZOHO_BOOKS', externalAccountId: platform.externalAccountId },
  });
  await renewLimits(admin);
  // A sync of everything takes more calls than Zoho has in a minute.
  await admin.pool.query('UPDATE connections SET max_per_minute = 100000 WHERE svc_id = $1', [
    tenant.connectionId,
  ]);
  await app.database.client(tenant.scope).integration.create({
    data: {
      svcOrganisationId: BigInt(tenant.organisationId),
      integrationType: 'ZOHO_BOOKS',
      clientId: CLIENT.id,
      clientSecret: testSecrets.seal(CLIENT.secret, clientSecretPlace('ZOHO_BOOKS', tenant.organisationId)),
    },
  });
  await giveToken(app, tenant, await platform.issueToken());
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
    { ...engineOf(app, ''), urls: { ZOHO_BOOKS: platform.baseUrl } },
    { organisationId, svcCompanyId, syncSvcId },
    { workerId: 'test', signal: new AbortController().signal },
  );
  const jobs = await admin.prisma.syncJob.findMany({ where: { syncSvcId: BigInt(syncSvcId) } });
  return Object.fromEntries(jobs.map(({ dataModel, state, failed }) => [dataModel, [state, failed]]));
}

/** The ids of what is stored of a record type. */
async function storedIds(dataModel: string): Promise<string[]> {
  const { definition } = resourceOf(zoho, dataModel);
  const { rows } = await admin.pool.query<{ platform_id: string }>(
    `SELECT platform_id FROM ${definition.table} WHERE connection_id = $1 AND svc_deleted_at IS NULL`,
    [tenant.connectionId],
  );
  return rows.map((row) => row.platform_id).sort();
}

const TYPES = zoho.pulls.map(({ definition }) => definition.dataModel);
const SUCCESS = Object.fromEntries(TYPES.map((dataModel) => [dataModel, ['SUCCESS', 0]]));

async function expectStored(): Promise<void> {
  for (const dataModel of TYPES) {
    expect([dataModel, await storedIds(dataModel)]).toEqual([
      dataModel,
      [...(await platform.livingIds(dataModel))].sort(),
    ]);
  }
}

test('all of an organization is stored', async () => {
  expect(await sync()).toEqual(SUCCESS);
  await expectStored();
});

test('another sync of everything changes nothing', async () => {
  const count = { where: { svcCompanyId: BigInt(tenant.companyId) } };
  const before = await admin.prisma.recordChange.count(count);
  expect(await sync()).toEqual(SUCCESS);
  expect(await admin.prisma.recordChange.count(count)).toBe(before);
});

test('its records lead to one another', async () => {
  const caller = await createCaller(app, tenant.organisationId);
  const { body } = await caller.graphql(`{
    invoices(first: 20) { nodes {
      contact { name } currency { code } lineItems { itemId item { name } taxId taxRate { name } account { name } }
      salesOrderIds salesOrders { nodes { documentNumber } } } }
    invoicePayments(first: 20) { nodes { invoiceId invoice { documentNumber } account { name } contact { name } } }
    billPayments(first: 20) { nodes { billId bill { documentNumber } account { name } } }
    accounts(first: 50) { nodes { nominalCode currentBalance parentAccountId parentAccount { name } } }
  }`);
  expect(body.errors).toBeUndefined();
  const { invoices, invoicePayments, billPayments, accounts } = body.data;
  expect(invoices.nodes.filter((one: any) => one.contact === null || one.currency === null)).toEqual([]);
  const lines = invoices.nodes.flatMap(({ lineItems }: any) => lineItems);
  expect(lines.filter((one: any) => one.itemId !== null && one.item === null)).toEqual([]);
  expect(lines.filter((one: any) => one.taxId !== null && one.taxRate === null)).toEqual([]);
  expect(invoicePayments.nodes.filter((one: any) => one.invoiceId !== null && !one.invoice)).toEqual([]);
  expect(billPayments.nodes.filter((one: any) => one.billId !== null && !one.bill)).toEqual([]);
  expect(accounts.nodes.filter((one: any) => one.parentAccountId !== null && !one.parentAccount)).toEqual([]);
  const [sales] = accounts.nodes.filter((one: any) => one.nominalCode === 'A1');
  expect(String(sales.currentBalance)).toBe('12345678901234567.89');
});

test('what is changed, deleted, or paid otherwise is found by the next sync', async () => {
  const [several] = organization.payments.filter(({ applied }) => applied.length > 1);
  const [single] = organization.payments.filter(
    ({ applied, kind }) => applied.length === 1 && kind === 'vendor',
  );
  const [bill] = organization.of('bill');
  if (!several || !single || !bill) throw new Error('there is nothing to change');
  organization.advance(3600);
  const lost = several.applied[0]?.id ?? '';
  several.applied = several.applied.slice(1);
  organization.touch(several);
  bill.notes = 'Changed';
  organization.touch(bill);
  organization.remove(single);
  const before = await storedIds('INVOICE_PAYMENTS');
  expect(before).toContain(`${several.id}:invoice:${lost}`);
  expect(await sync()).toEqual(SUCCESS);
  await expectStored();
});

test('a sync of changes alone reads few objects, and what a payment no longer pays is gone', async () => {
  const [several] = organization.payments.filter(({ applied }) => applied.length > 1);
  if (!several) throw new Error('no payment pays several');
  // Later than the sync before, by our clock.
  organization.time = Math.ceil(Date.now() / 1000) + 3600;
  several.applied = several.applied.slice(1);
  organization.touch(several);
  platform.reset();
  expect(await sync(false)).toEqual(SUCCESS);
  expect(await storedIds('INVOICE_PAYMENTS')).toEqual(
    [...(await platform.livingIds('INVOICE_PAYMENTS'))].sort(),
  );
  const own = platform.calls.filter(({ path }) => /\/(invoices|contacts|customerpayments)\/\d+\?/.test(path));
  expect(own.map(({ path }) => path.split('?')[0])).toEqual([`/books/v3/customerpayments/${several.id}`]);
});
