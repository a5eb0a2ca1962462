import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { App } from '../../src/app.js';
import type { Worker } from '../../src/jobs/worker.js';
import type { Sandbox } from '../../src/sandbox/index.js';
import { runUpload } from '../../src/writes/upload-job.js';
import { admin } from '../support/admin.js';
import { engineOf, startTestSandbox, writeEngineOf } from '../support/sandbox.js';
import { type Caller, createCaller, startApp } from '../support/service.js';
import { until } from '../support/until.js';
import { createWriting, startWorker, type Writing } from '../support/writing.js';
import { createXeroTenant, type XeroTenant } from '../support/xero.js';

let app: App;
beforeAll(async () => {
  app = await startApp({ WRITE_WAIT_MS: '60000' });
});
afterAll(() => app?.close());

const toldSyncs = (companyId: number) =>
  admin.prisma.sync.findMany({
    where: { svcCompanyId: BigInt(companyId), toldByPlatform: true },
    include: { jobs: { orderBy: { position: 'asc' } } },
    orderBy: { svcId: 'asc' },
  });

describe('what a platform changes along with a write is read by itself', () => {
  let sandbox: Sandbox;
  let worker: Worker;
  let books: Writing;
  const NOTHING_DUE = { amount_due: 0 };

  beforeAll(async () => {
    sandbox = await startTestSandbox();
    worker = await startWorker(sandbox);
    books = await createWriting(app, sandbox);
  });
  afterAll(async () => {
    await worker?.stop();
    await sandbox?.stop();
  });

  const recordOf = async (path: string, platformId: string) => {
    const query = `svc_company_id[eq]=${books.companyId}&platform_id[eq]=${platformId}`;
    return (await books.caller.get(`/v3/accounting/${path}?${query}`)).body.data[0];
  };
  /** The record once it is as wanted. */
  const untilIs = (path: string, platformId: string, wanted: Readonly<Record<string, unknown>>) =>
    until(`${path} ${platformId} as ${JSON.stringify(wanted)}`, async () => {
      const record = await recordOf(path, platformId);
      return Object.entries(wanted).every(([name, value]) => record?.[name] === value) ? record : null;
    });
  const line = () => ({ account_id: books.ids.sales, quantity: '1', unit_amount: '80', description: 'Work' });

  test.each([
    ['invoice', 'invoices', 'invoice_payments', 'invoice_id'],
    ['bill', 'bills', 'bill_payments', 'bill_id'],
  ] as const)('the %s that a payment is for', async (name, path, payments, field) => {
    const id = books.ids[name];
    const { amount_due: amount } = await recordOf(path, id);
    expect(amount).toBeGreaterThan(0);
    const paid = { account_id: books.ids.bank, amount: String(amount), [field]: id };
    const { status } = await books.write(`/v3/accounting/${payments}`, [paid]);
    expect(status).toBe(200);
    expect(await untilIs(path, id, NOTHING_DUE)).toMatchObject({ status: 'PAID' });
  });

  test('the invoice that a credit note settles', async () => {
    const contact_id = books.ids.customer;
    const draft = { contact_id, posted_date: '2026-02-01', line_items: [line()], status: 'SUBMITTED' };
    const { body: invoice } = await books.write('/v3/accounting/invoices', [draft]);
    const note = { ...draft, invoice_ids: [invoice.data.platform_id] };
    expect((await books.write('/v3/accounting/invoice_credit_notes', [note])).status).toBe(200);
    await untilIs('invoices', invoice.data.platform_id, NOTHING_DUE);
  });

  test('the account that a bank account is', async () => {
    const card = {
      account_name: 'Second card',
      account_number: '4242 4242',
      institution_name: 'Harbour Bank',
      category: 'CREDIT_CARD',
    };
    const { body } = await books.write('/v3/accounting/bank_accounts', [card]);
    await untilIs('accounts', body.data.platform_id, { name: 'Second card' });
  });

  test('no other record, and none that the company does not sync', async () => {
    const ended = async () =>
      until('the end of syncs', async () => {
        const all = await toldSyncs(books.companyId);
        return all.every(({ endedAt }) => endedAt) ? { syncs: all.length } : null;
      });
    const before = await ended();
    expect((await books.write('/v3/accounting/journal_entries', [books.journal(5)])).status).toBe(200);
    const refused = { account_id: books.ids.bank, amount: '1000000', invoice_id: books.ids.invoice };
    expect((await books.write('/v3/accounting/invoice_payments', [refused])).status).toBe(400);
    const contact_id = books.ids.vendor;
    const draft = {
      contact_id,
      posted_date: '2026-02-01',
      line_items: [{ ...line(), account_id: books.ids.rent }],
      status: 'SUBMITTED',
    };
    const { body: bill } = await books.write('/v3/accounting/bills', [draft]);
    const want = async (enabled: boolean) => {
      const change = { sync_config: [{ category: 'ACCOUNTING', data_model: 'BILLS', enabled }] };
      expect((await books.caller.put(`/v3/core/companies/${books.companyId}`, change)).status).toBe(200);
    };
    await want(false);
    const paid = { account_id: books.ids.bank, amount: '80', bill_id: bill.data.platform_id };
    expect((await books.write('/v3/accounting/bill_payments', [paid])).status).toBe(200);
    expect(await ended()).toEqual(before);
    await want(true);
  });
});

describe('at Xero', () => {
  let tenant: XeroTenant;
  let caller: Caller;
  let open: string[];
  let bank: string | undefined;

  beforeAll(async () => {
    tenant = await createXeroTenant(app, 'paid at xero');
    expect(await tenant.sync(['ACCOUNTS', 'ITEMS', 'INVOICES'])).toBe('SUCCESS');
    open = tenant.books.documents
      .filter(({ type, status, paid }) => type === 'ACCREC' && status === 'AUTHORISED' && paid.isZero())
      .map(({ id }) => id);
    bank = tenant.books.accounts.find(({ type }) => type === 'BANK')?.id;
    caller = await createCaller(app, tenant.organisationId);
  });
  afterAll(() => tenant?.stop());

  /** An upload of payments for invoices, not sent yet. */
  const payFor = async (...ids: readonly (string | undefined)[]) => {
    const { body } = await caller.post('/v3/accounting/invoice_payments', {
      company_id: tenant.companyId,
      run_async: true,
      data: ids.map((id) => ({ account_id: bank, amount: '1.00', invoice_id: id })),
    });
    return admin.prisma.upload.findFirstOrThrow({ where: { uploadId: body.sync_id } });
  };
  const send = ({ svcId }: { readonly svcId: bigint }) =>
    runUpload(
      writeEngineOf({ ...engineOf(app, ''), urls: tenant.urls }, undefined as never),
      {
        organisationId: tenant.organisationId,
        svcCompanyId: tenant.companyId,
        uploadSvcId: Number(svcId),
      },
      { workerId: 'test', signal: new AbortController().signal },
    );

  test('records that Xero reads by their ids are read by them, once for several items', async () => {
    const [first, second] = open;
    await send(await payFor(first, second, first));
    const [sync, ...others] = await toldSyncs(tenant.companyId);
    expect(others).toEqual([]);
    expect(sync?.jobs.map(({ dataModel, platformIds }) => [dataModel, new Set(platformIds)])).toEqual([
      ['INVOICES', new Set([first, second])],
    ]);
    const before = tenant.calls.length;
    expect(await tenant.run(Number(sync?.svcId))).toBe('SUCCESS');
    expect(tenant.calls.slice(before)).toEqual([expect.stringMatching(/\/Invoices\?.*\bIDs=/)]);
    const { body: read } = await caller.get(
      `/v3/accounting/invoices?svc_company_id[eq]=${tenant.companyId}&platform_id[eq]=${first}`,
    );
    expect(read.data[0].total_amount - read.data[0].amount_due).toBe(2);
  });

  test('records are read though the database is lost until the answers are stored', async () => {
    const [, , third] = open;
    const upload = await payFor(third);
    const holder = await admin.pool.connect();
    try {
      // The sync that would read them has to wait for it.
      await holder.query('BEGIN');
      await holder.query('LOCK TABLE syncs IN SHARE MODE');
      const sent = send(upload);
      await until('the result of the item', async () => {
        const { endedAt } = await admin.prisma.upload.findFirstOrThrow({ where: { svcId: upload.svcId } });
        if (endedAt) return true;
        await admin.pool.query(
          `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
           WHERE datname = current_database() AND cardinality(pg_blocking_pids(pid)) > 0`,
        );
        return false;
      });
      await holder.query('ROLLBACK');
      await sent;
    } finally {
      holder.release(true);
    }
    const syncs = await toldSyncs(tenant.companyId);
    expect(syncs.at(-1)?.jobs.map(({ platformIds }) => platformIds)).toEqual([[third]]);
  });
});
