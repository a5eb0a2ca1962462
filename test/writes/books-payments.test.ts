import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { App } from '../../src/app.js';
import type { Worker } from '../../src/jobs/worker.js';
import type { Sandbox } from '../../src/sandbox/index.js';
import { startTestSandbox } from '../support/sandbox.js';
import { startApp } from '../support/service.js';
import { createWriting, startWorker, type Writing } from '../support/writing.js';

let app: App;
let sandbox: Sandbox;
let worker: Worker;
let books: Writing;
beforeAll(async () => {
  sandbox = await startTestSandbox();
  app = await startApp({ WRITE_WAIT_MS: '60000', SANDBOX_URL: sandbox.url });
  worker = await startWorker(sandbox);
  books = await createWriting(app, sandbox);
});
afterAll(async () => {
  await worker?.stop();
  await app?.close();
  await sandbox?.stop();
});

/** 88.00 with a tenth of tax. */
const paper = (tax_id: string, more: object = {}) => ({
  contact_id: books.ids.customer,
  posted_date: '2026-02-01',
  status: 'SUBMITTED',
  line_items: [
    { account_id: books.ids.sales, tax_id, quantity: '1', unit_amount: '80', description: 'Work' },
  ],
  ...more,
});
const invoiced = async () => {
  const { status, body } = await books.write('/v3/accounting/invoices', [paper(books.ids.tax)]);
  expect([status, body.data?.total_amount]).toEqual([200, 88]);
  return String(body.data.platform_id);
};
const credited = (tax_id: string, invoice_ids: readonly string[]) =>
  books.write('/v3/accounting/invoice_credit_notes', [paper(tax_id, { invoice_ids })]);

test('a credit note whose tax is named by its code is applied with the tax', async () => {
  const { status, body } = await credited('AU-GST', [await invoiced()]);
  expect([status, body.data?.total_amount, body.data?.remaining_credit]).toEqual([200, 88, 0]);
});

test('a credit note with a discount is applied to the cent', async () => {
  const invoice_ids = [await invoiced()];
  const note = paper(books.ids.tax, { invoice_ids });
  const line_items = note.line_items.map((line) => ({ ...line, total_discount: '0.333' }));
  const { status, body } = await books.write('/v3/accounting/invoice_credit_notes', [
    { ...note, line_items },
  ]);
  expect([status, body.data?.total_amount, body.data?.remaining_credit]).toEqual([200, 87.64, 0]);
});

test('a credit note whose tax is unknown here is not applied without it', async () => {
  const parts = [{ Title: 'Levy', Percentage: '10' }];
  const made = await books.caller.post('/v3/core/passthrough', {
    company_id: books.companyId,
    data: { method: 'POST', path: '/TaxCodes', data: { Code: 'UNSEEN', Title: 'Levy', Parts: parts } },
  });
  expect(made.status).toBe(200);
  const one = await credited('UNSEEN', [await invoiced()]);
  expect([one.status, one.body.data?.remaining_credit]).toEqual([200, 0]);
  const two = await credited('UNSEEN', [await invoiced(), await invoiced()]);
  expect([two.status, two.body.error]).toMatchObject([400, { field: 'invoice_ids' }]);
});

test('a payment is in the currency of its invoice, or refused by the field that names another', async () => {
  const currencies = await books.caller.get(
    `/v3/accounting/currencies?svc_company_id[eq]=${books.companyId}`,
  );
  const idOf = (wanted: string) =>
    currencies.body.data.find(({ code }: { readonly code: string }) => code === wanted).platform_id;
  const pay = async (currency: string) => {
    const own = { invoice_id: await invoiced(), account_id: books.ids.bank, amount: '10' };
    const payment = { ...own, currency_id: idOf(currency) };
    return books.write('/v3/accounting/invoice_payments', [payment]);
  };
  const wrong = await pay('USD');
  expect([wrong.status, wrong.body.error]).toMatchObject([
    400,
    { code: 'invalid-params', field: 'currency_id', message: expect.stringContaining('must be AUD') },
  ]);
  const right = await pay('AUD');
  expect([right.status, right.body.data?.currency_id]).toEqual([200, idOf('AUD')]);
});

test('a rate other than 1 of the base currency is refused by its field', async () => {
  const paid = { invoice_id: await invoiced(), account_id: books.ids.bank, amount: '10' };
  const pay = (currency_rate: string) =>
    books.write('/v3/accounting/invoice_payments', [{ ...paid, currency_rate }]);
  const wrong = await pay('1.1');
  expect([wrong.status, wrong.body.error]).toMatchObject([
    400,
    { code: 'invalid-params', field: 'currency_rate', message: expect.stringContaining('must be 1 in AUD') },
  ]);
  expect((await pay('1.0')).status).toBe(200);
});
