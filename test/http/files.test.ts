import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { get as httpGet } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { App } from '../../src/app.js';
import type { Sandbox } from '../../src/sandbox/index.js';
import { createDocumentTenant, type DocumentTenant } from '../support/documents.js';
import { startTestSandbox } from '../support/sandbox.js';
import { startApp, TEST_SECRET_KEY } from '../support/service.js';
import { admin } from '../support/admin.js';
import { until } from '../support/until.js';

const CONTENT = randomBytes(1000);
const SHA256 = createHash('sha256').update(CONTENT).digest('hex');
const OTHER_KEY = Buffer.alloc(32, 'other').toString('base64');

let sandbox: Sandbox;
let app: App;
let tenant: DocumentTenant;
let platformId: string;
/** What the service takes for the time, where a test has set it. */
let clock: Date | null = null;
let url: string;

beforeAll(async () => {
  sandbox = await startTestSandbox();
  const now = () => clock ?? new Date();
  app = await startApp({ SANDBOX_URL: sandbox.url }, { now });
  tenant = await createDocumentTenant(app, sandbox);
  platformId = await tenant.attach(CONTENT, 'INV-1.pdf', 'application/pdf');
  await tenant.syncDocuments();
  url = await address();
});
afterAll(async () => {
  await app?.close();
  await sandbox?.stop();
});

/** More than the system takes for a reader who takes nothing. */
const LARGE = 24_000_000;

test('a file that is left unread is cut off', async () => {
  const hasty = await startApp({ SANDBOX_URL: sandbox.url, LIMIT_SLOW_READER_MILLISECONDS: '1000' });
  try {
    const own = await createDocumentTenant(hasty, sandbox);
    const id = await own.attach(Buffer.alloc(LARGE), 'large.bin');
    await own.syncDocuments();
    const place = new URL((await own.download(id)).body.data.download_url as string);
    const socket = connect(Number(new URL(hasty.url).port), '127.0.0.1');
    socket.write(`GET ${place.pathname} HTTP/1.1\r\nhost: localhost\r\n\r\n`);
    await once(socket, 'readable');
    // The service, in this process, waits for a second from the last bytes that it could send.
    await sleep(3000);
    let bytes = 0;
    socket.on('data', (chunk: Buffer) => (bytes += chunk.length)).on('error', () => undefined);
    const closed = await Promise.race([once(socket, 'close'), until('all of it', () => bytes > LARGE)]);
    expect(Array.isArray(closed)).toBe(true);
    expect(bytes).toBeLessThan(LARGE);
  } finally {
    await hasty.close();
  }
});

const address = async (): Promise<string> => (await tenant.download(platformId)).body.data.download_url;
const tokenOf = (one: string) => one.slice(one.lastIndexOf('/') + 1);
const withToken = (token: string) => `${app.url}/v3/files/${token}`;
async function ask(headers: Record<string, string> = {}, init: RequestInit = {}, at = url) {
  const answer = await fetch(at, { headers, ...init });
  return {
    status: answer.status,
    headers: answer.headers,
    content: Buffer.from(await answer.arrayBuffer()),
  };
}
/** What everybody is told who has no address that works. */
const REFUSAL = {
  error: {
    code: 'not-found',
    message: 'there is no such file, or its address has expired: ask for the document again',
    field: '',
  },
};
async function refusal(at: string) {
  const { status, headers, content } = await ask({}, {}, at);
  const { request_id, ...body } = JSON.parse(content.toString());
  expect(typeof request_id).toBe('string');
  return { status, body, cache: headers.get('cache-control') };
}
const REFUSED = { status: 404, body: REFUSAL, cache: 'private, no-store' };

describe('a file', () => {
  test('comes as it is, to be saved and never shown', async () => {
    const { status, headers, content } = await ask();
    expect([status, content.equals(CONTENT)]).toEqual([200, true]);
    const shown = [
      'content-type',
      'content-length',
      'content-disposition',
      'content-security-policy',
      'x-content-type-options',
      'cache-control',
      'accept-ranges',
      'etag',
    ];
    expect(Object.fromEntries(shown.map((name) => [name, headers.get(name)]))).toEqual({
      'content-type': 'application/pdf',
      'content-length': '1000',
      'content-disposition': `attachment; filename="INV-1.pdf"; filename*=UTF-8''INV-1.pdf`,
      'content-security-policy': 'sandbox',
      'x-content-type-options': 'nosniff',
      'cache-control': 'private, no-store',
      'accept-ranges': 'bytes',
      etag: `"${SHA256}"`,
    });
  });

  test('HEAD says the same without it, whatever range it asks for', async () => {
    const get = await ask();
    const head = await ask({ range: 'bytes=0-9' }, { method: 'HEAD' });
    expect([head.status, head.content.length]).toEqual([200, 0]);
    const told = ({ headers }: typeof get) =>
      [...headers].filter(([name]) => !['date', 'x-request-id', 'connection', 'keep-alive'].includes(name));
    expect(told(head)).toEqual(told(get));
  });

  test.each([
    ['bytes=0-0', 0, 0],
    ['bytes=0-499', 0, 499],
    ['bytes=500-', 500, 999],
    ['bytes=-1', 999, 999],
    ['bytes=-5000', 0, 999],
    ['bytes=990-5000', 990, 999],
    ['bytes=0-999999999999999', 0, 999],
  ])('Range %s is a part of it', async (range, first, last) => {
    const { status, headers, content } = await ask({ range });
    expect([status, headers.get('content-range'), headers.get('content-length')]).toEqual([
      206,
      `bytes ${first}-${last}/1000`,
      String(last - first + 1),
    ]);
    expect(content.equals(CONTENT.subarray(first, last + 1))).toBe(true);
  });

  test.each(['bytes=1000-', 'bytes=1000-1001', 'bytes=-0', 'bytes=999999999999999-'])(
    'Range %s lies outside',
    async (range) => {
      const { status, headers, content } = await ask({ range });
      expect([status, headers.get('content-range'), headers.get('etag')]).toEqual([
        416,
        'bytes */1000',
        null,
      ]);
      expect(JSON.parse(content.toString()).error).toEqual({
        code: 'range-not-satisfiable',
        message: 'range must lie within the 1000 bytes of the file',
        field: 'range',
      });
    },
  );

  test.each([
    'bytes=0-1,3-4',
    'bytes=5-2',
    'bytes=-',
    'bytes=a-b',
    'items=0-1',
    'bytes=0x0-1',
    '0-1',
    'bytes=1',
  ])('Range %s means nothing, and all of it comes', async (range) => {
    const { status, content } = await ask({ range });
    expect([status, content.length]).toEqual([200, 1000]);
  });

  test.each([
    [`"${SHA256}"`, 206],
    [`W/"${SHA256}"`, 200],
    ['"another"', 200],
    ['*', 200],
    ['Sat, 21 Nov 2026 10:00:00 GMT', 200],
  ])('If-Range %s answers %d', async (condition, status) => {
    const answer = await ask({ range: 'bytes=0-9', 'if-range': condition });
    expect([answer.status, answer.content.length]).toEqual([status, status === 206 ? 10 : 1000]);
  });

  test('whoever goes away in the middle costs nobody else anything', async () => {
    const large = await tenant.attach(randomBytes(5_000_000));
    await tenant.syncDocuments();
    const at = (await tenant.download(large)).body.data.download_url;
    for (let time = 0; time < 20; time += 1) {
      await new Promise<void>((resolve, reject) => {
        const request = httpGet(at, (response) => {
          response.once('data', () => {
            request.destroy();
            resolve();
          });
          response.on('error', () => undefined);
        });
        request.on('error', (error: NodeJS.ErrnoException) =>
          error.code === 'ECONNRESET' ? undefined : reject(error),
        );
      });
    }
    expect((await ask({}, {}, at)).content).toHaveLength(5_000_000);
  });

  test('that is on its way when the service stops still comes whole, and its connection is not waited for', async () => {
    const large = await tenant.attach(randomBytes(20_000_000));
    await tenant.syncDocuments();
    const stopping = await startApp({ SANDBOX_URL: sandbox.url });
    const at = (await tenant.download(large)).body.data.download_url;
    const { body } = await fetch(`${stopping.url}/v3/files/${tokenOf(at)}`);
    const reader = body?.getReader();
    let size = (await reader?.read())?.value?.length ?? 0;
    const closed = stopping.close();
    for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
      size += part.value.length;
    }
    await closed;
    expect(size).toBe(20_000_000);
  });

  test('other methods are refused', async () => {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      const answer = await ask({}, { method });
      expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
    }
  });
});

describe('an address', () => {
  test('works without a key, with any, and as often as one likes', async () => {
    for (const headers of [{}, { api_key: 'nonsense' }, {}]) {
      expect((await ask(headers as Record<string, string>)).status).toBe(200);
    }
  });

  test('with any one bit flipped is none', async () => {
    const token = Buffer.from(tokenOf(url), 'base64url');
    const flipped = Array.from({ length: token.length * 8 }, (_, bit) => {
      const copy = Buffer.from(token);
      copy[bit >> 3] = (copy[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      return copy.toString('base64url');
    });
    for (const one of flipped) expect(app.url && (await ask({}, {}, withToken(one))).status).toBe(404);
    expect(await refusal(withToken(flipped[100] ?? ''))).toEqual(REFUSED);
    expect((await ask()).status).toBe(200);
  });

  test('written in another way is none', async () => {
    const token = tokenOf(url);
    const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    // The last character has bits that no byte has.
    const siblings = [...ALPHABET]
      .filter((one) => one !== token.at(-1))
      .map((one) => token.slice(0, -1) + one);
    const others = [
      ...siblings,
      `${token}=`,
      `${token}A`,
      `${token}.`,
      `%20${token}`,
      token.slice(0, -1),
      token.slice(1),
      '',
      'A',
      'x'.repeat(111),
      'A'.repeat(150),
      '%00',
      '..%2f..%2fetc%2fpasswd',
      token.toLowerCase(),
    ];
    for (const one of others) expect([one, (await ask({}, {}, withToken(one))).status]).toEqual([one, 404]);
  });

  test('works for fifteen minutes, and then never again', async () => {
    clock = new Date();
    const made = clock.getTime();
    const at = await address();
    const { body } = await tenant.caller.graphql(
      `mutation { downloadDocument(input: { companyId: ${tenant.companyId}, documentId: "${platformId}" }) { expiresAt } }`,
    );
    expect(body.data.downloadDocument.expiresAt).toBe(new Date(made + 900_000).toISOString());
    clock = new Date(made + 900_000);
    expect((await ask({}, {}, at)).status).toBe(200);
    clock = new Date(made + 900_001);
    expect(await refusal(at)).toEqual(REFUSED);
    clock = null;
  });

  test('is signed with a key that is in SECRET_KEYS, in any place', async () => {
    const start = (keys: string) => startApp({ SANDBOX_URL: sandbox.url, SECRET_KEYS: keys });
    const rotated = await start(`${OTHER_KEY},${TEST_SECRET_KEY}`);
    const foreign = await start(OTHER_KEY);
    try {
      expect((await ask({}, {}, `${rotated.url}/v3/files/${tokenOf(url)}`)).status).toBe(200);
      expect(await refusal(`${foreign.url}/v3/files/${tokenOf(url)}`)).toEqual(REFUSED);
    } finally {
      await rotated.close();
      await foreign.close();
    }
  });

  test('is good in every process', async () => {
    const second = await startApp({ SANDBOX_URL: sandbox.url });
    try {
      const { content } = await ask({}, {}, `${second.url}/v3/files/${tokenOf(url)}`);
      expect(content.equals(CONTENT)).toBe(true);
    } finally {
      await second.close();
    }
  });

  test('begins with PUBLIC_URL', async () => {
    const second = await startApp({ SANDBOX_URL: sandbox.url, PUBLIC_URL: 'https://data.example.com/svc/' });
    try {
      const answer = await fetch(
        `${second.url}/v3/download_document/${platformId}?svc_company_id=${tenant.companyId}`,
        { headers: { api_key: tenant.caller.key } },
      );
      const { data }: any = await answer.json();
      expect(data.download_url).toMatch(/^https:\/\/data\.example\.com\/svc\/v3\/files\/[\w-]+$/);
    } finally {
      await second.close();
    }
  });
});

/** For tests that change their document. */
async function attachAnother(): Promise<{ readonly svcId: number; readonly at: string }> {
  const another = await tenant.attach(CONTENT);
  await tenant.syncDocuments();
  const { data } = (await tenant.download(another)).body;
  return { svcId: data.svc_id, at: data.download_url };
}

describe('the name', () => {
  let document: Awaited<ReturnType<typeof attachAnother>>;
  beforeAll(async () => {
    document = await attachAnother();
  });
  const named = async (name: string | null) => {
    await admin.pool.query('UPDATE documents SET file_name = $2 WHERE svc_company_id = $1 AND svc_id = $3', [
      tenant.companyId,
      name,
      document.svcId,
    ]);
    return (await ask({}, { method: 'HEAD' }, document.at)).headers.get('content-disposition');
  };

  test.each([
    ['../../etc/passwd', 'passwd', 'passwd'],
    ['..\\..\\windows\\system.ini', 'system.ini', 'system.ini'],
    ['/', 'document', 'document'],
    ['..', 'document', 'document'],
    [null, 'document', 'document'],
    ['a\r\nSet-Cookie: x=1', 'aSet-Cookie_ x=1', 'aSet-Cookie_%20x%3D1'],
    ['in\u202efdp.exe', 'infdp.exe', 'infdp.exe'],
    ['Übersicht "Mai" 100%.pdf', 'Ubersicht _Mai_ 100_.pdf', '%C3%9Cbersicht%20_Mai_%20100%25.pdf'],
    ['請求書.pdf', '___.pdf', '%E8%AB%8B%E6%B1%82%E6%9B%B8.pdf'],
    ["it's (1)*.pdf", "it's (1)_.pdf", 'it%27s%20%281%29_.pdf'],
    ['CON.txt', '_CON.txt', '_CON.txt'],
  ])('%j is safe', async (name, ascii, full) => {
    expect(await named(name)).toBe(`attachment; filename="${ascii}"; filename*=UTF-8''${full}`);
  });
});

describe('the type', () => {
  let document: Awaited<ReturnType<typeof attachAnother>>;
  beforeAll(async () => {
    document = await attachAnother();
  });

  test.each([
    ['image/png', 'image/png'],
    ['text/csv; charset=utf-8', 'text/csv'],
    ['text/html', 'application/octet-stream'],
    ['image/svg+xml', 'application/octet-stream'],
    ['application/xhtml+xml', 'application/octet-stream'],
    ['text/javascript', 'application/octet-stream'],
    ['', 'application/octet-stream'],
  ])('%j is told as %s', async (given, told) => {
    const values = [tenant.companyId, given, document.svcId];
    await admin.pool.query(
      'UPDATE document_files SET content_type = $2 WHERE svc_company_id = $1 AND document_svc_id = $3',
      values,
    );
    await admin.pool.query(
      'UPDATE documents SET file_type = $2 WHERE svc_company_id = $1 AND svc_id = $3',
      values,
    );
    expect((await ask({}, {}, document.at)).headers.get('content-type')).toBe(told);
  });
});
