import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createSocketServer, type Socket } from 'node:net';

import { gzipSync } from 'node:zlib';

import { afterEach, describe, expect, test } from '@jest/globals';

import { plainAccess, type PlatformAccess } from '../../src/connectors/platform-access.js';
import { type Classify } from '../../src/connectors/answers.js';
import { PlatformPause } from '../../src/connectors/client/platform-errors.js';
import {
  createPlatformClient,
  type PlatformClientOptions,
} from '../../src/connectors/client/platform-client.js';
import { stretched } from '../support/time.js';

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

const servers: Server[] = [];

afterEach(async () => {
  for (const running of servers.splice(0)) {
    running.closeAllConnections();
    await new Promise((resolve) => running.close(resolve));
  }
});

/** By the platform's clock. */
const answeredAt = expect.any(Date);

/** A platform that answers with each handler in turn, the last one for ever. */
async function platform(
  ...handlers: readonly Handler[]
): Promise<{ baseUrl: string; seen: IncomingMessage[] }> {
  const seen: IncomingMessage[] = [];
  const started = createServer((request, response) => {
    seen.push(request);
    handlers[Math.min(seen.length, handlers.length) - 1]?.(request, response);
  });
  servers.push(started);
  await new Promise<void>((resolve) => started.listen(0, '127.0.0.1', resolve));
  return { baseUrl: `http://127.0.0.1:${(started.address() as AddressInfo).port}`, seen };
}

const answer =
  (status: number, body: string, headers: Readonly<Record<string, string>> = {}): Handler =>
  (_request, response) =>
    void response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);

const slept: number[] = [];
function client(baseUrl: string, options: Partial<PlatformClientOptions> = {}) {
  slept.length = 0;
  const sleep = async (ms: number): Promise<void> => void slept.push(ms);
  return createPlatformClient({
    title: 'Acme Books',
    baseUrl,
    access: plainAccess({ accessToken: 'any', externalAccountId: 'acme' }),
    headers: () => ({ 'x-account': 'acme' }),
    sleep,
    ...options,
  });
}

const failure = (code: string, message: RegExp): unknown =>
  expect.objectContaining({ code, message: expect.stringMatching(message) });

describe('a request', () => {
  test('appends the path to that of the base address and encodes the query', async () => {
    const { baseUrl, seen } = await platform(answer(200, '{"ok":true}'));
    const query = { where: 'Name=="A & B+C"', page: '1' };
    await expect(client(`${baseUrl}/api/2.0/`).get('/Invoices', { query })).resolves.toEqual({ ok: true });
    expect(seen[0]?.url).toBe('/api/2.0/Invoices?where=Name%3D%3D%22A%20%26%20B%2BC%22&page=1');
  });

  test('carries the headers of the client and its own', async () => {
    const { baseUrl, seen } = await platform(answer(200, '{}'));
    await client(baseUrl).get('Invoices', { headers: { 'if-modified-since': '2026-01-31T00:00:00' } });
    expect(seen[0]?.url).toBe('/Invoices');
    expect(seen[0]?.headers).toMatchObject({
      'x-account': 'acme',
      'if-modified-since': '2026-01-31T00:00:00',
    });
  });

  test.each(['not an address', 'ftp://127.0.0.1/'])('is not made to %s', (baseUrl) => {
    expect(() => client(baseUrl)).toThrow(failure('invalid-params', /must be an http or https address/));
  });
});

describe('no answer', () => {
  test('a refused connection names platform, address and reason', async () => {
    const { baseUrl } = await platform();
    const port = Number(new URL(baseUrl).port);
    await new Promise((resolve) => servers.pop()?.close(resolve));
    const expected = new RegExp(
      `^Acme Books at http://127\\.0\\.0\\.1:${port}/Invoices .*the connection was refused`,
    );
    await expect(client(baseUrl).get('/Invoices')).rejects.toEqual(failure('platform-unreachable', expected));
  });

  test('a host that does not exist is named', async () => {
    const request = client('http://acme.invalid').get('/Invoices');
    await expect(request).rejects.toEqual(failure('platform-unreachable', /acme\.invalid/));
  });

  test('a platform that hangs is a time-out', async () => {
    const { baseUrl } = await platform(() => undefined);
    const request = client(baseUrl, { timeoutMs: 50 }).get('/Invoices');
    await expect(request).rejects.toEqual(failure('platform-timeout', /within 50 ms/));
  });

  test('a body that never ends is a time-out', async () => {
    const { baseUrl } = await platform((_request, response) => void response.writeHead(200).write('{"a":'));
    const request = client(baseUrl, { timeoutMs: 100 }).get('/Invoices');
    await expect(request).rejects.toEqual(failure('platform-timeout', /within 100 ms/));
  });

  test('a connection that is closed before the answer is told', async () => {
    const { baseUrl } = await platform((request) => request.socket.destroy());
    const request = client(baseUrl).get('/Invoices');
    await expect(request).rejects.toEqual(
      failure('platform-unreachable', /closed before a response arrived/),
    );
  });

  test('an answer that is not HTTP is told', async () => {
    const sockets: Socket[] = [];
    const other = createSocketServer((socket) => {
      sockets.push(socket);
      socket.write('SSH-2.0-OpenSSH_9.2\r\n');
    });
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const request = client(`http://127.0.0.1:${(other.address() as AddressInfo).port}`).get('/Invoices');
    await expect(request).rejects.toEqual(failure('platform-answer', /must answer with HTTP/));
    sockets.forEach((socket) => socket.destroy());
    await new Promise((resolve) => other.close(resolve));
  });
});

describe('a useless answer', () => {
  test('HTML with 200 is shown by its start', async () => {
    const page = `<html>\n  <title>Maintenance</title>${'x'.repeat(500)}</html>`;
    const { baseUrl } = await platform(answer(200, page, { 'content-type': 'text/html' }));
    const expected = /must answer with JSON \(200, text\/html: <html> <title>Maintenance<\/title>x+\.\.\.\)$/;
    await expect(client(baseUrl).get('/Invoices')).rejects.toEqual(failure('platform-answer', expected));
  });

  test.each(['[]', '"text"', '12', 'null'])('%s is no object', async (body) => {
    const { baseUrl } = await platform(answer(200, body));
    const request = client(baseUrl).get('/Invoices');
    await expect(request).rejects.toEqual(failure('platform-answer', /must answer with an object/));
  });

  test('nothing at all is told', async () => {
    const { baseUrl } = await platform(answer(200, ''));
    await expect(client(baseUrl).get('/')).rejects.toEqual(failure('platform-answer', /an empty body/));
  });

  test.each([{ 'content-length': '5000' }, { 'transfer-encoding': 'chunked' }])(
    'a body that is cut off is told (%j)',
    async (headers) => {
      const { baseUrl } = await platform((request, response) => {
        response.writeHead(200, { 'content-type': 'application/json', ...headers });
        response.write('{"Invoices":[', () => setTimeout(() => request.socket.destroy(), 20));
      });
      const request = client(baseUrl).get('/Invoices');
      await expect(request).rejects.toEqual(failure('platform-answer', /was cut off after 13 bytes \(200/));
    },
  );

  test('a body beyond the limit is not read to its end', async () => {
    const { baseUrl } = await platform(answer(200, JSON.stringify({ text: 'x'.repeat(2000) })));
    const request = client(baseUrl, { maxBytes: 1000 }).get('/Invoices');
    await expect(request).rejects.toEqual(failure('platform-answer', /longer than 1000 bytes/));
  });

  test('a redirect is not followed', async () => {
    const { baseUrl, seen } = await platform(answer(302, '', { location: '/elsewhere' }));
    const request = client(baseUrl).get('/Invoices');
    await expect(request).rejects.toEqual(
      failure('platform-answer', /sent a redirect, which is not followed/),
    );
    expect(seen).toHaveLength(1);
  });

  test('a byte order mark does no harm', async () => {
    const { baseUrl } = await platform(answer(200, '\u{FEFF}{"a":1}'));
    await expect(client(baseUrl).get('/Invoices')).resolves.toEqual({ a: 1 });
  });
});

describe('a refusal', () => {
  test.each([
    [403, '{"Title":"Forbidden","Status":403,"Detail":"AuthenticationUnsuccessful"}', /403: Authentication/],
    [404, 'The resource you are looking for cannot be found', /404: The resource/],
    [400, '{"Message":"A validation exception occurred"}', /400: A validation exception occurred$/],
    [
      402,
      '{"error":{"type":"card_error","Message":"Your card was declined."}}',
      /402: Your card was declined\.$/,
    ],
    [400, '{"error":{"detail":{"message":"too deep"}}}', /400: \{"error":\{"detail":/],
    [418, '', /418: an empty body/],
  ])('with %i carries the words of the platform and is final', async (status, body, message) => {
    const { baseUrl, seen } = await platform(answer(status, body));
    await expect(client(baseUrl).get('/Invoices')).rejects.toEqual(failure('platform-refused', message));
    expect(seen).toHaveLength(1);
  });

  test('does not show the query or the credentials', async () => {
    const { baseUrl } = await platform(answer(401, '{}'));
    const headers = () => ({ authorization: 'Bearer secret-token' });
    const request = client(baseUrl, { headers }).get('/Invoices', { query: { key: 'secret-key' } });
    await expect(request).rejects.toEqual(
      expect.objectContaining({ message: expect.not.stringContaining('secret') }),
    );
  });
});

describe('a token', () => {
  const tokens = (...given: string[]): Partial<PlatformClientOptions> => ({
    access: {
      ...plainAccess({ accessToken: '', externalAccountId: 'acme' }),
      accessToken: async (refused) => (refused === undefined ? given[0] : given[1]) ?? '',
    },
    headers: (token) => ({ authorization: token }),
  });

  test('that is refused is renewed once', async () => {
    const { baseUrl, seen } = await platform(answer(401, '{}'), answer(200, '{"ok":true}'));
    await expect(client(baseUrl, tokens('old', 'new')).get('/Invoices')).resolves.toEqual({ ok: true });
    expect(seen.map(({ headers }) => headers.authorization)).toEqual(['old', 'new']);
  });

  test('that is refused again has to be authorised anew', async () => {
    const { baseUrl, seen } = await platform(answer(401, '{"message":"no"}'));
    await expect(client(baseUrl, tokens('old', 'new')).get('/Invoices')).rejects.toEqual(
      failure('connection-expired', /connect it again/),
    );
    expect(seen).toHaveLength(2);
  });
});

describe('a call', () => {
  test('has leave for every attempt and gives it back with what came', async () => {
    const outcomes: unknown[] = [];
    const { baseUrl } = await platform(
      answer(429, '', { 'retry-after': '2' }),
      answer(500, ''),
      answer(200, '{}'),
    );
    const access: PlatformAccess = {
      ...plainAccess({ accessToken: 'any', externalAccountId: 'acme' }),
      permit: async () => ({ done: async (outcome) => void outcomes.push(outcome) }),
    };
    await client(baseUrl, { access }).get('/Invoices');
    expect(outcomes).toEqual([
      { status: 429, retryAfterMs: 2000, length: 0, answeredAt },
      { status: 500, retryAfterMs: null, length: 0, answeredAt },
      { status: 200, retryAfterMs: null, length: 2, answeredAt },
    ]);
  });

  test('is told what is left of the limits, but by an answer that asks for a pause', async () => {
    const left = (count: string) => ({ 'x-left': count });
    const { baseUrl } = await platform(
      answer(429, '', { 'retry-after': '2', ...left('0') }),
      answer(200, '{}', left('41')),
    );
    const outcomes: unknown[] = [];
    const access: PlatformAccess = {
      ...plainAccess({ accessToken: 'any', externalAccountId: 'acme' }),
      permit: async () => ({ done: async (outcome) => void outcomes.push(outcome) }),
    };
    const remaining: PlatformClientOptions['remaining'] = (headers) => ({
      minute: Number(headers['x-left']),
      day: null,
    });
    await client(baseUrl, { access, remaining }).get('/Invoices');
    expect(outcomes).toEqual([
      { status: 429, retryAfterMs: 2000, length: 0, answeredAt },
      { status: 200, retryAfterMs: null, remaining: { minute: 41, day: null }, length: 2, answeredAt },
    ]);
  });

  test('is put off when the pause is longer than patience', async () => {
    const { baseUrl, seen } = await platform(answer(429, '', { 'retry-after': '7' }));
    const access = { ...plainAccess({ accessToken: 'any', externalAccountId: 'acme' }), patienceMs: 5000 };
    const before = Date.now();
    const pause = await client(baseUrl, { access })
      .get('/Invoices')
      .catch((error: unknown) => error);
    expect(pause).toBeInstanceOf(PlatformPause);
    expect((pause as PlatformPause).resumeAt.getTime()).toBeGreaterThanOrEqual(before + 7000);
    expect(seen).toHaveLength(1);
  });
});

describe('what a connector says of answers', () => {
  const classify: Classify = ({ status, body }) => {
    const error = body?.['error'];
    if (status !== 200 || error === undefined) return null;
    if (error === 'busy') return { kind: 'throttled', retryAfterMs: 3000 };
    if (error === 'locked') return { kind: 'again', retryAfterMs: null };
    if (error === 'gone') return { kind: 'access ended', isToken: false };
    if (error === 'session') return { kind: 'access ended', isToken: true };
    return { kind: 'refused', words: `no: ${JSON.stringify(error)}` };
  };

  test('holds for answers of 200, which are asked for again as others are', async () => {
    const { baseUrl, seen } = await platform(
      answer(200, '{"error":"busy"}'),
      answer(200, '{"error":"locked"}'),
      answer(200, '{"ok":true}'),
    );
    await expect(client(baseUrl, { classify }).get('/Invoices')).resolves.toEqual({ ok: true });
    expect(seen).toHaveLength(3);
    expect(slept).toEqual([3000, 500]);
  });

  test('gives the budget the pause that stands in the body', async () => {
    const { baseUrl } = await platform(answer(200, '{"error":"busy"}'), answer(200, '{}'));
    const outcomes: unknown[] = [];
    const access: PlatformAccess = {
      ...plainAccess({ accessToken: 'any', externalAccountId: 'acme' }),
      permit: async () => ({ done: async (outcome) => void outcomes.push(outcome) }),
    };
    await client(baseUrl, { access, classify }).get('/Invoices');
    expect(outcomes).toMatchObject([{ retryAfterMs: 3000 }, { retryAfterMs: null }]);
  });

  test('makes a refusal of a 200, with the words that it finds', async () => {
    const { baseUrl, seen } = await platform(answer(200, '{"error":"such a field"}'));
    const request = client(baseUrl, { classify }).get('/Invoices');
    await expect(request).rejects.toEqual(failure('platform-refused', /with 200: no: "such a field"$/));
    expect(seen).toHaveLength(1);
  });

  test('ends the access at once where no token would help, else after another one', async () => {
    const ended: string[] = [];
    const tokens = ['second'];
    const access: PlatformAccess = {
      ...plainAccess({ accessToken: 'first', externalAccountId: 'acme' }),
      accessToken: async (refused) => (refused === undefined ? 'first' : (tokens.shift() ?? refused)),
      ended: async (token) => void ended.push(token),
    };
    const gone = await platform(answer(200, '{"error":"gone"}'));
    const first = client(gone.baseUrl, { access, classify }).get('/Invoices');
    await expect(first).rejects.toEqual(failure('connection-expired', /has to connect it again/));
    expect([gone.seen.length, ended]).toEqual([1, ['first']]);
    const session = await platform(answer(200, '{"error":"session"}'));
    const second = client(session.baseUrl, { access, classify }).get('/Invoices');
    await expect(second).rejects.toEqual(failure('connection-expired', /has to connect it again/));
    expect([session.seen.length, ended]).toEqual([2, ['first', 'second']]);
  });

  test('stands in the reply to a request that is sent once', async () => {
    const { baseUrl, seen } = await platform(answer(200, '{"error":"locked"}'));
    const call = { method: 'POST', path: '/x', query: [], headers: {}, body: '{}' } as const;
    const reply = await client(baseUrl, { classify }).send({ ...call, timeoutMs: 5000, maxBytes: 1000 });
    expect(reply).toMatchObject({ status: 200, verdict: { kind: 'again' }, text: '{"error":"locked"}' });
    expect(seen).toHaveLength(1);
  });
});

test('what is read by another method is sent as JSON, and asked for again as a GET is', async () => {
  const bodies: string[] = [];
  const hear: Handler = (request, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => (text += chunk.toString()));
    request.on('end', () => {
      bodies.push(`${request.method} ${request.headers['content-type']} ${text}`);
      response.writeHead(bodies.length === 1 ? 500 : 200).end('{"ok":true}');
    });
  };
  const { baseUrl } = await platform(hear);
  const request = { method: 'POST', body: { query: '{ orders { id } }' } } as const;
  await expect(client(baseUrl).get('/graphql', request)).resolves.toEqual({ ok: true });
  const sent = 'POST application/json {"query":"{ orders { id } }"}';
  expect(bodies).toEqual([sent, sent]);
});

describe('a platform under load', () => {
  test('is asked again after the seconds it names', async () => {
    const { baseUrl } = await platform(answer(429, '', { 'retry-after': '7' }), answer(200, '{"ok":true}'));
    await expect(client(baseUrl).get('/Invoices')).resolves.toEqual({ ok: true });
    expect(slept).toEqual([7000]);
  });

  test('is asked three times more, longer apart when it names no time', async () => {
    const { baseUrl, seen } = await platform(answer(429, '{"Message":"slow down"}'));
    const request = client(baseUrl).get('/Invoices');
    await expect(request).rejects.toEqual(failure('platform-unavailable', /429: slow down/));
    expect(seen).toHaveLength(4);
    expect(slept).toEqual([500, 1000, 2000]);
  });

  test.each(['0', 'Thu, 26 Nov 2020 12:00:00 GMT', '1'])(
    'is left alone for a while when it goes on refusing after %s',
    async (retryAfter) => {
      const { baseUrl, seen } = await platform(answer(429, '', { 'retry-after': retryAfter }));
      const before = Date.now();
      const pause = await client(baseUrl)
        .get('/Invoices')
        .catch((error: unknown) => error);
      expect(seen).toHaveLength(4);
      expect((pause as PlatformPause).resumeAt.getTime()).toBeGreaterThanOrEqual(before + 10_000);
    },
  );

  test('is left alone when it wants hours', async () => {
    const { baseUrl, seen } = await platform(answer(429, '', { 'retry-after': '86400' }));
    await expect(client(baseUrl).get('/Invoices')).rejects.toEqual(failure('platform-unavailable', /429/));
    expect(seen).toHaveLength(1);
    expect(slept).toEqual([]);
  });

  test('is asked twice more after a failure of its own', async () => {
    const { baseUrl, seen } = await platform(answer(500, '{"Message":"oops"}'));
    const request = client(baseUrl).get('/Invoices');
    await expect(request).rejects.toEqual(failure('platform-unavailable', /500: oops/));
    expect(seen).toHaveLength(3);
    expect(slept).toEqual([500, 1000]);
  });

  test('is forgiven a failure that passes', async () => {
    const { baseUrl } = await platform(answer(503, 'down'), answer(200, '{"ok":true}'));
    await expect(client(baseUrl).get('/Invoices')).resolves.toEqual({ ok: true });
  });
});

describe('a request of any kind', () => {
  const call = {
    method: 'POST',
    path: '/Invoices',
    query: [],
    headers: {},
    body: '{}',
    timeoutMs: 5000,
    maxBytes: 1000,
  } as const;

  test.each(['/../x', '/../../x', '/%2e%2e/x', '/a/../../api/3/x', '\\..\\..\\x', '/..'])(
    'to %s does not leave the address of the API',
    async (path) => {
      const { baseUrl, seen } = await platform(answer(200, '{}'));
      await expect(client(`${baseUrl}/api/2`).send({ ...call, path })).rejects.toEqual(
        failure('invalid-params', /must stay below the address of Acme Books/),
      );
      expect(seen).toEqual([]);
    },
  );

  test.each(['//evil.example/x', 'http://evil.example/x', '/@evil.example'])(
    'to %s is one to the platform',
    async (path) => {
      const { baseUrl, seen } = await platform(answer(200, '{}'));
      await client(`${baseUrl}/api/2`).send({ ...call, path });
      expect(seen[0]?.url).toMatch(/^\/api\/2\//);
    },
  );

  test("has the client's headers above its own, but for what it accepts", async () => {
    const { baseUrl, seen } = await platform(answer(200, '{}'));
    const headers = () => ({ accept: 'application/json', 'x-account': 'acme' });
    await client(baseUrl, { headers }).send({
      ...call,
      headers: { accept: 'text/csv', 'x-account': 'other', 'accept-encoding': 'zstd' },
    });
    expect(seen[0]?.headers).toMatchObject({
      accept: 'text/csv',
      'x-account': 'acme',
      'accept-encoding': 'gzip, deflate, br',
    });
  });

  test('has no header that some server reads as one of the client', async () => {
    const { baseUrl, seen } = await platform(answer(200, '{}'));
    await client(baseUrl).send({ ...call, headers: { x_account: 'other', 'x-other': 'kept' } });
    expect(seen[0]?.headers).toMatchObject({ 'x-account': 'acme', 'x-other': 'kept' });
    expect(seen[0]?.headers).not.toHaveProperty('x_account');
  });

  test.each([204, 301, 400, 403, 429, 500, 503])(
    'is sent once, whatever it is answered (%i)',
    async (status) => {
      const { baseUrl, seen } = await platform(answer(status, '', { 'x-odd': 'yes' }));
      for (const method of ['GET', 'POST'] as const) {
        const reply = await client(baseUrl).send({ ...call, method, body: null });
        expect(reply).toMatchObject({ status, text: '', size: 0, headers: { 'x-odd': 'yes' } });
      }
      expect(seen).toHaveLength(2);
      expect(slept).toEqual([]);
    },
  );

  test('is sent again with another token, and both are blacked out', async () => {
    const echo: Handler = (request, response) =>
      void response
        .writeHead(401, { 'x-echo': request.headers.authorization })
        .end(`was old-token, is ${request.headers.authorization}`);
    const { baseUrl, seen } = await platform(echo);
    const access = {
      ...plainAccess({ accessToken: '', externalAccountId: 'acme' }),
      accessToken: async (refused?: string) => (refused === undefined ? 'old-token' : 'new-token'),
    };
    const headers = (token: string) => ({ authorization: token });
    const reply = await client(baseUrl, { access, headers }).send(call);
    expect(seen.map((one) => one.headers.authorization)).toEqual(['old-token', 'new-token']);
    expect(reply).toMatchObject({
      status: 401,
      text: 'was [redacted], is [redacted]',
      headers: { 'x-echo': '[redacted]' },
    });
  });

  test('has one time for both tokens', async () => {
    const { baseUrl, seen } = await platform(
      (request, response) => void setTimeout(() => answer(401, '')(request, response), 1000),
      () => undefined,
    );
    const access = {
      ...plainAccess({ accessToken: '', externalAccountId: 'acme' }),
      accessToken: async (refused?: string) => (refused === undefined ? 'old-token' : 'new-token'),
    };
    const timeoutMs = stretched(3000);
    const error: unknown = await client(baseUrl, { access })
      .send({ ...call, timeoutMs })
      .catch((reason: unknown) => reason);
    expect(error).toEqual(failure('platform-timeout', /did not send a complete response within/));
    expect(seen).toHaveLength(2);
    // What the first token left of it; by a millisecond, clocks may differ.
    const left = Number(/within (\d+) ms/.exec((error as Error).message)?.[1]);
    expect(left).toBeLessThanOrEqual(timeoutMs - 999);
  });
});

describe('a download', () => {
  const LIMITS = { timeoutMs: 2000, maxBytes: 1000 };
  const bytes = (size: number) => Buffer.from(Array.from({ length: size }, (_, index) => index % 256));
  const sending =
    (content: Buffer, headers: Readonly<Record<string, string>> = {}): Handler =>
    (_request, response) =>
      void response.writeHead(200, { 'content-type': 'image/png', ...headers }).end(content);
  const collect = async (content: AsyncIterable<Uint8Array> | undefined) => {
    const chunks: Uint8Array[] = [];
    for await (const chunk of content ?? []) chunks.push(chunk);
    return Buffer.concat(chunks);
  };
  const metered = () => {
    const outcomes: unknown[] = [];
    const permit = async () => ({ done: async (outcome: unknown) => void outcomes.push(outcome) });
    const access: PlatformAccess = {
      ...plainAccess({ accessToken: 'any', externalAccountId: 'acme' }),
      permit,
    };
    return { access, outcomes };
  };

  test('is what was sent, byte by byte, and one call until it was read', async () => {
    const { baseUrl, seen } = await platform(sending(bytes(1000)));
    const { access, outcomes } = metered();
    const file = await client(baseUrl, { access }).download('/a%2Fb', {
      ...LIMITS,
      headers: { accept: 'image/png' },
    });
    expect([seen[0]?.url, seen[0]?.headers['accept'], seen[0]?.headers['x-account']]).toEqual([
      '/a%2Fb',
      'image/png',
      'acme',
    ]);
    expect([file?.contentType, outcomes]).toEqual(['image/png', []]);
    expect((await collect(file?.content)).equals(bytes(1000))).toBe(true);
    expect(outcomes).toEqual([{ status: 200, retryAfterMs: null, length: 1000 }]);
  });

  test('is decoded', async () => {
    const { baseUrl } = await platform(sending(gzipSync(bytes(500)), { 'content-encoding': 'gzip' }));
    const file = await client(baseUrl).download('/', LIMITS);
    expect((await collect(file?.content)).equals(bytes(500))).toBe(true);
  });

  test.each<[string, Handler]>([
    ['by what it declares', sending(bytes(1001))],
    [
      'by what it sends',
      (_request, response) => {
        response.writeHead(200);
        for (let part = 0; part < 11; part += 1) response.write(bytes(100));
        response.end();
      },
    ],
    ['when it is decoded', sending(gzipSync(Buffer.alloc(1_000_000)), { 'content-encoding': 'gzip' })],
  ])('that is too large is refused %s, and the call ends', async (_how, handler) => {
    const { baseUrl } = await platform(handler);
    const { access, outcomes } = metered();
    const reading = async () => collect((await client(baseUrl, { access }).download('/', LIMITS))?.content);
    await expect(reading()).rejects.toEqual(
      failure('file-too-large', /^the file at Acme Books is larger than 1000 bytes$/),
    );
    expect(outcomes).toHaveLength(1);
  });

  test('that breaks off throws, and the call ends', async () => {
    const { baseUrl } = await platform((_request, response) => {
      response.writeHead(200, { 'content-length': '900' });
      response.write(bytes(100), () => response.destroy());
    });
    const { access, outcomes } = metered();
    const file = await client(baseUrl, { access }).download('/', LIMITS);
    await expect(collect(file?.content)).rejects.toEqual(
      failure('platform-answer', /was cut off after \d+ bytes/),
    );
    expect(outcomes).toHaveLength(1);
  });

  test('that nobody reads to its end ends with whoever read it', async () => {
    const { baseUrl } = await platform(sending(bytes(1000)));
    const { access, outcomes } = metered();
    const file = await client(baseUrl, { access }).download('/', LIMITS);
    for await (const chunk of file?.content ?? []) if (chunk.length > 0) break;
    expect(outcomes).toEqual([{ status: 200, retryAfterMs: null, length: expect.any(Number) }]);
  });

  test('that hangs in the middle is a time-out', async () => {
    const { baseUrl } = await platform((_request, response) => {
      response.writeHead(200);
      response.write(bytes(10));
    });
    const reading = async () =>
      collect((await client(baseUrl).download('/', { ...LIMITS, timeoutMs: 200 }))?.content);
    await expect(reading()).rejects.toEqual(failure('platform-timeout', /within 200 ms/));
  });

  test('is null where there is none; faults are tried again, tokens renewed once', async () => {
    const { baseUrl } = await platform(
      answer(404, '{}'),
      answer(410, '{}'),
      answer(500, '{}'),
      answer(429, '{}', { 'retry-after': '1' }),
      sending(bytes(1)),
      answer(401, '{}'),
      sending(bytes(2)),
      answer(302, '', { location: 'https://elsewhere.example.com/' }),
      answer(204, ''),
      answer(403, '{"Message":"no"}'),
    );
    let tokens = 0;
    const access: PlatformAccess = {
      ...plainAccess({ accessToken: 'any', externalAccountId: 'acme' }),
      accessToken: async (refused) => (refused === undefined ? 'any' : `renewed ${(tokens += 1)}`),
    };
    const one = client(baseUrl, { access });
    expect(await one.download('/', LIMITS)).toBeNull();
    expect(await one.download('/', LIMITS)).toBeNull();
    expect(await collect((await one.download('/', LIMITS))?.content)).toHaveLength(1);
    expect(slept).toEqual([500, 1000]);
    expect(await collect((await one.download('/', LIMITS))?.content)).toHaveLength(2);
    expect(tokens).toBe(1);
    await expect(one.download('/', LIMITS)).rejects.toEqual(
      failure(
        'platform-answer',
        /a file at https:\/\/elsewhere.example.com, which is not one of its origins/,
      ),
    );
    await expect(one.download('/', LIMITS)).rejects.toEqual(
      failure('platform-answer', /must answer with a file \(204/),
    );
    await expect(one.download('/', LIMITS)).rejects.toEqual(failure('platform-refused', /403: no$/));
  });

  describe('from elsewhere', () => {
    const FILE = { contentType: 'image/png', content: expect.anything() };
    const token = (accessToken: string) => ({ 'x-account': 'acme', authorization: `Bearer ${accessToken}` });
    /** A platform, and another origin that has its files. */
    async function withFiles(handler: Handler, ...api: readonly Handler[]) {
      return { files: await platform(handler), own: await platform(...api) };
    }
    const trusting = (origin: string, isTrusted: boolean) => ({
      headers: token,
      fileOrigins: [{ origin, isTrusted }],
    });

    test('is fetched where the connector names the origin, and is shown no credentials', async () => {
      const { files, own } = await withFiles(sending(bytes(5)), answer(500, '{}'));
      const one = client(own.baseUrl, trusting(files.baseUrl, false));
      const request = { ...LIMITS, headers: { accept: 'image/png' } };
      expect(await one.download(`${files.baseUrl}/a?signed=1`, request)).toEqual(FILE);
      expect(files.seen.map(({ url }) => url)).toEqual(['/a?signed=1']);
      expect(files.seen[0]?.headers).not.toHaveProperty('authorization');
      expect(files.seen[0]?.headers).not.toHaveProperty('x-account');
      expect(own.seen).toEqual([]);
    });

    test('is shown the credentials where the connector says so', async () => {
      const { files, own } = await withFiles(sending(bytes(5)), answer(500, '{}'));
      const one = client(own.baseUrl, trusting(files.baseUrl, true));
      await one.download(`${files.baseUrl}/a`, LIMITS);
      expect(files.seen[0]?.headers).toMatchObject({ 'x-account': 'acme', authorization: 'Bearer any' });
    });

    test('is followed to where the platform sends, with its credentials for itself alone', async () => {
      const { files, own } = await withFiles(
        sending(bytes(7)),
        (_request, response) => void response.writeHead(302, { location: '/other/path' }).end(),
        (_request, response) =>
          void response.writeHead(307, { location: `${files.baseUrl}/signed` }).end('moved'),
      );
      const one = client(`${own.baseUrl}/api`, trusting(files.baseUrl, false));
      expect(await one.download('/files/1', LIMITS)).toEqual(FILE);
      expect(own.seen.map(({ url }) => url)).toEqual(['/api/files/1', '/other/path']);
      expect(own.seen[1]?.headers).toMatchObject({ authorization: 'Bearer any' });
      expect(files.seen[0]?.url).toBe('/signed');
      expect(files.seen[0]?.headers).not.toHaveProperty('authorization');
    });

    test('that sends back to the platform is not shown its credentials there', async () => {
      let back = '';
      const { files, own } = await withFiles(
        (_request, response) => void response.writeHead(302, { location: back }).end(),
        sending(bytes(1)),
      );
      back = `${own.baseUrl}/secret`;
      const one = client(own.baseUrl, trusting(files.baseUrl, false));
      await one.download(`${files.baseUrl}/a`, LIMITS);
      expect(own.seen[0]?.headers).not.toHaveProperty('authorization');
    });

    test.each([
      ['another origin', (files: string) => files.replace('127.0.0.1', '127.0.0.2')],
      ['another scheme', (files: string) => files.replace('http:', 'https:')],
      ['a name and a password', (files: string) => files.replace('//', '//a:b@')],
      ['what only begins alike', (files: string) => files.replace('127.0.0.1', '127.0.0.1.evil.example')],
      ['what is no address', (files: string) => `${files}.evil.example/`],
      ['another port', (files: string) => files.replace(/\d+$/, '1')],
    ])('is not fetched from %s', async (_what, spoil) => {
      const { files, own } = await withFiles(sending(bytes(5)), answer(500, '{}'));
      const one = client(own.baseUrl, trusting(files.baseUrl, false));
      await expect(one.download(`${spoil(files.baseUrl)}`, LIMITS)).rejects.toEqual(
        failure('platform-answer', /not one of its origins/),
      );
      expect([files.seen, own.seen]).toEqual([[], []]);
    });

    test('has origins of one name below another', async () => {
      const { own } = await withFiles(sending(bytes(5)), answer(500, '{}'));
      const one = client(own.baseUrl, trusting('https://*.files.example', false));
      for (const [address, isNamed] of [
        ['https://a.files.example/x', true],
        ['https://files.example/x', false],
        ['https://a.b.files.example/x', false],
        ['https://a.files.example:8443/x', false],
        ['http://a.files.example/x', false],
        ['https://afiles.example/x', false],
      ] as const) {
        const refusedFor = await one.download(address, LIMITS).then(
          () => '',
          (error: Error) => error.message,
        );
        expect({ address, isNamed: !/not one of its origins/.test(refusedFor) }).toEqual({
          address,
          isNamed,
        });
      }
    });

    test('that refuses ends no access, and renews no token', async () => {
      const { files, own } = await withFiles(answer(401, '{"Message":"signature"}'), answer(500, '{}'));
      const told: string[] = [];
      const access: PlatformAccess = {
        ...plainAccess({ accessToken: 'any', externalAccountId: 'acme' }),
        accessToken: async (refused) => (refused === undefined ? 'any' : (told.push(refused), 'other')),
        ended: async (text) => void told.push(text),
      };
      const one = client(own.baseUrl, { access, ...trusting(files.baseUrl, false) });
      await expect(one.download(`${files.baseUrl}/a`, LIMITS)).rejects.toEqual(
        failure('platform-refused', /401: signature$/),
      );
      expect([told, files.seen.length]).toEqual([[], 1]);
    });

    test('that is sent from place to place is given up', async () => {
      const { own } = await withFiles(
        answer(500, '{}'),
        (_request, response) => void response.writeHead(302, { location: '/again' }).end(),
      );
      await expect(client(own.baseUrl).download('/', LIMITS)).rejects.toEqual(
        failure('platform-answer', /redirects a download more than 3 times/),
      );
      expect(own.seen).toHaveLength(4);
    });

    test('may be asked for by a POST, which a redirect repeats or turns into a GET', async () => {
      for (const [status, repeated] of [
        [307, 'POST {"id":1}'],
        [303, 'GET '],
      ] as const) {
        const heard: string[] = [];
        const { own } = await withFiles(
          answer(500, '{}'),
          (request, response) => {
            request.setEncoding('utf8').on('data', (text: string) => heard.push(`${request.method} ${text}`));
            request.on('end', () => response.writeHead(status, { location: '/file' }).end());
          },
          (request, response) => {
            let text = '';
            request.setEncoding('utf8').on('data', (part: string) => (text += part));
            request.on('end', () => {
              heard.push(`${request.method} ${text}`);
              sending(bytes(3))(request, response);
            });
          },
        );
        const file = await client(own.baseUrl).download('/export', {
          ...LIMITS,
          method: 'POST',
          body: { id: 1 },
        });
        expect(await collect(file?.content)).toHaveLength(3);
        expect(heard).toEqual(['POST {"id":1}', repeated]);
      }
    });
  });
});
