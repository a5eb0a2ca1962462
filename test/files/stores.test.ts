import { createHash, randomBytes } from 'node:crypto';
import { chmodSync, existsSync, readdirSync, renameSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { App } from '../../src/app.js';
import { companyFolder, createFileKey } from '../../src/files/file-key.js';
import type { FileStore } from '../../src/files/file-store.js';
import { openIncoming } from '../../src/files/incoming.js';
import { openLocalStore } from '../../src/files/local-store.js';
import { openS3Store } from '../../src/files/s3-store.js';
import { packagePath } from '../../src/package-path.js';
import type { Sandbox } from '../../src/sandbox/index.js';
import { createDocumentTenant } from '../support/documents.js';
import { startProcess } from '../support/process.js';
import { S3_LOGIN, type S3Server, startS3 } from '../support/s3.js';
import { startTestSandbox } from '../support/sandbox.js';
import { startApp } from '../support/service.js';
import { admin } from '../support/admin.js';

const BUCKET = 'files-of-the-tests';
let folder: string;
let s3: S3Server;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-stores-'));
  process.env['AWS_ACCESS_KEY_ID'] = S3_LOGIN.accessKeyId;
  process.env['AWS_SECRET_ACCESS_KEY'] = S3_LOGIN.secretAccessKey;
  s3 = await startS3([BUCKET]);
});
afterAll(async () => {
  await s3?.close();
  await rm(folder, { recursive: true, force: true });
});

const settings = (bucket = BUCKET) => ({
  bucket,
  endpoint: s3.endpoint,
  region: 'us-east-1',
  forcePathStyle: true,
});
async function* chunks(content: Buffer, size = 65_536) {
  for (let from = 0; from < content.length; from += size) yield content.subarray(from, from + size);
}

describe.each<[string, () => Promise<FileStore>, () => string]>([
  ['a folder', () => openLocalStore(join(folder, 'local')), () => join(folder, 'local/incoming')],
  [
    'a bucket of S3',
    () => openS3Store(settings(), join(folder, 'spool')),
    () => join(folder, 'spool/incoming'),
  ],
])('%s', (_name, open, incoming) => {
  let store: FileStore;
  beforeAll(async () => {
    store = await open();
    // Before the first file there is no folder, as where the disk is away.
    await store.put(createFileKey(1, 1), chunks(randomBytes(1)));
  });
  const read = async (key: string, range?: { first: number; last: number }) => {
    const content = await store.read(key, range);
    return content && buffer(content);
  };

  test.each([0, 1, 65_536, 6_000_001])('keeps a file of %d bytes', async (size) => {
    const key = createFileKey(1, 2);
    const content = randomBytes(size);
    expect(await store.has(key)).toBe(false);
    expect(await store.put(key, chunks(content))).toEqual({
      size,
      sha256: createHash('sha256').update(content).digest('hex'),
    });
    expect(await store.has(key)).toBe(true);
    expect((await read(key))?.equals(content)).toBe(true);
    if (size > 2) {
      const [first, last] = [1, size - 2];
      expect((await read(key, { first, last }))?.equals(content.subarray(1, -1))).toBe(true);
    }
    expect(readdirSync(incoming())).toEqual([]);
  });

  test('keeps nothing of a content that breaks off', async () => {
    const key = createFileKey(1, 2);
    const broken = async function* () {
      yield randomBytes(100_000);
      throw new Error('broken off');
    };
    await expect(store.put(key, broken())).rejects.toThrow('broken off');
    expect(await store.has(key)).toBe(false);
    expect(await read(key)).toBeNull();
    expect(readdirSync(incoming())).toEqual([]);
  });

  test('removes one, and what is not there too', async () => {
    const [key, other] = [createFileKey(1, 3), createFileKey(1, 3)];
    await store.put(key, chunks(randomBytes(10)));
    await store.put(other, chunks(randomBytes(10)));
    await store.remove(key);
    await store.remove(key);
    expect([await store.has(key), await store.has(other)]).toEqual([false, true]);
  });

  test("removes a company's, and no other's, and finds nothing the second time", async () => {
    const doomed = Array.from({ length: 12 }, () => createFileKey(1, 4));
    const spared = createFileKey(1, 44);
    for (const key of [...doomed, spared]) await store.put(key, chunks(randomBytes(10)));
    await store.removeFolder(companyFolder(1, 4));
    await store.removeFolder(companyFolder(1, 4));
    expect(await Promise.all(doomed.map((key) => store.has(key)))).toEqual(doomed.map(() => false));
    expect(await store.has(spared)).toBe(true);
  });

  test.each(['../../outside', '1/2/../../../etc/passwd', '1/2', '', '1/2/a', '/1/2'])(
    'takes no key such as %j',
    async (key) => {
      await expect((async () => store.read(key))()).rejects.toThrow('this is not the key');
      await expect((async () => store.put(key, chunks(Buffer.from('x'))))()).rejects.toThrow(
        'this is not the key',
      );
      await expect((async () => store.removeFolder(`${key}/..`))()).rejects.toThrow('this is not a folder');
    },
  );
});

describe('a folder', () => {
  test('is for its owner only', async () => {
    const place = join(folder, 'private');
    const store = await openLocalStore(place);
    expect(existsSync(place)).toBe(false);
    const key = createFileKey(7, 8);
    await store.put(key, chunks(Buffer.from('x')));
    const modes = ['', 'incoming', 'kept', 'kept/7', 'kept/7/8', `kept/${key}`].map(
      (name) => statSync(join(place, name)).mode & 0o777,
    );
    expect(modes).toEqual([0o700, 0o700, 0o700, 0o700, 0o700, 0o600]);
  });

  test('on a disk that is away does not take a file for gone', async () => {
    const place = join(folder, 'away');
    const store = await openLocalStore(place);
    const key = createFileKey(7, 8);
    await store.put(key, chunks(Buffer.from('x')));
    renameSync(join(place, 'kept'), join(place, 'elsewhere'));
    await expect(store.has(key)).rejects.toThrow('ENOENT');
    await expect(store.read(key)).rejects.toThrow('ENOENT');
    renameSync(join(place, 'elsewhere'), join(place, 'kept'));
    expect(await store.has(key)).toBe(true);
    expect(await store.has(createFileKey(7, 8))).toBe(false);
  });

  test('loses what processes left that died while they received it, and nothing that is being received', async () => {
    const place = join(folder, 'left');
    await mkdir(join(place, 'incoming'), { recursive: true });
    for (const name of ['old', 'new']) writeFileSync(join(place, 'incoming', name), 'half');
    const longAgo = new Date(Date.now() - 2 * 60 * 60 * 1000);
    utimesSync(join(place, 'incoming/old'), longAgo, longAgo);
    await openLocalStore(place);
    expect(readdirSync(join(place, 'incoming'))).toEqual(['new']);
  });

  test('loses with a later file what was too young when the process began', async () => {
    const place = join(folder, 'left-young', 'incoming');
    await mkdir(place, { recursive: true });
    writeFileSync(join(place, 'young'), 'half');
    let now = Date.now();
    const incoming = await openIncoming(place, () => now);
    const receive = async () => (await incoming.receive(chunks(randomBytes(10)))).discard();
    await receive();
    expect(readdirSync(place)).toEqual(['young']);
    now += 2 * 60 * 60 * 1000;
    await receive();
    expect(readdirSync(place)).toEqual([]);
  });

  test('that has gone lets go of what sends to it', async () => {
    const place = join(folder, 'gone');
    const incoming = await openIncoming(place);
    writeFileSync(place, '');
    let hasEnded = false;
    const content = async function* () {
      try {
        yield randomBytes(10);
      } finally {
        hasEnded = true;
      }
    };
    await expect(incoming.receive(content())).rejects.toThrow('EEXIST');
    expect(hasEnded).toBe(true);
  });

  test('that is a file is refused at start', async () => {
    const file = join(folder, 'a file');
    writeFileSync(file, '');
    await expect(startApp({ FILE_DIR: file })).rejects.toThrow(`FILE_DIR is ${file}, which must be a folder`);
  });

  test.each([
    ['that may not be written to', '', ''],
    ['that cannot be made', 'books/files', ''],
    ['whose folder of kept files may not be written to', '', 'kept'],
  ])('%s is refused', async (_what, below, inside) => {
    const closed = await mkdtemp(join(tmpdir(), 'svc-closed-'));
    const place = join(closed, below);
    const shut = join(closed, inside);
    await mkdir(shut, { recursive: true });
    chmodSync(closed, 0o777);
    chmodSync(shut, 0o555);
    try {
      expect(await openedByAnother(place)).toBe(
        `FILE_DIR is ${place}, ${place === shut ? 'which' : `but ${shut}`} must be a folder that this process may write to`,
      );
    } finally {
      chmodSync(shut, 0o755);
      await rm(closed, { recursive: true });
    }
  });

  test('where no folder can be made is refused, also for root', async () => {
    await expect(openLocalStore('/proc/files')).rejects.toThrow(
      'FILE_DIR is /proc/files, but /proc must be a folder that this process may write to',
    );
  });

  test('below a file is refused', async () => {
    const file = join(folder, 'in the way');
    writeFileSync(file, '');
    await expect(openLocalStore(join(file, 'files'))).rejects.toThrow(
      `FILE_DIR is ${join(file, 'files')}, but ${file} must be a folder`,
    );
  });
});

/** Nothing is closed to root, who may become somebody else. */
async function openedByAnother(place: string): Promise<string> {
  const script = `
    import { openLocalStore } from ${JSON.stringify(packagePath('dist/files/local-store.js'))};
    if (process.getuid() === 0) process.setuid(65534);
    console.log(await openLocalStore(process.argv[1]).then(() => 'opened', (error) => error.message));`;
  return (await startProcess(['--input-type=module', '-e', script, place]).ended).stdout.trim();
}

describe('a bucket of S3', () => {
  const s3Settings = () => ({
    FILE_STORE: 's3',
    S3_BUCKET: BUCKET,
    S3_ENDPOINT: s3.endpoint,
    FILE_DIR: join(folder, 'spool'),
  });

  test('serves the service: a file is fetched, kept, sent in parts, and removed with its company', async () => {
    const sandbox: Sandbox = await startTestSandbox();
    const app: App = await startApp({ ...s3Settings(), SANDBOX_URL: sandbox.url });
    try {
      const tenant = await createDocumentTenant(app, sandbox);
      const content = randomBytes(200_000);
      const platformId = await tenant.attach(content);
      await tenant.syncDocuments();
      const { status, body } = await tenant.download(platformId);
      expect(status).toBe(200);
      const url: string = body.data.download_url;
      expect(Buffer.from(await (await fetch(url)).arrayBuffer()).equals(content)).toBe(true);
      const part = await fetch(url, { headers: { range: 'bytes=100-199999' } });
      expect(part.status).toBe(206);
      expect(Buffer.from(await part.arrayBuffer()).equals(content.subarray(100))).toBe(true);
      await tenant.download(platformId);
      expect(await tenant.fetches()).toBe(1);
      expect((await tenant.caller.remove(`/v3/core/companies/${tenant.companyId}`)).status).toBe(200);
      expect((await fetch(url)).status).toBe(404);
      const where = { svcCompanyId: BigInt(tenant.companyId) };
      expect(await admin.prisma.documentFile.count({ where })).toBe(0);
    } finally {
      await app.close();
      await sandbox.stop();
    }
  });

  test('that answers a range with something else is an error', async () => {
    const blind = await startS3([BUCKET], { isBlindToRanges: true });
    try {
      const store = await openS3Store({ ...settings(), endpoint: blind.endpoint }, join(folder, 'blind'));
      const key = createFileKey(1, 2);
      const content = Buffer.from('all of it');
      await store.put(key, chunks(content));
      const whole = await store.read(key);
      expect(whole && (await buffer(whole))).toEqual(content);
      await expect(store.read(key, { first: 1, last: 3 })).rejects.toThrow('9 bytes where bytes=1-3');
    } finally {
      await blind.close();
    }
  });

  test('needs a folder for files in transit', async () => {
    const file = join(folder, 'no folder');
    writeFileSync(file, '');
    const settings = { ...s3Settings(), FILE_DIR: join(file, 'spool') };
    await expect(startApp(settings)).rejects.toThrow(`FILE_DIR is ${settings.FILE_DIR}, but ${file} must be`);
  });

  test('that is away makes downloads wait, and says so', async () => {
    const sandbox: Sandbox = await startTestSandbox();
    const other = await startS3([BUCKET]);
    const app = await startApp({
      ...s3Settings(),
      S3_ENDPOINT: other.endpoint,
      SANDBOX_URL: sandbox.url,
    });
    try {
      const tenant = await createDocumentTenant(app, sandbox);
      const [document] = await tenant.documents();
      if (!document) throw new Error('there is no document');
      await other.close();
      const { status, body } = await tenant.download(document);
      expect([status, body.error.code]).toEqual([503, 'service-unavailable']);
      expect((await tenant.document(document.platformId)).uploaded).toBe(false);
    } finally {
      await app.close();
      await sandbox.stop();
    }
  });

  test.each([
    ['without a name', { S3_BUCKET: '' }, 'S3_BUCKET is needed with FILE_STORE=s3'],
    ['with a name that none can have', { S3_BUCKET: 'A/B' }, 'S3_BUCKET must be the name of a bucket'],
    ['at no address', { S3_ENDPOINT: 'here' }, 'S3_ENDPOINT must be an address such as'],
    ['in an unknown store', { FILE_STORE: 'ftp' }, 'FILE_STORE must be one of local, s3'],
    ['that is not there', { S3_BUCKET: 'nobodys-bucket' }, 'there is no such bucket'],
    [
      'behind nothing',
      { S3_ENDPOINT: 'http://127.0.0.1:9' },
      /names the bucket .* at .*:9, which cannot be used: connect ECONNREFUSED/,
    ],
  ])('%s is refused at start', async (_what, wrong, message) => {
    const starting = (async () => startApp({ ...s3Settings(), ...wrong }))();
    await expect(starting).rejects.toThrow(message);
  });

  test('behind other credentials is refused at start', async () => {
    process.env['AWS_SECRET_ACCESS_KEY'] = 'another-secret-key';
    try {
      await expect(startApp(s3Settings())).rejects.toThrow('the credentials may not use it');
    } finally {
      process.env['AWS_SECRET_ACCESS_KEY'] = S3_LOGIN.secretAccessKey;
    }
  });
});
