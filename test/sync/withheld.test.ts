import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { App } from '../../src/app.js';
import { admin } from '../support/admin.js';
import { startApp } from '../support/service.js';
import { createXeroTenant, type XeroTenant } from '../support/xero.js';

let app: App;
let tenant: XeroTenant;
beforeAll(async () => {
  app = await startApp();
});
afterEach(() => tenant.stop());
afterAll(() => app.close());

/** How each record type of the company's sync ended. */
async function ends(): Promise<Readonly<Record<string, string>>> {
  const jobs = await admin.prisma.syncJob.findMany({ where: { svcCompanyId: BigInt(tenant.companyId) } });
  return Object.fromEntries(jobs.map(({ dataModel, state, errorCode }) => [dataModel, errorCode ?? state]));
}

const listed = () => tenant.calls.filter((url) => !url.includes('/Organisation'));

test('a record type that may not be read is left out of a listing that it shares with others', async () => {
  tenant = await createXeroTenant(app, 'withheld shared');
  await admin.prisma.syncConfig.create({
    data: {
      svcOrganisationId: BigInt(tenant.organisationId),
      svcCompanyId: BigInt(tenant.companyId),
      category: 'ACCOUNTING',
      dataModel: 'BILLS',
      mayRead: false,
    },
  });
  await tenant.sync(['INVOICES', 'BILLS']);
  expect(await ends()).toEqual({ INVOICES: 'SUCCESS', BILLS: 'operation-denied' });
  expect(listed().length).toBeGreaterThan(0);
  expect(listed().filter((url) => !url.includes('ACCREC'))).toEqual([]);
});

test('what is withheld while a sync reads a record type is not read as a later one', async () => {
  tenant = await createXeroTenant(app, 'withheld later');
  const { organisationId, companyId } = tenant;
  // While the first record type is stored, the company withholds the second; that takes longer than a run trusts its reading.
  await admin.pool.query(
    `CREATE FUNCTION withhold() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$ BEGIN
       IF EXISTS (SELECT FROM sync_configs WHERE svc_company_id = ${companyId}) THEN RETURN NULL; END IF;
       INSERT INTO sync_configs (svc_organisation_id, svc_company_id, category, data_model, may_read)
         VALUES (${organisationId}, ${companyId}, 'ACCOUNTING', 'CONTACTS', false);
       PERFORM pg_sleep(5.2);
       RETURN NULL;
     END $$;
     CREATE TRIGGER withhold AFTER INSERT ON accounts FOR EACH STATEMENT EXECUTE FUNCTION withhold()`,
  );
  try {
    await tenant.sync(['ACCOUNTS', 'CONTACTS']);
  } finally {
    await admin.pool.query('DROP TRIGGER withhold ON accounts; DROP FUNCTION withhold()');
  }
  expect(await ends()).toEqual({ ACCOUNTS: 'SUCCESS', CONTACTS: 'operation-denied' });
  expect(listed().filter((url) => url.includes('/Contacts'))).toEqual([]);
});
