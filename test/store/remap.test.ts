import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { App } from '../../src/app.js';
import { connectorFor } from '../../src/connectors/index.js';
import type { TenantSql } from '../../src/db/tenant-sql.js';
import { definitionOf } from '../../src/records/index.js';
import type { Sandbox } from '../../src/sandbox/index.js';
import { remapOutdated, remapUnresolved } from '../../src/store/remap-records.js';
import { deleteBatch } from '../../src/store/store-records.js';
import { admin } from '../support/admin.js';
import { createSandboxTenant, engineOf, startTestSandbox } from '../support/sandbox.js';
import { startApp } from '../support/service.js';
import { untilBlocked } from '../support/until-blocked.js';
import { createXeroTenant } from '../support/xero.js';

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

describe('a record whose codes are not all known', () => {
  /** Of orders that are not deleted. */
  const linesOf = async (svcCompanyId: bigint) => {
    const orders = await admin.prisma.purchaseOrder.findMany({ where: { svcCompanyId, svcDeletedAt: null } });
    const lineItemTypeId = { in: orders.map(({ platformId }) => platformId) };
    return admin.prisma.lineItem.findMany({
      where: { svcCompanyId, lineItemTypeId },
      orderBy: { svcId: 'asc' },
    });
  };

  test('has those that are, and nothing is told of it again', async () => {
    const tenant = await createXeroTenant(app, 'books with an account that is gone');
    try {
      const inTenant = { svcCompanyId: BigInt(tenant.companyId) };
      expect(await tenant.sync(['PURCHASE_ORDERS'])).toBe('SUCCESS');
      const before = await linesOf(inTenant.svcCompanyId);
      const unknown = before.filter(
        ({ accountCode, accountId }) => accountCode !== null && accountId === null,
      );
      const codes = new Set(unknown.map(({ accountCode }) => accountCode));
      const [gone] = codes;
      expect(codes.size).toBeGreaterThan(1);
      const { accounts } = tenant.books;
      accounts.splice(
        accounts.findIndex(({ code }) => code === gone),
        1,
      );
      expect(await tenant.sync(['ACCOUNTS'])).toBe('SUCCESS');
      const after = await linesOf(inTenant.svcCompanyId);
      const unknownNow = after.filter(
        ({ accountCode, accountId }) => accountCode !== null && accountId === null,
      );
      const known = await admin.prisma.account.findMany({ where: { ...inTenant, svcDeletedAt: null } });
      const unknownCodes = [...codes].filter(
        (code) => !known.some(({ nominalCode }) => nominalCode === code),
      );
      expect(unknownCodes).toContain(gone);
      expect(unknownCodes.length).toBeLessThan(codes.size);
      expect(new Set(unknownNow.map(({ accountCode }) => accountCode))).toEqual(new Set(unknownCodes));
      expect(after.map(({ svcId }) => svcId)).toEqual(before.map(({ svcId }) => svcId));
      const unresolved = { ...inTenant, unresolved: true };
      expect(await admin.prisma.purchaseOrder.count({ where: unresolved })).toBeGreaterThan(0);
      const changes = await admin.prisma.recordChange.count({ where: inTenant });
      expect(await tenant.sync(['ACCOUNTS'])).toBe('SUCCESS');
      expect(await admin.prisma.recordChange.count({ where: inTenant })).toBe(changes);
    } finally {
      await tenant.stop();
    }
  });

  test.each(['XERO', 'SVC_SANDBOX'] as const)('is as it was where no more are known: %s', async (type) => {
    const connector = connectorFor(type, 'ACCOUNTING');
    let asked = 0;
    const pulls = connector.pulls.map((resource) => ({
      ...resource,
      lookups: resource.lookups ?? [{ dataModel: 'ACCOUNTS', field: 'nominalCode' }],
      toUnified: (...given: Parameters<typeof resource.toUnified>) => {
        asked += 1;
        const record = resource.toUnified(...given);
        return record && { ...record, unresolved: true };
      },
    }));
    const remapped = async (sql: TenantSql, companyId: number, connectionId: number) => {
      const target = { svcCompanyId: companyId, connectionId, integrationType: type };
      const how = { connector: { ...connector, pulls }, syncId: null, hold: () => Promise.resolve() };
      const since = async (hours: number) => {
        asked = 0;
        const time = new Date(Date.now() + hours * 3_600_000).toISOString();
        const renewed = await remapUnresolved({ sql, target, ...how }, time);
        return { renewed, isAsked: asked > 0 };
      };
      // Nothing that they may name has changed since.
      expect(await since(1)).toEqual({ renewed: 0, isAsked: false });
      expect(await since(-1)).toEqual({ renewed: 0, isAsked: true });
      return remapUnresolved({ sql, target, ...how }, null);
    };
    const mark = async (companyId: number) => {
      for (const { definition } of connector.pulls) {
        await admin.prisma.$executeRawUnsafe(
          `UPDATE ${definition.table} SET unresolved = true WHERE svc_company_id = ${companyId}`,
        );
      }
    };
    const all = connector.pulls
      .map(({ definition }) => definition.dataModel)
      .filter((one) => one !== 'DOCUMENTS');
    if (type === 'XERO') {
      const tenant = await createXeroTenant(app, 'books that stay');
      try {
        expect(await tenant.sync(all)).toBe('SUCCESS');
        await mark(tenant.companyId);
        expect(await remapped(app.database.sql(tenant.scope), tenant.companyId, tenant.connectionId)).toBe(0);
      } finally {
        await tenant.stop();
      }
      return;
    }
    const tenant = await createSandboxTenant(engineOf(app, sandbox.url), sandbox);
    const { connectionId } = await tenant.connect('ACCOUNTING').then(async (connected) => {
      await tenant.sync(connected);
      return connected;
    });
    await mark(tenant.companyId);
    expect(await remapped(app.database.sql(tenant.link.scope), tenant.companyId, connectionId)).toBe(0);
  });
});
