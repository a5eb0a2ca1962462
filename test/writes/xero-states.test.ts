import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { App } from '../../src/app.js';
import { runUpload } from '../../src/writes/upload-job.js';
import { admin } from '../support/admin.js';
import { engineOf, writeEngineOf } from '../support/sandbox.js';
import { createCaller, startApp } from '../support/service.js';
import { createXeroTenant, type XeroTenant } from '../support/xero.js';

let app: App;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app?.close());

/** Writes these, and answers what became of each. */
async function write(tenant: XeroTenant, method: 'POST' | 'PUT', path: string, data: readonly object[]) {
  const { organisationId, companyId } = tenant;
  const caller = await createCaller(app, organisationId);
  const request = { company_id: companyId, run_async: true, data };
  const { body } = await caller[method === 'POST' ? 'post' : 'put'](`/v3/accounting/${path}`, request);
  const upload = await admin.prisma.upload.findFirstOrThrow({ where: { uploadId: body.sync_id } });
  await runUpload(
    writeEngineOf({ ...engineOf(app, ''), urls: tenant.urls }, undefined as never),
    { organisationId, svcCompanyId: companyId, uploadSvcId: Number(upload.svcId) },
    { workerId: 'test', signal: new AbortController().signal },
  );
  return admin.prisma.uploadItem.findMany({
    where: { uploadSvcId: upload.svcId },
    orderBy: { position: 'asc' },
  });
}

test('what Xero did otherwise than it was asked is among the warnings of the item, sent alone or with others', async () => {
  const tenant = await createXeroTenant(app, 'warned by xero');
  try {
    const { books } = tenant;
    expect(await tenant.sync(['ACCOUNTS', 'CONTACTS'])).toBe('SUCCESS');
    const account = books.accounts.find(({ code }) => code === '453');
    const order = (raw_data: object) => ({
      contact_id: books.contacts[0]?.id,
      line_items: [{ description: 'Paper', quantity: 1, unit_amount: 5, account_id: account?.id }],
      raw_data,
    });
    const words = 'Xero says: Only AUTHORISED and BILLED purchase orders may have SentToContact updated.';
    for (const data of [[{ SentToContact: true }], [{ SentToContact: true }, {}]]) {
      const items = await write(tenant, 'POST', 'purchase_orders', data.map(order));
      expect(items.map(({ state, warnings }) => [state, warnings])).toEqual(
        data.map((one) => ['SUCCESS', 'SentToContact' in one ? [{ words, path: [] }] : []]),
      );
    }
  } finally {
    await tenant.stop();
  }
});

test('what is voided before Xero approved it is deleted there, known here as it is or not; the approved is void', async () => {
  const tenant = await createXeroTenant(app, 'voided at xero');
  try {
    const { companyId, books } = tenant;
    const unpaid = books.documents.filter(
      ({ type, paid, credited }) => type === 'ACCREC' && paid.isZero() && credited.isZero(),
    );
    const [draft, other] = unpaid.filter(({ status }) => status === 'DRAFT');
    const [approved] = unpaid.filter(({ status }) => status === 'AUTHORISED');
    if (!draft || !other || !approved) throw new Error('there are no such invoices');
    expect(await tenant.sync(['ACCOUNTS', 'ITEMS', 'INVOICES'])).toBe('SUCCESS');
    // Our copy of it still says that it is a draft.
    other.status = 'AUTHORISED';
    const data = [draft, other, approved].map(({ id }) => ({ platform_id: id, status: 'VOID' }));
    const items = await write(tenant, 'PUT', 'invoices', data);
    expect(items.map(({ state, errorMessage }) => [state, errorMessage])).toEqual(
      data.map(() => ['SUCCESS', null]),
    );
    expect([draft.status, other.status, approved.status]).toEqual(['DELETED', 'VOIDED', 'VOIDED']);
    const stored = await admin.prisma.invoice.findMany({
      where: { svcCompanyId: BigInt(companyId), platformId: { in: data.map((one) => one.platform_id) } },
    });
    const stateOf = (id: string) => {
      const record = stored.find(({ platformId }) => platformId === id);
      return [record?.status, record?.svcDeletedAt != null];
    };
    expect([draft, other, approved].map(({ id }) => stateOf(id))).toEqual([
      ['VOID', true],
      ['VOID', false],
      ['VOID', false],
    ]);
  } finally {
    await tenant.stop();
  }
});

test('books a bank transaction with its amount, or reports the difference', async () => {
  const tenant = await createXeroTenant(app, 'banked at xero');
  try {
    const { books } = tenant;
    expect(await tenant.sync(['ACCOUNTS', 'CONTACTS'])).toBe('SUCCESS');
    const idOf = (code: string) => books.accounts.find((one) => one.code === code)?.id;
    const own = (UnitAmount: number) => ({
      LineItems: [{ Description: 'Paper', UnitAmount, AccountCode: '453' }],
    });
    const spent = (amount: string, raw_data: object = {}) => ({
      type: 'SPEND',
      amount,
      account_id: idOf('090'),
      to_account_id: idOf('453'),
      contact_id: books.contacts[0]?.id,
      raw_data,
    });
    const before = books.bankTransactions.length;
    const items = await write(tenant, 'POST', 'bank_transactions', [
      spent('100', own(50)),
      spent('50', own(50)),
      spent('100', { LineAmountTypes: 'Exclusive' }),
      spent('10.005'),
    ]);
    expect(items.map(({ state, errorMessage, warnings }) => [state, errorMessage, warnings])).toEqual([
      ['FAILED', expect.stringContaining('must be the total of the lines in raw_data, 50'), []],
      ['SUCCESS', null, []],
      ['SUCCESS', null, [{ words: expect.stringContaining('without tax'), path: ['amount'] }]],
      ['SUCCESS', null, [{ words: expect.stringContaining('is stored as 10.01'), path: ['amount'] }]],
    ]);
    const booked = books.bankTransactions.slice(before).map(({ total }) => total.toFixed());
    expect(booked).toEqual(['50', '115', '10.01']);
  } finally {
    await tenant.stop();
  }
});

test('a dry run shows amounts as numbers with all their digits', async () => {
  const tenant = await createXeroTenant(app, 'planned at xero');
  try {
    const { organisationId, companyId, books } = tenant;
    expect(await tenant.sync(['ACCOUNTS', 'CONTACTS'])).toBe('SUCCESS');
    const caller = await createCaller(app, organisationId);
    const contact = books.contacts[0]?.id;
    const item = `{ contact_id: "${contact}", line_items: [{ description: "Paper", quantity: 1, unit_amount: 2 },
      { description: "Ink", quantity: 1, unit_amount: 1234567890123.4567 }] }`;
    const { text } = await caller.graphql(`mutation { writeRecords(input: { dataModel: INVOICES,
      companyId: ${companyId}, dryRun: true, data: [${item}] }) { results { request { body } } } }`);
    const bulk = `{"company_id":${companyId},"dry_run":true,"data":[${item.replaceAll(/(\w+): /g, '"$1":')}]}`;
    const rest = await caller.post('/accounting/invoices', bulk);
    for (const answer of [text, rest.text]) {
      expect(answer).toMatch(/"UnitAmount":2[,}]/);
      expect(answer).toContain('"UnitAmount":1234567890123.4567');
    }
  } finally {
    await tenant.stop();
  }
});
