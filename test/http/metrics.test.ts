import { afterAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { createMeasures } from '../../src/http/metrics/measures.js';
import { admin } from '../support/admin.js';
import { createTenant } from '../support/seed.js';
import { createCaller, startApp, testDatabaseUrl } from '../support/service.js';
import { untilBlocked } from '../support/until-blocked.js';

const app = await startApp();
afterAll(() => app.close());

test('many who ask at once share an answer, and leave the connections to callers', async () => {
  const { organisationId } = await createTenant(app, 'measured');
  const caller = await createCaller(app, organisationId);
  const locking = await admin.pool.connect();
  try {
    await locking.query('BEGIN');
    await locking.query('LOCK TABLE webhook_holds IN ACCESS EXCLUSIVE MODE');
    const asked = Array.from({ length: 30 }, () => fetch(`${app.url}/metrics`));
    await untilBlocked();
    expect((await caller.get('/v3/accounting/accounts')).status).toBe(200);
    await locking.query('COMMIT');
    for (const answer of await Promise.all(asked)) {
      expect(answer.status).toBe(200);
      expect(await answer.text()).toContain('webhook_records_held 0');
    }
  } finally {
    locking.release(true);
  }
});

test('a value is absent until it is measured, and then stays', async () => {
  // As on a cluster while one of its nodes is away.
  await admin.pool.query('CREATE SCHEMA partly');
  const measure = (names: readonly string[]) =>
    admin.pool.query(
      `CREATE OR REPLACE FUNCTION partly.svc_measure(away integer[])
         RETURNS TABLE(metric text, label text, other text, value double precision) LANGUAGE sql
       AS $$ SELECT m.* FROM public.svc_measure(away) m WHERE m.metric = ANY('{${names.join()}}') $$`,
    );
  const pool = new pg.Pool({
    connectionString: testDatabaseUrl(),
    max: 1,
    options: '-c search_path=partly,public',
  });
  try {
    const read = createMeasures({ pool, nodes: null });
    await measure(['webhook_records_held']);
    const early = await read();
    expect(early).toContain('\nwebhook_records_held 0\n');
    expect(early).not.toMatch(/^change_position /m);
    await measure(['webhook_records_held', 'change_position']);
    const measured = /^change_position \d+$/m.exec(await read())?.[0];
    expect(measured).toBeDefined();
    await measure(['webhook_records_held']);
    expect(await read()).toContain(`\n${measured}\n`);
  } finally {
    await pool.end();
  }
});
