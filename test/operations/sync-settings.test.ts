import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { App } from '../../src/app.js';
import { syncSettingsOf } from '../../src/operations/syncs/sync-settings.js';
import { admin } from '../support/admin.js';
import { createTenant } from '../support/seed.js';
import { startApp } from '../support/service.js';

let app: App;

beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

test('what is usual is made once for all companies of a page', async () => {
  const acme = await createTenant(app, 'sync settings');
  const others = await Promise.all(['second', 'third'].map((name) => acme.company(name)));
  const client = app.database.client(acme.scope);
  const own = {
    category: 'ACCOUNTING',
    dataModel: 'BILLS',
    enabled: false,
    frequency: 'HOURLY',
    interval: 6,
  };
  const changed = { ...own, syncFrom: new Date('2026-01-31T00:00:00Z'), customFields: ['a'] };
  const third = others[1]?.companyId ?? 0;
  await admin.prisma.syncConfig.create({
    data: { svcOrganisationId: BigInt(acme.organisationId), svcCompanyId: BigInt(third), ...changed },
  });
  const wanted = [acme, ...others].map(({ companyId }) => ({ companyId, category: 'ACCOUNTING' }));
  const [one, two, three] = await syncSettingsOf(client, [...wanted, { companyId: third, category: 'NONE' }]);
  expect(one?.length).toBeGreaterThan(20);
  one?.forEach((setting, index) => expect(two?.[index]).toBe(setting));

  const bills = one?.find(({ dataModel }) => dataModel === 'BILLS');
  expect(three?.find(({ dataModel }) => dataModel === 'BILLS')).toEqual({
    ...bills,
    ...own,
    syncFrom: '2026-01-31T00:00:00.000Z',
    customFields: ['a'],
  });
  expect(bills).toMatchObject({ enabled: true, syncFrom: null });
});
