import { afterAll, expect, test } from '@jest/globals';
import { admin } from '../support/admin.js';
import { createTenant } from '../support/seed.js';
import { createCaller, startApp } from '../support/service.js';
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
