import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { App } from '../../src/app.js';
import { openLocalStore } from '../../src/files/local-store.js';
import { forgetOld, isMoreLeft } from '../../src/retention/forget.js';
import { hourly } from '../../src/retention/hourly.js';
import type { Sandbox } from '../../src/sandbox/index.js';
import { admin } from '../support/admin.js';
import { createDocumentTenant, type DocumentTenant } from '../support/documents.js';
import { startTestSandbox } from '../support/sandbox.js';
import { startApp, testDatabaseUrl } from '../support/service.js';

const DAY_MS = 86_400_000;
const RETENTION = { changes: 90, syncs: 365, uploads: 365, files: 365, audit: 365, deliveries: 30 };
const FOR_EVER = { changes: 0, syncs: 0, uploads: 0, files: 0, audit: 0, deliveries: 0 };

let sandbox: Sandbox;
let app: App;
let tenant: DocumentTenant;
let fileDir: string;

beforeAll(async () => {
  fileDir = await mkdtemp(join(tmpdir(), 'svc-retention-'));
  sandbox = await startTestSandbox();
  app = await startApp({ SANDBOX_URL: sandbox.url, FILE_DIR: fileDir });
  tenant = await createDocumentTenant(app, sandbox);
});
afterAll(async () => {
  await app.close();
  await sandbox.stop();
  await rm(fileDir, { recursive: true, force: true });
});

const forget = async (retention = RETENTION) =>
  forgetOld({
    database: app.database,
    ownerUrl: testDatabaseUrl(),
    files: await openLocalStore(fileDir),
    failed: new Set(),
    retention,
  });
const ago = (days: number) => new Date(Date.now() - days * DAY_MS);
const owner = () => ({
  svcOrganisationId: BigInt(tenant.organisationId),
  svcCompanyId: BigInt(tenant.companyId),
});

test('syncs go with their jobs when they are old enough, but the latest of a connection stays', async () => {
  const first = await tenant.sync(tenant.connected, { dataModels: ['CURRENCIES'] });
  const last = await tenant.sync(tenant.connected, { dataModels: ['CURRENCIES'] });
  const of = { svcId: { in: [BigInt(first), BigInt(last)] } };
  const left = async () =>
    (await admin.prisma.sync.findMany({ where: of })).map(({ svcId }) => Number(svcId));
  await admin.prisma.sync.updateMany({ where: of, data: { endedAt: ago(364) } });
  expect((await forget()).syncs).toBe(0);
  await admin.prisma.sync.updateMany({ where: of, data: { endedAt: ago(366) } });
  expect((await forget(FOR_EVER)).syncs).toBe(0);
  const { svcId: syncJobSvcId } = await admin.prisma.syncJob.findFirstOrThrow({
    where: { syncSvcId: BigInt(first) },
  });
  await admin.prisma.syncSeen.create({ data: { ...owner(), syncJobSvcId, platformId: 'seen' } });
  await forget();
  expect(await left()).toEqual([last]);
  expect(await admin.prisma.syncSeen.count({ where: owner() })).toBe(0);
  expect(await admin.prisma.syncJob.count({ where: { syncSvcId: BigInt(first) } })).toBe(0);
});

test('writes go with their items, and one that has not ended stays', async () => {
  const write = async (endedAt: Date | null) => {
    const { connectionId } = tenant.connected;
    const upload = await admin.prisma.upload.create({
      data: {
        ...owner(),
        uploadId: randomBytes(6).toString('hex'),
        connectionId: BigInt(connectionId),
        integrationType: 'SVC_SANDBOX',
        category: 'ACCOUNTING',
        dataModel: 'CONTACTS',
        operation: 'CREATE',
        state: endedAt ? 'SUCCESS' : 'PENDING',
        answerBy: ago(400),
        endedAt,
      },
    });
    return upload.svcId;
  };
  const [old, young, open] = [await write(ago(366)), await write(ago(364)), await write(null)];
  expect((await forget()).uploads).toBe(1);
  const left = await admin.prisma.upload.findMany({ where: { svcId: { in: [old, young, open] } } });
  expect(left.map(({ svcId }) => svcId)).toEqual([young, open]);
});

test('a file is removed and fetched again when it is asked for, and the only copy stays', async () => {
  const [again, only] = await tenant.documents();
  if (!again || !only) throw new Error('there are too few documents');
  for (const document of [again, only]) expect((await tenant.download(document)).status).toBe(200);
  const names = async () => (await readdir(fileDir, { recursive: true })).length;
  const before = await names();
  const fetched = await tenant.fetches();
  await admin.prisma.document.updateMany({
    where: { svcId: BigInt(only.svcId) },
    data: { mapperVersion: 0 },
  });
  await admin.prisma.documentFile.updateMany({ data: { storedAt: ago(364) } });
  expect((await forget()).files).toBe(0);
  await admin.prisma.documentFile.updateMany({ data: { storedAt: ago(366) } });
  expect((await forget()).files).toBe(1);
  expect(await names()).toBe(before - 1);
  expect((await tenant.download(again)).status).toBe(200);
  expect(await tenant.fetches()).toBe(fetched + 1);
});

test('a file that cannot be removed holds up nothing else', async () => {
  const [document, , newer] = await tenant.documents();
  if (!document || !newer) throw new Error('there are too few documents');
  for (const one of [document, newer]) expect((await tenant.download(one)).status).toBe(200);
  const where = { documentSvcId: BigInt(document.svcId) };
  const { storeKey } = await admin.prisma.documentFile.findFirstOrThrow({ where });
  const path = join(fileDir, 'kept', storeKey);
  await rm(path);
  await mkdir(path);
  const ofNewer = { documentSvcId: BigInt(newer.svcId) };
  await admin.prisma.documentFile.updateMany({ where, data: { storedAt: ago(367) } });
  await admin.prisma.documentFile.updateMany({ where: ofNewer, data: { storedAt: ago(366) } });
  const event = { svcOrganisationId: owner().svcOrganisationId, eventType: 'KEY_MADE', subject: 'old' };
  await admin.prisma.auditEvent.create({ data: { ...event, svcCreatedAt: ago(366) } });
  await expect(forget()).rejects.toThrow();
  expect(await admin.prisma.auditEvent.count({ where: event })).toBe(0);
  expect(await admin.prisma.documentFile.count({ where: ofNewer })).toBe(0);
  await rm(path, { recursive: true });
  // It was not lost from sight.
  expect(await admin.prisma.documentFile.count({ where })).toBe(1);
  await forget();
  expect(await admin.prisma.documentFile.count({ where })).toBe(0);
});

test('what is too much for a run is gone on with at the next call, not an hour later', async () => {
  const { svcOrganisationId } = owner();
  const count = () => admin.prisma.auditEvent.count({ where: { subject: 'one of many' } });
  await admin.pool.query(
    `INSERT INTO audit_events (svc_organisation_id, event_type, subject, svc_created_at)
     SELECT $1, 'KEY_MADE', 'one of many', now() - interval '366 days' FROM generate_series(1, 20500)`,
    [svcOrganisationId],
  );
  let runs = 0;
  const call = hourly(async () => {
    runs += 1;
    return { isMoreLeft: isMoreLeft(await forget()) };
  });
  await call();
  expect(await count()).toBe(500);
  await call();
  expect(await count()).toBe(0);
  await call();
  expect(runs).toBe(2);
});

test('changes go by whole months, and one by one where they have no month', async () => {
  await admin.pool.query(
    `CREATE TABLE record_changes_y2020m01 PARTITION OF record_changes
     FOR VALUES FROM ('2020-01-01 00:00:00+00') TO ('2020-02-01 00:00:00+00')`,
  );
  const change = (position: number, changedAt: Date) =>
    admin.prisma.recordChange.create({
      data: {
        ...owner(),
        position: BigInt(position),
        connectionId: BigInt(tenant.connected.connectionId),
        dataModel: 'ACCOUNTS',
        svcId: 1n,
        operation: 'CREATE',
        revision: 1,
        cause: 'sync',
        changedAt,
      },
    });
  const positions = [900_001, 900_002, 900_003];
  await change(900_001, new Date('2020-01-15T00:00:00Z'));
  await change(900_002, new Date('2020-03-15T00:00:00Z'));
  await change(900_003, new Date());
  const left = async () =>
    (
      await admin.prisma.recordChange.findMany({
        where: { position: { in: positions.map(BigInt) } },
        orderBy: { position: 'asc' },
      })
    ).map(({ position }) => Number(position));
  await forget(FOR_EVER);
  expect(await left()).toEqual(positions);
  const young = await admin.prisma.recordChange.count();
  await forget();
  expect(await left()).toEqual([900_003]);
  expect(await admin.prisma.recordChange.count()).toBe(young - 2);
  const { rows } = await admin.pool.query(`SELECT to_regclass('record_changes_y2020m01') AS found`);
  expect(rows).toEqual([{ found: null }]);
});

test('the audit trail is kept for its days', async () => {
  const where = { svcOrganisationId: BigInt(tenant.organisationId) };
  const count = () => admin.prisma.auditEvent.count({ where });
  const before = await count();
  expect(before).toBeGreaterThan(0);
  await admin.prisma.auditEvent.updateMany({ where, data: { svcCreatedAt: ago(364) } });
  await forget();
  expect(await count()).toBe(before);
  await admin.prisma.auditEvent.updateMany({ where, data: { svcCreatedAt: ago(366) } });
  expect((await forget()).audit).toBe(before);
  expect(await count()).toBe(0);
});

test('authorisations are forgotten a week after their end', async () => {
  const count = () => admin.prisma.authorization.count({ where: owner() });
  expect(await count()).toBe(1);
  await admin.prisma.authorization.updateMany({ where: owner(), data: { expiresAt: ago(6) } });
  await forget();
  expect(await count()).toBe(1);
  await admin.prisma.authorization.updateMany({ where: owner(), data: { expiresAt: ago(8) } });
  expect((await forget()).authorizations).toBeGreaterThan(0);
  expect(await count()).toBe(0);
});

test('deliveries of webhooks go 30 days after their last attempt, and the events beside records with them', async () => {
  const { svcOrganisationId, svcCompanyId } = owner();
  const { id } = await admin.prisma.webhook.create({
    data: {
      id: randomBytes(12).toString('hex'),
      svcOrganisationId,
      name: 'hook',
      type: 'SYNC_COMPLETED',
      url: 'https://hooks.example.com/',
      headers: '',
    },
  });
  for (const [index, days] of [29, 31].entries()) {
    await admin.prisma.webhookDelivery.create({
      data: {
        svcOrganisationId,
        webhookId: id,
        eventId: `evt_${days}`,
        type: 'SYNC_COMPLETED',
        state: 'DELIVERED',
        attempts: 1,
        durationMs: 1,
        firstAttemptAt: ago(days),
        lastAttemptAt: ago(days),
      },
    });
    const position = BigInt(1_000_000 + index);
    await admin.prisma.serviceEvent.create({
      data: {
        svcOrganisationId,
        svcCompanyId,
        position,
        type: 'SYNC_COMPLETED',
        body: {},
        createdAt: ago(days),
      },
    });
  }
  expect((await forget(FOR_EVER)).deliveries).toBe(0);
  expect((await forget()).deliveries).toBe(1);
  const left = await admin.prisma.webhookDelivery.findMany({ where: { webhookId: id } });
  expect(left.map(({ eventId }) => eventId)).toEqual(['evt_29']);
  const events = { where: { position: { gte: 1_000_000n } } };
  expect(await admin.prisma.serviceEvent.count(events)).toBe(1);
  // A receiver that is away is told of them for days, however short what it was sent is kept.
  await admin.prisma.serviceEvent.updateMany({ ...events, data: { createdAt: ago(6) } });
  await forget({ ...RETENTION, deliveries: 1 });
  expect(await admin.prisma.serviceEvent.count(events)).toBe(1);
  await admin.prisma.serviceEvent.updateMany({ ...events, data: { createdAt: ago(8) } });
  await forget({ ...RETENTION, deliveries: 1 });
  expect(await admin.prisma.serviceEvent.count(events)).toBe(0);
});
