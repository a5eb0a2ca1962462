import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { App } from '../../src/app.js';
import { whenAnswering } from '../../src/db/opening/wait.js';
import { createScope } from '../../src/db/scope.js';
import { openDatabase } from '../../src/db/opening/open.js';
import { countCrash, MAX_CRASHES } from '../../src/runs/crashes.js';
import type { Worker } from '../../src/jobs/worker.js';
import type { Sandbox } from '../../src/sandbox/index.js';
import { admin } from '../support/admin.js';
import { openProxy } from '../../chaos/proxy.js';
import { createXeroHook, xeroEvent } from '../support/hooks.js';
import { control, startTestSandbox } from '../support/sandbox.js';
import { type Answer, callerOf, startApp, testDatabaseUrl } from '../support/service.js';
import { sleep } from '../support/time.js';
import { until } from '../support/until.js';
import { createWriting, startWorker, type Writing } from '../support/writing.js';

let proxy: Awaited<ReturnType<typeof openProxy>>;
let sandbox: Sandbox;
let app: App;
let worker: Worker | null = null;
let books: Writing;

beforeAll(async () => {
  proxy = await openProxy(testDatabaseUrl());
  sandbox = await startTestSandbox();
  app = await startApp({ DATABASE_URL: proxy.url, SANDBOX_URL: sandbox.url, WRITE_WAIT_MS: '20000' });
  books = await createWriting(app, sandbox);
});
beforeEach(async () => {
  proxy.giveBack();
  await control(sandbox, 'DELETE', '/faults');
  worker ??= await startWorker(sandbox, { DATABASE_URL: proxy.url });
});
afterAll(async () => {
  proxy?.giveBack();
  await worker?.stop();
  await app?.close();
  await sandbox?.stop();
  proxy?.close();
});

const LIST = '/v3/accounting/accounts?limit=1';
const QUERY = '{ accounts(first: 1) { nodes { name } } }';
const isBack = (path: string) =>
  until(`200 from ${path}`, async () => (await books.caller.get(path)).status === 200);

const written = async (description: string): Promise<number> => {
  const of = `account=${books.tenant.account}&platform=accounting&kind=Journals`;
  const answer = await fetch(`${sandbox.url}/_sandbox/objects?${of}`);
  return (await answer.text()).split('\n').filter((text) => text.includes(`"Text":"${description}"`)).length;
};
const keyed = (key: string, description: string, count: number): Promise<Answer> =>
  books.caller.post(
    '/accounting/journal_entries',
    {
      company_id: books.companyId,
      data: Array.from({ length: count }, () => books.journal(1, { description })),
    },
    { 'idempotency-key': key },
  );
/** The answer when the upload has ended; until then the same request is sent again, as a client does. */
const finalAnswer = (key: string, description: string, count: number): Promise<Answer> =>
  until(
    `the end of ${key}`,
    async () => {
      const answer = await keyed(key, description, count);
      if ([409, 503, 504].includes(answer.status)) return null;
      expect(answer.status).toBe(200);
      return answer.body.data.status === 'PENDING' ? null : answer;
    },
    { everyMilliseconds: 100 },
  );

describe('while the database is away', () => {
  test('both styles answer 503 with Retry-After, health says so, and all is well when it is back', async () => {
    await isBack('/health/ready');
    proxy.takeAway();
    const rest = await books.caller.get(LIST);
    expect([rest.status, rest.body.error?.code]).toEqual([503, 'service-unavailable']);
    expect(rest.headers.get('retry-after')).toBe('1');
    const graphql = await books.caller.graphql(QUERY);
    expect([graphql.status, graphql.body.errors[0].extensions.code]).toEqual([503, 'service-unavailable']);
    expect(graphql.headers.get('retry-after')).toBe('1');
    // Its text is read before it is asked.
    const persisted = { extensions: { persistedQuery: { version: 1, sha256Hash: 'a'.repeat(64) } } };
    const byHash = await books.caller.post('/graphql', persisted);
    expect([byHash.status, byHash.body.errors[0].extensions.code]).toEqual([503, 'service-unavailable']);
    // Prisma's own way to the database.
    const company = await books.caller.get(`/v3/core/companies/${books.companyId}`);
    expect([company.status, company.body.error.code]).toEqual([503, 'service-unavailable']);
    const page = await fetch(`${app.url}/link/00000000-0000-4000-8000-000000000000`);
    expect([page.status, page.headers.get('retry-after')]).toEqual([503, '1']);
    const health = await callerOf(app, null).get('/health/ready');
    expect([health.status, health.body.status]).toEqual([503, 'no database']);
    expect((await callerOf(app, null).get('/health/live')).status).toBe(200);
    proxy.giveBack();
    expect((await books.caller.get(LIST)).status).toBe(200);
    expect((await books.caller.graphql(QUERY)).status).toBe(200);
    await isBack('/health/ready');
  });

  test('a platform that tells of changes is answered 503, and heard when it tells again', async () => {
    const tell = await createXeroHook(books.tenant.organisationId);
    const events = [xeroEvent('an account', 'INVOICE')];
    proxy.takeAway();
    const answer = await tell(app, events);
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1']);
    proxy.giveBack();
    await isBack('/health/ready');
    expect((await tell(app, events)).status).toBe(200);
  });

  test('a change whose answer was lost is told apart from one that was not made', async () => {
    // Its statements go the same way.
    await worker?.stop();
    worker = null;
    await isBack('/health/ready');
    const rename = (name: string) => books.caller.put(`/v3/core/companies/${books.companyId}`, { name });
    const stored = (name: string) => admin.prisma.company.count({ where: { name } });
    proxy.swallowAnswer('COMMIT');
    const lost = await rename('committed unseen');
    expect([lost.status, lost.body.error.code]).toEqual([504, 'outcome-unknown']);
    // Clients that repeat requests by themselves might carry it out twice.
    expect(lost.headers.get('retry-after')).toBeNull();
    await until('committed unseen', async () => (await stored('committed unseen')) === 1);
    // By a statement that is a transaction of its own, of Prisma's and of ours.
    const scope = createScope(books.tenant.organisationId, null);
    const data = { name: 'inserted unseen', svcOrganisationId: BigInt(scope.organisationId) };
    proxy.swallowAnswer('INSERT');
    await expect(app.database.client(scope).company.create({ data })).rejects.toMatchObject({
      code: 'outcome-unknown',
    });
    await until('inserted unseen', async () => (await stored('inserted unseen')) === 1);
    const sql = app.database.sql(scope);
    proxy.swallowAnswer('UPDATE');
    const renamed = sql.rows(
      sql.query(),
      `UPDATE companies t SET name = 'renamed unseen' WHERE t.svc_organisation_id = $1 AND t.name = 'inserted unseen'`,
    );
    await expect(renamed).rejects.toMatchObject({ code: 'outcome-unknown' });
    await until('renamed unseen', async () => (await stored('renamed unseen')) === 1);
    // Of a read nothing is unknown.
    proxy.swallowAnswer('accounts');
    expect((await books.caller.get(LIST)).status).toBe(503);
    proxy.takeAway();
    expect((await rename('not stored')).status).toBe(503);
    proxy.giveBack();
    await isBack('/health/ready');
    expect(await stored('not stored')).toBe(0);
  });

  test('a server that stands still is told apart from one that works', async () => {
    await isBack('/health/ready');
    proxy.freeze();
    expect((await callerOf(app, null).get('/health/ready')).status).toBe(503);
    proxy.giveBack();
    await isBack('/health/ready');
    await isBack(LIST);
  });

  test('a write keeps its fate, however often the connections break', async () => {
    const ending = finalAnswer('key-broken', 'broken off', 30);
    let isOver = false;
    void ending.finally(() => (isOver = true)).catch(() => undefined);
    for (let round = 0; round < 8 && !isOver; round += 1) {
      const before = await written('broken off');
      await until('another item', async () => isOver || (await written('broken off')) > before);
      proxy.drop();
    }
    const { body } = await ending;
    expect(body.data.data.map((item: any) => item.error).filter(Boolean)).toEqual([]);
    expect(body.data.status).toBe('SUCCESS');
    expect(await written('broken off')).toBe(30);
  });

  test('work goes on after the worker could not reach it for long', async () => {
    const accepted = await keyed('key-long', 'waited', 3);
    expect(accepted.status).toBe(200);
    proxy.takeAway();
    // Several polls and sweeps fail, each by itself.
    await sleep(2500);
    proxy.giveBack();
    expect((await finalAnswer('key-after', 'after it', 3)).body.data.status).toBe('SUCCESS');
    expect((await finalAnswer('key-long', 'waited', 3)).body.data.status).toBe('SUCCESS');
  });
});

describe('work whose workers die, one after the other', () => {
  test('is given up, shown, and retried; its key answers the new outcome', async () => {
    await worker?.stop();
    worker = null;
    const key = 'key-given-up';
    const send = () =>
      books.caller.post(
        '/accounting/journal_entries',
        {
          company_id: books.companyId,
          run_async: true,
          data: [books.journal(2, { description: 'given up' })],
        },
        { 'idempotency-key': key },
      );
    const pending = await send();
    expect([pending.status, pending.body.data.status]).toEqual([200, 'PENDING']);
    const { pool, prisma } = admin;
    const upload = await prisma.upload.findFirstOrThrow({ orderBy: { svcId: 'desc' } });
    const path = `/v3/core/uploads/${upload.uploadId}`;
    const early = await books.caller.post(`${path}/retry`, {});
    expect([early.status, early.body.error.code]).toEqual([409, 'conflict']);
    for (let crash = 1; crash <= MAX_CRASHES; crash += 1) {
      await pool.query(`UPDATE uploads SET state = 'RUNNING', worker_id = 'dead' WHERE svc_id = $1`, [
        upload.svcId,
      ]);
      expect(await countCrash(app.database, { workerIds: ['dead'] })).toBe(crash === MAX_CRASHES ? 1 : 0);
      // Told twice, counted once.
      expect(await countCrash(app.database, { workerIds: ['dead'] })).toBe(0);
    }
    expect((await books.caller.get(path)).body.data.status).toBe('GIVEN_UP');
    const shown = await books.caller.graphql(`{ write(writeId: "${upload.uploadId}") { state } }`);
    expect(shown.body.data.write.state).toBe('GIVEN_UP');
    expect((await callerOf(app, null).get('/metrics')).text).toContain('work_given_up{kind="write"} 1');
    const other = await books.caller.post('/v3/core/uploads/nothing/retry', {});
    expect(other.status).toBe(404);
    expect((await books.caller.post(`${path}/retry`, {})).body.data.status).toBe('PENDING');
    worker = await startWorker(sandbox, { DATABASE_URL: proxy.url });
    await until('the end', async () => (await books.caller.get(path)).body.data.status === 'SUCCESS');
    const replayed = await send();
    expect(replayed.headers.get('idempotent-replayed')).toBe('true');
    expect(replayed.body.data).toMatchObject({ status: 'SUCCESS', upload_job_id: upload.uploadId });
    expect(replayed.body.data.data[0].error).toBeNull();
    expect(await written('given up')).toBe(1);
  });
});

describe('a start', () => {
  test('waits for a database that does not answer yet', async () => {
    proxy.takeAway();
    const waited: string[] = [];
    const onWait = (reason: string) => {
      waited.push(reason);
      proxy.giveBack();
    };
    const config = { databaseUrl: proxy.url, databaseDirectUrl: null, dataDir: '/nowhere' };
    const opened = await openDatabase(config, 'own', { patience: { seconds: 60, onWait } });
    expect(waited).toHaveLength(1);
    await opened.close();
  });

  test('does not wait for a login or a database that is not there', async () => {
    const url = new URL(testDatabaseUrl());
    url.pathname = '/nothing_of_the_kind';
    const onWait = () => expect('no wait').toBe('a wait');
    const open = () =>
      openDatabase({ databaseUrl: url.href, databaseDirectUrl: null, dataDir: '/nowhere' }, 'own', {
        patience: { seconds: 60, onWait },
      });
    await expect(open()).rejects.toThrow(/database "nothing_of_the_kind" does not exist/);
    url.pathname = new URL(testDatabaseUrl()).pathname;
    url.searchParams.set('options', '-c search_path=pg_catalog,public');
    await expect(open()).rejects.toThrow(
      'search_path leads to the schema pg_catalog, it must lead to public',
    );
    url.searchParams.delete('options');
    url.password = 'wrong';
    await expect(open()).rejects.toThrow(/password authentication failed/);
  });

  test('refuses a database whose encoding cannot hold all text', async () => {
    const url = new URL(testDatabaseUrl());
    const name = `${url.pathname.slice(1)}_latin`;
    const make = `CREATE DATABASE ${name} ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0`;
    await admin.pool.query(make);
    try {
      url.pathname = name;
      const config = { databaseUrl: url.href, databaseDirectUrl: null, dataDir: '/nowhere' };
      await expect(openDatabase(config, 'own')).rejects.toThrow(
        `DATABASE_URL: cannot use ${name} at ${url.host}: its encoding is LATIN1`,
      );
    } finally {
      await admin.pool.query(`DROP DATABASE ${name}`);
    }
  });

  test('passes other failures on immediately', async () => {
    let tries = 0;
    const work = async () => {
      tries += 1;
      throw new Error('a mistake');
    };
    await expect(whenAnswering({ seconds: 60 }, work)).rejects.toThrow('a mistake');
    expect(tries).toBe(1);
  });
});
