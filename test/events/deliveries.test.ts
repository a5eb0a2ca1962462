import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { ServerResponse } from 'node:http';
import type pg from 'pg';
import type { App } from '../../src/app.js';
import { organisationScope } from '../../src/db/scope.js';
import { claimWebhooks } from '../../src/events/claim.js';
import { releaseWebhook } from '../../src/events/turn/webhook-state.js';
import { admin } from '../support/admin.js';
import {
  type Clock,
  createClock,
  createDelivering,
  type Delivering,
  type Receiver,
  startReceiver,
} from '../support/events.js';
import { databaseUrl } from '../support/database.js';
import { withClient } from '../support/nodes.js';
import { createTenant, type Tenant } from '../support/seed.js';
import { type Caller, createCaller, startApp } from '../support/service.js';
import { until } from '../support/until.js';
import { untilBlocked } from '../support/until-blocked.js';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

let app: App;
let acme: Tenant;
let caller: Caller;
let receiver: Receiver;
let clock: Clock;
let delivering: Delivering;

beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  acme = await createTenant(app, 'deliveries');
  caller = await createCaller(app, acme.organisationId);
  receiver = await startReceiver();
  clock = createClock();
  delivering = createDelivering(app, { clock });
});
afterEach(async () => {
  await delivering.close();
  await receiver.close();
  // No webhook of one test waits in another.
  await admin.prisma.webhook.updateMany({ data: { enabled: false } });
});

const subscribe = async (changes: object = {}) => {
  const { status, body } = await caller.post('/v3/core/webhooks', {
    webhook: { name: 'hook', type: 'DATA_MODEL_CHANGES', url: receiver.url, ...changes },
  });
  expect({ status, body }).toMatchObject({ status: 200 });
  return body as { id: string; secret: string };
};

/** Stores accounts, each as it is after that many changes. */
const store = (names: readonly string[], revision = 1, tenant = acme) =>
  tenant.store(
    'Account',
    names.map((name) => ({ platformId: name, values: { name: `${name} ${revision}` } })),
  );
const names = (count: number, prefix = 'account') =>
  Array.from({ length: count }, (_, index) => `${prefix}-${index}`);

const rowOf = (id: string) => admin.prisma.webhook.findUniqueOrThrow({ where: { id } });
const lastChange = async (): Promise<{ at: Date }> => {
  const { rows } = await admin.pool.query('SELECT max(changed_at) AS at FROM record_changes');
  return rows[0];
};
const deliveriesOf = (id: string) =>
  admin.prisma.webhookDelivery.findMany({ where: { webhookId: id }, orderBy: { svcId: 'asc' } });

/** Lets the time go by, and sends what becomes due. */
async function pass(milliseconds: number, step = 15 * SECOND): Promise<void> {
  for (let left = milliseconds; left > 0; left -= step) {
    clock.forward(Math.min(step, left));
    await delivering.settle();
  }
}

/** The sequences of each company's records in the order in which they arrived for the first time. */
function expectOrder(got = receiver.taken): void {
  const seen = new Map<string, number>();
  const ids = new Set<string>();
  for (const { id, body } of got) {
    if (ids.has(id)) continue;
    ids.add(id);
    const record = String((body.sequence - 1) % 25);
    expect(body.sequence).toBeGreaterThan(seen.get(record) ?? 0);
    seen.set(record, body.sequence);
  }
}

test("sends a change in the documented form, signed, with the webhook's own headers", async () => {
  const { id, secret } = await subscribe({ headers: { 'x-own': 'mine' } });
  receiver.verifyWith(secret);
  await store(['cash']);
  await delivering.settle();
  expect(receiver.taken).toHaveLength(1);
  const [one] = receiver.taken;
  if (!one) throw new Error('nothing was taken');
  const { headers, body, id: eventId } = one;
  expect(body).toEqual({
    type: 'CREATE',
    event_id: eventId,
    sequence: 1,
    company_id: acme.companyId,
    integration_type: 'SVC_SANDBOX',
    data_model: 'ACCOUNTS',
    created_at: expect.stringMatching(/Z$/),
    data: (await caller.get('/v3/accounting/accounts')).body.data[0],
  });
  expect(body.data.name).toBe('cash 1');
  expect(headers).toMatchObject({ 'x-own': 'mine', 'content-type': 'application/json' });
  expect(Number(headers['webhook-timestamp'])).toBe(Math.floor(clock.now().getTime() / 1000));
  expect(await deliveriesOf(id)).toMatchObject([
    { eventId, state: 'DELIVERED', attempts: 1, responseStatus: 204, type: 'CREATE', dataModel: 'ACCOUNTS' },
  ]);
});

test('names the record in the event of its deletion and in later events about it', async () => {
  await subscribe();
  await acme.store('Account', [{ platformId: 'gone', values: { name: 'gone' } }]);
  await acme.store('Account', [{ platformId: 'gone', values: {}, deleted: true }]);
  await delivering.settle();
  const { body } = await caller.get('/v3/accounting/accounts?include_deleted_records=true');
  const { svc_id, svc_company_id, svc_created_at, svc_updated_at, platform_id, svc_deleted_at } =
    body.data[0];
  const left = { svc_id, svc_company_id, svc_created_at, svc_updated_at, platform_id, svc_deleted_at };
  expect(left).toMatchObject({ platform_id: 'gone', svc_deleted_at: expect.any(String) });
  expect(receiver.taken.map(({ body: { type, data } }) => ({ type, data }))).toEqual([
    { type: 'CREATE', data: left },
    { type: 'DELETE', data: left },
  ]);
});

test('sends only the changes that a webhook subscribes to, and only those after its creation', async () => {
  await store(['before']);
  const other = await acme.company('other');
  await subscribe({ data_models: ['ACCOUNTS'], operations: ['UPDATE'], companies: [acme.companyId] });
  await store(['before'], 2);
  await store(['new']);
  await store(['elsewhere'], 1, other);
  await store(['elsewhere'], 2, other);
  await acme.store('Contact', [{ platformId: 'ann', values: { name: 'Ann' } }]);
  await delivering.settle();
  expect(receiver.taken.map(({ body }) => [body.type, body.sequence])).toEqual([['UPDATE', 2]]);
});

test('signs with both secrets for a day after a rotation, then with the new one only', async () => {
  const { id, secret } = await subscribe();
  const { body } = await caller.post(`/v3/core/webhooks/${id}/rotate_secret`, {});
  receiver.verifyWith(secret, body.data.secret);
  await store(['one']);
  await delivering.settle();
  expect(receiver.taken).toHaveLength(1);
  clock.forward(24 * HOUR + MINUTE);
  receiver.verifyWith(body.data.secret);
  await store(['two']);
  await delivering.settle();
  expect(receiver.taken).toHaveLength(2);
  expect(receiver.taken[1]?.headers['webhook-signature']).not.toContain(' ');
});

test('signs with every secret returned by concurrent rotations', async () => {
  const { id, secret } = await subscribe();
  const rotate = () => caller.post(`/v3/core/webhooks/${id}/rotate_secret`, {});
  const rotated: { status: number; body: any }[] = await withClient(
    databaseUrl,
    async (client: pg.Client) => {
      await client.query('BEGIN');
      await client.query('SELECT FROM webhooks WHERE id = $1 FOR UPDATE', [id]);
      const asked = [rotate(), rotate()];
      await untilBlocked(2);
      await client.query('COMMIT');
      return Promise.all(asked);
    },
  );
  expect(rotated.map(({ status }) => status).sort()).toEqual([200, 409]);
  const shown = rotated.flatMap(({ status, body }) => (status === 200 ? [body.data.secret] : []));
  receiver.verifyWith(secret, ...shown);
  await store(['cash']);
  await delivering.settle();
  expect(receiver.taken).toHaveLength(1);
});

describe('a receiver', () => {
  test('that is down for an hour is probed every minute, and receives everything in order within a minute of its return', async () => {
    const { id } = await subscribe();
    await store(names(30));
    await receiver.down();
    await delivering.settle();
    let probes = 0;
    for (let at = 0; at < HOUR; at += 15 * SECOND) {
      const before = (await rowOf(id)).failures;
      await pass(15 * SECOND);
      probes += (await rowOf(id)).failures - before;
      if (at === 30 * MINUTE) await store(names(30), 2);
    }
    expect(probes).toBeGreaterThan(55);
    expect(probes).toBeLessThan(85);
    await receiver.up();
    await pass(MINUTE);
    expect(receiver.taken).toHaveLength(60);
    expect(new Set(receiver.taken.map((one) => one.id)).size).toBe(60);
    const sequences = receiver.taken.map(({ body }) => body.sequence);
    for (const index of names(30).keys()) {
      expect(sequences.indexOf(index + 1)).toBeLessThan(sequences.indexOf(index + 31));
    }
    expect(await rowOf(id)).toMatchObject({ failures: 0, failingSince: null, position: 60n });
  });

  test('that answers 500 to every event is probed as well, and none of its events is held back', async () => {
    const { id } = await subscribe();
    receiver.answer(() => 500);
    await store(names(20));
    await delivering.settle();
    await pass(10 * MINUTE);
    const asked = new Set(receiver.got.map((one) => one.id)).size;
    expect(asked).toBeLessThan(12);
    expect(await admin.prisma.webhookHold.count({ where: { webhookId: id } })).toBe(0);
    receiver.answer(() => 204);
    await pass(MINUTE);
    expect(receiver.taken).toHaveLength(20);
  });

  test('that fails between two events receives the rest when it is back, and none twice', async () => {
    await subscribe();
    await store(names(100));
    // Those that are on their way beside it arrive.
    receiver.answer(({ body }, response) => {
      if (body.sequence !== 37) return 204;
      return void response.destroy();
    });
    await delivering.settle();
    receiver.answer(() => 204);
    await pass(10 * SECOND);
    expect(receiver.taken).toHaveLength(100);
    expect(new Set(receiver.taken.map((one) => one.id)).size).toBe(100);
  });

  test('that exceeds the timeout counts as down; one that is merely slow receives every event at its pace', async () => {
    const { id } = await subscribe();
    receiver.answer(() => undefined);
    await store(names(3));
    const impatient = createDelivering(app, { clock, timeoutMs: 300 });
    await impatient.settle();
    await impatient.close();
    expect(receiver.taken).toEqual([]);
    expect(await rowOf(id)).toMatchObject({ failures: 1 });
    expect((await deliveriesOf(id))[0]).toMatchObject({
      state: 'FAILED',
      responseStatus: null,
      error: 'the address did not answer',
    });
    let open = 0;
    let most = 0;
    receiver.answer((got, response) => {
      open += 1;
      most = Math.max(most, open);
      setTimeout(() => {
        open -= 1;
        receiver.taken.push(got);
        response.writeHead(204).end();
      }, 20);
    });
    await pass(10 * SECOND);
    expect(receiver.taken).toHaveLength(3);
    expect(most).toBeLessThanOrEqual(8);
  });

  test('that cuts off its response counts as down, and the delivery shows the status it sent', async () => {
    const { id } = await subscribe();
    receiver.answer((_got, response) => {
      response.writeHead(200, { 'content-length': '100' }).write('begun', () => response.destroy());
    });
    await store(names(1));
    await delivering.settle();
    expect(await rowOf(id)).toMatchObject({ failures: 1 });
    expect((await deliveriesOf(id))[0]).toMatchObject({
      state: 'FAILED',
      responseStatus: 200,
      error: "the receiver's answer broke off",
    });
  });

  test.each([
    ['answers 502 to', 502],
    ['never answers', undefined],
  ])('that %s the events of one record still receives those of the others', async (_, answered) => {
    const { id } = await subscribe();
    receiver.answer(({ body }) => (body.sequence === 2 ? answered : 204));
    const impatient = createDelivering(app, { clock, timeoutMs: 1000 });
    const wait = async (milliseconds: number) => {
      clock.forward(milliseconds);
      await impatient.settle();
    };
    await store(names(5));
    await impatient.settle();
    await store(names(5), 2);
    for (let probes = 0; probes < 5; probes += 1) await wait(MINUTE);
    expect(receiver.taken.map(({ body }) => body.sequence).sort((a, b) => a - b)).toEqual([
      1, 3, 4, 5, 6, 8, 9, 10,
    ]);
    expect(await rowOf(id)).toMatchObject({ position: 10n, failingSince: null });
    receiver.answer(() => 204);
    await wait(HOUR);
    await impatient.close();
    expect(receiver.taken.slice(8).map(({ body }) => body.sequence)).toEqual([2, 7]);
  });

  test('whose URL changes receives the waiting events at the new URL immediately', async () => {
    const { id } = await subscribe();
    const refusing = (sequence: number) =>
      receiver.answer(({ body }) => (body.sequence === sequence ? 400 : 204));
    refusing(1);
    await store(names(2));
    await delivering.settle();
    await pass(10 * SECOND);
    receiver.answer((_got, response) => void response.writeHead(503, { 'retry-after': '3600' }).end());
    await store(['another']);
    await delivering.settle();
    expect(await rowOf(id)).toMatchObject({ failures: 1 });
    const elsewhere = await startReceiver();
    const { status } = await caller.put(`/v3/core/webhooks/${id}`, { url: elsewhere.url });
    expect(status).toBe(200);
    expect(await rowOf(id)).toMatchObject({ failures: 0, failingSince: null, dueAt: null });
    await delivering.settle();
    await elsewhere.close();
    expect(elsewhere.taken.map(({ body }) => body.sequence).sort()).toEqual([1, 3]);
  });

  test('that sends Retry-After is not called before that time', async () => {
    const { id } = await subscribe();
    receiver.answer((_got, response) => void response.writeHead(429, { 'retry-after': '600' }).end());
    await store(['one']);
    await delivering.settle();
    receiver.answer(() => 204);
    await pass(9 * MINUTE);
    expect(receiver.got).toHaveLength(1);
    await pass(2 * MINUTE);
    expect(receiver.taken).toHaveLength(1);
    expect((await deliveriesOf(id))[0]).toMatchObject({ state: 'DELIVERED', attempts: 2 });
  });

  test('that answers 410 has its webhook disabled, which the audit trail records', async () => {
    const { id } = await subscribe({ name: 'gone soon' });
    receiver.answer(() => 410);
    await store(['one', 'two']);
    await delivering.settle();
    expect(await rowOf(id)).toMatchObject({ enabled: false, disabledReason: 'GONE' });
    const events = await admin.prisma.auditEvent.findMany({
      where: { svcOrganisationId: BigInt(acme.organisationId), eventType: 'WEBHOOK_DISABLED' },
    });
    expect(events.map(({ subject }) => subject)).toEqual(['gone soon']);
    const heard = receiver.got.length;
    receiver.answer(() => 204);
    await store(['three']);
    await pass(HOUR, 10 * MINUTE);
    expect(receiver.got).toHaveLength(heard);
    // Switched on again it hears of what happens from then on.
    expect((await caller.put(`/v3/core/webhooks/${id}`, { enabled: true })).body.data).toMatchObject({
      enabled: true,
      disabled_reason: null,
    });
    await store(['four']);
    await delivering.settle();
    expect(receiver.taken.map(({ body }) => body.sequence)).toEqual([4]);
  });

  test('that fails for five days has its webhook disabled, and not earlier', async () => {
    const { id } = await subscribe();
    await receiver.down();
    await store(names(3));
    await delivering.settle();
    await pass(4 * 24 * HOUR, 20 * MINUTE);
    await store(names(3), 2);
    await pass(24 * HOUR - 2 * MINUTE, 20 * MINUTE);
    expect(await rowOf(id)).toMatchObject({ enabled: true });
    await pass(5 * MINUTE, MINUTE);
    expect(await rowOf(id)).toMatchObject({ enabled: false, disabledReason: 'FAILING' });
    // The first was tried for longer than events are.
    expect((await deliveriesOf(id)).map(({ state }) => state)).toContain('GIVEN_UP');
  });

  test.each([301, 302, 400, 404, 500])('that answers %i has not accepted the event', async (status) => {
    const { id } = await subscribe();
    receiver.answer(
      (_got, response) =>
        void response.writeHead(status, { location: `${receiver.url}elsewhere` }).end('why not'),
    );
    await store(['one']);
    await delivering.settle();
    expect(receiver.got).toHaveLength(1);
    expect(await deliveriesOf(id)).toMatchObject([
      { state: 'FAILED', responseStatus: status, responseText: 'why not' },
    ]);
  });
});

test.each([
  ['takes', 204],
  ['refuses', 400],
])('stores no delivery of a company that is deleted while a receiver %s its event', async (_what, status) => {
  const { id } = await subscribe();
  const doomed = await acme.company('doomed');
  await store(['gone'], 1, doomed);
  await store(['kept']);
  const deleted: Promise<unknown>[] = [];
  receiver.answer(({ body }, response) => {
    if (body.company_id !== doomed.companyId) return 204;
    const deleting = caller.remove(`/v3/core/companies/${doomed.companyId}`);
    deleted.push(deleting.then(() => response.writeHead(status).end('of the company')));
    return undefined;
  });
  await until('the event of the other company', async () => {
    await delivering.settle();
    // A turn whose time was over before it blames the receiver for the refusal.
    clock.forward(10 * 60_000);
    return (await deliveriesOf(id)).length > 0;
  });
  expect(deleted).toHaveLength(1);
  expect(await deliveriesOf(id)).toMatchObject([
    { companyId: BigInt(acme.companyId), state: 'DELIVERED', responseStatus: 204 },
  ]);
  expect(await admin.prisma.webhookHold.count({ where: { webhookId: id } })).toBe(0);
  expect(await rowOf(id)).toMatchObject({ failures: 0 });
});

test('keeps a webhook disabled, or a replay requested, if that happened while events were being sent', async () => {
  const { id } = await subscribe();
  await store(names(10));
  await delivering.settle();
  const asked: Promise<unknown>[] = [];
  const during = async (revision: number, work: () => Promise<unknown>) => {
    receiver.answer((got, response) => {
      const answer = () => {
        receiver.taken.push(got);
        response.writeHead(204).end();
      };
      if (asked.length > 0) return answer();
      asked.push(work().then(answer));
    });
    await store(names(1), revision);
    await delivering.settle();
    expect(asked).toHaveLength(1);
    await Promise.all(asked.splice(0));
  };
  const before = receiver.taken.length;
  await during(2, () => caller.post(`/v3/core/webhooks/${id}/redeliver`, { since: '2026-01-01' }));
  await delivering.settle();
  expect(receiver.taken).toHaveLength(before + 1 + 10);
  await during(3, () => caller.put(`/v3/core/webhooks/${id}`, { enabled: false }));
  expect(await rowOf(id)).toMatchObject({ enabled: false, disabledReason: null });
});

test('sends record types added to a webhook from that moment on, even just before its events are read', async () => {
  const { id } = await subscribe({ data_models: ['ACCOUNTS'] });
  await store(['one']);
  let changed: Promise<unknown> | null = null;
  const change = async () => {
    const { status } = await caller.put(`/v3/core/webhooks/${id}`, { data_models: ['ACCOUNTS', 'ITEMS'] });
    expect(status).toBe(200);
    await acme.store('Item', [{ platformId: 'item', values: { name: 'item' } }]);
  };
  const interrupted = createDelivering(app, { clock, beforeRead: () => (changed ??= change()) });
  await interrupted.settle();
  await interrupted.close();
  expect(changed).not.toBeNull();
  await delivering.settle();
  expect(new Set(receiver.taken.map(({ body }) => body.data_model))).toEqual(new Set(['ACCOUNTS', 'ITEMS']));
});

test('sends the events of all periods requested concurrently for redelivery', async () => {
  const { id } = await subscribe();
  await store(names(30));
  await delivering.settle();
  const before = receiver.taken.length;
  const times: { at: Date }[] = [];
  for (const revision of [2, 3]) {
    await store(names(1), revision);
    times.push(await lastChange());
  }
  await delivering.settle();
  const [second, third] = times.map(({ at }) => at.toISOString());
  const ask = (since?: string, until?: string) =>
    caller.post(`/v3/core/webhooks/${id}/redeliver`, { since, until });
  await withClient(databaseUrl, async (client: pg.Client) => {
    await client.query('BEGIN');
    await client.query('SELECT FROM webhooks WHERE id = $1 FOR UPDATE', [id]);
    const asked = [ask(second, second), ask(third, third)];
    await untilBlocked(2);
    await client.query('COMMIT');
    expect((await Promise.all(asked)).map(({ status }) => status)).toEqual([200, 200]);
  });
  await delivering.settle();
  const again = receiver.taken.slice(before).map(({ body }) => body.sequence);
  expect(again.sort()).toEqual([31, 31, 32, 32]);
});

describe('a record whose events are refused while others are accepted', () => {
  const refuse = (sequence: number) =>
    receiver.answer(({ body }) => (body.sequence === sequence ? 400 : 204));

  test("is retried in steps over 75 hours and delays its own later events, but no other record's", async () => {
    const { id } = await subscribe();
    refuse(2);
    await store(names(5));
    await delivering.settle();
    await pass(5 * SECOND);
    expect(receiver.taken.map(({ body }) => body.sequence).sort()).toEqual([1, 3, 4, 5]);
    await store(names(5), 2);
    await delivering.settle();
    expect(receiver.taken).toHaveLength(8);
    await pass(75 * HOUR, 30 * MINUTE);
    expect(receiver.taken).toHaveLength(8);
    await pass(10 * HOUR, 30 * MINUTE);
    // The first is given up, the second is not.
    expect(receiver.taken.map(({ body }) => body.sequence).at(-1)).toBe(7);
    const [one] = (await deliveriesOf(id)).filter(({ eventId }) => eventId.endsWith('_2'));
    expect(one).toMatchObject({ state: 'GIVEN_UP', attempts: 10 });
    expect(await admin.prisma.webhookHold.count({ where: { webhookId: id } })).toBe(0);
  });

  test('keeps waiting after a rejected change of its webhook, and no longer waits after an accepted one', async () => {
    const { id } = await subscribe();
    const held = () => admin.prisma.webhookHold.count({ where: { webhookId: id } });
    const change = (changes: object) => caller.put(`/v3/core/webhooks/${id}`, changes);
    refuse(2);
    await store(names(3));
    await delivering.settle();
    await pass(5 * SECOND);
    const other = { type: 'CONNECTION_CHANGED' };
    expect((await change({ ...other, headers: { 'webhook-id': 'mine' } })).status).toBe(400);
    expect(await held()).toBe(1);
    receiver.answer(() => 204);
    await pass(HOUR);
    expect(receiver.taken.map(({ body }) => body.sequence).sort()).toEqual([1, 2, 3]);
    refuse(5);
    await store(names(3), 2);
    await delivering.settle();
    await pass(5 * SECOND);
    expect(await held()).toBe(1);
    expect((await change(other)).status).toBe(200);
    expect(await held()).toBe(0);
  });

  test('does not prevent a redelivery of the events that were accepted', async () => {
    const { id } = await subscribe();
    await store(names(3));
    await delivering.settle();
    refuse(4);
    await store(names(3), 2);
    await delivering.settle();
    await pass(5 * SECOND);
    expect(await admin.prisma.webhookHold.count({ where: { webhookId: id } })).toBe(1);
    const before = receiver.taken.length;
    await caller.post(`/v3/core/webhooks/${id}/redeliver`, { since: '2026-01-01' });
    await delivering.settle();
    const again = receiver.taken.slice(before).map(({ body }) => body.sequence);
    expect(again.sort()).toEqual([1, 2, 3, 5, 6]);
    expect(await rowOf(id)).toMatchObject({ replayAfter: null });
  });

  test('is sent once if its retry is due when a redelivery is requested', async () => {
    const { id } = await subscribe();
    refuse(2);
    await store(names(3));
    await delivering.settle();
    clock.forward(6 * SECOND);
    receiver.answer(() => 204);
    await caller.post(`/v3/core/webhooks/${id}/redeliver`, { since: '2026-01-01' });
    await delivering.settle();
    expect(receiver.taken.map(({ body }) => body.sequence).sort()).toEqual([1, 1, 2, 3, 3]);
    expect(await rowOf(id)).toMatchObject({ replayAfter: null, position: 3n });
    expect((await deliveriesOf(id)).map(({ attempts }) => attempts)).toEqual([2, 2, 2]);
    expect(await admin.prisma.webhookHold.count({ where: { webhookId: id } })).toBe(0);
  });

  test('is sent once if its retry is due while earlier events are pending', async () => {
    const { id } = await subscribe();
    await store(['slow']);
    await store(['slow'], 2);
    await store(['refused']);
    const began = performance.now();
    receiver.answer(({ body }, response) => {
      if (receiver.got.length > 2) return 204;
      if (body.sequence === 3) return 400;
      // Longer than a turn: the next of this record waits for the turn in which the other one is due.
      const isOver = () => receiver.got.length === 2 && performance.now() - began > 1500;
      void until('the end of the turn', isOver).then(() => {
        clock.forward(6 * SECOND);
        response.writeHead(204).end();
      });
    });
    await delivering.settle();
    await pass(MINUTE);
    expect(receiver.got.map(({ body }) => body.sequence).sort()).toEqual([1, 2, 3, 3]);
    expect(await rowOf(id)).toMatchObject({ position: 3n, failures: 0 });
  });

  test('has its events delivered in order once they are accepted again', async () => {
    const { id } = await subscribe();
    refuse(1);
    await store(names(3));
    await delivering.settle();
    await pass(5 * SECOND);
    await store(['account-0'], 2);
    await store(['account-0'], 3);
    await delivering.settle();
    expect(receiver.taken.map(({ body }) => body.sequence).sort()).toEqual([2, 3]);
    receiver.answer(() => 204);
    await pass(10 * MINUTE);
    expect(receiver.taken.map(({ body }) => body.sequence).slice(2)).toEqual([1, 4, 5]);
    expect(await rowOf(id)).toMatchObject({ position: 5n, failures: 0 });
  });
});

test("does not let a dead or slow receiver, or another organisation's flood of events, delay other receivers", async () => {
  const dead = await startReceiver();
  await dead.down();
  const slow = await startReceiver();
  slow.answer((got, response) => void setTimeout(() => response.writeHead(204).end(got.id), 200));
  await subscribe({ url: dead.url });
  await subscribe({ url: slow.url });
  await store(names(300));
  const other = await createTenant(app, 'beside the flood');
  const quiet = await createCaller(app, other.organisationId);
  const fine = await startReceiver();
  await quiet.post('/v3/core/webhooks', {
    webhook: { name: 'quiet', type: 'DATA_MODEL_CHANGES', url: fine.url },
  });
  await store(['one'], 1, other);
  const settled = delivering.settle();
  let slowAt = 0;
  fine.answer(() => {
    slowAt = slow.got.length;
    return 204;
  });
  await settled;
  expect(fine.taken).toHaveLength(1);
  // It was told while the slow one still had most of its events to come.
  expect(slowAt).toBeLessThan(100);
  for (const one of [dead, slow, fine]) await one.close();
});

test('does not let webhooks with the same host, or organisations, wait for each other', async () => {
  const other = await createTenant(app, 'at the same host');
  const quiet = await createCaller(app, other.organisationId);
  await quiet.post('/v3/core/webhooks', {
    webhook: { name: 'quick', type: 'DATA_MODEL_CHANGES', url: `${receiver.url}quick` },
  });
  for (let count = 0; count < 3; count += 1) await subscribe({ url: `${receiver.url}slow` });
  const held: ServerResponse[] = [];
  let givenUp = 0;
  receiver.answer(({ body }, response) => {
    if (body.company_id === acme.companyId && receiver.taken.length === 0) return void held.push(response);
    if (body.company_id === acme.companyId) return 204;
    givenUp = held.filter(({ closed }) => closed).length;
    for (const one of held) one.writeHead(204).end();
    return 204;
  });
  await store(names(8));
  const settled = delivering.settle();
  await until('as many requests as had sockets', () => held.length >= 16);
  await store(['one'], 1, other);
  await Promise.all([settled, delivering.settle()]);
  expect(receiver.taken.filter(({ body }) => body.company_id === other.companyId)).toHaveLength(1);
  expect(givenUp).toBe(0);
});

test('gives each of several always-due webhooks its turn', async () => {
  const ids = [];
  for (let count = 0; count < 3; count += 1) ids.push((await subscribe()).id);
  await store(['one']);
  const served = [];
  for (let turn = 0; turn < 6; turn += 1) {
    const [lease] = await claimWebhooks(app.database, { workerId: '', now: clock.now(), max: 1 });
    if (!lease) throw new Error('nothing is due');
    served.push(lease.id);
    await releaseWebhook(app.database.sql(organisationScope(acme.organisationId)), lease, false);
  }
  expect(new Set(served.slice(0, 3))).toEqual(new Set(ids));
  expect(served.slice(3)).toEqual(served.slice(0, 3));
});

test('leaves turns to other webhooks of an organisation whose slow receivers have a backlog', async () => {
  const patient = createDelivering(app, { clock, timeoutMs: HOUR });
  const slow = await startReceiver();
  for (let count = 0; count < 40; count += 1) await subscribe({ url: slow.url });
  slow.answer(() => {
    clock.forward(3 * SECOND);
    return 204;
  });
  await store(['one']);
  await patient.settle();
  const held: ServerResponse[] = [];
  slow.answer((_, response) => void held.push(response));
  await store(['one'], 2);
  const settled = patient.settle();
  await until('as many as may have turns', () => held.length >= 16);
  const { id } = await subscribe();
  await store(['one'], 3);
  const seen = patient.settle();
  await until('the quick one is told', async () => (await rowOf(id)).position === 3n);
  expect(receiver.taken).toHaveLength(1);
  slow.answer(() => 204);
  for (const response of held) response.writeHead(204).end();
  await Promise.all([settled, seen]);
  expect(await admin.prisma.webhook.count({ where: { position: { lt: 3 }, enabled: true } })).toBe(0);
  await Promise.all([patient.close(), slow.close()]);
});

test('tries a recovered receiver among more dead ones than have turns at a time', async () => {
  const ids = [];
  for (let count = 0; count < 20; count += 1) ids.push((await subscribe()).id);
  let refusals = 0;
  // Each refusal takes so long that all others are due again; in the end, that all may rest.
  const refuse = (most: number) =>
    receiver.answer(() => {
      if ((refusals += 1) < most) clock.forward(2 * MINUTE);
      return 503;
    });
  refuse(0);
  await store(['one']);
  await delivering.settle();
  expect(refusals).toBe(20);
  const back = await startReceiver();
  // The last by its id, with the failures that it had.
  const id = ids.sort().at(-1) ?? '';
  const { dueAt, failures, failingSince } = await rowOf(id);
  expect((await caller.put(`/v3/core/webhooks/${id}`, { url: back.url })).status).toBe(200);
  await admin.prisma.webhook.update({ where: { id }, data: { dueAt, failures, failingSince } });
  let triedAfter = 0;
  back.answer(() => {
    triedAfter = refusals;
    refuse(0);
    return 204;
  });
  refuse(200);
  clock.forward(MINUTE);
  await delivering.settle();
  await back.close();
  expect(back.taken).toHaveLength(1);
  expect(triedAfter).toBeLessThan(100);
});

test('stores nothing from a worker that has lost its webhook, and resends its events under the same ids', async () => {
  const { id } = await subscribe();
  await store(['one']);
  receiver.answer((got, response) => {
    const taken = admin.prisma.webhook.update({ where: { id }, data: { fence: { increment: 1 } } });
    void taken.then(() => {
      receiver.taken.push(got);
      response.writeHead(204).end();
    });
  });
  await delivering.settle();
  expect(await rowOf(id)).toMatchObject({ position: 0n });
  expect(await deliveriesOf(id)).toEqual([]);
  receiver.answer(() => 204);
  await admin.prisma.webhook.update({ where: { id }, data: { leasedUntil: null } });
  await delivering.settle();
  expect(await rowOf(id)).toMatchObject({ position: 1n });
  expect(receiver.taken).toHaveLength(2);
  expect(new Set(receiver.taken.map((one) => one.id)).size).toBe(1);
});

test('sends each event once and in order from two concurrent processes', async () => {
  await subscribe();
  const second = createDelivering(app, { clock });
  for (const revision of [1, 2, 3, 4]) await store(names(25), revision);
  await Promise.all([delivering.settle(), second.settle(), second.settle(), delivering.settle()]);
  await second.close();
  expect(receiver.taken).toHaveLength(100);
  expect(new Set(receiver.taken.map((one) => one.id)).size).toBe(100);
  expectOrder();
});
