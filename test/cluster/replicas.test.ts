import { expect, test } from '@jest/globals';
import { startApp, testDatabaseUrl } from '../support/service.js';

test('a cluster takes no replicas, and says so', async () => {
  await expect(startApp({ DATABASE_REPLICA_URL: testDatabaseUrl() })).rejects.toThrow(
    'leave DATABASE_REPLICA_URL empty',
  );
});
