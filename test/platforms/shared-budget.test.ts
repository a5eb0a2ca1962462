import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { App } from '../../src/app.js';
import { plainAccess } from '../../src/connectors/platform-access.js';
import { createPlatformClient } from '../../src/connectors/client/platform-client.js';
import { PlatformPause } from '../../src/connectors/client/platform-errors.js';
import { decimalOf, objectOf } from '../../src/connectors/values/platform-values.js';
import { type BudgetOptions, type ConnectionKey, takePermit } from '../../src/platforms/budget.js';
import { admin } from '../support/admin.js';
import { connectXero } from '../support/fill-company.js';
import { createTenant, type Tenant } from '../support/seed.js';
import { startApp } from '../support/service.js';

let app: App;

beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

const done = { status: 200, retryAfterMs: null, length: 2 };

/** A permit without waiting; null where there is no room. */
async function take(tenant: Tenant, connectionId: number, options: Partial<BudgetOptions>) {
  const key: ConnectionKey = { svcCompanyId: tenant.companyId, connectionId };
  return takePermit(app.database.sql(tenant.scope), key, { use: 'write', patienceMs: 0, ...options }).catch(
    (error: unknown) => {
      if (error instanceof PlatformPause) return null;
      throw error;
    },
  );
}

describe('the minute of an app', () => {
  const ofApp = { integrationType: 'XERO', perMinute: 10 };

  async function connected(name: string): Promise<{ tenant: Tenant; one: number; other: number }> {
    const tenant = await createTenant(app, name);
    const integration = { svcOrganisationId: BigInt(tenant.organisationId), integrationType: 'XERO' };
    await admin.prisma.integration.createMany({ data: integration, skipDuplicates: true });
    const one = await connectXero(app, tenant, `${name} one`);
    return { tenant, one, other: await connectXero(app, tenant, `${name} other`) };
  }
  const passMinute = ({ organisationId }: Tenant) =>
    admin.prisma.integration.updateMany({
      where: { svcOrganisationId: BigInt(organisationId) },
      data: { recentSlot: { decrement: 13 } },
    });
  async function takeMany(count: number, ask: (index: number) => ReturnType<typeof take>): Promise<number> {
    const permits = await Promise.all(Array.from({ length: count }, (_, index) => ask(index)));
    const taken = permits.filter((permit) => permit !== null);
    for (const permit of taken) await permit.done(done);
    return taken.length;
  }

  test('is shared by its connections, also where they ask together, and rolls', async () => {
    const { tenant, one, other } = await connected('app shared');
    const both = (index: number) => take(tenant, index % 2 === 0 ? one : other, { app: ofApp });
    expect(await takeMany(16, both)).toBe(10);
    expect(await take(tenant, other, { app: ofApp })).toBeNull();
    await passMinute(tenant);
    expect(await takeMany(16, both)).toBe(10);
  });

  test('leaves a share to writes, and says when to go on', async () => {
    const { tenant, one, other } = await connected('app share');
    expect(await takeMany(10, () => take(tenant, one, { app: ofApp, use: 'sync' }))).toBe(8);
    const key = { svcCompanyId: tenant.companyId, connectionId: other };
    const options: BudgetOptions = { use: 'sync', patienceMs: 0, app: ofApp };
    const pause = await takePermit(app.database.sql(tenant.scope), key, options).catch((error) => error);
    const waitMs = pause.resumeAt.getTime() - Date.now();
    expect(waitMs).toBeGreaterThan(30_000);
    expect(waitMs).toBeLessThanOrEqual(65_000);
    expect(await take(tenant, other, { app: ofApp })).not.toBeNull();
  });

  test('is not used up by calls that their connection had no room for', async () => {
    const { tenant, one, other } = await connected('app given back');
    await admin.prisma.connection.updateMany({ where: { svcId: BigInt(one) }, data: { maxPerMinute: 0 } });
    expect(await takeMany(20, () => take(tenant, one, { app: ofApp }))).toBe(0);
    expect(await takeMany(16, () => take(tenant, other, { app: ofApp }))).toBe(10);
  });

  test('counts what the platform says that others have used, and is the organisation’s own', async () => {
    const { tenant, one, other } = await connected('app others');
    const permit = await take(tenant, one, { app: ofApp });
    await permit?.done({ ...done, remaining: { minute: null, day: null, appMinute: 2 } });
    expect(await takeMany(5, () => take(tenant, other, { app: ofApp }))).toBe(2);
    const elsewhere = await connected('app elsewhere');
    expect(await takeMany(5, () => take(elsewhere.tenant, elsewhere.one, { app: ofApp }))).toBe(5);
  });
});

/** A platform of points: each call costs some, and its answers say what is left. */
async function startPointsPlatform(capacity: number, perSecond: number, cost: number) {
  let left = capacity;
  let at = performance.now();
  let refused = 0;
  let answered = 0;
  const server = createServer((_request, response) => {
    const now = performance.now();
    left = Math.min(capacity, left + ((now - at) / 1000) * perSecond);
    at = now;
    const isThrottled = left < cost;
    if (isThrottled) refused += 1;
    else {
      left -= cost;
      answered += 1;
    }
    const throttleStatus = { maximumAvailable: capacity, currentlyAvailable: left, restoreRate: perSecond };
    const errors = isThrottled ? { errors: [{ message: 'Throttled' }] } : {};
    const body = { ...errors, data: {}, extensions: { cost: { throttleStatus } } };
    response.setHeader('content-type', 'application/json').end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    counts: () => ({ refused, answered }),
    stop: () => new Promise((resolve) => server.close(resolve).closeAllConnections()),
  };
}

const numberOf = (value: unknown): number | null => {
  const text = decimalOf(value);
  return text === null ? null : Number(text);
};

describe('points', () => {
  const POINTS = { capacity: 1000, perSecond: 500, mostPerCall: 300 };

  /** A connection whose calls cost points, and its row. */
  async function withPoints(name: string) {
    const tenant = await createTenant(app, name);
    const { connectionId } = tenant;
    const where = { svcId: BigInt(connectionId) };
    await admin.prisma.connection.updateMany({ where, data: { maxConcurrent: 100 } });
    return { tenant, connectionId, row: () => admin.prisma.connection.findFirstOrThrow({ where }) };
  }

  test('are waited for before the platform would say no', async () => {
    // Its plan has more of them than is declared: what it says holds.
    const platform = await startPointsPlatform(2000, 4000, 300);
    try {
      const { tenant, connectionId, row } = await withPoints('points');
      const key = { svcCompanyId: tenant.companyId, connectionId };
      const client = createPlatformClient({
        title: 'Points',
        baseUrl: platform.url,
        access: {
          ...plainAccess({ accessToken: 'a token', externalAccountId: 'an account' }),
          permit: () =>
            takePermit(app.database.sql(tenant.scope), key, {
              use: 'sync',
              patienceMs: 60_000,
              points: POINTS,
            }),
        },
        headers: () => ({}),
        remaining: (_headers, body) => {
          const status = objectOf(objectOf(objectOf(body()?.['extensions'])?.['cost'])?.['throttleStatus']);
          const left = numberOf(status?.['currentlyAvailable']);
          const [capacity, perSecond] = [status?.['maximumAvailable'], status?.['restoreRate']].map(numberOf);
          const points =
            left === null ? null : { left, capacity: capacity ?? null, perSecond: perSecond ?? null };
          return { minute: null, day: null, points };
        },
      });
      const read = () => client.read('/graphql', { method: 'POST', body: {} });
      await read();
      expect(await row()).toMatchObject({ pointsCapacity: 2000, pointsPerSecond: 4000 });
      await Promise.all(Array.from({ length: 20 }, read));
      const { refused, answered } = platform.counts();
      expect(refused + answered).toBe(21);
      // Two answers may be noted in another order than they were given; unpaced, fourteen would be refused.
      expect(refused).toBeLessThan(4);
    } finally {
      await platform.stop();
    }
  });

  test('go to background work only as far as a share of the bucket is left to writes', async () => {
    const { tenant, connectionId, row } = await withPoints('points share');
    const slow = { ...POINTS, perSecond: 0.001 };
    const ask = (use: 'sync' | 'write') => take(tenant, connectionId, { use, points: slow });
    expect([await ask('sync'), await ask('sync'), await ask('sync')].map(Boolean)).toEqual([
      true,
      true,
      false,
    ]);
    expect([await ask('write'), await ask('write')].map(Boolean)).toEqual([true, false]);
    expect(Math.round(Number((await row()).pointsLeft))).toBe(100);
    // They come back with time.
    await admin.prisma.connection.updateMany({
      where: { svcId: BigInt(connectionId) },
      data: { pointsAt: new Date(Date.now() - 500_000_000) },
    });
    expect(await ask('sync')).not.toBeNull();
  });

  test('an answer leaves out what other calls under way may still cost', async () => {
    const { tenant, connectionId, row } = await withPoints('points under way');
    const slow = { ...POINTS, perSecond: 0.001 };
    const ask = () => take(tenant, connectionId, { points: slow });
    const [first] = [await ask(), await ask()];
    await first?.done({
      ...done,
      remaining: { minute: null, day: null, points: { left: 700, capacity: null, perSecond: null } },
    });
    expect(Math.round(Number((await row()).pointsLeft))).toBe(400);
  });
});
