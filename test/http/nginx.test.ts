import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { App } from '../../src/app.js';
import { packagePath } from '../../src/package-path.js';
import { checkNginx, freePort, hasNginx, type Nginx, startNginx } from '../support/nginx.js';
import { createTenant, type Tenant } from '../support/seed.js';
import { type Caller, createCaller, startApp } from '../support/service.js';

if (!hasNginx && process.env['CI']) throw new Error('there is no nginx');
const behindNginx = hasNginx ? describe : describe.skip;
const LIST = '/v3/accounting/accounts';

behindNginx('behind nginx as it comes', () => {
  let app: App;
  let nginx: Nginx;
  let acme: Tenant;
  let mine: Caller & { readonly key: string };
  let stranger: Caller & { readonly key: string };

  beforeAll(async () => {
    app = await startApp({ TRUST_PROXY: '1' });
    acme = await createTenant(app, 'proxied');
    await acme.store('Account', [{ platformId: 'cash', values: { name: 'Cash' } }]);
    mine = await createCaller(app, acme.organisationId);
    stranger = await createCaller(app, (await createTenant(app, 'stranger')).organisationId);
    nginx = await startNginx({
      http: 'proxy_cache_path FOLDER/cache keys_zone=answers:1m;',
      server: `proxy_cache answers; proxy_cache_valid any 1m; add_header x-cache $upstream_cache_status always;
        location / { proxy_pass ${app.url}; }`,
    });
  });
  afterAll(async () => {
    await nginx?.stop();
    await app?.close();
  });

  const ask = async (headers: Readonly<Record<string, string>>, path = LIST) => {
    const answer = await fetch(nginx.url + path, { headers });
    return {
      status: answer.status,
      cache: answer.headers.get('x-cache'),
      body: (await answer.json()) as any,
    };
  };

  test('a key as Authorization: Bearer arrives; nginx drops the header api_key', async () => {
    expect((await ask({ api_key: mine.key })).status).toBe(401);
    const { status, body } = await ask({ authorization: `Bearer ${mine.key}` });
    expect({ status, names: body.data.map((one: { name: string }) => one.name) }).toEqual({ status: 200, names: ['Cash'] }); // prettier-ignore
  });

  test('the playground has no demo key for who comes through it', async () => {
    const demo = await startApp({}, { demoApiKey: 'svc_demo_key_for_the_playground' });
    const plain = await startNginx({ server: `location / { proxy_pass ${demo.url}; }` });
    try {
      const scriptAt = async (url: string) => (await fetch(`${url}/playground/start.js`)).text();
      expect(await scriptAt(demo.url)).toContain('svc_demo_key');
      expect(await scriptAt(plain.url)).not.toContain('svc_demo_key');
    } finally {
      await plain.stop();
      await demo.close();
    }
  });

  const documented = () => {
    const text = readFileSync(packagePath('docs/operations.md'), 'utf8');
    const [, whole = '', map = '', server = ''] =
      /```nginx\n(.*\n(map .*)\nserver \{\n([^]*?)\n\}\n)```/.exec(text) ?? [];
    return { whole, map, server };
  };

  test('as documented it has TLS, and nginx takes it as it stands', async () => {
    const { whole } = documented();
    expect(whole).toMatch(/^ {2}listen 443 ssl http2;/m);
    expect(await checkNginx(whole.replace('listen 443', `listen 127.0.0.1:${await freePort()}`))).toContain(
      'test is successful',
    );
  });

  test('as documented it answers callers, and has no metrics for anybody', async () => {
    const { map, server } = documented();
    // The test has no certificate, and a port of its own.
    const plain = server.replace(/^ *(listen|server_name|ssl_\w+) .*\n/gm, '');
    const proxy = await startNginx({ http: map, server: plain.replaceAll('http://service', app.url) });
    const statusOf = async (url: string) =>
      (await fetch(url, { headers: { authorization: `Bearer ${mine.key}` } })).status;
    try {
      expect(await statusOf(`${app.url}/metrics`)).toBe(200);
      for (const path of ['/metrics', '/metrics?a', '//metrics', '/%6detrics', '/metrics/']) {
        expect([path, await statusOf(proxy.url + path)]).toEqual([path, 404]);
      }
      expect(await statusOf(proxy.url + LIST)).toBe(200);
    } finally {
      await proxy.stop();
    }
  });

  test("a cache gives nobody another organisation's answer", async () => {
    for (let round = 0; round < 3; round += 1) {
      const own = await ask({ authorization: `Bearer ${mine.key}` });
      expect({ cache: own.cache, records: own.body.data.length }).toEqual({ cache: 'MISS', records: 1 });
      const foreign = await ask({ authorization: `Bearer ${stranger.key}` });
      expect({ cache: foreign.cache, records: foreign.body.data.length }).toEqual({
        cache: 'MISS',
        records: 0,
      });
      const nobody = await ask({});
      expect({ cache: nobody.cache, status: nobody.status }).toEqual({ cache: 'MISS', status: 401 });
    }
  });

  test('nor one that is told to keep everything', async () => {
    const careless = await startNginx({
      http: 'proxy_cache_path FOLDER/cache keys_zone=answers:1m;',
      server: `proxy_cache answers; proxy_cache_valid any 1m; proxy_ignore_headers Cache-Control Expires;
        location / { proxy_pass ${app.url}; }`,
    });
    try {
      const count = async (key: string) => {
        const answer = await fetch(careless.url + LIST, { headers: { authorization: `Bearer ${key}` } });
        return ((await answer.json()) as { data: unknown[] }).data.length;
      };
      for (let round = 0; round < 3; round += 1) {
        expect([await count(mine.key), await count(stranger.key)]).toEqual([1, 0]);
      }
    } finally {
      await careless.stop();
    }
  });
});
