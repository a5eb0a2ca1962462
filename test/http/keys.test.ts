import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { request } from 'node:http';
import { WebSocket } from 'ws';
import type { App } from '../../src/app.js';
import { FailedKeys } from '../../src/http/keys/failed-keys.js';
import { createTenant, type Tenant } from '../support/seed.js';
import { type Caller, createCaller, startApp } from '../support/service.js';

let app: App;
let acme: Tenant;
let mine: Caller & { readonly key: string };
let other: Caller & { readonly key: string };
const LIST = '/v3/accounting/accounts';

beforeAll(async () => {
  app = await startApp();
  acme = await createTenant(app, 'keys');
  mine = await createCaller(app, acme.organisationId);
  other = await createCaller(app, acme.organisationId);
});
afterAll(() => app.close());

const ask = (headers: Readonly<Record<string, string>>, path = LIST) => fetch(app.url + path, { headers });

const askRaw = (...headers: string[]) =>
  new Promise<[number | undefined, string]>((resolve, reject) => {
    request(app.url + LIST, { headers: ['Host', 'localhost', ...headers] as never }, (answer) => {
      let text = '';
      answer.on('data', (part) => (text += part)).on('end', () => resolve([answer.statusCode, text]));
    })
      .on('error', reject)
      .end();
  });

describe('a key', () => {
  test.each(['Bearer', 'bearer', 'BEARER'])('may come as Authorization: %s', async (scheme) => {
    expect((await ask({ authorization: `${scheme} ${mine.key}` })).status).toBe(200);
    const answer = await fetch(`${app.url}/graphql`, {
      method: 'POST',
      headers: { authorization: `${scheme} ${mine.key}`, 'content-type': 'application/json' },
      body: '{"query":"{ accounts { totalCount } }"}',
    });
    expect(await answer.json()).toEqual({ data: { accounts: { totalCount: 0 } } });
  });

  test('may come in both ways, if it is the same one', async () => {
    expect((await ask({ api_key: mine.key, authorization: `Bearer ${mine.key}` })).status).toBe(200);
    const two = await ask({ api_key: mine.key, authorization: `Bearer ${other.key}` });
    expect(two.status).toBe(401);
    expect(((await two.json()) as any).error.message).toContain('different keys');
  });

  test('is given once: of two different ones, none counts', async () => {
    const [status, body] = await askRaw(
      'Authorization',
      `Bearer ${mine.key}`,
      'Authorization',
      `Bearer ${other.key}`,
    );
    expect(status).toBe(401);
    expect(body).toContain('given twice');
    const [refused, why] = await askRaw('api_key', mine.key, 'API_KEY', other.key);
    expect(refused).toBe(401);
    expect(why).toContain('the header api_key is given twice');
  });

  test('may come twice in the same way, if it is the same one, as some proxies send it', async () => {
    expect((await askRaw('api_key', mine.key, 'API_KEY', mine.key))[0]).toBe(200);
    const bearer = `Bearer ${mine.key}`;
    expect((await askRaw('Authorization', bearer, 'authorization', bearer))[0]).toBe(200);
  });

  test("of another scheme is the proxy's own affair", async () => {
    expect((await ask({ api_key: mine.key, authorization: 'Basic dXNlcjpwYXNz' })).status).toBe(200);
    expect((await ask({ authorization: 'Basic dXNlcjpwYXNz' })).status).toBe(401);
  });

  test.each([LIST, '/graphql', '/accounting/accounts/all'])(
    'that is missing is a 401 at %s that names both ways',
    async (path) => {
      const answer = await fetch(app.url + path, { method: path === LIST ? 'GET' : 'POST' });
      expect({ status: answer.status, ways: answer.headers.get('www-authenticate') }).toEqual({
        status: 401,
        ways: 'Bearer realm="api"',
      });
      const text = await answer.text();
      expect(text).toContain('header api_key');
      expect(text).toContain('Authorization: Bearer');
    },
  );
});

describe('caches on the way', () => {
  const VARY = 'api_key, Authorization, Accept, Accept-Encoding';

  test.each([
    ['GET', LIST, ''],
    ['GET', '/webhooks', ''],
    ['GET', '/v3/core/companies', ''],
    ['GET', `${LIST}/1`, ''],
    ['POST', '/accounting/accounts/all', '{}'],
    ['POST', '/graphql', '{"query":"{ accounts { totalCount } }"}'],
    ['GET', '/graphql?query={accounts{totalCount}}', ''],
    ['GET', '/nothing/here', ''],
  ])('keep nothing of %s %s for others', async (method, path, body) => {
    const answer = await fetch(app.url + path, {
      method,
      headers: { api_key: mine.key, 'content-type': 'application/json' },
      body: body === '' ? null : body,
    });
    expect({
      cache: answer.headers.get('cache-control'),
      vary: answer.headers.get('vary'),
    }).toEqual({ cache: path === '/webhooks' ? 'private, no-store' : 'private, no-cache', vary: VARY });
  });

  test.each([
    '/integrations',
    '/graphql?query={integrations{nodes{s:clientSecret}}}',
    '/link/0123',
    '/health/ready',
  ])('keep nothing at all of %s', async (path) => {
    const { headers } = await ask({ api_key: mine.key, 'apollo-require-preflight': '1' }, path);
    expect(headers.get('cache-control')).toContain('no-store');
  });
});

describe('pages', () => {
  test.each(['/', '/graphql'])('%s load and send nothing elsewhere', async (path) => {
    const { headers } = await ask({ accept: 'text/html' }, path);
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/https?:|\*/);
  });

  test('the playground has the demo key for loopback hosts only', async () => {
    const demo = await startApp({}, { demoApiKey: 'svc_demo_key_for_the_playground' });
    const script = (headers: Readonly<Record<string, string>>) =>
      new Promise<string>((resolve, reject) => {
        const url = new URL(`${demo.url}/playground/start.js`);
        request(url, { headers }, (answer) => {
          let text = '';
          answer.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
          answer.on('end', () => resolve(text));
        })
          .on('error', reject)
          .end();
      });
    try {
      for (const host of ['localhost:4000', '127.0.0.1', '127.9.9.9:1', '[::1]:4000', 'LOCALHOST']) {
        expect(await script({ host })).toContain('svc_demo_key');
      }
      for (const headers of [
        { host: 'data.example.com' },
        { host: 'localhost.example.com' },
        { host: '127.0.0.1.example.com' },
        { host: '192.168.1.5:4000' },
        { host: 'localhost', 'x-forwarded-for': '203.0.113.9' },
        { host: '127.0.0.1:4000', 'x-real-ip': '203.0.113.9' },
        { host: 'localhost', via: '1.1 proxy' },
      ]) {
        expect(await script(headers as Record<string, string>)).not.toContain('svc_demo_key');
      }
    } finally {
      await demo.close();
    }
  });
});

describe('unknown keys', () => {
  test('of an address are not looked up for a while; keys that have worked are', async () => {
    const strict = await startApp({ LIMIT_FAILED_KEYS_PER_MINUTE: '3', TRUST_PROXY: '1' });
    const from = (address: string, key: string) =>
      fetch(`${strict.url}${LIST}`, { headers: { api_key: key, 'x-forwarded-for': address } });
    try {
      const known = await createCaller(strict, acme.organisationId);
      const fresh = await createCaller(strict, acme.organisationId);
      expect((await from('198.51.100.1', known.key)).status).toBe(200);
      const statuses: number[] = [];
      for (let sent = 0; sent < 5; sent += 1) {
        statuses.push((await from('198.51.100.1', `svc_unknown_${sent}_xxxxxxxxxxxx`)).status);
      }
      expect(statuses).toEqual([401, 401, 401, 429, 429]);
      const refused = await from('198.51.100.1', fresh.key);
      expect({ status: refused.status, wait: Number(refused.headers.get('retry-after')) > 0 }).toEqual({
        status: 429,
        wait: true,
      });
      expect((await from('198.51.100.1', known.key)).status).toBe(200);
      expect((await from('198.51.100.2', fresh.key)).status).toBe(200);
    } finally {
      await strict.close();
    }
  });

  test('of an address are counted together, whatever the proxy writes around it', async () => {
    const strict = await startApp({ LIMIT_FAILED_KEYS_PER_MINUTE: '3', TRUST_PROXY: '1' });
    let sent = 0;
    const unknown = () => `svc_unknown_${(sent += 1)}_xxxxxxxxxxxx`;
    const byHttp = async (address: string) => {
      const headers = { api_key: unknown(), 'x-forwarded-for': address };
      return (await fetch(`${strict.url}${LIST}`, { headers })).status;
    };
    const bySocket = async (address: string) => {
      const headers = { api_key: unknown(), 'x-forwarded-for': address };
      const url = `${strict.url.replace('http', 'ws')}/graphql`;
      const socket = new WebSocket(url, 'graphql-transport-ws', { headers });
      socket.once('open', () => socket.send('{"type":"connection_init"}'));
      const [code] = await once(socket, 'close');
      return code as number;
    };
    try {
      for (const [first, second, third] of [
        ['198.51.100.1:40001', '198.51.100.1:40002', '::ffff:198.51.100.1'],
        ['[2001:db8::1]:443', '[2001:db8::1]', '2001:db8::1'],
        ['unknown', '_hidden', '127.0.0.1'],
      ] as const) {
        const answers = [await byHttp(first), await bySocket(second), await byHttp(third)];
        expect([first, ...answers]).toEqual([first, 401, 4401, 401]);
        expect([await byHttp(second), await bySocket(first)]).toEqual([429, 1013]);
      }
    } finally {
      await strict.close();
    }
  });

  test('are counted by /64 of IPv6, and anew every minute', () => {
    let now = 0;
    const failed = new FailedKeys(2, () => now);
    failed.note('2001:db8:1:2::1');
    failed.note('2001:db8:1:2:ffff::9');
    expect(failed.waitOf('2001:db8:1:2:3:4:5:6')).toBe(60);
    expect(failed.waitOf('2001:db8:1:3::1')).toBe(0);
    // Zeros are left out wherever there are most of them.
    failed.note('2001:db8::1');
    failed.note('2001:db8::2:0:0:3');
    expect(failed.waitOf('2001:db8::ffff:4:5:6')).toBe(60);
    expect(failed.waitOf('2001:db8::1:2:3:4:5')).toBe(0);
    now = 59_500;
    expect(failed.waitOf('2001:db8:1:2::1')).toBe(1);
    now = 60_000;
    expect(failed.waitOf('2001:db8:1:2::1')).toBe(0);
  });
});
