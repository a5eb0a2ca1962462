import { afterAll, afterEach, beforeAll, expect, jest, test } from '@jest/globals';
import type { App } from '../../src/app.js';
import type { RemainingCalls } from '../../src/connectors/platform-access.js';
import { PlatformPause } from '../../src/connectors/client/platform-errors.js';
import {
  type BudgetOptions,
  type ConnectionKey,
  takePermit,
  untilEventSync,
} from '../../src/platforms/budget.js';
import { HeldPermits } from '../../src/platforms/held-permits.js';
import { admin } from '../support/admin.js';
import { createTenant, type Tenant } from '../support/seed.js';
import { startApp } from '../support/service.js';
import { statementsOf } from '../support/statements.js';
import { until } from '../support/until.js';

let app: App;

beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());
afterEach(() => {
  jest.restoreAllMocks();
});

/** So much time passes for this process; the database has its own clock. */
function pass(milliseconds: number): void {
  const now = performance.now.bind(performance);
  jest.spyOn(performance, 'now').mockImplementation(() => now() + milliseconds);
}

class Held {
  constructor(
    readonly tenant: Tenant,
    readonly permits: HeldPermits,
  ) {}

  get key(): ConnectionKey {
    return { svcCompanyId: this.tenant.companyId, connectionId: this.tenant.connectionId };
  }

  async row() {
    const { svcCompanyId, connectionId } = this.key;
    const where = { svcCompanyId_svcId: { svcCompanyId: BigInt(svcCompanyId), svcId: BigInt(connectionId) } };
    const { minuteCalls, hourCalls, dayCalls, concurrentCalls, recentCalls, dayLeft, pointsLeft } =
      await admin.prisma.connection.findUniqueOrThrow({ where });
    const leases = await admin.prisma.platformCall.count({ where: { connectionId: BigInt(connectionId) } });
    const recent = recentCalls.reduce((sum, calls) => sum + calls, 0);
    return { minuteCalls, hourCalls, dayCalls, concurrentCalls, recent, leases, dayLeft, pointsLeft };
  }

  readonly call = async (remaining?: RemainingCalls): Promise<void> => {
    const permit = await this.permits.permit();
    await permit.done({ status: 200, retryAfterMs: null, length: 2, ...(remaining && { remaining }) });
  };

  /** The number of statements of calls one after another. */
  async statements(calls: number, remaining?: RemainingCalls): Promise<number> {
    const texts = await statementsOf(app, async () => {
      for (let call = 0; call < calls; call += 1) await this.call(remaining);
    });
    return texts.length;
  }

  /** What another process is given without waiting; null for none. */
  take(options: Partial<BudgetOptions> = {}) {
    const budget: BudgetOptions = { use: 'write', patienceMs: 0, ...options };
    return takePermit(app.database.sql(this.tenant.scope), this.key, budget).catch((error: unknown) => {
      if (error instanceof PlatformPause) return null;
      throw error;
    });
  }
}

/** Permits of a worker for a connection of its own. */
async function held(limits: object, options: Partial<BudgetOptions> = {}): Promise<Held> {
  const tenant = await createTenant(app, 'held permits');
  const key = { svcCompanyId: tenant.companyId, connectionId: tenant.connectionId };
  await admin.prisma.connection.updateMany({ where: { svcId: BigInt(key.connectionId) }, data: limits });
  const budget: BudgetOptions = { use: 'write', patienceMs: 0, workerId: 'worker', ...options };
  return new Held(tenant, new HeldPermits(app.database.sql(tenant.scope), key, budget));
}

test('calls one after another count as many as were made, in fewer statements', async () => {
  const one = await held({ maxPerMinute: 600, maxConcurrent: 4 });
  expect(await one.statements(20)).toBeLessThanOrEqual(10);
  await one.permits.release();
  expect(await one.row()).toEqual({
    minuteCalls: 20,
    hourCalls: 20,
    dayCalls: 20,
    concurrentCalls: 0,
    recent: 20,
    leases: 0,
    dayLeft: null,
    pointsLeft: null,
  });
});

test('calls side by side have a place each', async () => {
  const one = await held({ maxPerMinute: 600, maxConcurrent: 4 });
  const permits = await Promise.all([one.permits.permit(), one.permits.permit(), one.permits.permit()]);
  expect(await one.row()).toMatchObject({ concurrentCalls: 3, leases: 3 });
  await Promise.all(permits.map((permit) => permit.done({ status: 200, retryAfterMs: null, length: 2 })));
  await one.permits.release();
  expect(await one.row()).toMatchObject({ concurrentCalls: 0, leases: 0, recent: 3 });
});

test('a minute is used up to its last call, and no further', async () => {
  const one = await held({ maxPerMinute: 20, maxConcurrent: 4 }, { use: 'sync' });
  for (let call = 0; call < 16; call += 1) await one.call();
  await expect(one.call()).rejects.toThrow(PlatformPause);
  await one.permits.release();
  expect(await one.row()).toMatchObject({ recent: 16, concurrentCalls: 0 });
});

test('a day is used up to its last call, and no further', async () => {
  const one = await held({ maxPerMinute: 600, maxPerDay: 13, maxConcurrent: 4 });
  for (let call = 0; call < 13; call += 1) await one.call();
  await expect(one.call()).rejects.toThrow(PlatformPause);
  await one.permits.release();
  expect(await one.row()).toMatchObject({ dayCalls: 13, concurrentCalls: 0 });
});

test('a place that no call takes over is given back, with the calls counted in advance', async () => {
  const one = await held({ maxPerMinute: 600, maxConcurrent: 1 });
  for (let call = 0; call < 4; call += 1) await one.call();
  await until('its place is free', async () => (await one.row()).leases === 0);
  expect(await one.row()).toMatchObject({ recent: 4, minuteCalls: 4, concurrentCalls: 0 });
});

test('calls counted in advance that have not begun within a second are counted anew', async () => {
  const one = await held({ maxPerMinute: 600, maxConcurrent: 4 });
  for (let call = 0; call < 3; call += 1) await one.call();
  const permit = await one.permits.permit();
  pass(1001);
  await permit.done({ status: 200, retryAfterMs: null, length: 2 });
  expect(await one.statements(1)).toBeGreaterThan(0);
  await one.permits.release();
  expect(await one.row()).toMatchObject({ hourCalls: 5, dayCalls: 5 });
});

test('a place is held for the whole of a call that took it over', async () => {
  const one = await held({ maxPerMinute: 600, maxConcurrent: 4 });
  const permit = await one.permits.permit();
  const where = { connectionId: BigInt(one.key.connectionId) };
  await admin.prisma.platformCall.updateMany({ where, data: { leasedUntil: new Date(Date.now() - 1000) } });
  await permit.done({ status: 200, retryAfterMs: null, length: 2 });
  await one.permits.permit();
  const { leasedUntil } = await admin.prisma.platformCall.findFirstOrThrow({ where });
  expect(leasedUntil.getTime()).toBeGreaterThan(Date.now());
});

test.each([
  ['a failure', { status: 500, retryAfterMs: null }],
  ['a refusal without a pause', { status: 429, retryAfterMs: null }],
  ['a call without an answer', { status: null, retryAfterMs: null }],
])('after %s, its place is given back, and each call is counted by itself', async (_what, outcome) => {
  const one = await held({ maxPerMinute: 600, maxConcurrent: 4 });
  for (let call = 0; call < 4; call += 1) await one.call();
  const permit = await one.permits.permit();
  await permit.done({ ...outcome, length: 2 });
  expect(await one.row()).toMatchObject({ leases: 0, concurrentCalls: 0, hourCalls: 5 });
  await one.permits.permit();
  expect(await one.row()).toMatchObject({ leases: 1, concurrentCalls: 1, hourCalls: 6 });
});

test('where calls cost points, each is counted by itself, and its report is known to all', async () => {
  const points = { capacity: 1000, perSecond: 0.001, mostPerCall: 10 };
  const one = await held({ maxPerMinute: 600, maxConcurrent: 4 }, { points });
  for (const left of [900, 800, 700]) {
    await one.call({ minute: null, day: null, points: { left, capacity: null, perSecond: null } });
    const { pointsLeft, ...row } = await one.row();
    expect(row).toMatchObject({ leases: 0, concurrentCalls: 0 });
    expect(Math.round(Number(pointsLeft))).toBe(left);
  }
});

test('what a platform says is left of a day is used up to what is kept for others, and no further', async () => {
  const reported = { dayLeft: 52, dayLeftAt: new Date() };
  const one = await held(
    { maxPerMinute: 600, maxPerDay: 5000, maxConcurrent: 4, ...reported },
    { use: 'sync' },
  );
  for (let call = 0; call < 2; call += 1) await one.call();
  await expect(one.call()).rejects.toThrow(PlatformPause);
  await one.permits.release();
  expect(await one.row()).toMatchObject({ dayCalls: 2, dayLeft: 50 });
});

test('calls counted in advance and not made return to the hour and the day after a long call, too', async () => {
  const one = await held({ maxPerMinute: 600, maxConcurrent: 4, dayLeft: 1000 });
  for (let call = 0; call < 3; call += 1) await one.call();
  const permit = await one.permits.permit();
  pass(10_000);
  await one.permits.release();
  await permit.done({ status: 200, retryAfterMs: null, length: 2 });
  expect(await one.row()).toMatchObject({ hourCalls: 4, dayCalls: 4, dayLeft: 996 });
});

test('calls that return in a later slot of the minute leave no slot with less than nothing', async () => {
  const one = await held({ maxPerMinute: 600, maxConcurrent: 4 });
  for (let call = 0; call < 3; call += 1) await one.call();
  const permit = await one.permits.permit();
  const where = { svcId: BigInt(one.key.connectionId) };
  await admin.prisma.connection.updateMany({ where, data: { recentSlot: { decrement: 1 } } });
  await one.permits.release();
  await permit.done({ status: 200, retryAfterMs: null, length: 2 });
  const { recentCalls } = await admin.prisma.connection.findFirstOrThrow({ where });
  expect(Math.min(...recentCalls)).toBe(0);
});

test('only calls that are made delay the next sync that events begin', async () => {
  const limits = { maxPerMinute: 600, maxPerDay: 1000, dayCalls: 600, maxConcurrent: 4 };
  const one = await held(limits, { use: 'event' });
  for (let call = 0; call < 12; call += 1) await one.call();
  await one.permits.release();
  const delayMs = await untilEventSync(app.database.sql(one.tenant.scope), one.key);
  // Of the day's rest, 200 calls are for others: each delays the sync by 1/200 of a day, and ever more.
  const perCallMs = 86_400_000 / 200;
  expect(delayMs / perCallMs).toBeGreaterThan(11);
  expect(delayMs / perCallMs).toBeLessThan(14);
});

test('another process waits for a few calls only, where there is one place', async () => {
  const one = await held({ maxPerMinute: 6000, maxConcurrent: 1 }, { patienceMs: 60_000 });
  let isOver = false;
  const calls = (async () => {
    for (let made = 1; ; made += 1) {
      await one.call();
      if (isOver) return made;
    }
  })();
  const permit = await one.take({ patienceMs: 60_000 });
  isOver = true;
  expect(permit).not.toBeNull();
  await permit?.done({ status: 200, retryAfterMs: null, length: 2 });
  // Eight for each time that the other process asks too late; without such turns, thousands.
  expect(await calls).toBeLessThan(400);
  await one.permits.release();
  expect(await one.row()).toMatchObject({ concurrentCalls: 0, leases: 0 });
});

test('a pause that the platform asks for holds for all, at once', async () => {
  const one = await held({ maxPerMinute: 600, maxConcurrent: 4 });
  for (let call = 0; call < 4; call += 1) await one.call();
  const [first, second] = [await one.permits.permit(), await one.permits.permit()];
  await second.done({ status: 200, retryAfterMs: null, length: 2 });
  await first.done({ status: 429, retryAfterMs: 60_000, length: 2 });
  await expect(one.permits.permit()).rejects.toThrow(PlatformPause);
  expect(await one.take()).toBeNull();
  await one.permits.release();
  expect(await one.row()).toMatchObject({ concurrentCalls: 0, leases: 0, recent: 6 });
});

test('a pause is kept to when a call that was in flight then ends well', async () => {
  const one = await held({ maxPerMinute: 600, maxConcurrent: 4 });
  for (let call = 0; call < 4; call += 1) await one.call();
  const [first, second] = [await one.permits.permit(), await one.permits.permit()];
  await first.done({ status: 429, retryAfterMs: 60_000, length: 2 });
  await second.done({ status: 200, retryAfterMs: null, length: 2 });
  await expect(one.permits.permit()).rejects.toThrow(PlatformPause);
  await one.permits.release();
  expect(await one.row()).toMatchObject({ concurrentCalls: 0, leases: 0, recent: 6 });
});

test('what a platform reports is known to all where little is left', async () => {
  const one = await held({ maxPerMinute: 60, maxPerDay: 5000, maxConcurrent: 4 });
  await one.call({ minute: 40, day: 4000 });
  await one.call({ minute: 1, day: 3999 });
  expect(await one.row()).toMatchObject({ dayLeft: 3999, recent: 59, concurrentCalls: 0 });
  await (await one.take())?.done({ status: 200, retryAfterMs: null, length: 2 });
  await expect(one.call()).rejects.toThrow(PlatformPause);
});

/** Calls made in the current minute. */
const recently = (calls: number) => ({ recentCalls: [calls], recentSlot: Math.floor(Date.now() / 5000) });

/** Four calls at the same time after 25 of a minute's 60, then six of another process. */
async function leavesRoom(one: Held, options: Partial<BudgetOptions>): Promise<void> {
  for (let call = 0; call < 7; call += 1) await one.call();
  for (let call = 0; call < 4; call += 1) await one.permits.permit();
  for (let call = 0; call < 6; call += 1) {
    expect(await one.take({ ...options, use: 'sync' })).not.toBeNull();
  }
}

test('calls counted in advance leave room in the minute for those of others', async () => {
  await leavesRoom(await held({ maxPerMinute: 60, maxConcurrent: 20, ...recently(18) }), {});
});

test("calls counted in advance leave room in an app's minute for those of others", async () => {
  const app = { integrationType: 'XERO', perMinute: 60 };
  const one = await held({ maxPerMinute: 600, maxConcurrent: 20 }, { app });
  const integration = { svcOrganisationId: BigInt(one.tenant.organisationId), integrationType: 'XERO' };
  await admin.prisma.integration.createMany({ data: { ...integration, ...recently(18) } });
  await leavesRoom(one, { app });
});

test("an app's minute counts the same calls", async () => {
  const app = { integrationType: 'XERO', perMinute: 1000 };
  const one = await held({ maxPerMinute: 600, maxConcurrent: 4 }, { app });
  const integration = { svcOrganisationId: BigInt(one.tenant.organisationId), integrationType: 'XERO' };
  await admin.prisma.integration.createMany({ data: integration, skipDuplicates: true });
  for (let call = 0; call < 9; call += 1) await one.call();
  await one.permits.release();
  const { recentCalls } = await admin.prisma.integration.findFirstOrThrow({ where: integration });
  expect(recentCalls.reduce((sum, calls) => sum + calls, 0)).toBe(9);
});

test('a place that could not be renewed is given back', async () => {
  const one = await held({ maxPerMinute: 600, maxConcurrent: 4 });
  await one.call();
  await admin.pool.query(
    `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'no' USING ERRCODE = '40P01'; END $$;
     CREATE TRIGGER refuse BEFORE UPDATE ON connections FOR EACH ROW
       WHEN (NEW.minute_calls > OLD.minute_calls) EXECUTE FUNCTION refuse()`,
  );
  try {
    await expect(one.call()).rejects.toMatchObject({ code: 'service-unavailable' });
  } finally {
    await admin.pool.query('DROP FUNCTION refuse() CASCADE');
  }
  await one.permits.release();
  expect(await one.row()).toMatchObject({ leases: 0, concurrentCalls: 0 });
});

test('calls that end after the release give their places back themselves', async () => {
  const one = await held({ maxPerMinute: 600, maxConcurrent: 4 });
  const permit = await one.permits.permit();
  await one.permits.release();
  expect(await one.row()).toMatchObject({ leases: 1 });
  await permit.done({ status: 200, retryAfterMs: null, length: 2 });
  expect(await one.row()).toMatchObject({ leases: 0, concurrentCalls: 0, recent: 1 });
});
