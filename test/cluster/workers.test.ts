import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Tenant } from '../support/seed.js';
import type { Caller } from '../support/service.js';
import { until } from '../support/until.js';
import type { Sandbox } from '../../src/sandbox/index.js';
import type { Writing } from '../support/writing.js';
import { killNode, startNode } from './citus.js';
import { bin, cluster } from './own-cluster.js';

// They ask which database there is, which is another one from here on.
const { createTenant } = await import('../support/seed.js');
const { startTestSandbox } = await import('../support/sandbox.js');
const { createWriting, startWorker } = await import('../support/writing.js');
const { createCaller } = await import('../support/service.js');
const { admin } = await import('../support/admin.js');
const { startService } = await import('./service.js');

const [, first, second] = cluster.nodes;
type Node = (typeof cluster.nodes)[number];

let service: Awaited<ReturnType<typeof startService>>;

beforeAll(async () => {
  service = await startService();
});
afterAll(async () => {
  await service.close();
  await cluster.stop();
});

/** A tenant whose records and change log are both on a worker. */
async function tenantOn(worker: string): Promise<Tenant> {
  for (;;) {
    const tenant = await createTenant(service.app, 'workers');
    const places = [
      await service.workerOf('accounts', tenant.companyId),
      await service.workerOf('change_heads', tenant.organisationId),
    ];
    if (places.every((port) => port === worker)) return tenant;
  }
}

/** A company whose records and organisation are on one worker, and the other worker. */
async function writingOnOne(sandbox: Sandbox): Promise<{ writing: Writing; other: Node }> {
  for (;;) {
    const writing = await createWriting(service.app, sandbox);
    const places = [
      await service.workerOf('accounts', writing.companyId),
      await service.workerOf('change_heads', writing.tenant.organisationId),
    ];
    const other = cluster.nodes.slice(1).find(({ url }) => !places.includes(new URL(url).port));
    if (other) return { writing, other };
  }
}

test('syncs and writes of companies on living workers go on', async () => {
  const sandbox = await startTestSandbox();
  const worker = await startWorker(sandbox);
  try {
    const { writing, other } = await writingOnOne(sandbox);
    const { caller, companyId, tenant } = writing;
    await killNode(other);
    try {
      const entries = [writing.journal(12), writing.journal(13)];
      const { status, body } = await writing.write('/accounting/journal_entries', entries);
      const outcomes = body.data?.data?.map((item: { status: string }) => item.status);
      expect({ status, outcomes }).toEqual({ status: 200, outcomes: ['success', 'success'] });
      const first = await tenant.connect('PAYMENTS');
      await tenant.sync(first);
      const { body: balances } = await caller.get(`/v3/payments/payments?svc_company_id[eq]=${companyId}`);
      expect(balances.data.length).toBeGreaterThan(0);
      const models = { data_models_to_sync: ['ACCOUNTS', 'INVOICES', 'DOCUMENTS'], full_sync: true };
      const started = await caller.post('/v3/core/syncs', {
        company_id: companyId,
        integration_type: 'SVC_SANDBOX',
        connection_id: writing.connected.connectionId,
        ...models,
      });
      const over = await until('the end of the sync', async () => {
        const { data } = (await caller.get(`/v3/core/syncs/${started.body.data.sync_id}`)).body;
        return data.end_time === null ? null : data;
      });
      expect(over).toMatchObject({ status: 'SUCCESS', failed_count: 0 });
      const changes = await caller.get(`/v3/core/changes?svc_company_id[eq]=${companyId}`);
      expect(changes.status).toBe(200);
      expect(await caller.get(`/v3/core/companies/${companyId}`)).toMatchObject({ status: 200 });
    } finally {
      await startNode(bin, other);
    }
  } finally {
    await worker.stop();
    await sandbox.stop();
  }
});

test('a worker that dies keeps nobody from reading but the callers of its companies, and is said to', async () => {
  if (!first || !second) throw new Error('a cluster of two workers is needed');
  const living = await tenantOn(new URL(first.url).port);
  const dead = await tenantOn(new URL(second.url).port);
  const account = (platformId: string) => [{ platformId, values: { name: platformId } }];
  for (const tenant of [living, dead]) await tenant.store('Account', account('before'));
  const [callerOfLiving, callerOfDead] = [
    await createCaller(service.app, living.organisationId),
    await createCaller(service.app, dead.organisationId),
  ];
  const list = async ({ companyId }: Tenant, caller: Caller) => {
    const { status, headers, body } = await caller.get(
      `/v3/accounting/accounts?svc_company_id[eq]=${companyId}`,
    );
    const names = body.data?.map(({ platform_id }: { platform_id: string }) => platform_id);
    return { status, names, retryAfter: headers.get('retry-after') };
  };
  const readiness = async () =>
    (await (await fetch(`${service.app.url}/health/ready`)).json()) as { workers: object };
  expect(await readiness()).toEqual({ status: 'ok', workers: { used: 2, all: 2 } });

  await killNode(second);
  try {
    expect(await list(living, callerOfLiving)).toMatchObject({ status: 200, names: ['before'] });
    const refused = await list(dead, callerOfDead);
    expect(refused).toMatchObject({ status: 503, retryAfter: expect.stringMatching(/^\d+$/) });
    await living.store('Account', account('meanwhile'));
    expect(await list(living, callerOfLiving)).toMatchObject({ names: ['before', 'meanwhile'] });
    await expect(dead.store('Account', account('lost'))).rejects.toThrow('the database cannot be reached');
    expect(await readiness()).toEqual({ status: 'ok', workers: { used: 1, all: 2 } });
    // Statements of several companies need all of them.
    expect((await callerOfDead.get('/v3/accounting/accounts')).status).toBe(503);
  } finally {
    await startNode(bin, second);
  }
  await until('the worker to be used again', async () => (await list(dead, callerOfDead)).status === 200);
  for (const tenant of [living, dead]) await tenant.store('Account', account('then'));
  expect(await list(living, callerOfLiving)).toMatchObject({ names: ['before', 'meanwhile', 'then'] });
  expect(await list(dead, callerOfDead)).toMatchObject({ names: ['before', 'then'] });
});

test('a worker that dies keeps no follower of another organisation waiting, nor ends their session', async () => {
  if (!first || !second) throw new Error('a cluster of two workers is needed');
  const dead = await tenantOn(new URL(second.url).port);
  const living = await tenantOn(new URL(first.url).port);
  const { wakes } = service.app.database;
  const [ofDead, ofLiving] = [dead, living].map(({ organisationId }) =>
    wakes.watch(organisationId, ['change_heads']),
  );
  const news = async (platformId: string) => {
    await living.store('Account', [{ platformId, values: {} }]);
    await ofLiving?.news(AbortSignal.timeout(60_000));
  };
  const sessions = async () => {
    const { rows } = await admin.pool.query<{ pid: number }>(
      `SELECT pid FROM pg_stat_activity WHERE application_name = 'svc wakes' AND datname = current_database()`,
    );
    return rows;
  };
  for (const platformId of ['one', 'two']) await news(platformId);
  const before = await sessions();
  await killNode(second);
  try {
    for (const platformId of ['three', 'four', 'five']) await news(platformId);
    expect([before.length, await sessions()]).toEqual([1, before]);
  } finally {
    ofDead?.end();
    ofLiving?.end();
    await startNode(bin, second);
  }
});

test('a worker that dies keeps only the webhooks of its organisations waiting, and blanks no metrics', async () => {
  if (!first || !second) throw new Error('a cluster of two workers is needed');
  const dead = await tenantOn(new URL(second.url).port);
  const living = await tenantOn(new URL(first.url).port);
  const { pool } = service.app.database;
  const webhook = async ({ organisationId }: Tenant, data: object = {}) => {
    const id = randomBytes(12).toString('hex');
    const svcOrganisationId = BigInt(organisationId);
    const kind = { name: id, type: 'DATA_MODEL_CHANGES', url: 'https://hooks.example.com/', headers: '' };
    await admin.prisma.webhook.create({ data: { id, svcOrganisationId, ...kind, enabled: true, ...data } });
    return id;
  };
  const claim = async () => {
    const { rows } = await pool.query<{ id: string }>(
      `SELECT id FROM svc_claim_webhooks('', now(), 100, 100, 20)`,
    );
    return rows.map(({ id }) => id).sort();
  };
  const measures = async () => {
    const { rows } = await pool.query<{ metric: string }>('SELECT metric FROM svc_measure()');
    return new Set(rows.map(({ metric }) => metric));
  };
  const events = { type: 'SYNC_COMPLETED' };
  for (const { organisationId } of [living, dead]) {
    const head = { svcOrganisationId: BigInt(organisationId), position: 1n };
    await admin.prisma.eventHead.upsert({
      where: { svcOrganisationId: head.svcOrganisationId },
      create: head,
      update: { position: 1n },
    });
  }
  for (const tenant of [living, dead]) await tenant.store('Account', [{ platformId: 'one', values: {} }]);
  const served = [await webhook(living), await webhook(living, events), await webhook(dead, events)].sort();
  const waiting = [
    await webhook(dead),
    await webhook(dead, { position: 1n, replayAfter: 0n, replayUntil: 1n }),
  ].sort();
  const before = await measures();
  await killNode(second);
  try {
    const claimed = await claim();
    expect(claimed).toEqual(served);
    before.delete('change_position');
    expect(await measures()).toEqual(before);
  } finally {
    await startNode(bin, second);
  }
  await until('the log to be read again', async () => {
    const claimed = await claim();
    return claimed.length > 0 ? (expect(claimed).toEqual(waiting), true) : null;
  });
  expect(await measures()).toContain('change_position');
});

test('jobs of companies on a dead worker leave the slots to those of others, and run when it is back', async () => {
  const sandbox = await startTestSandbox();
  const { writing: living, other } = await writingOnOne(sandbox);
  const isElsewhere = ({ other: { url } }: { readonly other: Node }) => url !== other.url;
  let dead = await writingOnOne(sandbox);
  while (!isElsewhere(dead)) dead = await writingOnOne(sandbox);
  const { companyId, caller, connected } = dead.writing;
  const jobs = async () => {
    const { rows } = await admin.pool.query<{ hasFailed: boolean }>(
      `SELECT j.last_error IS NOT NULL AS "hasFailed" FROM graphile_worker._private_jobs j
       WHERE j.payload->>'svcCompanyId' = $1`,
      [String(companyId)],
    );
    return rows;
  };
  const started = await caller.post('/v3/core/syncs', {
    company_id: companyId,
    integration_type: 'SVC_SANDBOX',
    connection_id: connected.connectionId,
    data_models_to_sync: ['ACCOUNTS'],
    full_sync: true,
  });
  const syncId = String(started.body.data.sync_id);
  const sent = await dead.writing.write('/accounting/journal_entries', [dead.writing.journal(21)]);
  const uploadId = String(sent.body.data.upload_job_id);
  await killNode(other);
  const worker = await startWorker(sandbox, { WORKER_CONCURRENCY: '1' });
  try {
    try {
      // Among them may be the one of the company's first sync, which has ended.
      const failed = await until('the jobs to have failed', async () => {
        const all = await jobs();
        return all.length >= 2 && all.every(({ hasFailed }) => hasFailed) ? all : null;
      });
      const { status, body } = await living.write('/accounting/journal_entries', [living.journal(12)]);
      const outcomes = body.data?.data?.map((item: { status: string }) => item.status);
      expect({ status, outcomes }).toEqual({ status: 200, outcomes: ['success'] });
      expect(await jobs()).toHaveLength(failed.length);
    } finally {
      await startNode(bin, other);
    }
    expect(await dead.writing.untilOver(uploadId)).toMatchObject({ status: 'SUCCESS' });
    const over = await until('the end of the sync', async () => {
      const { data } = (await caller.get(`/v3/core/syncs/${syncId}`)).body;
      return data.end_time === null ? null : data;
    });
    expect(over).toMatchObject({ status: 'SUCCESS' });
  } finally {
    await worker.stop();
    await sandbox.stop();
  }
});
