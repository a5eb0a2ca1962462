import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { App } from '../src/app.js';
import type { Worker } from '../src/jobs/worker.js';
import type { Sandbox } from '../src/sandbox/index.js';
import { type Receiver, startReceiver } from './support/events.js';
import { collectLog } from './support/log-lines.js';
import { startTestSandbox } from './support/sandbox.js';
import { startApp } from './support/service.js';
import { until } from './support/until.js';
import { createWriting, startWorker, type Writing } from './support/writing.js';

const { log, lines, saying } = collectLog();
let app: App;
let sandbox: Sandbox;
let worker: Worker;
let writing: Writing;
let receiver: Receiver;

beforeAll(async () => {
  app = await startApp();
  sandbox = await startTestSandbox();
  writing = await createWriting(app, sandbox);
  receiver = await startReceiver();
  worker = await startWorker(sandbox, { ALLOW_PRIVATE_ADDRESSES: 'true' }, log);
});
afterAll(async () => {
  await worker.stop();
  await receiver.close();
  await app.close();
  await sandbox.stop();
});

const line = (message: string) => until(`"${message}" in the log`, () => saying(message)[0]);

test('a finished sync, write and delivery each leave a line without content', async () => {
  const { caller, companyId, tenant } = writing;
  const common = { organisationId: tenant.organisationId };
  const webhook = { name: 'hook', type: 'DATA_MODEL_CHANGES', url: receiver.url };
  const { body: made } = await caller.post('/v3/core/webhooks', { webhook });

  const name = 'Petty cash of nobody else';
  await writing.write('/v3/accounting/accounts', [{ name, nominal_code: '1099', category: 'ASSET' }]);
  expect(await line('a write ended')).toMatchObject({
    ...common,
    companyId,
    integrationType: 'SVC_SANDBOX',
    dataModel: 'ACCOUNTS',
    operation: 'CREATE',
    state: 'SUCCESS',
    items: 1,
    good: 1,
  });
  expect(await line('event sent')).toMatchObject({
    ...common,
    webhookId: made.id,
    verdict: 'delivered',
    status: 204,
    ms: expect.any(Number),
  });

  await caller.post('/v3/core/syncs', {
    company_id: companyId,
    integration_type: 'SVC_SANDBOX',
    full_sync: false,
    data_models_to_sync: ['CURRENCIES'],
  });
  expect(await line('a sync ended')).toMatchObject({
    ...common,
    companyId,
    integrationType: 'SVC_SANDBOX',
    state: 'SUCCESS',
    code: null,
    ms: expect.any(Number),
  });
  expect(JSON.stringify(lines)).not.toContain(name);
});
