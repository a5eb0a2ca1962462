import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { Writable } from 'node:stream';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { type App, createApp } from '../../src/app.js';
import { readConfig } from '../../src/config/config.js';
import { integrationTypes } from '../../src/connectors/index.js';
import type { ConnectedAccount } from '../../src/connect/store-connection.js';
import { connectDatabase } from '../../src/db/database.js';
import type { Sandbox } from '../../src/sandbox/index.js';
import { giveToken, type OddPlatform, type PlatformHandler, startOddPlatform } from '../support/platform.js';
import {
  control,
  createSandboxTenant,
  engineOf,
  type SandboxTenant,
  startTestSandbox,
  testSecrets,
} from '../support/sandbox.js';
import { createTenant, type Tenant } from '../support/seed.js';
import {
  type Answer,
  type Caller,
  createCaller,
  startApp,
  TEST_SECRET_KEY,
  testDatabaseUrl,
  testLogin,
} from '../support/service.js';
import { admin } from '../support/admin.js';

const PATH = '/v3/core/passthrough';
const platformHeaders = ({ headers }: Answer) =>
  Object.fromEntries([...headers].filter(([name]) => name.startsWith('x-platform-')));
const errorOf = ({ status, body, headers }: Answer) => ({
  status,
  code: body.error?.code,
  field: body.error?.field,
  platform: headers.get('x-platform-status'),
});

describe('through the sandbox', () => {
  let sandbox: Sandbox;
  let app: App;
  let tenant: SandboxTenant;
  let books: ConnectedAccount;
  let shop: ConnectedAccount;
  let caller: Caller;

  beforeAll(async () => {
    sandbox = await startTestSandbox({ limits: { perMinute: 10_000, concurrent: 0 } });
    app = await startApp({ SANDBOX_URL: sandbox.url });
    tenant = await createSandboxTenant(engineOf(app, sandbox.url), sandbox);
    shop = await tenant.connect('ECOMMERCE');
    books = await tenant.connect('ACCOUNTING');
    caller = await createCaller(app, tenant.organisationId, { scopes: ['read', 'passthrough'] });
  });
  afterAll(async () => {
    await app?.close();
    await sandbox?.stop();
  });

  const pass = (data: object, more: object = {}) =>
    caller.post(PATH, { company_id: tenant.companyId, data, ...more });
  const fault = (rule: object) =>
    control(sandbox, 'POST', '/faults', {
      rules: [{ platform: 'accounting', account: tenant.account, count: 1, ...rule }],
    });

  test('a list comes as the platform answers it, with its limits', async () => {
    const answer = await pass({ method: 'GET', path: '/Currencies', params: { pageSize: 1, page: 2 } });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      data: {
        Paging: { Page: 2, PageSize: 1, PageCount: expect.any(Number), ItemCount: expect.any(Number) },
        Currencies: [expect.objectContaining({ Guid: expect.any(String), ExchangeRate: expect.any(String) })],
      },
    });
    expect(platformHeaders(answer)).toEqual({
      'x-platform-status': '200',
      'x-platform-content-type': expect.stringContaining('application/json'),
      'x-platform-sandbox-limit-remaining': expect.any(String),
    });
    expect(answer.headers.get('x-svc-connection-id')).toBe(String(books.connectionId));
    expect(answer.headers.get('x-svc-warning')).toBeNull();
  });

  test('a write is done once, and its validation is passed on in the words of the platform', async () => {
    const data = { method: 'POST', path: '/Partners', data: { Title: 'By hand', Role: 'customer' } };
    const made = await pass(data);
    expect(made.headers.get('x-platform-status')).toBe('201');
    const [{ Guid, Title }] = made.body.data.Partners;
    expect(Title).toBe('By hand');
    const seen = await pass({ method: 'get', path: `/Partners/${Guid}` });
    expect(seen.body).toEqual(made.body);

    const refused = await pass({ ...data, data: { Title: 'Nobody' } });
    expect([refused.status, refused.headers.get('x-platform-status')]).toEqual([200, '422']);
    expect(refused.body.data.Error).toMatchObject({
      Code: 'ValidationFailed',
      Problems: [{ Field: 'Role', Code: 'Required' }],
    });
    const absent = await pass({ method: 'PUT', path: '/Partners/nobody', data: { Title: 'x' } });
    expect([absent.status, absent.headers.get('x-platform-status')]).toEqual([200, '404']);
    const changed = await pass({ method: 'PUT', path: `/Partners/${Guid}`, data: { Title: 'Changed' } });
    expect(changed.body.data.Partners[0].Title).toBe('Changed');
    const gone = await pass({ method: 'DELETE', path: `/Partners/${Guid}` });
    expect([gone.status, gone.headers.get('x-platform-status'), gone.body]).toEqual([
      200,
      '204',
      { data: null },
    ]);
  });

  test("the platform's idempotency key is the caller's", async () => {
    const data = {
      method: 'POST',
      path: '/Partners',
      headers: { 'Idempotency-Key': 'made-once' },
      data: { Title: 'Once', Role: 'customer' },
    };
    const [first, second] = [await pass(data), await pass(data)];
    expect(second.body).toEqual(first.body);
  });

  test('a token that has expired is renewed, also for a write', async () => {
    await control(sandbox, 'POST', `/accounts/${tenant.account}/tokens`, { action: 'expire' });
    const answer = await pass({
      method: 'POST',
      path: '/Partners',
      data: { Title: 'Renewed', Role: 'supplier' },
    });
    expect(answer.headers.get('x-platform-status')).toBe('201');
    const { writes } = await control(sandbox, 'GET', `/writes?account=${tenant.account}&platform=accounting`);
    expect(writes.filter(({ id }: any) => id === answer.body.data.Partners[0].Guid)).toHaveLength(1);
  });

  test('a token that is refused twice is the word of the platform, and the connection has expired', async () => {
    const other = await createSandboxTenant(engineOf(app, sandbox.url), sandbox);
    await other.connect('ACCOUNTING');
    const mine = await createCaller(app, other.organisationId);
    const request = { company_id: other.companyId, data: { method: 'GET', path: '/Organisation' } };
    await fault({ fault: 'expired-token', account: other.account, count: 2 });
    const answer = await mine.post(PATH, request);
    expect([answer.status, answer.headers.get('x-platform-status')]).toEqual([200, '401']);
    expect(answer.body.data.Error.Code).toBe('TokenExpired');
    expect(errorOf(await mine.post(PATH, request))).toMatchObject({
      status: 409,
      code: 'connection-expired',
    });
    await other.connect('ACCOUNTING');
    expect((await mine.post(PATH, request)).body.data.Organisation).toBeTruthy();
  });

  test('a page that is no JSON is text', async () => {
    await fault({ fault: 'html' });
    const answer = await pass({ method: 'GET', path: '/Organisation' });
    expect([answer.status, answer.headers.get('x-platform-status')]).toEqual([200, '502']);
    expect(answer.body.data).toMatch(/^<.*>/s);
  });

  test('an answer that breaks off cannot be read, and nothing is sent again', async () => {
    const writes = async () =>
      (await control(sandbox, 'GET', `/writes?account=${tenant.account}&platform=accounting`)).writes.length;
    const before = await writes();
    await fault({ fault: 'cut' });
    const partner = { Title: 'Cut', Role: 'customer' };
    const answer = await pass({ method: 'POST', path: '/Partners', data: partner });
    expect(errorOf(answer)).toEqual({ status: 502, code: 'platform-answer', field: '', platform: null });
    expect(await writes()).toBe(before + 1);
  });

  test('a failure of the platform is passed on at once', async () => {
    await fault({ fault: '500' });
    const answer = await pass({ method: 'GET', path: '/Organisation' });
    expect([answer.status, answer.headers.get('x-platform-status')]).toEqual([200, '500']);
    expect((await pass({ method: 'GET', path: '/Organisation' })).headers.get('x-platform-status')).toBe(
      '200',
    );
  });

  test('too many requests are passed on with the pause, which then holds for the connection', async () => {
    await fault({ fault: '429' });
    const began = Date.now();
    const answer = await pass({ method: 'GET', path: '/Organisation' });
    expect([answer.status, platformHeaders(answer)]).toEqual([
      200,
      expect.objectContaining({ 'x-platform-status': '429', 'x-platform-retry-after': '1' }),
    ]);
    expect((await pass({ method: 'GET', path: '/Organisation' })).headers.get('x-platform-status')).toBe(
      '200',
    );
    expect(Date.now() - began).toBeGreaterThanOrEqual(1000);
  });

  test('a platform that hangs is a time-out', async () => {
    const hurried = await startApp({ SANDBOX_URL: sandbox.url, LIMIT_PASSTHROUGH_MILLISECONDS: '300' });
    try {
      await fault({ fault: 'hang' });
      const mine = await createCaller(hurried, tenant.organisationId);
      const answer = await mine.post(PATH, {
        company_id: tenant.companyId,
        data: { method: 'GET', path: '/Organisation' },
      });
      expect(errorOf(answer)).toEqual({ status: 504, code: 'platform-timeout', field: '', platform: null });
    } finally {
      // A call that ran out of time on its way leaves the fault to the next one.
      await control(sandbox, 'DELETE', '/faults');
      await hurried.close();
    }
  });

  test('the connection is the one that is named, or the accounting one although another is older', async () => {
    const query = { method: 'GET', path: '/Organisation' };
    const through = (answer: Answer) => Number(answer.headers.get('x-svc-connection-id'));
    expect(shop.connectionId).toBeLessThan(books.connectionId);
    expect(through(await pass(query))).toBe(books.connectionId);
    expect(through(await pass(query, { integration_type: 'SVC_SANDBOX' }))).toBe(books.connectionId);
    const named = await pass(query, { connection_id: shop.connectionId });
    expect(through(named)).toBe(shop.connectionId);
    expect(errorOf(await pass(query, { integration_type: 'XERO' }))).toMatchObject({
      status: 404,
      code: 'not-found',
    });
    expect(errorOf(await pass(query, { integration_type: 'NOBODY' }))).toMatchObject({
      status: 400,
      field: 'integration_type',
    });
    expect(errorOf(await pass(query, { connection_id: 1e9 }))).toMatchObject({
      status: 404,
      field: 'connection_id',
    });
  });

  test('counts against the budget of the connection', async () => {
    const calls = async () => {
      const where = { svcId: BigInt(books.connectionId) };
      const row = await admin.prisma.connection.findFirstOrThrow({ where });
      return [row.hourCalls, row.concurrentCalls];
    };
    const [before = 0] = await calls();
    await pass({ method: 'GET', path: '/Organisation' });
    expect(await calls()).toEqual([before + 1, 0]);
  });

  test('a connection that has expired says so, and is marked where the platform refuses to renew it', async () => {
    const other = await createSandboxTenant(engineOf(app, sandbox.url), sandbox);
    const { connectionId } = await other.connect('ACCOUNTING');
    const mine = await createCaller(app, other.organisationId);
    await control(sandbox, 'POST', `/accounts/${other.account}/tokens`, { action: 'revoke' });
    const request = { company_id: other.companyId, data: { method: 'GET', path: '/Organisation' } };
    for (const field of ['', 'connection_id']) {
      const answer = await mine.post(PATH, request);
      expect(errorOf(answer)).toEqual({ status: 409, code: 'connection-expired', field, platform: null });
      // Why the token was refused, and not only that there is no other one.
      if (field === '') expect(answer.body.error.message).toMatch(/ refused the request with 401: .+\)$/);
    }
    const where = { svcId: BigInt(connectionId) };
    expect((await admin.prisma.connection.findFirstOrThrow({ where })).status).toBe('EXPIRED');
  });

  test('a disabled integration is not called, nor for one record read at once', async () => {
    const other = await createSandboxTenant(engineOf(app, sandbox.url), sandbox);
    await other.connect('ACCOUNTING');
    const mine = await createCaller(app, other.organisationId);
    const setDisabled = (isDisabled: boolean) =>
      admin.prisma.integration.updateMany({
        where: { svcOrganisationId: BigInt(other.organisationId) },
        data: { isDisabled },
      });
    const { companyId: company_id } = other;
    const ask = () =>
      Promise.all([
        mine.post(PATH, { company_id, data: { method: 'GET', path: '/Organisation' } }),
        mine.post('/v3/core/real_time', { company_id, data_model: 'COMPANY_INFO', variables: {} }),
      ]);
    await control(sandbox, 'DELETE', '/statistics');
    await setDisabled(true);
    for (const answer of await ask()) {
      expect(errorOf(answer)).toMatchObject({ status: 409, code: 'conflict', platform: null });
      expect(answer.headers.get('retry-after')).toBeNull();
    }
    expect((await control(sandbox, 'GET', '/statistics')).requests).toEqual([]);
    await setDisabled(false);
    expect((await ask()).map(({ status }) => status)).toEqual([200, 200]);
  });

  test('GraphQL answers the same', async () => {
    const MUTATION = `mutation ($input: PassthroughInput!) { passthrough(input: $input) {
      clientMutationId connectionId status headers data userErrors { code field message } } }`;
    const send = (input: object) =>
      caller.graphql(MUTATION, {
        input: { clientMutationId: 'mine', companyId: tenant.companyId, ...input },
      });
    const { body } = await send({ data: { method: 'GET', path: '/Organisation' } });
    expect(body).toEqual({
      data: {
        passthrough: {
          clientMutationId: 'mine',
          connectionId: books.connectionId,
          status: 200,
          headers: {
            'content-type': expect.stringContaining('application/json'),
            'sandbox-limit-remaining': expect.any(String),
          },
          data: { Organisation: expect.objectContaining({ BaseCurrency: expect.any(String) }) },
          userErrors: [],
        },
      },
    });
    const refused = await send({ data: { method: 'GET', path: '/../oauth/whoami' } });
    expect(refused.body.data.passthrough).toEqual({
      clientMutationId: 'mine',
      connectionId: null,
      status: null,
      headers: null,
      data: null,
      userErrors: [
        { code: 'INVALID_PARAMS', field: ['data', 'path'], message: expect.stringMatching(/^data\.path/) },
      ],
    });
    await fault({ fault: 'cut' });
    const broken = await send({ data: { method: 'GET', path: '/Organisation' } });
    expect(broken.body.errors[0].extensions.code).toBe('platform-answer');
  });
});

describe('through a platform that does what it wants', () => {
  const TOKEN = 'token-of-the-connection/1+2';
  let platform: OddPlatform;
  let app: App;
  let acme: Tenant;
  let caller: Caller & { keyId: string };
  let other: Tenant;
  const logged: any[] = [];

  beforeAll(async () => {
    platform = await startOddPlatform();
    const url = testDatabaseUrl();
    const config = readConfig(
      {
        DATABASE_URL: url,
        PORT: '0',
        SECRET_KEYS: TEST_SECRET_KEY,
        SANDBOX_URL: platform.url,
        LIMIT_REQUESTS_PER_MINUTE: '0',
        LIMIT_ORGANISATION_REQUESTS_PER_MINUTE: '0',
        LOG_REQUESTS: 'off',
      },
      integrationTypes,
    );
    const lines = new Writable({
      write: (chunk: Buffer, _encoding, done) => {
        logged.push(JSON.parse(chunk.toString()));
        done();
      },
    });
    app = await createApp({
      config,
      database: await connectDatabase(testLogin(url), config, { onError: () => undefined }),
      secrets: testSecrets,
      urls: config.platformUrls,
      log: pino({ level: 'info' }, lines),
      demoApiKey: null,
    });
    acme = await createTenant(app, 'passthrough');
    other = await createTenant(app, 'passthrough other');
    await giveToken(app, acme, TOKEN);
    caller = await createCaller(app, acme.organisationId);
  });
  afterAll(async () => {
    await app?.close();
    await platform?.close();
  });
  beforeEach(() => {
    platform.heard.length = 0;
    logged.length = 0;
  });

  const pass = (data: object = {}, more: object = {}) =>
    caller.post(PATH, { company_id: acme.companyId, data: { method: 'GET', path: '/a', ...data }, ...more });
  const answering = (
    body: string | Buffer,
    headers: Record<string, string | string[]> = {},
    status = 200,
  ): PlatformHandler => {
    return (_heard, response) =>
      void response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
  };

  test('it gets the request with what the connection adds, and nothing of ours', async () => {
    platform.answer(answering('{}'));
    await pass({
      method: 'PATCH',
      path: '/a/b%20c;d',
      params: { q: 'x&y +', ids: [1, 2] },
      headers: { Accept: 'application/xml', 'Sandbox-Company': 'somebody else', 'x-own': 'mine' },
      data: { amount: 1.5 },
    });
    expect(platform.heard).toEqual([
      {
        method: 'PATCH',
        url: '/accounting/api/2/a/b%20c;d?q=x%26y%20%2B&ids=1&ids=2',
        headers: {
          host: new URL(platform.url).host,
          connection: 'keep-alive',
          accept: 'application/xml',
          'accept-encoding': 'gzip, deflate, br',
          authorization: `Bearer ${TOKEN}`,
          'sandbox-company': 'test',
          'content-type': 'application/json',
          'content-length': '14',
          'x-own': 'mine',
        },
        body: '{"amount":1.5}',
      },
    ]);
  });

  test('a text goes as it is, to the last digit', async () => {
    platform.answer(answering('{}'));
    const headers = { 'content-type': 'application/json' };
    const data = '{"amount": 12345678901234567890.10}';
    await pass({ method: 'POST', headers, data });
    expect(platform.heard[0]?.body).toBe(data);
  });

  test.each([301, 302, 303, 307, 308])('a redirect with %i is not followed', async (status) => {
    platform.answer((heard, response) =>
      heard.url.endsWith('/a')
        ? answering('{"moved":true}', { location: `${platform.url}/elsewhere` }, status)(heard, response)
        : answering('{"followed":true}')(heard, response),
    );
    const answer = await pass({ method: 'POST', data: {} });
    expect([answer.status, answer.headers.get('x-platform-status')]).toEqual([200, String(status)]);
    expect(answer.body).toEqual({ data: { moved: true } });
    expect(platform.heard).toHaveLength(1);
  });

  test('of its headers, only the harmless ones come through', async () => {
    platform.answer(
      answering('{}', {
        'set-cookie': ['session=1', 'other=2'],
        'x-ratelimit-remaining': '7',
        'ratelimit-policy': '10;w=1',
        'x-shopify-shop-api-call-limit': '1/40',
        'x-minlimit-remaining': '59',
        'request-id': 'req_1',
        'xero-correlation-id': 'abc',
        'retry-after': '3',
        'x-odd-request-id': `caf\xe9 ${TOKEN}`,
        server: 'nginx',
        location: 'http://evil.example/',
        'access-control-allow-origin': '*',
        'content-security-policy': 'none',
        'x-svc-connection-id': '0',
        'api-key': 'x',
      }),
    );
    const answer = await pass();
    expect(platformHeaders(answer)).toEqual({
      'x-platform-status': '200',
      'x-platform-content-type': 'application/json',
      'x-platform-x-ratelimit-remaining': '7',
      'x-platform-ratelimit-policy': '10;w=1',
      'x-platform-x-shopify-shop-api-call-limit': '1/40',
      'x-platform-x-minlimit-remaining': '59',
      'x-platform-request-id': 'req_1',
      'x-platform-xero-correlation-id': 'abc',
      'x-platform-retry-after': '3',
      'x-platform-x-odd-request-id': expect.stringMatching(/^caf\?+ \[redacted\]$/),
    });
    for (const name of ['set-cookie', 'location', 'server', 'access-control-allow-origin']) {
      expect(answer.headers.get(name)).toBeNull();
    }
    expect(answer.headers.get('x-svc-connection-id')).toBe(String(acme.connectionId));
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(answer.headers.get('cache-control')).toBe('no-store');
  });

  test('the token that it repeats is blacked out', async () => {
    platform.answer((heard, response) =>
      answering(JSON.stringify({ you: heard.headers, escaped: encodeURIComponent(TOKEN) }))(heard, response),
    );
    const answer = await pass();
    expect(answer.text).not.toContain('token-of-the-connection');
    expect(answer.body.data.you.authorization).toBe('Bearer [redacted]');
    expect(answer.body.data.escaped).toBe('[redacted]');
  });

  test('numbers, keys and white space come as they were written', async () => {
    const json = '{ "b": 12345678901234567890.10, "a": 1e400, "1": 1.0, "a": [-0] }';
    platform.answer(answering(json));
    expect((await pass()).text).toBe(`{"data":${json}}`);
    const query = `mutation { passthrough(input: { companyId: ${acme.companyId}, data: { method: GET, path: "/a" } }) { data } }`;
    expect((await caller.graphql(query)).text).toContain(`"data":${json}`);
  });

  test.each([
    ['no JSON', 'application/json', 'oops', 'oops'],
    ['JSON by another name', 'text/html', ' {"a":1}', { a: 1 }],
    ['a number as text', 'text/plain', '0012', '0012'],
    ['a number as JSON', 'application/json', '12', 12],
    ['JSON of a kind', 'application/problem+json', '"a"', 'a'],
    ['a table', 'text/csv', 'a,b\n1,2\n', 'a,b\n1,2\n'],
    ['a mark of ours', 'text/plain', '\0raw:0', '\0raw:0'],
    ['a mark of ours in JSON', 'application/json', '["\\u0000raw:0"]', ['\0raw:0']],
    ['half a pair', 'application/json', '["\\ud800"]', ['\ud800']],
    ['nothing', 'application/json', '', null],
    ['nothing but a byte order mark', 'application/json', '\u{FEFF}', null],
    ['a byte order mark', 'application/json', '\u{FEFF}[1]', [1]],
  ])('%s', async (_title, type, sent, expected) => {
    platform.answer(answering(sent, { 'content-type': type }));
    expect((await pass()).body).toEqual({ data: expected });
  });

  test.each([
    ['gzip', gzipSync],
    ['GZIP', gzipSync],
    ['deflate', deflateSync],
    ['deflate', deflateRawSync],
    ['br', brotliCompressSync],
    ['identity', (text: string) => Buffer.from(text)],
  ])('%s is decoded', async (encoding, encode) => {
    const body = JSON.stringify({ text: 'é'.repeat(100_000) });
    platform.answer(answering(encode(body), { 'content-encoding': encoding }));
    expect((await pass()).text).toBe(`{"data":${body}}`);
  });

  test.each(['zstd', 'gzip, gzip', 'x'])('the encoding %s cannot be read', async (encoding) => {
    platform.answer(answering('{"a":1}', { 'content-encoding': encoding }));
    const answer = await pass();
    expect(errorOf(answer)).toMatchObject({ status: 502, code: 'platform-answer' });
    expect(answer.body.error.message).toContain(encoding);
  });

  test.each([
    ['cut off', gzipSync('{"a":1}').subarray(0, -9)],
    ['no gzip', Buffer.from('{"a":1}')],
  ])('gzip that is %s cannot be read', async (_title, body) => {
    platform.answer(answering(body, { 'content-encoding': 'gzip' }));
    expect(errorOf(await pass())).toMatchObject({ status: 502, code: 'platform-answer' });
  });

  test('an answer without a body may name an encoding', async () => {
    platform.answer(answering('', { 'content-encoding': 'gzip' }));
    expect((await pass({ method: 'HEAD' })).body).toEqual({ data: null });
    expect((await pass()).body).toEqual({ data: null });
  });

  test('a bomb is not unpacked', async () => {
    const bomb = gzipSync(Buffer.alloc(200_000_000, ' '));
    expect(bomb.length).toBeLessThan(200_000);
    // It never ends, so that only who counts on the way comes to an end.
    platform.answer(
      (_heard, response) => void response.writeHead(200, { 'content-encoding': 'gzip' }).write(bomb),
    );
    const answer = await pass();
    expect(errorOf(answer)).toMatchObject({ status: 502, code: 'platform-answer' });
    expect(answer.body.error.message).toContain('is longer than 10000000 bytes');
  });

  test('JSON that is too deep is refused, whatever it is called', async () => {
    const deep = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
    for (const type of ['application/json', 'text/plain']) {
      platform.answer(answering(deep(65), { 'content-type': type }));
      expect(errorOf(await pass())).toMatchObject({ status: 502, code: 'platform-answer' });
      platform.answer(answering(deep(64), { 'content-type': type }));
      expect((await pass()).text).toBe(`{"data":${deep(64)}}`);
    }
  });

  test.each<[string, PlatformHandler, number, string]>([
    [
      'closes the connection',
      (_heard, response) => void response.socket?.destroy(),
      502,
      'platform-unreachable',
    ],
    [
      'answers no HTTP',
      (_heard, response) => void response.socket?.end('SSH-2.0-OpenSSH\r\n\r\n'),
      502,
      'platform-answer',
    ],
  ])('one that %s is our error, and is asked once', async (_title, handler, status, code) => {
    platform.answer(handler);
    expect(errorOf(await pass({ method: 'POST', data: {} }))).toMatchObject({ status, code, platform: null });
    expect(platform.heard).toHaveLength(1);
  });

  test('a 401 without another token is not ours', async () => {
    platform.answer(answering('{"no":1}', { 'www-authenticate': 'Bearer' }, 401));
    const broken = await createTenant(app, 'passthrough broken');
    await giveToken(app, broken, TOKEN);
    const mine = await createCaller(app, broken.organisationId);
    const answer = await mine.post(PATH, {
      company_id: broken.companyId,
      data: { method: 'GET', path: '/a' },
    });
    expect(answer.status).not.toBe(401);
    expect(answer.headers.get('www-authenticate')).toBeNull();
  });

  test('the log has who, what and how it ended, and nothing that was said', async () => {
    platform.answer(answering('{"secret":"é"}', { 'request-id': 'canary-header' }, 422));
    await pass({
      method: 'POST',
      path: '/logged',
      params: { key: 'canary-param' },
      headers: { 'x-own': 'canary-value' },
      data: { a: 'canary-data' },
    });
    const [line, ...more] = logged;
    expect(more).toEqual([]);
    const { level, time: _time, pid: _pid, hostname: _hostname, requestId, ...noted } = line;
    expect([level, requestId]).toEqual([30, expect.any(String)]);
    expect(noted).toEqual({
      keyId: caller.keyId,
      companyId: acme.companyId,
      connectionId: acme.connectionId,
      method: 'POST',
      path: '/logged',
      status: 422,
      bytes: 15,
      ms: expect.any(Number),
      msg: 'passthrough',
    });
    logged.length = 0;
    platform.answer((_heard, response) => void response.socket?.destroy());
    await pass({ path: '/broken' });
    expect(logged).toEqual([
      expect.objectContaining({ path: '/broken', status: null, bytes: 0, error: 'platform-unreachable' }),
    ]);
    expect(JSON.stringify(logged)).not.toMatch(/canary|secret|token/);
  });

  describe('is not asked', () => {
    const nothingSent = async (answer: Promise<Answer>, expected: object) => {
      const { status, body } = await answer;
      expect({ status, ...body.error }).toMatchObject(expected);
      expect(platform.heard).toEqual([]);
    };

    test.each([
      [{ path: '/../secrets' }, 'data.path'],
      [{ path: '//evil.example/' }, 'data.path'],
      [{ path: '/%2e%2e/x' }, 'data.path'],
      [{ method: 'TRACE' }, 'data.method'],
      [{ headers: { Authorization: 'Bearer mine' } }, 'data.headers'],
      [{ headers: { 'x-a': 'b\r\nc: d' } }, 'data.headers'],
      [{ headers: 'a: b' }, 'data.headers'],
      [{ params: { a: { b: 1 } } }, 'data.params'],
      [{ data: { a: 1 } }, 'data.data'],
      [{ method: 1 }, 'data.method'],
      [{ path: null }, 'data.path'],
    ])('for %j', async (data, field) => {
      await nothingSent(pass(data), { status: 400, field });
    });

    test('without company, method and path', async () => {
      const missing = { status: 400, code: 'missing-params' };
      await nothingSent(caller.post(PATH, { data: {} }), { ...missing, field: 'company_id' });
      await nothingSent(caller.post(PATH, { company_id: acme.companyId }), { ...missing, field: 'data' });
      const data = { path: '/a' };
      await nothingSent(caller.post(PATH, { company_id: acme.companyId, data }), {
        ...missing,
        field: 'data.method',
      });
      await nothingSent(caller.post(PATH, { company_id: acme.companyId, data: 'x' }), {
        status: 400,
        field: 'data',
      });
    });

    test('by a key without the scope', async () => {
      const writer = await createCaller(app, acme.organisationId, { scopes: ['read', 'write'] });
      const request = { company_id: acme.companyId, data: { method: 'GET', path: '/a' } };
      await nothingSent(writer.post(PATH, request), { status: 403, code: 'forbidden' });
      const query = `mutation { passthrough(input: { companyId: ${acme.companyId}, data: { method: GET, path: "/a" } }) { status } }`;
      const { body } = await writer.graphql(query);
      expect(body.errors[0].extensions.code).toBe('forbidden');
      expect(platform.heard).toEqual([]);
    });

    test("for another organisation's company, which is as one that there is not", async () => {
      const request = (more: object) => ({ data: { method: 'GET', path: '/a' }, ...more });
      await giveToken(app, other, TOKEN);
      const bodyOf = async (more: object) => {
        const { status, body } = await caller.post(PATH, request(more));
        return { status, ...body.error };
      };
      const absent = await bodyOf({ company_id: 9007199254740000 });
      expect(absent).toMatchObject({ status: 404, code: 'not-found', field: 'company_id' });
      expect(await bodyOf({ company_id: other.companyId })).toEqual(absent);
      const foreign = { company_id: acme.companyId, connection_id: other.connectionId };
      const unknown = { company_id: acme.companyId, connection_id: 9007199254740000 };
      expect(await bodyOf(foreign)).toEqual(await bodyOf(unknown));
      expect(await bodyOf(foreign)).toMatchObject({ status: 404, field: 'connection_id' });
      const second = await acme.company('second');
      const limited = await createCaller(app, acme.organisationId, { companyIds: [second.companyId] });
      await nothingSent(limited.post(PATH, request({ company_id: acme.companyId })), { status: 404 });
    });

    test('for a company without a connection, or with one that has expired', async () => {
      const company = await acme.company('bare');
      const request = { company_id: company.companyId, data: { method: 'GET', path: '/a' } };
      const where = { svcId: BigInt(company.connectionId) };
      await admin.prisma.connection.updateMany({ where, data: { status: 'EXPIRED' } });
      await nothingSent(caller.post(PATH, request), { status: 409, code: 'connection-expired' });
      await admin.prisma.connection.deleteMany({ where });
      await nothingSent(caller.post(PATH, request), { status: 404, code: 'not-found', field: 'company_id' });
    });
  });
});
