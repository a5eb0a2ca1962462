import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { App } from '../../src/app.js';
import { markerOf } from '../../src/writes/engine.js';
import { runUpload } from '../../src/writes/upload-job.js';
import type { ConformancePlatform } from '../connectors/conformance.js';
import type { QuickbooksCompany } from '../connectors/quickbooks-fake/company.js';
import { makeCompany } from '../connectors/quickbooks-fake/makers/company.js';
import { forgetRequests } from '../connectors/quickbooks-fake/writes/index.js';
import { startQuickbooksPlatform } from '../connectors/quickbooks-fake/platform.js';
import { admin } from '../support/admin.js';
import { createQuickbooksTenant } from '../support/quickbooks.js';
import { engineOf, writeEngineOf } from '../support/sandbox.js';
import type { Tenant } from '../support/seed.js';
import { type Caller, createCaller, startApp } from '../support/service.js';

let app: App;
let platform: ConformancePlatform;
let company: QuickbooksCompany;
let tenant: Tenant;
let caller: Caller;

beforeAll(async () => {
  app = await startApp();
  company = makeCompany();
  platform = await startQuickbooksPlatform(company);
  tenant = await createQuickbooksTenant(app, 'written to quickbooks', platform);
  caller = await createCaller(app, tenant.organisationId);
});
beforeEach(() => platform.reset());
afterAll(async () => {
  await platform.stop();
  await app.close();
});

/** Runs an upload as far as it goes now. */
async function run(uploadSvcId: bigint, signal = new AbortController().signal): Promise<void> {
  const { organisationId, companyId: svcCompanyId } = tenant;
  const engine = { ...engineOf(app, ''), urls: { QUICKBOOKS: platform.baseUrl } };
  await runUpload(
    writeEngineOf(engine, undefined as never),
    { organisationId, svcCompanyId, uploadSvcId: Number(uploadSvcId) },
    { workerId: 'test', signal },
  );
}

/** Runs an upload until every item has its end, and answers what became of each. */
async function finish(uploadId: string) {
  const { svcId } = await admin.prisma.upload.findFirstOrThrow({ where: { uploadId } });
  for (let runs = 0; runs < 20; runs += 1) {
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

/** Writes a contact by a worker that dies once QuickBooks has it, and by another one some minutes later. */
async function writeTwice(method: 'post' | 'put', item: object, minutes: number) {
  const uploadId = await begin(method, 'contacts', [item]);
  const { svcId: uploadSvcId } = await admin.prisma.upload.findFirstOrThrow({ where: { uploadId } });
  const death = new AbortController();
  platform.reset();
  platform.fail('cut', { count: 1, skip: method === 'put' ? 1 : 0 });
  changeBefore(() => death.abort());
  await run(uploadSvcId, death.signal);
  await admin.prisma.uploadItem.updateMany({
    where: { uploadSvcId },
    data: { state: 'SENDING', dueAt: null, firstSentAt: new Date(Date.now() - minutes * 60_000) },
  });
  if (minutes > 5) forgetRequests(company);
  const [written] = await finish(uploadId);
  const sent = platform.calls.filter(({ path }) => path.includes('requestid='));
  return { written, sent: sent.map(({ path }) => new URL(path, platform.baseUrl).searchParams) };
}

const customerNamed = (name: string) => company.shelves.Customer.filter((one) => one.name === name);

/** A new customer. */
async function createCustomer(name: string) {
  const [item] = await write('post', 'contacts', [{ name, contact_type: 'CUSTOMER' }]);
  const [customer] = customerNamed(name);
  if (!item?.platformId || !customer) throw new Error('it was not created');
  return { platform_id: item.platformId, customer };
}

/** Something is changed in the moment between our read of it and our write. */
function changeBefore(change: () => void): void {
  const advance = company.advance.bind(company);
  company.advance = (seconds) => {
    company.advance = advance;
    change();
    advance(seconds);
  };
}

test('each item has its own result, and records are as QuickBooks answered', async () => {
  const [good, twin] = await write('post', 'contacts', [
    { name: 'Good, Ltd.', contact_type: 'VENDOR', tax_number: '12-3456789' },
    { name: 'good, ltd.', contact_type: 'CUSTOMER' },
  ]);
  expect(good).toMatchObject({ state: 'SUCCESS', platformId: expect.stringMatching(/^vendor:\d+$/) });
  expect(twin).toMatchObject({
    state: 'FAILED',
    errorCode: 'record-already-exists',
    errorMessage: expect.stringContaining('The name supplied already exists'),
    errorPath: ['name'],
  });
  const stored = await admin.prisma.contact.findFirstOrThrow({
    where: { svcCompanyId: BigInt(tenant.companyId), platformId: good?.platformId ?? '' },
  });
  expect(stored).toMatchObject({ name: 'Good, Ltd.', taxNumber: 'XXXXXX6789', contactType: 'VENDOR' });
});

test('an answer that is lost makes no second record', async () => {
  platform.fail('cut', { count: 1 });
  const [item] = await write('post', 'contacts', [{ name: 'Lost answer', contact_type: 'CUSTOMER' }]);
  expect(item).toMatchObject({ state: 'SUCCESS', errorMessage: null });
  const [customer, ...others] = customerNamed('Lost answer');
  expect([item?.platformId, others]).toEqual([`customer:${customer?.id}`, []]);
});

test('a record whose worker died is written once, under one key and in one version of the API', async () => {
  const item = { name: 'Widowed', contact_type: 'CUSTOMER' };
  const { written, sent } = await writeTwice('post', item, 1);
  const [customer, ...others] = customerNamed('Widowed');
  expect(others).toEqual([]);
  expect(written).toMatchObject({ state: 'SUCCESS', platformId: `customer:${customer?.id}` });
  expect(new Set(sent.map((query) => query.get('requestid')))).toEqual(
    new Set([markerOf(written?.jobId ?? '')]),
  );
  expect(sent.map((query) => query.get('minorversion'))).toEqual(['75', '75']);
});

test('a record whose worker died is not sent again once QuickBooks may have forgotten its key', async () => {
  const item = { name: 'Long widowed', contact_type: 'CUSTOMER' };
  const { written, sent } = await writeTwice('post', item, 6);
  expect(sent).toHaveLength(1);
  expect(customerNamed('Long widowed')).toHaveLength(1);
  expect(written).toMatchObject({
    state: 'UNCERTAIN',
    errorMessage: expect.stringContaining('check there before sending it again'),
  });
});

test('a change whose worker died is made once, and uncertain where QuickBooks has forgotten its key', async () => {
  const { platform_id, customer } = await createCustomer('Changed by a ghost');
  const known = await writeTwice('put', { platform_id, email: 'one@example.com' }, 1);
  expect(known.written).toMatchObject({ state: 'SUCCESS', errorMessage: null });
  expect(customer).toMatchObject({ email: 'one@example.com', version: 1 });
  const { written, sent } = await writeTwice('put', { platform_id, email: 'two@example.com' }, 6);
  expect(sent).toHaveLength(2);
  expect(written).toMatchObject({
    state: 'UNCERTAIN',
    errorMessage: expect.stringContaining('check it there'),
  });
  expect(customer).toMatchObject({ email: 'two@example.com', version: 2 });
});

test('a change whose version is outdated is based on the new one, and takes nothing back', async () => {
  const { platform_id, customer } = await createCustomer('Changed by two');
  changeBefore(() => {
    customer.phone = '(650) 555-0199';
    company.touch(customer);
  });
  const [item] = await write('put', 'contacts', [{ platform_id, email: 'two@example.com' }]);
  expect(item).toMatchObject({ state: 'SUCCESS', errorMessage: null });
  expect(customer).toMatchObject({ phone: '(650) 555-0199', email: 'two@example.com', version: 2 });
});

test('a change that expects a version is a conflict if somebody was faster, be it at the last moment', async () => {
  const { platform_id, customer } = await createCustomer('Expected');
  const { updatedAt } = await admin.prisma.contact.findFirstOrThrow({
    where: { svcCompanyId: BigInt(tenant.companyId), platformId: platform_id },
  });
  changeBefore(() => {
    customer.phone = '1';
    company.advance(5);
    company.touch(customer);
  });
  const expected_version = updatedAt?.toISOString();
  const [item] = await write('put', 'contacts', [{ platform_id, expected_version, email: 'x@example.com' }]);
  expect(item).toMatchObject({ state: 'FAILED', errorCode: 'conflict' });
  expect(customer).toMatchObject({ phone: '1', email: null });
});

test('GraphQL writes to QuickBooks, too', async () => {
  const { platform_id, customer } = await createCustomer('By GraphQL');
  const { body } = await caller.graphql(
    `mutation ($input: UpdateContactsInput!) {
      updateContacts(input: $input) { userErrors { message } }
    }`,
    {
      input: {
        companyId: tenant.companyId,
        runAsync: true,
        data: [{ platformId: platform_id, telephone: '(650) 555-0123', status: 'ARCHIVED' }],
      },
    },
  );
  expect(body.errors).toBeUndefined();
  const { uploadId } = await admin.prisma.upload.findFirstOrThrow({
    where: { svcCompanyId: BigInt(tenant.companyId) },
    orderBy: { svcId: 'desc' },
  });
  const [item] = await finish(uploadId);
  expect(item).toMatchObject({ state: 'SUCCESS', errorMessage: null });
  expect(customer).toMatchObject({ phone: '(650) 555-0123', active: false, name: 'By GraphQL (deleted)' });
});

test('an invoice is written with the sums of QuickBooks, paid, and another one voided', async () => {
  const { platform_id: contact_id } = await createCustomer('Invoiced');
  const item_id = company.shelves.Item.find(({ name }) => name === 'Gardening')?.id;
  const line = { item_id, quantity: 2, unit_amount: 50, tax_id: 'TAX' };
  const raw_data = { TxnTaxDetail: { TxnTaxCodeRef: { value: '2' } } };
  const invoice = { contact_id, line_items: [line], raw_data };
  const invoices = await write('post', 'invoices', [invoice, invoice]);
  const [paid, voided] = invoices.map(({ platformId }) => platformId ?? '');
  const [payment] = await write('post', 'invoice_payments', [{ invoice_id: paid, amount: 8 }]);
  const [change] = await write('put', 'invoices', [{ platform_id: voided, status: 'VOID' }]);
  expect([payment, change].map((item) => [item?.state, item?.errorMessage])).toEqual([
    ['SUCCESS', null],
    ['SUCCESS', null],
  ]);
  expect(payment?.platformId).toMatch(new RegExp(`^\\d+:invoice:${paid}$`));
  const stored = await admin.prisma.invoice.findMany({
    where: { svcCompanyId: BigInt(tenant.companyId), platformId: { in: [paid ?? '', voided ?? ''] } },
    orderBy: { svcId: 'asc' },
  });
  const seen = stored.map(({ status, totalAmount, taxAmount, amountDue }) =>
    [status, totalAmount, taxAmount, amountDue].map(String),
  );
  // The eight percent of California, and as it was before the payment, after which it is read again.
  expect(seen).toEqual([
    ['SUBMITTED', '108', '8', '108'],
    ['VOID', '0', '0', '0'],
  ]);
  const [sync] = await admin.prisma.sync.findMany({
    where: { svcCompanyId: BigInt(tenant.companyId) },
    include: { jobs: true },
  });
  expect(sync?.jobs.map(({ dataModel, platformIds }) => [dataModel, platformIds])).toEqual([
    ['INVOICES', [paid]],
  ]);
});
