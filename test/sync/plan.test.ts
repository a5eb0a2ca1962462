import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { App } from '../../src/app.js';
import type { CuttableDeletions, PullResource } from '../../src/connectors/pull.js';
import { PlatformPause } from '../../src/connectors/client/platform-errors.js';
import { sandboxPay } from '../../src/connectors/sandbox/pay/index.js';
import type { Sandbox } from '../../src/sandbox/index.js';
import { resourceOf } from '../connectors/sandbox/answering.js';
import { admin } from '../support/admin.js';
import {
  control,
  createSandboxTenant,
  engineOf,
  type SandboxTenant,
  startTestSandbox,
} from '../support/sandbox.js';
import { startApp } from '../support/service.js';

const DAY_MS = 86_400_000;
const CUSTOMERS = ['PAYMENT_CUSTOMERS'];

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

const connect = async (records: number) => {
  const tenant = await createSandboxTenant(engineOf(app, sandbox.url), sandbox, { records });
  const connected = await tenant.connect('PAYMENTS');
  await admin.prisma.sync.deleteMany({ where: { svcId: BigInt(connected.syncSvcId) } });
  return { tenant, connected };
};
const inTenant = ({ companyId }: SandboxTenant) => ({ svcCompanyId: BigInt(companyId) });
const run = (svcId: number) =>
  admin.prisma.sync.findFirstOrThrow({ where: { svcId: BigInt(svcId) }, include: { jobs: true } });
const living = (tenant: SandboxTenant) =>
  admin.prisma.paymentCustomer.findMany({ where: { ...inTenant(tenant), svcDeletedAt: null } });
/** Lets Pay answer like that; `skip` calls go well before. */
const fault = ({ account }: SandboxTenant, rule: object) =>
  control(sandbox, 'POST', '/faults', { rules: [{ platform: 'payments', account, share: 1, ...rule }] });
const mend = () => control(sandbox, 'DELETE', '/faults');
const deleteCustomers = async ({ account }: SandboxTenant, deletes: number): Promise<string[]> => {
  const { deleted } = await control(sandbox, 'POST', '/mutate', {
    ...{ account, platform: 'payments', kind: 'customers', deletes },
  });
  return deleted.map(({ id }: { id: string }) => id);
};
const age = (tenant: SandboxTenant, days: number) => {
  const time = new Date(Date.now() - days * DAY_MS);
  return admin.prisma.syncMark.updateMany({
    where: inTenant(tenant),
    data: { pulledTo: time, sweptAt: time, completeAt: time },
  });
};

test('removes records deleted between a failed first sync and the next one', async () => {
  const { tenant, connected } = await connect(3000);
  await fault(tenant, { method: 'GET', path: '/payments/v1/customers', fault: '400', skip: 1 });
  const first = await tenant.sync(connected, { dataModels: CUSTOMERS });
  await mend();
  expect((await run(first)).state).toBe('FAILED');
  const gone = await deleteCustomers(tenant, 40);
  // That was before the next sync, and what it asks for of the time before.
  await admin.pool.query(
    `UPDATE sandbox.events e SET created_at = e.created_at - interval '1 hour' FROM sandbox.accounts a
     WHERE a.key = e.account AND a.id = $1 AND e.type LIKE '%deleted'`,
    [tenant.account],
  );
  const left = async () =>
    (await living(tenant)).filter(({ platformId }) => gone.includes(platformId)).length;
  expect(await left()).toBeGreaterThan(0);
  const second = await tenant.sync(connected, { dataModels: CUSTOMERS });
  expect((await run(second)).state).toBe('SUCCESS');
  expect(await left()).toBe(0);
});

test('a full sync that sleeps while the feed of deletions runs out of reach removes nothing that lives', async () => {
  const { tenant, connected } = await connect(15);
  // So few may always go.
  await deleteCustomers(tenant, 28);
  await tenant.sync(connected, { dataModels: CUSTOMERS });
  const before = await living(tenant);
  expect(before.length).toBeGreaterThan(0);
  expect(before.length).toBeLessThanOrEqual(10);
  await age(tenant, 29);
  // All customers are read; then the platform is away.
  await fault(tenant, { path: '/payments/v1/events', fault: '500' });
  const full = await tenant.sync(connected, { dataModels: CUSTOMERS, fullSync: true });
  expect(await run(full)).toMatchObject({ state: 'SLEEPING', jobs: [{ phase: 'SWEEP' }] });
  await mend();
  // Pay keeps its events for 30 days.
  await age(tenant, 31);
  await admin.prisma.connection.updateMany({ where: inTenant(tenant), data: { pausedUntil: null } });
  await tenant.run(full);
  expect((await run(full)).state).toBe('SUCCESS');
  expect(await living(tenant)).toEqual(before);
});

/** Lets Pay's deleted customers be found in other ways. */
async function withDeletions(deletions: PullResource['deletions'], work: () => Promise<void>): Promise<void> {
  const resource: { deletions?: PullResource['deletions'] } = resourceOf(sandboxPay, 'PAYMENT_CUSTOMERS');
  const { deletions: own } = resource;
  resource.deletions = deletions ?? [];
  await work().finally(() => {
    resource.deletions = own ?? [];
  });
}

test('what a feed of deletions leaves out is found by the sweep, also after a pause', async () => {
  const { tenant, connected } = await connect(15);
  await tenant.sync(connected, { dataModels: CUSTOMERS });
  const ids = (await living(tenant)).map(({ platformId }) => platformId);
  const [gone, ...kept] = ids;
  const asked: string[] = [];
  const deletions: CuttableDeletions = [
    {
      kind: 'feed',
      reachDays: 29,
      async *pages() {
        asked.push('feed');
        yield { platformIds: [], cursor: null, isCut: true };
      },
    },
    {
      kind: 'sweep',
      async *pages(_client, { cursor }) {
        asked.push(`sweep ${String(cursor)}`);
        if (cursor === null) {
          yield { platformIds: kept.slice(0, 5), cursor: 'half' };
          throw new PlatformPause('not now', new Date(Date.now() + DAY_MS));
        }
        yield { platformIds: kept.slice(5), cursor: null };
      },
    },
  ];
  await withDeletions(deletions, async () => {
    const sync = await tenant.sync(connected, { dataModels: CUSTOMERS });
    expect((await run(sync)).state).toBe('SLEEPING');
    await admin.prisma.connection.updateMany({ where: inTenant(tenant), data: { pausedUntil: null } });
    await tenant.run(sync);
    expect((await run(sync)).state).toBe('SUCCESS');
  });
  expect(asked).toEqual(['feed', 'sweep null', 'sweep half']);
  const left = (await living(tenant)).map(({ platformId }) => platformId);
  expect(left.sort()).toEqual(kept.sort());
  expect(ids).toContain(gone);
  expect(await admin.prisma.syncSeen.count({ where: inTenant(tenant) })).toBe(0);
});

test('a feed that is cut, with or without a cursor, is cut after a pause, too', async () => {
  const { tenant, connected } = await connect(15);
  await tenant.sync(connected, { dataModels: CUSTOMERS });
  const ids = (await living(tenant)).map(({ platformId }) => platformId);
  const asked: string[] = [];
  const deletions: CuttableDeletions = [
    {
      kind: 'feed',
      async *pages(_client, { cursor }) {
        asked.push(`feed ${String(cursor)}`);
        if (cursor === null) yield { platformIds: [], cursor: 'more', isCut: true };
        else yield { platformIds: [], cursor: null };
      },
    },
    {
      kind: 'sweep',
      async *pages() {
        asked.push('sweep');
        if (asked.length === 2) throw new PlatformPause('not now', new Date(Date.now() + DAY_MS));
        yield { platformIds: ids.slice(1), cursor: null };
      },
    },
  ];
  await withDeletions(deletions, async () => {
    const sync = await tenant.sync(connected, { dataModels: CUSTOMERS });
    expect((await run(sync)).state).toBe('SLEEPING');
    await admin.prisma.connection.updateMany({ where: inTenant(tenant), data: { pausedUntil: null } });
    await tenant.run(sync);
    expect((await run(sync)).state).toBe('SUCCESS');
  });
  expect(asked).toEqual(['feed null', 'sweep', 'feed null', 'sweep']);
  expect(await living(tenant)).toHaveLength(ids.length - 1);
});

test('a sweep of a platform that does not show everything deletes nothing', async () => {
  const { tenant, connected } = await connect(15);
  await tenant.sync(connected, { dataModels: CUSTOMERS });
  const before = await living(tenant);
  const asked: string[] = [];
  const deletions: CuttableDeletions = [
    {
      kind: 'sweep',
      async *pages() {
        asked.push('sweep');
        yield { platformIds: [], cursor: null, isPartial: true };
      },
    },
  ];
  // The next sweep is due, and no complete pull: that would find all by itself.
  await age(tenant, 2);
  await withDeletions(deletions, async () => {
    const sync = await tenant.sync(connected, { dataModels: CUSTOMERS });
    expect((await run(sync)).state).toBe('SUCCESS');
  });
  expect(asked).toEqual(['sweep']);
  expect(await living(tenant)).toEqual(before);
  expect(before.length).toBeGreaterThan(0);
});

test('a feed that may be cut is refused without a sweep', () => {
  const feed = {
    kind: 'feed' as const,
    async *pages() {
      yield { platformIds: [], cursor: null, isCut: true as const };
    },
  };
  const deletions: PullResource['deletions'][] = [
    // @ts-expect-error nothing finds what it leaves out
    [feed],
    // @ts-expect-error what is to find it may leave out some, too
    [feed, { ...feed, kind: 'sweep' as const }],
  ];
  expect(deletions).toHaveLength(2);
});

test('a sync from a date leaves no gap to the sync before', async () => {
  const tenant = await createSandboxTenant(engineOf(app, sandbox.url), sandbox);
  const connected = await tenant.connect('ACCOUNTING');
  const dataModels = ['ITEMS'];
  await tenant.sync(connected, { dataModels });
  await age(tenant, 10);
  const changedAt = new Date(Date.now() - 5 * DAY_MS).toISOString();
  const { rows } = await admin.pool.query<{ id: string }>(
    `UPDATE sandbox.objects SET modified_at = $2::timestamptz,
       body = jsonb_set(jsonb_set(body::jsonb, '{Title}', '"Renamed"'), '{ChangedOn}', to_jsonb($2::text))::text
     WHERE (account, kind, position) IN (SELECT o.account, o.kind, o.position FROM sandbox.objects o
       JOIN sandbox.accounts a ON a.key = o.account WHERE a.id = $1 AND o.kind = 'Products' AND o.deleted_at IS NULL
       ORDER BY o.position LIMIT 1) RETURNING id`,
    [tenant.account, changedAt],
  );
  const marks = () => admin.prisma.syncMark.findMany({ where: inTenant(tenant) });
  const [before] = await marks();
  await tenant.sync(connected, { dataModels, syncFrom: new Date(Date.now() - DAY_MS) });
  expect(await marks()).toEqual([before]);
  await tenant.sync(connected, { dataModels });
  const item = await admin.prisma.item.findFirstOrThrow({
    where: { ...inTenant(tenant), platformId: rows[0]?.id ?? '' },
  });
  expect(item.name).toBe('Renamed');
  // One from before the last sync brings it forward like any other.
  const [marked] = await marks();
  await tenant.sync(connected, { dataModels, syncFrom: new Date(Date.now() - 40 * DAY_MS) });
  const [moved] = await marks();
  expect(Number(moved?.pulledTo)).toBeGreaterThan(Number(marked?.pulledTo));
});
