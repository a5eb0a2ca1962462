import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type pg from 'pg';
import type { App } from '../../src/app.js';
import { admin } from '../support/admin.js';
import { createTenant, type Tenant } from '../support/seed.js';
import { type Answer, type Caller, createCaller, startApp } from '../support/service.js';
import { until } from '../support/until.js';

const ACCOUNTS = '/v3/accounting/accounts';
const CONTACTS = '/v3/accounting/contacts';

let app: App;
let acme: Tenant;
let busy: Caller & { readonly key: string };
let calm: Caller;
let neighbour: Caller;
/** Holds what statements on accounts wait for. */
let blocker: pg.PoolClient | null = null;

beforeAll(async () => {
  // Four for one organisation, one more for others, and one for finding keys.
  app = await startApp({ POOL_SIZE: '6', LIMIT_QUERY_MILLISECONDS: '4000' });
  acme = await createTenant(app, 'busy');
  const other = await createTenant(app, 'neighbour');
  for (const tenant of [acme, other]) {
    await tenant.store('Account', [{ platformId: 'cash', values: { name: 'Cash' } }]);
    await tenant.store('Contact', [{ platformId: 'ann', values: { name: 'Ann' } }]);
  }
  busy = await createCaller(app, acme.organisationId);
  calm = await createCaller(app, acme.organisationId);
  neighbour = await createCaller(app, other.organisationId);
});
afterEach(() => unlock());
afterAll(() => app.close());

async function lock(): Promise<void> {
  blocker = await admin.pool.connect();
  await blocker.query('BEGIN');
  await blocker.query('LOCK TABLE accounts IN ACCESS EXCLUSIVE MODE');
}

async function unlock(): Promise<void> {
  await blocker?.query('ROLLBACK');
  blocker?.release();
  blocker = null;
}

/** Statements of the app that wait for the lock. */
async function blocked(): Promise<number> {
  const { rowCount } = await admin.pool.query(
    `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'
       AND query LIKE '%FROM accounts%'`,
  );
  return rowCount ?? 0;
}

const statusOf = ({ status }: Answer) => status;

describe('an organisation that holds all its share', () => {
  test('leaves another one answered, and readiness and unknown keys too', async () => {
    await lock();
    const held = Array.from({ length: 7 }, () => busy.get(ACCOUNTS));
    await until(
      'all of its share in use',
      async () => (await blocked()) === 4 && app.database.waiting() === 3,
    );
    const answer = await neighbour.get(CONTACTS);
    expect([answer.status, answer.body.data.length]).toEqual([200, 1]);
    expect((await fetch(`${app.url}/health/ready`)).status).toBe(200);
    const unknown = await fetch(app.url + CONTACTS, { headers: { api_key: 'svc_nobody_xxxxxxxxxxxxxxxx' } });
    expect(unknown.status).toBe(401);
    expect(await blocked()).toBe(4);
    await unlock();
    expect((await Promise.all(held)).map(statusOf)).toEqual(held.map(() => 200));
  });

  test('shares it among its keys: what one of them asks for next does not wait behind all of the other', async () => {
    await lock();
    const order: string[] = [];
    const ask = (who: Caller, name: string) => who.get(ACCOUNTS).then(() => order.push(name));
    const all = Array.from({ length: 9 }, () => ask(busy, 'busy'));
    await until('its share in use', () => app.database.waiting() === 5);
    all.push(ask(calm, 'calm'));
    await until('the other key waiting', () => app.database.waiting() === 6);
    await unlock();
    await Promise.all(all);
    // Four had begun before, and as many more may be on their way together with the one of the other key.
    expect(order.indexOf('calm')).toBeLessThan(8);
  });
});

describe('what nobody waits for any more', () => {
  test('ends in PostgreSQL when the caller has left, whether it had begun or not', async () => {
    await lock();
    const leaving = new AbortController();
    const { signal } = leaving;
    const headers = { api_key: busy.key };
    const gone = Array.from({ length: 6 }, () => fetch(app.url + ACCOUNTS, { headers, signal }));
    const stays = neighbour.get(ACCOUNTS);
    await until('statements', async () => (await blocked()) === 5 && app.database.waiting() === 2);
    leaving.abort();
    for (const one of gone) await expect(one).rejects.toThrow('aborted');
    await until('only that of the other caller', async () => (await blocked()) === 1);
    expect(app.database.waiting()).toBe(0);
    await unlock();
    expect(statusOf(await stays)).toBe(200);
    await until('every connection back', () => app.database.pool.idleCount === app.database.pool.totalCount);
    expect(statusOf(await busy.get(ACCOUNTS))).toBe(200);
  });

  test('ends in PostgreSQL when the query has taken too long', async () => {
    await lock();
    const answer = await busy.graphql('{ accounts { totalCount } }');
    expect([answer.status, answer.body.errors[0].extensions.code]).toEqual([504, 'query-timeout']);
    expect(answer.headers.get('retry-after')).toBe('1');
    await until('no statement', async () => (await blocked()) === 0);
  });
});
