import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import type { Tenant } from '../support/seed.js';
import { TIME_FACTOR } from '../support/time-factor.js';
import { until } from '../support/until.js';
import { makeTemplate } from '../support/template.js';
import { startCluster } from './citus.js';
import { openHoldingProxy } from './holding-proxy.js';

const cluster = await startCluster(process.env['TEST_CLUSTER_BIN'] ?? '');
const [coordinator, records, log] = cluster.nodes;
if (!coordinator || !records || !log) throw new Error('a cluster of two workers is needed');
// What the coordinator says to the workers is read on its way.
const admin = new pg.Client({ connectionString: coordinator.url });
await admin.connect();
await admin.query(`ALTER SYSTEM SET citus.node_conninfo = 'sslmode=disable'`);
await admin.query('SELECT pg_reload_conf()');
await admin.end();
const way = await openHoldingProxy(records.url);
await makeTemplate(cluster.url, `svc_test_${randomBytes(4).toString('hex')}`, [
  coordinator.url,
  way.url,
  log.url,
]);

// They ask which database there is, which is another one from here on.
const { createFollower } = await import('../support/follower.js');
const { createPoller } = await import('./poller.js');
const { createTenant } = await import('../support/seed.js');
const { createCaller } = await import('../support/service.js');
const { startService } = await import('./service.js');

const LONG_MS = 300_000 * TIME_FACTOR;

let service: Awaited<ReturnType<typeof startService>>;
beforeAll(async () => {
  service = await startService();
});
afterAll(async () => {
  await service.close();
  await cluster.stop();
  way.close();
});

/** A tenant whose records are on the worker that is heard, and whose log is on the other. */
async function tenantOnBoth(): Promise<Tenant> {
  for (;;) {
    const tenant = await createTenant(service.app, 'both');
    const places = [
      await service.workerOf('accounts', tenant.companyId),
      await service.workerOf('change_heads', tenant.organisationId),
    ];
    if (places.join() === [way.url, log?.url ?? ''].map((url) => new URL(url).port).join()) return tenant;
  }
}

test('a node that commits later than the other keeps no follower and no poller from what it stored', async () => {
  const tenant = await tenantOnBoth();
  const caller = await createCaller(service.app, tenant.organisationId);
  const follower = createFollower(caller);
  const poller = createPoller(caller, tenant.companyId);
  const store = (platformId: string, name: string) =>
    tenant.store('Account', [{ platformId, values: { name } }]);
  const look = async () => {
    await poller.step();
    await follower.step();
  };
  await store('1', 'before');
  await look();

  const held = way.hold('COMMIT PREPARED');
  const first = store('1', 'after');
  await held;
  const second = store('2', 'another');
  // As long as the first is held the second may be stored or not.
  await Promise.race([second, sleep(3000)]);
  await look();
  way.letGo();
  await Promise.all([first, second]);
  await look();
  await follower.catchUp();

  const { body } = await caller.get(`/v3/accounting/accounts?svc_company_id[eq]=${tenant.companyId}`);
  expect(body.data.map(({ name }: { name: string }) => name).sort()).toEqual(['after', 'another']);
  expect(follower.positions).toEqual([1, 2, 3]);
  expect([...follower.copy.values()].sort(bySvcId)).toEqual([...body.data].sort(bySvcId));
  const told = [...poller.copy.values()] as { name: string }[];
  expect(told.map(({ name }) => name).sort()).toEqual(['after', 'another']);
});

test(
  'a change in doubt is waited for however old it is, and one without its record only for a while',
  async () => {
    const tenant = await tenantOnBoth();
    const caller = await createCaller(service.app, tenant.organisationId);
    const follower = createFollower(caller);
    const age = (position: number) =>
      service.owner.query(
        'UPDATE record_changes SET changed_at = $3 WHERE svc_organisation_id = $1 AND position = $2',
        [tenant.organisationId, position, new Date(Date.now() - 3_600_000)],
      );
    const store = (platformId: string) => tenant.store('Account', [{ platformId, values: {} }]);
    await store('1');
    await follower.step();
    const held = way.hold('COMMIT PREPARED');
    const stored = store('2');
    await held;
    await age(2);
    await follower.step();
    expect(follower.positions).toEqual([1]);
    way.letGo();
    await stored;
    await follower.catchUp();
    expect(follower.positions).toEqual([1, 2]);

    await store('3');
    await service.owner.query(`DELETE FROM accounts WHERE svc_company_id = $1 AND platform_id = '3'`, [
      tenant.companyId,
    ]);
    await age(3);
    const passed = async () => {
      await follower.step();
      return follower.positions.includes(3);
    };
    // The nodes have to have been there for a while.
    await until('the change to be passed', passed, { seconds: 240 });
  },
  LONG_MS,
);

test('a record that another node commits while it is compared is compared again', async () => {
  const tenant = await tenantOnBoth();
  const caller = await createCaller(service.app, tenant.organisationId);
  const note = (memo: string) => ({
    platformId: 'note',
    values: { memo },
    lines: { lineItems: ['l1', 'l2'].map((platformId) => ({ platformId, values: { description: memo } })) },
  });
  const store = (memo: string) => tenant.store('InvoiceCreditNote', [note(memo)]);
  const held = way.hold('COMMIT PREPARED');
  const first = store('first');
  await held;
  const second = store('second').catch((error: unknown) => error);
  await Promise.race([second, sleep(3000)]);
  way.letGo();
  await first;
  const refused = await second;
  expect(refused).toMatchObject({ code: 'service-unavailable' });
  expect(await store('second')).toMatchObject({ created: 0, updated: 1 });
  const { body } = await caller.graphql(
    '{ invoiceCreditNotes { nodes { memo lineItems { description } } } }',
  );
  const lineItems = ['second', 'second'].map((description) => ({ description }));
  expect(body.data.invoiceCreditNotes.nodes).toEqual([{ memo: 'second', lineItems }]);
});

const bySvcId = (one: any, other: any) => one.svc_id - other.svc_id;
