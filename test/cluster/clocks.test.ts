import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { makeTemplate } from '../support/template.js';
import { startCluster } from './citus.js';
import { moveShard } from './move-shard.js';

/** Of a worker that is ahead of the coordinator, and of one that is behind it. */
const SECONDS = 600;
const ROUNDS = 3;
const PATH = '/v3/accounting/accounts';

const cluster = await startCluster(process.env['TEST_CLUSTER_BIN'] ?? '', { clocks: [0, SECONDS, -SECONDS] });
const urls = cluster.nodes.map(({ url }) => url);
await makeTemplate(cluster.url, `svc_test_${randomBytes(4).toString('hex')}`, urls);

// They ask which database there is, which is another one from here on.
const { createFollower } = await import('../support/follower.js');
const { createPoller } = await import('./poller.js');
const { createTenant } = await import('../support/seed.js');
const { createCaller } = await import('../support/service.js');
const { startService } = await import('./service.js');

let service: Awaited<ReturnType<typeof startService>>;
beforeAll(async () => {
  service = await startService();
});
afterAll(async () => {
  await service.close();
  await cluster.stop();
});

/** Seconds that a node's clock is ahead of this process's. */
async function ahead(url: string): Promise<number> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ now: Date }>('SELECT clock_timestamp() AS now');
  await client.end();
  return ((rows[0]?.now.getTime() ?? 0) - Date.now()) / 1000;
}

test('clocks of workers that are minutes apart move nothing in time, also where a shard goes from one to the other', async () => {
  expect(await Promise.all(urls.map(ahead))).toEqual(
    [0, SECONDS, -SECONDS].map((seconds) => expect.closeTo(seconds, -1)),
  );
  const began = new Date().toISOString();
  const tenant = await createTenant(service.app, 'clocks');
  const caller = await createCaller(service.app, tenant.organisationId);
  const follower = createFollower(caller);
  const poller = createPoller(caller, tenant.companyId);
  const nodes = new Set<string>();
  for (let round = 0; round < ROUNDS; round += 1) {
    nodes.add(await service.workerOf('accounts', tenant.companyId));
    for (const deleted of [false, round === 1]) {
      const values = { name: `name ${round}` };
      await tenant.store('Account', [
        { platformId: 'kept', values: { name: `name ${round} ${deleted}` } },
        { platformId: `of ${round}`, values, deleted },
      ]);
      await poller.step();
    }
    await moveShard(service.owner, 'accounts', tenant.companyId);
    await moveShard(service.owner, 'change_heads', tenant.organisationId);
  }
  const ended = new Date().toISOString();
  expect(nodes.size).toBe(2);
  await follower.catchUp();
  await poller.step();
  const all = `svc_company_id[eq]=${tenant.companyId}&limit=1000`;
  const { body } = await caller.get(`${PATH}?${all}&include_deleted_records=true`);
  const { body: log } = await caller.get('/v3/core/changes?limit=1000');
  const times = [
    ...body.data.flatMap((record: any) => [record.svc_created_at, record.svc_updated_at]),
    ...log.data.map((change: any) => change.changed_at),
  ];
  expect(times.filter((time: string) => time < began || time > ended)).toEqual([]);
  const changedAt = log.data.map((change: any) => change.changed_at);
  expect(changedAt).toEqual([...changedAt].sort());
  expect([...poller.copy.values()].sort(bySvcId)).toEqual(body.data.sort(bySvcId));
  expect([...follower.copy.values()].sort(bySvcId)).toEqual(
    (await caller.get(`${PATH}?${all}`)).body.data.sort(bySvcId),
  );
});

const bySvcId = (one: any, other: any) => one.svc_id - other.svc_id;
