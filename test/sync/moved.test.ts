import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { App } from '../../src/app.js';
import { xero } from '../../src/connectors/xero/index.js';
import type { PullResource } from '../../src/connectors/pull.js';
import { resourceOf } from '../connectors/sandbox/answering.js';
import type { DocumentType } from '../connectors/xero-fake/domain.js';
import { admin } from '../support/admin.js';
import { startApp } from '../support/service.js';
import { createXeroTenant, type XeroTenant } from '../support/xero.js';

let app: App;
let tenant: XeroTenant;

beforeAll(async () => {
  app = await startApp();
  tenant = await createXeroTenant(app, 'moved');
});
afterAll(async () => {
  await app?.close();
  await tenant?.stop();
});

/** An object of the platform becomes one of another type, with the id that it had. */
function retype(from: DocumentType, to: DocumentType): string {
  const { documents } = tenant.books;
  const place = documents.findIndex(({ type, status }) => type === from && status === 'DRAFT');
  const document = documents[place];
  if (!document) throw new Error(`there is no draft ${from}`);
  documents[place] = { ...document, type: to, updatedAt: new Date(Date.now() + 60_000) };
  return document.id;
}

const MODELS = ['INVOICES', 'BILLS', 'INVOICE_CREDIT_NOTES', 'BILL_CREDIT_NOTES'];
const TABLES = {
  INVOICES: 'invoices',
  BILLS: 'bills',
  INVOICE_CREDIT_NOTES: 'invoice_credit_notes',
  BILL_CREDIT_NOTES: 'bill_credit_notes',
};

/** The record types in which an id lives. */
async function homesOf(id: string): Promise<string[]> {
  const homes: string[] = [];
  for (const [dataModel, table] of Object.entries(TABLES)) {
    const { rows } = await admin.pool.query(
      `SELECT 1 FROM ${table} WHERE svc_company_id = $1 AND platform_id = $2 AND svc_deleted_at IS NULL`,
      [tenant.companyId, id],
    );
    if (rows.length > 0) homes.push(dataModel);
  }
  return homes;
}

test('removes a draft from its old record type when it becomes a credit note or an invoice', async () => {
  expect(await tenant.sync(MODELS)).toBe('SUCCESS');
  const count = async () =>
    Number(
      (await admin.pool.query('SELECT count(*) FROM invoices WHERE svc_deleted_at IS NULL')).rows[0].count,
    );
  const before = await count();
  const moved = [
    [retype('ACCREC', 'ACCRECCREDIT'), 'INVOICES', 'INVOICE_CREDIT_NOTES'],
    [retype('ACCPAY', 'ACCPAYCREDIT'), 'BILLS', 'BILL_CREDIT_NOTES'],
  ] as const;
  for (const [id, from] of moved) expect(await homesOf(id)).toEqual([from]);
  expect(await tenant.sync(MODELS)).toBe('SUCCESS');
  for (const [id, , to] of moved) expect(await homesOf(id)).toEqual([to]);
  expect(await count()).toBe(before - 1);
  // And back: it lives again with the record that it had.
  const [[id]] = moved;
  const { documents } = tenant.books;
  const place = documents.findIndex((document) => document.id === id);
  const document = documents[place];
  if (!document) throw new Error('the document is gone');
  documents[place] = { ...document, type: 'ACCREC', updatedAt: new Date(Date.now() + 120_000) };
  expect(await tenant.sync(MODELS)).toBe('SUCCESS');
  expect(await homesOf(id)).toEqual(['INVOICES']);
  expect(await count()).toBe(before);
});

test('a sweep that is not due does not run, though nothing else is left to be looked for', async () => {
  const asked: string[] = [];
  const invoices: { deletions?: PullResource['deletions'] } = resourceOf(xero, 'INVOICES');
  const { deletions: own = [] } = invoices;
  invoices.deletions = [
    ...own.filter(({ kind }) => kind === 'moves'),
    {
      kind: 'sweep',
      async *pages() {
        asked.push('sweep');
        yield { platformIds: [], cursor: null };
      },
    },
  ];
  try {
    expect(await tenant.sync(MODELS)).toBe('SUCCESS');
  } finally {
    invoices.deletions = own;
  }
  expect(asked).toEqual([]);
});

test('removes a record that vanished without a trace by a full sync, after those that changed their type', async () => {
  expect(await tenant.sync(MODELS)).toBe('SUCCESS');
  const id = retype('ACCREC', 'ACCRECCREDIT');
  const { documents } = tenant.books;
  const [lost] = documents.splice(
    documents.findIndex(({ type, status }) => type === 'ACCREC' && status === 'DRAFT'),
    1,
  );
  expect(await tenant.sync(MODELS)).toBe('SUCCESS');
  expect([await homesOf(id), await homesOf(lost?.id ?? '')]).toEqual([
    ['INVOICE_CREDIT_NOTES'],
    ['INVOICES'],
  ]);
  const moved = retype('ACCREC', 'ACCRECCREDIT');
  expect(await tenant.sync(MODELS, { fullSync: true })).toBe('SUCCESS');
  expect([await homesOf(moved), await homesOf(lost?.id ?? '')]).toEqual([['INVOICE_CREDIT_NOTES'], []]);
});
