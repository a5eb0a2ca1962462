import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { App } from '../../src/app.js';
import { stripe } from '../../src/connectors/stripe/index.js';
import { renewLimits } from '../../src/platforms/renew-limits.js';
import { runSync } from '../../src/sync/run-sync.js';
import { startSync } from '../../src/sync/start-sync.js';
import type { ConformancePlatform } from '../connectors/conformance.js';
import { resourceOf } from '../connectors/sandbox/answering.js';
import { startStripePlatform } from '../connectors/stripe-fake/platform.js';
import { admin } from '../support/admin.js';
import { giveToken } from '../support/platform.js';
import { engineOf } from '../support/sandbox.js';
import { createTenant, type Tenant } from '../support/seed.js';
import { createCaller, startApp } from '../support/service.js';

let app: App;
let platform: ConformancePlatform;
let tenant: Tenant;

beforeAll(async () => {
  app = await startApp();
  platform = await startStripePlatform();
  tenant = await createTenant(app, 'stripe', 'PAYMENTS');
  await admin.prisma.connection.updateMany({
    where: { svcId: BigInt(tenant.connectionId) },
    data: { integrationType: 'STRIPE', externalAccountId: platform.externalAccountId },
  });
  await renewLimits(admin);
  await app.database.client(tenant.scope).integration.create({
    data: { svcOrganisationId: BigInt(tenant.organisationId), integrationType: 'STRIPE' },
  });
  await giveToken(app, tenant, await platform.issueToken());
});
afterAll(async () => {
  await platform.stop();
  await app.close();
});

/** Runs a sync of everything; returns how each record type ended, and what it counted. */
async function sync() {
  const { organisationId, companyId: svcCompanyId, connectionId } = tenant;
  const { syncSvcId } = await app.database.sql(tenant.scope).transaction((transaction) =>
    startSync(transaction, {
      svcCompanyId,
      connectionId,
      syncType: 'MANUAL',
      fullSync: true,
      syncFrom: null,
      dataModels: null,
    }),
  );
  await runSync(
    { ...engineOf(app, ''), urls: { STRIPE: platform.baseUrl } },
    { organisationId, svcCompanyId, syncSvcId },
    { workerId: 'test', signal: new AbortController().signal },
  );
  const jobs = await admin.prisma.syncJob.findMany({ where: { syncSvcId: BigInt(syncSvcId) } });
  return Object.fromEntries(jobs.map(({ dataModel, state, failed }) => [dataModel, [state, failed]]));
}

/** The ids of what is stored of a record type. */
async function storedIds(dataModel: string): Promise<string[]> {
  const { definition } = resourceOf(stripe, dataModel);
  const { rows } = await admin.pool.query<{ platform_id: string }>(
    `SELECT platform_id FROM ${definition.table} WHERE connection_id = $1 AND svc_deleted_at IS NULL`,
    [tenant.connectionId],
  );
  return rows.map((row) => row.platform_id).sort();
}

const TYPES = stripe.pulls.map(({ definition }) => definition.dataModel);

test('stores all records of an account within its limits', async () => {
  const ends = await sync();
  expect(ends).toEqual(Object.fromEntries(TYPES.map((dataModel) => [dataModel, ['SUCCESS', 0]])));
  for (const dataModel of TYPES) {
    expect([dataModel, await storedIds(dataModel)]).toEqual([
      dataModel,
      [...(await platform.livingIds(dataModel))].sort(),
    ]);
  }
});

test('another sync of everything changes nothing', async () => {
  const count = { where: { svcCompanyId: BigInt(tenant.companyId) } };
  const before = await admin.prisma.recordChange.count(count);
  const ends = await sync();
  expect(ends).toEqual(Object.fromEntries(TYPES.map((dataModel) => [dataModel, ['SUCCESS', 0]])));
  expect(await admin.prisma.recordChange.count(count)).toBe(before);
});

test('resolves the references between its records', async () => {
  const caller = await createCaller(app, tenant.organisationId);
  const { body } = await caller.graphql(`{
    payments(first: 100) { nodes { amount invoice { documentNumber lineItems { item { name } } } customer { name } } }
    paymentRefunds(first: 50) { nodes { payment { platformId } } }
    paymentDisputes(first: 50) { nodes { payment { platformId } } }
  }`);
  expect(body.errors).toBeUndefined();
  const invoiced = body.data.payments.nodes.filter((one: any) => one.invoice !== null);
  expect(invoiced.length).toBeGreaterThan(0);
  expect(invoiced.every((one: any) => one.customer !== null)).toBe(true);
  expect(body.data.paymentRefunds.nodes.map((one: any) => one.payment)).not.toContain(null);
  expect(body.data.paymentDisputes.nodes.map((one: any) => one.payment)).not.toContain(null);
});
