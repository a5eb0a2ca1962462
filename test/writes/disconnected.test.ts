import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { App } from '../../src/app.js';
import { organisationScope } from '../../src/db/scope.js';
import type { Worker } from '../../src/jobs/worker.js';
import { claim, assertHeld, LeaseLost } from '../../src/runs/lease.js';
import type { Sandbox } from '../../src/sandbox/index.js';
import { admin } from '../support/admin.js';
import { startTestSandbox } from '../support/sandbox.js';
import { startApp } from '../support/service.js';
import { createWriting, startWorker } from '../support/writing.js';

let sandbox: Sandbox;
let app: App;
let worker: Worker | undefined;

beforeAll(async () => {
  sandbox = await startTestSandbox();
  app = await startApp({ SANDBOX_URL: sandbox.url });
});
afterAll(async () => {
  await worker?.stop();
  await app?.close();
  await sandbox?.stop();
});

test('an upload that is being sent as its connection is ended sends nothing more', async () => {
  const books = await createWriting(app, sandbox);
  const { body } = await books.write('/v3/accounting/journal_entries', [books.journal('1.00')], {
    run_async: true,
  });
  const uploadId: string = body.sync_id;
  const { svcId } = await admin.prisma.upload.findFirstOrThrow({ where: { uploadId } });
  const sql = app.database.sql(organisationScope(books.tenant.organisationId));
  const key = { kind: 'upload', svcCompanyId: books.companyId, svcId: Number(svcId) } as const;
  const lease = await claim(sql, key, { workerId: 'sending', columns: 't.data_model AS "dataModel"' });
  if (!lease) throw new Error('the upload is over');
  await assertHeld(sql, lease);

  const ended = await books.caller.post('/graphql', {
    query: `mutation { disconnectConnection(input: { connectionId: ${lease.connectionId} }) { connection { status } } }`,
  });
  expect(ended.body).toMatchObject({
    data: { disconnectConnection: { connection: { status: 'DISCONNECTED' } } },
  });
  await expect(assertHeld(sql, lease)).rejects.toThrow(LeaseLost);

  worker = await startWorker(sandbox);
  const { status, data } = await books.untilOver(uploadId);
  expect([status, data[0]?.error]).toMatchObject(['FAILED', { code: 'operation-denied' }]);
});
