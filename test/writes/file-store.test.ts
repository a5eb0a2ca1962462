import { mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { App } from '../../src/app.js';
import type { Worker } from '../../src/jobs/worker.js';
import type { Sandbox } from '../../src/sandbox/index.js';
import type { Logger } from '../../src/telemetry/log.js';
import { collectLog } from '../support/log-lines.js';
import { startTestSandbox } from '../support/sandbox.js';
import { startApp } from '../support/service.js';
import { until } from '../support/until.js';
import { createWriting, startWorker, type Writing } from '../support/writing.js';

/** A file store that fails between the write of documents and their sending. */
let sandbox: Sandbox;
let app: App;
let worker: Worker | null = null;
let fileDir: string;
let books: Writing;

beforeAll(async () => {
  fileDir = await mkdtemp(join(tmpdir(), 'svc-store-'));
  sandbox = await startTestSandbox();
  app = await startApp({ SANDBOX_URL: sandbox.url, FILE_DIR: fileDir });
  books = await createWriting(app, sandbox);
});
afterEach(() => worker?.stop());
afterAll(async () => {
  await app?.close();
  await sandbox?.stop();
  await rm(fileDir, { recursive: true, force: true });
});

/** Documents that no worker has sent yet; the id of their upload. */
async function noted(...names: readonly string[]): Promise<string> {
  const items = names.map((name) => ({
    document_type: 'INVOICES',
    document_type_id: books.ids.invoice,
    file_name: `${name}.txt`,
    base64_file: Buffer.from(name).toString('base64'),
  }));
  const { body } = await books.write('/v3/accounting/documents', items, { run_async: true });
  return body.sync_id as string;
}
const startSending = async (log?: Logger) =>
  (worker = await startWorker(sandbox, { FILE_DIR: fileDir }, log));
const keptFolder = () => join(fileDir, 'kept', String(books.tenant.organisationId), String(books.companyId));

test('documents are sent when the store is back', async () => {
  const id = await noted('one', 'two', 'three');
  const [kept, away] = [join(fileDir, 'kept'), join(fileDir, 'away')];
  await rename(kept, away);
  const { log, saying } = collectLog();
  await startSending(log);
  await until('a worker that misses the store', () => saying('the file store failed').length > 0);
  await rename(away, kept);
  const { status, data } = await books.untilOver(id);
  expect({ status, states: data.map(({ status: state, error }) => error?.message ?? state) }).toEqual({
    status: 'SUCCESS',
    states: ['success', 'success', 'success'],
  });
});

test('sends the other documents if the file of one is gone', async () => {
  // Nothing was kept yet where this comes first.
  const before = await readdir(keptFolder()).catch((): string[] => []);
  const id = await noted('four', 'five', 'six');
  const [gone] = (await readdir(keptFolder())).filter((name) => !before.includes(name));
  await rm(join(keptFolder(), gone ?? ''));
  await startSending();
  const { status, data } = await books.untilOver(id);
  expect({ status, states: data.map(({ status: state }) => state).sort() }).toEqual({
    status: 'PARTIAL_SUCCESS',
    states: ['failed', 'success', 'success'],
  });
  const failed = data.find((one) => one.status === 'failed');
  expect(failed.error.message).toBe('the file of the document is no longer in the file store');
});
