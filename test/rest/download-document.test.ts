import { randomBytes } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { App } from '../../src/app.js';
import type { Sandbox } from '../../src/sandbox/index.js';
import { createDocumentTenant, type DocumentTenant, type StoredDocument } from '../support/documents.js';
import { control, startTestSandbox } from '../support/sandbox.js';
import { createTenant } from '../support/seed.js';
import { type Answer, createCaller, startApp } from '../support/service.js';
import { admin } from '../support/admin.js';

const CONTENT = '/accounting/api/2/Attachments/';

let sandbox: Sandbox;
let app: App;
let tenant: DocumentTenant;
let fileDir: string;
let untouched: StoredDocument[];

beforeAll(async () => {
  fileDir = await mkdtemp(join(tmpdir(), 'svc-download-'));
  sandbox = await startTestSandbox();
  app = await startApp({ SANDBOX_URL: sandbox.url, FILE_DIR: fileDir });
  tenant = await createDocumentTenant(app, sandbox);
  untouched = await tenant.documents();
});
afterAll(async () => {
  await app?.close();
  await sandbox?.stop();
  await rm(fileDir, { recursive: true, force: true });
});

/** A document that no other test asks for. */
function next(): StoredDocument {
  const found = untouched.shift();
  if (!found) throw new Error('there are too few documents');
  return found;
}
const errorOf = ({ status, body }: Answer) => ({ status, code: body.error?.code, field: body.error?.field });
const fileAt = async (url: string) => {
  const answer = await fetch(url);
  return { status: answer.status, content: Buffer.from(await answer.arrayBuffer()) };
};
const fault = (rule: object) =>
  control(sandbox, 'POST', '/faults', {
    rules: [{ platform: 'accounting', account: tenant.account, path: CONTENT, ...rule }],
  });
const changesOf = async ({ svcId }: { svcId: number }) => {
  const { rows } = await admin.pool.query(
    `SELECT operation, changes, cause, cause_id AS "causeId", revision FROM record_changes
     WHERE svc_company_id = $1 AND svc_id = $2 ORDER BY position`,
    [tenant.companyId, svcId],
  );
  return rows;
};
/** Files of the company, whole ones and those on their way. */
const filesOf = (companyId: number, organisationId = tenant.organisationId) => {
  const names = (folder: string) => {
    try {
      return readdirSync(join(fileDir, folder));
    } catch {
      return [];
    }
  };
  return { kept: names(`kept/${organisationId}/${companyId}`), incoming: names('incoming') };
};
const rowOf = async ({ svcId }: { svcId: number }, { companyId } = tenant) => {
  const where = { svcCompanyId: BigInt(companyId), documentSvcId: BigInt(svcId) };
  return admin.prisma.documentFile.findFirst({ where });
};

describe('GET /v3/download_document/{document_id}', () => {
  test('fetches the file once, keeps it, and says so in the document and its change log', async () => {
    const document = next();
    expect(document.uploaded).toBe(false);
    const [before, log] = [await tenant.fetches(), await changesOf(document)];
    const first = await tenant.download(document);
    expect(first.status).toBe(200);
    expect(first.headers.get('cache-control')).toBe('private, no-store');
    expect(first.body).toEqual({
      data: {
        svc_id: document.svcId,
        svc_company_id: tenant.companyId,
        svc_created_at: expect.any(String),
        svc_updated_at: expect.any(String),
        platform_id: document.platformId,
        platform_unique_id: null,
        svc_deleted_at: null,
        document_type: expect.any(String),
        document_type_id: expect.any(String),
        document_uploaded: true,
        file_name: document.fileName,
        file_size: expect.any(String),
        file_type: expect.any(String),
        updated_at: expect.any(String),
        download_url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/v3\/files\/[\w-]{111}$/),
      },
    });
    expect(await tenant.fetches()).toBe(before + 1);
    expect((await changesOf(document)).slice(log.length)).toEqual([
      {
        operation: 'UPDATE',
        changes: { document_uploaded: [false, true] },
        cause: 'download',
        causeId: first.headers.get('x-request-id'),
        revision: 2,
      },
    ]);
    const { svc_updated_at, file_size, download_url } = first.body.data;
    const file = await fileAt(download_url);
    expect([file.status, file.content.length]).toEqual([200, Number(file_size)]);
    expect(file.content.toString('latin1')).toContain(document.platformId);

    const second = await tenant.download(document);
    expect(second.body.data).toEqual({ ...first.body.data, download_url: expect.any(String) });
    expect((await fileAt(second.body.data.download_url)).content.equals(file.content)).toBe(true);
    expect(await tenant.fetches()).toBe(before + 1);
    expect(await changesOf(document)).toHaveLength(log.length + 1);
    const { body } = await tenant.caller.get(
      `/v3/accounting/documents?svc_updated_at[gte]=${svc_updated_at}&svc_company_id[eq]=${tenant.companyId}`,
    );
    expect(body.data).toMatchObject([{ svc_id: document.svcId, document_uploaded: true }]);
  });

  test('takes the platform id too, where it is no number', async () => {
    const document = next();
    const { status, body } = await tenant.download(document.platformId);
    expect([status, body.data.svc_id]).toEqual([200, document.svcId]);
  });

  test('the file is what was uploaded, to the last byte', async () => {
    const content = Buffer.concat([Buffer.from([0, 255, 13, 10, 0xef, 0xbb, 0xbf]), randomBytes(300_000)]);
    const platformId = await tenant.attach(content, 'binary.pdf', 'application/pdf');
    await tenant.syncDocuments();
    const { body } = await tenant.download(platformId);
    expect((await fileAt(body.data.download_url)).content.equals(content)).toBe(true);
    expect(body.data).toMatchObject({ file_size: String(content.length), document_uploaded: true });
  });

  test('needs svc_company_id, a number', async () => {
    const path = `/v3/download_document/${untouched[0]?.svcId}`;
    for (const query of ['', '?svc_company_id=', '?svc_company_id=null']) {
      const answer = await tenant.caller.get(path + query);
      expect(errorOf(answer)).toEqual({ status: 400, code: 'missing-params', field: 'svc_company_id' });
    }
    const answer = await tenant.caller.get(`${path}?svc_company_id=four`);
    expect(errorOf(answer)).toEqual({ status: 400, code: 'invalid-params', field: 'svc_company_id' });
  });

  test('needs a key that may read, and no other scope', async () => {
    const document = next();
    const path = `/v3/download_document/${document.svcId}?svc_company_id=${tenant.companyId}`;
    expect((await fetch(app.url + path)).status).toBe(401);
    const reader = await createCaller(app, tenant.organisationId, { scopes: ['read'] });
    expect((await reader.get(path)).status).toBe(200);
  });

  test('a foreign document, one of another company and one that never was are the same 404', async () => {
    const document = next();
    const other = await createTenant(app, 'other');
    const stranger = await createCaller(app, other.organisationId);
    const sister = await createCaller(app, tenant.organisationId);
    const { rows } = await admin.pool.query(
      `INSERT INTO companies (svc_organisation_id, name) VALUES ($1, 'sister') RETURNING svc_id::int AS id`,
      [tenant.organisationId],
    );
    const limited = await createCaller(app, tenant.organisationId, { companyIds: [rows[0].id] });
    const at = (id: number | string, company: number) =>
      `/v3/download_document/${id}?svc_company_id=${company}`;
    const before = await tenant.fetches();
    const answers = [
      await tenant.caller.get(at(999_999_999, tenant.companyId)),
      await tenant.caller.get(at('99999999999999999999', tenant.companyId)),
      await tenant.caller.get(at('no-such-platform-id', tenant.companyId)),
      await tenant.caller.get(at(document.svcId, 999_999_999)),
      await sister.get(at(document.svcId, rows[0].id)),
      await limited.get(at(document.svcId, tenant.companyId)),
      await limited.get(at(document.svcId, rows[0].id)),
      await stranger.get(at(document.svcId, tenant.companyId)),
      await stranger.get(at(document.platformId, tenant.companyId)),
      await stranger.get(at(document.svcId, other.companyId)),
    ];
    const expected = {
      code: 'not-found',
      message: 'there is no such document',
      field: 'document_id',
    };
    for (const { status, body } of answers) expect([status, body.error]).toEqual([404, expected]);
    expect(await tenant.fetches()).toBe(before);
    expect(filesOf(other.companyId, other.organisationId).kept).toEqual([]);
  });
});

describe('a file that cannot be had', () => {
  test('is a 404 no-file where the platform has none', async () => {
    const [announced] = await tenant.documents(false);
    if (!announced) throw new Error('every document has a file');
    const answer = await tenant.download(announced);
    expect(errorOf(answer)).toEqual({ status: 404, code: 'no-file', field: 'document_id' });
    expect((await tenant.document(announced.platformId)).uploaded).toBe(false);
    expect(await rowOf(announced)).toBeNull();
  });

  test('is a 404 no-file where the document was deleted, whether or not it was kept', async () => {
    for (const keep of [true, false]) {
      const document = next();
      const url = keep ? (await tenant.download(document)).body.data.download_url : null;
      await admin.pool.query('UPDATE documents SET svc_deleted_at = now() WHERE svc_id = $1', [
        document.svcId,
      ]);
      expect(errorOf(await tenant.download(document))).toMatchObject({ status: 404, code: 'no-file' });
      if (url) expect((await fileAt(url)).status).toBe(404);
    }
  });

  test('a connector without files has none', async () => {
    const document = next();
    const { connectionId } = await tenant.connect('PAYMENTS');
    await admin.pool.query('UPDATE documents SET connection_id = $2 WHERE svc_id = $1', [
      document.svcId,
      connectionId,
    ]);
    expect(errorOf(await tenant.download(document))).toMatchObject({ status: 404, code: 'no-file' });
  });

  test('one that is too large is refused, and nothing of it is kept', async () => {
    const small = await startApp({
      SANDBOX_URL: sandbox.url,
      FILE_DIR: fileDir,
      LIMIT_FILE_BYTES: '1000',
    });
    try {
      const [fitting, larger] = [
        await tenant.attach(randomBytes(1000)),
        await tenant.attach(randomBytes(1001)),
      ];
      await tenant.syncDocuments();
      const caller = await createCaller(small, tenant.organisationId);
      const before = filesOf(tenant.companyId);
      const ask = (id: string) =>
        caller.get(`/v3/download_document/${id}?svc_company_id=${tenant.companyId}`);
      const refused = await ask(larger);
      expect([refused.status, refused.body.error]).toEqual([
        413,
        {
          code: 'file-too-large',
          message: 'the file at SVC Sandbox Books is larger than 1000 bytes',
          field: '',
        },
      ]);
      expect(filesOf(tenant.companyId)).toEqual(before);
      expect(await tenant.document(larger)).toMatchObject({ uploaded: false });
      expect((await ask(fitting)).status).toBe(200);
    } finally {
      await small.close();
    }
  });

  test.each([
    ['is down', { fault: '500', count: 3 }, 502, 'platform-unavailable'],
    ['breaks off', { fault: 'cut', count: 1 }, 502, 'platform-answer'],
    ['refuses the token twice', { fault: 'expired-token', count: 2 }, 409, 'connection-expired'],
  ])('a platform that %s is said to, and nothing is kept', async (_what, rule, status, code) => {
    const document = next();
    const before = filesOf(tenant.companyId);
    await fault(rule);
    expect(errorOf(await tenant.download(document))).toMatchObject({ status, code });
    expect(filesOf(tenant.companyId)).toEqual(before);
    expect(await rowOf(document)).toBeNull();
    expect((await tenant.document(document.platformId)).uploaded).toBe(false);
    const { concurrentCalls } = await admin.prisma.connection.findFirstOrThrow({
      where: { svcId: BigInt(tenant.connected.connectionId) },
    });
    expect(concurrentCalls).toBe(0);
    // What the platform no longer lets in is connected again.
    if (code === 'connection-expired') await tenant.connect('ACCOUNTING');
    expect((await tenant.download(document)).status).toBe(200);
  });

  test('a platform that hangs is a time-out', async () => {
    const hurried = await startApp({ SANDBOX_URL: sandbox.url, LIMIT_FILE_MILLISECONDS: '300' });
    try {
      const document = next();
      await fault({ fault: 'hang', count: 1 });
      const caller = await createCaller(hurried, tenant.organisationId);
      const answer = await caller.get(
        `/v3/download_document/${document.svcId}?svc_company_id=${tenant.companyId}`,
      );
      expect(errorOf(answer)).toMatchObject({ status: 504, code: 'platform-timeout' });
    } finally {
      await hurried.close();
    }
  });

  test('a platform that is not there is unreachable', async () => {
    const lost = await startApp({ SANDBOX_URL: 'http://127.0.0.1:9' });
    try {
      const document = next();
      const caller = await createCaller(lost, tenant.organisationId);
      const answer = await caller.get(
        `/v3/download_document/${document.svcId}?svc_company_id=${tenant.companyId}`,
      );
      expect(errorOf(answer)).toMatchObject({ status: 502, code: 'platform-unreachable' });
    } finally {
      await lost.close();
    }
  });

  test('a token that has expired is renewed', async () => {
    await control(sandbox, 'POST', `/accounts/${tenant.account}/tokens`, { action: 'expire' });
    expect((await tenant.download(next())).status).toBe(200);
  });

  test('the platform is not asked while its integration is switched off, nor its connection ended; kept files stay', async () => {
    const [kept, fresh] = [next(), next()];
    await tenant.download(kept);
    const before = await tenant.fetches();
    const setting = (column: string, table: string, value: unknown) =>
      admin.pool.query(`UPDATE ${table} SET ${column} = $2 WHERE svc_organisation_id = $1`, [
        tenant.organisationId,
        value,
      ]);
    await setting('is_disabled', 'integrations', true);
    expect(errorOf(await tenant.download(fresh))).toMatchObject({ status: 409, code: 'conflict' });
    expect((await tenant.download(kept)).status).toBe(200);
    await setting('is_disabled', 'integrations', false);
    await setting('status', 'connections', 'DISCONNECTED');
    expect(errorOf(await tenant.download(fresh))).toMatchObject({ status: 409, code: 'connection-expired' });
    expect((await tenant.download(kept)).status).toBe(200);
    await setting('status', 'connections', 'HEALTHY');
    expect(await tenant.fetches()).toBe(before);
  });
});

describe('a file that is kept', () => {
  test('is fetched anew when a sync brings its document with another content', async () => {
    // Every document changes: those of the other tests must not.
    const own = await createDocumentTenant(app, sandbox);
    const [document] = await own.documents();
    if (!document) throw new Error('there is no document');
    const old = (await own.download(document)).body.data.download_url;
    const row = await rowOf(document, own);
    const before = await own.fetches();
    await control(sandbox, 'POST', '/mutate', {
      account: own.account,
      platform: 'accounting',
      kind: 'Attachments',
      share: 1,
      deletes: 0,
      voids: 0,
      seed: 1,
    });
    await own.syncDocuments();
    expect((await own.document(document.platformId)).uploaded).toBe(false);
    const renewed = await own.download(document);
    expect([renewed.status, renewed.body.data.document_uploaded]).toEqual([200, true]);
    expect(await own.fetches()).toBe(before + 1);
    const after = await rowOf(document, own);
    expect(after?.storeKey).not.toBe(row?.storeKey);
    expect(after?.dataHash).not.toBe(row?.dataHash);
    const { kept } = filesOf(own.companyId, own.organisationId);
    expect(kept).toContain(after?.storeKey.split('/').pop());
    expect(kept).not.toContain(row?.storeKey.split('/').pop());
    expect((await fileAt(renewed.body.data.download_url)).status).toBe(200);
    expect((await fileAt(old)).status).toBe(404);
  });

  test('is used again where a sync only took back that it is kept', async () => {
    const document = next();
    await tenant.download(document);
    const before = await tenant.fetches();
    // As a newer version of the mapper does, or a record that had vanished for a while.
    await admin.pool.query('UPDATE documents SET document_uploaded = false WHERE svc_id = $1', [
      document.svcId,
    ]);
    const log = (await changesOf(document)).length;
    expect((await tenant.download(document)).body.data.document_uploaded).toBe(true);
    expect(await tenant.fetches()).toBe(before);
    expect((await changesOf(document)).slice(log)).toMatchObject([
      { operation: 'UPDATE', changes: { document_uploaded: [false, true] } },
    ]);
  });

  test('is fetched anew where the store has lost it', async () => {
    const document = next();
    const url = (await tenant.download(document)).body.data.download_url;
    await rm(join(fileDir, 'kept', String((await rowOf(document))?.storeKey)));
    expect((await fileAt(url)).status).toBe(404);
    expect((await fetch(url, { method: 'HEAD' })).status).toBe(404);
    const again = (await tenant.download(document)).body.data.download_url;
    expect((await fileAt(again)).status).toBe(200);
  });

  test('is fetched once for all who ask at the same time', async () => {
    const document = next();
    const [before, log] = [await tenant.fetches(), (await changesOf(document)).length];
    const { kept } = filesOf(tenant.companyId);
    const answers = await Promise.all(Array.from({ length: 12 }, () => tenant.download(document)));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(await tenant.fetches()).toBe(before + 1);
    expect(await changesOf(document)).toHaveLength(log + 1);
    const files = await Promise.all(answers.map(({ body }) => fileAt(body.data.download_url)));
    expect(new Set(files.map(({ content }) => content.toString('base64'))).size).toBe(1);
    expect(filesOf(tenant.companyId)).toEqual({ kept: expect.any(Array), incoming: [] });
    expect(filesOf(tenant.companyId).kept).toHaveLength(kept.length + 1);
  });

  test('is one and whole although several processes bring it', async () => {
    const others = await Promise.all(
      [1, 2].map(() => startApp({ SANDBOX_URL: sandbox.url, FILE_DIR: fileDir })),
    );
    try {
      const document = next();
      const log = (await changesOf(document)).length;
      const { kept } = filesOf(tenant.companyId);
      const callers = await Promise.all(
        [app, ...others].map((one) => createCaller(one, tenant.organisationId)),
      );
      const answers = await Promise.all(
        callers.map((one) =>
          one.get(`/v3/download_document/${document.svcId}?svc_company_id=${tenant.companyId}`),
        ),
      );
      const files = await Promise.all(answers.map(({ body }) => fileAt(body.data.download_url)));
      const size = Number(answers[0]?.body.data.file_size);
      expect(files.map(({ status, content }) => [status, content.length])).toEqual(
        files.map(() => [200, size]),
      );
      expect(await changesOf(document)).toHaveLength(log + 1);
      expect(filesOf(tenant.companyId).kept).toHaveLength(kept.length + 1);
      expect(filesOf(tenant.companyId).incoming).toEqual([]);
    } finally {
      await Promise.all(others.map((one) => one.close()));
    }
  });

  test('goes with its company, and so do its addresses, although a file of it is missing already', async () => {
    const doomed = await createDocumentTenant(app, sandbox);
    const [first, second, third] = await doomed.documents();
    if (!first || !second || !third) throw new Error('there are too few documents');
    const urls = [];
    for (const one of [first, second, third]) {
      urls.push((await doomed.download(one)).body.data.download_url);
    }
    const { kept } = filesOf(doomed.companyId, doomed.organisationId);
    expect(kept).toHaveLength(3);
    await rm(join(fileDir, 'kept', `${doomed.organisationId}/${doomed.companyId}/${kept[0]}`));
    const { status } = await doomed.caller.remove(`/v3/core/companies/${doomed.companyId}`);
    expect(status).toBe(200);
    expect(filesOf(doomed.companyId, doomed.organisationId).kept).toEqual([]);
    for (const url of urls) expect((await fileAt(url)).status).toBe(404);
    const where = { svcCompanyId: BigInt(doomed.companyId) };
    expect(await admin.prisma.documentFile.count({ where })).toBe(0);
  });

  test('a company that is deleted while its file comes leaves nothing behind', async () => {
    const doomed = await createDocumentTenant(app, sandbox);
    const documents = (await doomed.documents()).slice(0, 8);
    const downloads = Promise.all(documents.map((one) => doomed.download(one)));
    const { status } = await doomed.caller.remove(`/v3/core/companies/${doomed.companyId}`);
    expect(status).toBe(200);
    for (const answer of await downloads) expect([200, 404, 409, 502]).toContain(answer.status);
    expect(filesOf(doomed.companyId, doomed.organisationId).kept).toEqual([]);
    const where = { svcCompanyId: BigInt(doomed.companyId) };
    expect(await admin.prisma.documentFile.count({ where })).toBe(0);
  });
});

describe('GraphQL downloadDocument', () => {
  const MUTATION = `mutation ($input: DownloadDocumentInput!) { downloadDocument(input: $input) {
    clientMutationId downloadUrl expiresAt document { svcId platformId documentUploaded fileName connection { integrationType } }
    userErrors { code field message } } }`;
  const send = (input: object) => tenant.caller.graphql(MUTATION, { input });

  test('answers the document, the address and when it expires', async () => {
    const document = next();
    const { body } = await send({
      clientMutationId: 'mine',
      companyId: tenant.companyId,
      documentId: document.svcId,
    });
    expect(body).toEqual({
      data: {
        downloadDocument: {
          clientMutationId: 'mine',
          downloadUrl: expect.stringContaining('/v3/files/'),
          expiresAt: expect.stringMatching(/Z$/),
          document: {
            svcId: document.svcId,
            platformId: document.platformId,
            documentUploaded: true,
            fileName: expect.any(String),
            connection: { integrationType: 'SVC_SANDBOX' },
          },
          userErrors: [],
        },
      },
    });
    expect((await fileAt(body.data.downloadDocument.downloadUrl)).status).toBe(200);
  });

  test('says what the caller got wrong, and throws what the platform did', async () => {
    const nothing = { clientMutationId: null, downloadUrl: null, expiresAt: null, document: null };
    const absent = await send({ companyId: tenant.companyId, documentId: '1' });
    expect(absent.body.data.downloadDocument).toEqual({
      ...nothing,
      userErrors: [{ code: 'NOT_FOUND', field: ['documentId'], message: 'there is no such document' }],
    });
    const [announced] = await tenant.documents(false);
    const none = await send({ companyId: tenant.companyId, documentId: String(announced?.svcId) });
    expect(none.body.data.downloadDocument).toEqual({
      ...nothing,
      userErrors: [
        {
          code: 'NO_FILE',
          field: ['documentId'],
          message: 'this document has no file: SVC Sandbox Books has none',
        },
      ],
    });
    await fault({ fault: 'cut', count: 1 });
    const broken = await send({ companyId: tenant.companyId, documentId: next().platformId });
    expect(broken.body.errors[0].extensions.code).toBe('platform-answer');
  });
});
