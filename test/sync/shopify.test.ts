import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { App } from '../../src/app.js';
import { shopify } from '../../src/connectors/shopify/index.js';
import { clientSecretPlace } from '../../src/platforms/client-credentials.js';
import { renewLimits } from '../../src/platforms/renew-limits.js';
import { runSync } from '../../src/sync/run-sync.js';
import { startSync } from '../../src/sync/start-sync.js';
import type { ConformancePlatform } from '../connectors/conformance.js';
import { resourceOf } from '../connectors/sandbox/answering.js';
import { CLIENT } from '../connectors/shopify-fake/identity.js';
import { makeShop } from '../connectors/shopify-fake/makers.js';
import { startShopifyPlatform } from '../connectors/shopify-fake/platform.js';
import { admin } from '../support/admin.js';
import { giveToken } from '../support/platform.js';
import { engineOf, testSecrets } from '../support/sandbox.js';
import { createTenant, type Tenant } from '../support/seed.js';
import { createCaller, startApp } from '../support/service.js';

const shop = makeShop();
let app: App;
let platform: ConformancePlatform;
let tenant: Tenant;

beforeAll(async () => {
  app = await startApp();
  platform = await startShopifyPlatform(shop);
  tenant = await createTenant(app, 'shopify', 'ECOMMERCE');
  const { organisationId } = tenant;
  await admin.prisma.connection.updateMany({
    where: { svcId: BigInt(tenant.connectionId) },
    data: { integrationType: 'SHOPIFY', externalAccountId: platform.externalAccountId },
  });
  await renewLimits(admin);
  await app.database.client(tenant.scope).integration.create({
    data: {
      svcOrganisationId: BigInt(organisationId),
      integrationType: 'SHOPIFY',
      clientId: CLIENT.id,
      clientSecret: testSecrets.seal(CLIENT.secret, clientSecretPlace('SHOPIFY', organisationId)),
    },
  });
  await giveToken(app, tenant, await platform.issueToken());
});
afterAll(async () => {
  await platform?.stop();
  await app?.close();
});

/** Runs a sync of all record types, or of some; returns how each ended, and what it could not read. */
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
    { ...engineOf(app, ''), urls: { SHOPIFY: platform.baseUrl } },
    { organisationId, svcCompanyId, syncSvcId },
    { workerId: 'test', signal: new AbortController().signal },
  );
  const jobs = await admin.prisma.syncJob.findMany({ where: { syncSvcId: BigInt(syncSvcId) } });
  return Object.fromEntries(jobs.map(({ dataModel, state, failed }) => [dataModel, [state, failed]]));
}

const TYPES = shopify.pulls.map(({ definition }) => definition.dataModel);
const ALL_WELL = Object.fromEntries(TYPES.map((dataModel) => [dataModel, ['SUCCESS', 0]]));

/** The ids of what is stored of a record type. */
async function storedIds(dataModel: string): Promise<string[]> {
  const { definition } = resourceOf(shopify, dataModel);
  const { rows } = await admin.pool.query<{ platform_id: string }>(
    `SELECT platform_id FROM ${definition.table} WHERE connection_id = $1 AND svc_deleted_at IS NULL`,
    [tenant.connectionId],
  );
  return rows.map((row) => row.platform_id).sort();
}

async function expectAllStored(): Promise<void> {
  for (const dataModel of TYPES) {
    const living = [...(await platform.livingIds(dataModel))].sort();
    expect([dataModel, await storedIds(dataModel)]).toEqual([dataModel, living]);
  }
}

test('all of a shop is stored, and another sync changes nothing', async () => {
  expect(await sync()).toEqual(ALL_WELL);
  await expectAllStored();
  const count = { where: { svcCompanyId: BigInt(tenant.companyId) } };
  const before = await admin.prisma.recordChange.count(count);
  expect(await sync()).toEqual(ALL_WELL);
  expect(await admin.prisma.recordChange.count(count)).toBe(before);
});

test('its records lead to one another', async () => {
  const caller = await createCaller(app, tenant.organisationId);
  const { body } = await caller.graphql(`{ ecommerceOrders(first: 50) { nodes {
    customerId customer { name } transactions(first: 50) { nodes { fee } }
    fulfillments(first: 50) { nodes { trackingNumber } } lineItems { itemId product { name } } } } }`);
  expect(body.errors).toBeUndefined();
  const { nodes } = body.data.ecommerceOrders;
  expect(nodes).toHaveLength(shop.orders.length);
  expect(nodes.filter((one: any) => (one.customerId === null) !== (one.customer === null))).toEqual([]);
  const lines = nodes.flatMap(({ lineItems }: any) => lineItems);
  expect(lines.filter((one: any) => one.itemId !== null && one.product === null)).toEqual([]);
  const count = (name: string) => nodes.flatMap((one: any) => one[name].nodes).length;
  expect(count('transactions')).toBe((await platform.livingIds('ECOMMERCE_TRANSACTIONS')).length);
  expect(count('fulfillments')).toBe((await platform.livingIds('ECOMMERCE_FULFILLMENTS')).length);
});

test('what is changed and deleted is found, also within orders', async () => {
  for (const dataModel of TYPES) await platform.mutate(dataModel);
  expect(await sync()).toEqual(ALL_WELL);
  await expectAllStored();
});

test('orders that Shopify no longer shows to the app stay, and so does what is in them', async () => {
  const { scopes } = shop;
  shop.scopes = scopes.filter((scope) => scope !== 'read_all_orders');
  shop.advance(61 * 86_400);
  const types = ['ECOMMERCE_ORDERS', 'ECOMMERCE_TRANSACTIONS', 'ECOMMERCE_FULFILLMENTS'];
  const before = await Promise.all(types.map(storedIds));
  const ends = await sync(true, types);
  expect(ends).toEqual(Object.fromEntries(types.map((dataModel) => [dataModel, ['SUCCESS', 0]])));
  expect(await Promise.all(types.map(storedIds))).toEqual(before);
  shop.scopes = scopes;
});

test('a type without its scope fails, and says which, and the others are read', async () => {
  const { scopes } = shop;
  shop.scopes = scopes.filter((scope) => scope !== 'read_customers');
  expect(await sync(false)).toEqual({ ...ALL_WELL, ECOMMERCE_CUSTOMERS: ['FAILED', 0] });
  const [failed] = await admin.prisma.syncJob.findMany({
    where: { svcCompanyId: BigInt(tenant.companyId), dataModel: 'ECOMMERCE_CUSTOMERS', state: 'FAILED' },
  });
  expect(
    JSON.stringify(failed, (_name, value: unknown) => (typeof value === 'bigint' ? String(value) : value)),
  ).toContain('Required access: `read_customers` access scope.');
  shop.scopes = scopes;
});
