import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { App } from '../../src/app.js';
import { PlatformPause } from '../../src/connectors/client/platform-errors.js';
import {
  type ConnectionKey,
  freeCalls,
  releaseLease,
  pauseConnection,
  takePermit,
} from '../../src/platforms/budget.js';
import { renewLimits } from '../../src/platforms/renew-limits.js';
import { createTenant, type Tenant } from '../support/seed.js';
import { startApp } from '../support/service.js';
import { admin } from '../support/admin.js';
import { until } from '../support/until.js';

let app: App;
let tenant: Tenant;

beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

/** A connection of its own with these limits. */
async function connection(limits: object): Promise<ConnectionKey> {
  tenant = await createTenant(app, 'budget');
  const key = { svcCompanyId: tenant.companyId, connectionId: tenant.connectionId };
  await update(key, limits);
  return key;
}

const where = (key: ConnectionKey) => ({
  svcCompanyId_svcId: { svcCompanyId: BigInt(key.svcCompanyId), svcId: BigInt(key.connectionId) },
});
const update = (key: ConnectionKey, data: object) =>
  admin.prisma.connection.update({ where: where(key), data });
const row = (key: ConnectionKey) => admin.prisma.connection.findUniqueOrThrow({ where: where(key) });
const take = (key: ConnectionKey, use: 'sync' | 'write' = 'write', patienceMs = 0) =>
  takePermit(app.database.sql(tenant.scope), key, { use, patienceMs });
const allowed = async (key: ConnectionKey, use?: 'sync' | 'write') =>
  take(key, use).then(
    () => true,
    (error: unknown) => {
      if (error instanceof PlatformPause) return false;
      throw error;
    },
  );
/** A minute and the slot that had begun: as if all were so much longer ago. */
const passMinute = (key: ConnectionKey) =>
  update(key, { minuteResetAt: new Date(Date.now() - 65_001), recentSlot: { decrement: 13 } });
const done = { status: 200, retryAfterMs: null, length: 2 };

describe('limits of a new version', () => {
  test('reach the connections that are there, once, and leave other platforms alone', async () => {
    const key = await connection({
      integrationType: 'XERO',
      maxPerMinute: 7,
      maxConcurrent: 1,
      maxPerDay: null,
    });
    const books = await connection({ maxPerMinute: 600, maxConcurrent: 10, maxPerDay: 12 });
    await renewLimits(admin);
    expect(await row(key)).toMatchObject({ maxPerMinute: 60, maxConcurrent: 5, maxPerDay: 5000 });
    expect(await row(books)).toMatchObject({ maxPerMinute: 600, maxConcurrent: 10, maxPerDay: null });
    expect(await renewLimits(admin)).toBe(0);
  });
});

describe('the budget of a connection', () => {
  test('counts calls in the minute, the hour and the day', async () => {
    const key = await connection({ maxPerMinute: 100 });
    for (let call = 0; call < 3; call += 1) await (await take(key)).done(done);
    const { minuteCalls, hourCalls, dayCalls, concurrentCalls } = await row(key);
    expect({ minuteCalls, hourCalls, dayCalls, concurrentCalls }).toEqual({
      minuteCalls: 3,
      hourCalls: 3,
      dayCalls: 3,
      concurrentCalls: 0,
    });
  });

  test('ends with the minute, and begins again with the next', async () => {
    const key = await connection({ maxPerMinute: 2 });
    expect([await allowed(key), await allowed(key), await allowed(key)]).toEqual([true, true, false]);
    await passMinute(key);
    expect(await allowed(key)).toBe(true);
    expect((await row(key)).minuteCalls).toBe(1);
  });

  test('tells when to go on', async () => {
    const key = await connection({ maxPerMinute: 1 });
    await take(key);
    const pause = (await take(key).catch((error: unknown) => error)) as PlatformPause;
    const { minuteResetAt } = await row(key);
    expect(Math.abs(pause.resumeAt.getTime() - minuteResetAt.getTime() - 60_000)).toBeLessThan(20_000);
  });

  test('says whether its limit or a pause is waited for', async () => {
    const key = await connection({ maxPerMinute: 1 });
    await (await take(key)).done(done);
    const why = () => take(key).catch((error: unknown) => (error as PlatformPause).message);
    expect(await why()).toBe("the connection's share of its platform's limit is used up");
    await pauseConnection(app.database.sql(tenant.scope), key, 3600);
    expect(await why()).toContain('the platform is not called for a while');
  });

  test('keeps a share of the minute for writes', async () => {
    const key = await connection({ maxPerMinute: 10, maxConcurrent: 100 });
    const taken = [];
    for (let call = 0; call < 9; call += 1) taken.push(await allowed(key, 'sync'));
    expect(taken.filter(Boolean)).toHaveLength(8);
    expect([await allowed(key), await allowed(key), await allowed(key)]).toEqual([true, true, false]);
  });

  test('has a day, where the platform has', async () => {
    const key = await connection({ maxPerDay: 2 });
    expect([await allowed(key), await allowed(key), await allowed(key)]).toEqual([true, true, false]);
  });

  test('rolls its minute: calls at the end of one count in the next', async () => {
    const key = await connection({ maxPerMinute: 2 });
    expect([await allowed(key), await allowed(key)]).toEqual([true, true]);
    // A minute that began long ago is over, but the calls are not a minute old.
    await update(key, { minuteResetAt: new Date(Date.now() - 60_001), recentSlot: { decrement: 11 } });
    expect(await allowed(key)).toBe(false);
    const pause = (await take(key).catch((error: unknown) => error)) as PlatformPause;
    const waitMs = pause.resumeAt.getTime() - Date.now();
    expect(waitMs).toBeGreaterThan(0);
    expect(waitMs).toBeLessThanOrEqual(10_000);
    await update(key, { recentSlot: { decrement: 2 } });
    expect(await allowed(key)).toBe(true);
  });

  test('stays where a later call brought it, when one counts that began before', async () => {
    const key = await connection({ maxConcurrent: 100 });
    const reached = await app.database.sql(tenant.scope).transaction(async (late) => {
      const [began] = await late.rows<{ slot: number }>(
        late.query(),
        `SELECT floor(extract(epoch FROM now()) / 5)::bigint AS slot FROM connections t WHERE t.svc_organisation_id = $1`,
      );
      await until('the next slot', () => Promise.resolve(Date.now() / 5000 >= (began?.slot ?? 0) + 1));
      expect(await allowed(key)).toBe(true);
      const { recentSlot } = await row(key);
      expect(Number(recentSlot)).toBeGreaterThan(began?.slot ?? 0);
      await takePermit(late, key, { use: 'write', patienceMs: 0 });
      return recentSlot;
    });
    const { recentSlot, recentCalls } = await row(key);
    expect([recentSlot, recentCalls[0]]).toEqual([reached, 2]);
  });

  test('comes back with a clock that was set back', async () => {
    const key = await connection({ maxPerMinute: 2 });
    await update(key, { recentSlot: Math.floor(Date.now() / 5000) + 720, recentCalls: [2] });
    expect(await allowed(key)).toBe(false);
    await update(key, { recentCalls: [1] });
    expect(await allowed(key)).toBe(true);
    expect(Number((await row(key)).recentSlot) - Math.floor(Date.now() / 5000)).toBeLessThanOrEqual(1);
  });

  test('takes unused calls out of the earlier of two slots first, and out of none more than are in it', async () => {
    // Slots do not move where the clock was set back.
    const recentSlot = Math.floor(Date.now() / 5000) + 720;
    const key = await connection({ recentSlot, recentCalls: [2, 4, 9] });
    const lease = { id: randomUUID(), made: 1, unused: 5, unusedOfMinute: 5 };
    const unmade = () =>
      releaseLease(
        app.database.sql(tenant.scope),
        { ...key, lease },
        { use: 'write', patienceMs: 0 },
        { retryAfterMs: null },
      );
    await unmade();
    expect((await row(key)).recentCalls.slice(0, 3)).toEqual([1, 0, 9]);
    await update(key, { recentSlot });
    await unmade();
    expect((await row(key)).recentCalls.slice(0, 3)).toEqual([0, 0, 9]);
  });

  test('counts what others have used of the minute, by what the platform says', async () => {
    const key = await connection({ maxPerMinute: 60, maxConcurrent: 100 });
    const answered = { ...done, remaining: { minute: 1, day: null } };
    await (await take(key)).done(answered);
    expect([await allowed(key), await allowed(key)]).toEqual([true, false]);
    await passMinute(key);
    // What it says when it has counted less than we have changes nothing.
    await (await take(key)).done({ ...done, remaining: { minute: 60, day: null } });
    expect((await row(key)).recentCalls[0]).toBe(1);
  });

  test('leaves some of what the platform says is left of its day to writes, and asks again after an hour', async () => {
    const key = await connection({ maxPerDay: 5000, maxConcurrent: 100 });
    const say = async (day: number | null) =>
      (await take(key)).done({ ...done, remaining: { minute: null, day } });
    await say(52);
    expect([await allowed(key, 'sync'), await allowed(key, 'sync')]).toEqual([true, true]);
    const pause = (await take(key, 'sync').catch((error: unknown) => error)) as PlatformPause;
    expect(Math.abs(pause.resumeAt.getTime() - Date.now() - 3_600_000)).toBeLessThan(60_000);
    expect(await allowed(key)).toBe(true);
    await say(0);
    expect(await allowed(key)).toBe(false);
    await update(key, { dayLeftAt: new Date(Date.now() - 3_600_001) });
    await say(null);
    expect(await allowed(key, 'sync')).toBe(true);
    await say(900);
    expect((await row(key)).dayLeft).toBe(900);
    expect(await allowed(key, 'sync')).toBe(true);
  });

  test('never lets more calls run at once, however many ask together', async () => {
    const key = await connection({ maxConcurrent: 3 });
    const results = await Promise.all(Array.from({ length: 20 }, () => allowed(key)));
    expect(results.filter(Boolean)).toHaveLength(3);
    expect((await row(key)).concurrentCalls).toBe(3);
  });

  test('lets a waiting call in when one ends', async () => {
    const key = await connection({ maxConcurrent: 1 });
    const first = await take(key);
    const second = take(key, 'write', 10_000);
    await first.done(done);
    await (await second).done(done);
    expect((await row(key)).concurrentCalls).toBe(0);
  });

  test('takes back what a dead process held', async () => {
    const key = await connection({ maxConcurrent: 1 });
    await take(key);
    await admin.prisma.platformCall.updateMany({
      where: { connectionId: BigInt(key.connectionId) },
      data: { leasedUntil: new Date(Date.now() - 1000) },
    });
    await (await take(key, 'write', 10_000)).done(done);
    expect((await row(key)).concurrentCalls).toBe(0);
  });

  test('is free again with the worker that held it', async () => {
    const key = await connection({ maxConcurrent: 2 });
    const by = (workerId: string) =>
      takePermit(app.database.sql(tenant.scope), key, { use: 'sync', patienceMs: 0, workerId });
    await by('dead');
    const living = await by('living');
    expect(await allowed(key)).toBe(false);
    await freeCalls(app.database.sql(tenant.scope), ['dead', 'unknown']);
    expect((await row(key)).concurrentCalls).toBe(1);
    expect(await allowed(key)).toBe(true);
    await living.done(done);
  });

  test('stands still while the platform wants a pause', async () => {
    const key = await connection({});
    await (await take(key)).done({ status: 429, retryAfterMs: 60_000, length: 0 });
    expect(await allowed(key)).toBe(false);
    await update(key, { pausedUntil: new Date(Date.now() - 1) });
    expect(await allowed(key)).toBe(true);
  });

  test("is nobody else's", async () => {
    const key = await connection({});
    const other = await createTenant(app, 'other');
    await expect(
      takePermit(app.database.sql(other.scope), key, { use: 'write', patienceMs: 0 }),
    ).rejects.toMatchObject({ code: 'not-found' });
    expect((await row(key)).minuteCalls).toBe(0);
  });
});
