import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import type { App } from '../../src/app.js';
import { checkReplicas } from '../../src/db/replicas/address.js';
import { Lag } from '../../src/db/replicas/lag.js';
import { createScope, type Scope } from '../../src/db/scope.js';
import type { Tenant } from '../support/seed.js';
import type {
  Answer,
  Caller,
  callerOf as CallerOf,
  createCaller as CreateCaller,
  startApp as StartApp,
} from '../support/service.js';
import { type Primary, startPrimary, startStandby, type Standby } from '../support/standby.js';
import { makeTemplate } from '../support/template.js';
import { until } from '../support/until.js';

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

/** A way to a server that can be cut: then it swallows what is sent, as a network does whose other end is gone. */
async function startLine(target: URL) {
  const sockets = new Set<Socket>();
  let { port: targetPort } = target;
  let isCut = false;
  /** Which connections are for ever without an answer: those that were there when the line was cut. */
  let age = 0;
  const server = createServer((incoming) => {
    const born = age;
    const isOpen = () => !isCut && born === age;
    const outgoing = connect(Number(targetPort), target.hostname);
    for (const socket of [incoming, outgoing]) {
      sockets.add(socket);
      socket.on('error', () => undefined).once('close', () => sockets.delete(socket));
    }
    incoming.on('data', (bytes) => isOpen() && outgoing.write(bytes)).once('close', () => outgoing.destroy());
    outgoing.on('data', (bytes) => isOpen() && incoming.write(bytes)).once('close', () => incoming.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: Object.assign(new URL(target), { hostname: '127.0.0.1', port: String(port) }).href,
    name: `127.0.0.1:${port}`,
    cut: () => {
      isCut = true;
      age += 1;
    },
    mend: () => void (isCut = false),
    /** Leads to another server from now on, and ends what is there. */
    turn: (to: URL) => {
      targetPort = to.port;
      for (const socket of sockets) socket.destroy();
    },
    close: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

describe('with a standby', () => {
  let primary: Primary;
  let standby: Standby;
  let line: Awaited<ReturnType<typeof startLine>>;
  let url: string;
  let login: Parameters<typeof checkReplicas>[1];
  let emptyUrl: string;
  /** Two processes on one database: the first one reads at the replica. */
  let app: App;
  let other: App;
  let acme: Tenant;
  let neighbour: Tenant;
  let caller: Caller;
  let neighbours: Caller & { readonly key: string };
  let callerOf: typeof CallerOf;
  let createCaller: typeof CreateCaller;
  let startApp: typeof StartApp;
  let direct: Caller;
  let rowsOnPrimary: (text: string) => Promise<unknown[]>;
  const onPrimary = async (text: string) => void (await rowsOnPrimary(text));

  beforeAll(async () => {
    primary = await startPrimary();
    await makeTemplate(primary.url, `svc_test_${randomBytes(4).toString('hex')}`);
    // What they import looks at the run's server first, whose databases are those of all tests: too much to copy.
    const { admin } = await import('../support/admin.js');
    const { createEmptyDatabase } = await import('../support/database.js');
    const { createTenant } = await import('../support/seed.js');
    const service = await import('../support/service.js');
    const { testDatabaseUrl, testLogin } = service;
    ({ callerOf, createCaller, startApp } = service);
    rowsOnPrimary = async (text) => (await admin.pool.query(text)).rows;
    url = testDatabaseUrl();
    login = testLogin();
    emptyUrl = await createEmptyDatabase();
    standby = await startStandby(primary);
    line = await startLine(new URL(standby.url(url)));
    app = await startApp({ DATABASE_REPLICA_URL: line.url, DATABASE_REPLICA_MAX_LAG_SECONDS: '1' });
    other = await startApp();
    acme = await createTenant(other, 'acme');
    neighbour = await createTenant(other, 'neighbour');
    const own = await createCaller(app, acme.organisationId);
    caller = own;
    direct = callerOf(other, own.key);
    neighbours = await createCaller(app, neighbour.organisationId);
    await acme.store('Account', [
      { platformId: 'bank', values: { name: 'Bank' } },
      { platformId: 'cash', values: { name: 'Cash', parentAccountId: 'bank' } },
    ]);
    await neighbour.store('Account', [{ platformId: 'till', values: { name: 'Till' } }]);
    await untilUsed();
  });
  afterAll(async () => {
    await app?.close();
    await other?.close();
    line?.close();
    await standby?.stop();
    await primary?.stop();
  });

  const metric = async (name: string): Promise<number> => {
    const { text } = await caller.get('/metrics');
    const found = text.split('\n').find((one) => one.startsWith(`${name} `));
    return Number(found?.split(' ')[1] ?? 0);
  };
  const outcome = (name: string) =>
    metric(`database_replica_reads_total{replica="${line.name}",outcome="${name}"}`);
  /** What `work` returns, and how many statements of it had which outcome. */
  const outcomesOf = async <Result>(work: () => Promise<Result>) => {
    const names = ['answered', 'behind', 'conflict', 'failed'] as const;
    const read = () => Promise.all(names.map(outcome));
    const before = await read();
    const result = await work();
    const after = await read();
    const counts = names.map((name, index) => [name, (after[index] ?? 0) - (before[index] ?? 0)] as const);
    return { result, outcomes: Object.fromEntries(counts.filter(([, count]) => count > 0)) };
  };
  const isUsed = () => metric(`database_replica_used{replica="${line.name}"}`);
  const untilUsed = () => until('the replica to be used', isUsed);
  const untilLeftOut = () => until('the replica to be left out', async () => (await isUsed()) === 0);
  const names = async (from: Caller, path = '/v3/accounting/accounts'): Promise<string[]> => {
    const { status, body } = await from.get(path);
    expect(status).toBe(200);
    return (body.data as { name: string }[]).map(({ name }) => name).sort();
  };
  const IN_RECOVERY = 'SELECT CASE WHEN pg_is_in_recovery() THEN pg_sleep(600) END IS NULL AS done';
  /** A statement that never ends at a standby, and at once at the primary. */
  const standing = (of: App, scope: Scope, ending?: AbortSignal, rest = 'FROM change_heads h') => {
    const sql = of.database.lists(scope, ending);
    return sql.rows<{ done: boolean }>(
      sql.query(),
      `${IN_RECOVERY} ${rest} WHERE h.svc_organisation_id = $1`,
    );
  };
  const standingThere = () =>
    standby.query<{ pid: number }>(
      `SELECT pid FROM pg_stat_activity WHERE state = 'active' AND query LIKE '${IN_RECOVERY}%'`,
    );
  const ready = async () => (await caller.get('/health/ready')).body;

  test('lists, relations, counts and records of both styles are read there, and are those of the primary', async () => {
    const query = `{ accounts(first: 5) { totalCount changePosition nodes { name parentAccount { name } } }
      companies { nodes { name accounts(first: 5) { totalCount nodes { name company { name } } } } } }`;
    const lists = (from: Caller) =>
      Promise.all([
        from.get('/v3/accounting/accounts?return_count=true&return_position=true'),
        from.post('/accounting/accounts/all', { company_id: acme.companyId, take: 10, skip: 0 }),
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
    await standby.pause();
    await acme.store('Account', [{ platformId: 'new', values: { name: 'New' } }]);
    const { result, outcomes } = await outcomesOf(() => names(caller));
    expect(result).toEqual(['Bank', 'Cash', 'New']);
    expect(Object.keys(outcomes)).toEqual(['behind']);
    const apart = await outcomesOf(() => names(neighbours));
    expect([apart.result, Object.keys(apart.outcomes)]).toEqual([['Till'], ['answered']]);
    await standby.resume();
    await until('the list to be read there again', async () => {
      const again = await outcomesOf(() => names(caller));
      expect(again.result).toEqual(['Bank', 'Cash', 'New']);
      return again.outcomes['answered'];
    });
  });

  test('a company that was removed is gone at once', async () => {
    const gone = await acme.company('gone');
    await gone.store('Account', [{ platformId: 'left', values: { name: 'Left' } }]);
    await untilUsed();
    await standby.pause();
    const removed = await direct.remove(`/v3/core/companies/${gone.companyId}`);
    expect(removed.status).toBe(200);
    expect(await names(caller)).toEqual(['Bank', 'Cash', 'New']);
    await standby.resume();
    await untilUsed();
  });

  test('a position that the request names is waited for nowhere: what is not there is read at the primary', async () => {
    const { headers } = await caller.get('/v3/accounting/accounts?return_position=true');
    const position = Number(headers.get('x-svc-change-position'));
    const named = (value: string) =>
      caller.post(
        '/accounting/accounts/all',
        { company_id: acme.companyId, take: 10, skip: 0 },
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
    expect(result.map(({ name }) => name)).toEqual(['Bank', 'Cash', 'New']);
    expect(outcomes).toEqual({ answered: 1 });
    const write = sql.query();
    await expect(
      sql.rows(write, `UPDATE accounts t SET name = 'x' WHERE t.svc_organisation_id = $1`),
    ).rejects.toMatchObject({ code: 'service-unavailable', cause: { code: '25006' } });
    await expect(sql.transaction(async () => undefined)).rejects.toThrow('no transaction can begin here');
  });

  test('a key that is limited to companies reads only those there', async () => {
    const apart = await acme.company('apart');
    await apart.store('Account', [{ platformId: 'own', values: { name: 'Own' } }]);
    const limited = await createCaller(app, acme.organisationId, { companyIds: [apart.companyId] });
    const sql = app.database.lists(createScope(acme.organisationId, [apart.companyId]));
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
    const sql = app.database.lists(acme.scope, ending.signal);
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
    expect(await running()).toBe(0);
  });

  test('a statement that replaying the log ends is repeated at the primary', async () => {
    const { result, outcomes } = await outcomesOf(async () => {
      const rest = 'FROM sync_marks t RIGHT JOIN change_heads h ON true';
      const rows = standing(app, acme.scope, undefined, rest);
      await until('the statement to run there', async () => (await standingThere()).length);
      await onPrimary('BEGIN; LOCK TABLE sync_marks IN ACCESS EXCLUSIVE MODE; COMMIT');
      return rows;
    });
    expect([result, outcomes]).toEqual([[{ done: true }], { conflict: 1 }]);
  });

  test('a statement that an operator ends there is repeated at the primary', async () => {
    const { result, outcomes } = await outcomesOf(async () => {
      const rows = standing(app, acme.scope);
      await until('the statement to run there', async () => (await standingThere()).length);
      for (const { pid } of await standingThere()) await standby.query(`SELECT pg_cancel_backend(${pid})`);
      return rows;
    });
    expect([result, outcomes]).toEqual([[{ done: true }], { failed: 1 }]);
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
      (await rowsOnPrimary(`SELECT FROM pg_stat_activity WHERE wait_event = 'SyncRep'`)).length > 0;
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
      begun.push(neighbour.store('Account', [{ platformId: 'hidden', values: { name: 'Hidden' } }]));
      await until('the record to be there', async () => {
        const there = await standby.query(`SELECT FROM accounts WHERE name = 'Hidden'`, url);
        return there.length;
      });
      const { result, outcomes } = await outcomesOf(() => names(neighbours));
      expect([result, outcomes]).toEqual([['Till'], { behind: 1 }]);
    } finally {
      await wait('');
      await Promise.all(begun);
    }
    expect(await names(neighbours)).toEqual(['Hidden', 'Till']);
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
      expect(await names(callerOf(busy, neighbours.key))).toEqual(['Hidden', 'Till']);
      ending.abort();
      await both;
    } finally {
      await busy.close();
    }
  });

  test('one that lags is left out, shown so, and used again when it has caught up', async () => {
    await untilUsed();
    await standby.pause();
    await acme.store('Account', [{ platformId: 'late', values: { name: 'Late' } }]);
    await untilLeftOut();
    expect(await metric(`database_replica_lag_seconds{replica="${line.name}"}`)).toBeGreaterThan(1);
    expect(await ready()).toEqual({ status: 'ok', replicas: { used: 0, all: 1 } });
    const { result, outcomes } = await outcomesOf(() => names(neighbours));
    expect([result, outcomes]).toEqual([['Hidden', 'Till'], {}]);
    await standby.resume();
    await untilUsed();
  });

  test('one that stands still holds nobody up for long, nor what was asked of it when it is back', async () => {
    await untilUsed();
    // Over connections that are there already, and all that there may be.
    const many = Promise.all(
      Array.from({ length: 20 }, (_, index) => standing(app, (index % 2 ? acme : neighbour).scope)),
    );
    await until('statements to run there', async () => (await standingThere()).length >= 9);
    line.cut();
    expect(await names(neighbours)).toEqual(['Hidden', 'Till']);
    expect(new Set((await many).map(([row]) => row?.done))).toEqual(new Set([true]));
    await untilLeftOut();
    line.mend();
    await untilUsed();
    const { result, outcomes } = await outcomesOf(() => names(neighbours));
    expect([result, Object.keys(outcomes)]).toEqual([['Hidden', 'Till'], ['answered']]);
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
    expect([...answered]).toEqual(['Hidden,Till']);
  });

  test('an address of another database is refused, one that does not answer or lets nobody in is not', async () => {
    const elsewhere = standby.url(emptyUrl);
    await expect(checkReplicas([line.url, elsewhere], login)).rejects.toMatchObject({
      code: 'invalid-params',
      message: expect.stringMatching(
        /^DATABASE_REPLICA_URL: 127\.0\.0\.1:\d+ is not a standby of the database/,
      ),
    });
    const dead = Object.assign(new URL(url), { port: '1' }).href;
    await checkReplicas([dead, standby.url(`${url}_missing`), line.url, url], login);
  });

  test('one that is promoted is left out, and then the one that does not follow it', async () => {
    const toPrimary = await startLine(new URL(url));
    const parted = await startStandby(primary);
    const settings = { DATABASE_REPLICA_URL: parted.url(url), DATABASE_REPLICA_MAX_LAG_SECONDS: '3600' };
    const after = await startApp({ ...settings, DATABASE_URL: toPrimary.url });
    const reader = callerOf(after, neighbours.key);
    const metrics = async () =>
      (await reader.get('/metrics')).text
        .split('\n')
        .filter((one) => one.includes(new URL(parted.url(url)).host))
        .join('\n');
    try {
      await until('the replica to be used', async () => /^database_replica_used.* 1$/m.test(await metrics()));
      await untilUsed();
      await standby.query('SELECT pg_promote()');
      const { result, outcomes } = await outcomesOf(() => names(neighbours));
      expect(result).toEqual(['Hidden', 'Till']);
      expect(outcomes['answered']).toBeUndefined();
      await untilLeftOut();
      // What the new primary has not got when the old one is lost.
      await neighbour.store('Account', [{ platformId: 'lost', values: { name: 'Lost' } }]);
      await until('the record to be there', async () => {
        const there = await parted.query(`SELECT FROM accounts WHERE name = 'Lost'`, url);
        return there.length;
      });
      await primary.stop();
      await standby.query(
        `UPDATE accounts SET name = 'Kept' WHERE platform_id = 'hidden';
         UPDATE change_heads SET position = position + 1 WHERE svc_organisation_id = ${neighbour.organisationId}`,
        url,
      );
      await standby.query('SELECT pg_switch_wal()');
      await standby.query('CREATE TABLE beyond (); DROP TABLE beyond');
      toPrimary.turn(new URL(standby.url(url)));
      const shown = new Set<string>();
      await until('the replica to be compared with the new primary', async () => {
        const { status, body } = await reader.get('/v3/accounting/accounts');
        if (status !== 200) return false;
        shown.add(
          (body.data as { name: string }[])
            .map(({ name }) => name)
            .sort()
            .join(),
        );
        const found = await metrics();
        return /^database_replica_used.* 0$/m.test(found) && found.includes('lag_seconds');
      });
      expect([...shown]).toEqual(['Kept,Till']);
    } finally {
      await after.close();
      toPrimary.close();
      await parted.stop();
    }
  });
});
