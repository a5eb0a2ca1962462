import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
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

/**
 * Runs a sync whose company withholds a record type when the first records of a table are stored; that takes longer than
 * a run trusts its reading.
 */
async function withholdDuring(
  table: string,
  withheld: string,
  dataModels: readonly string[],
  change: 'INSERT' | 'UPDATE' = 'INSERT',
): Promise<void> {
  const { organisationId, companyId } = tenant;
  await admin.pool.query(
    `CREATE FUNCTION withhold() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$ BEGIN
       IF EXISTS (SELECT FROM sync_configs WHERE svc_company_id = ${companyId}) THEN RETURN NULL; END IF;
       INSERT INTO sync_configs (svc_organisation_id, svc_company_id, category, data_model, may_read)
         VALUES (${organisationId}, ${companyId}, 'ACCOUNTING', '${withheld}', false);
       PERFORM pg_sleep(5.2);
       RETURN NULL;
     END $$;
     CREATE TRIGGER withhold AFTER ${change} ON ${table} FOR EACH STATEMENT EXECUTE FUNCTION withhold()`,
  );
  try {
    await tenant.sync(dataModels, { fullSync: change === 'UPDATE' });
  } finally {
    await admin.pool.query(`DROP TRIGGER withhold ON ${table}; DROP FUNCTION withhold()`);
  }
}

test('a record type that is withheld while a sync reads an earlier one is not read', async () => {
  tenant = await createXeroTenant(app, 'withheld later');
  await withholdDuring('accounts', 'CONTACTS', ['ACCOUNTS', 'CONTACTS']);
  expect(await ends()).toEqual({ ACCOUNTS: 'SUCCESS', CONTACTS: 'operation-denied' });
  expect(listed().filter((url) => url.includes('/Contacts'))).toEqual([]);
});

test('a record type that is withheld while it is read is not read to its end', async () => {
  tenant = await createXeroTenant(app, 'withheld between pages');
  const { contacts } = tenant.books;
  const [one] = contacts;
  if (!one) throw new Error('there are contacts');
  for (let index = 0; index < 4000; index += 1) contacts.push({ ...one, id: randomUUID() });
  await withholdDuring('contacts', 'CONTACTS', ['CONTACTS', 'ACCOUNTS']);
  expect(await ends()).toEqual({ CONTACTS: 'operation-denied', ACCOUNTS: 'SUCCESS' });
  // The second page is read while the first is stored.
  expect(listed().filter((url) => url.includes('/Contacts')).length).toBeLessThan(3);
  const stored = await admin.prisma.contact.count({ where: { svcCompanyId: BigInt(tenant.companyId) } });
  expect(stored).toBe(1000);
});

test('a record type that is withheld when its last deleted records are removed has been read', async () => {
  tenant = await createXeroTenant(app, 'withheld at the end');
  await tenant.sync(['ITEMS']);
  await admin.pool.query('DELETE FROM sync_jobs WHERE svc_company_id = $1', [tenant.companyId]);
  tenant.books.items.pop();
  await withholdDuring('items', 'ITEMS', ['ITEMS'], 'UPDATE');
  expect(await ends()).toEqual({ ITEMS: 'SUCCESS' });
  const removed = { svcCompanyId: BigInt(tenant.companyId), svcDeletedAt: { not: null } };
  expect(await admin.prisma.item.count({ where: removed })).toBe(1);
});

test('record types read together with one that is withheld meanwhile are read to their end without it', async () => {
  tenant = await createXeroTenant(app, 'withheld of a listing');
  const { documents } = tenant.books;
  const one = documents.find(({ type }) => type === 'ACCPAY');
  if (!one) throw new Error('there are bills');
  for (let index = 0; index < 2500; index += 1) documents.push({ ...one, id: randomUUID() });
  await withholdDuring('bills', 'BILLS', ['INVOICES', 'BILLS', 'INVOICE_CREDIT_NOTES']);
  expect(await ends()).toEqual({
    INVOICES: 'SUCCESS',
    BILLS: 'operation-denied',
    INVOICE_CREDIT_NOTES: 'SUCCESS',
  });
  const count = { where: { svcCompanyId: BigInt(tenant.companyId) } };
  expect([
    await admin.prisma.invoice.count(count),
    await admin.prisma.invoiceCreditNote.count(count),
  ]).toEqual([250, 60]);
  expect(await admin.prisma.bill.count(count)).toBeLessThan(2000);
});
