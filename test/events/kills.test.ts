import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { App } from '../../src/app.js';
import { admin } from '../support/admin.js';
import { type Receiver, startReceiver } from '../support/events.js';
import { createTenant, type Tenant } from '../support/seed.js';
import { createCaller, startApp } from '../support/service.js';
import { until } from '../support/until.js';
import { startWorkerProcess } from '../support/worker-process.js';

const RECORDS = 150;
const REVISIONS = 4;
const KILLS = 3;

let app: App;
let acme: Tenant;
let receiver: Receiver;

beforeAll(async () => {
  app = await startApp();
  acme = await createTenant(app, 'kills');
  receiver = await startReceiver();
});
afterAll(async () => {
  await app.close();
  await receiver.close();
});

test('serves health and metrics of a worker-only process at its own address', async () => {
  const worker = startWorkerProcess();
  const [, url] = /Health, metrics (http:\S+)/.exec(await worker.says('Health, metrics http')) ?? [];
  const ready = await fetch(`${url}/health/ready`);
  expect([ready.status, await ready.json()]).toMatchObject([200, { status: 'ok' }]);
  const metrics = await (await fetch(`${url}/metrics`)).text();
  expect(metrics).toContain('database_connections{pool="jobs",state="open"}');
  expect(metrics).toContain('change_position ');
  expect((await fetch(`${url}/v3/accounting/accounts`)).status).toBe(404);
  expect((await worker.stop()).code).toBe(0);
});

test('loses and reorders no event when workers are killed while sending, and repeats events only under the same id', async () => {
  const caller = await createCaller(app, acme.organisationId);
  const { body } = await caller.post('/v3/core/webhooks', {
    webhook: { name: 'hook', type: 'DATA_MODEL_CHANGES', url: receiver.url },
  });
  receiver.verifyWith(body.secret);
  // Not so fast that all is sent before the kill.
  receiver.answer((got, response) => {
    setTimeout(() => {
      if (response.writableEnded || response.destroyed) return;
      receiver.taken.push(got);
      response.writeHead(204).end();
    }, 10);
  });
  for (let revision = 1; revision <= REVISIONS; revision += 1) {
    await acme.store(
      'Account',
      Array.from({ length: RECORDS }, (_, index) => ({
        platformId: `account-${index}`,
        values: { name: `${revision}` },
      })),
    );
  }
  const all = RECORDS * REVISIONS;
  for (let kill = 1; kill <= KILLS; kill += 1) {
    const worker = startWorkerProcess();
    await until(`events before kill ${kill}`, () => receiver.got.length >= (kill * all) / (KILLS + 1));
    worker.process.kill('SIGKILL');
    await worker.ended;
  }
  const last = startWorkerProcess();
  const distinct = () => new Set(receiver.taken.map(({ id }) => id)).size;
  await until('all events', () => distinct() === all);
  await until('all to be stored', async () => {
    const { position } = await admin.prisma.webhook.findUniqueOrThrow({ where: { id: body.id } });
    return position === BigInt(all);
  });
  await last.stop();
  // Each event's first arrival is behind those of its record's earlier ones.
  const seen = new Map<number, number>();
  const ids = new Set<string>();
  for (const { id, body: event } of receiver.got) {
    expect(id).toBe(event.event_id);
    if (ids.has(id)) continue;
    ids.add(id);
    expect(event.sequence).toBeGreaterThan(seen.get(event.data.svc_id) ?? 0);
    seen.set(event.data.svc_id, event.sequence);
  }
  expect(ids.size).toBe(all);
  const rows = await admin.prisma.webhookDelivery.findMany({ where: { webhookId: body.id } });
  expect(rows.filter(({ state }) => state !== 'DELIVERED')).toEqual([]);
  expect(rows).toHaveLength(all);
});
