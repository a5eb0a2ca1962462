import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import type { App } from '../../src/app.js';
import type { Worker } from '../../src/jobs/worker.js';
import type { Sandbox } from '../../src/sandbox/index.js';
import { startTestSandbox } from '../support/sandbox.js';
import { createCaller, startApp, testDatabaseUrl } from '../support/service.js';
import { until } from '../support/until.js';
import { createWriting, startWorker, type Writing } from '../support/writing.js';
import { admin } from '../support/admin.js';

let sandbox: Sandbox;
let app: App;
let worker: Worker;
let books: Writing;
let owner: pg.Client;

beforeAll(async () => {
  owner = new pg.Client({ connectionString: testDatabaseUrl() });
  await owner.connect();
  sandbox = await startTestSandbox();
  app = await startApp({ SANDBOX_URL: sandbox.url });
  worker = await startWorker(sandbox);
  books = await createWriting(app, sandbox);
});
afterAll(async () => {
  await owner.end();
  await worker?.stop();
  await app?.close();
  await sandbox?.stop();
});

const JOURNALS = '/accounting/journal_entries';

interface Item {
  readonly status: string;
  readonly job_id: string;
  readonly error: { code: string; message: string; field: string; platform_error: string | null } | null;
  readonly response: { svc_id: number; platform_id: string; [field: string]: unknown } | null;
  readonly warnings: readonly string[];
}

/** What the platform has of a kind, by id. */
async function atPlatform(kind: string): Promise<Map<string, Record<string, unknown>>> {
  const text = await fetch(
    `${sandbox.url}/_sandbox/objects?account=${books.tenant.account}&platform=accounting&kind=${kind}`,
  ).then((answer) => answer.text());
  const objects = text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as { id: string; object: Record<string, unknown> });
  return new Map(objects.map(({ id, object }) => [id, object]));
}

const changesOf = async (svcId: number) => {
  const { rows } = await admin.pool.query<{ operation: string; cause: string; cause_id: string }>(
    'SELECT operation, cause, cause_id FROM record_changes WHERE svc_company_id = $1 AND svc_id = $2 ORDER BY position',
    [books.companyId, svcId],
  );
  return rows;
};

describe('a bulk write', () => {
  test('answers each item in its place; one bad item stops no other', async () => {
    const { status, body, headers } = await books.write(JOURNALS, [
      books.journal(10.5, { document_number: 'W-1', posted_date: '2026-01-05', description: 'first' }),
      { journal_lines: [{ account_id: books.ids.rent, type: 'DEBIT', net_amount: 1 }] },
      books.journal('7.25', { document_number: 'W-1' }),
      books.journal('3'),
    ]);
    expect(status).toBe(200);
    expect(headers.get('x-svc-connection-id')).toBe(String(books.connected.connectionId));
    expect(Object.keys(body)).toEqual(['data', 'request_id', 'request_timestamp', 'response_timestamp']);
    const {
      data,
      status: state,
      upload_job_id,
    } = body.data as { data: Item[]; status: string; upload_job_id: string };
    expect(state).toBe('PARTIAL_SUCCESS');
    expect(upload_job_id).toMatch(/^\w{15}$/);
    expect(data.map((item) => item.status)).toEqual(['success', 'failed', 'failed', 'success']);
    expect(new Set(data.map(({ job_id }) => job_id)).size).toBe(4);
    expect(data[1]?.error).toEqual({
      code: 'invalid-params',
      message: 'Invalid field: journal_lines. It must have at least 2',
      field: 'journal_lines',
      platform_error: null,
    });
    expect(data[2]?.error).toEqual({
      code: 'record-already-exists',
      message: 'Record already exists with given: document_number. W-1 is taken by another of Journals',
      field: 'document_number',
      platform_error: 'Number: W-1 is taken by another of Journals',
    });
    expect(data[0]).toMatchObject({
      error: null,
      warnings: [],
      response: {
        svc_company_id: books.companyId,
        document_number: 'W-1',
        posted_date: '2026-01-05T00:00:00.000Z',
        description: 'first',
        amount: 10.5,
        raw_data: { Number: 'W-1', Reference: `svc-${data[0]?.job_id}` },
      },
    });
    const lines = data[0]?.response?.['journal_lines'] as object[];
    expect(lines).toEqual([
      expect.objectContaining({ account_id: books.ids.rent, type: 'DEBIT', net_amount: 10.5 }),
      expect.objectContaining({ account_id: books.ids.bank, type: 'CREDIT', net_amount: 10.5 }),
    ]);

    const journals = await atPlatform('Journals');
    const first = data[0]?.response;
    expect(journals.get(first?.platform_id ?? '')).toMatchObject({ Number: 'W-1', Date: '05.01.2026' });
    // Read-after-write, with its change log.
    const read = await books.caller.get(`/v3/accounting/journal_entries/${first?.svc_id}`);
    expect(read.body.data).toMatchObject({ platform_id: first?.platform_id, document_number: 'W-1' });
    expect(await changesOf(first?.svc_id ?? 0)).toEqual([
      { operation: 'CREATE', cause: 'write', cause_id: upload_job_id },
    ]);
    // The next sync finds nothing new in it.
    await books.tenant.sync(books.connected, { dataModels: ['JOURNAL_ENTRIES'] });
    expect(await changesOf(first?.svc_id ?? 0)).toHaveLength(1);
  });

  test('that has ended leaves no job to run again', async () => {
    const { body } = await books.write(JOURNALS, [books.journal(1)]);
    expect(body.data.status).toBe('SUCCESS');
    const jobs = await until('the job of the write to end', async () => {
      const { rows } = await owner.query<{ last_error: string | null; locked_at: Date | null }>(
        `SELECT last_error, locked_at FROM graphile_worker.jobs WHERE task_identifier = 'write'`,
      );
      return rows.every(({ locked_at }) => locked_at === null) && rows;
    });
    expect(jobs).toEqual([]);
  });

  test('keeps every digit of an amount, from the request to the platform', async () => {
    const text = JSON.stringify({ company_id: books.companyId, data: [books.journal('AMOUNT')] });
    const { body, text: answer } = await books.caller.post(
      JOURNALS,
      text.replaceAll('"AMOUNT"', '123456789012345.67'),
    );
    const [item] = body.data.data as Item[];
    expect(item?.status).toBe('success');
    expect(answer).toContain('"amount":123456789012345.67');
    expect((await atPlatform('Journals')).get(item?.response?.platform_id ?? '')).toMatchObject({
      Total: { Amount: '123456789012345.67' },
    });
  });

  test('sends fields of the platform in raw_data along, below its own', async () => {
    const { body } = await books.write(JOURNALS, [
      books.journal(1, { description: 'mine', raw_data: { State: 'draft', Text: 'theirs', Reference: 'x' } }),
    ]);
    const [item] = body.data.data as Item[];
    expect(item?.response?.['raw_data']).toMatchObject({
      State: 'draft',
      Text: 'mine',
      Reference: `svc-${item?.job_id}`,
    });
  });

  test('with run_async is answered immediately; its result is available by its ids', async () => {
    const { body } = await books.write(JOURNALS, [books.journal(5), books.journal(6)], { run_async: true });
    const { status, upload_job_id, data } = body.data as {
      status: string;
      upload_job_id: string;
      data: Item[];
    };
    expect(['PENDING', 'SUCCESS']).toContain(status);
    const upload = await books.untilOver(upload_job_id);
    expect(upload.status).toBe('SUCCESS');
    expect(upload.data.map(({ job_id }) => job_id)).toEqual(data.map(({ job_id }) => job_id));
    const job = { job_type: 'PUSH', config_mode: 'CREATE', data_model: 'JOURNAL_ENTRIES', status: 'SUCCESS' };
    for (const path of ['/v3/core/jobs/', '/v3/core/syncs/jobs/', '/jobs/']) {
      expect((await books.caller.get(path + data[0]?.job_id)).body.data).toMatchObject({
        ...job,
        sync_id: upload_job_id,
      });
    }
    const sync = await books.caller.get(`/v3/core/syncs/${upload_job_id}`);
    expect(sync.body.data).toMatchObject({
      sync_id: upload_job_id,
      status: 'SUCCESS',
      config_mode: 'CREATE',
      sync_data_models: ['JOURNAL_ENTRIES'],
      total_count: 2,
      success_count: 2,
      failed_count: 0,
    });
    expect((await books.caller.get(`/v3/core/syncs/${upload_job_id}/jobs`)).body.data).toEqual([
      expect.objectContaining({ ...job, job_id: data[0]?.job_id }),
      expect.objectContaining({ ...job, job_id: data[1]?.job_id }),
    ]);
    const pushes = await books.caller.get(`/sync?job_type=PUSH&company_id=${books.companyId}&limit=1`);
    expect(pushes.body.data).toMatchObject({
      data: [{ sync_id: upload_job_id, data_models: [{ data_model: 'JOURNAL_ENTRIES', total_count: 2 }] }],
      total_count: expect.any(Number),
    });
    const other = await createCaller(app, books.tenant.organisationId + 1).catch(() => null);
    expect(other).toBeNull();
  });

  test('has jobs whose errors are objects of texts', async () => {
    const taken = books.journal(1, { document_number: 'TAKEN' });
    const { body } = await books.write(JOURNALS, [taken, taken, { journal_lines: [] }]);
    const { upload_job_id, data } = body.data;
    const listed = await books.caller.get(`/v3/core/syncs/${upload_job_id}/jobs`);
    expect(listed.body.data.map(({ error }: any) => error)).toEqual([
      null,
      data[1].error,
      {
        code: 'invalid-params',
        message: 'Invalid field: journal_lines. It must have at least 2',
        field: 'journal_lines',
      },
    ]);
  });

  test('that would do nothing is refused, naming the field', async () => {
    const refused = async (body: object) => (await books.caller.post(JOURNALS, body)).body.error;
    expect(await refused({ data: [{}] })).toMatchObject({ code: 'missing-params', field: 'company_id' });
    expect(await refused({ company_id: books.companyId })).toMatchObject({
      code: 'missing-params',
      field: 'data',
    });
    expect(await refused({ company_id: books.companyId, data: [] })).toMatchObject({
      code: 'missing-params',
      field: 'data',
    });
    expect(await refused({ company_id: books.companyId, data: {} })).toMatchObject({
      code: 'invalid-params',
      field: 'data',
    });
    expect(await refused({ company_id: 999_999_999, data: [{}] })).toMatchObject({
      code: 'not-found',
      field: 'company_id',
    });
    const odd = await books.write(JOURNALS, [null, 'text', 5, []]);
    expect((odd.body.data.data as Item[]).map(({ error }) => [error?.code, error?.field])).toEqual(
      Array.from({ length: 4 }, () => ['invalid-params', 'data']),
    );
    const reader = await createCaller(app, books.tenant.organisationId, { scopes: ['read'] });
    const forbidden = await reader.post(JOURNALS, { company_id: books.companyId, data: [books.journal(1)] });
    expect([forbidden.status, forbidden.body.error.code]).toEqual([403, 'forbidden']);
  });
});

/** A good item of every record type, and what becomes of it. */
const CREATES: readonly [string, (books: Writing) => object, object][] = [
  [
    'accounts',
    () => ({ name: 'Tools', nominal_code: '6950', category: 'EXPENSE', sub_category: 'OVERHEAD' }),
    { name: 'Tools', nominal_code: '6950', category: 'EXPENSE', sub_category: 'OVERHEAD', status: 'ACTIVE' },
  ],
  [
    'items',
    ({ ids }) => ({
      name: 'Stool',
      code: 'STL-9',
      type: 'SERVICE',
      invoice_item: { account_id: ids.sales, unit_price: 12.5 },
    }),
    { name: 'Stool', code: 'STL-9', type: 'SERVICE', is_invoice_item: true, is_bill_item: false },
  ],
  [
    'contacts',
    () => ({
      name: 'Nora Quill',
      contact_type: 'CUSTOMER',
      email: 'nora@quill.example',
      mobile: '+61 400 000 000',
    }),
    { name: 'Nora Quill', contact_type: 'CUSTOMER' },
  ],
  [
    'invoices',
    ({ ids }) => ({ contact_id: ids.customer, due_date: '2026-03-01', line_items: [line(ids)] }),
    { status: 'SUBMITTED', sub_total: 20, amount_due: 20 },
  ],
  [
    'bills',
    ({ ids }) => ({ contact_id: ids.vendor, memo: 'paper', line_items: [line(ids)] }),
    { memo: 'paper', total_amount: 20 },
  ],
  [
    'invoice_credit_notes',
    ({ ids }) => ({ contact_id: ids.customer, invoice_ids: [ids.invoice], line_items: [line(ids, 1)] }),
    { total_amount: 10, remaining_credit: 0 },
  ],
  [
    'bill_credit_notes',
    ({ ids }) => ({ contact_id: ids.vendor, bill_ids: [ids.bill], line_items: [line(ids, 1)] }),
    { total_amount: 10 },
  ],
  [
    'sales_orders',
    ({ ids }) => ({ contact_id: ids.customer, delivery_date: '2026-05-05', line_items: [line(ids)] }),
    { delivery_date: '2026-05-05T00:00:00.000Z' },
  ],
  [
    'purchase_orders',
    ({ ids }) => ({ contact_id: ids.vendor, payment_mode: 'CREDIT_CARD', line_items: [line(ids)] }),
    { status: 'SUBMITTED' },
  ],
  ['expenses', ({ ids }) => ({ account_id: ids.bank, line_items: [line(ids)] }), { account_id: 'bank' }],
  [
    'invoice_payments',
    ({ ids }) => ({ invoice_id: ids.invoice, account_id: ids.bank, amount: '1.00' }),
    { amount: 1 },
  ],
  [
    'bill_payments',
    ({ ids }) => ({ bill_id: ids.bill, account_id: ids.bank, amount: 1 }),
    { amount: '1.00' },
  ],
  [
    'bank_transactions',
    ({ ids }) => ({
      account_id: ids.bank,
      amount: 8,
      contact_id: ids.customer,
      transaction_date: '2026-02-03',
      type: 'DEPOSIT',
    }),
    { amount: 8, debit_or_credit: 'CREDIT', type: 'DEPOSIT' },
  ],
  ['journal_entries', (one) => one.journal(2), { amount: 2 }],
];

const line = (ids: Writing['ids'], quantity = 2) => ({
  account_id: ids.sales,
  description: 'Chair',
  quantity,
  unit_amount: '10.00',
});

describe.each(CREATES)('%s', (type, itemOf, expected) => {
  test('are written in both forms', async () => {
    const wanted = Object.fromEntries(
      Object.entries(expected).map(([name, value]) => [name, value === 'bank' ? books.ids.bank : value]),
    );
    const single = await books.write(`/v3/accounting/${type}`, [itemOf(books)]);
    expect([single.status, single.body.error]).toEqual([200, undefined]);
    expect(single.body.data).toMatchObject({ svc_company_id: books.companyId, ...wanted });
    expect(single.body.data).not.toHaveProperty('raw_data');
    const again: Record<string, unknown> = { ...itemOf(books) };
    for (const unique of ['nominal_code', 'code'])
      if (unique in again) again[unique] = `${String(again[unique])}b`;
    const bulk = await books.write(`/accounting/${type}`, [again]);
    const [item] = bulk.body.data.data as Item[];
    expect([item?.status, item?.error]).toEqual(['success', null]);
    expect(item?.response).toMatchObject({ raw_data: { Guid: item?.response?.platform_id } });
  });
});

describe('one record on /v3', () => {
  test('is refused with what the platform says, as an error of the call', async () => {
    const item = books.journal(1, { document_number: 'ONCE' });
    await books.write('/v3/accounting/journal_entries', [item]);
    const { status, body } = await books.write('/v3/accounting/journal_entries', [item]);
    expect(status).toBe(400);
    expect(body.error).toEqual({
      code: 'record-already-exists',
      message: 'Record already exists with given: document_number. ONCE is taken by another of Journals',
      field: 'document_number',
      platform_error: 'Number: ONCE is taken by another of Journals',
    });
  });

  test('is one record; several need run_async', async () => {
    const items = [books.journal(1), books.journal(2)];
    const refused = await books.write('/v3/accounting/journal_entries', items);
    expect([refused.status, refused.body.error]).toEqual([
      400,
      expect.objectContaining({ code: 'invalid-params', field: 'data' }),
    ]);
    for (const path of ['/v3/accounting/journal_entries?run_async=true', '/v3/accounting/journal_entries']) {
      const { status, body } = await books.write(path, items, path.includes('?') ? {} : { run_async: true });
      expect([status, Object.keys(body)]).toEqual([200, ['sync_id']]);
      expect((await books.untilOver(body.sync_id)).data).toHaveLength(2);
    }
  });

  test('is planned with a warning of parameters that mean nothing, and not with filters', async () => {
    const planned = (path: string, query: string) =>
      books.write(`${path}?dry_run=true&${query}`, [books.journal(1)]);
    for (const path of ['/accounting/journal_entries', '/v3/accounting/journal_entries']) {
      const { status, headers } = await planned(path, 'strickt=true&company_id=7');
      expect([status, headers.get('x-svc-warning')]).toEqual([200, 'ignored: strickt, company_id']);
      const refused = await planned(path, 'account_id[eq]=7');
      expect([refused.status, refused.body.error.field]).toEqual([400, 'account_id[eq]']);
    }
  });

  test('is planned in bulk, with each result in its place', async () => {
    const [good, bad] = [books.journal(1), { journal_lines: [] }];
    for (const items of [
      [good, bad],
      [bad, good],
    ]) {
      const more = { run_async: true, dry_run: true };
      const { status, body } = await books.write('/v3/accounting/journal_entries', items, more);
      expect([status, body.data.status, body.data.upload_job_id]).toEqual([200, 'PLANNED', null]);
      const states = body.data.data.map((item: any) => [item.status, item.error?.code, item.request?.path]);
      const expected = items.map((item) =>
        item === good ? ['planned', undefined, '/Journals'] : ['failed', 'invalid-params', undefined],
      );
      expect(states).toEqual(expected);
    }
    const sync = await books.write('/v3/accounting/journal_entries', [good, good], { dry_run: true });
    expect([sync.status, sync.body.error.field]).toEqual([400, 'data']);
  });

  test('is planned without the price that a change leaves as it is', async () => {
    const data = [{ platform_id: 'any', invoice_item: { description: 'Oak' } }];
    const change = { company_id: books.companyId, dry_run: true, data };
    const { body } = await books.caller.put('/v3/accounting/items', change);
    expect(body.data).toMatchObject({ status: 'planned', error: null });
    expect(body.data.request.body.Selling).toEqual({ Text: 'Oak' });
  });

  test('is changed by PUT: what is not named stays', async () => {
    const made = await books.write('/v3/accounting/contacts', [
      { name: 'Ada Vale', contact_type: 'VENDOR', tax_number: '123', email: 'ada@vale.example' },
    ]);
    const { platform_id, svc_id } = made.body.data;
    const body = { company_id: books.companyId, data: [{ platform_id, contact_name: 'Ada' }] };
    const { body: changed } = await books.caller.put('/v3/accounting/contacts', body);
    expect(changed.data).toMatchObject({ svc_id, name: 'Ada Vale', contact_name: 'Ada', tax_number: '123' });
    expect((await changesOf(svc_id)).map(({ operation }) => operation)).toEqual(['CREATE', 'UPDATE']);
    const missing = await books.caller.put('/v3/accounting/contacts', { ...body, data: [{ name: 'x' }] });
    expect([missing.status, missing.body.error]).toEqual([
      400,
      expect.objectContaining({ code: 'missing-params', field: 'platform_id' }),
    ]);
    const none = await books.caller.put('/v3/accounting/contacts', {
      ...body,
      data: [{ platform_id: 'nobody' }],
    });
    expect([none.status, none.body.error.code]).toEqual([400, 'operation-denied']);
  });

  test('sets custom fields by their names, which a read shows', async () => {
    const path = '/v3/accounting/contacts';
    const made = await books.write(path, [
      {
        name: 'Field Co',
        contact_type: 'CUSTOMER',
        custom_fields: [
          { name: 'Region', value: 'West' },
          { name: 'Credit limit', value: '750.50' },
        ],
      },
    ]);
    const { platform_id, svc_id } = made.body.data;
    const shown = async () => (await books.caller.get(`${path}/${svc_id}?select=custom_fields`)).body.data;
    const valuesOf = ({ custom_fields }: any) => custom_fields.map((one: any) => [one.name, one.value]);
    expect(valuesOf(await shown())).toEqual([
      ['Region', 'West'],
      ['Credit limit', '750.5'],
    ]);
    const { body } = await books.caller.graphql(
      `mutation ($input: UpdateContactsInput!) { updateContacts(input: $input) { userErrors { message } } }`,
      {
        input: {
          companyId: books.companyId,
          data: [
            {
              platformId: platform_id,
              customFields: [{ name: 'Region', value: 'East' }, { name: 'Credit limit' }],
            },
          ],
        },
      },
    );
    expect(body).toMatchObject({ data: { updateContacts: { userErrors: [] } } });
    expect(valuesOf(await shown())).toEqual([
      ['Region', 'East'],
      ['Credit limit', null],
    ]);
    const odd = {
      name: 'Odd Co',
      contact_type: 'CUSTOMER',
      custom_fields: [{ name: 'Colour', value: 'red' }],
    };
    const refused = await books.write(path, [odd]);
    expect([refused.status, refused.body.error.message]).toEqual([400, expect.stringContaining('Region')]);
  });

  test.each([
    'invoices',
    'bills',
    'invoice_credit_notes',
    'bill_credit_notes',
    'sales_orders',
    'purchase_orders',
    'expenses',
  ])('sets custom fields of %s', async (name) => {
    const path = `/v3/accounting/${name}`;
    const item = {
      contact_id: books.ids.customer,
      ...(name === 'expenses' ? { account_id: books.ids.rent } : {}),
      line_items: [{ account_id: books.ids.rent, quantity: 1, unit_amount: 10 }],
    };
    const made = await books.write(path, [
      {
        ...item,
        custom_fields: [
          { name: 'Freight number', value: 'F-1' },
          { name: 'Approved', value: 'true' },
        ],
      },
    ]);
    expect(made.status).toBe(200);
    const { svc_id } = made.body.data;
    const filter = 'custom_fields[Freight number][eq]=F-1';
    const { body } = await books.caller.get(`${path}?select=custom_fields&fields=svc_id&${filter}`);
    expect(body.data).toEqual([
      {
        svc_id,
        custom_fields: [
          { id: 'cf-21', name: 'Cost centre', value: null, type: 'choice' },
          { id: 'cf-22', name: 'Freight number', value: 'F-1', type: 'text' },
          { id: 'cf-23', name: 'Approved', value: true, type: 'flag' },
        ],
      },
    ]);
    const refused = await books.write(path, [
      { ...item, custom_fields: [{ name: 'Approved', value: 'maybe' }] },
    ]);
    expect(refused.body.error).toMatchObject({ field: expect.stringContaining('custom_fields[0].value') });
  });
});

describe('checks before anything is sent', () => {
  test.each([
    ['dryRun', 'dryRun=true', {}],
    ['dryrun', 'dryrun=true', {}],
    ['runAsync', '', { runAsync: true }],
    ['DRY_RUN', '', { DRY_RUN: true }],
    ['connection_id', 'connection_id=1', {}],
  ])('%s is not an option: without it, the write would be another', async (name, query, more) => {
    const before = await admin.prisma.upload.count();
    for (const path of ['/accounting/journal_entries', '/v3/accounting/journal_entries']) {
      const { status, body } = await books.write(`${path}?${query}`, [books.journal(1)], more);
      expect([status, body.error.code, body.error.field]).toEqual([400, 'invalid-params', name]);
    }
    expect(await admin.prisma.upload.count()).toBe(before);
  });

  const check = async (item: object, more: object = {}) => {
    const before = (await atPlatform('Journals')).size;
    const { body } = await books.write(JOURNALS, [item], more);
    const [answered] = body.data.data as Item[];
    const isSent = (await atPlatform('Journals')).size > before;
    return { ...answered, isSent, upload: body.data.upload_job_id as string | null };
  };

  test.each([
    [
      'a missing field',
      { journal_lines: [{ type: 'DEBIT' }, { type: 'CREDIT' }] },
      'missing-params',
      'journal_lines[0].account_id',
    ],
    ['no lines', {}, 'missing-params', 'journal_lines'],
    ['a wrong type', { description: 5, journal_lines: [] }, 'invalid-params', 'description'],
    [
      'a word that there is not',
      { journal_entry_type: 'odd', journal_lines: [] },
      'invalid-params',
      'journal_entry_type',
    ],
    ['a text too long', { description: 'x'.repeat(4001) }, 'missing-params', 'journal_lines'],
    [
      'an empty id of a record',
      { journal_lines: [{ account_id: '', type: 'DEBIT', net_amount: 1 }] },
      'invalid-params',
      'journal_lines[0].account_id',
    ],
    ['no date', { posted_date: 'tomorrow', journal_lines: [] }, 'invalid-params', 'posted_date'],
  ])('%s', async (_what, item, code, field) => {
    const { error, isSent } = await check(item);
    expect([error?.code, error?.field, isSent]).toEqual([code, field, false]);
  });

  test('a journal that does not balance by the last digit', async () => {
    const lines = ['0.1', '0.2', '0.3'].map((net_amount, index) => ({
      account_id: books.ids.rent,
      type: index < 2 ? 'DEBIT' : 'CREDIT',
      net_amount,
    }));
    expect((await check({ journal_lines: lines })).status).toBe('success');
    const off = lines.map((one, index) => (index === 2 ? { ...one, net_amount: '0.300000001' } : one));
    expect((await check({ journal_lines: off })).error?.message).toBe(
      'Invalid field: journal_lines. It must balance: debits are 0.3, credits 0.300000001',
    );
  });

  test('an unknown record is warned of, and refused when strict', async () => {
    const lines = (account: string) =>
      books.journal(1, {}) && {
        journal_lines: [
          { account_id: account, type: 'DEBIT', net_amount: 1 },
          { account_id: books.ids.bank, type: 'CREDIT', net_amount: 1 },
        ],
      };
    const strict = await check(lines('nobody'), { strict: true });
    expect([strict.error?.code, strict.error?.field, strict.isSent]).toEqual([
      'invalid-params',
      'journal_lines[0].account_id',
      false,
    ]);
    const loose = await check(lines('nobody'));
    expect(loose.warnings).toEqual(['journal_lines[0].account_id: no ACCOUNTS record nobody is known here']);
    expect(loose.error?.platform_error).toContain('there is no ledger account nobody');
  });

  test('an account made through passthrough a minute ago is as good as any', async () => {
    const made = await books.caller.post('/v3/core/passthrough', {
      company_id: books.companyId,
      data: {
        method: 'POST',
        path: '/LedgerAccounts',
        data: { Number: '6960', Title: 'Made elsewhere', Class: 'costs' },
      },
    });
    const guid = made.body.data.LedgerAccounts[0].Guid as string;
    const { status, error } = await check({
      journal_lines: [
        { account_id: guid, type: 'DEBIT', net_amount: 1 },
        { account_id: books.ids.bank, type: 'CREDIT', net_amount: 1 },
      ],
    });
    expect([status, error]).toEqual(['success', null]);
    const read = await books.caller.get(`/v3/accounting/accounts?platform_id[eq]=${guid}`);
    expect(read.body.data).toEqual([
      expect.objectContaining({ nominal_code: '6960', name: 'Made elsewhere' }),
    ]);
  });

  test('names that mean nothing are warned of', async () => {
    const { status, warnings } = await check({ ...books.journal(1), memmo: 'x', amount: 5 });
    expect(status).toBe('success');
    expect(warnings).toEqual([
      'memmo is not written: it is not a field of these items',
      'amount is not written: it is not a field of these items',
    ]);
  });

  test('a dry run says what would be sent, and sends nothing', async () => {
    const { status, isSent, upload, ...item } = await check(
      books.journal('9.5', { posted_date: '2026-04-01' }),
      {
        dry_run: true,
      },
    );
    expect([status, isSent, upload]).toEqual(['planned', false, null]);
    expect(item).toMatchObject({
      job_id: null,
      error: null,
      request: {
        method: 'POST',
        path: '/Journals',
        body: {
          Date: '01.04.2026',
          Lines: [
            { AccountNumber: '6100', Debit: '9.5' },
            { AccountNumber: '1010', Credit: '9.5' },
          ],
        },
      },
    });
    expect((await check({}, { dry_run: true })).error?.code).toBe('missing-params');
  });
});

describe('GraphQL', () => {
  test('writes typed items, and reads the records in the same answer', async () => {
    const { body } = await books.caller.graphql(
      `mutation ($input: CreateJournalEntriesInput!) {
        createJournalEntries(input: $input) {
          clientMutationId replayed userErrors { code }
          write { state counts { total success failed } }
          results { jobId state error { code field } warnings
            record { svcId amount journalLines { netAmount account { name nominalCode } } } } } }`,
      {
        input: {
          clientMutationId: 'mine',
          companyId: books.companyId,
          data: [
            {
              journalLines: [
                { accountId: books.ids.rent, type: 'DEBIT', netAmount: '4.20' },
                { accountId: books.ids.bank, type: 'CREDIT', netAmount: '4.20' },
              ],
            },
            { journalLines: [] },
          ],
        },
      },
    );
    expect(body.errors).toBeUndefined();
    expect(body.data.createJournalEntries).toMatchObject({
      clientMutationId: 'mine',
      replayed: false,
      userErrors: [],
      write: { state: 'PARTIAL_SUCCESS', counts: { total: 2, success: 1, failed: 1 } },
      results: [
        {
          state: 'SUCCESS',
          error: null,
          record: {
            amount: '4.20',
            journalLines: [
              { netAmount: '4.20', account: { name: 'Rent', nominalCode: '6100' } },
              { netAmount: '4.20', account: { name: 'Everyday account', nominalCode: '1010' } },
            ],
          },
        },
        { state: 'FAILED', error: { code: 'INVALID_PARAMS', field: ['journalLines'] }, record: null },
      ],
    });
  });

  test('lists uploads, finds one and its items, and shows what platforms take', async () => {
    for (let upload = 0; upload < 3; upload += 1) await books.write(JOURNALS, [books.journal(1)]);
    const { body } = await books.caller.graphql(
      `query ($companyId: SvcId) {
        writes(companyId: $companyId, first: 2) { totalCount nodes { writeId state items { totalCount nodes { jobId dataModel record { svcId
          ... on JournalEntry { documentNumber } ... on Contact { name } } } } } pageInfo { hasNextPage } }
        capabilities(integrationType: SVC_SANDBOX, category: ACCOUNTING) { nodes { title dataModels { dataModel create update createSchema } } } }`,
      { companyId: books.companyId },
    );
    expect(body.errors).toBeUndefined();
    expect(body.data.writes.totalCount).toBeGreaterThan(2);
    expect(body.data.writes.nodes).toHaveLength(2);
    const [platform] = body.data.capabilities.nodes as {
      dataModels: { dataModel: string; create: boolean; createSchema: any }[];
    }[];
    const journals = platform?.dataModels.find((one) => one.dataModel === 'JOURNAL_ENTRIES');
    expect(journals).toMatchObject({
      create: true,
      update: false,
      createSchema: { type: 'object', required: ['journal_lines'] },
    });
    const rest = await books.caller.get(
      '/v3/core/capabilities?integration_type=SVC_SANDBOX&category=ACCOUNTING',
    );
    const shown = rest.body.data[0].data_models.find(
      (one: { data_model: string }) => one.data_model === 'JOURNAL_ENTRIES',
    );
    expect(shown.create_schema).toEqual(journals?.createSchema);
  });

  test('says what a platform cannot do', async () => {
    const { body } = await books.caller.graphql(
      `mutation ($companyId: SvcId!) { writeRecords(input: { companyId: $companyId, dataModel: CURRENCIES, data: [{}] }) {
        write { writeId } userErrors { code message } } }`,
      { companyId: books.companyId },
    );
    expect(body.data.writeRecords).toEqual({
      write: null,
      userErrors: [
        {
          code: 'OPERATION_DENIED',
          message: expect.stringContaining(
            'Operation Denied: SVC Sandbox Books cannot create CURRENCIES; it can create',
          ),
        },
      ],
    });
  });
});

describe('one record read at once', () => {
  test('comes from the platform, and is stored', async () => {
    const made = await books.write('/v3/accounting/contacts', [{ name: 'Before', contact_type: 'CUSTOMER' }]);
    const { platform_id, svc_id } = made.body.data;
    await books.caller.post('/v3/core/passthrough', {
      company_id: books.companyId,
      data: { method: 'PUT', path: `/Partners/${platform_id}`, data: { Title: 'After' } },
    });
    const ask = (variables: object, more: object = {}) =>
      books.caller.post('/v3/core/real_time', {
        company_id: books.companyId,
        data_model: 'CONTACTS',
        variables,
        ...more,
      });
    const { status, body } = await ask({ platform_id });
    expect([status, body.data]).toEqual([
      200,
      expect.objectContaining({ svc_id, platform_id, name: 'After' }),
    ]);
    expect((await books.caller.get(`/v3/accounting/contacts/${svc_id}`)).body.data.name).toBe('After');
    const codes = await Promise.all([
      ask({ platform_id: 'nobody' }),
      ask({}),
      ask({ platform_id }, { data_model: 'ODD' }),
      ask({}, { data_model: 'ODD' }),
      ask({ platform_id }, { company_id: 99_999_999 }),
    ]);
    expect(codes.map((one) => [one.status, one.body.error?.code, one.body.error?.field])).toEqual([
      [404, 'not-found', 'variables.platform_id'],
      [400, 'missing-params', 'variables.platform_id'],
      [400, 'invalid-params', 'data_model'],
      [400, 'invalid-params', 'data_model'],
      [404, 'not-found', 'company_id'],
    ]);
  });
});

describe('a write of what a company sets up', () => {
  test('makes a bank account, without a version at the path of its own', async () => {
    const item = { account_name: 'Card', institution_name: 'Harbour Bank', category: 'CREDIT_CARD' };
    const { status, body } = await books.write('/accounting/bank_account', [item, {}]);
    expect(status).toBe(200);
    const [made, refused] = body.data.data as Item[];
    expect(made).toMatchObject({ status: 'success', error: null, response: { ...item, balance: 0 } });
    expect(refused).toMatchObject({
      status: 'failed',
      error: { code: 'missing-params', field: 'account_name' },
    });
    const ledger = (await atPlatform('LedgerAccounts')).get(made?.response?.platform_id ?? '');
    expect(ledger).toMatchObject({ Number: expect.stringMatching(/^BANK-\d{4}$/), Class: 'bank' });
    expect((await books.write('/accounting/bank_accounts', [item])).status).toBe(404);
    const all = await books.caller.post('/accounting/bank_account/all', {
      filter: { platform_id: { eq: made?.response?.platform_id } },
    });
    expect(all.body.data).toMatchObject({ data: [item], total_count: 1 });
  });

  test('creates a tax rate from its components, or from its total alone', async () => {
    const components = [
      { name: 'Wine', rate: 29, tax_agency: 'Treasury', is_compound: false },
      { name: 'Goods', rate: 10, tax_agency: null, is_compound: true },
    ];
    const item = { name: 'Wine', code: 'WINE', tax_type: 'SALES', components };
    const { body } = await books.write('/v3/accounting/tax_rates', [item]);
    expect(body.data).toMatchObject({ ...item, total_tax_rate: 39, effective_tax_rate: 41.9 });

    const flat = await books.write('/v3/accounting/tax_rates', [{ name: 'Flat', total_tax_rate: '2.25' }]);
    expect(flat.body.data).toMatchObject({
      components: [{ name: 'Flat', rate: 2.25 }],
      total_tax_rate: 2.25,
    });

    const wrong = { ...item, total_tax_rate: 40 };
    const refusals = (await books.write('/accounting/tax_rates', [wrong, { name: 'None' }])).body.data.data;
    expect(refusals.map(({ error }: Item) => [error?.code, error?.field, error?.message])).toEqual([
      ['invalid-params', 'total_tax_rate', expect.stringContaining('the sum of the components, 39')],
      ['missing-params', 'components', expect.any(String)],
    ]);
  });

  test('by GraphQL makes a tracking category, values of it, and values below those', async () => {
    const create = async (data: readonly object[]) => {
      const { body } = await books.caller.post('/graphql', {
        query: `mutation ($input: CreateTrackingCategoriesInput!) {
          createTrackingCategories(input: $input) { results { record {
            platformId name status parentId hasChildren parent { name } } } } }`,
        variables: { input: { companyId: books.companyId, data } },
      });
      return body.data.createTrackingCategories.results.map(({ record }: any) => record);
    };
    const [channel] = await create([{ name: 'Channel' }]);
    expect(channel).toMatchObject({ name: 'Channel', status: 'ACTIVE', parentId: null, hasChildren: false });
    const [shop] = await create([{ name: 'Shop', parentId: channel.platformId, status: 'ARCHIVED' }]);
    expect(shop).toMatchObject({ name: 'Shop', status: 'ARCHIVED', parent: { name: 'Channel' } });
    const [corner] = await create([{ name: 'Corner', parentId: shop.platformId }]);
    expect(corner).toMatchObject({ parentId: shop.platformId, parent: { name: 'Shop' } });
    const dimension = (await atPlatform('Dimensions')).get(channel.platformId);
    expect(dimension?.['Options']).toMatchObject([{ Title: 'Shop' }, { Parent: shop.platformId }]);
  });
});

describe('a write to a shop', () => {
  const CUSTOMERS = '/ecommerce/customers';
  beforeAll(async () => {
    await books.tenant.connect('ECOMMERCE');
  });

  test('answers a customer in a list, unlike every other record', async () => {
    const item = {
      name: 'Mary Ann Smith',
      email: 'mary@mail.example',
      address: { city: 'Sydney', country: 'AU' },
    };
    const { status, body } = await books.write(`/v3${CUSTOMERS}`, [item]);
    expect(status).toBe(200);
    expect(body.data).toEqual([
      expect.objectContaining({ name: 'Mary Ann Smith', email: 'mary@mail.example', status: 'ACTIVE' }),
    ]);
    const read = await books.caller.get(`/v3${CUSTOMERS}/${body.data[0].svc_id}`);
    expect(read.body.data).toMatchObject(body.data[0]);
    expect(read.body.data.address).toMatchObject({ city: 'Sydney', country: 'AU', type: 'BILLING' });

    const product = await books.write('/v3/ecommerce/products', [{ name: 'Brass whistle' }]);
    expect(product.body.data).toMatchObject({ name: 'Brass whistle', status: 'ACTIVE' });
  });

  test('answers each of several items, and refuses none because of another', async () => {
    const { body } = await books.write(CUSTOMERS, [
      { name: 'Ann', email: 'ann@mail.example' },
      { phone: '+61 491 570 159' },
      { email: 'ben@mail.example' },
    ]);
    expect(body.data.data.map((item: Item) => item.status)).toEqual(['success', 'failed', 'success']);
    expect(body.data.data[1].error).toMatchObject({
      code: 'invalid-params',
      message: 'Invalid field: email. a name or an email is needed',
      field: 'email',
    });
    expect(body.data.data[2].response).toMatchObject({
      email: 'ben@mail.example',
      name: null,
      address: null,
    });
  });

  test('by GraphQL answers as of any other record', async () => {
    const { body } = await books.caller.post('/graphql', {
      query: `mutation ($input: CreateEcommerceCustomersInput!) {
        createEcommerceCustomers(input: $input) { results { record { svcId name address { svcId city } } } } }`,
      variables: {
        input: { companyId: books.companyId, data: [{ name: 'Kim', address: { city: 'Perth' } }] },
      },
    });
    // One customer has one address, so that the customer's id is the address's, too.
    const { svcId } = body.data.createEcommerceCustomers.results[0].record;
    const address = { svcId, city: 'Perth' };
    expect(body).toEqual({
      data: { createEcommerceCustomers: { results: [{ record: { svcId, name: 'Kim', address } }] } },
    });
  });
});
