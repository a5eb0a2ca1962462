import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { ServerResponse } from 'node:http';
import type { App } from '../../src/app.js';
import { admin } from '../support/admin.js';
import { giveToken, type OddPlatform, startOddPlatform } from '../support/platform.js';
import { createTenant, type Tenant } from '../support/seed.js';
import { createCaller, startApp } from '../support/service.js';
import { until } from '../support/until.js';

let app: App;
let platform: OddPlatform;
let tenant: Tenant;
let caller: Awaited<ReturnType<typeof createCaller>>;
/** Requests that the platform has received and not answered. */
let open: ServerResponse[];

beforeAll(async () => {
  platform = await startOddPlatform();
  app = await startApp({ XERO_URL: platform.url });
});
afterAll(async () => {
  await app?.close();
  await platform?.close();
});
beforeEach(async () => {
  tenant = await createTenant(app, 'callers');
  await admin.prisma.connection.updateMany({
    where: { svcId: BigInt(tenant.connectionId) },
    data: { integrationType: 'XERO', baseCurrencyCode: 'EUR' },
  });
  await giveToken(app, tenant, 'a token');
  caller = await createCaller(app, tenant.organisationId);
  platform.heard.length = 0;
  open = [];
  platform.answer((_heard, response) => open.push(response));
});
afterEach(() => admin.pool.query('DROP FUNCTION IF EXISTS refuse() CASCADE'));

const places = async () => {
  const { concurrentCalls } = await admin.prisma.connection.findFirstOrThrow({
    where: { svcId: BigInt(tenant.connectionId) },
  });
  const connectionId = BigInt(tenant.connectionId);
  return [concurrentCalls, await admin.prisma.platformCall.count({ where: { connectionId } })];
};

test('the place of a call whose caller has left is free once the platform has answered', async () => {
  const leaving = new AbortController();
  const period = 'period_start[gte]=2025-02-01&period_end[lte]=2025-02-28&source=PLATFORM';
  const asked = fetch(
    `${app.url}/v3/accounting/balance_sheet?svc_company_id[eq]=${tenant.companyId}&${period}`,
    { headers: { api_key: caller.key }, signal: leaving.signal },
  );
  await until('a call', () => open.length > 0);
  expect(await places()).toEqual([1, 1]);
  leaving.abort();
  await expect(asked).rejects.toThrow();
  // What the caller's statements were doing has ended when another request of its is answered.
  expect((await caller.get('/v3/core/companies')).status).toBe(200);
  open[0]?.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  await until('a free place', async () => (await places())[0] === 0);
  expect(await places()).toEqual([0, 0]);
});

test('the answer to a write is not lost with the place of its call', async () => {
  platform.answer((_heard, response) => {
    void admin.pool
      .query(
        `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'no' USING ERRCODE = '40P01'; END $$;
         CREATE TRIGGER refuse BEFORE UPDATE ON connections FOR EACH ROW EXECUTE FUNCTION refuse()`,
      )
      .then(() => response.writeHead(200, { 'content-type': 'application/json' }).end('{"made":1}'));
  });
  const { status, body } = await caller.post('/v3/core/passthrough', {
    company_id: tenant.companyId,
    data: { method: 'POST', path: '/Invoices', body: { Type: 'ACCREC' } },
  });
  expect([status, body.data]).toEqual([200, { made: 1 }]);
  expect(platform.heard).toHaveLength(1);
});
