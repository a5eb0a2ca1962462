import { request } from 'node:http';
import { connect } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createClient } from 'graphql-ws';
import { WebSocket } from 'ws';
import type { App } from '../../src/app.js';
import { prettyLine } from '../../src/telemetry/pretty-log.js';
import { admin } from '../support/admin.js';
import { storeBooks } from '../support/books.js';
import { collectLog } from '../support/log-lines.js';
import { createTenant, type Tenant } from '../support/seed.js';
import { type Caller, createCaller, startApp } from '../support/service.js';
import { until } from '../support/until.js';

const SLOW_MS = 50;
const { log, lines, saying } = collectLog('debug');
let app: App;
let acme: Tenant;
let caller: Caller & { readonly key: string; readonly keyId: string };

beforeAll(async () => {
  app = await startApp({ LOG_SLOW_STATEMENT_MS: String(SLOW_MS) }, { log });
  acme = await createTenant(app, 'request log');
  await storeBooks(acme);
  caller = await createCaller(app, acme.organisationId);
});
afterAll(() => app.close());
beforeEach(() => void lines.splice(0));

const line = () => until('the line of a request', () => saying('request')[0]);

describe('a request leaves one line', () => {
  test('of REST, with its route and no value of its address', async () => {
    const { headers, text } = await caller.get('/v3/accounting/accounts?limit=2&name[eq]=Secretly');
    expect(await line()).toMatchObject({
      level: 30,
      requestId: headers.get('x-request-id'),
      keyId: caller.keyId,
      organisationId: acme.organisationId,
      method: 'GET',
      route: '/v3/accounting/accounts',
      operation: null,
      status: 200,
      statements: 1,
      ms: expect.any(Number),
    });
    const [{ bytes }] = saying('request') as unknown as [{ bytes: number }];
    expect(bytes).toBeGreaterThan(text.length);
    expect(JSON.stringify(lines)).not.toContain('Secretly');
    expect(saying('request')).toHaveLength(1);
  });

  test('of GraphQL, with the name of its operation', async () => {
    await caller.graphql('query Books { accounts(first: 1) { nodes { name currency { code } } } }');
    expect(await line()).toMatchObject({ route: '/graphql', operation: 'Books', status: 200, statements: 2 });
  });

  test('of GraphQL without a name, with the kind of its operation; Prisma counts, too', async () => {
    await caller.graphql('{ webhooks { nodes { name } } }');
    expect(await line()).toMatchObject({ operation: 'query', statements: 1 });
  });

  test.each([
    ['/v3/accounting/accounts', 401, '/v3/accounting/accounts'],
    ['/link/unguessable-0123456789', 404, '/link/:id'],
    ['/nothing-there', 404, null],
    ['/%zz', 400, null],
  ])('of a stranger who asks for %s: %i', async (path, status, route) => {
    await fetch(app.url + path);
    expect(await line()).toMatchObject({ status, route, keyId: null, organisationId: null, statements: 0 });
    expect(JSON.stringify(lines)).not.toContain('unguessable');
  });

  test('of what is no HTTP', async () => {
    const { port, hostname } = new URL(app.url);
    connect(Number(port), hostname).end('nonsense\r\n\r\n');
    expect(await line()).toMatchObject({ status: 400, route: null, keyId: null });
    expect(JSON.stringify(lines)).not.toContain('nonsense');
  });

  test.each(['/health/live', '/health/ready', '/metrics'])(
    'of a machine at %s, for debugging',
    async (path) => {
      await fetch(app.url + path);
      expect(await line()).toMatchObject({ level: 20, route: path, status: 200 });
    },
  );

  test('of an event stream, when it is over', async () => {
    const stop = new AbortController();
    const answer = await fetch(`${app.url}/v3/core/changes`, {
      headers: { api_key: caller.key, accept: 'text/event-stream' },
      signal: stop.signal,
    });
    await answer.body?.getReader().read();
    expect(saying('request')).toEqual([]);
    stop.abort();
    expect(await line()).toMatchObject({ route: '/v3/core/changes', status: 200, left: true });
  });

  test('of a caller who left before the answer', async () => {
    const client = await admin.pool.connect();
    await client.query('BEGIN; LOCK TABLE accounts IN ACCESS EXCLUSIVE MODE');
    try {
      const asked = request(`${app.url}/v3/accounting/accounts`, { headers: { api_key: caller.key } });
      asked.on('error', () => undefined).end();
      await untilWaiting();
      asked.destroy();
      expect(await line()).toMatchObject({ status: null, left: true, statements: 1 });
    } finally {
      await client.query('ROLLBACK');
      client.release();
    }
  });

  test('of a caller who left before the key was looked up, whose address nobody knows any more', async () => {
    const { port, hostname } = new URL(app.url);
    const socket = connect(Number(port), hostname);
    const text = `GET /v3/accounting/accounts HTTP/1.1\r\nHost: here\r\napi_key: ${caller.key}\r\n\r\n`;
    // Both before the service reads any of it.
    socket.once('connect', () => socket.write(text) && socket.resetAndDestroy());
    expect(await line()).toMatchObject({ keyId: null, left: true });
    // Its key is looked up after any that was sent before.
    const later = await createCaller(app, acme.organisationId);
    await later.get('/v3/accounting/accounts');
    expect(lines.filter(({ level }) => level >= 50)).toEqual([]);
  });

  test('of a subscription over WebSocket', async () => {
    const client = createClient({
      url: `${app.url.replace('http', 'ws')}/graphql`,
      webSocketImpl: WebSocket,
      connectionParams: { api_key: caller.key },
    });
    // After the first change, of those that there are.
    const { next } = (await caller.get('/v3/core/changes?limit=1')).body;
    const events = client.iterate({ query: `subscription News { changes(after: "${next}") { id } }` });
    await events.next();
    await events.return?.();
    const [told] = await until('the line', () =>
      saying('subscription').length > 0 ? saying('subscription') : null,
    );
    expect(told).toMatchObject({
      keyId: caller.keyId,
      operation: 'News',
      organisationId: acme.organisationId,
    });
    await client.dispose();
  });
});

/** Until a statement of the app waits for the table. */
const untilWaiting = () =>
  until('a statement that waits', async () => {
    const { rows } = await admin.pool.query(
      `SELECT 1 FROM pg_locks WHERE NOT granted AND relation = 'accounts'::regclass
         AND extract(epoch FROM clock_timestamp() - waitstart) > 0.06`,
    );
    return rows[0];
  });

test('a slow statement leaves a line, without its values', async () => {
  const client = await admin.pool.connect();
  await client.query('BEGIN; LOCK TABLE accounts IN ACCESS EXCLUSIVE MODE');
  const asked = caller.get('/v3/accounting/accounts?name[eq]=Secretly');
  await untilWaiting();
  await client.query('ROLLBACK');
  client.release();
  await asked;
  // On a busy machine others are slow, too.
  const slow = saying('slow statement');
  expect(slow).toContainEqual(
    expect.objectContaining({
      level: 40,
      organisationId: acme.organisationId,
      statement: expect.stringMatching(/^SELECT .* FROM accounts/),
    }),
  );
  expect(slow.filter(({ ms }) => Number(ms) < SLOW_MS)).toEqual([]);
  expect(JSON.stringify(lines)).not.toContain('Secretly');
});

test('LOG_REQUESTS=off leaves no line of requests', async () => {
  const quiet = collectLog('trace');
  const other = await startApp({ LOG_REQUESTS: 'off' }, { log: quiet.log });
  await (await fetch(`${other.url}/v3/accounting/accounts`)).text();
  await other.close();
  expect(quiet.saying('request')).toEqual([]);
});

describe('in a terminal', () => {
  const shown = (fields: object) =>
    prettyLine(JSON.stringify({ level: 30, time: 0, pid: 1, hostname: 'h', ...fields })).replace(
      /\u001b\[\d+m/g,
      '',
    );

  test('a line has time, level, message and what is known', () => {
    expect(shown({ msg: 'request', route: '/x', keyId: null, status: 200 })).toMatch(
      /^\d\d:\d\d:\d\d info {2}request route=\/x status=200\n$/,
    );
  });

  test('an error shows its stack below', () => {
    expect(shown({ level: 50, msg: 'failed', err: { stack: 'Error: why\n    at x' } })).toMatch(
      /error failed\nError: why\n {4}at x\n$/,
    );
  });

  test('nothing commands the terminal', () => {
    expect(shown({ msg: 'a\u001b]0;title\u0007b' })).toContain('a?]0;title?b');
  });
});
