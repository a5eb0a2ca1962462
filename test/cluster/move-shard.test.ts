import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { moveShard } from './move-shard.js';
import { cluster } from './own-cluster.js';

// They ask which database there is, which is another one from here on.
const { createFollower } = await import('../support/follower.js');
const { createTenant } = await import('../support/seed.js');
const { createCaller } = await import('../support/service.js');
const { startService } = await import('./service.js');

const ROUNDS = 2;

let service: Awaited<ReturnType<typeof startService>>;
beforeAll(async () => {
  service = await startService();
});
afterAll(async () => {
  await service.close();
  await cluster.stop();
});

test('a shard that is moved to another node fails no request and loses no change', async () => {
  const tenant = await createTenant(service.app, 'moving');
  const caller = await createCaller(service.app, tenant.organisationId);
  const follower = createFollower(caller);
  const path = `/v3/accounting/accounts?svc_company_id[eq]=${tenant.companyId}&limit=1000`;
  let isOver = false;
  let stored = 0;
  const whileMoving = (step: () => Promise<unknown>) => async () => {
    while (!isOver) await step();
  };
  const load = [
    whileMoving(async () => {
      const platformId = String(stored % 50);
      await tenant.store('Account', [{ platformId, values: { name: `name ${stored}` } }]);
      stored += 1;
    }),
    whileMoving(async () => expect((await caller.get(path)).status).toBe(200)),
    whileMoving(async () => {
      const { status, body } = await caller.get('/v3/core/changes?limit=1');
      expect({ status, body }).toMatchObject({ status: 200 });
    }),
    whileMoving(() => follower.step()),
  ].map((work) => work());
  try {
    for (let round = 0; round < ROUNDS; round += 1) {
      await moveShard(service.owner, 'accounts', tenant.companyId);
      await moveShard(service.owner, 'change_heads', tenant.organisationId);
    }
  } finally {
    isOver = true;
  }
  await Promise.all(load);
  await follower.catchUp();
  const { body } = await caller.get(path);
  const bySvcId = (one: any, other: any) => one.svc_id - other.svc_id;
  expect(follower.positions).toEqual(Array.from({ length: stored }, (_, at) => at + 1));
  expect([...follower.copy.values()].sort(bySvcId)).toEqual([...body.data].sort(bySvcId));
});
