import { describe, expect, test } from '@jest/globals';
import { DEMO_ACCOUNTS, startSandbox } from '../../src/sandbox/index.js';
import { testDatabaseUrl } from '../support/service.js';
import { startTestSandbox } from './support.js';

describe('startSandbox', () => {
  test('goes on with what an earlier start stored', async () => {
    const first = await startTestSandbox();
    const books = await first.caller('accounting', 'demo-1');
    const made = await books.send('POST', '/Products', { Sku: 'KEPT', Title: 'Kept' });
    await first.stop();
    const second = await first.restart();
    try {
      const answer = await fetch(`${second.url}/accounting/api/2/Products/${made.body.Products[0].Guid}`, {
        headers: { authorization: `Bearer ${books.token}`, 'sandbox-company': 'demo-1' },
      });
      expect(await answer.json()).toEqual(made.body);
    } finally {
      await second.stop();
      await first.drop();
    }
  });

  test('forgets expired tokens, codes and answers of writes, and no others', async () => {
    const sandbox = await startTestSandbox();
    try {
      const books = await sandbox.caller('accounting', 'demo-1');
      const write = async (key: string, Sku = key) => {
        const product = { Sku, Title: 'A product' };
        const { status } = await books.send('POST', '/Products', product, { 'idempotency-key': key });
        expect(status).toBe(201);
      };
      for (const key of ['old', 'repeated']) await write(key);
      await sandbox.query(`UPDATE idempotency SET answered_at = answered_at - interval '25 hours'`);
      await sandbox.query(`
        INSERT INTO codes (hash, grant_id, redirect_uri, challenge, expires_at)
        SELECT age, id, '', '', now() - age::interval FROM grants, unnest(ARRAY['23 hours', '25 hours']) age`);
      await sandbox.query(`
        INSERT INTO tokens (hash, grant_id, kind, expires_at)
        SELECT age, id, 'access', now() - age::interval FROM grants, unnest(ARRAY['23 hours', '25 hours']) age`);
      const tokensBefore = await sandbox.query('SELECT FROM tokens');
      await write('new');
      await write('repeated', 'another');
      await sandbox.caller('accounting', 'demo-1');
      const keys = await sandbox.query('SELECT key FROM idempotency ORDER BY key');
      expect(keys).toEqual([{ key: 'new' }, { key: 'repeated' }]);
      expect(await sandbox.query('SELECT hash FROM codes')).toEqual([{ hash: '23 hours' }]);
      const tokens = await sandbox.query('SELECT hash FROM tokens');
      // Two new ones, one gone.
      expect(tokens).toHaveLength(tokensBefore.length + 1);
      expect(tokens).not.toContainEqual({ hash: '25 hours' });
      expect((await books.get('/Products')).status).toBe(200);
    } finally {
      await sandbox.remove();
    }
  });

  test('refuses a schema that is no name', async () => {
    const options = { databaseUrl: testDatabaseUrl(), schema: 'a; DROP', companies: DEMO_ACCOUNTS };
    await expect(startSandbox(options)).rejects.toThrow('schema');
  });
});
