import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { App } from '../../src/app.js';
import { booksPush } from '../../src/connectors/sandbox/books/push/index.js';
import type { Worker } from '../../src/jobs/worker.js';
import type { Sandbox } from '../../src/sandbox/index.js';
import { AppError } from '../../src/errors.js';
import { onFailPoint } from '../../src/writes/fail-points.js';
import { control, startTestSandbox } from '../support/sandbox.js';
import { type Answer, createCaller, startApp } from '../support/service.js';
import { until } from '../support/until.js';
import { createWriting, startWorker, type Writing } from '../support/writing.js';
import { admin } from '../support/admin.js';

let sandbox: Sandbox;
let app: App;
let worker: Worker | null = null;
let books: Writing;

beforeAll(async () => {
  sandbox = await startTestSandbox();
  app = await startApp({ SANDBOX_URL: sandbox.url, WRITE_WAIT_MS: '20000' });
  books = await createWriting(app, sandbox);
});
beforeEach(async () => {
  await control(sandbox, 'DELETE', '/faults');
  worker ??= await startWorker(sandbox, { LATE_ANSWER_SECONDS: '5' });
});
afterAll(async () => {
  await worker?.stop();
  await app?.close();
  await sandbox?.stop();
});

const PATH = '/accounting/journal_entries';
/** How Books takes keys. */
const KEY = booksPush.idempotencyKey;

/** How many jobs look for an item once more. */
async function looksFor(svcId: bigint): Promise<number> {
  const { rows } = await admin.pool.query('SELECT 1 FROM graphile_worker._private_jobs WHERE key = $1', [
    `look:${svcId}`,
  ]);
  return rows.length;
}

/** Sends a body with a key. */
const keyed = (key: string, body: object | string, path = PATH): Promise<Answer> =>
  books.caller.post(path, body, { 'idempotency-key': key });

/** The journals that the platform was made to write, by the text in them. */
async function written(description: string): Promise<number> {
  const answer = await fetch(
    `${sandbox.url}/_sandbox/objects?account=${books.tenant.account}&platform=accounting&kind=Journals`,
  );
  return (await answer.text()).split('\n').filter((text) => text.includes(`"Text":"${description}"`)).length;
}

const bodyOf = (description: string, count = 1) => ({
  company_id: books.companyId,
  data: Array.from({ length: count }, () => books.journal(1, { description })),
});
/** Without what differs from answer to answer. */
const lasting = ({ body }: Answer) => body.data;

describe('an idempotency key', () => {
  test('returns the result of its write every time it is used, and writes once', async () => {
    const body = bodyOf('replayed', 3);
    const first = await keyed('key-1', body);
    expect([first.status, first.body.data.status, first.headers.get('idempotent-replayed')]).toEqual([
      200,
      'SUCCESS',
      null,
    ]);
    const again = await keyed('key-1', body);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(lasting(again)).toEqual(lasting(first));
    // Numbers written differently are the same request to JSON, and so is another order of names.
    const reordered = { data: body.data, company_id: body.company_id };
    expect(lasting(await keyed('key-1', reordered))).toEqual(lasting(first));
    expect(await written('replayed')).toBe(3);
  });

  test('belongs to its company, and amounts count with all their digits', async () => {
    const other = await createWriting(app, sandbox);
    const body = (amount: string, companyId = books.companyId, one = books) =>
      JSON.stringify({ company_id: companyId, data: [one.journal('AMOUNT')] }).replaceAll('"AMOUNT"', amount);
    const first = await keyed('key-exact', body('12.5'));
    expect([first.status, first.body.data.status]).toEqual([200, 'SUCCESS']);
    // The same double.
    expect((await keyed('key-exact', body('12.5000000000000000001'))).status).toBe(422);
    expect((await keyed('key-exact', body('12.50'))).headers.get('idempotent-replayed')).toBe('true');
    const elsewhere = await other.caller.post(PATH, body('12.5', other.companyId, other), {
      'idempotency-key': 'key-exact',
    });
    expect([elsewhere.status, elsewhere.headers.get('idempotent-replayed')]).toEqual([200, null]);
  });

  test('also returns the result of a refused write', async () => {
    const body = {
      company_id: books.companyId,
      data: [{ journal_lines: [] }, books.journal(1, { currency_id: 'nothing' })],
    };
    const first = await keyed('key-refused', body);
    expect(first.body.data.status).toBe('FAILED');
    expect(lasting(await keyed('key-refused', body))).toEqual(lasting(first));
  });

  test('is refused for any request other than its first', async () => {
    await keyed('key-2', bodyOf('two'));
    const other = await keyed('key-2', bodyOf('other'));
    expect([other.status, other.body.error]).toEqual([
      422,
      {
        code: 'idempotency-key-reused',
        message: 'the idempotency key was used for another request: use a new one',
        field: 'Idempotency-Key',
      },
    ]);
    const elsewhere = await keyed('key-2', bodyOf('two'), '/accounting/items');
    expect(elsewhere.status).toBe(422);
    expect([await written('two'), await written('other')]).toEqual([1, 0]);
  });

  test('is not kept for a request that was refused as a whole', async () => {
    const wrong = await keyed('key-3', { company_id: 999_999_999, data: [{}] });
    expect(wrong.status).toBe(404);
    expect((await keyed('key-3', bodyOf('three'))).body.data.status).toBe('SUCCESS');
  });

  test.each(['', 'a b', 'x'.repeat(256)])('must be of 1 to 255 printable characters, not %j', async (key) => {
    const { status, body } = await keyed(key, bodyOf('odd key'));
    expect([status, body.error.code, body.error.field]).toEqual([400, 'invalid-params', 'Idempotency-Key']);
  });

  test('in fifty concurrent requests is carried out once; the others get its result, or are told to wait', async () => {
    const body = bodyOf('fifty', 2);
    const answers = await Promise.all(Array.from({ length: 50 }, () => keyed('key-50', body)));
    const codes = answers.map(({ status, body: { error } }) =>
      status === 200 ? 'ok' : `${status} ${error.code}`,
    );
    expect(codes.filter((code) => code !== 'ok' && code !== '409 conflict')).toEqual([]);
    const done = answers.filter(({ status }) => status === 200);
    expect(done.filter(({ headers }) => headers.get('idempotent-replayed') === null)).toHaveLength(1);
    expect(new Set(done.map((answer) => JSON.stringify(lasting(answer)))).size).toBe(1);
    expect(
      answers.filter(({ status }) => status === 409).every(({ headers }) => headers.has('retry-after')),
    ).toBe(true);
    expect(await written('fifty')).toBe(2);
  });

  test('works in GraphQL as well, across both styles', async () => {
    const { body } = await books.caller.graphql(
      `mutation ($input: WriteRecordsInput!) { writeRecords(input: $input) { replayed write { writeId } } }`,
      {
        input: {
          companyId: books.companyId,
          dataModel: 'JOURNAL_ENTRIES',
          data: bodyOf('both').data,
          idempotencyKey: 'key-both',
        },
      },
    );
    expect(body.data.writeRecords.replayed).toBe(false);
    const rest = await keyed('key-both', bodyOf('both'));
    expect(rest.body.data.upload_job_id).toBe(body.data.writeRecords.write.writeId);
    expect(await written('both')).toBe(1);
  });

  test('is the header of a GraphQL request, too, for its one write', async () => {
    const input = { companyId: books.companyId, dataModel: 'JOURNAL_ENTRIES', data: bodyOf('header').data };
    const send = (selection: string, others: object = {}) =>
      books.caller.post(
        '/graphql',
        {
          query: `mutation ($input: WriteRecordsInput!) { ${selection} }`,
          variables: { input: { ...input, ...others } },
        },
        { 'idempotency-key': 'key-header' },
      );
    const one = 'writeRecords(input: $input) { replayed userErrors { code field } }';
    const first = await send(one);
    expect([first.body.data.writeRecords, first.headers.get('x-svc-warning')]).toEqual([
      { replayed: false, userErrors: [] },
      null,
    ]);
    expect((await send(one)).body.data.writeRecords.replayed).toBe(true);
    expect((await keyed('key-header', bodyOf('header'))).headers.get('idempotent-replayed')).toBe('true');

    const both = await send(`${one} second: ${one}`);
    expect(both.body.data).toEqual({
      writeRecords: { replayed: true, userErrors: [] },
      second: {
        replayed: false,
        userErrors: [{ code: 'INVALID_PARAMS', field: ['idempotencyKey'] }],
      },
    });
    expect(await written('header')).toBe(1);
    const own = await send(one, { idempotencyKey: 'key-own' });
    expect(own.headers.get('x-svc-warning')).toBe('ignored: Idempotency-Key');
  });

  test('of a dry run is not used, in GraphQL as in REST', async () => {
    const write = { ...bodyOf('planned'), dry_run: true };
    const warnings: string[] = [];
    for (const key of ['key-planned', 'with a space']) {
      for (const path of [PATH, '/accounting/journal_entries']) {
        const { status, headers } = await keyed(key, write, path);
        warnings.push(`${status} ${headers.get('x-svc-warning')}`);
      }
      const input = {
        companyId: books.companyId,
        dataModel: 'JOURNAL_ENTRIES',
        data: write.data,
        dryRun: true,
      };
      const query =
        'mutation ($input: WriteRecordsInput!) { writeRecords(input: $input) { userErrors { code } } }';
      const { status, headers } = await keyed(key, { query, variables: { input } }, '/graphql');
      warnings.push(`${status} ${headers.get('x-svc-warning')}`);
    }
    expect(warnings).toEqual(Array(6).fill('200 ignored: Idempotency-Key'));
  });

  test('is a conflict while its first request is in flight', async () => {
    await worker?.stop();
    worker = null;
    const waiting = keyed('key-flight', bodyOf('flight'));
    await until('the first request to be under way', () =>
      admin.prisma.idempotencyKey.findFirst({ where: { key: 'key-flight' } }),
    );
    const meanwhile = await keyed('key-flight', bodyOf('flight'));
    expect([meanwhile.status, meanwhile.body.error.code]).toEqual([409, 'conflict']);
    expect(meanwhile.headers.get('retry-after')).toBe('1');
    const { body } = await books.caller.graphql(
      `mutation ($input: WriteRecordsInput!) { writeRecords(input: $input) { userErrors { code retryAfter } } }`,
      {
        input: {
          companyId: books.companyId,
          dataModel: 'JOURNAL_ENTRIES',
          data: bodyOf('flight').data,
          idempotencyKey: 'key-flight',
        },
      },
    );
    expect(body.data.writeRecords.userErrors).toEqual([{ code: 'CONFLICT', retryAfter: 1 }]);
    worker = await startWorker(sandbox);
    const first = await waiting;
    expect([first.status, first.body.data.status]).toEqual([200, 'SUCCESS']);
  });

  test('returns the current state once its first request has stopped waiting', async () => {
    await worker?.stop();
    worker = null;
    const hurried = await startApp({ SANDBOX_URL: sandbox.url, WRITE_WAIT_MS: '500' });
    try {
      const caller = await createCaller(hurried, books.tenant.organisationId);
      const send = () => caller.post(PATH, bodyOf('hurried'), { 'idempotency-key': 'key-hurried' });
      const first = await send();
      expect([first.status, first.body.data.status]).toEqual([200, 'PENDING']);
      const later = await send();
      expect([later.status, later.body.data.status]).toEqual([200, 'PENDING']);
      expect(later.body.data.upload_job_id).toBe(first.body.data.upload_job_id);
    } finally {
      await hurried.close();
    }
  });
});

describe('an answer that cannot be stored at first', () => {
  test.each([
    ['as the database is away', 'inside the storing transaction', 'service-unavailable'],
    ['as the answer to the commit is lost', 'after results are stored', 'outcome-unknown'],
  ] as const)('%s is kept: a platform without keys and search is asked once', async (what, where, code) => {
    const journals = booksPush.resources.find(({ definition }) => definition.dataModel === 'JOURNAL_ENTRIES');
    if (!journals) throw new Error('Books takes journals');
    const { find, batch } = journals;
    let isAway = true;
    onFailPoint((point) => {
      if (point !== where || !isAway) return;
      isAway = false;
      throw new AppError(code, 'the database went away');
    });
    Object.assign(booksPush, { idempotencyKey: null });
    Object.assign(journals, { find: undefined, batch: undefined });
    try {
      const { body } = await books.write(PATH, bodyOf(what, 2).data, { run_async: true });
      expect((await books.untilOver(body.data.upload_job_id)).status).toBe('SUCCESS');
      expect([isAway, await written(what)]).toEqual([false, 2]);
    } finally {
      onFailPoint(() => undefined);
      Object.assign(booksPush, { idempotencyKey: KEY });
      Object.assign(journals, { find, batch });
    }
  });
});

describe.each([
  ['a platform that takes keys', true],
  ['a platform that can only be asked for the marker', false],
] as const)('with %s', (_name, enabled) => {
  beforeAll(async () => {
    await control(sandbox, 'POST', `/accounts/${books.tenant.account}/idempotency`, { enabled });
    Object.assign(booksPush, { idempotencyKey: enabled ? KEY : null });
  });
  const fail = (rule: object) =>
    control(sandbox, 'POST', '/faults', {
      rules: [
        {
          platform: 'accounting',
          account: books.tenant.account,
          method: 'POST',
          path: '/accounting/api/2/Journals',
          ...rule,
        },
      ],
    });

  test.each([
    ['an answer that breaks off, although the platform wrote it', { fault: 'cut', count: 2 }],
    ['a fault of the platform', { fault: '500', count: 2 }],
    ['a page of a proxy', { fault: 'html', count: 2 }],
    ['a limit', { fault: '429', count: 2 }],
    ['a token that has expired in the middle', { fault: 'expired-token', count: 1, skip: 2 }],
    ['all of it by chance', { share: 0.3, seed: 3, fault: 'cut' }],
  ])('recovers from %s, writing each item once', async (what, rule) => {
    await fail(rule);
    const description = `${what} ${enabled}`;
    const { body } = await keyed(`once ${what} ${enabled}`.replaceAll(' ', '-'), bodyOf(description, 6));
    expect((await books.untilOver(body.data.upload_job_id)).status).toBe('SUCCESS');
    expect(await written(description)).toBe(6);
  });

  /** Sends an item whose request is carried out late. */
  async function lose(description: string): Promise<string> {
    await fail({ fault: 'commit-late', count: 1 });
    const { body } = await books.write(PATH, [books.journal(1, { description })], { run_async: true });
    return body.data.upload_job_id;
  }

  const itemOf = (uploadId: string) =>
    admin.prisma.uploadItem.findFirstOrThrow({ where: { upload: { uploadId } } });

  const lookedForInVain = (uploadId: string) =>
    until('a look-up in vain', async () =>
      admin.prisma.uploadItem.findFirst({
        where: { upload: { uploadId }, errorMessage: { endsWith: 'and does not have it yet' } },
      }),
    );

  if (enabled) {
    test('a request that the platform carries out late is immediately resent with its key', async () => {
      const uploadId = await lose('late with a key');
      expect((await books.untilOver(uploadId)).status).toBe('SUCCESS');
      await control(sandbox, 'DELETE', '/faults');
      expect(await written('late with a key')).toBe(1);
      const { lateUntil, attempts, svcId } = await itemOf(uploadId);
      expect({ lateUntil, attempts }).toEqual({ lateUntil: null, attempts: 2 });
      expect(await looksFor(svcId)).toBe(0);
    });
  } else {
    test('a request that may be carried out after its answer was lost is waited for', async () => {
      const uploadId = await lose('late');
      const { state, attempts } = await lookedForInVain(uploadId);
      expect([state, attempts, await written('late')]).toEqual(['UNCERTAIN', 1, 0]);
      await control(sandbox, 'DELETE', '/faults');
      expect((await books.untilOver(uploadId)).status).toBe('SUCCESS');
      expect(await written('late')).toBe(1);
    });

    test('a request that the platform answered with a fault is resent without waiting for a late effect', async () => {
      await fail({ fault: '500', share: 1 });
      const { body } = await books.write(PATH, [books.journal(1, { description: 'a fault' })], {
        run_async: true,
      });
      const uploadId: string = body.data.upload_job_id;
      const { lateUntil } = await until('an attempt', async () => {
        const item = await itemOf(uploadId);
        return item.attempts > 0 && item.state === 'UNCERTAIN' ? item : null;
      });
      expect(lateUntil).toBeNull();
      await control(sandbox, 'DELETE', '/faults');
      expect((await books.untilOver(uploadId)).status).toBe('SUCCESS');
      expect(await written('a fault')).toBe(1);
    });

    test('a request that is carried out after it was resent is found, and its duplicate reported', async () => {
      const description = 'later';
      const uploadId = await lose(description);
      const { svcId } = await lookedForInVain(uploadId);
      // As long ago as nobody waits for.
      await admin.prisma.uploadItem.updateMany({ where: { svcId }, data: { lateUntil: new Date(0) } });
      expect((await books.untilOver(uploadId)).status).toBe('SUCCESS');
      expect(await written(description)).toBe(1);
      await control(sandbox, 'DELETE', '/faults');
      expect(await written(description)).toBe(2);

      await admin.pool.query('UPDATE graphile_worker._private_jobs SET run_at = now() WHERE key = $1', [
        `look:${svcId}`,
      ]);
      await until('a look', async () => (await looksFor(svcId)) === 0);
      const [told] = (await books.untilOver(uploadId)).data;
      const stored = await books.caller.get(
        `/v3/accounting/journal_entries?svc_company_id[eq]=${books.companyId}&description[eq]=${description}`,
      );
      const ids: string[] = stored.body.data.map((one: { platform_id: string }) => one.platform_id);
      const { platformId } = await itemOf(uploadId);
      const others = ids.filter((id) => id !== platformId);
      expect(others).toHaveLength(1);
      expect(told.warnings).toEqual([
        expect.stringMatching(new RegExp(`has it twice, .*: ${others[0]} is the other record`)),
      ]);
    });
  }

  test('an expired connection accepts no writes', async () => {
    const other = await createWriting(app, sandbox);
    await admin.prisma.connection.updateMany({
      where: { svcCompanyId: BigInt(other.companyId) },
      data: { status: 'EXPIRED' },
    });
    const given = { company_id: other.companyId, data: [other.journal(1)] };
    for (const path of [PATH, `/v3${PATH}`]) {
      const { status, body } = await other.caller.post(path, given);
      expect({ status, ...body.error }).toEqual({
        status: 400,
        code: 'operation-denied',
        message: 'Operation Denied: the connection is EXPIRED: the company has to connect SVC_SANDBOX again',
        field: 'connection_id',
        platform_error: null,
      });
    }
  });
});
