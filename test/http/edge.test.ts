import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { App } from '../../src/app.js';
import { createTenant, type Tenant } from '../support/seed.js';
import { callerOf, createCaller, startApp } from '../support/service.js';

let app: App;
let acme: Tenant;

beforeAll(async () => {
  app = await startApp();
  acme = await createTenant(app, 'edge');
});
afterAll(() => app.close());

describe('without a key', () => {
  test('GET / says what runs here, to browsers and to programs', async () => {
    const program = await callerOf(app, null).get('/');
    expect(program.body).toMatchObject({ name: 'Unified Financial Data Service', graphql: '/graphql' });
    const browser = await fetch(app.url, { headers: { accept: 'text/html' } });
    expect(browser.headers.get('content-type')).toContain('text/html');
    expect(await browser.text()).toContain('href="/graphql"');
  });

  test('health and metrics answer', async () => {
    const caller = callerOf(app, null);
    expect((await caller.get('/health/live')).body).toEqual({ status: 'ok' });
    expect((await caller.get('/health/ready')).body).toEqual({ status: 'ok' });
    const metrics = await caller.get('/metrics');
    expect(metrics.text).toContain(
      'http_request_duration_seconds_count{method="GET",route="/health/live",status="200"}',
    );
    expect(metrics.text).toContain('database_connections{state="open"}');
  });

  test('an unknown path is a 404 with a JSON body', async () => {
    const { status, body } = await callerOf(app, null).get('/v3/accounting/unicorns?x=1');
    expect(status).toBe(404);
    expect(body).toEqual({
      error: { code: 'not-found', message: 'there is nothing at GET /v3/accounting/unicorns', field: '' },
      request_id: expect.any(String),
    });
  });
});

describe('a request id', () => {
  test("is the caller's where it is harmless, else ours", async () => {
    const idFor = async (given: string) =>
      (await fetch(`${app.url}/health/live`, { headers: { 'x-request-id': given } })).headers.get(
        'x-request-id',
      );
    expect(await idFor('order-4711')).toBe('order-4711');
    expect(await idFor('a b<script>')).toMatch(/^[0-9a-f-]{36}$/);
    expect(await idFor('x'.repeat(65))).toMatch(/^[0-9a-f-]{36}$/);
  });
});

describe('the database', () => {
  test('a lost connection is a 503 with Retry-After, and the next request works', async () => {
    const caller = await createCaller(app, acme.organisationId);
    const other = await startApp();
    try {
      const query = '{ accounts { totalCount } }';
      expect((await caller.graphql(query)).status).toBe(200);
      await other.database.pool.query(
        `SET ROLE NONE; SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE datname = current_database() AND pid <> pg_backend_pid(); RESET ROLE`,
      );
      const answers = [await caller.graphql(query), await caller.graphql(query)];
      for (const { status } of answers) expect([200, 503]).toContain(status);
      expect((await caller.graphql(query)).status).toBe(200);
    } finally {
      await other.close();
    }
  });
});
