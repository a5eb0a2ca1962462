import { afterEach, beforeAll, afterAll, expect, test } from '@jest/globals';
import type { App } from '../../src/app.js';
import { startSync } from '../../src/sync/start-sync.js';
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

const TRADE = ['INVOICES', 'BILLS', 'INVOICE_CREDIT_NOTES', 'BILL_CREDIT_NOTES'];
const PAYMENTS = ['INVOICE_PAYMENTS', 'BILL_PAYMENTS'];
const TABLES = {
  INVOICES: ['invoices', 'ACCREC'],
  BILLS: ['bills', 'ACCPAY'],
  INVOICE_CREDIT_NOTES: ['invoice_credit_notes', 'ACCRECCREDIT'],
  BILL_CREDIT_NOTES: ['bill_credit_notes', 'ACCPAYCREDIT'],
} as const;

/** The listings that some work calls, in order. */
async function listed(work: () => Promise<unknown>): Promise<string[]> {
  const before = tenant.calls.length;
  await work();
  const names = tenant.calls.slice(before).map((url) => url.replace('/api.xro/2.0/', '').split('?')[0] ?? '');
  return names.filter((name) => name !== 'Organisation');
}

/** Whether every record type has what the platform has of it, and nothing else. */
async function expectAll(): Promise<void> {
  for (const [table, type] of Object.values(TABLES)) {
    const { rows } = await admin.pool.query(
      `SELECT platform_id AS id FROM ${table} WHERE svc_company_id = $1 ORDER BY 1`,
      [tenant.companyId],
    );
    const ids = tenant.books.documents.filter((one) => one.type === type).map(({ id }) => id);
    expect([table, rows.map(({ id }) => id)]).toEqual([table, ids.sort()]);
  }
}

test('a listing of several record types is read once, completely and then for what changed', async () => {
  tenant = await createXeroTenant(app, 'shared');
  const sync = () => tenant.sync([...TRADE, ...PAYMENTS]);
  const once = ['Invoices', 'CreditNotes', 'Payments', 'Prepayments', 'Overpayments'];
  expect(await listed(sync)).toEqual(once);
  await expectAll();
  expect(await listed(sync)).toEqual(once);
  const jobs = await admin.prisma.syncJob.findMany({ where: { svcCompanyId: BigInt(tenant.companyId) } });
  expect(jobs.map(({ state }) => state)).toEqual(jobs.map(() => 'SUCCESS'));
  const { rows } = await admin.pool.query(
    `SELECT (SELECT count(*) FROM invoice_payments WHERE svc_company_id = $1)
       + (SELECT count(*) FROM bill_payments WHERE svc_company_id = $1) AS count`,
    [tenant.companyId],
  );
  const { payments, advances } = tenant.books;
  const allocated = advances.flatMap((advance) => advance.allocated);
  expect(allocated.length).toBeGreaterThan(10);
  expect(Number(rows[0].count)).toBe(payments.length + allocated.length);
});

test('a record type requested alone is read by itself', async () => {
  tenant = await createXeroTenant(app, 'shared alone');
  expect(await listed(() => tenant.sync(['BILLS']))).toEqual(['Invoices']);
  expect(tenant.calls.at(-1)).toContain('ACCPAY');
});

test('record types left a page apart by a dead worker each continue from their own page', async () => {
  tenant = await createXeroTenant(app, 'shared crash');
  const sql = app.database.sql(tenant.scope);
  const request = { svcCompanyId: tenant.companyId, connectionId: tenant.connectionId };
  const { syncSvcId } = await sql.transaction((transaction) =>
    startSync(transaction, {
      ...request,
      syncType: 'MANUAL',
      fullSync: false,
      syncFrom: null,
      dataModels: TRADE,
    }),
  );
  // The worker dies when the first page is stored for the first of them, and not yet for the next.
  await admin.pool.query(
    `CREATE FUNCTION die() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
       IF new.svc_company_id = ${tenant.companyId} THEN RAISE 'the worker dies'; END IF; RETURN new; END $$;
     CREATE TRIGGER die BEFORE INSERT ON bills FOR EACH ROW EXECUTE FUNCTION die()`,
  );
  const cursors = async () =>
    (
      await admin.prisma.syncJob.findMany({
        where: { syncSvcId: BigInt(syncSvcId) },
        orderBy: { position: 'asc' },
      })
    ).map(({ cursor, phase }) => `${phase} ${cursor}`);
  await admin.pool.query(`CREATE FUNCTION no_end() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
       IF new.sync_svc_id = ${syncSvcId} AND new.state = 'FAILED' THEN RAISE SQLSTATE '57P01'; END IF; RETURN new; END $$;
     CREATE TRIGGER no_end BEFORE UPDATE ON sync_jobs FOR EACH ROW EXECUTE FUNCTION no_end()`);
  await expect(tenant.run(syncSvcId)).rejects.toThrow();
  expect(await cursors()).toEqual(['PULL all documents CreditNotes:', 'PULL null', 'PULL null', 'PULL null']);
  await admin.pool.query(
    'DROP TRIGGER die ON bills; DROP FUNCTION die(); DROP TRIGGER no_end ON sync_jobs; DROP FUNCTION no_end()',
  );
  expect(await listed(() => tenant.run(syncSvcId))).toEqual(['CreditNotes', 'Invoices', 'CreditNotes']);
  await expectAll();
});
