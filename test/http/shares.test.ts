import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type pg from 'pg';
import type { App } from '../../src/app.js';
import { admin } from '../support/admin.js';
import { createTenant, type Tenant } from '../support/seed.js';
import { type Answer, type Caller, callerOf, createCaller, startApp } from '../support/service.js';
import { until } from '../support/until.js';

const ACCOUNTS = '/v3/accounting/accounts';
const CONTACTS = '/v3/accounting/contacts';
const TAX_RATES = '/v3/accounting/tax_rates';

let app: App;
let acme: Tenant;
let busy: Caller & { readonly key: string };
let calm: Caller;
let neighbour: Caller;
/** Each holds a table that statements wait for. */
const blockers = new Map<string, pg.PoolClient>();

beforeAll(async () => {
  // Four for one organisation, one more for others, and one for finding keys.
  app = await startApp({ POOL_SIZE: '6', LIMIT_QUERY_MILLISECONDS: '60000' });
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
afterEach(() => unlock(...blockers.keys()));
afterAll(() => app.close());

async function lock(...tables: readonly string[]): Promise<void> {
  for (const table of tables) {
    const blocker = await admin.pool.connect();
    blockers.set(table, blocker);
    await blocker.query('BEGIN');
    await blocker.query(`LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`);
  }
}

async function unlock(...tables: readonly string[]): Promise<void> {
  for (const table of tables) {
    const blocker = blockers.get(table);
    blockers.delete(table);
    await blocker?.query('ROLLBACK');
    blocker?.release();
  }
}

/** Statements of the app that wait for a lock. */
async function blocked(): Promise<number> {
  const { rowCount } = await admin.pool.query(
    `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'
       AND query ~ 'FROM (accounts|contacts)'`,
  );
  return rowCount ?? 0;
}

const statusOf = ({ status }: Answer) => status;

describe('an organisation that holds all its share', () => {
  test('leaves another one answered, and readiness and unknown keys too', async () => {
    await lock('accounts');
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
    await unlock('accounts');
    expect((await Promise.all(held)).map(statusOf)).toEqual(held.map(() => 200));
  });

  test('shares it among its keys: what one of them asks for next does not wait behind all of the other', async () => {
    await lock('contacts', 'accounts');
    const ask = (path: string, count: number) => Array.from({ length: count }, () => busy.get(path));
    const first = ask(CONTACTS, 2);
    await until('half of its share in use', async () => (await blocked()) === 2);
    const others = ask(ACCOUNTS, 7);
    await until('its share in use', async () => (await blocked()) === 4 && app.database.waiting() === 5);
    const asked = calm.get(TAX_RATES);
    await until('the other key waiting', () => app.database.waiting() === 6);
    // Two places are free now: one may be for the next of the busy key, which does not end.
    await unlock('contacts');
    expect(statusOf(await asked)).toBe(200);
    expect(await blocked()).toBeGreaterThanOrEqual(2);
    await unlock('accounts');
    expect((await Promise.all([...first, ...others])).map(statusOf)).toEqual(
      Array.from({ length: 9 }, () => 200),
    );
  });
});

describe('what nobody waits for any more', () => {
  test('ends in PostgreSQL when the caller has left, whether it had begun or not', async () => {
    await lock('accounts');
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
    await unlock('accounts');
    expect(statusOf(await stays)).toBe(200);
    await until('every connection back', () => app.database.pool.idleCount === app.database.pool.totalCount);
    expect(statusOf(await busy.get(ACCOUNTS))).toBe(200);
  });

  test('ends in PostgreSQL when the query has taken too long', async () => {
    const hasty = await startApp({ LIMIT_QUERY_MILLISECONDS: '1000' });
    await lock('accounts');
    const answer = await callerOf(hasty, busy.key).graphql('{ accounts { totalCount } }');
    expect([answer.status, answer.body.errors[0].extensions.code]).toEqual([504, 'query-timeout']);
    expect(answer.headers.get('retry-after')).toBe('1');
    await until('no statement', async () => (await blocked()) === 0);
    await hasty.close();
  });
});
