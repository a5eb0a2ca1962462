import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Tenant } from '../support/seed.js';
import { until } from '../support/until.js';
import { silenceNode, unsilenceNode } from './citus.js';
import { cluster } from './own-cluster.js';

// They ask which database there is, which is another one from here on.
const { createTenant } = await import('../support/seed.js');
const { createCaller } = await import('../support/service.js');
const { admin } = await import('../support/admin.js');
const { startService } = await import('./service.js');
const { createMeasures } = await import('../../src/http/metrics/measures.js');
const { claimWebhooks } = await import('../../src/events/claim.js');

type Node = (typeof cluster.nodes)[number];
const [, first, second] = cluster.nodes as [Node, Node, Node];

let service: Awaited<ReturnType<typeof startService>>;
let living: Tenant;
let silent: Tenant;

beforeAll(async () => {
  service = await startService();
  living = await tenantOn(first);
  silent = await tenantOn(second);
});
afterAll(async () => {
  await service.close();
  await cluster.stop();
});

async function tenantOn({ url }: Node): Promise<Tenant> {
  for (;;) {
    const tenant = await createTenant(service.app, 'silent');
    const places = [
      await service.workerOf('accounts', tenant.companyId),
      await service.workerOf('change_heads', tenant.organisationId),
    ];
    if (places.every((port) => port === new URL(url).port)) return tenant;
  }
}

/** Runs `work` while the second worker has vanished from the network. */
async function whileSilent(work: () => Promise<void>): Promise<void> {
  silenceNode(second);
  try {
    await work();
  } finally {
    unsilenceNode(second);
  }
}

const took = async (work: () => Promise<unknown>): Promise<number> => {
  const began = performance.now();
  await work();
  return performance.now() - began;
};

const median = (times: number[]): number => times.sort((a, b) => a - b)[times.length >> 1] ?? 0;

const lister = async ({ organisationId, companyId }: Tenant) => {
  const caller = await createCaller(service.app, organisationId);
  return () => caller.get(`/v3/accounting/accounts?svc_company_id[eq]=${companyId}`);
};

test('its callers are told so, and the callers of others wait for nothing', async () => {
  const [ofLiving, ofSilent] = [await lister(living), await lister(silent)];
  for (const ask of [ofLiving, ofSilent]) expect(await ask()).toMatchObject({ status: 200 });
  await whileSilent(async () => {
    const over = new AbortController();
    const waits: number[] = [];
    const callers = Array.from({ length: 20 }, async () => {
      while (!over.signal.aborted)
        waits.push(await took(async () => expect(await ofSilent()).toMatchObject({ status: 503 })));
    });
    const times: number[] = [];
    while (times.length < 20 || waits.length < 40) {
      times.push(await took(async () => expect(await ofLiving()).toMatchObject({ status: 200 })));
      await sleep(50);
    }
    over.abort();
    await Promise.all(callers);
    expect(Math.max(...times)).toBeLessThan(median(waits));
  });
  await until('the worker to be used again', async () => (await ofSilent()).status === 200);
});

test('the webhooks, metrics and followers of others go on', async () => {
  const { database } = service.app;
  const webhookOf = async ({ organisationId }: Tenant) => {
    const id = randomBytes(12).toString('hex');
    const kind = { name: id, type: 'DATA_MODEL_CHANGES', url: 'https://hooks.example.com/', headers: '' };
    await admin.prisma.webhook.create({
      data: { id, svcOrganisationId: BigInt(organisationId), ...kind, enabled: true },
    });
    return id;
  };
  const scrape = createMeasures(database);
  const claim = async () =>
    (await claimWebhooks(database, { workerId: '', now: new Date(), max: 100 })).map(({ id }) => id);
  for (const tenant of [living, silent]) await tenant.store('Account', [{ platformId: 'one', values: {} }]);
  // Each would be waited for.
  const others = [silent, await tenantOn(second), await tenantOn(second), await tenantOn(second)];
  const watches = [...others, living].map(({ organisationId }) =>
    database.wakes.watch(organisationId, ['change_heads']),
  );
  const news = async (platformId: string) => {
    await living.store('Account', [{ platformId, values: {} }]);
    await watches.at(-1)?.news(AbortSignal.timeout(120_000));
  };
  await news('two');
  const [ofLiving, ofSilent] = [await webhookOf(living), await webhookOf(silent)];
  try {
    await whileSilent(async () => {
      await until('the worker to be known as silent', () => database.nodes?.away().length);
      const wait = await took(await lister(silent));
      expect(await took(async () => expect(await claim()).toEqual([ofLiving]))).toBeLessThan(wait);
      expect(await took(async () => expect(await scrape()).toContain('webhooks{'))).toBeLessThan(wait);
      expect(await took(() => news('three'))).toBeLessThan(wait);
      expect(await database.nodes?.count()).toEqual({ used: 1, all: 2 });
    });
  } finally {
    for (const watch of watches) watch.end();
  }
  expect(await until('its webhooks to be served', async () => (await claim())[0])).toBe(ofSilent);
});
