import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { expect } from '@jest/globals';
import type { Scope } from '../../src/db/scope.js';
import type { App } from '../../src/app.js';
import type { Tenant } from './seed.js';
import type { Caller } from './service.js';
import { startPrimary, startStandby } from './standby.js';
import { makeTemplate } from './template.js';
import { TIME_FACTOR } from './time-factor.js';
import { until } from './until.js';

/** A proxy to a server that can be cut: it then drops everything sent, like a network whose other end is gone. */
export async function startLine(target: URL) {
  const sockets = new Set<Socket>();
  let { port: targetPort } = target;
  let isCut = false;
  /** Incremented by each cut: connections opened before it never get another response. */
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
    /** Forwards to another server from now on, and closes existing connections. */
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

/** A replica that lags more is skipped; long, so that no test that reads there depends on the speed of the machine. */
export const MAX_LAG_SECONDS = Math.ceil(4 * TIME_FACTOR);

/** An organisation with a single account called Till, and a caller that reads from the replica. */
export interface Reader {
  readonly tenant: Tenant;
  readonly caller: Caller & { readonly key: string };
}

/**
 * Two apps on a separate database with a standby: `app` reads from the replica through a line that can be cut; `other`
 * does not.
 */
export async function startReplicated() {
  const primary = await startPrimary();
  await makeTemplate(primary.url, `svc_test_${randomBytes(4).toString('hex')}`, [primary.url], 'svc');
  // Imported late: these modules connect to the run's server, whose databases are those of all tests, too many to copy.
  const { admin } = await import('./admin.js');
  const { createEmptyDatabase } = await import('./database.js');
  const { createTenant } = await import('./seed.js');
  const service = await import('./service.js');
  const { createCaller, startApp } = service;
  const url = service.testDatabaseUrl();
  const emptyUrl = await createEmptyDatabase();
  const standby = await startStandby(primary);
  const line = await startLine(new URL(standby.url(url)));
  const app = await startApp({
    DATABASE_REPLICA_URL: line.url,
    DATABASE_REPLICA_MAX_LAG_SECONDS: String(MAX_LAG_SECONDS),
  });
  const other = await startApp();
  const makeReader = async (name: string): Promise<Reader> => {
    const tenant = await createTenant(other, name);
    await tenant.store('Account', [{ platformId: 'till', values: { name: 'Till' } }]);
    return { tenant, caller: await createCaller(app, tenant.organisationId) };
  };
  const { caller: reader } = await makeReader('metrics');

  const metric = async (name: string): Promise<number> => {
    const { text } = await reader.get('/metrics');
    const found = text.split('\n').find((one) => one.startsWith(`${name} `));
    return Number(found?.split(' ')[1] ?? 0);
  };
  const outcome = (name: string) =>
    metric(`database_replica_reads_total{replica="${line.name}",outcome="${name}"}`);
  /** The result of `work`, and the number of its replica reads by outcome. */
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
  /** A statement that hangs on a standby and ends immediately on the primary. */
  const standing = (of: App, scope: Scope, ending?: AbortSignal, rest = 'FROM change_heads h') => {
    const sql = of.database.lists(scope, { ending });
    return sql.rows<{ done: boolean }>(
      sql.query(),
      `${IN_RECOVERY} ${rest} WHERE h.svc_organisation_id = $1`,
    );
  };
  const standingThere = () =>
    standby.query<{ pid: number }>(
      `SELECT pid FROM pg_stat_activity WHERE state = 'active' AND query LIKE '${IN_RECOVERY}%'`,
    );
  /** The rows of such a statement, once it runs on the standby: on a busy machine the replica may be skipped for a moment. */
  const startStanding = async (scope: Scope, rest?: string) => {
    let rows: ReturnType<typeof standing> | null = null;
    await until('the statement to run there', async () => {
      rows ??= standing(app, scope, undefined, rest).finally(() => (rows = null));
      return (await standingThere()).length;
    });
    if (rows === null) throw new Error('the statement has ended by itself');
    return { rows: rows as ReturnType<typeof standing> };
  };

  await untilUsed();
  return {
    service,
    primary,
    standby,
    line,
    url,
    emptyUrl,
    login: service.testLogin(),
    app,
    other,
    makeReader,
    onPrimary: async <Row extends object = object>(text: string): Promise<Row[]> =>
      (await admin.pool.query<Row>(text)).rows,
    metric,
    outcomesOf,
    untilUsed,
    untilLeftOut,
    names,
    standing,
    startStanding,
    standingThere,
    stop: async () => {
      await app.close();
      await other.close();
      line.close();
      await standby.stop();
      await primary.stop();
    },
  };
}
