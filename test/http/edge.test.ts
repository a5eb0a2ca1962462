import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import type { App } from '../../src/app.js';
import { createTenant, type Tenant } from '../support/seed.js';
import { callerOf, createCaller, startApp, testDatabaseUrl } from '../support/service.js';
import { until } from '../support/until.js';

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
    const page = await browser.text();
    expect(page).toContain('href="/graphql"');
    // Read at the width of a phone, and found by who has it read aloud.
    expect(page).toContain('<meta name="viewport" content="width=device-width, initial-scale=1" />');
    expect(page).toMatch(/<main>\s*<h1>/);
  });

  test('health and metrics answer', async () => {
    const caller = callerOf(app, null);
    expect((await caller.get('/health/live')).body).toEqual({ status: 'ok' });
    expect((await caller.get('/health/ready')).body).toMatchObject({ status: 'ok' });
    const metrics = await caller.get('/metrics');
    expect(metrics.text).toContain(
      'http_request_duration_seconds_count{method="GET",route="/health/live",status="200"}',
    );
    expect(metrics.text).toContain('database_connections{pool="requests",state="open"}');
  });

  test('an unknown path is a 404 with a JSON body', async () => {
    const { status, body } = await callerOf(app, null).get('/v3/accounting/unicorns?x=1');
    expect(status).toBe(404);
    expect(body).toEqual({
      error: { code: 'not-found', message: 'there is nothing at GET /v3/accounting/unicorns', field: '' },
      request_id: expect.any(String),
    });
  });

  test.each([
    ['/v3/accounting/accounts/', '?limit=1'],
    ['/v3/core/companies/', ''],
    ['/v3/core/webhooks//deliveries', ''],
    ['/jobs/', ''],
  ])('%s, with nothing where an id would be, is one of them', async (path, query) => {
    const caller = await createCaller(app, acme.organisationId);
    const { status, body } = await caller.get(path + query);
    expect(status).toBe(404);
    expect(body.error).toEqual({ code: 'not-found', message: `there is nothing at GET ${path}`, field: '' });
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
  test.each(['/graphql', '/v3/accounting/accounts'])(
    'a connection that is lost under a request to %s is a 503 with Retry-After, and the next one works',
    async (path) => {
      const caller = await createCaller(app, acme.organisationId);
      const ask = () =>
        path === '/graphql' ? caller.graphql('{ accounts { nodes { name } } }') : caller.get(path);
      expect((await ask()).status).toBe(200);
      const owner = new pg.Client({ connectionString: testDatabaseUrl() });
      await owner.connect();
      try {
        // The request waits for the table, then for nothing.
        await owner.query('BEGIN; LOCK TABLE accounts');
        const asked = ask();
        await until('its connection to be cut', async () => {
          const { rows } = await owner.query(
            `SELECT pg_terminate_backend(pid) AS cut FROM pg_stat_activity
             WHERE pg_backend_pid() = ANY(pg_blocking_pids(pid))`,
          );
          return rows[0]?.cut;
        });
        const { status, headers, body } = await asked;
        const error = body.error ?? body.errors[0].extensions;
        expect([status, error.code]).toEqual([503, 'service-unavailable']);
        expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
      } finally {
        await owner.end();
      }
      expect((await ask()).status).toBe(200);
    },
  );
});
