import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { request } from 'undici';
import type { App } from '../../src/app.js';
import { createExecutor } from '../../src/graphql/execute.js';
import { createSchema } from '../../src/graphql/schema.js';
import { DEFAULT_LIMITS } from '../../src/limits.js';
import { createRoutes } from '../../src/rest/routes/index.js';
import { createTenant } from '../support/seed.js';
import { type Caller, createCaller, startApp } from '../support/service.js';

const EVERY = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

/** Each path of the service and its methods, a number in place of its parameters. */
const PATHS = new Map<string, string[]>([
  ['/', ['GET']],
  ['/health/live', ['GET']],
  ['/metrics', ['GET']],
  ['/graphql', ['GET', 'POST']],
]);
for (const { method, path } of createRoutes(createExecutor(createSchema(), { jit: false }), DEFAULT_LIMITS)) {
  const asked = path.replace(/:\w+/g, '1');
  PATHS.set(asked, [...(PATHS.get(asked) ?? []), method]);
}

let app: App;
let caller: Caller & { readonly key: string };

beforeAll(async () => {
  app = await startApp();
  const acme = await createTenant(app, 'methods');
  caller = await createCaller(app, acme.organisationId);
});
afterAll(() => app.close());

async function ask(
  method: (typeof EVERY)[number] | 'OPTIONS',
  path: string,
  headers: Record<string, string> = {},
) {
  const answer = await request(app.url + path, { method, headers });
  const text = await answer.body.text();
  return { status: answer.statusCode, headers: answer.headers, text };
}

test('the table holds every route', () => {
  expect(PATHS.size).toBeGreaterThan(70);
});

describe.each([...PATHS])('%s', (path, methods) => {
  const allowed = methods.includes('GET') ? [...methods, 'HEAD'] : methods;

  test('refuses every other method with 405 and names its own in Allow, with a key and without', async () => {
    for (const method of EVERY.filter((one) => !allowed.includes(one))) {
      for (const headers of [{}, { api_key: caller.key }]) {
        const answer = await ask(method, path, headers);
        expect({ method, status: answer.status }).toEqual({ method, status: 405 });
        const named = String(answer.headers['allow']).split(', ');
        expect([...named].sort()).toEqual([...allowed, 'OPTIONS'].sort());
        if (method === 'HEAD') continue;
        const { error, errors } = JSON.parse(answer.text);
        const refusal = path === '/graphql' ? { ...errors[0], ...errors[0].extensions } : error;
        expect(refusal.code).toBe('method-not-allowed');
        expect(refusal.message).toBe(`${path} takes ${named.join(', ')}, got ${method}`);
      }
    }
  });

  test('answers OPTIONS with its methods, without a key', async () => {
    const { status, headers, text } = await ask('OPTIONS', path);
    expect({ status, text }).toEqual({ status: 204, text: '' });
    expect(String(headers['allow']).split(', ').sort()).toEqual([...allowed, 'OPTIONS'].sort());
    expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
  });

  if (methods.includes('GET')) {
    test('answers HEAD as GET, without a body', async () => {
      const query = path === '/graphql' ? '?query={__typename}' : '';
      const headers = { api_key: caller.key };
      const get = await ask('GET', path + query, headers);
      const head = await ask('HEAD', path + query, headers);
      expect({ status: head.status, type: head.headers['content-type'], text: head.text }).toEqual({
        status: get.status,
        type: get.headers['content-type'],
        text: '',
      });
      expect(get.status).toBeLessThan(500);
      const length = head.headers['content-length'];
      // An export is as long as it is; the numbers of metrics differ from one call to the next.
      if (path === '/v3/core/export') expect(length).toBeUndefined();
      else if (path !== '/metrics') expect(Number(length)).toBe(Buffer.byteLength(get.text));
    });
  }
});

test('HEAD asks for a key where GET does', async () => {
  expect((await ask('HEAD', '/v3/accounting/accounts')).status).toBe(401);
  expect((await ask('HEAD', '/graphql?query={__typename}')).status).toBe(401);
});

test('a mutation runs by HEAD no more than by GET', async () => {
  const query = encodeURIComponent(
    'mutation { deleteWebhook(input: { webhookId: "x" }) { deletedWebhookId } }',
  );
  const { status, headers } = await ask('HEAD', `/graphql?query=${query}`, { api_key: caller.key });
  expect({ status, allow: headers['allow'] }).toEqual({ status: 405, allow: 'POST' });
});

test('a method is refused before its body is read, whatever it is', async () => {
  for (const type of ['text/plain', 'application/json']) {
    const { statusCode, headers, body } = await request(`${app.url}/v3/accounting/currencies`, {
      method: 'PUT',
      headers: { 'content-type': type },
      body: '{"not json',
    });
    await body.dump();
    expect({ statusCode, allow: headers['allow'] }).toEqual({ statusCode: 405, allow: 'GET, HEAD, OPTIONS' });
  }
});

test('a path that is not there is a 404 with every method', async () => {
  const near = ['/v3/accounting', '/v3/accounting/accounts/', '/v3/accounting/accounts/1/x', '/graphql/x'];
  for (const path of ['/nowhere', ...near]) {
    for (const method of EVERY) {
      const { status, headers } = await ask(method, path, { api_key: caller.key });
      expect({ path, method, status, allow: headers['allow'] }).toEqual({ path, method, status: 404 });
    }
  }
});
