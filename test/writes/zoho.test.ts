import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { App } from '../../src/app.js';
import { markerOf } from '../../src/writes/engine.js';
import { runUpload } from '../../src/writes/upload-job.js';
import type { ConformancePlatform } from '../connectors/conformance.js';
import { makeOrganization } from '../connectors/zoho-fake/make.js';
import { startZohoPlatform } from '../connectors/zoho-fake/platform.js';
import { admin } from '../support/admin.js';
import { engineOf, writeEngineOf } from '../support/sandbox.js';
import type { Tenant } from '../support/seed.js';
import { type Caller, createCaller, startApp } from '../support/service.js';
import { createZohoTenant } from '../support/zoho.js';

const organization = makeOrganization();
let app: App;
let platform: ConformancePlatform;
let tenant: Tenant;
let caller: Caller;

beforeAll(async () => {
  app = await startApp();
  platform = await startZohoPlatform(organization);
  tenant = await createZohoTenant(app, 'written to zoho', platform);
  caller = await createCaller(app, tenant.organisationId);
});
beforeEach(() => platform.reset());
afterAll(async () => {
  await platform.stop();
  await app.close();
});

async function run(uploadSvcId: bigint, signal = new AbortController().signal): Promise<void> {
  const { organisationId, companyId: svcCompanyId } = tenant;
  const engine = { ...engineOf(app, ''), urls: { ZOHO_BOOKS: platform.baseUrl } };
  await runUpload(
    writeEngineOf(engine, undefined as never),
    { organisationId, svcCompanyId, uploadSvcId: Number(uploadSvcId) },
    { workerId: 'test', signal },
  );
}

const svcIdOf = async (uploadId: string) =>
  (await admin.prisma.upload.findFirstOrThrow({ where: { uploadId } })).svcId;

/** Runs an upload until every item has its end, and answers what became of each. */
async function finish(uploadId: string) {
  const svcId = await svcIdOf(uploadId);
  for (let runs = 0; runs < 60; runs += 1) {
    await run(svcId);
    const items = await admin.prisma.uploadItem.findMany({
      where: { uploadSvcId: svcId },
      orderBy: { position: 'asc' },
    });
    if (items.every(({ endedAt }) => endedAt !== null)) return items;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  throw new Error('the upload did not end');
}

async function begin(method: 'post' | 'put', path: string, data: readonly object[]): Promise<string> {
  const request = { company_id: tenant.companyId, run_async: true, data };
  const { body } = await caller[method](`/v3/accounting/${path}`, request);
  return body.sync_id as string;
}

const write = async (method: 'post' | 'put', path: string, data: readonly object[]) =>
  finish(await begin(method, path, data));

/** The new objects that were sent to Zoho: lists that are read have more parameters. */
const sent = () => platform.calls.filter(({ path }) => /^\/books\/v3\/\w+\?organization_id=\d+$/.test(path));

const contactsNamed = (name: string) => organization.contacts.filter((one) => one.name === name);
const item = () => organization.items.find(({ kind, isActive }) => kind === 'sales' && isActive);
const customer = () => organization.contacts.find(({ kind }) => kind === 'customer');
const invoice = () => ({
  contact_id: customer()?.id,
  line_items: [{ item_id: item()?.id, unit_amount: '50' }],
});

test('each item has its own result, and records are as Zoho answered', async () => {
  const [good, twin] = await write('post', 'contacts', [
    { name: 'Good, Ltd.', contact_type: 'VENDOR', email: 'good@example.com' },
    { name: 'good, ltd.', contact_type: 'CUSTOMER' },
  ]);
  const [made, ...others] = contactsNamed('Good, Ltd.');
  expect([good?.state, good?.platformId, others]).toEqual(['SUCCESS', made?.id, []]);
  expect(twin).toMatchObject({
    state: 'FAILED',
    errorCode: 'record-already-exists',
    errorMessage: expect.stringContaining('already exists'),
    errorPath: ['name'],
  });
  const stored = await admin.prisma.contact.findFirstOrThrow({
    where: { svcCompanyId: BigInt(tenant.companyId), platformId: good?.platformId ?? '' },
  });
  expect(stored).toMatchObject({ name: 'Good, Ltd.', contactType: 'VENDOR' });
  const calls = platform.calls.map(({ path }) => new URL(path, platform.baseUrl).searchParams);
  expect(new Set(calls.map((query) => query.get('organization_id')))).toEqual(new Set([organization.id]));
});

test('an answer that is lost makes no second contact or document: it is found by its marker', async () => {
  platform.fail('cut', { count: 1 });
  const [contact] = await write('post', 'contacts', [{ name: 'Lost answer', contact_type: 'CUSTOMER' }]);
  const [made, ...others] = contactsNamed('Lost answer');
  expect([contact?.state, contact?.platformId, others]).toEqual(['SUCCESS', made?.id, []]);
  expect(made?.remarks).toBe(markerOf(contact?.jobId ?? ''));
  platform.reset();
  platform.fail('cut', { count: 1 });
  const [document] = await write('post', 'invoices', [invoice()]);
  const marked = organization.documents.filter(
    ({ reference }) => reference === markerOf(document?.jobId ?? ''),
  );
  expect([document?.state, marked.map(({ id }) => id)]).toEqual(['SUCCESS', [document?.platformId]]);
  expect(sent()).toHaveLength(1);
});

test('an item whose answer is lost is uncertain, and not sent again', async () => {
  platform.fail('cut', { count: 1 });
  const [lost] = await write('post', 'items', [
    { name: 'Lost item', type: 'SERVICE', invoice_item: { unit_price: '1' } },
  ]);
  expect(lost).toMatchObject({
    state: 'UNCERTAIN',
    errorMessage: expect.stringContaining('check there before sending it again'),
  });
  expect(organization.items.filter(({ name }) => name === 'Lost item')).toHaveLength(1);
  expect(sent()).toHaveLength(1);
});

test('a consent to reading alone refuses a write with the way out, and the connection stays', async () => {
  platform.fail('no scope', { count: 1 });
  const [denied] = await write('post', 'contacts', [{ name: 'Not allowed', contact_type: 'VENDOR' }]);
  expect(denied).toMatchObject({
    state: 'FAILED',
    errorCode: 'operation-denied',
    errorMessage: expect.stringContaining('connect Zoho Books again to consent to writing'),
  });
  const [next] = await write('post', 'contacts', [{ name: 'Allowed', contact_type: 'VENDOR' }]);
  expect(next).toMatchObject({ state: 'SUCCESS', errorMessage: null });
});

test('a refusal with status 200 is one, and the limit of a minute a pause', async () => {
  platform.fail('throttled with 200', { count: 1 });
  const [made] = await write('post', 'contacts', [{ name: 'Patient', contact_type: 'VENDOR' }]);
  expect(made).toMatchObject({ state: 'SUCCESS', errorMessage: null });
  expect(contactsNamed('Patient')).toHaveLength(1);
});

test('an invoice is sent, changed, paid and another one voided', async () => {
  const [first, second] = await write('post', 'invoices', [{ ...invoice(), status: 'SUBMITTED' }, invoice()]);
  const [paid, voided] = [first?.platformId, second?.platformId];
  const [change] = await write('put', 'invoices', [{ platform_id: paid, memo: 'changed' }]);
  const [payment] = await write('post', 'invoice_payments', [
    { invoice_id: paid, amount: '8', payment_date: '2026-06-01', payment_mode: 'cash' },
  ]);
  const [done] = await write('put', 'invoices', [{ platform_id: voided, status: 'VOID' }]);
  expect([change, payment, done].map((one) => [one?.state, one?.errorMessage])).toEqual([
    ['SUCCESS', null],
    ['SUCCESS', null],
    ['SUCCESS', null],
  ]);
  expect(payment?.platformId).toMatch(new RegExp(`^\\d+:invoice:${paid}$`));
  const stored = await admin.prisma.invoice.findMany({
    where: { svcCompanyId: BigInt(tenant.companyId), platformId: { in: [paid ?? '', voided ?? ''] } },
    orderBy: { svcId: 'asc' },
  });
  expect(stored.map(({ status, memo }) => [status, memo])).toEqual([
    [expect.stringMatching(/^(SUBMITTED|PARTIALLY_PAID)$/), 'changed'],
    ['VOID', null],
  ]);
});

test('a bill is paid to its vendor, whom the payment need not name', async () => {
  const [vendor] = await write('post', 'contacts', [{ name: 'Paid vendor', contact_type: 'VENDOR' }]);
  const expense = organization.accounts.find(({ type }) => type === 'expense')?.id;
  const lines = [{ account_id: expense, quantity: '1', unit_amount: '9' }];
  const [bill] = await write('post', 'bills', [
    { contact_id: vendor?.platformId, document_number: 'B-77', line_items: lines },
  ]);
  const [payment] = await write('post', 'bill_payments', [{ bill_id: bill?.platformId, amount: '9' }]);
  expect([bill, payment].map((one) => [one?.state, one?.errorMessage])).toEqual([
    ['SUCCESS', null],
    ['SUCCESS', null],
  ]);
  const stored = await admin.prisma.billPayment.findMany({
    where: { svcCompanyId: BigInt(tenant.companyId), platformId: payment?.platformId ?? '' },
  });
  expect(stored).toMatchObject([{ contactId: vendor?.platformId, billId: bill?.platformId }]);
});

test('GraphQL writes to Zoho Books, too', async () => {
  const [made] = await write('post', 'contacts', [{ name: 'By GraphQL', contact_type: 'VENDOR' }]);
  const { body } = await caller.graphql(
    `mutation ($input: UpdateContactsInput!) {
      updateContacts(input: $input) { userErrors { message } }
    }`,
    {
      input: {
        companyId: tenant.companyId,
        runAsync: true,
        data: [{ platformId: made?.platformId, status: 'ARCHIVED' }],
      },
    },
  );
  expect(body.errors).toBeUndefined();
  const { uploadId } = await admin.prisma.upload.findFirstOrThrow({
    where: { svcCompanyId: BigInt(tenant.companyId) },
    orderBy: { svcId: 'desc' },
  });
  const [change] = await finish(uploadId);
  expect(change).toMatchObject({ state: 'SUCCESS', errorMessage: null });
  expect(contactsNamed('By GraphQL')[0]?.isActive).toBe(false);
  const stored = await admin.prisma.contact.findFirstOrThrow({
    where: { svcCompanyId: BigInt(tenant.companyId), platformId: made?.platformId ?? '' },
  });
  expect(stored).toMatchObject({ name: 'By GraphQL', status: 'ARCHIVED' });
});
