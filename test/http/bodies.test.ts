import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { App } from '../../src/app.js';
import { HeldBytes } from '../../src/http/limits/held-bytes.js';
import { admin } from '../support/admin.js';
import { createTenant } from '../support/seed.js';
import { type Caller, createCaller, startApp } from '../support/service.js';
import { until } from '../support/until.js';

/** What is looked at of a body before it is parsed. */
type KeyedCaller = Caller & { readonly key: string };

const ALL = '/accounting/accounts/all';
const WRITE = '/accounting/journal_entries';

let app: App;
let organisationId: number;
let writer: KeyedCaller;
let reader: KeyedCaller;
let other: KeyedCaller;

beforeAll(async () => {
  app = await startApp({
    LIMIT_BODY_BYTES: '60000',
    LIMIT_LARGE_BODY_BYTES: '100000',
    LIMIT_HELD_BODY_BYTES: '200000',
  });
  const [acme, globex] = [await createTenant(app, 'bodies'), await createTenant(app, 'other bodies')];
  organisationId = acme.organisationId;
  writer = await createCaller(app, organisationId);
  reader = await createCaller(app, acme.organisationId, { scopes: ['read', 'passthrough'] });
  other = await createCaller(app, globex.organisationId);
});
afterAll(() => app.close());

/** A body of that many bytes that asks for nothing. */
const sized = (bytes: number): string => {
  const rest = '{"query":"{ __typename }","take":0,"text":""}';
  return rest.replace('""}', `"${'x'.repeat(bytes - rest.length)}"}`);
};
const refusal = ({ status, body }: { readonly status: number; readonly body: any }) => {
  const error = body.errors ? { ...body.errors[0], ...body.errors[0].extensions } : body.error;
  return { status, code: error.code, message: error.message };
};

/** A connection that stays open, and what came over it. */
interface Slow {
  readonly socket: Socket;
  readonly answers: () => number[];
}
async function open({ at = app, allowHalfOpen = false } = {}): Promise<Slow> {
  const socket = connect({ port: Number(new URL(at.url).port), host: '127.0.0.1', allowHalfOpen });
  let text = '';
  socket.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  await once(socket, 'connect');
  return {
    socket,
    answers: () => [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status)),
  };
}
/** The service's end of the connection by which the next request comes. */
const nextSocket = () =>
  new Promise<Socket>((resolve) => {
    const arrived = (request: unknown) => {
      unsubscribe('http.server.request.start', arrived);
      resolve((request as { readonly socket: Socket }).socket);
    };
    subscribe('http.server.request.start', arrived);
  });
const head = ({ key }: KeyedCaller, path: string, length: number): string =>
  `POST ${path} HTTP/1.1\r\nhost: x\r\napi_key: ${key}\r\ncontent-type: application/json\r\ncontent-length: ${length}\r\n\r\n`;

describe('a key that may not write', () => {
  test('sends small bodies to /graphql', async () => {
    expect((await reader.post('/graphql', sized(60_000))).status).toBe(200);
    expect(refusal(await reader.post('/graphql', sized(60_001)))).toEqual({
      status: 413,
      code: 'payload-too-large',
      message: 'the body is larger than 60000 bytes',
    });
    expect((await writer.post('/graphql', sized(100_000))).status).toBe(200);
  });

  test.each([WRITE, `/v3${WRITE}`, '/v3/accounting/documents'])(
    'sends nothing to %s, and its connection goes on',
    async (path) => {
      const { socket, answers } = await open();
      socket.write(head(reader, path, 90_000));
      await until('the refusal, before the body', () => answers().length === 1);
      socket.write('x'.repeat(90_000));
      socket.write(head(reader, ALL, 100) + sized(100));
      await until('the next answer', () => answers().length === 2);
      expect(answers()).toEqual([403, 200]);
      socket.destroy();
    },
  );
});

describe('a client that waits to be asked for its body', () => {
  const FORM = 'multipart/form-data; boundary=b';
  const ask = (caller: KeyedCaller, path: string, length: number, type = 'application/json'): string =>
    head(caller, path, length)
      .replace('application/json', type)
      .replace(/\r\n\r\n$/, '\r\nexpect: 100-continue\r\n\r\n');

  test.each<[string, () => string, number]>([
    ['of a body that is too large', () => ask(writer, '/graphql', 100_001), 413],
    ['of a body for which there is no memory', () => ask(writer, WRITE, 90_000), 503],
    ['of a form that is too large', () => ask(writer, '/v3/accounting/documents', 999_999_999, FORM), 413],
    ['of a key that may not write', () => ask(reader, WRITE, 10), 403],
    ['of an unknown key', () => ask({ ...reader, key: 'unknown' }, ALL, 10), 401],
    ['of a path that is not there', () => ask(writer, '/nothing', 10), 404],
  ])('gets the refusal %s instead, and its connection closes', async (_what, request, status) => {
    const holders: Slow[] = [];
    if (status === 503) {
      for (const length of [95_000, 95_000]) {
        const holder = await open();
        holder.socket.write(ask(writer, WRITE, length));
        await until('the holder is asked for its body', () => holder.answers().length === 1);
        holders.push(holder);
      }
    }
    const { socket, answers } = await open();
    const ended = once(socket, 'end');
    socket.write(request());
    await ended;
    expect(answers()).toEqual([status]);
    for (const holder of holders) holder.socket.destroy();
  });

  test('and sends it all the same after a refusal has no connection cut under it', async () => {
    const { socket, answers } = await open({ allowHalfOpen: true });
    const ended = once(socket, 'end');
    socket.write(ask({ ...reader, key: 'unknown' }, ALL, 12_000_000));
    await ended;
    // Rejects where the connection was reset.
    const closed = once(socket, 'close');
    socket.end('x'.repeat(12_000_000));
    await closed;
    expect(answers()).toEqual([401]);
  });

  test('has nothing carried out that it sends after a refusal', async () => {
    const { socket, answers } = await open({ allowHalfOpen: true });
    const [ended, theirs] = [once(socket, 'end'), nextSocket()];
    const refused = ask({ ...reader, key: 'unknown' }, ALL, 10);
    socket.write(refused);
    await ended;
    const later = nextSocket();
    const more = 'x'.repeat(10) + head(writer, ALL, 100) + sized(100);
    socket.write(more);
    await until(
      'the service has read it',
      async () => (await theirs).bytesRead === refused.length + more.length,
    );
    // Of another connection.
    expect((await writer.post('/graphql', sized(100))).status).toBe(200);
    expect(await later).not.toBe(await theirs);
    expect(answers()).toEqual([401]);
    socket.destroy();
  });

  test('after a refusal does not hold up an end of the service', async () => {
    const one = await startApp();
    const { socket } = await open({ at: one, allowHalfOpen: true });
    const ended = once(socket, 'end');
    socket.on('error', () => undefined).write(ask({ ...reader, key: 'unknown' }, ALL, 10));
    await ended;
    const began = performance.now();
    await one.close();
    // What it sends is dropped for 5 s otherwise.
    expect(performance.now() - began).toBeLessThan(2500);
    socket.destroy();
  });

  test('is asked for it otherwise, and answered when it has come', async () => {
    const { socket, answers } = await open();
    for (const sent of [1, 2]) {
      socket.write(ask(writer, ALL, 100));
      await until('it is asked', () => answers().length === 2 * sent - 1);
      socket.write(sized(100));
      await until('the answer', () => answers().length === 2 * sent);
    }
    expect(answers()).toEqual([100, 200, 100, 200]);
    socket.destroy();
  });

  test('and sends it without waiting is answered on a connection that goes on', async () => {
    const { socket, answers } = await open();
    for (const sent of [1, 2]) {
      socket.write(ask(writer, ALL, 100) + sized(100));
      await until('the answer', () => answers().filter((status) => status === 200).length === sent);
    }
    socket.destroy();
  });

  test.each([
    ['has sent all of it at once', () => ask(writer, ALL, 100) + sized(100), 200],
    ['has sent all of it at once, to be refused', () => ask(writer, '/nothing', 100) + sized(100), 404],
    ['has announced none', () => ask(writer, '/health/live', 0).replace('POST', 'GET'), 200],
  ])('in vain, as it %s, is answered on a connection that goes on', async (_what, request, status) => {
    const { socket, answers } = await open();
    socket.write(request() + head(writer, ALL, 100) + sized(100));
    await until('both answers', () => answers().length === 2);
    expect(answers()).toEqual([status, 200]);
    expect(socket.readableEnded).toBe(false);
    socket.destroy();
  });
});

test('who sends far too much reads the refusal when all is sent: the connection is not cut under it', async () => {
  const { socket, answers } = await open();
  socket.write(head(writer, '/graphql', 12_000_000) + 'x'.repeat(100_000));
  for (let others = 0; others < 5; others += 1) {
    expect((await writer.post('/graphql', sized(100))).status).toBe(200);
  }
  expect(answers()).toEqual([]);
  socket.write('x'.repeat(11_900_000));
  await until('the refusal', () => answers().length > 0);
  expect(answers()).toEqual([413]);
  socket.destroy();
});

test('who sends without end is refused', async () => {
  const { socket, answers } = await open();
  socket.on('error', () => undefined);
  socket.write(head(writer, '/graphql', 0).replace('content-length: 0', 'transfer-encoding: chunked'));
  const chunk = `10000\r\n${'x'.repeat(0x10000)}\r\n`;
  // What is read and dropped, and little more: who writes on as the service closes may lose the answer.
  for (let sent = 0; sent < 64 * 1024 * 1024 + 300_000; sent += 0x10000) {
    if (!socket.write(chunk)) await once(socket, 'drain');
  }
  await until('the refusal', () => answers().length > 0);
  expect(answers()).toEqual([413]);
  socket.destroy();
});

test('too many values are refused before they are parsed', async () => {
  const app2 = await startApp();
  const { key } = await createCaller(app2, (await createTenant(app2, 'many values')).organisationId);
  const answer = await fetch(`${app2.url}/graphql`, {
    method: 'POST',
    headers: { api_key: key, 'content-type': 'application/json' },
    // Not even JSON: who parses first says so.
    body: `[${'{},'.repeat(3_200_000)}`,
  });
  const body: unknown = await answer.json();
  expect(refusal({ status: answer.status, body })).toEqual({
    status: 413,
    code: 'payload-too-large',
    message: 'the body holds more than 250000 values',
  });
  await app2.close();
});

describe('bodies that are held', () => {
  const small = () => reader.post(ALL, sized(12_000));
  /** Time for what was sent to arrive: a probe would take its place, and another organisation's requests do not. */
  const others = async () => {
    for (let waits = 0; waits < 10; waits += 1) await other.post('/graphql', sized(100));
  };
  /** Callers who send the beginning of a body and wait; the probe may take the place of one, and then others try. */
  const hold = (bytes: number, count: number, allowHalfOpen = false) =>
    until('slow bodies are held', async () => {
      if ((await writer.post('/graphql', sized(100_000))).status !== 200) return null;
      const slow = await Promise.all(Array.from({ length: count }, () => open({ allowHalfOpen })));
      for (const { socket } of slow) {
        socket.write(head(writer, '/graphql', bytes) + sized(bytes).slice(0, 1000));
      }
      await others();
      for (let probes = 0; probes < 20; probes += 1) if ((await small()).status === 503) return slow;
      for (const { socket } of slow) socket.destroy();
      return null;
    });

  test('by one organisation leave room for another, until they are answered or their caller has gone', async () => {
    const [slow] = (await hold(90_000, 1)) as [Slow];
    expect((await other.post('/graphql', sized(95_000))).status).toBe(200);

    const { status, headers, body } = await small();
    expect(refusal({ status, body })).toEqual({
      status: 503,
      code: 'service-unavailable',
      message: 'the service holds too many bytes of requests; try again soon',
    });
    expect(headers.get('retry-after')).toBe('1');
    expect((await reader.post('/graphql', sized(12_000))).headers.get('retry-after')).toBe('1');

    const refused = await open();
    const ended = once(refused.socket, 'end');
    refused.socket.write(head(reader, ALL, 50_000) + sized(50_000).slice(0, 40_000));
    await until('an answer to somebody else', async () => (await small()).status === 503);
    expect(refused.answers()).toEqual([]);
    refused.socket.write(sized(50_000).slice(40_000));
    await ended;
    expect(refused.answers()).toEqual([503]);

    slow.socket.write(sized(90_000).slice(1000));
    await until('the slow answer', () => slow.answers().length === 1);
    expect(slow.answers()).toEqual([200]);
    await until('room again', async () => (await small()).status === 200);

    slow.socket.destroy();

    const [gone] = (await hold(90_000, 1)) as [Slow];
    gone.socket.destroy();
    await until('room again', async () => (await small()).status === 200);
  });

  test('have room from their beginning: those that fit are not refused with those that come after', async () => {
    const first = await hold(45_000, 2);
    const later = [await open(), await open()];
    for (const { socket } of later) socket.write(head(writer, '/graphql', 45_000) + sized(45_000));
    await until('the refusals', () => later.every(({ answers }) => answers().length === 1));
    for (const { socket } of first) socket.write(sized(45_000).slice(1000));
    await until('the answers', () => first.every(({ answers }) => answers().length === 1));
    expect([...first, ...later].flatMap(({ answers }) => answers())).toEqual([200, 200, 503, 503]);
    for (const { socket } of [...first, ...later]) socket.destroy();
  });

  test('are let go when they come no further, also where their caller never leaves', async () => {
    const [slow] = (await hold(95_000, 1, true)) as [Slow];
    await until('the refusal', () => slow.answers().length === 1);
    expect(slow.answers()).toEqual([408]);
    await until('room again', async () => (await small()).status === 200);
    slow.socket.destroy();
  });

  test('are none of a caller who left while its key was looked up', async () => {
    const leaver = await createCaller(app, organisationId);
    const client = await admin.pool.connect();
    try {
      await client.query('BEGIN; LOCK TABLE api_keys IN ACCESS EXCLUSIVE MODE');
      const { socket } = await open();
      const arrived = nextSocket();
      socket.write(head(leaver, WRITE, 95_000));
      const closed = once(await arrived, 'close');
      socket.destroy();
      await closed;
    } finally {
      await client.query('ROLLBACK');
      client.release();
    }
    // The lookup of the one who left has ended when that of another one has, and it holds nothing then.
    const later = await createCaller(app, organisationId);
    expect((await later.post(ALL, sized(12_000))).status).toBe(200);
    for (let asked = 0; asked < 20; asked += 1) expect((await small()).status).toBe(200);
  });

  test('are let go of a request behind another one of its connection when their caller leaves', async () => {
    const streamed = `GET /v3/core/changes HTTP/1.1\r\nhost: x\r\napi_key: ${writer.key}\r\naccept: text/event-stream\r\n\r\n`;
    const socket = await until('the body is held', async () => {
      const { socket } = await open();
      socket.write(streamed + head(writer, '/graphql', 95_000) + sized(95_000));
      await others();
      if ((await small()).status === 503) return socket;
      socket.destroy();
      return null;
    });
    socket.destroy();
    await until('room again', async () => (await small()).status === 200);
  });

  test('are texts of forms as well, and not their files', async () => {
    const forms = await startApp({ LIMIT_LARGE_BODY_BYTES: '1000000', LIMIT_HELD_BODY_BYTES: '2000000' });
    const path = '/v3/accounting/documents';
    const type = 'multipart/form-data; boundary=b';
    const text = `--b\r\ncontent-disposition: form-data; name="base64_file"\r\n\r\n${'x'.repeat(900_000)}`;
    const post = async (body: string | FormData) => {
      const headers = { api_key: writer.key, ...(typeof body === 'string' ? { 'content-type': type } : {}) };
      const answer = await fetch(forms.url + path, { method: 'POST', headers, body });
      return { status: answer.status, body: (await answer.json()) as any };
    };
    try {
      const { socket } = await until('a slow text is held', async () => {
        const slow = await open({ at: forms });
        slow.socket.on('error', () => undefined);
        slow.socket.write(head(writer, path, 990_000).replace('application/json', type) + text);
        for (let probes = 0; probes < 20; probes += 1)
          if ((await post(`${text}\r\n--b--`)).status === 503 && slow.answers().length === 0) return slow;
        slow.socket.destroy();
        return null;
      });
      const { status, body } = await post(`${text}\r\n--b--`);
      expect([status, body.error.code]).toEqual([503, 'service-unavailable']);
      const form = new FormData();
      form.append('file', new Blob([Buffer.alloc(5_000_000)]), 'large.bin');
      expect(refusal(await post(form))).toMatchObject({ status: 400, code: 'missing-params' });
      socket.destroy();
      await until('room again', async () => (await post(`${text}\r\n--b--`)).status === 400);
    } finally {
      await forms.close();
    }
  });

  test('are counted for all, and for each owner up to half', () => {
    const bodies = new HeldBytes(100);
    const [a, b, c] = [bodies.open('a'), bodies.open('b'), bodies.open('c')];
    expect([a.add(50), a.add(1), bodies.open('a').add(1)]).toEqual([true, false, false]);
    expect([b.add(49), c.add(2), c.add(1)]).toEqual([true, false, true]);
    a.release();
    expect([a.add(1), bodies.open('a').add(50), c.add(1)]).toEqual([false, true, false]);
    a.release();
    b.release();
    expect(c.add(49)).toBe(true);
  });
});
