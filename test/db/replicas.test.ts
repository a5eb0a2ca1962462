import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { checkReplicas } from '../../src/db/replicas/address.js';
import { Lag } from '../../src/db/replicas/lag.js';
import { createScope } from '../../src/db/scope.js';
import { MAX_LAG_SECONDS, startReplicated } from '../support/replicated.js';
import type { Answer, Caller } from '../support/service.js';
import { until } from '../support/until.js';

const replicated = await startReplicated();
const { app, other, standby, line, url, makeReader, onPrimary } = replicated;
const { outcomesOf, metric, untilUsed, untilLeftOut, names, standing, startStanding, standingThere } =
  replicated;
const { callerOf, createCaller, startApp } = replicated.service;
afterAll(() => replicated.stop());

/** What no test changes: books with two accounts, and a neighbour's with one. */
const { tenant: acme, caller } = await makeReader('acme');
await acme.store('Account', [{ platformId: 'cash', values: { name: 'Cash', parentAccountId: 'till' } }]);
const { tenant: neighbour, caller: neighbours } = await makeReader('neighbour');
const direct = callerOf(other, caller.key);
const ready = async () => (await caller.get('/health/ready')).body;

describe('Lag', () => {
  const at = (seconds: number, lsn: bigint) => ({ at: seconds * 1000, lsn });

  test('tells how long ago the primary was where a standby is', () => {
    const lag = new Lag();
    expect(lag.secondsOf(5n, 0)).toBeNull();
    for (const second of [1, 2, 3]) lag.note(at(second, BigInt(10 * second)));
    expect([5n, 10n, 25n, 30n].map((lsn) => lag.secondsOf(lsn, 4000))).toEqual([3, 2, 1, 0]);
  });

  test('does not grow while the primary is at rest', () => {
    const lag = new Lag();
    for (let second = 0; second < 60; second += 1) lag.note(at(second, 10n));
    expect(lag.secondsOf(10n, 60_000)).toBe(0);
  });

  test('forgets what a primary had written that another one has replaced', () => {
    const lag = new Lag();
    for (const second of [1, 2, 3]) lag.note(at(second, BigInt(10 * second)));
    lag.note(at(4, 15n));
    expect([lag.secondsOf(15n, 9000), lag.isAhead(15n), lag.isAhead(16n)]).toEqual([0, false, true]);
  });
});

/** What is another in each answer. */
const OF_REQUEST = ['request_id', 'request_timestamp', 'response_timestamp'];

describe('with a standby', () => {
  beforeEach(untilUsed);

  test('lists, relations, counts and records of both styles are read there, and are those of the primary', async () => {
    const query = `{ accounts(first: 5) { totalCount changePosition nodes { name parentAccount { name } } }
      companies { nodes { name accounts(first: 5) { totalCount nodes { name company { name } } } } } }`;
    const lists = (from: Caller) =>
      Promise.all([
        from.get('/v3/accounting/accounts?return_count=true&return_position=true'),
        from.post('/accounting/accounts/all', {
          filter: { svc_company_id: { eq: acme.companyId } },
          take: 10,
          skip: 0,
        }),
        from.graphql(query),
      ]);
    const { result, outcomes } = await outcomesOf(() => lists(caller));
    expect(Object.keys(outcomes)).toEqual(['answered']);
    const expected = await lists(direct);
    expect(expected.map(({ status }) => status)).toEqual([200, 200, 200]);
    const shown = ({ body }: Answer): unknown => ({
      ...body,
      ...Object.fromEntries(OF_REQUEST.map((name) => [name, null])),
    });
    expect(result.map(shown)).toEqual(expected.map(shown));
    expect(await ready()).toEqual({ status: 'ok', replicas: { used: 1, all: 1 } });
  });

  test('what another process has stored is shown at once, and only its organisation is read elsewhere', async () => {
    const { tenant, caller: owner } = await makeReader('writer');
    await standby.pause();
    await tenant.store('Account', [{ platformId: 'new', values: { name: 'New' } }]);
    const { result, outcomes } = await outcomesOf(() => names(owner));
    expect(result).toEqual(['New', 'Till']);
    expect(Object.keys(outcomes)).toEqual(['behind']);
    const apart = await outcomesOf(() => names(neighbours));
    expect([apart.result, Object.keys(apart.outcomes)]).toEqual([['Till'], ['answered']]);
    await standby.resume();
    await until('the list to be read there again', async () => {
      const again = await outcomesOf(() => names(owner));
      expect(again.result).toEqual(['New', 'Till']);
      return again.outcomes['answered'];
    });
  });

  test('a company that was removed is gone at once', async () => {
    const { tenant, caller: owner } = await makeReader('remover');
    const gone = await tenant.company('gone');
    await gone.store('Account', [{ platformId: 'left', values: { name: 'Left' } }]);
    await untilUsed();
    await standby.pause();
    const removed = await callerOf(other, owner.key).remove(`/v3/core/companies/${gone.companyId}`);
    expect(removed.status).toBe(200);
    expect(await names(owner)).toEqual(['Till']);
    await standby.resume();
    await untilUsed();
  });

  test('a position that the request names is waited for nowhere: what is not there is read at the primary', async () => {
    const { headers } = await caller.get('/v3/accounting/accounts?return_position=true');
    const position = Number(headers.get('x-svc-change-position'));
    const named = (value: string) =>
      caller.post(
        '/accounting/accounts/all',
        {
          filter: { svc_company_id: { eq: acme.companyId } },
          take: 10,
          skip: 0,
        },
        {
          'x-svc-change-position': value,
        },
      );
    const there = await outcomesOf(() => named(String(position)));
    expect([there.result.status, Object.keys(there.outcomes)]).toEqual([200, ['answered']]);
    const beyond = await outcomesOf(() => named(String(position + 1)));
    expect([beyond.result.status, Object.keys(beyond.outcomes)]).toEqual([200, ['behind']]);
    expect(beyond.result.body.data).toEqual(there.result.body.data);
    const wrong = await named('soon');
    expect([wrong.status, wrong.body.error.field]).toEqual([400, 'x-svc-change-position']);
  });

  test('row-level security holds there, a statement that writes is refused, and both say so as at the primary', async () => {
    const sql = app.database.lists(acme.scope);
    const all = sql.query();
    const { result, outcomes } = await outcomesOf(() =>
      sql.rows<{ name: string }>(
        all,
        'SELECT t.name FROM accounts t WHERE t.svc_organisation_id = $1 OR true ORDER BY 1',
      ),
    );
    expect(result.map(({ name }) => name)).toEqual(['Cash', 'Till']);
    expect(outcomes).toEqual({ answered: 1 });
    const write = sql.query();
    await expect(
      sql.rows(write, `UPDATE accounts t SET name = 'x' WHERE t.svc_organisation_id = $1`),
    ).rejects.toMatchObject({ code: 'service-unavailable', cause: { code: '25006' } });
    await expect(sql.transaction(async () => undefined)).rejects.toThrow('no transaction can begin here');
  });

  test('a key that is limited to companies reads only those there', async () => {
    const { organisationId, ...tenant } = (await makeReader('limited')).tenant;
    const apart = await tenant.company('apart');
    await apart.store('Account', [{ platformId: 'own', values: { name: 'Own' } }]);
    const limited = await createCaller(app, organisationId, { companyIds: [apart.companyId] });
    const sql = app.database.lists(createScope(organisationId, [apart.companyId]));
    await until('what was stored to be there', async () => {
      const { result, outcomes } = await outcomesOf(() => names(limited));
      expect(result).toEqual(['Own']);
      return outcomes['answered'];
    });
    const { result, outcomes } = await outcomesOf(() =>
      sql.rows<{ name: string }>(
        sql.query(),
        'SELECT t.name FROM accounts t WHERE t.svc_organisation_id = $1 OR true',
      ),
    );
    expect([result, outcomes]).toEqual([[{ name: 'Own' }], { answered: 1 }]);
  });

  test('a statement that nobody waits for ends there', async () => {
    const ending = new AbortController();
    const sql = app.database.lists(acme.scope, { ending: ending.signal });
    const query = sql.query();
    const text = 'SELECT pg_sleep(600) FROM change_heads h WHERE h.svc_organisation_id = $1';
    const failed = expect(sql.rows(query, text)).rejects.toMatchObject({
      code: 'query-timeout',
      cause: { message: 'canceling statement due to user request' },
    });
    const running = async () =>
      (
        await standby.query(
          `SELECT FROM pg_stat_activity WHERE state = 'active' AND query LIKE 'SELECT pg_sleep(600)%'`,
        )
      ).length;
    await until('the statement to run there', running);
    ending.abort();
    await failed;
    // Its error is sent before it says that it has ended.
    await until('the statement to end there', async () => (await running()) === 0);
  });

  test('all of those sent together fail where one takes too long', async () => {
    const brief = await startApp({
      DATABASE_REPLICA_URL: line.url,
      LIMIT_STATEMENT_MILLISECONDS: '3000',
    });
    try {
      const sql = brief.database.lists(acme.scope).inOneWrite();
      const read = (what: string) => {
        const query = sql.query();
        return sql.rows(query, `SELECT ${what} FROM change_heads h WHERE h.svc_organisation_id = $1`);
      };
      const timeout = { status: 'rejected', reason: { code: 'query-timeout' } };
      expect(await Promise.allSettled([read('pg_sleep(600)'), read('1')])).toMatchObject([timeout, timeout]);
    } finally {
      await brief.close();
    }
  });

  test('a statement that replaying the log ends is repeated at the primary', async () => {
    const { rows } = await startStanding(acme.scope, 'FROM sync_marks t RIGHT JOIN change_heads h ON true');
    const { result, outcomes } = await outcomesOf(async () => {
      await onPrimary('BEGIN; LOCK TABLE sync_marks IN ACCESS EXCLUSIVE MODE; COMMIT');
      return rows;
    });
    expect([result, outcomes]).toEqual([[{ done: true }], { conflict: 1 }]);
  });

  test('a statement that an operator ends there is repeated at the primary', async () => {
    const { rows } = await startStanding(acme.scope);
    const { result, outcomes } = await outcomesOf(async () => {
      for (const { pid } of await standingThere()) await standby.query(`SELECT pg_cancel_backend(${pid})`);
      return rows;
    });
    expect([result, outcomes]).toEqual([[{ done: true }], { failed: 1 }]);
  });

  test('a new connection to a primary that is the same interrupts no statement there', async () => {
    const checks = `FROM pg_stat_activity WHERE query LIKE '%pg_current_wal_flush_lsn%' AND pid <> pg_backend_pid()`;
    const { rows } = await startStanding(acme.scope);
    const { outcomes } = await outcomesOf(async () => {
      const pids = async (text: string) => (await onPrimary<{ pid: number }>(text)).map(({ pid }) => pid);
      const ended = await pids(`SELECT pid, pg_terminate_backend(pid) ${checks}`);
      await until('a new connection', async () =>
        (await pids(`SELECT pid ${checks}`)).some((pid) => !ended.includes(pid)),
      );
      await untilUsed();
    });
    expect(outcomes).toEqual({});
    for (const { pid } of await standingThere()) await standby.query(`SELECT pg_cancel_backend(${pid})`);
    expect(await rows).toEqual([{ done: true }]);
  });

  test('a lock that is not replayed to its end holds nobody up for long', async () => {
    const locker = new pg.Client({ connectionString: url });
    await locker.connect();
    try {
      await locker.query('BEGIN; LOCK TABLE accounts IN ACCESS EXCLUSIVE MODE');
      // What follows takes the log of it along.
      await onPrimary('CREATE TABLE along (); DROP TABLE along');
      await until('the lock to be there', async () => {
        const held = await standby.query(
          `SELECT FROM pg_locks WHERE mode = 'AccessExclusiveLock' AND relation = 'accounts'::regclass`,
          url,
        );
        return held.length;
      });
      await standby.pause();
    } finally {
      await locker.query('COMMIT');
      await locker.end();
    }
    const { result, outcomes } = await outcomesOf(() => names(neighbours));
    expect([result, outcomes]).toEqual([['Till'], { failed: 1 }]);
    await standby.resume();
    await untilUsed();
  });

  test('what the primary does not show yet is not shown', async () => {
    const wait = async (standbys: string) => {
      await onPrimary(`ALTER SYSTEM SET synchronous_standby_names = '${standbys}'`);
      await onPrimary('SELECT pg_reload_conf()');
    };
    const waiting = async () =>
      (await onPrimary(`SELECT FROM pg_stat_activity WHERE wait_event = 'SyncRep'`)).length > 0;
    const { tenant, caller: owner } = await makeReader('hiding');
    // The first use of a key is noted, which would be a commit that waits.
    expect(await names(owner)).toEqual(['Till']);
    const begun: Promise<unknown>[] = [];
    /** Whether one of no rows waits: a server takes settings when it gets to it. */
    const commitWaits = async () => {
      let isOver = false;
      begun.push(
        onPrimary(`SELECT pg_logical_emit_message(true, 'test', '')`).then(() => void (isOver = true)),
      );
      await until('a commit to end or to wait', async () => isOver || waiting());
      return !isOver;
    };
    await untilUsed();
    try {
      await wait('nobody');
      await until('commits to wait', commitWaits);
      begun.push(tenant.store('Account', [{ platformId: 'hidden', values: { name: 'Hidden' } }]));
      await until('the record to be there', async () => {
        const there = await standby.query(`SELECT FROM accounts WHERE name = 'Hidden'`, url);
        return there.length;
      });
      const { result, outcomes } = await outcomesOf(() => names(owner));
      expect([result, outcomes]).toEqual([['Till'], { behind: 1 }]);
    } finally {
      await wait('');
      await Promise.all(begun);
    }
    expect(await names(owner)).toEqual(['Hidden', 'Till']);
  });

  test('the share of a caller at a replica that is in use is no refusal', async () => {
    const dead = Object.assign(new URL(url), { port: '1' }).href;
    const busy = await startApp({
      DATABASE_REPLICA_URL: `${dead}, ${line.url}`,
      POOL_SIZE: '2',
      LIMIT_WAITING_STATEMENTS: '2',
    });
    try {
      expect(busy.database.replicas?.counts).toEqual({ used: 1, all: 2 });
      const ending = new AbortController();
      // One runs and one waits, and more may not.
      const both = Promise.allSettled([1, 2].map(() => standing(busy, neighbour.scope, ending.signal)));
      await until('the statement to run there', async () => (await standingThere()).length);
      expect(await names(callerOf(busy, neighbours.key))).toEqual(['Till']);
      ending.abort();
      await both;
    } finally {
      await busy.close();
    }
  });

  test('one that lags is left out, shown so, and used again when it has caught up', async () => {
    const { tenant } = await makeReader('late');
    await standby.pause();
    await tenant.store('Account', [{ platformId: 'late', values: { name: 'Late' } }]);
    await untilLeftOut();
    expect(await metric(`database_replica_lag_seconds{replica="${line.name}"}`)).toBeGreaterThan(
      MAX_LAG_SECONDS,
    );
    expect(await ready()).toEqual({ status: 'ok', replicas: { used: 0, all: 1 } });
    const { result, outcomes } = await outcomesOf(() => names(neighbours));
    expect([result, outcomes]).toEqual([['Till'], {}]);
    await standby.resume();
    await untilUsed();
  });

  test('one that stands still holds nobody up for long, nor what was asked of it when it is back', async () => {
    // Over connections that are there already, and all that there may be.
    const many = Promise.all(
      Array.from({ length: 20 }, (_, index) => standing(app, (index % 2 ? acme : neighbour).scope)),
    );
    await until('statements to run there', async () => (await standingThere()).length >= 9);
    line.cut();
    expect(await names(neighbours)).toEqual(['Till']);
    expect(new Set((await many).map(([row]) => row?.done))).toEqual(new Set([true]));
    await untilLeftOut();
    line.mend();
    await untilUsed();
    const { result, outcomes } = await outcomesOf(() => names(neighbours));
    expect([result, Object.keys(outcomes)]).toEqual([['Till'], ['answered']]);
  });

  test('one that dies under load fails no request', async () => {
    let isOver = false;
    const answered = new Set<string>();
    const load = Array.from({ length: 4 }, async () => {
      while (!isOver) answered.add(String(await names(neighbours)));
    });
    await until('the load to begin', () => answered.size);
    await standby.crash();
    await untilLeftOut();
    await standby.start();
    await untilUsed();
    isOver = true;
    await Promise.all(load);
    expect([...answered]).toEqual(['Till']);
  });

  test('an address of another database is refused, one that does not answer or lets nobody in is not', async () => {
    const elsewhere = standby.url(replicated.emptyUrl);
    await expect(checkReplicas([line.url, elsewhere], replicated.login)).rejects.toMatchObject({
      code: 'invalid-params',
      message: expect.stringMatching(
        /^DATABASE_REPLICA_URL: 127\.0\.0\.1:\d+ is not a standby of the database/,
      ),
    });
    const dead = Object.assign(new URL(url), { port: '1' }).href;
    await checkReplicas([dead, standby.url(`${url}_missing`), line.url, url], replicated.login);
  });
});
