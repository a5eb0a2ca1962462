import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { App } from '../../src/app.js';
import type { Worker } from '../../src/jobs/worker.js';
import type { Sandbox } from '../../src/sandbox/index.js';
import { startTestSandbox } from '../support/sandbox.js';
import { type Caller, createCaller, startApp } from '../support/service.js';
import { createWriting, startWorker, type Writing } from '../support/writing.js';

let sandbox: Sandbox;
let app: App;
let worker: Worker;
let books: Writing;
let manager: Caller;

beforeAll(async () => {
  sandbox = await startTestSandbox();
  app = await startApp({ SANDBOX_URL: sandbox.url, ALLOW_PRIVATE_ADDRESSES: 'true' });
  worker = await startWorker(sandbox);
  books = await createWriting(app, sandbox);
  manager = await createCaller(app, books.tenant.organisationId);
});
afterAll(async () => {
  await worker?.stop();
  await app?.close();
  await sandbox?.stop();
});

describe('words of closed sets, in any case', () => {
  test('make a webhook, which has them in capitals', async () => {
    const made = await manager.post('/v3/core/webhooks', {
      webhook: {
        name: 'words',
        type: 'data_model_changes',
        operations: ['create', 'Update'],
        data_models: ['accounts', 'Accounts', 'phone_numbers'],
        url: 'http://127.0.0.1:9/hook',
        headers: {},
      },
    });
    const stored = { type: 'DATA_MODEL_CHANGES', operations: ['CREATE', 'UPDATE'] };
    expect([made.status, made.body]).toEqual([
      200,
      expect.objectContaining({ ...stored, data_models: ['ACCOUNTS', 'CONTACTS'] }),
    ]);
    const changed = await manager.put(`/v3/core/webhooks/${made.body.id}`, { data_models: ['bills'] });
    expect(changed.body.data).toMatchObject({ ...stored, data_models: ['BILLS'] });
  });

  test('make an invite link', async () => {
    const { body } = await manager.post('/v3/core/invite_links', {
      company_name: 'Words',
      integrations: ['svc_sandbox'],
      integration_categories: ['accounting'],
      sync_config: [{ category: 'accounting', data_model: 'bills', frequency: 'daily' }],
    });
    expect(body.data).toMatchObject({
      integrations: ['SVC_SANDBOX'],
      integration_categories: ['ACCOUNTING'],
    });
  });

  test('start a sync', async () => {
    const { status, body } = await manager.post('/v3/core/syncs', {
      company_id: books.companyId,
      integration_type: 'svc_sandbox',
      full_sync: false,
      data_models_to_sync: ['currencies', 'Tax_Rates'],
    });
    expect([status, body.data]).toEqual([
      200,
      expect.objectContaining({
        integration_type: 'SVC_SANDBOX',
        sync_data_models: ['CURRENCIES', 'TAX_RATES'],
      }),
    ]);
  });

  test('read a record of a platform', async () => {
    const { status, body } = await manager.post('/v3/core/real_time', {
      company_id: books.companyId,
      data_model: 'contacts',
      integration_type: 'svc_sandbox',
      variables: { platform_id: books.ids.customer },
    });
    expect([status, body.data?.platform_id]).toEqual([200, books.ids.customer]);
  });

  test('read changes', async () => {
    const read = (query: string) => manager.get(`/v3/core/changes?limit=5&${query}`);
    const { status, body } = await read('operations=create&data_models=accounts');
    expect([status, body.data.length]).toEqual([200, 5]);
    expect(body).toEqual((await read('operations=CREATE&data_models=ACCOUNTS')).body);
    const unknown = await read('operations=invent');
    expect(unknown.body.error).toMatchObject({
      field: 'operations[0]',
      message: expect.stringContaining('must be one of CREATE, UPDATE, DELETE, got invent'),
    });
  });
});
