import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Connections } from '../../src/db/pool/connections.js';
import { createPool } from '../../src/db/pool/pool.js';
import { organisationScope } from '../../src/db/scope.js';
import { admin } from '../support/admin.js';
import { testDatabaseUrl, testLogin } from '../support/service.js';
import { until } from '../support/until.js';

/** What a cancel request begins with, after its length. */
const CANCEL = 80_877_102;
const SCOPE = organisationScope(1);

let proxy: Server;
let connections: Connections;
/** Passes on the requests that are held. */
let passOn: (() => void)[] = [];
let isHeld = false;

/** A way to the database on which requests to cancel may take their time. */
beforeAll(async () => {
  const target = new URL(testDatabaseUrl());
  const { hostname, port } = target;
  proxy = createServer((incoming) => {
    incoming.once('data', (first: Buffer) => {
      const start = () => {
        const outgoing = connect(Number(port), hostname);
        for (const socket of [incoming, outgoing]) socket.on('error', () => undefined);
        outgoing.write(first);
        incoming.pipe(outgoing).pipe(incoming);
      };
      if (isHeld && first.readInt32BE(4) === CANCEL) {
        incoming.pause();
        passOn.push(start);
      } else start();
    });
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  target.host = `127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  const pool = createPool({
    login: testLogin(target.href),
    size: 1,
    statementMilliseconds: 20_000,
    onError: () => undefined,
  });
  connections = new Connections(pool, null);
});
afterAll(async () => {
  await connections.pool.end();
  proxy.close();
});

const ask = (text: string, ending?: AbortSignal) => connections.query({ text }, SCOPE, ending);
const running = async (text: string) => {
  const { rowCount } = await admin.pool.query(
    `SELECT FROM pg_stat_activity WHERE state = 'active' AND query = $1`,
    [text],
  );
  return rowCount === 1;
};

test('a statement that nobody waits for ends, and its connection is used again', async () => {
  const ending = new AbortController();
  const text = 'SELECT pg_sleep(15), 1';
  const failed = expect(ask(text, ending.signal)).rejects.toMatchObject({ code: 'query-timeout' });
  await until('the statement', () => running(text));
  ending.abort();
  await failed;
  const { rows } = await ask('SELECT 2 AS two');
  expect(rows).toEqual([{ two: 2 }]);
  expect(connections.pool.totalCount).toBe(1);
});

test('nothing else runs on a connection that a cancel is on its way to', async () => {
  isHeld = true;
  const ending = new AbortController();
  const lock = 'SELECT pg_advisory_lock(7)';
  const holder = await admin.pool.connect();
  await holder.query(lock);
  const waiting = 'SELECT pg_advisory_xact_lock(7)';
  const first = ask(waiting, ending.signal);
  await until('the statement', () => running(waiting));
  ending.abort();
  await until('the cancel', () => passOn.length === 1);
  // It ends by itself before the cancel has come.
  await holder.query('SELECT pg_advisory_unlock(7)');
  holder.release();
  await first;
  let isAnswered = false;
  const next = ask('SELECT pg_sleep(0.3), 3').finally(() => (isAnswered = true));
  await until('the next one waiting', () => connections.waiting === 1);
  expect(isAnswered).toBe(false);
  isHeld = false;
  for (const pass of passOn.splice(0)) pass();
  expect((await next).rowCount).toBe(1);
});

test('a connection whose cancel is not answered is not used again', async () => {
  isHeld = true;
  const ending = new AbortController();
  const text = 'SELECT pg_sleep(15), 4';
  const failed = expect(ask(text, ending.signal)).rejects.toThrow();
  await until('the statement', () => running(text));
  const before = connections.pool;
  const removed = once(before, 'remove');
  ending.abort();
  await until('the cancel', () => passOn.length === 1);
  await admin.pool.query('SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE query = $1', [text]);
  await failed;
  await removed;
  isHeld = false;
  passOn = [];
  expect((await ask('SELECT 5')).rowCount).toBe(1);
});
