import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { App } from '../src/app.js';
import { finishAuthorization } from '../src/connect/authorization.js';
import { approveConsent } from '../src/demo/consent.js';
import { packagePath } from '../src/package-path.js';
import type { Sandbox } from '../src/sandbox/index.js';
import type { SyncEngine } from '../src/sync/engine.js';
import { admin } from './support/admin.js';
import { startReceiver } from './support/events.js';
import { type Running, startProcess } from './support/process.js';
import { createSandboxTenant, engineOf, startTestSandbox } from './support/sandbox.js';
import { createCaller, startApp, TEST_SECRET_KEY, testDatabaseUrl } from './support/service.js';
import { sleep } from './support/time.js';
import { until } from './support/until.js';
import { createWriting, startWorker, type Writing } from './support/writing.js';
import { hashSecret } from '../src/secrets/hash-secret.js';

let app: App;
let sandbox: Sandbox;
let engine: SyncEngine;
let writing: Writing;
beforeAll(async () => {
  sandbox = await startTestSandbox();
  app = await startApp({ SANDBOX_URL: sandbox.url });
  engine = engineOf(app, sandbox.url);
  writing = await createWriting(app, sandbox);
});
afterAll(async () => {
  await app.close();
  await sandbox.stop();
});

describe.each([26, -26])('beside a process whose clock is %i hours ahead', (hours) => {
  let other: Running;
  let url: string;
  beforeEach(async () => {
    other = startProcess(
      ['--import', packagePath('test/support/shifted-clock.js'), packagePath('dist/main.js')],
      {
        env: {
          ...process.env,
          CLOCK_SHIFT_HOURS: String(hours),
          DATABASE_URL: testDatabaseUrl(),
          ALLOW_PRIVATE_ADDRESSES: 'true',
          DEMO_DATA: 'false',
          SANDBOX_URL: sandbox.url,
          SECRET_KEYS: TEST_SECRET_KEY,
          PORT: '0',
          LOG_LEVEL: 'warn',
        },
      },
    );
    [url = ''] = /http:\S+/.exec(await other.says('A first request')) ?? [];
  });
  afterEach(() => other.stop());

  const tokens = async () => {
    const { connectionId } = writing.connected;
    const row = await admin.prisma.connectionCredential.findFirstOrThrow({
      where: { connectionId: BigInt(connectionId) },
    });
    return row.accessToken;
  };

  test('it takes syncs and writes in time, and keeps tokens that are good', async () => {
    const before = await tokens();
    const answer = await writing.write('/accounting/journal_entries', [writing.journal('12.50')]);
    expect(answer.body.data).toMatchObject({ status: 'SUCCESS', data: [{ status: 'success' }] });
    const started = await writing.caller.post('/v3/core/syncs', {
      company_id: writing.companyId,
      integration_type: 'SVC_SANDBOX',
      full_sync: false,
      data_models_to_sync: ['ACCOUNTS'],
    });
    const syncId = started.body.data.sync_id;
    const state = await until('the end of the sync', async () => {
      const { body } = await writing.caller.graphql('query ($id: String!) { sync(syncId: $id) { state } }', {
        id: syncId,
      });
      const found = body.data?.sync?.state as string | undefined;
      return found !== 'RUNNING' && found !== 'PENDING' && found;
    });
    expect(state).toBe('SUCCESS');
    expect(await tokens()).toBe(before);
  });

  test('a webhook that failed there is tried again here in time, signed with both secrets after a rotation', async () => {
    const receiver = await startReceiver();
    const { caller } = writing;
    const hook = { name: 'hook', type: 'DATA_MODEL_CHANGES', url: receiver.url };
    const { body: webhook } = await caller.post('/v3/core/webhooks', { webhook: hook });
    const rotated = await fetch(`${url}/v3/core/webhooks/${webhook.id}/rotate_secret`, {
      method: 'POST',
      headers: { api_key: caller.key },
    });
    receiver.verifyWith(webhook.secret, ((await rotated.json()) as any).data.secret);
    receiver.answer(() => 500);
    await writing.write('/accounting/journal_entries', [writing.journal('3.50')]);
    await until('an attempt that is stored', async () => {
      const { failures } = await admin.prisma.webhook.findUniqueOrThrow({ where: { id: webhook.id } });
      return failures > 0;
    });
    await other.stop();
    receiver.answer(() => 204);
    const worker = await startWorker(sandbox, { ALLOW_PRIVATE_ADDRESSES: 'true' });
    try {
      await until('the event', () => receiver.taken.length);
    } finally {
      await worker.stop();
    }
    await admin.prisma.webhook.deleteMany({ where: { id: webhook.id } });
    await receiver.close();
  });

  test('a field mapping that changes there has the time of the database', async () => {
    const { body } = await writing.caller.post('/v3/core/field_mappings', {
      integration_type: 'SVC_SANDBOX',
      data_model: 'ACCOUNTS',
      name: 'colour',
      path: 'Colour',
      type: 'TEXT',
    });
    const changed = await fetch(`${url}/v3/core/field_mappings/${body.data.svc_id}`, {
      method: 'PUT',
      headers: { api_key: writing.caller.key, 'content-type': 'application/json' },
      body: JSON.stringify({ path: 'Color' }),
    });
    const { data } = (await changed.json()) as any;
    await admin.prisma.fieldMapping.deleteMany({ where: { svcId: BigInt(data.svc_id) } });
    for (const time of [data.svc_updated_at, data.earlier_versions[0].replaced_at]) {
      expect(Math.abs(Date.parse(time) - Date.now())).toBeLessThan(3_600_000);
    }
  });

  test('what an end customer begins there ends here', async () => {
    const { link, account } = await createSandboxTenant(engine, sandbox);
    const begun = await fetch(`${url}/link/${link.inviteLinkId}`, {
      method: 'POST',
      redirect: 'manual',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'platform=SVC_SANDBOX:ACCOUNTING',
    });
    const address = begun.headers.get('location') ?? '';
    const connected = await finishAuthorization(engine, link, await approveConsent(address, account));
    expect(connected).toMatchObject({ connectionId: expect.any(Number) });
  });
});

describe('while the clock of the machine goes back by an hour', () => {
  const goBack = () => {
    const { now } = Date;
    jest.spyOn(Date, 'now').mockImplementation(() => now() - 3_600_000);
  };
  afterEach(() => {
    jest.restoreAllMocks();
  });

  test('a key that is revoked is refused in seconds', async () => {
    const caller = await createCaller(app, writing.tenant.organisationId);
    expect((await caller.get('/v3/accounting/accounts')).status).toBe(200);
    goBack();
    await admin.prisma.apiKey.updateMany({
      where: { keyHash: hashSecret(caller.key) },
      data: { revokedAt: new Date(0) },
    });
    await until(
      'the key to be refused',
      async () => (await caller.get('/v3/accounting/accounts')).status === 401,
    );
  });

  test('a worker that stood still sends nothing of what another one has taken over', async () => {
    const { companyId, connected, journal } = writing;
    const worker = await startWorker(sandbox);
    const blocker = await admin.pool.connect();
    try {
      // No call of the connection begins.
      await blocker.query('BEGIN');
      await blocker.query('SELECT 1 FROM connections WHERE svc_id = $1 FOR NO KEY UPDATE', [
        connected.connectionId,
      ]);
      const { body } = await writing.caller.post('/v3/accounting/journal_entries', {
        company_id: companyId,
        run_async: true,
        data: [journal('7.25', { description: 'of two workers' })],
      });
      const uploadId = body.sync_id as string;
      await until('the item to be marked', async () => {
        const { rows } = await admin.pool.query(
          `SELECT 1 FROM upload_items i JOIN uploads u ON u.svc_id = i.upload_svc_id
           WHERE u.upload_id = $1 AND i.state = 'SENDING'`,
          [uploadId],
        );
        return rows.length;
      });
      goBack();
      await admin.prisma.upload.updateMany({ where: { uploadId }, data: { fence: { increment: 1 } } });
      // Longer than a worker may take the upload for its own without asking.
      await sleep(1500);
    } finally {
      await blocker.query('COMMIT');
      blocker.release();
      await worker.stop();
    }
    const answer = await fetch(
      `${sandbox.url}/_sandbox/objects?account=${writing.tenant.account}&platform=accounting&kind=Journals`,
    );
    expect((await answer.text()).split('of two workers').length - 1).toBe(0);
  });
});
