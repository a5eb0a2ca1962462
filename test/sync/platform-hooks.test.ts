import { type Client, createClient } from 'graphql-sse';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { App } from '../../src/app.js';
import { organisationScope } from '../../src/db/scope.js';
import type { Worker } from '../../src/jobs/worker.js';
import type { Sandbox } from '../../src/sandbox/index.js';
import { wantSync } from '../../src/sync/start-sync.js';
import { admin } from '../support/admin.js';
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
const clients: Client[] = [];

beforeAll(async () => {
  sandbox = await startTestSandbox();
  app = await startApp({ SANDBOX_URL: sandbox.url });
  worker = await startWorker(sandbox);
  writing = await createWriting(app, sandbox);
  receiver = await startReceiver();
});
afterAll(async () => {
  clients.forEach((client) => client.dispose());
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

/** The address that the organisation's integration has for the platform's webhooks. */
async function hookUrl(): Promise<string> {
  const { integrations } = await ask(
    '{ integrations(first: 50) { nodes { svcId integrationType hookUrl } } }',
  );
  const found = integrations.nodes.find((one: any) => one.integrationType === 'SVC_SANDBOX');
  expect(found.hookUrl).toMatch(/\/hooks\/[0-9a-f]{32}$/);
  const mutation = `mutation ($input: UpdateIntegrationInput!) { updateIntegration(input: $input) { userErrors { message } } }`;
  const { updateIntegration } = await ask(mutation, { input: { svcId: found.svcId, hookSecret: SECRET } });
  expect(updateIntegration.userErrors).toEqual([]);
  return app.url + new URL(found.hookUrl, app.url).pathname;
}

/** The causes of the changes that a subscription hears from now on. */
function heardBy(dataModel: string): string[] {
  const causes: string[] = [];
  const client = createClient({
    url: `${app.url}/graphql`,
    headers: { api_key: writing.caller.key },
    retryAttempts: 0,
  });
  const query = `subscription { changes(dataModels: [${dataModel}]) { cause { type } } }`;
  client.subscribe<any>(
    { query },
    {
      next: ({ data }) => causes.push(data.changes.cause.type),
      error: () => undefined,
      complete: () => undefined,
    },
  );
  clients.push(client);
  return causes;
}

test('a change at the platform reaches webhooks and subscriptions by its hook, without anybody asking', async () => {
  const hook = { url: await hookUrl(), secret: SECRET };
  await control(sandbox, 'POST', '/hooks', { platform: 'accounting', hooks: [hook] });
  const webhook = {
    name: 'contacts',
    type: 'DATA_MODEL_CHANGES',
    data_models: ['CONTACTS'],
    operations: ['UPDATE'],
    url: receiver.url,
  };
  expect((await writing.caller.post('/v3/core/webhooks', { webhook })).status).toBe(200);
  const heard = heardBy('CONTACTS');

  const { account } = writing.tenant;
  // Nothing says when a subscription has begun but its first event.
  const all = new Set<string>();
  const change = async (seed: number): Promise<void> => {
    const wanted = { account, platform: 'accounting', kind: 'Partners', share: 0.2, seed };
    const { changed } = await control(sandbox, 'POST', '/mutate', wanted);
    expect(changed.length).toBeGreaterThan(0);
    changed.forEach(({ id }: any) => all.add(id));
  };
  let seed = 0;
  await until(
    'what the webhook and the subscription are told',
    async () => {
      await change((seed += 1));
      return receiver.taken.length > 0 && heard.length > 0;
    },
    { everyMilliseconds: 500 },
  );

  const query =
    '{ changes(first: 500, dataModels: [CONTACTS], operations: [UPDATE]) { nodes { svcId cause { type } } } }';
  const causes = await until('all that changed', async () => {
    const { nodes } = (await ask(query)).changes;
    const records = new Set(nodes.map(({ svcId }: any) => svcId));
    return records.size === all.size && nodes.map(({ cause }: any) => cause.type);
  });
  expect(new Set(causes)).toEqual(new Set(['PLATFORM_EVENT']));
  expect(new Set(heard)).toEqual(new Set(['PLATFORM_EVENT']));
});

test.each([
  ['PAYMENTS', 'customers', 'PAYMENT_CUSTOMERS'],
  ['ECOMMERCE', 'products', 'ECOMMERCE_PRODUCTS'],
] as const)(
  '%s of the sandbox tell of changes, too, by the same address',
  async (category, kind, dataModel) => {
    const { tenant } = writing;
    await tenant.sync(await tenant.connect(category));
    const hook = { url: await hookUrl(), secret: SECRET };
    const platform = category.toLowerCase();
    await control(sandbox, 'POST', '/hooks', { platform, hooks: [hook] });
    const change = { account: tenant.account, platform, kind, share: 0.3 };
    const { changed } = await control(sandbox, 'POST', '/mutate', change);
    expect(changed.length).toBeGreaterThan(0);
    const query = `{ changes(first: 500, dataModels: [${dataModel}], operations: [UPDATE]) { nodes { cause { type } } } }`;
    const causes = await until('what changed', async () => {
      const { nodes } = (await ask(query)).changes;
      return nodes.length >= changed.length && nodes.map(({ cause }: any) => cause.type);
    });
    expect(new Set(causes)).toEqual(new Set(['PLATFORM_EVENT']));
  },
);

test('a sync that an event led to is put off by the worker that takes it too early, and run in time', async () => {
  const { tenant, connected } = writing;
  const { connectionId } = connected;
  const sql = app.database.sql(organisationScope(tenant.organisationId));
  const where = { svcId: BigInt(connectionId) };
  // In one transaction: no worker sees the one without the other.
  await sql.transaction(async (transaction) => {
    const changes = new Map([['CURRENCIES', null]]);
    await wantSync(transaction, { svcCompanyId: tenant.companyId, connectionId, changes });
    const query = transaction.query();
    await transaction.rows(
      query,
      `UPDATE connections t SET told_until = now() + interval '3 seconds'
       WHERE ${query.within('t')} AND t.svc_id = ${query.bind(connectionId)}`,
    );
  });
  const { toldUntil } = await admin.prisma.connection.findFirstOrThrow({ where });
  const { startedAt } = await until('the end of the sync', () =>
    admin.prisma.sync.findFirst({
      where: {
        connectionId: BigInt(connectionId),
        state: 'SUCCESS',
        jobs: { every: { dataModel: 'CURRENCIES' } },
      },
    }),
  );
  expect(startedAt?.getTime()).toBeGreaterThanOrEqual(Number(toldUntil));
});
