import { test } from '@jest/globals';
import { createApp } from '../../src/app.js';
import { readConfig } from '../../src/config.js';
import { createTenant } from '../support/seed.js';
import { createCaller, testDatabaseUrl } from '../support/service.js';
import { pino } from 'pino';
test('x', async () => {
  const databaseUrl = testDatabaseUrl();
  const config = readConfig({ DATABASE_URL: databaseUrl, PORT: '0', LIMIT_REQUESTS_PER_MINUTE: '0' });
  const app = await createApp({ config, databaseUrl, log: pino({ level: 'error' }) as never, demoApiKey: null });
  const acme = await createTenant(app, 'd');
  const caller = await createCaller(app, acme.organisationId);
  console.log((await caller.graphql('{ accounts(first: 3) { totalCount nodes { svcId name currency { code } } } }')).text);
  await app.close();
});
