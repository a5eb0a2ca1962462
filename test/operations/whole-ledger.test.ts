import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { App } from '../../src/app.js';
import type { Sandbox } from '../../src/sandbox/index.js';
import type { SyncEngine } from '../../src/sync/engine.js';
import { admin } from '../support/admin.js';
import { createSandboxTenant, engineOf, type SandboxTenant, startTestSandbox } from '../support/sandbox.js';
import { createCaller, startApp } from '../support/service.js';

const LEDGER = ['ACCOUNTS', 'JOURNAL_ENTRIES'];

let app: App;
let sandbox: Sandbox;
let engine: SyncEngine;
beforeAll(async () => {
  sandbox = await startTestSandbox();
  app = await startApp({ SANDBOX_URL: sandbox.url });
  engine = engineOf(app, sandbox.url);
});
afterAll(async () => {
  await app.close();
  await sandbox.stop();
});

async function balanceSheet({ organisationId, companyId }: SandboxTenant, more = '') {
  const caller = await createCaller(app, organisationId);
  const { body } =
    await caller.graphql(`{ balanceSheets(companyId: ${companyId}, periodEnd: "2026-12-31"${more}) {
    nodes { source netAssets } } }`);
  return body;
}

test('of a ledger that was read only since a date nothing is computed', async () => {
  const other = await createSandboxTenant(engine, sandbox, { records: 40 });
  await other.sync(await other.connect('ACCOUNTING'), { dataModels: LEDGER });
  const entries = await admin.prisma.journalEntry.findMany({
    where: { svcCompanyId: BigInt(other.companyId) },
    orderBy: { updatedAt: 'asc' },
  });
  expect((await balanceSheet(other)).data.balanceSheets.nodes[0].source).toBe('LEDGER');

  const tenant = await createSandboxTenant(engine, sandbox, { records: 40 });
  const syncFrom = entries[Math.floor(entries.length / 2)]?.updatedAt ?? null;
  const key = { svcOrganisationId: BigInt(tenant.organisationId), svcCompanyId: BigInt(tenant.companyId) };
  await admin.prisma.syncConfig.create({
    data: { ...key, category: 'ACCOUNTING', dataModel: 'JOURNAL_ENTRIES', syncFrom },
  });
  await tenant.sync(await tenant.connect('ACCOUNTING'), { dataModels: LEDGER });
  const read = await admin.prisma.journalEntry.count({ where: key });
  expect(read).toBeGreaterThan(0);
  expect(read).toBeLessThan(entries.length);
  expect((await balanceSheet(tenant)).data.balanceSheets.nodes[0].source).toBe('PLATFORM');
});

test('nor of one of which entries could not be mapped', async () => {
  const tenant = await createSandboxTenant(engine, sandbox, { records: 40 });
  const { rowCount } = await admin.pool.query(
    `UPDATE sandbox.objects SET body = replace(body, '"Guid"', '"Guide"')
     WHERE (account, kind, position) IN (SELECT o.account, o.kind, o.position FROM sandbox.objects o
       JOIN sandbox.accounts a ON a.key = o.account WHERE a.id = $1 AND o.kind = 'Journals' AND o.deleted_at IS NULL
       ORDER BY o.position LIMIT 20)`,
    [tenant.account],
  );
  expect(rowCount).toBe(20);
  await tenant.sync(await tenant.connect('ACCOUNTING'), { dataModels: LEDGER });
  const { errors } = await balanceSheet(tenant, ', source: LEDGER');
  expect(errors?.[0].extensions.code).toBe('operation-denied');
  expect(errors?.[0].message).toContain('some JOURNAL_ENTRIES could not be mapped');
});
