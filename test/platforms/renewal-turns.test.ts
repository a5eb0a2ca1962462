import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { App } from '../../src/app.js';
import { clientSecretPlace } from '../../src/platforms/client-credentials.js';
import { admin } from '../support/admin.js';
import { connectXero, testSecrets } from '../support/fill-company.js';
import { createTenant } from '../support/seed.js';
import { createCaller, startApp } from '../support/service.js';
import { until } from '../support/until.js';

let app: App;
/** A platform that takes requests and answers none. */
let silent: Server;
let asked = 0;

beforeAll(async () => {
  silent = createServer(() => (asked += 1));
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  app = await startApp({ XERO_URL: `http://127.0.0.1:${(silent.address() as AddressInfo).port}` });
});
afterAll(async () => {
  silent.closeAllConnections();
  silent.close();
  await app.close();
});

test('a platform that is silent when tokens are renewed keeps no request from the database', async () => {
  const tenant = await createTenant(app, 'silent');
  const { organisationId } = tenant;
  await admin.prisma.integration.create({
    data: {
      svcOrganisationId: BigInt(organisationId),
      integrationType: 'XERO',
      clientId: 'an app',
      clientSecret: testSecrets.seal('its secret', clientSecretPlace('XERO', organisationId)),
    },
  });
  const caller = await createCaller(app, organisationId);
  const calls: (() => ReturnType<typeof caller.post>)[] = [];
  // As many as there are connections of the database.
  for (let made = 0; made < 12; made += 1) {
    const { companyId } = await tenant.company(`silent ${made}`);
    const connectionId = await connectXero(app, { ...tenant, companyId }, `silent ${made}`);
    const data = { method: 'GET', path: '/Items' };
    calls.push(() =>
      caller.post('/v3/core/passthrough', { company_id: companyId, connection_id: connectionId, data }),
    );
  }
  await admin.prisma.connectionCredential.updateMany({
    where: { svcOrganisationId: BigInt(organisationId) },
    data: { expiresAt: new Date(Date.now() - 1) },
  });
  const answers = calls.map((call) => call());
  await until('the platform to be asked', () => asked >= 2);
  expect((await caller.get('/v3/core/companies')).status).toBe(200);
  expect(asked).toBe(2);
  // Whose turn comes finds nobody there.
  silent.closeAllConnections();
  silent.close();
  const codes = (await Promise.all(answers)).map(({ body }) => body.error.code as string);
  expect(new Set(codes)).toEqual(new Set(['platform-unreachable']));
});
