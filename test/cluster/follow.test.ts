import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { AppError } from '../../src/errors.js';
import { Random } from '../../src/sandbox/world/random.js';
import type { Tenant } from '../support/seed.js';
import { TIME_FACTOR } from '../support/time-factor.js';
import { killNode, startNode } from './citus.js';
import { bin, cluster } from './own-cluster.js';

// They ask which database there is, which is another one from here on.
const { createFollower } = await import('../support/follower.js');
const { createPoller } = await import('./poller.js');
const { createTenant } = await import('../support/seed.js');
const { createCaller } = await import('../support/service.js');
const { startService } = await import('./service.js');

/** Longer by hand: FOLLOW_SECONDS=600. */
const SECONDS = Number(process.env['FOLLOW_SECONDS'] ?? 20);
const SEED = Number(process.env['FOLLOW_SEED'] ?? 1);
const ORGANISATIONS = 4;
const WRITERS = 2;
const IDS = 30;
const PATH = '/v3/accounting/accounts';

let service: Awaited<ReturnType<typeof startService>>;
beforeAll(async () => {
  service = await startService();
});
afterAll(async () => {
  await service.close();
  await cluster.stop();
});

const LOST: ReadonlySet<string> = new Set(['service-unavailable', 'outcome-unknown', 'query-timeout']);

/** As a worker does: what breaks off is stored again. */
async function store(tenant: Tenant, random: Random): Promise<void> {
  const records = Array.from({ length: random.integer(1, 8) }, () => ({
    platformId: `${random.integer(1, IDS)}`,
    deleted: random.integer(1, 6) === 1,
    values: { name: `name ${random.integer(1, 1_000_000)}` },
  }));
  for (let isLost = true; isLost;) {
    isLost = await tenant.store('Account', records).then(
      () => false,
      async (error: unknown) => {
        if (!(error instanceof AppError && LOST.has(error.code))) throw error;
        await sleep(50);
        return true;
      },
    );
  }
}

const title = `who follows or polls misses nothing, while workers die (seed ${SEED}, ${SECONDS} s)`;
const limit = (180 + SECONDS) * 1000 * TIME_FACTOR;
test(
  title,
  async () => {
    const random = new Random(SEED);
    const tenants = [];
    for (let index = 0; index < ORGANISATIONS; index += 1)
      tenants.push(await createTenant(service.app, 'follow'));
    let isWriting = true;
    const writers = tenants.flatMap((tenant, index) =>
      Array.from({ length: WRITERS }, async (_, writer) => {
        const own = new Random(SEED * 100 + index * WRITERS + writer);
        while (isWriting) await store(tenant, own);
      }),
    );
    const readers = await Promise.all(
      tenants.map(async (tenant) => {
        const caller = await createCaller(service.app, tenant.organisationId);
        return {
          tenant,
          caller,
          follower: createFollower(caller),
          poller: createPoller(caller, tenant.companyId),
        };
      }),
    );
    let isReading = true;
    const reading = readers.flatMap(({ follower, poller }) => [
      (async () => {
        while (isReading) await follower.step();
      })(),
      (async () => {
        while (isReading) await poller.step();
      })(),
    ]);
    const end = performance.now() + SECONDS * 1000;
    let kills = 0;
    while (performance.now() < end) {
      await sleep(random.integer(500, 2500));
      const node = random.pick(cluster.nodes.slice(1));
      await killNode(node);
      await sleep(random.integer(0, 1000));
      await startNode(bin, node);
      kills += 1;
    }
    isWriting = false;
    // What a worker has prepared and never heard the end of: the cluster looks for it once a minute.
    await service.owner.query('SELECT recover_prepared_transactions()');
    await Promise.all(writers);
    isReading = false;
    await Promise.all(reading);
    for (const { tenant, caller, follower, poller } of readers) {
      await follower.catchUp();
      await poller.step();
      const list = async (more: string) =>
        (await caller.get(`${PATH}?svc_company_id[eq]=${tenant.companyId}&limit=1000${more}`)).body.data.sort(
          bySvcId,
        );
      const { rows } = await service.owner.query<{ position: string }>(
        'SELECT position FROM change_heads WHERE svc_organisation_id = $1',
        [tenant.organisationId],
      );
      expect(follower.positions).toEqual(
        Array.from({ length: Number(rows[0]?.position) }, (_, at) => at + 1),
      );
      expect([...follower.copy.values()].sort(bySvcId)).toEqual(await list(''));
      expect([...poller.copy.values()].sort(bySvcId)).toEqual(await list('&include_deleted_records=true'));
    }
    expect(kills).toBeGreaterThan(0);
  },
  limit,
);

const bySvcId = (one: any, other: any) => one.svc_id - other.svc_id;
