import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { App } from '../../src/app.js';
import { createFileKey } from '../../src/files/file-key.js';
import { openFiles } from '../../src/files/index.js';
import type { FileStore } from '../../src/files/file-store.js';
import { forgetOld } from '../../src/retention/forget.js';
import { DEFAULT_LIMITS } from '../../src/limits.js';
import { createLog } from '../../src/telemetry/log.js';
import { admin } from '../support/admin.js';
import { type Obstacle, S3_LOGIN, type S3Server, startS3 } from '../support/s3.js';
import { testSecrets } from '../support/sandbox.js';
import { createTenant, type Tenant } from '../support/seed.js';
import { startApp, testDatabaseUrl } from '../support/service.js';
import { sleep } from '../support/time.js';

const DAY_MS = 86_400_000;
const BUCKET = 'expired-files';
const REFUSED: Obstacle = [403, 'AccessDenied'];

let folder: string;
let app: App;
let s3: S3Server;
let files: FileStore;
let tenant: Tenant;
let failed: Set<string>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-forget-files-'));
  process.env['AWS_ACCESS_KEY_ID'] = S3_LOGIN.accessKeyId;
  process.env['AWS_SECRET_ACCESS_KEY'] = S3_LOGIN.secretAccessKey;
  app = await startApp();
  s3 = await startS3([BUCKET]);
  const bucket = { bucket: BUCKET, endpoint: s3.endpoint, region: 'us-east-1', forcePathStyle: true };
  const config = { fileDir: folder, s3: bucket, limits: DEFAULT_LIMITS };
  const log = createLog('silent');
  ({ store: files } = await openFiles({ config, secrets: testSecrets, log, now: () => new Date() }));
});
afterAll(async () => {
  await app.close();
  await s3.close();
  await rm(folder, { recursive: true, force: true });
});
beforeEach(async () => {
  tenant = await createTenant(app, 'expired files');
  failed = new Set();
  s3.deletions.length = 0;
});
afterEach(async () => {
  s3.obstruct(() => null);
  await admin.prisma.documentFile.deleteMany();
});

const forget = async (patienceMs?: number) =>
  forgetOld({
    database: app.database,
    ownerUrl: testDatabaseUrl(),
    files,
    failed,
    ...(patienceMs === undefined ? {} : { patienceMs }),
    retention: { changes: 0, syncs: 0, uploads: 0, files: 365, audit: 0, deliveries: 0 },
  });

/** Stores documents with files that have expired. Returns the keys, in the order in which the files were stored. */
async function expire(count: number): Promise<string[]> {
  const { organisationId, companyId } = tenant;
  const names = Array.from({ length: count }, (_, index) => `document-${index}`);
  await tenant.store(
    'Document',
    names.map((platformId) => ({ platformId, values: {} })),
  );
  const documents = await admin.prisma.document.findMany({
    where: { svcCompanyId: BigInt(companyId) },
    orderBy: { svcId: 'asc' },
  });
  const keys = documents.map(() => createFileKey(organisationId, companyId));
  for (const key of keys) await files.put(key, Readable.from([Buffer.from('expired')]));
  await admin.prisma.documentFile.createMany({
    data: documents.map(({ svcId }, index) => ({
      svcOrganisationId: BigInt(organisationId),
      svcCompanyId: BigInt(companyId),
      documentSvcId: svcId,
      storeKey: keys[index] ?? '',
      size: 7n,
      sha256: '',
      dataHash: '',
      storedAt: new Date(Date.now() - 400 * DAY_MS + index),
    })),
  });
  return keys;
}

/** The keys that are left, in the order in which they were stored. */
const left = async () =>
  (await admin.prisma.documentFile.findMany({ orderBy: { storedAt: 'asc' } })).map((row) => row.storeKey);

/** The keys that were to be deleted since the last call. */
const asked = () => [...new Set(s3.deletions.splice(0))];

test.each<[string, Obstacle, number | undefined]>([
  ['closes connections', 'cut', undefined],
  ['answers nothing', 'silent', 200],
  ['asks for a pause', [503, 'SlowDown'], undefined],
  ['is gone', [404, 'NoSuchBucket'], undefined],
])(
  'a bucket that %s ends the run with the first file, and the next run begins with another',
  async (_what, obstacle, patienceMs) => {
    const keys = await expire(3);
    s3.obstruct(() => obstacle);
    for (const key of keys) {
      await expect(forget(patienceMs)).rejects.toThrow('the file store cannot be used');
      expect(asked()).toEqual([key]);
    }
    s3.obstruct(() => null);
    expect((await forget()).files).toBe(3);
    expect(await left()).toEqual([]);
  },
);

test('files that are refused hold up no other, however many there are', async () => {
  const keys = await expire(45);
  const refused = new Set(keys.slice(0, 44));
  s3.obstruct((key) => (refused.has(key) ? REFUSED : null));
  // The last run tries what is left, and some of the refused ones again.
  for (const count of [20, 20, 25]) {
    await expect(forget()).rejects.toThrow();
    expect(asked()).toHaveLength(count);
  }
  expect(await left()).toEqual(keys.slice(0, 44));
  s3.obstruct(() => null);
  expect((await forget()).files).toBe(44);
});

test('refusals between removals end no run', async () => {
  const keys = await expire(50);
  const refused = keys.filter((_, index) => index % 2 === 0);
  s3.obstruct((key) => (refused.includes(key) ? REFUSED : null));
  await expect(forget()).rejects.toThrow();
  expect(await left()).toEqual(refused);
});

test('slow refusals end a run when its patience is over', async () => {
  const keys = await expire(4);
  s3.obstruct(() => sleep(300).then(() => REFUSED));
  await expect(forget(500)).rejects.toThrow();
  expect(asked().length).toBeLessThanOrEqual(2);
  expect(await left()).toEqual(keys);
});
