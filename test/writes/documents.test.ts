import { randomBytes, randomUUID } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { App } from '../../src/app.js';
import type { Worker } from '../../src/jobs/worker.js';
import type { Sandbox } from '../../src/sandbox/index.js';
import { control, startTestSandbox } from '../support/sandbox.js';
import { createTenant } from '../support/seed.js';
import { type Answer, createCaller, startApp } from '../support/service.js';
import { until } from '../support/until.js';
import { createWriting, startWorker, type Writing } from '../support/writing.js';
import { admin } from '../support/admin.js';

const PATH = '/v3/accounting/documents';

let sandbox: Sandbox;
let app: App;
let worker: Worker;
let fileDir: string;
let books: Writing;

beforeAll(async () => {
  fileDir = await mkdtemp(join(tmpdir(), 'svc-upload-'));
  sandbox = await startTestSandbox();
  app = await startApp({ SANDBOX_URL: sandbox.url, FILE_DIR: fileDir });
  worker = await startWorker(sandbox, { FILE_DIR: fileDir });
  books = await createWriting(app, sandbox);
});
beforeEach(() => control(sandbox, 'DELETE', '/faults'));
afterAll(async () => {
  await worker?.stop();
  await app?.close();
  await sandbox?.stop();
  await rm(fileDir, { recursive: true, force: true });
});

/** A form; a Buffer or Blob is the file. */
function formOf(fields: Readonly<Record<string, unknown>>, fileName = 'scan.pdf', type = 'application/pdf') {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    if (Buffer.isBuffer(value)) form.append(name, new Blob([value], { type }), fileName);
    else form.append(name, String(value));
  }
  return form;
}
async function sendForm(
  form: FormData | string,
  { key = '', headers = {}, to = app, caller = books.caller } = {},
) {
  const answer = await fetch(to.url + PATH, {
    method: 'POST',
    headers: {
      api_key: (caller as unknown as { key: string }).key,
      ...(key === '' ? {} : { 'idempotency-key': key }),
      ...headers,
    },
    body: form,
  });
  const text = await answer.text();
  return { status: answer.status, headers: answer.headers, text, body: JSON.parse(text) };
}
const toInvoice = (more: Readonly<Record<string, unknown>> = {}) => ({
  company_id: books.companyId,
  document_type: 'INVOICES',
  document_type_id: books.ids.invoice,
  ...more,
});
const errorOf = ({ status, body }: Pick<Answer, 'status' | 'body'>) => [
  status,
  body.error?.code,
  body.error?.field,
];
const send = (item: object, more: object = {}, headers: Readonly<Record<string, string>> = {}) =>
  books.caller.post(PATH, { company_id: books.companyId, data: [item], ...more }, headers);
const attached = (more: object = {}) => ({
  document_type: 'INVOICES',
  document_type_id: books.ids.invoice,
  file_name: 'a.txt',
  file_type: 'text/plain',
  ...more,
});
const base64 = (text: string | Buffer) => Buffer.from(text).toString('base64');

/** Files of the company, whole ones and those on their way. */
function filesOf(companyId = books.companyId, organisationId = books.tenant.organisationId) {
  const names = (folder: string) => {
    try {
      return readdirSync(join(fileDir, folder));
    } catch {
      return [];
    }
  };
  return { kept: names(`kept/${organisationId}/${companyId}`).length, incoming: names('incoming').length };
}
/** The attachments of the company at the platform, by name. */
async function atPlatform(fileName: string): Promise<any[]> {
  const answer = await fetch(
    `${sandbox.url}/_sandbox/objects?account=${books.tenant.account}&platform=accounting&kind=Attachments`,
  );
  return (await answer.text())
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line).object)
    .filter((object) => object.FileName === fileName);
}
const fetches = async () => {
  const { requests } = await control(sandbox, 'GET', '/statistics');
  return requests
    .filter((one: any) => one.account === books.tenant.account && one.path.endsWith('/:guid/content'))
    .reduce((sum: number, one: any) => sum + one.requests, 0) as number;
};
/** What the platform has of a file. */
async function contentAt(guid: string): Promise<Buffer> {
  const { access_token } = await control(sandbox, 'POST', '/tokens', {
    platform: 'accounting',
    account: books.tenant.account,
    scope: 'read',
  });
  const answer = await fetch(`${sandbox.url}/accounting/api/2/Attachments/${guid}/content`, {
    headers: { authorization: `Bearer ${access_token}`, 'sandbox-company': books.tenant.account },
  });
  return Buffer.from(await answer.arrayBuffer());
}
const download = (svcId: number) =>
  books.caller.get(`/v3/download_document/${svcId}?svc_company_id=${books.companyId}`);
async function downloaded(svcId: number): Promise<Buffer> {
  const { status, body } = await download(svcId);
  expect(status).toBe(200);
  const answer = await fetch(body.data.download_url);
  return Buffer.from(await answer.arrayBuffer());
}
const changesOf = async (svcId: number) => {
  const { rows } = await admin.pool.query(
    'SELECT operation, cause, cause_id FROM record_changes WHERE svc_company_id = $1 AND svc_id = $2 ORDER BY position',
    [books.companyId, svcId],
  );
  return rows;
};
const countOf = async (table: string, companyId = books.companyId): Promise<number> => {
  const { rows } = await admin.pool.query(
    `SELECT count(*)::int AS count FROM ${table} WHERE svc_company_id = $1`,
    [companyId],
  );
  return rows[0].count;
};

/** A full sync of documents, whoever runs it. */
async function syncDocuments(): Promise<void> {
  const sync = await books.tenant.sync(books.connected, { dataModels: ['DOCUMENTS'], fullSync: true });
  const jobs = await until(`the end of sync ${sync}`, async () => {
    const { rows } = await admin.pool.query(
      'SELECT state, ended_at FROM sync_jobs WHERE svc_company_id = $1 AND sync_svc_id = $2',
      [books.companyId, sync],
    );
    return rows[0].ended_at !== null && rows;
  });
  expect(jobs).toMatchObject([{ state: 'SUCCESS' }]);
}

describe('metadata without a file', () => {
  test('are stored with their change log and not sent; the document has no file', async () => {
    const { status, body, headers } = await send(
      attached({
        file_name: 'announced.pdf',
        file_type: 'application/pdf',
        file_size: 1234,
        document_uploaded: true,
        updated_at: '2026-11-01T00:00:00Z',
      }),
    );
    expect([status, headers.get('x-svc-item-warning')]).toEqual([200, null]);
    expect(body.data).toMatchObject({
      svc_company_id: books.companyId,
      platform_id: expect.stringMatching(/^svc-\w{15}$/),
      document_type: 'INVOICES',
      document_type_id: books.ids.invoice,
      document_uploaded: false,
      file_name: 'announced.pdf',
      file_size: '1234',
      file_type: 'application/pdf',
      updated_at: '2026-11-01T00:00:00.000Z',
    });
    expect(await atPlatform('announced.pdf')).toEqual([]);
    expect(await changesOf(body.data.svc_id)).toEqual([
      { operation: 'CREATE', cause: 'write', cause_id: expect.stringMatching(/^\w{15}$/) },
    ]);
    expect((await books.caller.get(`${PATH}/${body.data.svc_id}`)).body.data).toMatchObject(body.data);
    const before = await fetches();
    expect(errorOf(await download(body.data.svc_id))).toEqual([404, 'no-file', 'document_id']);
    expect(await fetches()).toBe(before);
  });

  test('may have any of its fields, or none', async () => {
    const { status, body } = await send({ file_type: 'application/pdf', document_type: null });
    expect(status).toBe(200);
    const stored = { document_type: null, document_type_id: null, file_name: null, file_size: null };
    expect(body.data).toMatchObject({ ...stored, file_type: 'application/pdf', document_uploaded: false });
    expect((await books.caller.get(`${PATH}/${body.data.svc_id}`)).body.data).toMatchObject(body.data);
    expect((await send({})).body.data).toMatchObject({ ...stored, file_type: null });
    expect(errorOf(await send({ document_type: 'PAYSLIPS' }))).toEqual([
      400,
      'invalid-params',
      'document_type',
    ]);
  });

  test('are not removed by syncs, although the platform does not have the document', async () => {
    const { body } = await send(attached({ file_name: 'spared.pdf' }));
    const deleted = async () => {
      const { rows } = await admin.pool.query(
        'SELECT 1 FROM documents WHERE svc_company_id = $1 AND svc_deleted_at IS NOT NULL',
        [books.companyId],
      );
      return rows.length;
    };
    const before = await deleted();
    const { account } = books.tenant;
    await control(sandbox, 'POST', '/mutate', {
      account,
      platform: 'accounting',
      kind: 'Attachments',
      deletes: 3,
    });
    await syncDocuments();
    expect(await deleted()).toBe(before + 3);
    expect((await books.caller.get(`${PATH}/${body.data.svc_id}`)).body.data.svc_deleted_at).toBeNull();
    expect(await changesOf(body.data.svc_id)).toHaveLength(1);
  });

  test('are stored once per idempotency key, and in bulk with run_async', async () => {
    const item = attached({ file_name: 'keyed.pdf' });
    const first = await send(item, {}, { 'idempotency-key': 'local-1' });
    const again = await send(item, {}, { 'idempotency-key': 'local-1' });
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(again.body).toEqual(first.body);
    const other = await send({ ...item, file_size: '1' }, {}, { 'idempotency-key': 'local-1' });
    expect(errorOf(other)).toEqual([422, 'idempotency-key-reused', 'Idempotency-Key']);
    const two = { company_id: books.companyId, data: [item, item] };
    expect(errorOf(await books.caller.post(PATH, two))).toEqual([400, 'invalid-params', 'data']);
    const { body } = await books.caller.post(PATH, { ...two, run_async: true });
    const upload = await books.caller.get(`/v3/core/uploads/${body.sync_id}`);
    expect(upload.body.data.status).toBe('SUCCESS');
    expect(upload.body.data.data.map((one: any) => one.response.file_name)).toEqual([
      'keyed.pdf',
      'keyed.pdf',
    ]);
  });

  test('are accepted for platforms that accept no files, where files are denied', async () => {
    const tenant = await createTenant(app, 'uploads to xero');
    await admin.prisma.connection.updateMany({
      where: { svcCompanyId: BigInt(tenant.companyId) },
      data: { integrationType: 'XERO' },
    });
    const caller = await createCaller(app, tenant.organisationId);
    const body = { company_id: tenant.companyId, data: [attached()] };
    expect((await caller.post(PATH, body)).body.data.document_uploaded).toBe(false);
    const withFile = { ...body, data: [attached({ base64_file: base64('x') })] };
    const denied = await caller.post(PATH, withFile);
    expect(errorOf(denied)).toEqual([400, 'operation-denied', '']);
    expect(filesOf(tenant.companyId, tenant.organisationId)).toEqual({ kept: 0, incoming: 0 });
  });
});

describe('a file in base64', () => {
  test('goes to the platform, and is the kept file of its document', async () => {
    const before = await fetches();
    const { status, body } = await send(
      attached({ base64_file: base64('hello, attachment'), file_size: 5, file_name: 'Räksmörgås 1.txt' }),
    );
    expect(status).toBe(200);
    expect(body.data).toMatchObject({
      document_type: 'INVOICES',
      document_type_id: books.ids.invoice,
      document_uploaded: true,
      file_name: 'Räksmörgås 1.txt',
      file_size: '17',
      file_type: 'text/plain',
    });
    const [object, ...others] = await atPlatform('Räksmörgås 1.txt');
    expect([object.Guid, others]).toEqual([body.data.platform_id, []]);
    expect(String(await downloaded(body.data.svc_id))).toBe('hello, attachment');
    expect(await fetches()).toBe(before);
    expect(String(await contentAt(object.Guid))).toBe('hello, attachment');
    expect(await changesOf(body.data.svc_id)).toEqual([
      { operation: 'CREATE', cause: 'write', cause_id: expect.any(String) },
    ]);
    // A sync finds nothing new in it, and leaves the file alone.
    await syncDocuments();
    expect(await changesOf(body.data.svc_id)).toHaveLength(1);
    expect((await download(body.data.svc_id)).body.data.document_uploaded).toBe(true);
    // The text of the file stands nowhere else.
    const { rows } = await admin.pool.query(
      'SELECT 1 FROM upload_items WHERE svc_company_id = $1 AND (input::text LIKE $2 OR request LIKE $2)',
      [books.companyId, `%${base64('hello, attachment')}%`],
    );
    expect(rows).toEqual([]);
  });

  test.each([
    ['not base64', 'no base64!', 'base64_file'],
    ['without its padding', 'aGVsbG8', 'base64_file'],
    ['with a line break', 'aGVs\nbG8=', 'base64_file'],
    ['empty', '', 'base64_file'],
    ['a number', 7, 'base64_file'],
  ])('that is %s is refused', async (_what, base64_file, field) => {
    const before = filesOf();
    expect(errorOf(await send(attached({ base64_file })))).toEqual([400, 'invalid-params', field]);
    expect(filesOf()).toEqual(before);
  });

  test.each([
    ['missing-params', 'document_type', { document_type: null }],
    ['missing-params', 'document_type_id', { document_type_id: undefined }],
    ['missing-params', 'file_name', { file_name: undefined }],
    ['invalid-params', 'document_type', { document_type: 'PAYSLIPS' }],
    ['invalid-params', 'file_name', { file_name: '../../etc/passwd' }],
    ['invalid-params', 'file_name', { file_name: 'a\\b.pdf' }],
    ['invalid-params', 'file_name', { file_name: 'a\r\nX-Header: 1' }],
    ['invalid-params', 'file_name', { file_name: 'a\0.pdf' }],
    ['invalid-params', 'file_name', { file_name: 'gnp\u202efdp.exe' }],
    ['invalid-params', 'file_name', { file_name: '..' }],
    ['invalid-params', 'file_name', { file_name: 'x'.repeat(201) }],
    ['invalid-params', 'file_type', { file_type: 'text/plain\r\nx: y' }],
    ['invalid-params', 'file_type', { file_type: 'pdf' }],
    ['invalid-params', 'file_size', { file_size: 'large' }],
  ])('with %s for %s is not kept and not sent', async (code, field, more) => {
    const before = filesOf();
    expect(errorOf(await send(attached({ base64_file: base64('x'), ...more })))).toEqual([400, code, field]);
    expect(filesOf()).toEqual(before);
  });

  test('of a record that is not known here is warned of, or refused when strict', async () => {
    const item = attached({ document_type_id: 'nowhere', base64_file: base64('x') });
    const before = filesOf();
    const { status, body, headers } = await send(item);
    expect([status, body.error.code]).toEqual([400, 'operation-denied']);
    expect(body.error.platform_error).toContain('NotFound');
    expect(headers.get('x-svc-item-warning')).toBeNull();
    const strict = await send(item, { strict: true });
    expect(errorOf(strict)).toEqual([400, 'invalid-params', 'document_type_id']);
    const local = await send(attached({ document_type_id: 'nowhere' }));
    expect(local.headers.get('x-svc-item-warning')).toContain('no INVOICES record nowhere is known here');
    expect(filesOf()).toEqual(before);
  });

  test('is planned without being kept by a dry run', async () => {
    const before = filesOf();
    const { body } = await send(attached({ base64_file: base64('x') }), { dry_run: true });
    expect(body.data).toMatchObject({
      status: 'planned',
      request: { method: 'POST', path: `/SalesInvoices/${books.ids.invoice}/Attachments`, body: null },
    });
    expect(filesOf()).toEqual(before);
  });

  test('is refused in a body of more than 10 MB, with an error that names the alternative', async () => {
    const { status, body } = await send(attached({ base64_file: 'A'.repeat(10_000_000) }));
    expect([status, body.error]).toEqual([
      413,
      {
        code: 'payload-too-large',
        field: 'body',
        message:
          'the body is larger than 10000000 bytes; a larger file goes as multipart/form-data, in the part file',
      },
    ]);
  });

  test('goes in GraphQL as well, typed', async () => {
    const mutation = `mutation ($input: CreateDocumentsInput!) { createDocuments(input: $input) {
      replayed userErrors { code field message }
      results { state error { code field } record { documentUploaded fileName fileSize documentType updatedAt } } } }`;
    const item = {
      documentType: 'INVOICES',
      documentTypeId: books.ids.invoice,
      fileName: 'graphql.txt',
      updatedAt: '2026-11-01T00:00:00Z',
    };
    const run = async (input: object) =>
      (await books.caller.graphql(mutation, { input: { companyId: books.companyId, ...input } })).body.data
        .createDocuments;
    const sent = await run({
      data: [{ ...item, base64File: base64('typed') }, item],
      idempotencyKey: 'gql-1',
    });
    expect(sent.userErrors).toEqual([]);
    expect(sent.results).toMatchObject([
      { state: 'SUCCESS', record: { documentUploaded: true, fileSize: '5', documentType: 'INVOICES' } },
      { state: 'SUCCESS', record: { documentUploaded: false, updatedAt: '2026-11-01T00:00:00.000Z' } },
    ]);
    expect(await atPlatform('graphql.txt')).toHaveLength(1);
    const wrong = await run({ data: [{ ...item, base64File: '?' }] });
    expect(wrong.results).toMatchObject([
      { state: 'FAILED', error: { code: 'INVALID_PARAMS', field: ['base64File'] } },
    ]);
  });
});

describe('a form', () => {
  test('with a file of 3 MB: the same bytes at the platform and on download, which asks the platform nothing', async () => {
    const content = randomBytes(3_000_000);
    const before = await fetches();
    const { status, body, headers } = await sendForm(
      formOf(toInvoice({ file: content }), 'Rechnung März.pdf'),
    );
    expect([status, headers.get('x-svc-connection-id')]).toEqual([200, String(books.connected.connectionId)]);
    expect(body.data).toMatchObject({
      document_uploaded: true,
      file_name: 'Rechnung März.pdf',
      file_size: '3000000',
      file_type: 'application/pdf',
    });
    expect((await downloaded(body.data.svc_id)).equals(content)).toBe(true);
    expect(await fetches()).toBe(before);
    expect((await contentAt(body.data.platform_id)).equals(content)).toBe(true);
    expect(filesOf().incoming).toBe(0);
  });

  test('may have its fields behind the file, and its own name and type for it', async () => {
    const form = formOf({
      file: Buffer.from('x'),
      file_name: 'own.csv',
      file_type: 'text/csv',
      ...toInvoice(),
    });
    const { body } = await sendForm(form);
    expect(body.data).toMatchObject({ file_name: 'own.csv', file_type: 'text/csv', file_size: '1' });
  });

  test('may have base64_file and file_name, or no file at all', async () => {
    const coded = await sendForm(formOf(toInvoice({ base64_file: base64('coded'), file_name: 'coded.bin' })));
    expect(coded.body.data).toMatchObject({
      document_uploaded: true,
      file_size: '5',
      file_type: 'application/octet-stream',
    });
    const none = await sendForm(formOf(toInvoice({ file_name: 'none.bin' })));
    expect(none.body.data).toMatchObject({ document_uploaded: false, file_name: 'none.bin' });
  });

  test('names its connection, and is answered at once with run_async', async () => {
    const { connectionId } = books.connected;
    const more = { run_async: true, connection_id: connectionId, file: Buffer.from('later') };
    const { status, body } = await sendForm(formOf(toInvoice(more), 'later.txt'));
    expect([status, body]).toEqual([200, { sync_id: expect.stringMatching(/^\w{15}$/) }]);
    const upload = await books.untilOver(body.sync_id);
    expect([upload.status, upload.data[0].response.document_uploaded]).toEqual(['SUCCESS', true]);
    const foreign = await sendForm(formOf(toInvoice({ connection_id: 999_999, file: Buffer.from('x') })));
    expect(errorOf(foreign)).toEqual([404, 'not-found', 'connection_id']);
  });

  test('with a key is carried out once; another file is another request', async () => {
    const form = (text: string) => formOf(toInvoice({ file: Buffer.from(text) }), 'once-by-key.txt');
    const first = await sendForm(form('one'), { key: 'form-1' });
    const kept = filesOf();
    const again = await sendForm(form('one'), { key: 'form-1' });
    expect([again.headers.get('idempotent-replayed'), again.body]).toEqual(['true', first.body]);
    const other = await sendForm(form('two'), { key: 'form-1' });
    expect(errorOf(other)).toEqual([422, 'idempotency-key-reused', 'Idempotency-Key']);
    expect(await atPlatform('once-by-key.txt')).toHaveLength(1);
    expect(filesOf()).toEqual(kept);
    const many = await Promise.all(
      Array.from({ length: 10 }, () => sendForm(form('race'), { key: 'form-race' })),
    );
    expect(many.filter(({ status }) => status !== 200 && status !== 409)).toEqual([]);
    expect(await atPlatform('once-by-key.txt')).toHaveLength(2);
    expect(filesOf()).toEqual({ kept: kept.kept + 1, incoming: 0 });
  });

  test("for another organisation's company, or with a read-only key, gets the usual error and keeps no file", async () => {
    const before = filesOf();
    const other = await createTenant(app, 'uploads elsewhere');
    const stranger = await createCaller(app, other.organisationId);
    const form = () => formOf(toInvoice({ file: Buffer.from('x') }));
    const foreign = await sendForm(form(), { caller: stranger });
    const missing = await sendForm(formOf(toInvoice({ company_id: 999_999_999, file: Buffer.from('x') })));
    expect(errorOf(foreign)).toEqual([404, 'not-found', 'company_id']);
    expect(foreign.body.error).toEqual(missing.body.error);
    const reader = await createCaller(app, books.tenant.organisationId, { scopes: ['read'] });
    expect(errorOf(await sendForm(form(), { caller: reader }))).toEqual([403, 'forbidden', '']);
    expect(filesOf()).toEqual(before);
  });

  test.each([
    [
      'no company',
      () => formOf({ ...toInvoice(), company_id: '', file: Buffer.from('x') }),
      'missing-params',
      'company_id',
    ],
    [
      'no record',
      () => formOf({ ...toInvoice(), document_type_id: '', file: Buffer.from('x') }),
      'missing-params',
      'document_type_id',
    ],
    ['an empty file', () => formOf(toInvoice({ file: Buffer.alloc(0) })), 'invalid-params', 'file'],
    ['a file of another name', () => formOf(toInvoice({ scan: Buffer.from('x') })), 'invalid-params', 'scan'],
    ['a text as its file', () => formOf(toInvoice({ file: 'x' })), 'invalid-params', 'file'],
    [
      'a file twice',
      () => formOf(toInvoice({ file: Buffer.from('x'), base64_file: base64('x') })),
      'invalid-params',
      'base64_file',
    ],
  ])('with %s is refused', async (_what, form, code, field) => {
    const before = filesOf();
    expect(errorOf(await sendForm(form()))).toEqual([400, code, field]);
    expect(filesOf()).toEqual(before);
  });

  test.each([
    ['two files', (form: FormData) => form.append('file', new Blob(['y']), 'second.txt')],
    ['a field twice', (form: FormData) => form.append('document_type', 'BILLS')],
    [
      'many fields',
      (form: FormData) => Array.from({ length: 50 }, (_, index) => form.append(`field-${index}`, 'x')),
    ],
  ])('with %s is refused, and nothing is kept', async (_what, add) => {
    const before = filesOf();
    const form = formOf(toInvoice({ file: Buffer.from('x') }));
    add(form);
    const { status, body } = await sendForm(form);
    expect([status, body.error.code]).toEqual([400, 'invalid-params']);
    expect(filesOf()).toEqual(before);
  });

  test.each([
    ['without a boundary', 'multipart/form-data', 'x'],
    [
      'that breaks off',
      'multipart/form-data; boundary=b',
      '--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nabc',
    ],
    ['of no parts', 'multipart/form-data; boundary=b', 'nothing'],
  ])('%s is refused, and nothing is kept', async (_what, type, text) => {
    const before = filesOf();
    const { status, body } = await sendForm(text, { headers: { 'content-type': type } });
    expect([status, body.error.code]).toEqual([400, expect.stringMatching(/^(invalid|missing)-params$/)]);
    expect(filesOf()).toEqual(before);
  });

  test.each([
    ['deep', '['.repeat(5000) + ']'.repeat(5000), 400],
    ['long', `[${'1,'.repeat(300_000)}1]`, 413],
    ['small', '{"a":1}', 200],
  ])('with a %s part of JSON is within the limits of JSON bodies', async (_what, json, status) => {
    const texts = Object.entries(toInvoice({ file_name: 'a.txt', dry_run: true }));
    const parts = [
      ...texts.map(([name, value]) => [`"${name}"`, value]),
      ['"raw_data"\r\ncontent-type: application/json', json],
    ];
    const body = parts.map(
      ([name, value]) => `--b\r\ncontent-disposition: form-data; name=${name}\r\n\r\n${value}\r\n`,
    );
    const headers = { 'content-type': 'multipart/form-data; boundary=b' };
    expect((await sendForm(`${body.join('')}--b--`, { headers })).status).toBe(status);
  });

  test('cannot escape the storage folder by its file name', async () => {
    const { body } = await sendForm(formOf(toInvoice({ file: Buffer.from('x') }), '../../../etc/passwd'));
    expect(body.data?.file_name ?? body.error.field).toMatch(/^(passwd|file_name)$/);
  });

  test('is accepted on no other path', async () => {
    const headers = { 'content-type': 'multipart/form-data; boundary=b' };
    const answer = await books.caller.post('/v3/accounting/invoices', '--b--', headers);
    expect(errorOf(answer)[0]).toBe(415);
  });

  test('of a file over the limit is a 413, announced or not, and nothing is kept', async () => {
    const small = await startApp({
      SANDBOX_URL: sandbox.url,
      FILE_DIR: fileDir,
      LIMIT_FILE_BYTES: '1000',
      LIMIT_LARGE_BODY_BYTES: '1000',
    });
    try {
      const before = filesOf();
      const form = (bytes: number) => formOf(toInvoice({ file: Buffer.alloc(bytes, 'x') }), 'limit.bin');
      const refused = { code: 'file-too-large', field: 'file', message: 'file is larger than 1000 bytes' };
      for (const bytes of [1001, 90_000, 3_000_000]) {
        const { status, body } = await sendForm(form(bytes), { to: small });
        expect([status, body.error]).toEqual([413, refused]);
      }
      expect(filesOf()).toEqual(before);
      expect((await sendForm(form(1000), { to: small })).status).toBe(200);
      const text = formOf(toInvoice({ file_name: 'a', base64_file: 'A'.repeat(1004) }));
      expect(errorOf(await sendForm(text, { to: small }))).toEqual([413, 'file-too-large', 'base64_file']);
    } finally {
      await small.close();
    }
  });
});

describe.each([
  ['a platform that takes keys', true],
  ['a platform that can only be asked for the marker', false],
] as const)('with %s', (_name, enabled) => {
  beforeAll(async () => {
    await control(sandbox, 'POST', `/accounts/${books.tenant.account}/idempotency`, { enabled });
  });

  test.each([
    ['an answer that breaks off, although the platform has the file', { fault: 'cut', count: 1 }],
    ['a fault of the platform', { fault: '500', count: 2 }],
    ['a token that has expired', { fault: 'expired-token', count: 1 }],
    ['a limit', { fault: '429', count: 1 }],
    ['two answers that break off', { fault: 'cut', count: 2 }],
  ])('recovers from %s: the platform has the file once, with all its bytes', async (what, rule) => {
    await control(sandbox, 'POST', '/faults', {
      rules: [
        {
          platform: 'accounting',
          account: books.tenant.account,
          method: 'POST',
          path: '/accounting/api/2/SalesInvoices',
          ...rule,
        },
      ],
    });
    const name = `${what} ${enabled}.bin`;
    const content = randomBytes(200_000);
    const { status, body } = await sendForm(formOf(toInvoice({ file: content }), name));
    expect(status).toBe(200);
    expect(await atPlatform(name)).toHaveLength(1);
    expect((await contentAt(body.data.platform_id)).equals(content)).toBe(true);
    expect((await downloaded(body.data.svc_id)).equals(content)).toBe(true);
  });
});

test('never shows a file that was stored but not recorded, and removes it with its company', async () => {
  const other = await createWriting(app, sandbox);
  const { companyId } = other;
  const organisationId = other.tenant.organisationId;
  const counts = async () => [
    await countOf('documents', companyId),
    await countOf('uploads', companyId),
    await countOf('document_files', companyId),
  ];
  const before = await counts();
  const form = () =>
    formOf({
      company_id: companyId,
      document_type: 'INVOICES',
      document_type_id: other.ids.invoice,
      file: Buffer.from('never noted'),
    });
  // Noting fails after the file was kept.
  const client = await admin.pool.connect();
  try {
    await client.query('BEGIN; LOCK TABLE uploads IN SHARE MODE');
    const waiting = sendForm(form(), { caller: other.caller });
    await until('the file to be kept', () => filesOf(companyId, organisationId).kept);
    // As the limit of a statement does.
    await until('the statement that notes it to be cancelled', async () => {
      const { rows } = await client.query(
        `SELECT pg_cancel_backend(pid) AS cancelled FROM pg_stat_activity
         WHERE pg_backend_pid() = ANY(pg_blocking_pids(pid))`,
      );
      return rows[0]?.cancelled;
    });
    expect(errorOf(await waiting)).toEqual([504, 'query-timeout', '']);
  } finally {
    await client.query('ROLLBACK');
    client.release();
  }
  expect(await counts()).toEqual(before);
  expect(filesOf(companyId, organisationId)).toEqual({ kept: 0, incoming: 0 });
  expect((await sendForm(form(), { caller: other.caller })).status).toBe(200);
  expect(filesOf(companyId, organisationId)).toEqual({ kept: 1, incoming: 0 });
  // The process died between the two: nobody knows of this one.
  const folder = join(fileDir, 'kept', String(organisationId), String(companyId));
  await writeFile(join(folder, randomUUID()), 'orphan');
  expect(await counts()).toEqual([(before[0] ?? 0) + 1, 1, 1]);
  expect((await other.caller.remove(`/v3/core/companies/${companyId}`)).status).toBe(200);
  expect(filesOf(companyId, organisationId)).toEqual({ kept: 0, incoming: 0 });
  expect(await counts()).toEqual([0, 0, 0]);
});
