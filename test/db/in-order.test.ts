import { expect, test } from '@jest/globals';
import { inOrder } from '../../src/db/in-order.js';
import { lockChangeHead } from '../../src/store/change-log.js';
import { admin } from '../support/admin.js';
import { createTenant } from '../support/seed.js';
import { startApp } from '../support/service.js';

test('statements in one write fail as the first of them, also where the others are heard sooner', async () => {
  const later = (error: Error) => Promise.resolve().then(() => Promise.reject(error));
  const [first, second] = [new Error('what went wrong'), new Error('the transaction is aborted')];
  await expect(inOrder([Promise.resolve(1), later(first), Promise.reject(second)])).rejects.toBe(first);
  expect(await inOrder([Promise.resolve(1), 'two', null])).toEqual([1, 'two', null]);
});

test('a change head that others hold for too long is said to be that', async () => {
  const app = await startApp({ LIMIT_STATEMENT_MILLISECONDS: '300' });
  const holder = await admin.pool.connect();
  try {
    const { organisationId, companyId: svcCompanyId, connectionId, scope } = await createTenant(app, 'held');
    const lock = () =>
      app.database.sql(scope).transaction((sql) => lockChangeHead(sql, { svcCompanyId, connectionId }));
    await lock();
    await holder.query('BEGIN');
    await holder.query('SELECT 1 FROM change_heads WHERE svc_organisation_id = $1 FOR UPDATE', [
      organisationId,
    ]);
    for (let round = 0; round < 5; round += 1) {
      await expect(lock()).rejects.toMatchObject({ code: 'query-timeout' });
    }
  } finally {
    await holder.query('ROLLBACK');
    holder.release();
    await app.close();
  }
});
