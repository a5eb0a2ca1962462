import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type Classify } from '../../src/connectors/answers.js';
import { plainAccess } from '../../src/connectors/platform-access.js';
import { createPlatformClient } from '../../src/connectors/client/platform-client.js';
import { stringifyPlatformJson } from '../../src/connectors/values/platform-json.js';
import { createXeroClient } from '../../src/connectors/xero/client.js';
import { xero } from '../../src/connectors/xero/index.js';
import type { PushResource } from '../../src/connectors/push.js';
import type { WriteProblem } from '../../src/errors.js';
import type { FileStore } from '../../src/files/file-store.js';
import { RawJson } from '../../src/base/raw-json.js';
import { batchIdOf, sendBatch } from '../../src/writes/sending/send-batch.js';
import type { SendContext } from '../../src/writes/sending/ask-platform.js';
import { type Outcome, unknownError } from '../../src/writes/sending/outcome.js';
import { MAX_ATTEMPTS, sendItem } from '../../src/writes/sending/send-item.js';
import { type OddPlatform, startOddPlatform } from '../support/platform.js';

let platform: OddPlatform;
beforeAll(async () => {
  platform = await startOddPlatform();
});
afterAll(() => platform.close());
beforeEach(() => {
  platform.heard.length = 0;
});

const journals = xero.push?.resources.find(({ definition }) => definition.dataModel === 'JOURNAL_ENTRIES');
const request = stringifyPlatformJson({
  method: 'PUT',
  path: '/ManualJournals',
  body: { ManualJournals: [{}] },
});

interface Before {
  readonly sentMinutesAgo?: number;
  readonly attempts?: number;
  /** A platform that takes no keys, and has no look-up either. */
  readonly hasKey?: boolean;
  /** Its earlier request may still be carried out. */
  readonly isLate?: boolean;
  readonly find?: PushResource['find'] | undefined;
  /** Why its company does not permit it any more. */
  readonly withheld?: WriteProblem;
  /** Of a platform that says it in its own way; Xero's where there is none. */
  readonly classify?: Classify | undefined;
}

async function send({ sentMinutesAgo, attempts = 0, isLate = false, ...how }: Before = {}): Promise<Outcome> {
  const firstSentAt =
    sentMinutesAgo === undefined ? null : new Date(Date.now() - sentMinutesAgo * 60_000).toISOString();
  return sendItem(
    sendingOf(how),
    {
      svcId: 1,
      jobId: 'job',
      state: 'SENDING',
      input: new RawJson('{}'),
      request,
      written: null,
      attempts,
      startedAt: null,
      firstSentAt,
      lateUntil: isLate ? LATE : null,
      batchId: null,
      file: null,
    },
    request,
  );
}

/** How a platform is written to. */
function sendingOf({ hasKey = true, find, withheld, classify }: Before): SendContext {
  if (!journals) throw new Error('Xero writes journals');
  const access = plainAccess({ baseUrl: platform.url, accessToken: 'any', externalAccountId: 'any' });
  return {
    platform: classify
      ? createPlatformClient({
          title: 'The platform',
          access,
          baseUrl: platform.url,
          headers: () => ({}),
          classify,
        })
      : createXeroClient(access),
    scheme: {
      idempotencyKey: hasKey ? { in: 'header', name: 'idempotency-key', hours: 1 } : null,
      resources: [],
    },
    resource: { ...journals, ...(find && { find }) },
    form: {},
    operation: 'CREATE',
    files: {} as FileStore,
    patience: { fileMilliseconds: 1000, lateMilliseconds: 1000 },
    makeSure: () => Promise.resolve(),
    noteWritten: () => Promise.resolve(),
    withheld: () => Promise.resolve(withheld ?? null),
    noteResent: () => Promise.resolve(),
    title: 'The platform',
  };
}

const LATE = new Date(Date.now() + 600_000).toISOString();

const answer = (status: number, body: unknown) =>
  platform.answer((_heard, response) => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });

describe('an answer', () => {
  test('with the record is a success', async () => {
    answer(200, { ManualJournals: [{ ManualJournalID: 'one', StatusAttributeString: 'OK' }] });
    expect(await send()).toMatchObject({ kind: 'written', object: { ManualJournalID: 'one' } });
  });

  test('of 200 that says what is wrong with the record is a refusal, and not asked again', async () => {
    const errors = [{ Message: 'The total debits must equal total credits' }];
    answer(200, { ManualJournals: [{ StatusAttributeString: 'ERROR', ValidationErrors: errors }] });
    expect(await send()).toMatchObject({
      kind: 'refused',
      problem: { code: 'invalid-params', path: ['journalLines'], platformError: errors[0]?.Message },
    });
  });

  test.each([
    ['an empty object', {}],
    ['an empty list', { ManualJournals: [] }],
    ['another list', { Invoices: [{ InvoiceID: 'one' }] }],
  ])('of 200 with %s leaves it open whether it was written', async (_what, body) => {
    answer(200, body);
    expect(await send()).toMatchObject({ kind: 'later', isSent: true });
  });
});

describe('"not now" under 200', () => {
  const classify: Classify = ({ body }) => {
    if (body?.['error'] === 'busy') return { kind: 'throttled', retryAfterMs: 90_000 };
    return body?.['error'] === 'locked' ? { kind: 'again', retryAfterMs: null } : null;
  };

  test('lets an item wait, however often it was tried', async () => {
    answer(200, { error: 'busy' });
    const before = Date.now();
    const outcome = await send({ classify, attempts: MAX_ATTEMPTS - 1 });
    expect(outcome).toMatchObject({ kind: 'pause' });
    const { resumeAt } = outcome as { readonly resumeAt: Date };
    expect(resumeAt.getTime()).toBeGreaterThanOrEqual(before + 90_000);
  });

  test('that may have been carried out is asked again', async () => {
    answer(200, { error: 'locked' });
    expect(await send({ classify })).toMatchObject({ kind: 'later', isSent: true });
  });
});

describe('an access that has ended', () => {
  test('is no refusal of the item as it is', async () => {
    answer(403, { Detail: 'AuthenticationUnsuccessful' });
    expect(await send()).toMatchObject({ kind: 'refused', problem: { code: 'operation-denied' } });
  });
});

describe.each([408, 425, 500, 503])('an answer of %s', (status) => {
  test('does not say whether it was written: it is asked again', async () => {
    answer(status, { Message: 'later' });
    expect(await send()).toMatchObject({ kind: 'later', isSent: true });
  });
});

describe('an item that may have been sent before', () => {
  beforeEach(() => answer(200, { ManualJournals: [{ ManualJournalID: 'one' }] }));

  test('is sent again with its key while the platform remembers it', async () => {
    expect(await send({ sentMinutesAgo: 5 })).toMatchObject({ kind: 'written' });
    expect(platform.heard[0]?.headers['idempotency-key']).toBe('svc-job');
  });

  test.each([
    ['the platform has forgotten the key', { sentMinutesAgo: 60 }],
    ['the platform takes no keys', { sentMinutesAgo: 1, hasKey: false }],
    ['it was tried often enough', { sentMinutesAgo: 5, attempts: MAX_ATTEMPTS }],
  ])('is never sent again where %s: nobody can know, and it says so', async (_why, before) => {
    const outcome = await send(before);
    expect(outcome).toMatchObject({
      kind: 'unknowable',
      problem: {
        code: 'unknown-error',
        words: expect.stringContaining('check there before sending it again'),
      },
    });
    expect(platform.heard).toEqual([]);
  });

  const absent = () => Promise.resolve(null);
  test.each([
    ['has no access any more', 403, { Detail: 'AuthenticationUnsuccessful' }],
    ['is still busy with it', 409, { Message: 'A request with this key is in progress' }],
  ])('is open where the platform %s when it is sent again', async (_why, status, body) => {
    answer(status, body);
    const again = { sentMinutesAgo: 1 };
    expect(await send(again)).toMatchObject({ kind: 'unknowable' });
    expect(await send({ ...again, isLate: true })).toMatchObject({
      kind: 'later',
      isSent: true,
      lateUntil: LATE,
    });
    expect(await send({ ...again, find: absent })).toMatchObject({ kind: 'refused' });
  });

  test('is not sent again once its company withholds that, and has failed only if it surely is not there', async () => {
    const withheld: WriteProblem = { ...unknownError('withheld'), code: 'operation-denied' };
    const again = { sentMinutesAgo: 1, withheld };
    expect(await send({ ...again, find: absent })).toEqual({ kind: 'refused', problem: withheld });
    expect(await send({ ...again, find: absent, isLate: true })).toMatchObject({ kind: 'unsettled' });
    expect(await send(again)).toMatchObject({
      kind: 'unknowable',
      problem: { code: 'operation-denied', words: expect.stringContaining('check there') },
    });
    expect(platform.heard).toEqual([]);
    const found = () => Promise.resolve({ ManualJournalID: 'one' });
    expect(await send({ ...again, find: found })).toMatchObject({ kind: 'written' });
  });

  test('is open in a batch that is refused when it is sent again', async () => {
    answer(409, { Message: 'A request with this key is in progress' });
    const how = journals?.batch;
    if (!how) throw new Error('Xero takes several journals');
    const items = [1, 2].map(() => ({ file: null, lateUntil: LATE }));
    const batch = { id: batchIdOf(2, 'batch'), how, items, requests: [request, request] };
    const [first, second] = (await sendBatch(sendingOf({}), { ...batch, isAgain: true })).outcomes;
    expect([first, second]).toEqual([second, first]);
    expect(first).toMatchObject({ kind: 'later', isSent: true, lateUntil: LATE });
    expect((await sendBatch(sendingOf({}), { ...batch, isAgain: false })).isRefused).toBe(true);
  });

  test('that surely never left has failed after as many attempts', async () => {
    expect(await send({ attempts: MAX_ATTEMPTS })).toMatchObject({
      kind: 'refused',
      problem: { words: expect.stringContaining('it was not written') },
    });
  });
});
