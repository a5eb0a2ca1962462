import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { App } from '../../src/app.js';
import { connectorFor } from '../../src/connectors/index.js';
import { definitionOf } from '../../src/records/index.js';
import type { Sandbox } from '../../src/sandbox/index.js';
import { storeBatch } from '../../src/store/store-records.js';
import { beginJob, listJobs } from '../../src/sync/state/job-state.js';
import { removeUnseen } from '../../src/sync/storing/remove-missing.js';
import { claimRun } from '../../src/sync/state/run-state.js';
import { startSync } from '../../src/sync/start-sync.js';
import { createSandboxTenant, engineOf, startTestSandbox } from '../support/sandbox.js';
import { createTenant, type Tenant } from '../support/seed.js';
import { startApp } from '../support/service.js';
import { admin } from '../support/admin.js';
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

const MINUTE_MS = 60_000;

test('an incremental sync requests changes from before the start of the last one', async () => {
  const tenant = await createSandboxTenant(engineOf(app, sandbox.url), sandbox, { records: 20 });
  const connected = await tenant.connect('PAYMENTS');
  await tenant.run(connected.syncSvcId);
  const where = { svcCompanyId: BigInt(tenant.companyId), connectionId: BigInt(connected.connectionId) };
  const marks = await admin.prisma.syncMark.findMany({ where });
  const again = BigInt(await tenant.sync(connected));
  const jobs = await admin.prisma.syncJob.findMany({ where: { syncSvcId: again } });
  const reads = jobs.filter(({ since }) => since !== null);
  expect(reads.length).toBeGreaterThan(0);
  for (const { dataModel, since } of reads) {
    const pulledTo = marks.find((mark) => mark.dataModel === dataModel)?.pulledTo;
    expect(Number(pulledTo) - Number(since)).toBeGreaterThanOrEqual(MINUTE_MS);
  }
});

/** A full sync of accounts that has begun, and ends by looking for deleted ones; some are here already. */
async function sweepOf(acme: Tenant, ...platformIds: readonly string[]) {
  const sql = app.database.sql(acme.scope);
  await acme.store('Account', platformIds.map(account));
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
  if (!job || !resource) throw new Error('accounts are synced');
  const removal = {
    run,
    job,
    resource,
    idle: null,
    place: 0,
    cursor: null,
    checkIn: () => Promise.resolve(),
  };
  return { sql, job, remove: () => removeUnseen(sql, removal, 1) };
}

const account = (platformId: string) => ({ platformId, values: { name: platformId } });

const deletedIn = async ({ companyId }: Tenant) =>
  (
    await admin.prisma.account.findMany({
      where: { svcCompanyId: BigInt(companyId), svcDeletedAt: { not: null } },
    })
  ).map(({ platformId }) => platformId);

test('a search for deleted records removes no record stored since it began', async () => {
  const acme = await createTenant(app, 'sweep');
  const { job, remove } = await sweepOf(acme, 'gone', 'met');
  await acme.store('Account', [account('written meanwhile')]);
  await admin.prisma.syncSeen.create({
    data: {
      svcOrganisationId: BigInt(acme.organisationId),
      svcCompanyId: BigInt(acme.companyId),
      syncJobSvcId: BigInt(job.svcId),
      platformId: 'met',
    },
  });
  await remove();
  expect(await deletedIn(acme)).toEqual(['gone']);
});

test('a search for deleted records removes no record stored while it ends', async () => {
  const acme = await createTenant(app, 'sweep that ends');
  const { sql, remove } = await sweepOf(acme, 'gone', 'written');
  let removed = Promise.resolve();
  await sql.transaction(async (transaction) => {
    await storeBatch(transaction, {
      definition: definitionOf('Account'),
      svcCompanyId: acme.companyId,
      connectionId: acme.connectionId,
      integrationType: 'SVC_SANDBOX',
      cause: { kind: 'write', id: 'an upload' },
      records: [
        {
          ...account('written'),
          raw: { text: '{"a":1}', altered: false },
          dataHash: 'written',
          mapperVersion: 1,
        },
      ],
    });
    removed = remove();
    await untilBlocked();
  });
  await removed;
  expect(await deletedIn(acme)).toEqual(['gone']);
});
