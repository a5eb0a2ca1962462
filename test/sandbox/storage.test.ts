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

  test('refuses a schema that is no name', async () => {
    const options = { databaseUrl: testDatabaseUrl(), schema: 'a; DROP', companies: DEMO_ACCOUNTS };
    await expect(startSandbox(options)).rejects.toThrow('schema');
  });
});
