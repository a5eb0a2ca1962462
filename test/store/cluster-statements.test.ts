import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { App } from '../../src/app.js';
import { organisationScope } from '../../src/db/scope.js';
import type { Worker } from '../../src/jobs/worker.js';
import type { Sandbox } from '../../src/sandbox/index.js';
import { admin } from '../support/admin.js';
import { control, startTestSandbox } from '../support/sandbox.js';
import { startApp } from '../support/service.js';
import { createWriting, startWorker, type Writing } from '../support/writing.js';

/**
 * A service that takes this PostgreSQL for a cluster sends what it sends there, with the scope told before each statement
 * and the change log in a statement of its own. PostgreSQL takes all of it, too, and refuses here what has no type there.
 */
let sandbox: Sandbox;
let app: App;
let worker: Worker;
let books: Writing;

beforeAll(async () => {
  // As a cluster's coordinator has it.
  await admin.pool.query(`CREATE TABLE pg_dist_partition AS
    SELECT 'change_heads'::regclass AS logicalrelid, 'h'::"char" AS partmethod`);
  await admin.pool.query('GRANT SELECT ON pg_dist_partition TO PUBLIC');
  sandbox = await startTestSandbox();
  app = await startApp({ SANDBOX_URL: sandbox.url });
  worker = await startWorker(sandbox);
  books = await createWriting(app, sandbox);
});
afterAll(async () => {
  await worker?.stop();
  await app?.close();
  await sandbox?.stop();
});

const changesOf = async (svcId: unknown) => {
  const { rows } = await admin.pool.query(
    'SELECT operation, cause, changes FROM record_changes WHERE svc_id = $1 ORDER BY position',
    [svcId],
  );
  return rows;
};
test('takes it for a cluster', () => {
  expect(app.database.sql(organisationScope(1)).isCluster).toBe(true);
});

test('writes, and syncs what has changed or is gone at the platform', async () => {
  const made = await books.write('/v3/accounting/journal_entries', [books.journal('12.50')]);
  expect([made.status, made.body.data]).toEqual([
    200,
    expect.objectContaining({ svc_company_id: expect.anything() }),
  ]);
  expect(await changesOf(made.body.data.svc_id)).toMatchObject([{ operation: 'CREATE', cause: 'write' }]);
  const place = { account: books.tenant.account, platform: 'accounting' };
  await control(sandbox, 'POST', '/mutate', { ...place, share: 0.05, deletes: 20 });
  await books.tenant.sync(books.connected, { fullSync: true });
  const { rows } = await admin.pool.query(
    `SELECT DISTINCT operation FROM record_changes WHERE svc_company_id = $1 ORDER BY 1`,
    [books.companyId],
  );
  expect(rows.map(({ operation }) => operation)).toEqual(['CREATE', 'DELETE', 'UPDATE']);
});

test('keeps the file of a document that is sent, and of one that is downloaded', async () => {
  const content = randomBytes(100);
  const item = {
    document_type: 'INVOICES',
    document_type_id: books.ids.invoice,
    file_name: 'sent.bin',
    base64_file: content.toString('base64'),
  };
  const sent = await books.write('/v3/accounting/documents', [item]);
  expect([sent.status, sent.body.data]).toEqual([200, expect.objectContaining({ document_uploaded: true })]);
  const { rows } = await admin.pool.query(
    `SELECT svc_id FROM documents WHERE (raw_data->>'Uploaded')::boolean AND NOT COALESCE(document_uploaded, false)
     ORDER BY svc_id LIMIT 1`,
  );
  const id = rows[0].svc_id;
  const got = await books.caller.get(`/v3/download_document/${id}?svc_company_id=${books.companyId}`);
  expect([got.status, Object.keys(got.body.data ?? got.body)]).toEqual([
    200,
    expect.arrayContaining(['download_url']),
  ]);
  expect((await changesOf(id)).at(-1)).toMatchObject({
    operation: 'UPDATE',
    cause: 'download',
    changes: { document_uploaded: [false, true] },
  });
});

test('tells the feed of changes and lists, of one company and of all', async () => {
  const { body } = await books.caller.graphql(
    `query ($id: SvcId!) {
      changes(first: 3, companyIds: [$id]) { nodes { operation record { svcId } } }
      invoices(first: 2, companyId: $id) { totalCount nodes { contact { contactName } lineItems { account { name } } } }
    }`,
    { id: books.companyId },
  );
  expect(body.errors).toBeUndefined();
  expect(body.data.invoices.nodes).toHaveLength(2);
  expect(body.data.changes.nodes).toHaveLength(3);
});
