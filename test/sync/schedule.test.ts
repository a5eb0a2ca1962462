import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { App } from '../../src/app.js';
import { sandboxShop } from '../../src/connectors/sandbox/shop/index.js';
import type { Sandbox } from '../../src/sandbox/index.js';
import type { SyncEngine } from '../../src/sync/engine.js';
import { startDueSyncs } from '../../src/sync/schedule.js';
import { createSandboxTenant, engineOf, type SandboxTenant, startTestSandbox } from '../support/sandbox.js';
import { startApp } from '../support/service.js';
import { admin } from '../support/admin.js';
import { statementsOf } from '../support/statements.js';

const HOUR_MS = 3_600_000;

let app: App;
let sandbox: Sandbox;
let engine: SyncEngine;
let tenant: SandboxTenant;
let connectionId: number;

beforeAll(async () => {
  app = await startApp();
  sandbox = await startTestSandbox();
  engine = engineOf(app, sandbox.url);
});
beforeEach(async () => {
  tenant = await createSandboxTenant(engine, sandbox);
  const connected = await tenant.connect('ECOMMERCE');
  connectionId = connected.connectionId;
  await tenant.run(connected.syncSvcId);
});
afterAll(async () => {
  await sandbox.stop();
  await app.close();
});

/** The syncs that the schedule started for the connection, and what they are to read. */
async function started(now: Date): Promise<string[][]> {
  const where = { connectionId: BigInt(connectionId), syncType: 'AUTO_SYNC' };
  const before = await admin.prisma.sync.count({ where });
  await startDueSyncs(engine, now);
  const runs = await admin.prisma.sync.findMany({
    where,
    include: { jobs: { orderBy: { position: 'asc' } } },
    orderBy: { svcId: 'asc' },
    skip: before,
  });
  return runs.map(({ jobs }) => jobs.map(({ dataModel }) => dataModel));
}
const endAll = () =>
  admin.prisma.sync.updateMany({
    where: { connectionId: BigInt(connectionId) },
    data: { state: 'SUCCESS', endedAt: new Date() },
  });
/** What a shop has, in the order in which it is pulled. */
const SHOP = sandboxShop.pulls.map(({ definition }) => definition.dataModel);
const configure = (dataModel: string, data: object) => {
  const key = { svcCompanyId: BigInt(tenant.companyId), category: 'ECOMMERCE', dataModel };
  return admin.prisma.syncConfig.upsert({
    where: { svcCompanyId_category_dataModel: key },
    create: { ...key, svcOrganisationId: BigInt(tenant.organisationId), ...data },
    update: data,
  });
};
const inHours = (hours: number) => new Date(Date.now() + hours * HOUR_MS);

test('a connection is synced again a day later, once', async () => {
  expect(await started(inHours(23))).toEqual([]);
  expect(await started(inHours(25))).toEqual([SHOP]);
  // It has not ended yet.
  expect(await started(inHours(25))).toEqual([]);
});

test('a connection of which nothing can be due costs no statements of its own', async () => {
  const company = String(tenant.companyId);
  const askedOf = async (hours: number) => {
    const statements = await statementsOf(app, () => started(inHours(hours)));
    return statements.filter(({ values }) => values.map(String).includes(company)).length;
  };
  expect(await askedOf(23)).toBe(0);
  expect(await askedOf(25)).toBeGreaterThan(0);
});

test('a worker that is stopping starts no sync', async () => {
  expect(await startDueSyncs(engine, inHours(25), AbortSignal.abort())).toBe(0);
  expect(await started(inHours(25))).toEqual([SHOP]);
});

test("a sync runs as often as the company's settings say, and only for enabled record types", async () => {
  await configure('ECOMMERCE_ORDERS', { frequency: 'WEEKLY', interval: 2 });
  expect(await started(inHours(25))).toEqual([SHOP.filter((one) => one !== 'ECOMMERCE_ORDERS')]);
  await endAll();
  for (const dataModel of SHOP.slice(1)) await configure(dataModel, { enabled: false });
  expect(await started(inHours(24 * 13))).toEqual([]);
  expect(await started(inHours(24 * 15))).toEqual([['ECOMMERCE_ORDERS']]);
});

test('no sync starts while the connection is not healthy', async () => {
  const where = { svcId: BigInt(connectionId) };
  await admin.prisma.connection.updateMany({ where, data: { status: 'EXPIRED' } });
  expect(await started(inHours(24 * 400))).toEqual([]);
  await admin.prisma.connection.updateMany({ where, data: { status: 'HEALTHY' } });
  expect(await started(inHours(24 * 400))).toEqual([SHOP]);
});

test('a record type that fails is tried again a day later', async () => {
  expect(await started(inHours(25))).toEqual([SHOP]);
  // It ended without having read anything.
  await endAll();
  expect(await started(inHours(26))).toEqual([]);
  expect(await started(inHours(48))).toEqual([]);
  expect(await started(inHours(50))).toEqual([SHOP]);
});

test('a record type that was never read is synced, unless its platform does not have it', async () => {
  const [first = '', ...others] = SHOP;
  await admin.prisma.syncMark.deleteMany({ where: { connectionId: BigInt(connectionId), dataModel: first } });
  await configure(others[0] ?? '', { enabled: false });
  expect(await started(inHours(1))).toEqual([[first]]);
});
