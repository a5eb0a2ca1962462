import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { App } from '../../src/app.js';
import { connectorFor } from '../../src/connectors/index.js';
import type { Category } from '../../src/records/define.js';
import type { Sandbox } from '../../src/sandbox/index.js';
import type { SyncEngine } from '../../src/sync/engine.js';
import {
  control,
  createSandboxTenant,
  engineOf,
  type SandboxTenant,
  startTestSandbox,
} from '../support/sandbox.js';
import { startApp } from '../support/service.js';
import { admin } from '../support/admin.js';

const PLATFORM = { ACCOUNTING: 'accounting', PAYMENTS: 'payments', ECOMMERCE: 'ecommerce' } as const;

let app: App;
let sandbox: Sandbox;
let engine: SyncEngine;

beforeAll(async () => {
  app = await startApp();
  sandbox = await startTestSandbox();
  engine = engineOf(app, sandbox.url);
});
afterAll(async () => {
  await sandbox.stop();
  await app.close();
});

const runOf = (syncSvcId: number) =>
  admin.prisma.sync.findFirstOrThrow({
    where: { svcId: BigInt(syncSvcId) },
    include: { jobs: { orderBy: { position: 'asc' } } },
  });
const totals = async (syncSvcId: number) => {
  const { jobs } = await runOf(syncSvcId);
  const sum = (pick: (job: (typeof jobs)[number]) => number) => jobs.reduce((all, job) => all + pick(job), 0);
  return {
    created: sum((job) => job.created),
    updated: sum((job) => job.updated),
    deleted: sum((job) => job.deleted),
    unchanged: sum((job) => job.unchanged),
    failed: sum((job) => job.failed),
  };
};

/** Live platform ids of a company, by data model. */
async function mirror(tenant: SandboxTenant, category: Category): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {};
  for (const { definition } of connectorFor('SVC_SANDBOX', category).pulls) {
    const { rows } = await admin.pool.query<{ id: string; raw: unknown }>(
      `SELECT platform_id AS id FROM ${definition.table} WHERE svc_company_id = $1 AND svc_deleted_at IS NULL
       AND connection_id IN (SELECT svc_id FROM connections WHERE category = $2) ORDER BY platform_id`,
      [tenant.companyId, category],
    );
    found[definition.dataModel] = rows.map(({ id }) => id);
  }
  return found;
}

/** How many live objects the platform has. */
async function platformCount(tenant: SandboxTenant, category: Category): Promise<number> {
  const answer = await fetch(
    `${sandbox.url}/_sandbox/objects?account=${tenant.account}&platform=${PLATFORM[category]}`,
  );
  return (await answer.text()).trim().split('\n').filter(Boolean).length;
}

describe.each(['ACCOUNTING', 'PAYMENTS', 'ECOMMERCE'] as const)('%s', (category) => {
  let tenant: SandboxTenant;
  let first: Awaited<ReturnType<SandboxTenant['connect']>>;

  const connectTenant = async () => {
    const connecting = await createSandboxTenant(engine, sandbox);
    const connected = await connecting.connect(category);
    await connecting.run(connected.syncSvcId);
    return [connecting, connected] as const;
  };
  beforeAll(async () => {
    [tenant, first] = await connectTenant();
  });

  test('everything arrives with the sync that connecting starts', async () => {
    const run = await runOf(first.syncSvcId);
    expect(run.jobs.filter(({ state }) => state !== 'SUCCESS')).toEqual([]);
    expect(run).toMatchObject({ state: 'SUCCESS', errorMessage: null });
    const { created, failed } = await totals(first.syncSvcId);
    expect({ created, failed }).toEqual({ created: expect.any(Number), failed: 0 });
    const stored = Object.values(await mirror(tenant, category)).flat().length;
    expect(stored).toBe(created);
    expect(stored).toBeGreaterThanOrEqual(await platformCount(tenant, category));
    const connection = await admin.prisma.connection.findFirstOrThrow({
      where: { svcId: BigInt(first.connectionId) },
    });
    expect(connection).toMatchObject({
      status: 'HEALTHY',
      syncStatus: 'IDLE',
      lastSyncedAt: expect.any(Date),
    });
  });

  test('no code is left unresolved', async () => {
    for (const { definition } of connectorFor('SVC_SANDBOX', category).pulls) {
      const { rows } = await admin.pool.query(
        `SELECT platform_id FROM ${definition.table} WHERE svc_company_id = $1 AND unresolved`,
        [tenant.companyId],
      );
      expect({ table: definition.table, rows }).toEqual({ table: definition.table, rows: [] });
    }
  });

  test('a second sync touches nothing', async () => {
    const before = await admin.prisma.recordChange.count({
      where: { svcCompanyId: BigInt(tenant.companyId) },
    });
    const counts = await totals(await tenant.sync(first));
    expect(counts).toMatchObject({ created: 0, updated: 0, deleted: 0, failed: 0 });
    const full = await totals(await tenant.sync(first, { fullSync: true }));
    expect(full).toMatchObject({ created: 0, updated: 0, deleted: 0, failed: 0 });
    const after = await admin.prisma.recordChange.count({
      where: { svcCompanyId: BigInt(tenant.companyId) },
    });
    expect(after).toBe(before);
  });

  test('what changed and what was deleted arrives with the next sync', async () => {
    const [changing, connected] = await connectTenant();
    const mutated = await control(sandbox, 'POST', '/mutate', {
      account: changing.account,
      platform: PLATFORM[category],
      share: 0.05,
      deletes: 4,
      voids: 0,
      seed: 3,
    });
    const counts = await totals(await changing.sync(connected, { fullSync: category === 'ACCOUNTING' }));
    expect(counts.failed).toBe(0);
    expect(counts.updated).toBeGreaterThan(0);
    expect(counts.deleted).toBeGreaterThanOrEqual(mutated.deleted.length);
    const live = new Set(Object.values(await mirror(changing, category)).flat());
    const gone = mutated.deleted.map(({ id }: { id: string }) => id.replace(/^gid:.*\//, ''));
    expect(gone.filter((id: string) => live.has(id))).toEqual([]);
  });
});
