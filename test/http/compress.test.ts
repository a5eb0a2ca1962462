import { createHook } from 'node:async_hooks';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { request } from 'undici';
import type { App } from '../../src/app.js';
import { bestEncoding } from '../../src/http/answers/compress.js';
import { storeBooks } from '../support/books.js';
import { createTenant, type Tenant } from '../support/seed.js';
import { createCaller, startApp } from '../support/service.js';

let app: App;
let acme: Tenant;
let key: string;

beforeAll(async () => {
  app = await startApp();
  acme = await createTenant(app, 'compress');
  await storeBooks(acme);
  ({ key } = await createCaller(app, acme.organisationId));
});
afterAll(() => app.close());

async function ask(path: string, headers: Record<string, string> = {}) {
  const answer = await request(app.url + path, { headers: { api_key: key, ...headers } });
  return { headers: answer.headers, body: Buffer.from(await answer.body.arrayBuffer()) };
}

const RECORDS = 'accounts(first: 100) { nodes { id name platformId svcCreatedAt svcUpdatedAt } }';
/** A query by GET, for a client that takes gzip. */
const graphql = (selection: string) =>
  ask(`/graphql?query=${encodeURIComponent(`{ ${selection} }`)}`, { 'accept-encoding': 'gzip' });

const LIST = '/v3/accounting/accounts?sort[nominal_code]=ASC';

describe('an answer above 1 KB', () => {
  test.each([
    ['gzip', 'gzip', gunzipSync],
    ['br', 'br', brotliDecompressSync],
    ['gzip, deflate, br', 'br', brotliDecompressSync],
    ['gzip;q=1.0, br;q=0.5', 'gzip', gunzipSync],
  ] as const)('is compressed for Accept-Encoding: %s', async (accepted, encoding, decode) => {
    const plain = await ask(LIST);
    const packed = await ask(LIST, { 'accept-encoding': accepted });
    expect(plain.headers['content-encoding']).toBeUndefined();
    expect(packed.headers['content-encoding']).toBe(encoding);
    expect(packed.headers['content-length']).toBe(String(packed.body.length));
    expect(packed.headers['vary']).toContain('Accept-Encoding');
    expect(packed.body.length).toBeLessThan(plain.body.length / 2);
    expect(decode(packed.body).equals(plain.body)).toBe(true);
  });

  test.each(['identity', 'deflate', 'br;q=0, gzip;q=0', '*;q=0'])(
    'goes as it is for Accept-Encoding: %s',
    async (accepted) => {
      const { headers } = await ask(LIST, { 'accept-encoding': accepted });
      expect(headers['content-encoding']).toBeUndefined();
    },
  );

  test('of GraphQL is compressed, too', async () => {
    const { headers, body } = await graphql(RECORDS);
    expect(headers['content-encoding']).toBe('gzip');
    expect(JSON.parse(gunzipSync(body).toString()).data.accounts.nodes).toHaveLength(9);
  });
});

test('a small answer goes as it is', async () => {
  const { headers } = await ask('/health/live', { 'accept-encoding': 'gzip, br' });
  expect(headers['content-encoding']).toBeUndefined();
});

test('an answer with secrets goes as it is, however long', async () => {
  const { headers, body } = await graphql(`${RECORDS} integrations { nodes { clientSecret } }`);
  expect(body.length).toBeGreaterThan(1024);
  expect(headers['cache-control']).toContain('no-store');
  expect(headers['content-encoding']).toBeUndefined();
});

test('an event stream brings each event when it happens, also through a proxy that compresses answers', async () => {
  const stop = new AbortController();
  const answer = await fetch(`${app.url}/v3/core/changes`, {
    headers: { api_key: key, accept: 'text/event-stream', 'accept-encoding': 'gzip, br' },
    signal: stop.signal,
  });
  // Either forbids to compress: Caddy and nginx heed the first, HAProxy both, Express and CDNs the second.
  expect(answer.headers.get('content-encoding')).toBe('identity');
  expect(answer.headers.get('cache-control')).toBe('private, no-cache, no-transform');
  const reader = (answer.body as ReadableStream<Uint8Array>).getReader();
  const text = Buffer.from((await reader.read()).value ?? []).toString();
  expect(text).toContain('data: {');
  stop.abort();
});

test.each([
  [undefined, null],
  ['', null],
  ['*', 'br'],
  ['gzip', 'gzip'],
  ['GZIP', 'gzip'],
  ['x-gzip', 'gzip'],
  ['br;q=0.1, *;q=0.5', 'gzip'],
  ['gzip;q=nonsense', null],
])('the best of %s is %s', (header, best) => {
  expect(bestEncoding(header)).toBe(best);
});

test('a script of a page is compressed when it is first asked for, and not again', async () => {
  let compressions = 0;
  const hook = createHook({ init: (_id, type) => (compressions += type === 'ZLIB' ? 1 : 0) }).enable();
  try {
    const plain = await ask('/playground/react.js');
    const answers = [];
    for (let times = 0; times < 3; times += 1) {
      answers.push(await ask('/playground/react.js', { 'accept-encoding': 'br' }));
    }
    expect(compressions).toBe(1);
    expect(answers.map(({ headers }) => headers['content-encoding'])).toEqual(['br', 'br', 'br']);
    expect(answers.every(({ body }) => brotliDecompressSync(body).equals(plain.body))).toBe(true);
  } finally {
    hook.disable();
  }
});
