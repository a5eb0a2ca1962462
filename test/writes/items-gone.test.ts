import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { App } from '../../src/app.js';
import { LeaseLost } from '../../src/runs/lease.js';
import { markSending } from '../../src/writes/item-state.js';
import { type ClaimedUpload, claimUpload, endIfDone } from '../../src/writes/upload-state.js';
import { admin } from '../support/admin.js';
import { createTenant, type Tenant } from '../support/seed.js';
import { startApp } from '../support/service.js';

let app: App;
let acme: Tenant;
let made = 0;

beforeAll(async () => {
  app = await startApp();
  acme = await createTenant(app, 'items gone');
});
afterAll(() => app.close());

const sql = () => app.database.sql(acme.scope);
const itemsOf = ({ svcId }: ClaimedUpload) => ({ uploadSvcId: BigInt(svcId) });

/** An upload with two items that a worker has. */
async function claimed(): Promise<{ upload: ClaimedUpload; svcIds: number[] }> {
  const owner = { svcOrganisationId: BigInt(acme.organisationId), svcCompanyId: BigInt(acme.companyId) };
  made += 1;
  const { svcId } = await admin.prisma.upload.create({
    data: {
      ...owner,
      connectionId: BigInt(acme.connectionId),
      uploadId: `gone ${made}`,
      integrationType: 'SVC_SANDBOX',
      category: 'ACCOUNTING',
      dataModel: 'ACCOUNTS',
      operation: 'CREATE',
      state: 'PENDING',
      answerBy: new Date(),
    },
  });
  await admin.prisma.uploadItem.createMany({
    data: [0, 1].map((position) => ({
      ...owner,
      uploadSvcId: svcId,
      jobId: `gone ${made} ${position}`,
      position,
      state: 'PENDING',
      input: {},
    })),
  });
  const upload = await claimUpload(
    sql(),
    { svcCompanyId: acme.companyId, uploadSvcId: Number(svcId) },
    'one',
  );
  if (!upload) throw new Error('the upload cannot be claimed');
  const items = await admin.prisma.uploadItem.findMany({
    where: itemsOf(upload),
    orderBy: { position: 'asc' },
  });
  return { upload, svcIds: items.map((item) => Number(item.svcId)) };
}

test('items of which one was removed with its company are not sent', async () => {
  const { upload, svcIds } = await claimed();
  const mark = () => {
    const items = svcIds.map((svcId) => ({ svcId, request: '{}', lateInMs: 0, batchId: null }));
    return sql().transaction((transaction) => markSending(transaction, upload, items));
  };
  await mark();
  await admin.prisma.uploadItem.deleteMany({ where: { svcId: BigInt(svcIds[1] ?? 0) } });
  await expect(mark()).rejects.toBeInstanceOf(LeaseLost);
  expect(await admin.prisma.uploadItem.findMany({ where: itemsOf(upload) })).toMatchObject([
    { state: 'SENDING', attempts: 1 },
  ]);
});

test('a write whose items were removed with its company does not end well', async () => {
  const { upload } = await claimed();
  await admin.prisma.uploadItem.deleteMany({ where: itemsOf(upload) });
  expect(await sql().transaction((transaction) => endIfDone(transaction, upload))).toBeNull();
  const row = await admin.prisma.upload.findFirstOrThrow({ where: { svcId: BigInt(upload.svcId) } });
  expect(row).toMatchObject({ state: 'RUNNING', endedAt: null });
});
