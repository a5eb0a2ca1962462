import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { App } from '../../src/app.js';
import type { Worker } from '../../src/jobs/worker.js';
import type { Sandbox } from '../../src/sandbox/index.js';
import { type Receiver, startReceiver } from '../support/events.js';
import { control, startTestSandbox } from '../support/sandbox.js';
import { startApp } from '../support/service.js';
import { until } from '../support/until.js';
import { createWriting, startWorker, type Writing } from '../support/writing.js';

const SECRET = 'the secret of the hooks';

let app: App;
let sandbox: Sandbox;
let worker: Worker;
let writing: Writing;
let receiver: Receiver;

beforeAll(async () => {
  sandbox = await startTestSandbox();
  app = await startApp({ SANDBOX_URL: sandbox.url });
  worker = await startWorker(sandbox);
  writing = await createWriting(app, sandbox);
  receiver = await startReceiver();
});
afterAll(async () => {
  await worker?.stop();
  await receiver?.close();
  await app?.close();
  await sandbox?.stop();
});

/** What GraphQL answers the caller. */
async function ask(query: string, variables: object = {}): Promise<any> {
  const { body } = await writing.caller.post('/graphql', { query, variables });
  expect(body.errors).toBeUndefined();
  return body.data;
}

test('a change at the platform reaches a webhook by its hook, without anybody asking', async () => {
  const { integrations } = await ask(
    '{ integrations(first: 50) { nodes { svcId integrationType hookUrl hookSecret } } }',
  );
  const found = integrations.nodes.find((one: any) => one.integrationType === 'SVC_SANDBOX');
  expect(found).toMatchObject({ hookUrl: expect.stringMatching(/\/hooks\/[0-9a-f]{32}$/), hookSecret: null });
  const mutation = `mutation ($input: UpdateIntegrationInput!) { updateIntegration(input: $input) { userErrors { message } } }`;
  const { updateIntegration } = await ask(mutation, { input: { svcId: found.svcId, hookSecret: SECRET } });
  expect(updateIntegration.userErrors).toEqual([]);
  const hook = { url: app.url + new URL(found.hookUrl, app.url).pathname, secret: SECRET };
  await control(sandbox, 'POST', '/hooks', { platform: 'accounting', hooks: [hook] });
  const webhook = {
    name: 'contacts',
    type: 'DATA_MODEL_CHANGES',
    data_models: ['CONTACTS'],
    operations: ['UPDATE'],
    url: receiver.url,
  };
  expect((await writing.caller.post('/v3/core/webhooks', { webhook })).status).toBe(200);

  const { account } = writing.tenant;
  const change = { account, platform: 'accounting', kind: 'Partners', share: 0.2 };
  const { changed } = await control(sandbox, 'POST', '/mutate', change);
  expect(changed.length).toBeGreaterThan(0);
  await until('what the webhook is told', () => receiver.taken.length > 0);

  const query =
    '{ changes(first: 100, dataModels: [CONTACTS], operations: [UPDATE]) { nodes { cause { type } } } }';
  const causes = await until('all that changed', async () => {
    const { nodes } = (await ask(query)).changes;
    return nodes.length === changed.length && nodes.map(({ cause }: any) => cause.type);
  });
  expect(new Set(causes)).toEqual(new Set(['PLATFORM_EVENT']));
});
