import { randomBytes } from 'node:crypto';
import type { App } from '../../src/app.js';
import { records } from '../../src/records/index.js';
import { storeTokens } from '../../src/platforms/credentials.js';
import { createSecretBox } from '../../src/secrets/secret-box.js';
import { fullRecord } from './full-record.js';
import type { Tenant } from './seed.js';
import { TEST_SECRET_KEY } from './service.js';
import { admin } from './admin.js';

export const testSecrets = createSecretBox([Buffer.from(TEST_SECRET_KEY, 'base64')]);

/** Creates a connection of the company to Xero, with tokens. */
export async function connectXero(app: App, tenant: Tenant, account = 'xero'): Promise<number> {
  const key = {
    svcCompanyId: BigInt(tenant.companyId),
    integrationType: 'XERO',
    category: 'ACCOUNTING',
    externalAccountId: account,
  };
  const state = { accountName: `Books of ${account}`, status: 'HEALTHY' };
  const { svcId } = await admin.prisma.connection.upsert({
    where: { svcCompanyId_integrationType_category_externalAccountId: key },
    create: { svcOrganisationId: BigInt(tenant.organisationId), ...key, ...state },
    update: state,
  });
  const connection = { svcCompanyId: tenant.companyId, connectionId: Number(svcId) };
  await storeTokens(
    { sql: app.database.sql(tenant.scope), secrets: testSecrets, connection },
    { accessToken: `access ${account}`, refreshToken: `refresh ${account}`, expiresAt: null },
  );
  return Number(svcId);
}

/** Creates a sync in a given state, with a job for each entry of `jobs`. */
export async function addSync(
  tenant: Tenant,
  options: {
    readonly connectionId: number;
    readonly state?: string;
    readonly jobs?: readonly object[];
    readonly sync?: object;
  },
): Promise<{ syncSvcId: bigint; syncId: string; jobIds: string[] }> {
  const { prisma } = admin;
  const owner = {
    svcOrganisationId: BigInt(tenant.organisationId),
    svcCompanyId: BigInt(tenant.companyId),
  };
  const id = () => randomBytes(12).toString('base64url').replaceAll(/[-_]/g, 'x').slice(0, 15);
  const syncId = id();
  const sync = await prisma.sync.create({
    data: {
      ...owner,
      syncId,
      connectionId: BigInt(options.connectionId),
      integrationType: 'XERO',
      category: 'ACCOUNTING',
      syncType: 'MANUAL',
      fullSync: true,
      state: options.state ?? 'RUNNING',
      ...options.sync,
    },
  });
  const jobIds: string[] = [];
  for (const [position, job] of (options.jobs ?? [{}]).entries()) {
    const jobId = id();
    jobIds.push(jobId);
    await prisma.syncJob.create({
      data: {
        ...owner,
        jobId,
        syncSvcId: sync.svcId,
        dataModel: 'ACCOUNTS',
        position,
        state: 'RUNNING',
        ...job,
      },
    });
  }
  return { syncSvcId: sync.svcId, syncId, jobIds };
}

/** Creates at least one row in every table with rows of companies. */
export async function fillCompany(
  app: App,
  tenant: Tenant,
): Promise<{ connectionId: number; syncId: string }> {
  const { prisma } = admin;
  const connectionId = await connectXero(app, tenant, `account of ${tenant.companyId}`);
  const owner = {
    svcOrganisationId: BigInt(tenant.organisationId),
    svcCompanyId: BigInt(tenant.companyId),
  };
  const connection = BigInt(connectionId);
  for (const definition of records) {
    await tenant.store(definition.model, [fullRecord(definition, 'one'), fullRecord(definition, 'two')]);
  }
  const { syncSvcId, syncId } = await addSync(tenant, { connectionId });
  const [job] = await prisma.syncJob.findMany({ where: { syncSvcId } });
  await prisma.syncSeen.create({ data: { ...owner, syncJobSvcId: job?.svcId ?? 0n, platformId: 'seen' } });
  const part = { ...owner, connectionId: connection, dataModel: 'ACCOUNTS' };
  // A worker of the test may have begun to sync the connection, which is due.
  await prisma.syncMark.createMany({ data: part, skipDuplicates: true });
  await prisma.unmappedRecord.create({
    data: { ...part, dataHash: 'x', rawData: { a: 1 }, message: 'odd', syncSvcId },
  });
  await prisma.documentFile.create({
    data: { ...owner, documentSvcId: 1n, storeKey: 'gone', size: 1n, sha256: 'x', dataHash: 'x' },
  });
  await prisma.syncConfig.create({ data: { ...owner, category: 'ACCOUNTING', dataModel: 'ACCOUNTS' } });
  await prisma.serviceEvent.create({
    data: {
      ...owner,
      position: BigInt(1_000_000_000 + tenant.companyId),
      type: 'SYNC_COMPLETED',
      body: {},
      createdAt: new Date(),
    },
  });
  const later = new Date(Date.now() + 60_000);
  await prisma.platformCall.create({
    data: { ...owner, id: `call ${tenant.companyId}`, connectionId: connection, leasedUntil: later },
  });
  const link = await prisma.inviteLink.create({
    data: {
      ...owner,
      inviteLinkId: randomBytes(16).toString('hex'),
      integrations: [],
      integrationCategories: ['ACCOUNTING'],
    },
  });
  await prisma.authorization.create({
    data: {
      ...owner,
      stateHash: randomBytes(32),
      inviteLinkSvcId: link.svcId,
      integrationType: 'XERO',
      category: 'ACCOUNTING',
      codeVerifier: 'sealed',
      redirectUri: 'http://localhost/',
      expiresAt: later,
    },
  });
  const upload = await prisma.upload.create({
    data: {
      ...part,
      uploadId: `upload ${tenant.companyId}`,
      integrationType: 'XERO',
      category: 'ACCOUNTING',
      operation: 'CREATE',
      state: 'PENDING',
      answerBy: later,
    },
  });
  const uploadSvcId = upload.svcId;
  await prisma.uploadItem.create({
    data: {
      ...owner,
      jobId: `item ${tenant.companyId}`,
      uploadSvcId,
      position: 0,
      state: 'PENDING',
      input: {},
    },
  });
  await prisma.idempotencyKey.create({
    data: { ...owner, key: `key ${tenant.companyId}`, requestHash: 'x', uploadSvcId },
  });
  const mapping = {
    integrationType: 'VENDURE',
    dataModel: 'ACCOUNTS',
    name: 'memo',
    path: 'x',
    type: 'TEXT',
  };
  await prisma.fieldMapping.create({ data: { ...owner, ...mapping } });
  await prisma.fieldMapping.create({ data: { ...owner, ...mapping, name: 'note' } });
  await prisma.auditEvent.create({
    data: { ...owner, eventType: 'LINK_MADE', subject: String(link.svcId) },
  });
  await prisma.activity.create({ data: { ...owner, activityType: 'COMPANY_CREATED' } });
  return { connectionId, syncId };
}
