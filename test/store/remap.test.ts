import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { App } from '../../src/app.js';
import { connectorFor } from '../../src/connectors/index.js';
import { definitionOf } from '../../src/records/index.js';
import type { Sandbox } from '../../src/sandbox/index.js';
import { remapOutdated } from '../../src/store/remap-records.js';
import { deleteBatch } from '../../src/store/store-records.js';
import { admin } from '../support/admin.js';
import { createSandboxTenant, engineOf, startTestSandbox } from '../support/sandbox.js';
import { startApp } from '../support/service.js';
import { untilBlocked } from '../support/until-blocked.js';

let app: App;
let sandbox: Sandbox;
beforeAll(async () => {
  app = await startApp();
  sandbox = await startTestSandbox();
});
afterAll(async () => {
  await sandbox.stop();
  await app.close();
});

test('a record that a sync removes while it is mapped anew stays removed', async () => {
  const tenant = await createSandboxTenant(engineOf(app, sandbox.url), sandbox);
  const connected = await tenant.connect('ACCOUNTING');
  await tenant.sync(connected, { dataModels: ['ITEMS'] });
  const inTenant = { svcCompanyId: BigInt(tenant.companyId) };
  await admin.prisma.item.updateMany({ where: inTenant, data: { mapperVersion: -1 } });
  const [gone, ...others] = await admin.prisma.item.findMany({ where: inTenant, orderBy: { svcId: 'asc' } });
  if (!gone) throw new Error('there is no item');
  const sql = app.database.sql(tenant.link.scope);
  const target = {
    svcCompanyId: tenant.companyId,
    connectionId: connected.connectionId,
    integrationType: 'SVC_SANDBOX',
  };
  let remapped = Promise.resolve(0);
  await sql.transaction(async (transaction) => {
    await deleteBatch(transaction, {
      ...target,
      definition: definitionOf('Item'),
      platformIds: [gone.platformId],
      cause: { kind: 'sync', id: 'the sync' },
    });
    remapped = remapOutdated({
      sql,
      connector: connectorFor('SVC_SANDBOX', 'ACCOUNTING'),
      target,
      syncId: null,
      hold: () => Promise.resolve(),
    });
    await untilBlocked();
  });
  expect(await remapped).toBe(others.length);
  const changes = await admin.prisma.recordChange.findMany({
    where: { ...inTenant, svcId: gone.svcId },
    orderBy: { position: 'asc' },
  });
  expect(changes.map(({ operation }) => operation)).toEqual(['CREATE', 'DELETE']);
});

test('what the platform sent is told as it came, and a record that cannot be stored any more keeps no other out', async () => {
  const tenant = await createSandboxTenant(engineOf(app, sandbox.url), sandbox);
  const connected = await tenant.connect('ACCOUNTING');
  await tenant.sync(connected, { dataModels: ['ITEMS'] });
  const inTenant = { svcCompanyId: BigInt(tenant.companyId) };
  await admin.prisma.item.updateMany({ where: inTenant, data: { mapperVersion: -1, rawDataAltered: true } });
  const [odd, ...others] = await admin.prisma.item.findMany({ where: inTenant, orderBy: { svcId: 'asc' } });
  const connector = connectorFor('SVC_SANDBOX', 'ACCOUNTING');
  const pulls = connector.pulls.map((resource) => ({
    ...resource,
    toUnified: (...given: Parameters<typeof resource.toUnified>) => {
      const record = resource.toUnified(...given);
      if (record?.platformId !== odd?.platformId) return record;
      return record && { ...record, values: { ...record.values, name: 'half a pair: \ud800' } };
    },
  }));
  const renewed = await remapOutdated({
    sql: app.database.sql(tenant.link.scope),
    connector: { ...connector, pulls },
    target: {
      svcCompanyId: tenant.companyId,
      connectionId: connected.connectionId,
      integrationType: 'SVC_SANDBOX',
    },
    syncId: null,
    hold: () => Promise.resolve(),
  });
  expect(renewed).toBe(others.length);
  const outdated = await admin.prisma.item.findMany({ where: { ...inTenant, mapperVersion: -1 } });
  expect(outdated.map(({ svcId }) => svcId)).toEqual([odd?.svcId]);
  expect(await admin.prisma.item.count({ where: { ...inTenant, rawDataAltered: false } })).toBe(0);
});
