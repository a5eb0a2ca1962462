import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { connect as connectTo, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type Client, type ClientOptions, createClient } from 'graphql-ws';
import { createClient as createEventClient } from 'graphql-sse';
import type pg from 'pg';
import { WebSocket } from 'ws';
import type { App } from '../../src/app.js';
import { revokeApiKey } from '../../src/operations/keys/api-keys.js';
import { admin } from '../support/admin.js';
import { addSync } from '../support/fill-company.js';
import { createTenant, type Tenant } from '../support/seed.js';
import { createCaller, startApp } from '../support/service.js';
import { until } from '../support/until.js';
import { untilBlocked } from '../support/until-blocked.js';

/** Two gateways of one database: what one stores is told by the other. */
let app: App;
let other: App;
let acme: Tenant;
let key: string;
let keyId: string;
const clients: Client[] = [];

beforeAll(async () => {
  const own = { LIMIT_SUBSCRIPTIONS: '3', ALLOWED_ORIGINS: 'https://app.example.com' };
  [app, other] = [await startApp(own), await startApp(own)];
});
beforeEach(async () => {
  acme = await createTenant(other, 'live');
  ({ key, keyId } = await createCaller(app, acme.organisationId));
});
afterEach(() => Promise.all(clients.splice(0).map(async (client) => client.dispose())));
afterAll(async () => {
  await app.close();
  await other.close();
});

const address = ({ url }: App = app) => `${url.replace('http', 'ws')}/graphql`;

function connect(options: Partial<ClientOptions> = {}): Client {
  const client = createClient({
    url: address(),
    webSocketImpl: WebSocket,
    retryAttempts: 0,
    connectionParams: { api_key: key },
    ...options,
  });
  clients.push(client);
  return client;
}

/** What a subscription gives, collected; ended by `end`. */
function collect(client: Client, query: string, variables: Record<string, unknown> = {}) {
  const events: any[] = [];
  let error: any = null;
  let isComplete = false;
  const end = client.subscribe(
    { query, variables },
    {
      next: (event) => events.push(event),
      error: (given) => (error = given),
      complete: () => (isComplete = true),
    },
  );
  return {
    events,
    end,
    /** Why it was refused, before or as its first event. */
    refusal: () => until('a refusal', () => error ?? events[0]?.errors),
    answer: () => (events.length > 0 ? 'event' : error ? 'error' : null),
    completed: () => until('the end of a subscription', () => isComplete),
    count: (count: number) =>
      until(
        `${count} events, got ${JSON.stringify(events).slice(0, 500)}`,
        () => events.length >= count && events,
      ),
  };
}

const account = (platformId: string, values: object = {}) => ({
  platformId,
  values: { name: platformId, ...values },
});
const CHANGES =
  'subscription ($after: String) { changes(after: $after) { position operation record { ... on Account { name } } } }';
const positions = (events: readonly any[]) => events.map(({ data }) => data.changes.position);

describe('changes', () => {
  test('go from history to live without a gap or a repeat, while others write', async () => {
    await acme.store(
      'Account',
      ['a', 'b', 'c'].map((id) => account(id)),
    );
    let count = 3;
    const writing = (async () => {
      for (let batch = 0; batch < 20; batch += 1) {
        const ids = Array.from({ length: 5 }, (_, index) => `batch ${batch} ${index}`);
        await acme.store(
          'Account',
          ids.map((id) => account(id)),
        );
        count += ids.length;
      }
    })();
    const heard = collect(connect(), CHANGES, { after: '1' });
    await writing;
    await heard.count(count - 1);
    await acme.store('Account', [account('last')]);
    await heard.count(count);
    expect(positions(heard.events)).toEqual(Array.from({ length: count }, (_, index) => index + 2));
    expect(heard.events.at(-1)).toEqual({
      data: { changes: { position: count + 1, operation: 'CREATE', record: { name: 'last' } } },
    });
  });

  test('without a position begin now, and show each record as it is then', async () => {
    await acme.store('Account', [account('before')]);
    const live = collect(connect(), CHANGES);
    let stored = 0;
    // Nothing says when a subscription has begun but its first event.
    await until('an event', async () => {
      await acme.store('Account', [account(`a${(stored += 1)}`)]);
      return live.events.length > 0;
    });
    await acme.store('Account', [account('a1', { name: 'A' })]);
    const renamed = { position: stored + 2, operation: 'UPDATE', record: { name: 'A' } };
    const changes = () => live.events.map(({ data }) => data.changes);
    await until('the last event', () => changes().at(-1)?.operation === 'UPDATE');
    const first = changes()[0].position;
    expect(first).toBeGreaterThan(1);
    const created = Array.from({ length: stored + 2 - first }, (_, index) => {
      const position = first + index;
      return { position, operation: 'CREATE', record: { name: `a${position - 1}` } };
    });
    expect(changes()).toEqual([...created, renamed]);
  });

  test('are those of the companies, record types and operations that are asked for, and of the key', async () => {
    const second = await acme.company('second');
    const limited = await createCaller(app, acme.organisationId, { companyIds: [second.companyId] });
    const query = `subscription ($companyIds: [SvcId!], $dataModels: [DataModel!]) {
      changes(after: "0", companyIds: $companyIds, dataModels: $dataModels) { position } }`;
    const client = connect();
    const ofSecond = collect(client, query, { companyIds: [second.companyId] });
    const ofItems = collect(client, query, { dataModels: ['ITEMS'] });
    const ofKey = collect(connect({ connectionParams: { api_key: limited.key } }), query);
    await acme.store('Account', [account('a')]);
    await second.store('Account', [account('b')]);
    await acme.store('Item', [{ platformId: 'i', values: {} }]);
    await second.store('Account', [account('c')]);
    for (const [heard, expected] of [
      [ofSecond, [2, 4]],
      [ofKey, [2, 4]],
      [ofItems, [3]],
    ] as const) {
      expect(positions(await heard.count(expected.length))).toEqual(expected);
    }
  });

  test('go on when the session that listens, or the database, was away', async () => {
    const heard = collect(connect(), CHANGES, { after: '0' });
    await acme.store('Account', [account('a')]);
    await heard.count(1);
    const { rows } = await admin.pool.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'svc wakes' AND datname = current_database()`,
    );
    expect(rows.length).toBeGreaterThan(0);
    await acme.store('Account', [account('b')]);
    expect(positions(await heard.count(2))).toEqual([1, 2]);
  });

  test('show each record, though the database answered nothing while one was read', async () => {
    await acme.store('Account', [account('a')]);
    const locking = await admin.pool.connect();
    let frozen = 0;
    try {
      await locking.query('BEGIN');
      await locking.query('LOCK TABLE accounts IN ACCESS EXCLUSIVE MODE');
      const heard = collect(connect(), CHANGES, { after: '0' });
      await untilBlocked();
      const { rows } = await admin.pool.query<{ pid: number }>(
        `SELECT pid FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`,
      );
      frozen = rows[0]?.pid ?? 0;
      process.kill(frozen, 'SIGSTOP');
      await locking.query('COMMIT');
      expect(await heard.count(1)).toEqual([
        { data: { changes: { position: 1, operation: 'CREATE', record: { name: 'a' } } } },
      ]);
    } finally {
      if (frozen) process.kill(frozen, 'SIGCONT');
      locking.release(true);
    }
  });

  test('show each record, though the database was lost while one was read', async () => {
    await acme.store('Account', [account('a')]);
    const locking = await admin.pool.connect();
    try {
      await locking.query('BEGIN');
      await locking.query('LOCK TABLE accounts IN ACCESS EXCLUSIVE MODE');
      const heard = collect(connect(), CHANGES, { after: '0' });
      await untilBlocked();
      await admin.pool.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE wait_event_type = 'Lock' AND datname = current_database()`,
      );
      await locking.query('COMMIT');
      expect(await heard.count(1)).toEqual([
        { data: { changes: { position: 1, operation: 'CREATE', record: { name: 'a' } } } },
      ]);
    } finally {
      locking.release(true);
    }
  });

  test('are refused past retention, and beyond the end of the log', async () => {
    await acme.store('Account', [account('a')]);
    await admin.pool.query('UPDATE change_heads SET forgotten = 1 WHERE svc_organisation_id = $1', [
      acme.organisationId,
    ]);
    const expired = collect(connect(), CHANGES, { after: '0' });
    const [refused] = await expired.refusal();
    expect(refused.extensions).toEqual({
      code: 'position-expired',
      field: ['after'],
      oldestPosition: 2,
    });
    await expired.completed();
  });
});

describe('progress', () => {
  test('of a sync is told at every step, up to its end', async () => {
    const { syncSvcId, syncId } = await addSync(acme, {
      connectionId: acme.connectionId,
      jobs: [{ dataModel: 'ACCOUNTS' }],
    });
    const heard = collect(
      connect(),
      'subscription ($id: String!) { syncProgress(syncId: $id) { state progress records { read } } }',
      { id: syncId },
    );
    await heard.count(1);
    const where = { syncSvcId };
    await admin.prisma.syncJob.updateMany({ where, data: { pages: 1, recordsRead: 7 } });
    await heard.count(2);
    await admin.prisma.syncJob.updateMany({ where, data: { state: 'SUCCESS' } });
    await heard.count(3);
    await admin.prisma.sync.updateMany({ where: { svcId: syncSvcId }, data: { state: 'SUCCESS' } });
    await heard.completed();
    const step = (state: string, progress: number, read: number) => ({
      data: { syncProgress: { state, progress, records: { read } } },
    });
    expect(heard.events).toEqual([
      step('RUNNING', 0, 0),
      step('RUNNING', 0, 7),
      step('RUNNING', 1, 7),
      step('SUCCESS', 1, 7),
    ]);
  });

  test('of a write is told at every step, up to its end', async () => {
    const owner = { svcOrganisationId: BigInt(acme.organisationId), svcCompanyId: BigInt(acme.companyId) };
    const upload = await admin.prisma.upload.create({
      data: {
        ...owner,
        uploadId: `write ${acme.companyId}`,
        connectionId: BigInt(acme.connectionId),
        integrationType: 'SVC_SANDBOX',
        category: 'ACCOUNTING',
        dataModel: 'CONTACTS',
        operation: 'CREATE',
        state: 'RUNNING',
        answerBy: new Date(),
      },
    });
    const item = { ...owner, uploadSvcId: upload.svcId, input: {}, state: 'PENDING' };
    for (const position of [0, 1]) {
      await admin.prisma.uploadItem.create({
        data: { ...item, position, jobId: `${upload.svcId} ${position}` },
      });
    }
    const heard = collect(
      connect(),
      'subscription ($id: String!) { writeProgress(writeId: $id) { state counts { success } } }',
      { id: upload.uploadId },
    );
    await heard.count(1);
    const first = { where: { uploadSvcId: upload.svcId, position: 0 } };
    await admin.prisma.uploadItem.updateMany({ ...first, data: { state: 'SUCCESS' } });
    await heard.count(2);
    await admin.prisma.upload.updateMany({
      where: { svcId: upload.svcId },
      data: { state: 'PARTIAL_SUCCESS' },
    });
    await heard.completed();
    expect(heard.events.map(({ data }) => data.writeProgress)).toEqual([
      { state: 'RUNNING', counts: { success: 0 } },
      { state: 'RUNNING', counts: { success: 1 } },
      { state: 'PARTIAL_SUCCESS', counts: { success: 1 } },
    ]);
  });

  test("of another organisation's sync or write is not found", async () => {
    const stranger = await createTenant(other, 'stranger');
    const { syncId } = await addSync(stranger, { connectionId: stranger.connectionId });
    const heard = collect(connect(), 'subscription ($id: String!) { syncProgress(syncId: $id) { state } }', {
      id: syncId,
    });
    const [refused] = await heard.refusal();
    expect(refused.extensions).toEqual({ code: 'not-found', field: ['syncId'] });
  });

  test('the status of connections is told as it is, and when it changes', async () => {
    const heard = collect(connect(), 'subscription { connectionStatus { svcId status syncStatus } }');
    await heard.count(1);
    const change = (data: object) =>
      admin.prisma.connection.updateMany({ where: { svcId: BigInt(acme.connectionId) }, data });
    await change({ minuteCalls: 3 });
    await change({ syncStatus: 'FETCHING' });
    await heard.count(2);
    await change({ status: 'EXPIRED', syncStatus: 'IDLE' });
    await heard.count(3);
    const one = (status: string, syncStatus: string) => ({
      data: { connectionStatus: { svcId: acme.connectionId, status, syncStatus } },
    });
    expect(heard.events).toEqual([
      one('HEALTHY', 'IDLE'),
      one('HEALTHY', 'FETCHING'),
      one('EXPIRED', 'IDLE'),
    ]);
  });
});

/** How the server closes a connection that sends these messages. */
async function closeOf(messages: readonly object[], headers: Record<string, string> = {}): Promise<number> {
  const socket = new WebSocket(address(), 'graphql-transport-ws', { headers });
  socket.on('open', () => messages.forEach((message) => socket.send(JSON.stringify(message))));
  const [code] = await once(socket, 'close');
  return code;
}

describe('a key', () => {
  test.each([
    ['connectionParams.api_key', () => ({ connectionParams: { api_key: key } })],
    ['connectionParams.Authorization', () => ({ connectionParams: { Authorization: `Bearer ${key}` } })],
    [
      'the header of the request',
      () => ({
        connectionParams: {},
        webSocketImpl: class extends WebSocket {
          constructor(url: string, protocol: string) {
            super(url, protocol, { headers: { api_key: key } });
          }
        },
      }),
    ],
  ])('is taken from %s', async (_where, options) => {
    await acme.store('Account', [account('a')]);
    expect(positions(await collect(connect(options()), CHANGES, { after: '0' }).count(1))).toEqual([1]);
  });

  test('that is unknown or absent, or not given in time, closes with 4401', async () => {
    const init = (payload: object) => ({ type: 'connection_init', payload });
    expect(
      await Promise.all([
        closeOf([init({ api_key: 'an unknown key of 24 letters' })]),
        closeOf([init({})]),
        closeOf([{ id: '1', type: 'subscribe', payload: { query: CHANGES } }]),
        closeOf([]),
      ]),
    ).toEqual([4401, 4401, 4401, 4401]);
  });

  test('whose database is slow is to be sent again, and not refused', async () => {
    const locking = await admin.pool.connect();
    try {
      await locking.query('BEGIN');
      await locking.query('LOCK TABLE api_keys IN ACCESS EXCLUSIVE MODE');
      expect(await closeOf([{ type: 'connection_init', payload: { api_key: key } }])).toBe(1013);
    } finally {
      locking.release(true);
    }
  });

  test('has its subscriptions counted as requests, also those that are no valid ones', async () => {
    const limited = await startApp({ LIMIT_REQUESTS_PER_MINUTE: '2' });
    try {
      const client = connect({ url: address(limited) });
      const codes = await Promise.all(
        Array.from({ length: 20 }, async () => {
          const [refusal] = await collect(client, 'subscription { nothing }').refusal();
          return refusal.extensions.code;
        }),
      );
      expect(new Set(codes)).toEqual(new Set(['GRAPHQL_VALIDATION_FAILED', 'rate-limited']));
    } finally {
      await limited.close();
    }
  });

  test('is not needed for pings, whose payload is not sent back', async () => {
    const socket = new WebSocket(address(), 'graphql-transport-ws');
    await once(socket, 'open');
    const nested = `${'['.repeat(200_000)}${']'.repeat(200_000)}`;
    for (const payload of ['{}', nested]) {
      socket.send(`{"type":"ping","payload":{"any":${payload}}}`);
      const [answer] = await once(socket, 'message');
      expect(String(answer)).toBe('{"type":"pong"}');
    }
    socket.close();
  });

  test('that is revoked closes with 4403, and ends event streams', async () => {
    const client = connect();
    const heard = collect(client, CHANGES, { after: '0' });
    const stream = await fetch(`${app.url}/v3/core/changes`, {
      headers: { api_key: key, accept: 'text/event-stream' },
    });
    await acme.store('Account', [account('a')]);
    await heard.count(1);
    await revokeApiKey(admin.prisma, keyId);
    expect(await heard.refusal()).toMatchObject({ code: 4403 });
    expect(await stream.text()).toContain('id: 1\n');
  });

  test('has a number of subscriptions at a time in all processes, and again when some have ended', async () => {
    const client = connect();
    const elsewhere = connect({ url: address(other) });
    const three = [client, elsewhere, elsewhere].map((one) => collect(one, CHANGES, { after: '0' }));
    await acme.store('Account', [account('a')]);
    for (const one of three) await one.count(1);
    for (const one of [client, elsewhere]) {
      const [refused] = await collect(one, CHANGES).refusal();
      expect(refused).toMatchObject({ extensions: { code: 'rate-limited' } });
    }
    three[1]?.end();
    await until('a free place', async () => {
      const next = collect(client, CHANGES, { after: '0' });
      return until('an answer', () => next.answer()).then((answer) => answer === 'event');
    });
  });
});

describe('a page of another origin', () => {
  const upgrade = async (origin: string): Promise<number | undefined> => {
    const socket = new WebSocket(address(), 'graphql-transport-ws', { headers: { origin } });
    try {
      return await new Promise((resolve) => {
        socket.once('open', () => resolve(101));
        socket.once('unexpected-response', (_request, response) => resolve(response.statusCode));
      });
    } finally {
      socket.on('error', () => undefined);
      socket.terminate();
    }
  };

  test('opens no connection, unless it is allowed', async () => {
    expect(await upgrade('https://evil.example.com')).toBe(403);
    expect(await upgrade('null')).toBe(403);
    expect(await upgrade('https://app.example.com')).toBe(101);
    expect(await upgrade(app.url)).toBe(101);
  });

  test('has its connection closed, though it would keep it open, and may reset it', async () => {
    const accepted = new Promise<Socket>((resolve) => {
      const accept = (message: unknown) => {
        unsubscribe('net.server.socket', accept);
        resolve((message as { readonly socket: Socket }).socket);
      };
      subscribe('net.server.socket', accept);
    });
    const client = connectTo({ port: Number(new URL(app.url).port), host: '127.0.0.1', allowHalfOpen: true });
    client.on('error', () => undefined).resume();
    client.write(
      'GET /graphql HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: websocket\r\norigin: https://evil.example.com\r\n\r\n',
    );
    const socket = await accepted;
    const closed = once(socket, 'close');
    await once(client, 'end');
    expect(socket.listenerCount('error')).toBeGreaterThan(0);
    await closed;
    client.destroy();
  });
});

describe('what is no subscription', () => {
  test.each([
    ['{ companies { nodes { svcId } } }', 'invalid-params'],
    ['subscription { nothing }', 'GRAPHQL_VALIDATION_FAILED'],
    ['subscription {', 'GRAPHQL_PARSE_FAILED'],
    ['subscription { changes(after: "x") { position } }', 'invalid-cursor'],
  ])('%s is refused as %s', async (query, code) => {
    const refused = await collect(connect(), query).refusal();
    expect(refused[0]).toMatchObject({ extensions: { code } });
  });

  test('a query is told where to go, also by an event stream of the same path', async () => {
    const query = '{ companies { nodes { svcId } } }';
    const message =
      'query must be a subscription: send queries and mutations by POST /graphql, without `Accept: text/event-stream`';
    expect(await collect(connect(), query).refusal()).toMatchObject([{ message }]);
    const headers = { api_key: key, accept: 'text/event-stream', 'content-type': 'application/json' };
    const answer = await fetch(`${app.url}/graphql`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ query }),
    });
    expect([answer.status, await answer.json()]).toMatchObject([400, { errors: [{ message }] }]);
  });

  test('other paths and protocols are answered as without the header', async () => {
    const headers = { api_key: key, connection: 'Upgrade', upgrade: 'h2c' };
    const { request } = await import('node:http');
    const status = (path: string) =>
      new Promise((resolve, reject) => {
        request(`${app.url}${path}`, { headers }, (response) => {
          resolve(response.statusCode);
          response.resume();
        })
          .on('error', reject)
          .end();
      });
    expect(await status('/v3/accounting/accounts')).toBe(200);
    expect(await status('/nothing')).toBe(404);
  });

  test('a subscription by POST without an event stream is told where to go', async () => {
    const { body, status } = await (await createCaller(app, acme.organisationId)).graphql(CHANGES);
    expect({ status, error: body.errors[0].extensions.code }).toEqual({
      status: 400,
      error: 'invalid-params',
    });
  });
});

test('a process that stops closes its connections, for clients to connect to another one', async () => {
  const leaving = await startApp();
  const client = connect({ url: `${leaving.url.replace('http', 'ws')}/graphql` });
  await acme.store('Account', [account('a')]);
  const heard = collect(client, CHANGES, { after: '0' });
  await heard.count(1);
  const stream = await fetch(`${leaving.url}/v3/core/changes`, {
    headers: { api_key: key, accept: 'text/event-stream' },
  });
  await leaving.close();
  expect(await heard.refusal()).toMatchObject({ code: 1012 });
  expect(await stream.text()).toContain('id: 1\n');
});

describe('server-sent events', () => {
  test('carry subscriptions, as graphql-sse has them', async () => {
    const client = createEventClient({
      url: `${app.url}/graphql`,
      headers: { api_key: key },
      retryAttempts: 0,
    });
    await acme.store('Account', [account('a')]);
    const events: any[] = [];
    const subscription = client.iterate({ query: CHANGES, variables: { after: '0' } });
    for await (const event of subscription) {
      events.push(event);
      if (events.length === 1) await acme.store('Account', [account('b')]);
      if (events.length === 2) break;
    }
    expect(positions(events)).toEqual([1, 2]);
    client.dispose();
  });

  /** Holds the statement that reads where a subscription begins, on its way to the database. */
  function holdStart() {
    const { pool } = app.database;
    const watched = new Set<pg.PoolClient>();
    let letGo = () => {};
    const released = new Promise<void>((resolve) => (letGo = resolve));
    let isHeld = false;
    const watch = (client: pg.PoolClient) => {
      if (watched.has(client)) return;
      watched.add(client);
      const original = client.query.bind(client) as (query: pg.QueryConfig, ...more: unknown[]) => unknown;
      client.query = ((query: pg.QueryConfig, ...more: unknown[]) => {
        if (!query.text?.startsWith('SELECT h.position FROM change_heads')) return original(query, ...more);
        isHeld = true;
        void released.then(() => original(query, ...more));
        return query;
      }) as typeof client.query;
    };
    pool.on('acquire', watch);
    return {
      met: () => until('a subscription that reads where it begins', () => isHeld),
      end: () => {
        pool.off('acquire', watch);
        for (const client of watched) Reflect.deleteProperty(client, 'query');
        letGo();
      },
    };
  }

  test('are confirmed when it is known where they begin', async () => {
    const stop = new AbortController();
    let text = '';
    const reading = async () => {
      const { body } = await fetch(`${app.url}/graphql`, {
        method: 'POST',
        headers: { api_key: key, accept: 'text/event-stream', 'content-type': 'application/json' },
        body: JSON.stringify({ query: CHANGES }),
        signal: stop.signal,
      });
      for await (const part of body ?? []) text += Buffer.from(part).toString();
    };
    const start = holdStart();
    try {
      reading().catch(() => undefined);
      await start.met();
      // What was sent before has arrived by the answer to this.
      await (await fetch(`${app.url}/nothing`)).text();
      expect(text).toBe('');
    } finally {
      start.end();
    }
    await until('the confirmation', () => text !== '');
    expect(text).toBe(':\n\n');
    await acme.store('Account', [account('after')]);
    await until(`its event in ${text}`, () => text.includes('"name":"after"'));
    stop.abort();
  });

  test('end without being complete when the process stops or the key is revoked: clients connect again', async () => {
    const leaving = await startApp();
    /** All that a subscription says, from an event on until it ends. */
    const ended = async (url: string, end: () => Promise<unknown>): Promise<string> => {
      const stream = await fetch(`${url}/graphql`, {
        method: 'POST',
        headers: { api_key: key, accept: 'text/event-stream', 'content-type': 'application/json' },
        body: JSON.stringify({ query: CHANGES, variables: { after: '0' } }),
      });
      const [text] = await Promise.all([stream.text(), end()]);
      return text;
    };
    await acme.store('Account', [account('a')]);
    const texts = [
      await ended(leaving.url, () => leaving.close()),
      await ended(app.url, () => revokeApiKey(admin.prisma, keyId)),
    ];
    for (const text of texts) {
      expect(text).toContain('event: next');
      expect(text).not.toContain('event: complete');
    }
  });

  test.each([
    'subscription { nothing }',
    'subscription { syncProgress(syncId: "1") @skip(if: true) { state } }',
    'subscription { ... @include(if: false) { syncProgress(syncId: "1") { state } } }',
    'subscription { ...of } fragment of on Subscription { syncProgress(syncId: "1") @include(if: true) { state } }',
  ])('refuse what is no subscription with a 400: %s', async (query) => {
    const answer = await fetch(`${app.url}/graphql`, {
      method: 'POST',
      headers: { api_key: key, accept: 'text/event-stream', 'content-type': 'application/json' },
      body: JSON.stringify({ query }),
    });
    const { errors } = (await answer.json()) as any;
    expect([answer.status, errors[0].extensions.code]).toEqual([400, 'GRAPHQL_VALIDATION_FAILED']);
  });

  /** The events of a stream of changes up to a number of them. */
  async function changesOf(
    count: number,
    query: string,
    headers: Record<string, string> = {},
  ): Promise<any[]> {
    const stop = new AbortController();
    const answer = await fetch(`${app.url}/v3/core/changes?${query}`, {
      headers: { api_key: key, accept: 'text/event-stream', ...headers },
      signal: stop.signal,
    });
    let text = '';
    const events = () =>
      [...text.matchAll(/id: (\d+)\ndata: (.+)\n/g)].map(([, id, data]) => [id, JSON.parse(data ?? '')]);
    for await (const part of answer.body ?? []) {
      text += Buffer.from(part).toString();
      if (events().length >= count && text.endsWith('\n\n')) break;
    }
    stop.abort();
    return events();
  }

  test('carry the REST list, and continue after Last-Event-ID', async () => {
    await acme.store('Account', [account('a'), account('b')]);
    const listed = (await (await createCaller(app, acme.organisationId)).get('/v3/core/changes')).body.data;
    expect(await changesOf(2, '')).toEqual(listed.map((one: any) => [String(one.position), one]));
    const live = changesOf(2, 'next=0', { 'last-event-id': '1' });
    await acme.store('Account', [account('c')]);
    expect((await live).map(([id]) => id)).toEqual(['2', '3']);
  });

  test('begin with a 400 where the list has one', async () => {
    const headers = { api_key: key, accept: 'text/event-stream', 'last-event-id': '7' };
    const answer = await fetch(`${app.url}/v3/core/changes`, { headers });
    const { error } = (await answer.json()) as any;
    expect([answer.status, error]).toEqual([
      400,
      {
        code: 'invalid-cursor',
        field: 'Last-Event-ID',
        message: expect.stringMatching(/^Last-Event-ID is beyond the last position, \d+$/),
      },
    ]);
    const { 'last-event-id': _, ...others } = headers;
    const listed = await fetch(`${app.url}/v3/core/changes?next=7`, { headers: others });
    expect([listed.status, ((await listed.json()) as any).error.field]).toEqual([400, 'next']);
  });
});
