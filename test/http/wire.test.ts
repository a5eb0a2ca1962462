import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { request } from 'undici';
import type { App } from '../../src/app.js';
import { createTenant, type Tenant } from '../support/seed.js';
import { createCaller, startApp } from '../support/service.js';

/** What a client may do wrong on the wire, below the documented calls. */
let app: App;
let acme: Tenant;
let key: string;

beforeAll(async () => {
  app = await startApp({ LIMIT_BODY_BYTES: '100000', LIMIT_LARGE_BODY_BYTES: '200000' });
  acme = await createTenant(app, 'wire');
  ({ key } = await createCaller(app, acme.organisationId));
});
afterAll(() => app.close());

interface RawAnswer {
  readonly status: number;
  readonly head: string;
  readonly body: any;
}

/** Sends these bytes, the later ones in packets of their own, and reads until the service closes. */
function raw(bytes: string, ...later: string[]): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port: Number(new URL(app.url).port), host: '127.0.0.1', noDelay: true });
    let text = '';
    socket.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    socket.on('error', reject);
    socket.on('close', () => {
      const [head = '', body = ''] = text.split('\r\n\r\n');
      try {
        resolve({ status: Number(head.split(' ')[1]), head, body: JSON.parse(body) });
      } catch {
        reject(new Error(`no JSON: ${text}`));
      }
    });
    socket.write(bytes);
    for (const [at, packet] of later.entries()) setTimeout(() => socket.write(packet), 50 * (at + 1));
  });
}

describe('what is no HTTP request', () => {
  test.each<[string, string, number, string]>([
    ['no HTTP at all', 'hello there\r\n\r\n', 400, 'invalid-params'],
    ['an unknown method', 'BREW / HTTP/1.1\r\nhost: x\r\n\r\n', 400, 'invalid-params'],
    ['two lengths', 'POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab', 400, 'invalid-params'], // prettier-ignore
    ['a length and chunks', 'POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 3\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n', 400, 'invalid-params'], // prettier-ignore
    ['a control character in a header', 'GET / HTTP/1.1\r\nhost: x\r\na: b\x01c\r\n\r\n', 400, 'invalid-params'], // prettier-ignore
    ['no host', 'GET / HTTP/1.1\r\nconnection: close\r\n\r\n', 400, 'invalid-params'],
    ['huge headers', `GET / HTTP/1.1\r\nhost: x\r\na: ${'b'.repeat(20_000)}\r\n\r\n`, 431, 'headers-too-large'], // prettier-ignore
    ['an unknown expectation', 'POST / HTTP/1.1\r\nhost: x\r\nexpect: tea\r\ncontent-length: 0\r\n\r\n', 417, 'expectation-failed'], // prettier-ignore
  ])('%s is answered in the shape of every error', async (_what, bytes, status, code) => {
    const answer = await raw(bytes);
    expect(answer).toMatchObject({
      status,
      body: { error: { code, message: expect.any(String), field: expect.any(String) } },
    });
    expect(answer.body.request_id).toMatch(/./);
    expect(answer.head.toLowerCase()).toContain(`x-request-id: ${answer.body.request_id}`);
    expect(answer.head.toLowerCase()).toContain('connection: close');
  });
});

test.each([
  ['a query', '/v3/accounting/accounts?name[contains]=é', 'Invalid char in url query'],
  ['a path', '/v3/accounting/é', 'Invalid char'],
])('%s in raw UTF-8 is a 400 that says how to write it', async (_what, target, reason) => {
  const { status, body } = await raw(`GET ${target} HTTP/1.1\r\nhost: x\r\n\r\n`);
  expect({ status, ...body.error }).toEqual({
    status: 400,
    code: 'invalid-params',
    field: '',
    message: expect.stringContaining(reason),
  });
  expect(body.error.message).toMatch(/; characters beyond ASCII must be percent-encoded, as %C3%A9 for é$/);
});

// Java's HttpClient and `curl --http2` offer HTTP/2 with every request to a plain address.
describe('a request that offers another protocol', () => {
  const offer =
    'connection: Upgrade, HTTP2-Settings, close\r\nhttp2-settings: AAEAAEAAAAIAAAAB\r\nupgrade: h2c\r\ncontent-type: application/json\r\n';
  const head = () => `POST /accounting/accounts/all HTTP/1.1\r\nhost: x\r\napi_key: ${key}\r\n${offer}`;

  test.each<[string, string[]]>([
    ['with its body', ['content-length: 10\r\n\r\n{"take":1}']],
    ['before its body', ['content-length: 10\r\n\r\n', '{"take":1}']],
    ['in the middle of its body', ['content-length: 10\r\n\r\n{"ta', 'ke":1}']],
    ['before its chunks', ['transfer-encoding: chunked\r\n\r\n', 'a\r\n{"take":1}\r\n0\r\n\r\n']],
  ])('%s is answered without it, and its body is read', async (_when, [first = '', ...later]) => {
    const answer = await raw(head() + first, ...later);
    expect(answer).toMatchObject({ status: 200, body: { data: { total_count: 0 } } });
    expect(answer.head.toLowerCase()).toContain('connection: close');
  });

  test('and waits for a 100 gets one', async () => {
    const socket = connect(Number(new URL(app.url).port), '127.0.0.1');
    try {
      socket.write(`${head()}expect: 100-continue\r\ncontent-length: 10\r\n\r\n`);
      expect(String((await once(socket, 'data'))[0])).toBe('HTTP/1.1 100 Continue\r\n\r\n');
      socket.write('{"take":1}');
      expect(String((await once(socket, 'data'))[0])).toContain('HTTP/1.1 200 OK');
    } finally {
      socket.destroy();
    }
  });

  test('and is no HTTP is refused as any other', async () => {
    const answer = await raw(`${head()}content-length: 2\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`);
    expect(answer).toMatchObject({ status: 400, body: { error: { code: 'invalid-params' } } });
  });
});

test('a WebSocket request that a proxy took the upgrade from is told so, and not asked for a key', async () => {
  const headers = { 'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==', 'sec-websocket-version': '13' };
  const answer = await fetch(`${app.url}/graphql`, { headers });
  expect({ status: answer.status, body: await answer.json() }).toMatchObject({
    status: 400,
    body: {
      errors: [{ message: expect.stringContaining('Upgrade'), extensions: { code: 'invalid-params' } }],
    },
  });
});

test('a request that stops in its headers is refused soon after their time', async () => {
  const own = await startApp();
  const socket = connect(Number(new URL(own.url).port), '127.0.0.1');
  try {
    socket.write('GET / HTTP/1.1\r\nhost: ');
    const heard = once(socket, 'data').then(([data]) => String(data));
    // They have 10 s; who looks only now and then finds it late.
    const late = sleep(25_000).then(() => 'nothing');
    expect(await Promise.race([heard, late])).toContain('HTTP/1.1 408');
  } finally {
    socket.destroy();
    await own.close();
  }
});

describe('a compressed body', () => {
  const body = Buffer.from('{"take":1}');
  const post = async (
    bytes: Uint8Array,
    headers: Readonly<Record<string, string>>,
    path = '/accounting/accounts/all',
  ) => {
    const answer = await fetch(app.url + path, {
      method: 'POST',
      headers: { api_key: key, 'content-type': 'application/json', ...headers },
      body: bytes,
    });
    return { status: answer.status, headers: answer.headers, body: (await answer.json()) as any };
  };

  test.each([
    ['gzip', gzipSync(body)],
    ['GZIP', gzipSync(body)],
    ['deflate', deflateSync(body)],
    ['br', brotliCompressSync(body)],
    ['identity', body],
  ])('in %s is read', async (encoding, bytes) => {
    const { status, body: answered } = await post(bytes, { 'content-encoding': encoding });
    expect({ status, total: answered.data.total_count }).toEqual({ status: 200, total: 0 });
  });

  test('counts as what it unfolds to', async () => {
    const bomb = gzipSync(Buffer.alloc(50_000_000, ' '));
    const { status, body: answered } = await post(bomb, { 'content-encoding': 'gzip' });
    expect({ status, code: answered.error.code }).toEqual({ status: 413, code: 'payload-too-large' });
    const fits = gzipSync(Buffer.from(`{"take":1${' '.repeat(90_000)}}`));
    expect((await post(fits, { 'content-encoding': 'gzip' })).status).toBe(200);
  });

  test.each<[string, Uint8Array, string, number, string]>([
    ['that is none', body, 'gzip', 400, 'invalid-params'],
    ['that is cut off', gzipSync(body).subarray(0, 15), 'gzip', 400, 'invalid-params'],
    ['with something behind it', Buffer.concat([gzipSync(body), Buffer.from('x')]), 'deflate', 400, 'invalid-params'], // prettier-ignore
    ['in an unknown encoding', body, 'zstd', 415, 'unsupported-media-type'],
    ['encoded twice', gzipSync(gzipSync(body)), 'gzip, gzip', 415, 'unsupported-media-type'],
    ['of a prototype', body, '__proto__', 415, 'unsupported-media-type'],
  ])('%s is refused', async (_what, bytes, encoding, status, code) => {
    const answer = await post(bytes, { 'content-encoding': encoding });
    expect({ status: answer.status, code: answer.body.error.code }).toEqual({ status, code });
  });

  test('is no way to send a form', async () => {
    const answer = await post(
      gzipSync(Buffer.from('--x--')),
      { 'content-encoding': 'gzip', 'content-type': 'multipart/form-data; boundary=x' },
      '/v3/accounting/documents',
    );
    expect({ status: answer.status, accept: answer.headers.get('accept-encoding') }).toEqual({
      status: 415,
      accept: 'identity',
    });
  });
});

describe('a request id', () => {
  test('names one request, also where its sender sends it again', async () => {
    const idOf = async () => {
      const answer = await fetch(`${app.url}/webhooks`, {
        headers: { api_key: key, 'x-request-id': 'job-9' },
      });
      const { request_id } = (await answer.json()) as { request_id: string };
      expect(answer.headers.get('x-request-id')).toBe(request_id);
      return request_id;
    };
    expect(await idOf()).toBe('job-9');
    const [second, third] = [await idOf(), await idOf()];
    expect(second).toMatch(/^job-9-[0-9a-f]{8}$/);
    expect(third).toMatch(/^job-9-[0-9a-f]{8}$/);
    expect(third).not.toBe(second);
  });
});

test.each([
  ['/%zz', 400, 'invalid-params'],
  ['/link/%ff', 400, 'invalid-params'],
  [`/v3/accounting/accounts/${'9'.repeat(300)}`, 404, 'not-found'],
])('a path that no route is asked for, such as %s, has what every answer has', async (path, status, code) => {
  const answer = await request(app.url + path, { headers: { api_key: key } });
  const body: any = await answer.body.json();
  expect([answer.statusCode, body.error.code]).toEqual([status, code]);
  expect(body.error.message.length).toBeLessThan(100);
  expect(answer.headers).toMatchObject({
    'x-request-id': body.request_id,
    'x-content-type-options': 'nosniff',
    'cache-control': 'private, no-cache',
    vary: expect.stringContaining('api_key'),
  });
});

describe('an error of the edge on /graphql', () => {
  const query = JSON.stringify({ query: '{ __typename }' });
  test.each([
    ['application/graphql-response+json', 'application/graphql-response+json; charset=utf-8'],
    [
      'application/graphql-response+json, application/json;q=0.9',
      'application/graphql-response+json; charset=utf-8',
    ],
    ['application/json', 'application/json; charset=utf-8'],
    ['*/*', 'application/json; charset=utf-8'],
  ])('accepting %s has that type, a code and a message', async (accept, type) => {
    for (const [headers, status, code, body] of [
      [{}, 401, 'unauthenticated', query],
      [{ api_key: key }, 400, 'invalid-params', '{'],
      [{ api_key: key, 'content-type': 'text/plain' }, 415, 'unsupported-media-type', query],
      [{ api_key: key }, 413, 'payload-too-large', 'x'.repeat(300_000)],
    ] as const) {
      const answer = await fetch(`${app.url}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept, ...headers },
        body,
      });
      expect({ status: answer.status, type: answer.headers.get('content-type') }).toEqual({ status, type });
      expect(await answer.json()).toEqual({
        errors: [{ message: expect.any(String), extensions: expect.objectContaining({ code }) }],
      });
    }
  });
});

test('a refused write request has platform_error, as refused writes have; others have not', async () => {
  const send = async (method: string, path: string, body: string) => {
    const answer = await fetch(app.url + path, {
      method,
      headers: { api_key: key, 'content-type': 'application/json' },
      body,
    });
    return { status: answer.status, error: ((await answer.json()) as any).error };
  };
  for (const path of ['/accounting/items', '/v3/accounting/items', '/v3/accounting/documents']) {
    for (const body of ['{}', '{', '{"company_id":"x","data":[{}]}', '{"company_id":1,"data":[]}']) {
      const { status, error } = await send('POST', path, body);
      expect({ path, body, status, error }).toMatchObject({ status: expect.any(Number) });
      if (status === 400) expect(error).toHaveProperty('platform_error', null);
      else expect([404]).toContain(status);
    }
  }
  expect((await send('PUT', '/v3/accounting/items', '[]')).error).toHaveProperty('platform_error', null);
  expect((await send('POST', '/accounting/items/all', '[]')).error).not.toHaveProperty('platform_error');
});

test.each([
  'text/plain',
  'application/xml',
  'multipart/form-data',
  'nonsense',
  'application/json; charset=utf-16',
  '',
])('a link page is a page, and no 500, to a body of the type %j', async (type) => {
  const answer = await fetch(`${app.url}/link/0123456789abcdef0123456789abcdef`, {
    method: 'POST',
    headers: type === '' ? {} : { 'content-type': type },
    body: Buffer.from('{"platform":'),
  });
  expect([400, 404, 415]).toContain(answer.status);
  expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
});
