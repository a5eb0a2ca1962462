import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { App } from '../../src/app.js';
import type { Worker } from '../../src/jobs/worker.js';
import type { Sandbox } from '../../src/sandbox/index.js';
import { organisationScope } from '../../src/db/scope.js';
import { readSyncSettings } from '../../src/sync/sync-config.js';
import { admin } from '../support/admin.js';
import { control, startTestSandbox } from '../support/sandbox.js';
import { type Answer, callerOf, startApp } from '../support/service.js';
import { until } from '../support/until.js';
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

interface Setting {
  readonly enabled: boolean;
  readonly scope_access: Readonly<Record<string, boolean>>;
}

/** Changes the access of a record type. Returns its setting. */
async function permit(data_model: string, scope_access: object | null): Promise<Setting | undefined> {
  const { body } = await books.caller.put(`/v3/core/companies/${books.companyId}`, {
    sync_config: [{ category: 'ACCOUNTING', data_model, scope_access }],
  });
  const settings: (Setting & { data_model: string })[] = body.data.connections[0].sync_config;
  return settings.find((one) => one.data_model === data_model);
}

const uploads = () => admin.prisma.upload.count({ where: { svcCompanyId: BigInt(books.companyId) } });
const denied = (operation: string, dataModel: string, field = '') => ({
  code: 'operation-denied',
  field,
  message: `Operation Denied: ${operation} is false in the scope access of ${dataModel}, a sync setting of the company`,
});

test('a write that the company withholds is refused before anything is stored or sent', async () => {
  const journal = () => books.write('/v3/accounting/journal_entries', [books.journal(5)]);
  const before = await uploads();
  const setting = await permit('JOURNAL_ENTRIES', { CREATE: false });
  expect(setting).toMatchObject({ enabled: true, scope_access: { READ: true, CREATE: false } });
  const refused = await journal();
  expect([refused.status, refused.body.error]).toMatchObject([400, denied('CREATE', 'JOURNAL_ENTRIES')]);
  expect((await permit('JOURNAL_ENTRIES', { DELETE: true }))?.scope_access['CREATE']).toBe(false);
  expect(await uploads()).toBe(before);
  await permit('JOURNAL_ENTRIES', { CREATE: null });
  expect((await journal()).status).toBe(200);
});

test('updates are withheld apart from new records, and access beyond the platform is not shown', async () => {
  const setting = await permit('INVOICES', { UPDATE: false, CREATE: true, DELETE: true });
  expect(setting?.scope_access).toEqual({ READ: true, CREATE: true, UPDATE: false, DELETE: false });
  const change = { platform_id: books.ids.invoice, memo: 'later' };
  const { body } = await books.caller.put('/v3/accounting/invoices', {
    company_id: books.companyId,
    data: [change],
  });
  expect(body.error).toMatchObject(denied('UPDATE', 'INVOICES'));
  expect((await permit('INVOICES', null))?.scope_access).toMatchObject({ UPDATE: true });
});

test('a record type that may not be read is not synced, and not read by name', async () => {
  expect(await permit('BILLS', { READ: false })).toMatchObject({
    // As it was set: a client that sends back what it reads changes nothing.
    enabled: true,
    scope_access: { READ: false, CREATE: true },
  });
  const request = { company_id: books.companyId, integration_type: 'SVC_SANDBOX' };
  const named = await books.caller.post('/v3/core/syncs', {
    ...request,
    full_sync: false,
    data_models_to_sync: ['ITEMS', 'BILLS'],
  });
  expect(named.body.error).toEqual(denied('READ', 'BILLS', 'data_models_to_sync[1]'));
  const one = await books.caller.post('/v3/core/real_time', {
    ...request,
    data_model: 'BILLS',
    variables: { platform_id: books.ids.bill },
  });
  expect(one.body.error).toEqual(denied('READ', 'BILLS', 'data_model'));
  const wanted = async () => {
    const settings = await readSyncSettings(
      app.database.client(organisationScope(books.tenant.organisationId)),
      books.companyId,
      'ACCOUNTING',
    );
    return settings.filter(({ enabled }) => enabled).map(({ dataModel }) => dataModel);
  };
  expect(await wanted()).toContain('ITEMS');
  expect(await wanted()).not.toContain('BILLS');
  expect(await permit('BILLS', { READ: true })).toMatchObject({ enabled: true });
});

test('a write that is withheld after it was accepted is neither sent nor read', async () => {
  await worker.stop();
  const hurried = await startApp({ SANDBOX_URL: sandbox.url, WRITE_WAIT_MS: '100' });
  const caller = callerOf(hurried, books.caller.key);
  const { body: accepted } = await caller.post('/v3/accounting/journal_entries', {
    company_id: books.companyId,
    data: [books.journal(7)],
  });
  const { body: started } = await caller.post('/v3/core/syncs', {
    company_id: books.companyId,
    integration_type: 'SVC_SANDBOX',
    full_sync: false,
    data_models_to_sync: ['ITEMS', 'BILLS'],
  });
  await hurried.close();
  await permit('JOURNAL_ENTRIES', { CREATE: false });
  await permit('BILLS', { READ: false });
  worker = await startWorker(sandbox);

  const { data } = await books.untilOver(accepted.sync_id);
  expect(data).toMatchObject([
    { status: 'failed', error: { ...denied('CREATE', 'JOURNAL_ENTRIES'), platform_error: null } },
  ]);
  const sync = await until('the end of the sync', async () => {
    const { body } = await books.caller.get(`/v3/core/syncs/${started.data.sync_id}`);
    return body.data.end_time === null ? null : body.data;
  });
  expect(sync).toMatchObject({ success_count: 1, failed_count: 1 });
  await permit('JOURNAL_ENTRIES', null);
  await permit('BILLS', null);
});

describe('an item that may have been sent before', () => {
  afterEach(async () => {
    await control(sandbox, 'DELETE', '/faults');
    await permit('JOURNAL_ENTRIES', null);
    await permit('CONTACTS', null);
  });
  const fault = (...rules: readonly object[]) => control(sandbox, 'POST', '/faults', { rules });
  const JOURNALS = '/accounting/api/2/Journals';

  /** The journals of a text at the platform. */
  async function made(description: string): Promise<number> {
    const kept = await fetch(
      `${sandbox.url}/_sandbox/objects?account=${books.tenant.account}&platform=accounting&kind=Journals`,
    );
    return (await kept.text()).split('\n').filter((text) => text.includes(`"Text":"${description}"`)).length;
  }

  /** Accepts a write, withholds it once the platform was asked, and lets the platform work again. Returns its items. */
  async function withholdBetween(send: () => Promise<Answer>, dataModel: string, access: object) {
    const { body } = await send();
    const uploadId = String(body.sync_id);
    await until('a first attempt', async () => {
      const items = await admin.prisma.uploadItem.findMany({ where: { upload: { uploadId } } });
      return items.every(({ attempts, state }) => attempts > 0 && state === 'UNCERTAIN') || null;
    });
    await permit(dataModel, access);
    await control(sandbox, 'DELETE', '/faults');
    return (await books.untilOver(uploadId)).data;
  }
  const journals = (description: string, count: number) => () =>
    books.write(
      '/v3/accounting/journal_entries',
      Array.from({ length: count }, () => books.journal(6, { description })),
      { run_async: true },
    );

  test.each([
    ['one', 1],
    ['a batch', 3],
  ])('is not sent again if it is not there: %s', async (description, count) => {
    await fault({ fault: '500', method: 'POST', path: JOURNALS, share: 1 });
    const data = await withholdBetween(journals(description, count), 'JOURNAL_ENTRIES', { CREATE: false });
    const error = { ...denied('CREATE', 'JOURNAL_ENTRIES'), platform_error: null };
    expect(data).toMatchObject(Array.from({ length: count }, () => ({ status: 'failed', error })));
    expect(await made(description)).toBe(0);
  });

  test('is settled as usual if it is there', async () => {
    await fault(
      { fault: 'cut', method: 'POST', path: JOURNALS, count: 1 },
      { fault: '500', method: 'GET', path: JOURNALS, share: 1 },
    );
    const data = await withholdBetween(journals('found', 2), 'JOURNAL_ENTRIES', { CREATE: false });
    expect(data).toMatchObject([{ status: 'success' }, { status: 'success' }]);
    expect(await made('found')).toBe(2);
  });

  test('is not sent again if it is an update, which may have been carried out', async () => {
    await fault({ fault: '500', method: 'PUT', path: '/accounting/api/2/Partners', share: 1 });
    const change = { platform_id: books.ids.customer, tax_number: 'withheld' };
    const send = () =>
      books.caller.put('/v3/accounting/contacts', {
        company_id: books.companyId,
        run_async: true,
        data: [change],
      });
    const [item] = await withholdBetween(send, 'CONTACTS', { UPDATE: false });
    expect(item).toMatchObject({ error: { code: 'operation-denied' } });
    expect(item.error.message).toContain(denied('UPDATE', 'CONTACTS').message);
    expect(item.error.message).toContain('it may or may not have carried out the write');
    const { body } = await books.caller.post('/v3/core/passthrough', {
      company_id: books.companyId,
      data: { method: 'GET', path: `/Partners/${books.ids.customer}` },
    });
    expect(JSON.stringify(body)).not.toContain('withheld');
  });
});

test('record types that may not be read are not requested for statements or files either', async () => {
  const ofCompany = `svc_company_id[eq]=${books.companyId}`;
  const sheet = async () => books.caller.get(`/v3/accounting/balance_sheet?${ofCompany}&source=PLATFORM`);
  expect((await sheet()).status).toBe(200);
  const {
    body: {
      data: {
        balanceSheets: { nodes },
      },
    },
  } = await books.caller.graphql(
    `{ balanceSheets(companyId: ${books.companyId}, source: PLATFORM) { nodes { id } } }`,
  );
  const { id } = nodes[0];
  await permit('JOURNAL_ENTRIES', { READ: false });
  expect((await sheet()).body.error).toEqual(denied('READ', 'JOURNAL_ENTRIES'));
  const byId = await books.caller.graphql('query ($id: ID!) { node(id: $id) { id } }', { id });
  expect(byId.body.errors[0]).toMatchObject({ extensions: { code: 'operation-denied' } });
  await permit('JOURNAL_ENTRIES', null);

  const { body } = await books.caller.get(
    `/v3/accounting/documents?svc_company_id[eq]=${books.companyId}&limit=1`,
  );
  const file = () =>
    books.caller.get(`/v3/download_document/${body.data[0].svc_id}?svc_company_id=${books.companyId}`);
  await permit('DOCUMENTS', { READ: false });
  expect((await file()).body.error).toEqual(denied('READ', 'DOCUMENTS'));
  await permit('DOCUMENTS', null);
  expect((await file()).status).toBe(200);
});

test('a record that a write names is not read on the way if its type may not be', async () => {
  const { body: made } = await books.caller.post('/v3/core/passthrough', {
    company_id: books.companyId,
    data: { method: 'POST', path: '/Partners', data: { Title: 'Unseen', Role: 'customer' } },
  });
  const contact_id = String(made.data.Partners[0].Guid);
  const line_items = [{ account_id: books.ids.sales, quantity: 1, unit_amount: 8 }];
  const seen = async () => {
    const { status } = await books.write('/v3/accounting/invoices', [
      { contact_id, posted_date: '2026-02-01', line_items },
    ]);
    const { body } = await books.caller.get(`/v3/accounting/contacts?platform_id[eq]=${contact_id}`);
    return [status, body.data.length];
  };
  await permit('CONTACTS', { READ: false });
  expect(await seen()).toEqual([200, 0]);
  await permit('CONTACTS', null);
  expect(await seen()).toEqual([200, 1]);
});

test('a record is not read to compare its version if its type may not be', async () => {
  const company = { company_id: books.companyId };
  const passed = async (method: string, path: string, data?: object) =>
    (await books.caller.post('/v3/core/passthrough', { ...company, data: { method, path, data } })).body.data;
  const made = await passed('POST', '/Partners', { Title: 'Before', Role: 'customer' });
  const platform_id = String(made.Partners[0].Guid);
  const readByName = { integration_type: 'SVC_SANDBOX', data_model: 'CONTACTS', variables: { platform_id } };
  await books.caller.post('/v3/core/real_time', { ...company, ...readByName });
  await passed('POST', `/Partners/${platform_id}`, { Title: 'Secret' });
  const names = async () => {
    const { body } = await books.caller.get(`/v3/accounting/contacts?platform_id[eq]=${platform_id}`);
    return body.data.map(({ name }: { name: string }) => name);
  };
  const change = { data: [{ platform_id, tax_number: '7', expected_version: 'any' }] };
  const send = (caller = books.caller) =>
    caller.put('/v3/accounting/contacts', { ...company, run_async: true, ...change });
  await permit('CONTACTS', { READ: false });
  expect((await send()).body.error).toMatchObject(denied('READ', 'CONTACTS'));

  // The same of one that was accepted before.
  await permit('CONTACTS', null);
  await worker.stop();
  const { body: accepted } = await send();
  await permit('CONTACTS', { READ: false });
  worker = await startWorker(sandbox);
  const { data } = await books.untilOver(accepted.sync_id);
  expect(data).toMatchObject([{ status: 'failed', error: denied('READ', 'CONTACTS') }]);
  expect(await names()).toEqual(['Before']);
  await permit('CONTACTS', null);
});

test('the page of a link says what is read and written for its company', async () => {
  const { body } = await books.caller.post('/v3/core/invite_links', {
    company_name: 'Read only',
    integration_categories: ['ACCOUNTING'],
    integrations: ['SVC_SANDBOX'],
    sync_config: [{ category: 'ACCOUNTING', data_model: 'INVOICES', scope_access: { CREATE: false } }],
  });
  const page = async () => {
    const text = await (await fetch(body.data.invite_link)).text();
    const part = (name: string) => text.match(new RegExp(`${name}: ([^<]*)\\.`))?.[1]?.split(', ') ?? [];
    return { text, read: part('Read'), written: part('Written') };
  };
  const put = async (scope_access: object) => {
    const names = (await page()).read.map((name) => name.replaceAll(' ', '_').toUpperCase());
    const sync_config = names.map((data_model) => ({ category: 'ACCOUNTING', data_model, scope_access }));
    const path = `/v3/core/companies/${body.data.company.svc_id}`;
    expect((await books.caller.put(path, { sync_config })).body.error).toBeUndefined();
  };
  expect((await page()).text).toContain('Records are read, and new ones written.');
  await put({ CREATE: false });
  const changed = await page();
  expect(changed.text).toContain('Records are read, and changed.');
  expect(changed.written).toContain('invoices');
  expect(changed.written).not.toContain('journal entries');
  await put({ UPDATE: false });
  expect((await page()).text).toContain('Records are read; nothing is written.');
  await put({ READ: false });
  expect((await page()).text).toContain('Nothing is read; nothing is written.');
});
