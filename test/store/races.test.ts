import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { App } from '../../src/app.js';
import { connectorFor } from '../../src/connectors/index.js';
import { definitionOf } from '../../src/records/index.js';
import type { Sandbox } from '../../src/sandbox/index.js';
import { remapOutdated } from '../../src/store/remap-records.js';
import { deleteBatch, storeBatch } from '../../src/store/store-records.js';
import { beginJob, listJobs } from '../../src/sync/job-state.js';
import { removeUnseen } from '../../src/sync/remove-missing.js';
import { claimRun } from '../../src/sync/run-state.js';
import { startSync } from '../../src/sync/start-sync.js';
import { admin } from '../support/admin.js';
import { createSandboxTenant, engineOf, startTestSandbox } from '../support/sandbox.js';
import { createTenant } from '../support/seed.js';
import { startApp } from '../support/service.js';
import { until } from '../support/until.js';

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

const untilBlocked = () =>
  until('a statement that waits for another', async () => {
    const { rows } = await admin.pool.query(
      `SELECT FROM pg_stat_activity
       WHERE datname = current_database() AND cardinality(pg_blocking_pids(pid)) > 0`,
    );
    return rows.length > 0;
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

test('a search for deleted records leaves alone what is stored while it ends', async () => {
  const acme = await createTenant(app, 'sweep');
  const sql = app.database.sql(acme.scope);
  const account = (platformId: string) => ({ platformId, values: { name: platformId } });
  await acme.store('Account', [account('gone'), account('written')]);
  const { companyId: svcCompanyId, connectionId } = acme;
  const { syncSvcId } = await sql.transaction((transaction) =>
    startSync(transaction, {
      svcCompanyId,
      connectionId,
      syncType: 'MANUAL',
      fullSync: true,
      syncFrom: null,
      dataModels: ['ACCOUNTS'],
    }),
  );
  const run = await claimRun(sql, { svcCompanyId, syncSvcId }, 'test');
  if (!run) throw new Error('the run cannot be claimed');
  const [created] = await listJobs(sql, run);
  await beginJob(sql, run, created?.svcId ?? 0, { since: null, plan: null });
  const [job] = await listJobs(sql, run);
  const resource = connectorFor('SVC_SANDBOX', 'ACCOUNTING').pulls.find(
    ({ definition }) => definition.dataModel === 'ACCOUNTS',
  );
  if (!job || !resource) throw new Error('accounts are not synced');
  let removed = Promise.resolve();
  await sql.transaction(async (transaction) => {
    await storeBatch(transaction, {
      definition: definitionOf('Account'),
      svcCompanyId,
      connectionId,
      integrationType: 'SVC_SANDBOX',
      cause: { kind: 'write', id: 'an upload' },
      records: [
        {
          platformId: 'written',
          values: { name: 'Written' },
          raw: { text: '{"a":1}', altered: false },
          dataHash: 'written',
          mapperVersion: 1,
        },
      ],
    });
    const removal = { run, job, resource, place: 0, cursor: null, checkIn: () => undefined };
    removed = removeUnseen(sql, removal, 1);
    await untilBlocked();
  });
  await removed;
  const deleted = await admin.prisma.account.findMany({
    where: { svcCompanyId: BigInt(svcCompanyId), svcDeletedAt: { not: null } },
  });
  expect(deleted.map(({ platformId }) => platformId)).toEqual(['gone']);
});
