import { Readable } from 'node:stream';

import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';

import { plainAccess } from '../../src/connectors/platform-access.js';
import { type PlatformObject } from '../../src/connectors/platform.js';
import { createPlatformClient } from '../../src/connectors/client/platform-client.js';
import { stringifyPlatformJson } from '../../src/connectors/values/platform-json.js';
import type {
  LostWrite,
  PushResource,
  PushScheme,
  WriteForm,
  WriteRequest,
} from '../../src/connectors/push.js';
import type { FileStore } from '../../src/files/file-store.js';
import { RawJson } from '../../src/base/raw-json.js';
import { recordTypeOf } from '../../src/records/index.js';
import type { Outcome } from '../../src/writes/sending/outcome.js';
import { MAX_ATTEMPTS, sendItem } from '../../src/writes/sending/send-item.js';
import { type OddPlatform, startOddPlatform } from '../support/platform.js';

let platform: OddPlatform;
const noted: PlatformObject[] = [];
beforeAll(async () => {
  platform = await startOddPlatform();
});
afterAll(() => platform.close());
beforeEach(() => {
  platform.heard.length = 0;
  noted.length = 0;
  platform.answer((_heard, response) => response.end('{"id":"one"}'));
});

const FILE = Buffer.from([0, 255, 13, 10, 45, 45]);
const files = { read: () => Promise.resolve(Readable.from([FILE])) } as unknown as FileStore;

interface Sent {
  readonly request?: Partial<WriteRequest>;
  readonly key?: PushScheme['idempotencyKey'];
  readonly form?: Pick<WriteForm, 'follow' | 'readsCurrent'>;
  readonly more?: Partial<PushResource>;
  readonly operation?: 'CREATE' | 'UPDATE';
  readonly written?: PlatformObject;
  readonly attempts?: number;
  readonly wasSent?: boolean;
  readonly hasFile?: boolean;
}

/** Sends an item to a platform that a connector would describe so. */
function send({ request = {}, key = null, form = {}, more = {}, ...how }: Sent): Promise<Outcome> {
  const definition = recordTypeOf('CONTACTS');
  if (!definition) throw new Error('there are contacts');
  const resource: PushResource = {
    definition,
    create: null,
    update: null,
    reads: [],
    written: (answer) => (answer['id'] === undefined ? null : answer),
    refusal: ({ status, text }) => ({
      code: status === 412 ? 'conflict' : 'platform-denied',
      words: text,
      path: [],
      platformError: text,
    }),
    ...more,
  };
  const access = plainAccess({ baseUrl: platform.url, accessToken: 'any', externalAccountId: 'any' });
  const text = stringifyPlatformJson({
    method: 'POST',
    path: '/contacts',
    body: { name: 'Ada' },
    ...request,
  });
  return sendItem(
    {
      platform: createPlatformClient({ title: 'It', access, baseUrl: platform.url, headers: () => ({}) }),
      scheme: { idempotencyKey: key, resources: [] },
      resource,
      form,
      operation: how.operation ?? 'CREATE',
      files,
      patience: { fileMilliseconds: 5000, lateMilliseconds: 1000 },
      makeSure: () => Promise.resolve(),
      noteWritten: (_item, object) => {
        noted.push(object);
        return Promise.resolve();
      },
      withheld: () => Promise.resolve(null),
      noteResent: () => Promise.resolve(),
      title: 'It',
    },
    {
      svcId: 1,
      jobId: 'job',
      state: 'SENDING',
      input: new RawJson('{"name":"Ada"}'),
      request: text,
      written: how.written ? JSON.stringify(how.written) : null,
      attempts: how.attempts ?? 0,
      startedAt: null,
      firstSentAt: how.wasSent || how.written ? new Date().toISOString() : null,
      lateUntil: null,
      batchId: null,
      file: how.hasFile
        ? new RawJson(
            JSON.stringify({ storeKey: 'x', contentType: 'image/png', size: FILE.length, sha256: '' }),
          )
        : null,
    },
    text,
  );
}

describe('a body', () => {
  test.each<[string, Partial<WriteRequest>, string, string]>([
    ['of JSON', {}, 'application/json', '{"name":"Ada"}'],
    [
      'of a form, with parts and lists',
      {
        encoding: 'form',
        body: { name: 'A & B', address: { city: 'Köln' }, lines: [{ price: 5 }, true], no: null },
      },
      'application/x-www-form-urlencoded',
      'name=A+%26+B&address%5Bcity%5D=K%C3%B6ln&lines%5B0%5D%5Bprice%5D=5&lines%5B1%5D=true&no=',
    ],
    ['as it is', { encoding: 'raw', body: null, text: '<a/>', contentType: 'text/xml' }, 'text/xml', '<a/>'],
    [
      'in parts without a file',
      { encoding: 'multipart', body: { name: 'Ada' } },
      'multipart/form-data; boundary=svc-job',
      '--svc-job\r\ncontent-disposition: form-data; name="name"\r\n\r\nAda\r\n--svc-job--\r\n',
    ],
  ])('%s', async (_what, request, type, body) => {
    expect((await send({ request })).kind).toBe('written');
    expect(platform.heard).toEqual([expect.objectContaining({ method: 'POST', body })]);
    expect(platform.heard[0]?.headers['content-type']).toBe(type);
  });

  test('in parts with the file of the item, whose length is said before', async () => {
    const request = {
      encoding: 'multipart',
      body: { note: 'n' },
      file: { field: 'file', name: 'a "b".png' },
      contentType: 'image/png',
    } as const;
    await send({ request, hasFile: true });
    const [heard] = platform.heard;
    expect(heard?.body.split('\r\n').slice(0, 8)).toEqual([
      '--svc-job',
      'content-disposition: form-data; name="note"',
      '',
      'n',
      '--svc-job',
      'content-disposition: form-data; name="file"; filename="a %22b%22.png"',
      'content-type: image/png',
      '',
    ]);
    expect(heard?.body.endsWith(`${FILE.toString()}\r\n--svc-job--\r\n`)).toBe(true);
    const length = Number(heard?.headers['content-length']);
    expect(length).toBe(Buffer.byteLength(heard?.body.replace(FILE.toString(), '') ?? '') + FILE.length);
  });
});

describe('the key of a write', () => {
  const names = { name: 'requestid', hours: 1 };
  test('is in the header, the query or the body, as the platform wants it', async () => {
    for (const place of ['header', 'query', 'body'] as const) await send({ key: { in: place, ...names } });
    const [header, query, body] = platform.heard;
    expect([header?.headers['requestid'], header?.url, header?.body]).toEqual([
      'svc-job',
      '/contacts',
      '{"name":"Ada"}',
    ]);
    expect([query?.headers['requestid'], query?.url]).toEqual([undefined, '/contacts?requestid=svc-job']);
    expect([body?.url, body?.body]).toEqual(['/contacts', '{"name":"Ada","requestid":"svc-job"}']);
  });
});

describe('what must follow', () => {
  const follow: WriteForm['follow'] = ({ name }, { id }) => [
    { method: 'POST', path: `/contacts/${String(id)}/approve`, encoding: 'form', body: { name } },
    { method: 'PUT', path: `/contacts/${String(id)}/sent`, body: null },
  ];
  const key = { in: 'header', name: 'key', hours: 1 } as const;
  const asked = () => platform.heard.map(({ url, headers }) => [url, headers['key']]);

  test('is sent in order with keys of its own, once the platform has the record and that is noted', async () => {
    const outcome = await send({ form: { follow }, key });
    expect(outcome).toEqual({ kind: 'written', object: { id: 'one' } });
    expect(asked()).toEqual([
      ['/contacts', 'svc-job'],
      ['/contacts/one/approve', 'svc-job-1'],
      ['/contacts/one/sent', 'svc-job-2'],
    ]);
    expect(noted).toEqual([{ id: 'one' }]);
    expect(platform.heard[1]?.body).toBe('name=Ada');
  });

  test('is all that is sent where an earlier attempt has noted the record', async () => {
    await send({ form: { follow }, key, written: { id: 'two' } });
    expect(asked()).toEqual([
      ['/contacts/two/approve', 'svc-job-1'],
      ['/contacts/two/sent', 'svc-job-2'],
    ]);
    expect(noted).toEqual([]);
  });

  test.each<[number, Partial<Outcome>]>([
    [500, { kind: 'later', isSent: true }],
    [429, { kind: 'pause' }],
  ])('is tried again after a %i', async (status, expected) => {
    platform.answer(({ url }, response) => {
      response.writeHead(url === '/contacts' ? 200 : status).end('{"id":"one"}');
    });
    expect(await send({ form: { follow }, key })).toMatchObject(expected);
    expect(noted).toEqual([{ id: 'one' }]);
  });

  test('says that the record is there where it is refused, or not taken in many attempts', async () => {
    platform.answer(({ url }, response) => {
      response.writeHead(url === '/contacts' ? 200 : 422).end(url === '/contacts' ? '{"id":"one"}' : 'never');
    });
    expect(await send({ form: { follow } })).toEqual({
      kind: 'refused',
      object: { id: 'one' },
      problem: {
        code: 'platform-denied',
        words: 'It has the record, but refused a remaining step: never',
        path: [],
        platformError: 'never',
      },
    });
    platform.heard.length = 0;
    const exhausted = await send({ form: { follow }, written: { id: 'one' }, attempts: MAX_ATTEMPTS });
    expect(exhausted).toMatchObject({ kind: 'unknowable', object: { id: 'one' } });
    expect(platform.heard).toEqual([]);
  });

  test('is nothing that is lacking where only reading the record back failed in many attempts', async () => {
    const readBack: PushResource['readBack'] = (client, { id }) => client.get(`/contacts/${String(id)}`);
    const outcome = await send({ more: { readBack }, written: { id: 'one' }, attempts: MAX_ATTEMPTS });
    expect(outcome).toEqual({ kind: 'written', object: { id: 'one' } });
  });

  test('comes before the record is read back', async () => {
    const readBack: PushResource['readBack'] = (client, { id }) => client.get(`/contacts/${String(id)}`);
    platform.answer(({ method }, response) =>
      response.end(method === 'GET' ? '{"id":"one","whole":true}' : '{"id":"one"}'),
    );
    const outcome = await send({ form: { follow }, more: { readBack } });
    expect(outcome).toEqual({ kind: 'written', object: { id: 'one', whole: true } });
    expect(asked().map(([url]) => url)).toEqual([
      '/contacts',
      '/contacts/one/approve',
      '/contacts/one/sent',
      '/contacts/one',
    ]);
  });
});

describe('a request made from what the platform had', () => {
  const update = { operation: 'UPDATE', form: { readsCurrent: () => true } } as const;
  beforeEach(() => {
    platform.answer((_heard, response) => response.writeHead(412).end('stale'));
  });

  test('is made again where the platform says that this is no longer so', async () => {
    expect(await send(update)).toMatchObject({ kind: 'later', isSent: false });
  });

  test('is left to a person where it may have been carried out itself', async () => {
    expect(await send({ ...update, wasSent: true })).toMatchObject({ kind: 'unknowable' });
  });
});

test('a lost write is looked for by its marker and by what was asked for', async () => {
  const looked: LostWrite[] = [];
  const find: PushResource['find'] = (_client, lost) => {
    looked.push(lost);
    return Promise.resolve({ id: 'found' });
  };
  expect(await send({ more: { find }, wasSent: true })).toEqual({ kind: 'written', object: { id: 'found' } });
  expect(looked).toEqual([{ marker: 'svc-job', item: { name: 'Ada' } }]);
  expect(platform.heard).toEqual([]);
});
